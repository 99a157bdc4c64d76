"""The field for a key: hidden unless shown, mended when pasted, and beside it where the key is kept."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.core.secrets import KeychainState, KeychainStatus
from desktop.core.settings import KeyPlace
from desktop.ui.controls import IconLabel, describe, hand_focus, prepare_icon_button
from desktop.ui.endpoints.parts import Field, LinkButton, shown, words
from desktop.ui.state.endpoint_entry import clean_key, is_key_usable, sort_key
from desktop.ui.theme.theme_manager import ThemeManager

PASTE = 4
"""So many characters at once were pasted or dropped; nobody types like that."""


class KeyField(QWidget):
    """Holds a key only until ``take_key`` or ``clear``.

    Signals:
        changed: the key is another one.
        completed: a key was pasted, or the field left with one.
        address_found: what was pasted is an address; it was taken out of the field.
        keychain_requested: the user wants the keychain tried again.
        link_requested: the page where one gets a key.
    """

    changed = Signal()
    completed = Signal()
    address_found = Signal(str)
    keychain_requested = Signal()
    link_requested = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self._theme = theme
        self._link = ""
        self._provider = ""
        self._prefix = ""
        self._is_required = False
        self._kept: KeyPlace | None = None
        self._is_missing = False
        self._is_forgotten = False
        self._variable = ""
        self._status = KeychainStatus(state=KeychainState.UNKNOWN)
        self._length = 0
        self._completed = ""
        self.edit = QLineEdit()
        self.edit.setObjectName("endpointKey")
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setInputMethodHints(
            Qt.InputMethodHint.ImhHiddenText
            | Qt.InputMethodHint.ImhSensitiveData
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhNoAutoUppercase
        )
        self.edit.textEdited.connect(self._edited)
        self.edit.editingFinished.connect(self._finished)
        self._eye = QToolButton()
        prepare_icon_button(self._eye, theme, "showKey", "eye")
        self._eye.setCheckable(True)
        self._eye.toggled.connect(self._show_key)
        self._forget = QPushButton()
        self._forget.setObjectName("forgetKey")
        self._forget.clicked.connect(self._forget_kept)
        self.field = Field(self.edit, (self._eye, self._forget))
        self._lock = IconLabel(theme, "lock", "muted", 14)
        self._warning = IconLabel(theme, "triangle-alert", "warning", 14)
        self._place = words("muted", "keyPlace")
        self._again = LinkButton("keychainAgain")
        self._again.clicked.connect(self.keychain_requested)
        self._get = LinkButton("getKey")
        self._get.clicked.connect(lambda: self.link_requested.emit(self._link))
        self._arrange()
        self.retranslate()

    @property
    def key(self) -> str:
        """The key as it would be sent; empty when none was entered."""
        return clean_key(self.edit.text())

    @property
    def change(self) -> str | None:
        """A new key, empty for one that shall be forgotten, None when nothing changed."""
        return self.key or ("" if self._is_forgotten else None)

    @property
    def is_kept(self) -> bool:
        """There is a key from before, and it stays unless another one is entered."""
        return self._kept not in (None, KeyPlace.NONE) and not self._is_forgotten and not self._is_missing

    def set_key(self, key: str) -> None:
        """Put in a key that was found elsewhere, for example in the address field."""
        self.edit.setText(key)
        self._length = len(key)
        self.changed.emit()
        self._complete()

    def fill_in(self, key: str) -> None:
        """Put in a key from outside the form; nothing is asked with it before the user goes on."""
        if key and not self.edit.text():
            self.edit.setText(key)
            self._length, self._completed = len(key), key
            self.changed.emit()

    def clear(self) -> None:
        """Forget what was entered, beyond the reach of undo."""
        self.edit.setText("")
        self._eye.setChecked(False)
        self._length = 0
        self._completed = ""
        self._is_forgotten = False
        self.show_problem("")
        self.retranslate()

    def set_provider(self, name: str, link: str, prefix: str, *, required: bool) -> None:
        """Say whose key it is, where one gets it, and how it begins."""
        self._provider, self._link, self._prefix, self._is_required = name, link, prefix, required
        self._get.setVisible(bool(link))
        self.retranslate()

    def set_kept(self, place: KeyPlace, *, missing: bool = False) -> None:
        """Say that a key is kept already; ``missing`` when it should be there but is not any more."""
        self._kept, self._is_missing = place, missing
        self.retranslate()

    def set_keychain(self, status: KeychainStatus) -> None:
        """Say where a key goes."""
        self._status = status
        self.retranslate()

    def set_variable(self, name: str) -> None:
        """The key comes from this environment variable instead; an empty name: it does not."""
        self._variable = name
        self.edit.setEnabled(not name)
        self._eye.setEnabled(not name)
        self.retranslate()

    def show_problem(self, text: str) -> None:
        self.field.show_problem(text)

    def problem(self) -> str:
        """Return what is wrong with the key, in words; empty when it may be used."""
        if self._variable:
            return ""
        if not self.key:
            return self.tr("Paste the key here.") if self._is_required and not self.is_kept else ""
        if not is_key_usable(self.key):
            return self.tr(
                "A key consists of plain letters, digits and symbols only. Copy it again without other text."
            )
        return ""

    def retranslate(self) -> None:
        self.field.set_label(self.tr("Key") if self._is_required else self.tr("Key (if it needs one)"))
        self.edit.setPlaceholderText(self._placeholder())
        show = self.tr("Hide the key") if self._eye.isChecked() else self.tr("Show the key")
        describe(self._eye, show)
        self._forget.setText(self.tr("Delete key"))
        describe(self._forget, self.tr("Delete the key that is kept"))
        self._forget.setVisible(self.is_kept and not self.edit.text())
        self._get.setText(self.tr("Get a key from %1").replace("%1", shown(self._provider)))
        self._again.setText(self.tr("Try the keychain again"))
        self._describe_place()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _arrange(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(6)
        place.addWidget(self._lock, 0, Qt.AlignmentFlag.AlignTop)
        place.addWidget(self._warning, 0, Qt.AlignmentFlag.AlignTop)
        place.addWidget(self._place, 1)
        links = QHBoxLayout()
        links.setSpacing(14)
        links.addWidget(self._get)
        links.addWidget(self._again)
        links.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.field)
        layout.addLayout(place)
        layout.addLayout(links)
        self._get.hide()

    def _placeholder(self) -> str:
        if self._is_missing:
            return self.tr("The key was kept only until Threadwell was closed. Paste it again.")
        if self._is_forgotten:
            return self.tr("The key is deleted when you save.")
        if self.is_kept:
            return self.tr("A key is kept. Paste another one to replace it.")
        if self._prefix:
            return self.tr("Paste the key; it begins with %1").replace("%1", self._prefix)
        return self.tr("Paste the key")

    def _describe_place(self) -> None:
        status = self._status
        texts = {
            KeychainState.AVAILABLE: self.tr("Kept in your system's keychain (%1).").replace(
                "%1", shown(status.backend)
            )
            if status.backend
            else self.tr("Kept in your system's keychain."),
            KeychainState.UNKNOWN: self.tr("Looking for your system's keychain…"),
            KeychainState.MISSING: self.tr(
                "No keychain was found on this computer. The key is kept only until Threadwell is closed."
            ),
            KeychainState.LOCKED: self.tr(
                "Your system's keychain is locked. Until it is unlocked, the key is kept only while Threadwell is open."
            ),
            KeychainState.REFUSED: self.tr(
                "Access to your system's keychain was refused. The key is kept only until Threadwell is closed."
            ),
            KeychainState.FAILED: self.tr(
                "Your system's keychain does not answer. The key is kept only until Threadwell is closed."
            ),
        }
        text = texts[status.state]
        if self._variable:
            text = self.tr("The key is read from the environment variable %1 and is not stored.").replace(
                "%1", shown(self._variable)
            )
        self._place.setText(text)
        self._place.setToolTip(shown(status.detail) if not self._variable else "")
        is_fine = bool(self._variable) or status.state in (KeychainState.AVAILABLE, KeychainState.UNKNOWN)
        self._lock.setVisible(is_fine)
        self._warning.setVisible(not is_fine)
        may_try = status.state in (KeychainState.LOCKED, KeychainState.REFUSED, KeychainState.FAILED)
        may_try = may_try and not self._variable
        if not may_try:
            hand_focus(self._again, self.edit)
        self._again.setVisible(may_try)

    def _show_key(self, visible: bool) -> None:
        self.edit.setEchoMode(QLineEdit.EchoMode.Normal if visible else QLineEdit.EchoMode.Password)
        self._theme.set_icon(self._eye, "eye-off" if visible else "eye")
        self.retranslate()

    def _forget_kept(self) -> None:
        self._is_forgotten = True
        self.edit.setFocus()
        self.retranslate()
        self.changed.emit()

    def _edited(self, text: str) -> None:
        was_pasted = len(text) - self._length >= PASTE
        if was_pasted:
            found = sort_key(text)
            self.edit.setText(found.key or "")
            text = self.edit.text()
            if found.address:
                self._length = len(text)
                self.address_found.emit(found.address)
                return
        self._length = len(text)
        self._forget.setVisible(self.is_kept and not text)
        self.show_problem("")
        self.changed.emit()
        if was_pasted:
            self._complete()

    def _finished(self) -> None:
        found = sort_key(self.edit.text())
        if found.address:
            self.edit.setText("")
            self._length = 0
            self.address_found.emit(found.address)
        else:
            self._complete()

    def _complete(self) -> None:
        key = self.key
        if key and is_key_usable(key) and key != self._completed:
            self._completed = key
            self.completed.emit()
