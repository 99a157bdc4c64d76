"""The page Data: where everything lies and how much it is, chats out and in, what models used, the Trash to be emptied."""

from datetime import timedelta
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.conversation.trash import TRASH_DAYS
from desktop.core.data_usage import DataUsage
from desktop.core.receipt import Receipt
from desktop.ui.backup.part import BackupPart
from desktop.ui.backup.presenter import BackupPresenter
from desktop.ui.controls import IconLabel, describe, set_enabled
from desktop.ui.error_words import error_words
from desktop.ui.interchange.opener import InterchangeOpener
from desktop.ui.links import open_folder
from desktop.ui.memory.purging import ask_to_purge
from desktop.ui.memory.receipts import ReceiptDialog
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.folder_field import FolderField
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.usage_table import UsageTable
from desktop.ui.settings.value_label import ValueLabel
from desktop.ui.theme.theme_manager import ThemeManager

COUNT_DELAY = timedelta(milliseconds=300)
"""Deleting many chats at once counts once."""


def make_data_page(context: SettingsContext) -> SettingsPage:
    page = DataPage(context.theme)
    DataPresenter(page, context)
    return page


class DataPage(SettingsPage):
    """Signals: ``shown``; ``open_requested`` with a path as text; ``empty_requested`` with the number of chats;
    ``export_requested``; ``import_requested``, and ``folder_requested`` for the chats of a whole folder."""

    shown = Signal()
    export_requested = Signal()
    import_requested = Signal()
    folder_requested = Signal()
    open_requested = Signal(str)
    empty_requested = Signal(int)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("data", "database", can_reset=False)
        self._usage: DataUsage | None = None
        self._aside: tuple[str, str] | None = None
        self._note = QFrame()
        self._note.setObjectName("settingsSetAside")
        self._note.setProperty("role", "settingNote")
        self._note_title, self._note_detail = QLabel(), QLabel()
        self._note_title.setProperty("role", "strong")
        self._arrange_note(theme)
        self._folder = FolderField("dataFolder", "copyDataFolder", "openDataFolder")
        self._logs = FolderField("logFolder", "copyLogFolder", "openLogFolder")
        self._chats, self._size = ValueLabel("chatCount"), ValueLabel("dataSize")
        self._empty = QPushButton()
        self._empty.setObjectName("emptyTrash")
        self._empty.setProperty("role", "danger")
        self._empty.setEnabled(False)
        self._empty.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._export = _button("exportAllChats")
        self._import_file, self._import_folder = _button("importChats"), _button("importChatFolder")
        self._places, backup = self.add_section(), self.add_section()
        self._moves, self._amount, self._used, self._trash = (self.add_section() for _ in range(4))
        self.backup = BackupPart(backup)
        self.used = UsageTable()
        self._used.add_widget(self.used)
        self._rows = {
            "folder": self._places.add_row(self._folder, wide=True),
            "logs": self._places.add_row(self._logs, wide=True),
            "export": self._moves.add_row(self._export),
            "import": self._moves.add_row(_side_by_side(self._import_file, self._import_folder)),
            "chats": self._amount.add_row(self._chats),
            "size": self._amount.add_row(self._size),
            "trash": self._trash.add_row(self._empty),
        }
        for field in (self._folder, self._logs):
            field.make_read_only()
            copy, show = field.buttons
            copy.clicked.connect(lambda _=False, field=field: QGuiApplication.clipboard().setText(field.edit.text()))
            show.clicked.connect(lambda _=False, field=field: self.open_requested.emit(field.edit.text()))
        self._export.clicked.connect(self.export_requested)
        self._import_file.clicked.connect(self.import_requested)
        self._import_folder.clicked.connect(self.folder_requested)
        self._empty.clicked.connect(lambda: self.empty_requested.emit(self._usage.trashed if self._usage else 0))
        self.retranslate()

    def show_places(self, root: Path, logs: Path) -> None:
        self._folder.show_path(str(root))
        self._logs.show_path(str(logs))

    def show_usage(self, usage: DataUsage | None) -> None:
        """Show what was counted; None while it is not known."""
        self._usage = usage
        set_enabled(self._empty, usage is not None and usage.trashed > 0)
        if usage is None:
            self._chats.setText("…")
            self._size.setText("…")
        else:
            chats = self.tr("%Ln chats", "", usage.threads)
            messages = self.tr("%Ln messages", "", usage.messages)
            self._chats.setText(f"{chats} · {messages}")
            self._size.setText(_bytes(usage.total_bytes))
        self._describe_usage()

    def show_set_aside(self, title: str, detail: str) -> None:
        """Say that the settings file was set aside at this start."""
        self._note_title.setText(title)
        self._note_detail.setText(detail)
        self._note.setAccessibleName(sentences(title, detail))
        self._note.show()

    def retranslate(self) -> None:
        self.set_texts(self.tr("Data"), self.tr("Your chats are stored on this computer."))
        self._places.set_heading(self.tr("Location"))
        self.backup.retranslate()
        self._moves.set_heading(self.tr("Export and import"))
        self._amount.set_heading(self.tr("Size"))
        self._used.set_heading(self.tr("Usage"))
        self._trash.set_heading(self.tr("Trash"))
        self._rows["folder"].set_texts(
            self.tr("Data folder"),
            self.tr("Chats, settings and logs."),
            keywords=self.tr("directory path location"),
        )
        self._rows["logs"].set_texts(
            self.tr("Logs"),
            self.tr("What the program did, without the text of your chats. Helpful for a bug report."),
            keywords=self.tr("log files errors"),
        )
        self._rows["export"].set_texts(
            self.tr("Export chats"),
            self.tr("As files to read, or complete, so that Threadwell can import them again."),
            keywords=self.tr("markdown json html pdf zip backup save"),
        )
        self._rows["import"].set_texts(
            self.tr("Import chats"),
            self.tr("From Threadwell, ChatGPT, Claude, Cherry Studio, Open WebUI, or the folder of LM Studio."),
            keywords=self.tr("json zip move other apps"),
        )
        for button, text, name in (
            (self._export, self.tr("Export all…"), self.tr("Export all chats")),
            (self._import_file, self.tr("Import a file…"), self.tr("Import chats from a file")),
            (self._import_folder, self.tr("Import a folder…"), self.tr("Import chats from a folder")),
        ):
            button.setText(text)
            describe(button, name, tooltip="")
        for field in (self._folder, self._logs):
            field.set_words(self.tr("Copy"), self.tr("Open folder"))
        self._rows["chats"].set_texts(self.tr("Chats"), keywords=self.tr("messages threads number"))
        self._empty.setText(self.tr("Empty the Trash…"))
        self.show_usage(self._usage)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _describe_usage(self) -> None:
        usage, sizes = self._usage, ""
        if usage is not None:
            sizes = self.tr(
                "Chats %1, their files %4, logs %2, and %3 in reserve, so that deleting works even on a full disk."
            )
            sizes = sizes.replace("%1", _bytes(usage.database_bytes)).replace("%2", _bytes(usage.log_bytes))
            sizes = sizes.replace("%3", _bytes(usage.reserve_bytes)).replace("%4", _bytes(usage.attachment_bytes))
        self._rows["size"].set_texts(
            self.tr("Size on disk"), sizes, keywords=self.tr("megabytes storage space database")
        )
        count = usage.trashed if usage is not None else 0
        title = self.tr("%Ln chats in the Trash", "", count) if count else self.tr("The Trash is empty")
        self._rows["trash"].set_texts(
            title,
            self.tr("Deleted chats stay for %n days, then they are deleted for good.", "", TRASH_DAYS),
            keywords=self.tr("delete purge remove bin"),
        )
        self._empty.setAccessibleName(self._empty.text())

    def _arrange_note(self, theme: ThemeManager) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self._note_title, self._note_detail):
            label.setWordWrap(True)
            words.addWidget(label)
        layout = QHBoxLayout(self._note)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(10)
        layout.addWidget(IconLabel(theme, "triangle-alert", "warning", 18))
        layout.addLayout(words, 1)
        self._note.hide()
        self.add_widget(self._note)


