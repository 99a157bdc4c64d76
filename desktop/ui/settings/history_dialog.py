"""The record of decisions and calls: searched and narrowed down, the newest first, each with everything known of it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QHBoxLayout,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.tools.ledger import LedgerEntry, LedgerVerdict
from desktop.tools.visible_text import reveal
from desktop.ui.controls import announce
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.endpoints.parts import words
from desktop.ui.history_words import details, verdict_words
from desktop.ui.search_field import SearchField
from desktop.ui.settings.history_list import ENTRY, HistoryDelegate, HistoryModel
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 760, 620
_SEARCH_MS = 200
_MOST_OF_NAME = 40


class HistoryDialog(ReturningDialog):
    """Opened with ``open()``.

    Signals:
        search_changed: other calls are wanted: see ``text``, ``server`` and ``verdict``.
        more_wanted: the user came to the end of the list.
        thread_requested: the chat of a call is to be shown.
    """

    search_changed = Signal()
    more_wanted = Signal()
    thread_requested = Signal(str)

    def __init__(self, parent: QWidget | None, theme: ThemeManager, *, of_permission: str = "") -> None:
        """``of_permission`` says in the language which permission the list is about; empty for all calls."""
        super().__init__(parent)
        self._theme = theme
        self._of_permission = of_permission
        self._servers: tuple[str, ...] = ()
        self.setObjectName("history")
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._title, self._description = words("title"), words("muted")
        self._search = SearchField("historySearch", theme)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_SEARCH_MS)
        self._pause.timeout.connect(self.search_changed)
        self._search.textChanged.connect(lambda: self._pause.start())
        self._server, self._verdict = QComboBox(), QComboBox()
        self._server.setObjectName("historyServer")
        self._verdict.setObjectName("historyVerdict")
        for box in (self._server, self._verdict):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.activated.connect(self.search_changed)
        self._model = HistoryModel(self)
        self._model.more_wanted.connect(self.more_wanted)
        self._list = QListView()
        self._list.setObjectName("historyList")
        self._list.setUniformItemSizes(True)
        self._list.setMouseTracking(True)
        self._list.setModel(self._model)
        self._list.setItemDelegate(HistoryDelegate(theme, self))
        self._list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._list.selectionModel().currentChanged.connect(self._show_details)
        self._nothing = plain_label("", "muted")
        self._nothing.setObjectName("historyNothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        self._details = QVBoxLayout()
        self._box: PlainBox | None = None
        self._arrange()
        theme.changed.connect(self._restyle)
        self.retranslate()

    @property
    def text(self) -> str:
        return self._search.text().strip()

    @property
    def server(self) -> str | None:
        return self._server.currentData()

    @property
    def verdict(self) -> LedgerVerdict | None:
        value = self._verdict.currentData()
        return LedgerVerdict(value) if value else None

    @property
    def last_number(self) -> int | None:
        """Of the last call that is listed."""
        return self._model.entries[-1].number if self._model.entries else None

    def show_servers(self, servers: Sequence[str]) -> None:
        self._servers = tuple(servers)
        self.retranslate()

    def show_entries(self, entries: Sequence[LedgerEntry], *, has_more: bool) -> None:
        """Show these, the first one with its details."""
        self._model.show_entries(entries, has_more=has_more)
        self._list.setVisible(bool(entries))
        self._nothing.setVisible(not entries)
        if entries:
            self._list.setCurrentIndex(self._model.index(0))
        else:
            self._show_details(QModelIndex())
        if self._search.hasFocus():
            announce(self._search, self._nothing.text() if not entries else self.tr("%n calls", "", len(entries)))

    def add_entries(self, entries: Sequence[LedgerEntry], *, has_more: bool) -> None:
        self._model.add_entries(entries, has_more=has_more)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("History of decisions and calls"))
        self._title.setText(self.windowTitle())
        text = self.tr("What models called and what became of it, the newest first. It goes when its chat is deleted.")
        if self._of_permission:
            text = self.tr("What ran unasked by this permission: %1").replace("%1", self._of_permission)
        self._description.setText(text)
        self._search.setPlaceholderText(self.tr("Search commands, arguments, tools, results and chats"))
        self._search.setAccessibleName(self.tr("Search the history"))
        verdicts = [(verdict_words(verdict), verdict.value) for verdict in LedgerVerdict]
        self._fill(self._verdict, [(self.tr("All decisions"), None), *verdicts])
        names = [(reveal(server[:_MOST_OF_NAME], keep_newlines=False), server) for server in self._servers]
        self._fill(self._server, [(self.tr("All servers"), None), *names])
        self._verdict.setAccessibleName(self.tr("Decision"))
        self._server.setAccessibleName(self.tr("Server"))
        self._list.setAccessibleName(self.windowTitle())
        set_plain(self._nothing, self.tr("No call matches."))
        self._open.setText(self.tr("Open chat"))
        self._copy.setText(self.tr("Copy"))
        self._close.setText(self.tr("Close"))
        self._model.words_changed()
        self._show_details(self._list.currentIndex())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    @staticmethod
    def _fill(box: QComboBox, items: Sequence[tuple[str, str | None]]) -> None:
        chosen = box.currentData()
        box.clear()
        for text, value in items:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(chosen)) if chosen else 0)

    def _arrange(self) -> None:
        filters = QHBoxLayout()
        filters.setSpacing(8)
        filters.addWidget(self._search, 1)
        filters.addWidget(self._server)
        filters.addWidget(self._verdict)
        buttons = QDialogButtonBox()
        self._open, self._copy, self._close = QPushButton(), QPushButton(), QPushButton()
        roles = QDialogButtonBox.ButtonRole
        for button, name, role in (
            (self._open, "historyOpen", roles.ActionRole),
            (self._copy, "historyCopy", roles.ActionRole),
            (self._close, "historyClose", roles.RejectRole),
        ):
            button.setObjectName(name)
            button.setAutoDefault(False)
            buttons.addButton(button, role)
        self._open.clicked.connect(self._open_chat)
        self._copy.clicked.connect(self._copy_details)
        self._close.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self._description)
        layout.addLayout(filters)
        layout.addWidget(self._list, 3)
        layout.addWidget(self._nothing, 3)
        layout.addLayout(self._details, 2)
        layout.addWidget(buttons)
        self.setMinimumSize(420, 360)
        self.resize(self._theme.px(_WIDTH), self._theme.px(_HEIGHT))

    def _current(self) -> LedgerEntry | None:
        return self._list.currentIndex().data(ENTRY)

    def _show_details(self, index: QModelIndex) -> None:
        entry: LedgerEntry | None = index.data(ENTRY)
        if self._box is not None:
            self._details.removeWidget(self._box)
            self._box.setParent(None)
            self._box.deleteLater()
            self._box = None
        for button in (self._open, self._copy):
            button.setEnabled(entry is not None)
        if entry is None:
            return
        lines = display_lines(details(entry), numbered=False)
        self._box = PlainBox(lines, self._theme, role="code", least_lines=6, most_lines=12, may_grow=True)
        self._box.setObjectName("historyDetails")
        self._box.setAccessibleName(self.tr("Everything about this call"))
        self._details.addWidget(self._box)
        QWidget.setTabOrder(self._list, self._box)

    def _open_chat(self) -> None:
        if (entry := self._current()) is not None:
            self.accept()
            self.thread_requested.emit(entry.thread_id)

    def _copy_details(self) -> None:
        """What stands in the box, deceptive characters visible there too."""
        if self._box is not None:
            QGuiApplication.clipboard().setText("\n".join(line.text for line in self._box.lines))
            announce(self._copy, self.tr("Copied"))

    def _restyle(self) -> None:
        self._list.scheduleDelayedItemsLayout()
