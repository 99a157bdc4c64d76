"""The secrets of a server in its form: which values go into the keychain, and fields for the values that it asks for."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop.core.secrets import KeychainState, KeychainStatus
from desktop.tools.server_inputs import ServerInput
from desktop.tools.visible_text import reveal
from desktop.ui.controls import IconLabel
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.endpoints.parts import Field, LinkButton, shown, words
from desktop.ui.punctuation import labelled
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.state.server_secrets import is_secret
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_NAMES = 24
_MOST_OF_NAME = 60


class SecretFields(QWidget):
    """Holds what is entered only until the form is over. The user's ticks stay while the texts above them change.

    Signals:
        keychain_requested: the user wants the keychain tried again.
    """

    keychain_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("serverSecrets")
        self._theme = theme
        self._status = KeychainStatus(state=KeychainState.UNKNOWN)
        self._ticks: dict[str, QCheckBox] = {}
        self._decided: dict[str, bool] = {}
        """What the user ticked or not, against the proposal."""
        self._fields: dict[str, _InputField] = {}
        self._note = QFrame()
        self._note.setObjectName("serverSecretNote")
        self._note.setProperty("role", "finding")
        self._words = words("", "serverSecretWords")
        self._names = QWidget()
        self._names.setLayout(Wrapping(spacing=14))
        inside = QVBoxLayout(self._note)
        inside.setContentsMargins(10, 8, 10, 8)
        inside.addWidget(self._words)
        inside.addWidget(self._names)
        self._inputs = QVBoxLayout()
        self._inputs.setSpacing(10)
        self._lock = IconLabel(theme, "lock", "muted", 14)
        self._warning = IconLabel(theme, "triangle-alert", "warning", 14)
        self._place = words("muted", "serverKeychain")
        self._again = LinkButton("serverKeychainAgain")
        self._again.clicked.connect(self.keychain_requested)
        place = QHBoxLayout()
        place.setSpacing(6)
        for icon in (self._lock, self._warning):
            place.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        place.addWidget(self._place, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(self._inputs)
        layout.addWidget(self._note)
        layout.addLayout(place)
        layout.addWidget(self._again, 0, Qt.AlignmentFlag.AlignLeft)
        self.retranslate()

    @property
    def marked(self) -> frozenset[str]:
        """The names of the values that are to be kept as secrets."""
        return frozenset(name for name, tick in self._ticks.items() if tick.isChecked())

    @property
    def answers(self) -> dict[str, str]:
        """What was entered, by the ids of the inputs."""
        return {name: field.answer for name, field in self._fields.items() if field.answer}

    def show_values(self, values: Mapping[str, str]) -> None:
        """Offer these values to be kept as secrets; what looks like one is ticked."""
        names = list(values)[:_MOST_NAMES]
        layout = self._names.layout()
        for name in [name for name in self._ticks if name not in names]:
            gone = self._ticks.pop(name)
            if layout is not None:
                layout.removeWidget(gone)
            gone.setParent(None)
            gone.deleteLater()
        for name in names:
            if name not in self._ticks:
                tick = self._ticks[name] = QCheckBox(reveal(name[:_MOST_OF_NAME], keep_newlines=False))
                tick.setObjectName(f"secret-{name}")
                tick.clicked.connect(lambda on, name=name: self._decided.__setitem__(name, on))
                if isinstance(layout, Wrapping):
                    layout.add(tick)
                tick.show()
            self._ticks[name].setChecked(self._decided.get(name, is_secret(name, values[name])))
        self._show_parts()
        self.retranslate()

    def show_inputs(self, inputs: Sequence[ServerInput]) -> None:
        """Have a field for each of these values; what was entered already stays."""
        wanted = {item.id: item for item in inputs}
        for name in [name for name, field in self._fields.items() if wanted.get(name) != field.item]:
            field = self._fields.pop(name)
            field.hide()
            field.deleteLater()
        for item in inputs:
            if item.id not in self._fields:
                self._fields[item.id] = _InputField(item)
                self._inputs.addWidget(self._fields[item.id])
        self._show_parts()

    def set_keychain(self, status: KeychainStatus) -> None:
        self._status = status
        self._show_parts()
        self.retranslate()

    def focus_missing(self) -> None:
        """Go to the first value that nobody has entered yet, or to the first secret: the keychain may not give it."""
        fields = list(self._fields.values())
        wanted = [field for field in fields if field.item.is_missing] or [f for f in fields if f.item.is_secret]
        if wanted:
            wanted[0].control.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        """Forget what was entered."""
        for field in self._fields.values():
            field.clear()

    def retranslate(self) -> None:
        self._words.setText(
            self.tr("What is ticked is kept in your system's keychain instead of the settings file:")
            if self._status.state in (KeychainState.AVAILABLE, KeychainState.UNKNOWN)
            else self.tr("What is ticked is not written into the settings file:")
        )
        for name, tick in self._ticks.items():
            tick.setAccessibleName(self.tr("Keep %1 as a secret").replace("%1", reveal(name[:_MOST_OF_NAME])))
        for field in self._fields.values():
            field.retranslate()
        self._place.setText(self._place_words())
        self._place.setToolTip(shown(self._status.detail))
        self._again.setText(self.tr("Try the keychain again"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _show_parts(self) -> None:
        has_secrets = bool(self._ticks) or any(field.item.is_secret for field in self._fields.values())
        state = self._status.state
        is_fine = state in (KeychainState.AVAILABLE, KeychainState.UNKNOWN)
        self._note.setVisible(bool(self._ticks))
        self._place.setVisible(has_secrets)
        self._lock.setVisible(has_secrets and is_fine)
        self._warning.setVisible(has_secrets and not is_fine)
        self._again.setVisible(
            has_secrets and state in (KeychainState.LOCKED, KeychainState.REFUSED, KeychainState.FAILED)
        )
        self.setVisible(has_secrets or bool(self._fields))

    def _place_words(self) -> str:
        status = self._status
        match status.state:
            case KeychainState.AVAILABLE if status.backend:
                return self.tr("Kept in your system's keychain (%1).").replace("%1", shown(status.backend))
            case KeychainState.AVAILABLE:
                return self.tr("Kept in your system's keychain.")
            case KeychainState.UNKNOWN:
                return self.tr("Looking for your system's keychain…")
            case KeychainState.MISSING:
                return self.tr(
                    "No keychain was found on this computer. Secrets are kept only until Threadwell is closed."
                )
            case KeychainState.LOCKED:
                return self.tr(
                    "Your system's keychain is locked. Until it is unlocked, secrets are kept only while Threadwell is"
                    " open."
                )
            case KeychainState.REFUSED:
                return self.tr(
                    "Access to your system's keychain was refused. Secrets are kept only until Threadwell is closed."
                )
            case _:
                return self.tr(
                    "Your system's keychain does not answer. Secrets are kept only until Threadwell is closed."
                )


class _InputField(QWidget):
    """One value that the server asks for: hidden while it is typed if it is a secret."""

    def __init__(self, item: ServerInput) -> None:
        super().__init__()
        self.item = item
        self.control: QWidget
        beside: tuple[QWidget, ...] = ()
        self._edit: QLineEdit | None = None
        self._choice: ChoiceBox | None = None
        if item.options:
            self.control = self._choice = ChoiceBox(f"input-{item.id}", *item.options)
            first = item.value or item.default
            self._choice.show_key(first if first in item.options else item.options[0])
        else:
            self.control = self._edit = QLineEdit(item.value or item.default)
            self._edit.setObjectName(f"input-{item.id}")
        self._show = QPushButton()
        if item.is_secret and self._edit is not None:
            self._edit.setEchoMode(QLineEdit.EchoMode.Password)
            self._show.setObjectName(f"showInput-{item.id}")
            self._show.setCheckable(True)
            self._show.setAutoDefault(False)
            self._show.toggled.connect(self._reveal)
            beside = (self._show,)
        self._field = Field(self.control, beside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._field)
        self.retranslate()

    @property
    def answer(self) -> str:
        if self._choice is not None:
            return self._choice.key
        text = self._edit.text() if self._edit is not None else ""
        return "".join(character for character in text if character.isprintable()).strip()

    def clear(self) -> None:
        if self._edit is not None and self.item.is_secret:
            self._edit.setText("")

    def retranslate(self) -> None:
        name = reveal(self.item.id[:_MOST_OF_NAME], keep_newlines=False)
        self._field.set_label(name)
        self._field.set_hint(shown(self.item.description) if self.item.description else "")
        if self._edit is not None and self.item.is_secret:
            kept, wanted = self.tr("Kept. Type another one to replace it."), self.tr("Paste it here")
            self._edit.setPlaceholderText(kept if self.item.kept else wanted)
            self._reveal(self._show.isChecked())

    def _reveal(self, is_shown: bool) -> None:
        if self._edit is not None:
            self._edit.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
        self._show.setText(self.tr("Hide") if is_shown else self.tr("Show"))
        self._show.setAccessibleName(labelled(self._show.text(), self.item.id[:_MOST_OF_NAME]))
