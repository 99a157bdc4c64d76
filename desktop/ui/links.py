"""The only way from the window to a browser or file manager: an address is judged, shown, agreed to, then opened."""

import logging
from collections.abc import Set
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.core.safe_files import OPENABLE
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.state.link_target import LinkTarget, judge, label_contradicts
from desktop.ui.state.readable import readable
from desktop.ui.state.url_facts import UrlWarning
from desktop.ui.theme.theme_manager import ThemeManager

logger = logging.getLogger(__name__)

_PICTURES = frozenset({".png", ".jpeg", ".jpg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ico"})

_DOCUMENTS = frozenset({".pdf", ".docx", ".txt", ".md", ".csv"})


def open_url(address: str) -> bool:
    """Open an address that the user has just agreed to; False when it may not be opened or nothing opened it.

    Judged again here, so that no caller can get round it. No shell is ever involved.
    """
    target = judge(address)
    if target is None:
        logger.warning("an address was not opened: it is no plain web or mail address")
        return False
    url = QUrl(target.url, QUrl.ParsingMode.StrictMode)
    # Two readers must agree on where it leads.
    if not url.isValid() or (not target.is_mail and not _same_host(url, target)):
        logger.warning("an address was not opened: its host cannot be told for certain")
        return False
    return QDesktopServices.openUrl(url)


def open_folder(folder: Path) -> bool:
    """Show a folder of the app in the system's file manager; False when it is none or nothing opened it."""
    if not folder.is_dir():
        return False
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder.resolve())))


def open_picture(path: Path) -> bool:
    """Show a picture of the app's data folder in the system's viewer; False when it is none or nothing opened it.

    Only by an ending that no system takes for a program: what opens a file goes by its name.
    """
    return _open_file(path, _PICTURES)


def open_kept_file(path: Path) -> bool:
    """Have the system show a file that a tool returned; False when that is not done, or nothing opened it.

    The app gave the file its name, by its bytes; only endings that no system takes for a program are opened.
    """
    return _open_file(path, OPENABLE)


def open_document(path: Path) -> bool:
    """Have the system show a file that the user added as knowledge; False when that is not done, or nothing opened it.

    Only of kinds that hold no programs: a web page, say, is one.
    """
    return _open_file(path, _DOCUMENTS)


def _open_file(path: Path, endings: Set[str]) -> bool:
    if path.suffix.lower() not in endings or path.is_symlink() or not path.is_file():
        return False
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.resolve())))


def _same_host(url: QUrl, target: LinkTarget) -> bool:
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded).lower().strip("[]")
    names = {name.lower().strip("[]") for name in (target.host, target.other_name)}
    return host in names


class LinkOpener(QObject):
    """Asks before a link of untrusted text is opened.

    ``opened`` and ``refused`` carry the address; ``refused`` also comes when it may never be opened.
    """

    opened = Signal(str)
    refused = Signal(str)

    def __init__(self, theme: ThemeManager, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window

    def ask(self, address: str, label: str = "") -> None:
        """Show where ``address`` leads and open it if the user says so. Returns at once."""
        target = judge(address)
        dialog = LinkDialog(address, target, label, self._theme, self._window)
        dialog.accepted.connect(lambda: self._open(address))
        dialog.rejected.connect(lambda: self.refused.emit(address))
        dialog.open()

    def _open(self, address: str) -> None:
        (self.opened if open_url(address) else self.refused).emit(address)


class LinkDialog(ReturningDialog):
    """Names the host, shows the whole address, and warns. Enter does nothing; Escape leaves the link closed."""

    def __init__(
        self, address: str, target: LinkTarget | None, label: str, theme: ThemeManager, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("link-dialog")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open link"))
        self.setMinimumWidth(380)
        self.resize(500, 240)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(10)
        for text, name, role in self._lines(target, label):
            line = QLabel(text, self)
            line.setObjectName(name)
            line.setProperty("role", role)
            line.setTextFormat(Qt.TextFormat.PlainText)
            line.setWordWrap(True)
            layout.addWidget(line)
        whole = QPlainTextEdit(readable(address), self)
        whole.setObjectName("link-address")
        whole.setAccessibleName(self.tr("The whole address"))
        whole.setReadOnly(True)
        whole.setTabChangesFocus(True)
        whole.setFont(theme.code_font())
        layout.addWidget(whole, 1)
        layout.addLayout(self._buttons(address, target))

    def _lines(self, target: LinkTarget | None, label: str) -> list[tuple[str, str, str]]:
        """The texts above the address: their words, object names and roles."""
        if target is None:
            text = self.tr("This address is not opened: it is not a plain web or mail address. You can copy it.")
            return [(text, "link-refused", "error")]
        question = self.tr("Write a mail to this address?") if target.is_mail else self.tr("Open this page?")
        lines = [(question, "link-question", ""), (readable(target.host), "link-host", "heading")]
        lines.extend((text, "link-warning", "error") for text in self._warnings(target, label))
        return lines

    def _warnings(self, target: LinkTarget, label: str) -> list[str]:
        warnings: list[str] = []
        if label_contradicts(label, target):
            warnings.append(
                self.tr("The text of the link says “{label}”, but it leads to another place.").format(
                    label=readable(label)[:80]
                )
            )
        words = {
            UrlWarning.NOT_ENCRYPTED: self.tr("The connection to this page is not encrypted."),
            UrlWarning.PUNYCODE: self.tr("The name stands for letters of another script: {name}"),
            UrlWarning.FOREIGN_LETTERS: self.tr("The name has letters that may look like others: {name}"),
            UrlWarning.ODD_PORT: self.tr("The address names an unusual port."),
            UrlWarning.NUMBERS_FOR_HOST: self.tr("The address is a number instead of a name."),
            UrlWarning.OWN_MACHINE: self.tr("The address points to this computer."),
        }
        name = readable(target.other_name)
        warnings.extend(words[warning].format(name=name) for warning in target.warnings if warning in words)
        return warnings

    def _buttons(self, address: str, target: LinkTarget | None) -> QHBoxLayout:
        row, ending, role = QHBoxLayout(), QDialogButtonBox(), QDialogButtonBox.ButtonRole
        copy = QPushButton(self.tr("Copy address"), self)
        copy.setObjectName("link-copy")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(address))
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setObjectName("link-cancel")
        cancel.clicked.connect(self.reject)
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(ending)
        ending.addButton(cancel, role.RejectRole)
        buttons = [copy, cancel]
        if target is not None:
            accept = QPushButton(self.tr("Open"), self)
            accept.setObjectName("link-open")
            accept.setProperty("role", "primary")
            accept.clicked.connect(self.accept)
            ending.addButton(accept, role.YesRole)  # as its AcceptRole it would be what Enter presses
            buttons.append(accept)
        for button in buttons:
            button.setAutoDefault(False)
        cancel.setFocus()
        return row