class DataPresenter(QObject):
    """Counts when the page is seen and whenever chats come or go while it is."""

    def __init__(self, page: DataPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._services = services = context.services
        self._worker = Worker(services)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COUNT_DELAY // timedelta(milliseconds=1))
        self._timer.timeout.connect(self._count)
        page.shown.connect(self._shown)
        page.open_requested.connect(self._open)
        moves = InterchangeOpener(context.window, services, context.theme)
        moves.chat_wanted.connect(context.open_thread)
        page.export_requested.connect(moves.export_all)
        page.import_requested.connect(moves.choose_file)
        page.folder_requested.connect(moves.choose_folder)
        page.empty_requested.connect(lambda count: self._worker.start_once(self._empty(count), "empty Trash"))
        services.conversations.thread_changed.connect(self._changed)
        services.conversations.thread_removed.connect(self._changed)
        services.conversations.many_changed.connect(self._changed)
        page.show_places(services.data.root, services.data.logs)
        if services.backups is not None:
            backups = BackupPresenter(page.backup, services.backups, context)
            page.shown.connect(backups.refresh)

    def _shown(self) -> None:
        aside = self._services.settings.set_aside
        if aside is not None:
            words = error_words(f"settings.{aside.reason}", {"kept_as": str(aside.kept_as), "detail": aside.detail})
            self._page.show_set_aside(words.title, words.detail)
        self._count()

    def _changed(self, _what: object) -> None:
        if self._page.isVisible():
            self._timer.start()

    def _count(self) -> None:
        self._worker.start(self._show_usage(), "count data")

    async def _show_usage(self) -> None:
        self._page.show_usage(await self._services.data.usage())
        self._page.used.show_totals(await self._services.repository.usage_totals())

    def _open(self, folder: str) -> None:
        if not open_folder(Path(folder)):
            self._context.show_notice(
                lambda: self.tr("The folder could not be opened"),
                lambda: self.tr("No program is set for opening folders, or the folder is missing: %1").replace(
                    "%1", folder
                ),
            )

    async def _empty(self, count: int) -> None:
        title = self.tr("Delete %Ln chats for good?", "", count)
        text = self.tr("All their text is removed from this computer. This cannot be undone.")
        label = self.tr("Empty the Trash")
        services, window = self._services, self._context.window
        thread_ids = [thread.id for thread in await services.conversations.trash()]
        agreed = await ask_to_purge(window, services, thread_ids, title=title, text=text, confirm_label=label)
        if agreed is None:
            return
        receipt = Receipt()
        try:
            receipt += await agreed.forget(services)
            receipt += await services.conversations.purge_trash()
        finally:
            await self._show_usage()
            receipt = await services.memory.follow_removal(receipt)
            if not receipt.is_empty:
                ReceiptDialog(receipt, self._context.theme, window, backups=services.backup_places()).open()


def _button(object_name: str) -> QPushButton:
    button = QPushButton()
    button.setObjectName(object_name)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button


def _side_by_side(*buttons: QPushButton) -> QWidget:
    holder = QWidget()
    holder.setLayout(Wrapping(*buttons))
    return holder


def _bytes(count: int) -> str:
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)
