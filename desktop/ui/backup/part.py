"""The part Backup of the page Data: a backup now and each day, where it goes, how many stay, the way back, and a check."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.core.backup_settings import MOST_KEPT, BackupSettings
from desktop.core.backups import Progress
from desktop.ui.backup.words import BackupWording
from desktop.ui.controls import announce, describe, hand_focus, set_enabled, set_property
from desktop.ui.plain_label import PlainLabel
from desktop.ui.settings.controls import CalmSpinBox, Switch, show_number
from desktop.ui.settings.folder_field import FolderField
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsSection

_STEPS = 1_000


class BackupPart(QObject):
    """Rows of a section.

    Signals: what the user clicked, and ``daily_changed``, ``kept_changed`` (days, weeks), ``folder_changed`` with the value.
    """

    back_up_requested = Signal()
    stop_requested = Signal()
    show_requested = Signal()
    restore_requested = Signal()
    check_requested = Signal()
    choose_requested = Signal()
    usual_requested = Signal()
    web_requested = Signal()
    restart_requested = Signal()
    take_back_requested = Signal()
    daily_changed = Signal(bool)
    kept_changed = Signal(int, int)

    def __init__(self, section: SettingsSection) -> None:
        super().__init__(section)
        self._section = section
        self._wording = BackupWording(self)
        self._settings = BackupSettings()
        self._last, self._problem, self._waits = "", "", False
        self._checked = ""
        self._has_usual_folder = True
        self._now, self._stop, self._show = _button("backUpNow"), _button("stopBackup"), _button("showBackup")
        self._restart, self._take_back = _button("restartToRestore"), _button("takeRestoreBack")
        self._bar, self._state = QProgressBar(), PlainLabel(role="muted", object_name="backupState")
        self._bar.setObjectName("backupProgress")
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._now_row = section.add_row(
            _column(self._now, self._stop, self._show, below=(self._bar, self._state)), wide=True
        )
        self.daily = Switch("dailyBackup")
        self._daily_row = section.add_row(self.daily)
        self.folder = FolderField("backupFolder", "chooseBackupFolder", "usualBackupFolder", "webBackup")
        self.folder.make_read_only()
        self._folder_row = section.add_row(self.folder, wide=True)
        self._days = CalmSpinBox("backupDays", 1, MOST_KEPT)
        self._weeks = CalmSpinBox("backupWeeks", 0, MOST_KEPT)
        both = QWidget()
        both.setLayout(Wrapping(self._days, self._weeks))
        both.setFocusProxy(self._days)
        self._kept_row = section.add_row(both)
        self._restore = _button("restoreBackup")
        self._restore_row = section.add_row(_column(self._restore, self._restart, self._take_back))
        self._check, self._found = _button("checkLibrary"), PlainLabel(role="muted", object_name="checkResult")
        self._found.hide()
        self._check_row = section.add_row(_column(self._check, below=(self._found,)), wide=True)
        self._connect()
        self.show_running(None)
        self.retranslate()

    def show_settings(self, settings: BackupSettings, place: str, *, is_usual: bool) -> None:
        """Show what is stored, and where backups go."""
        self._settings, self._has_usual_folder = settings, is_usual
        self.daily.blockSignals(True)
        self.daily.setChecked(settings.daily)
        self.daily.blockSignals(False)
        show_number(self._days, settings.keep_days)
        show_number(self._weeks, settings.keep_weeks)
        self.folder.show_path(place)
        self.retranslate()

    def show_last(self, last: str, problem: str, *, can_show: bool) -> None:
        """Say how it went lately: the last backup, and why a daily one failed."""
        self._last, self._problem = last, problem
        self._show.setVisible(can_show)
        self.retranslate()

    def show_waiting(self, waits: bool) -> None:
        """Say that a restored library waits for the next start."""
        self._waits = waits
        self.retranslate()

    def show_running(self, progress: Progress | None) -> None:
        """Show how far a backup is; None when none runs."""
        runs = progress is not None
        if not runs:
            hand_focus(self._stop, self._now)
        self._stop.setVisible(runs)
        self._bar.setVisible(runs)
        for button in (self._now, self._restore, self._check):
            set_enabled(button, not runs)
        if progress is not None:
            self._bar.setRange(0, _STEPS if progress.total else 0)
            self._bar.setValue(_STEPS * progress.done // max(1, progress.total))
            self._state.setText(self._wording.progress(progress))
            self._state.show()
        else:
            self._tell_state()

    def show_checked(self, words: str) -> None:
        """Say what a check found."""
        self._checked = words
        self._found.setText(words)
        self._found.setVisible(bool(words))
        if words:
            announce(self._check, words)

    def retranslate(self) -> None:
        self._section.set_heading(self.tr("Backup"))
        self._now_row.set_texts(
            self.tr("Back up now"),
            self.tr("Chats, memories, files and settings, checked and in one file. Keys and passwords are not in it."),
            keywords=self.tr("copy save safety archive"),
        )
        self._daily_row.set_texts(
            self.tr("Daily backup"),
            self.tr(
                "While Threadwell is open, once a day and when nothing is going on. It is off at first, because a backup"
                " keeps what you delete for good later."
            ),
            keywords=self.tr("automatic every day"),
        )
        where = self.tr("Any folder, also one that is synced.")
        if self._settings.is_on_web:
            where = self.tr("A folder on a WebDAV server.")
        self._folder_row.set_texts(self.tr("Backups go to"), where, keywords=self.tr("folder cloud webdav nextcloud"))
        self.folder.set_words(self.tr("Choose a folder…"), self.tr("The usual folder"), self.tr("WebDAV…"))
        set_enabled(self.folder.buttons[1], not self._has_usual_folder or self._settings.is_on_web)
        self._kept_row.set_texts(
            self.tr("Daily backups to keep"),
            self.tr("One for each of so many days, then one for each of so many weeks. No other file is ever deleted."),
            keywords=self.tr("rotation number old"),
        )
        self._days.setSuffix(self.tr(" days", "", self._settings.keep_days))
        self._weeks.setSuffix(self.tr(" weeks", "", self._settings.keep_weeks))
        self._days.setAccessibleName(self.tr("Days for which a backup is kept"))
        self._weeks.setAccessibleName(self.tr("Weeks for which a backup is kept"))
        restore = self.tr("Looks at a backup first and says what would change. What is here can be kept.")
        if self._waits:
            restore = self.tr("A backup takes the place of your library when Threadwell starts next.")
        self._restore_row.set_texts(self.tr("Restore a backup"), restore, keywords=self.tr("recover undo lost back"))
        self._restore.setVisible(not self._waits)
        self._restart.setVisible(self._waits)
        self._take_back.setVisible(self._waits)
        self._check_row.set_texts(
            self.tr("Check the library"),
            self.tr("Looks through the database, its indexes and your files, and mends what can be made again."),
            keywords=self.tr("integrity damage repair"),
        )
        for button, text, name in (
            (self._now, self.tr("Back up now"), ""),
            (self._stop, self.tr("Stop"), self.tr("Stop the backup")),
            (self._show, self.tr("Show the file"), self.tr("Show the last backup in its folder")),
            (self._restore, self.tr("Restore…"), self.tr("Restore a backup")),
            (self._restart, self.tr("Restart now"), self.tr("Restart Threadwell with the restored library")),
            (self._take_back, self.tr("Do not restore"), self.tr("Keep the library that is here")),
            (self._check, self.tr("Check now"), self.tr("Check the library")),
        ):
            button.setText(text)
            describe(button, name or text, tooltip="")
        self._bar.setAccessibleName(self.tr("Backup"))
        self._tell_state()

    def _tell_state(self) -> None:
        if self._stop.isHidden():
            text = "\n".join(filter(None, (self._problem, self._last)))
            self._state.setText(text)
            set_property(self._state, "role", "error" if self._problem else "muted")
            self._state.setVisible(bool(text))

    def _connect(self) -> None:
        self._now.clicked.connect(self.back_up_requested)
        self._stop.clicked.connect(self.stop_requested)
        self._show.clicked.connect(self.show_requested)
        self._restore.clicked.connect(self.restore_requested)
        self._restart.clicked.connect(self.restart_requested)
        self._take_back.clicked.connect(self.take_back_requested)
        self._check.clicked.connect(self.check_requested)
        self.daily.toggled.connect(self.daily_changed)
        choose, usual, web = self.folder.buttons
        choose.clicked.connect(self.choose_requested)
        usual.clicked.connect(self.usual_requested)
        web.clicked.connect(self.web_requested)
        for box in (self._days, self._weeks):
            box.valueChanged.connect(lambda _: self.kept_changed.emit(self._days.value(), self._weeks.value()))


def _button(name: str) -> QPushButton:
    button = QPushButton()
    button.setObjectName(name)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button


def _column(*buttons: QPushButton, below: tuple[QWidget, ...] = ()) -> QWidget:
    row = QWidget()
    row.setLayout(Wrapping(*buttons))
    if not below:
        row.setFocusProxy(buttons[0])
        return row
    holder = QWidget()
    holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(row)
    for widget in below:
        column.addWidget(widget)
    holder.setFocusProxy(buttons[0])
    return holder
