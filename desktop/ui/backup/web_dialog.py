"""Where on the web backups go: the address of a WebDAV folder, user and password, tried before they are kept."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.core.backup_settings import BackupSettings
from desktop.ui.controls import announce, bring_into_view, set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, scrolled, set_plain
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH = 560
_MOST_CHARACTERS = 2_000


class WebDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        given: address, user, password (empty: the one that is kept), and whether it may be sent without encryption.
        removed: backups shall go to a folder of this computer again.
    """

    given = Signal(str, str, str, bool)
    removed = Signal()

    def __init__(self, parent: QWidget, theme: ThemeManager, settings: BackupSettings) -> None:
        super().__init__(parent)
        self.setObjectName("webBackupDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._settings = settings
        self._title, self._words, self._problem = (
            plain_label("", "heading"),
            plain_label("", "muted"),
            plain_label("", "error"),
        )
        self._problem.setObjectName("webBackupProblem")
        self._problem.hide()
        self.address, self.user, self.password = (
            QLineEdit(settings.web_address),
            QLineEdit(settings.web_user),
            QLineEdit(),
        )
        for edit, name in ((self.address, "Address"), (self.user, "User"), (self.password, "Password")):
            edit.setObjectName(f"webBackup{name}")
            edit.setMaxLength(_MOST_CHARACTERS)
            edit.textChanged.connect(self._changed)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.plain = QCheckBox()
        self.plain.setObjectName("webBackupPlain")
        self.plain.setChecked(bool(settings.plain_web_address) and settings.plain_web_address == settings.web_address)
        self._labels = [plain_label("", wrap=False) for _ in range(3)]
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(6)
        for label, edit in zip(self._labels, (self.address, self.user, self.password), strict=True):
            label.setBuddy(edit)
            form.addRow(label, edit)
        self._cancel, self._go = dialog_button("webBackupCancel"), dialog_button("webBackupGo", "primary")
        self._remove = dialog_button("webBackupRemove")
        self._go.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._go.clicked.connect(self._give)
        self._remove.clicked.connect(self._leave)
        inside = QWidget()
        inside.setProperty("role", "clear")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self._words)
        column.addLayout(form)
        column.addWidget(self.plain)
        column.addWidget(self._problem)
        column.addWidget(self._remove, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.area = scrolled(inside, "webBackupArea")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self.area, 1)
        layout.addSpacing(4)
        layout.addWidget(ending(accept=self._go, cancel=self._cancel))
        self._remove.setVisible(settings.is_on_web)
        self._retranslate()
        self._changed()
        self.setMinimumWidth(380)
        self.resize(min(theme.px(_WIDTH), max(380, parent.width() - 40)), 0)

    def show_trying(self) -> None:
        """It is being tried out."""
        set_enabled(self._go, False)
        self._tell(self.tr("Trying it out…"), is_problem=False)

    def show_problem(self, title: str, detail: str) -> None:
        """It cannot be used, for this reason."""
        set_enabled(self._go, True)
        self._tell(f"{title}\n{detail}", is_problem=True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _tell(self, words: str, *, is_problem: bool) -> None:
        self._problem.setProperty("role", "error" if is_problem else "muted")
        self._problem.style().polish(self._problem)
        set_plain(self._problem, words)
        self._problem.show()
        bring_into_view(self._problem, 0)
        announce(self, words)

    def _give(self) -> None:
        self.given.emit(self.address.text().strip(), self.user.text(), self.password.text(), self.plain.isChecked())

    def _leave(self) -> None:
        self.accept()
        self.removed.emit()

    def _changed(self) -> None:
        is_plain = self.address.text().strip().lower().startswith("http://")
        self.plain.setVisible(is_plain)
        self._problem.hide()
        set_enabled(self._go, bool(self.address.text().strip()))

    def _retranslate(self) -> None:
        title = self.tr("Backups on a WebDAV server")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        set_plain(
            self._words,
            self.tr(
                "Nextcloud, ownCloud, Synology and many others offer a WebDAV address. What is stored there is not"
                " encrypted by Threadwell: whoever can read the folder can read your chats."
            ),
        )
        names = (self.tr("Address of the folder"), self.tr("User"), self.tr("Password"))
        for label, edit, name in zip(self._labels, (self.address, self.user, self.password), names, strict=True):
            label.setText(name)
            edit.setAccessibleName(name)
        self.address.setPlaceholderText("https://cloud.example/dav/Backups")
        self.password.setPlaceholderText(
            self.tr("The one that is kept") if self._settings.has_web_password else self.tr("Kept in the keychain")
        )
        self.plain.setText(self.tr("Send it without encryption"))
        self.plain.setAccessibleName(self.plain.text())
        name_button(self._cancel, self.tr("Cancel"))
        name_button(self._go, self.tr("Try and use"))
        name_button(self._remove, self.tr("Use a folder instead"))
