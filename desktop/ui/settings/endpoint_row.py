"""One endpoint in the settings: its name, model and address, its key, how its last test went, and what can be done."""

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.controls import IconLabel, StatusDot, describe, hand_focus
from desktop.ui.endpoints.findings_list import FindingsList
from desktop.ui.endpoints.parts import shown, words
from desktop.ui.error_words import words_of_exception
from desktop.ui.punctuation import sentences
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingRow
from desktop.ui.state.endpoint_advice import Advice, advice_for
from desktop.ui.state.endpoint_names import endpoint_name
from desktop.ui.state.endpoint_rows import DEMO_ID, EndpointRowState, KeyState
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon


class EndpointActions(QWidget):
    """The lower part of the row.

    Signals:
        use_requested, test_requested, cancel_requested, key_requested, edit_requested, remove_requested: by its buttons.
    """

    use_requested = Signal()
    test_requested = Signal()
    cancel_requested = Signal()
    key_requested = Signal()
    edit_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: ThemeManager, *, is_demo: bool) -> None:
        super().__init__()
        self._is_demo = is_demo
        self._is_testing = False
        self._dot = StatusDot(theme, "muted")
        self._spinner = StateIcon(theme, 14, self)
        self._spinner.setFixedSize(QSize(16, 16))
        self._state = words("muted", "endpointState")
        self._findings = FindingsList(theme)
        self._key = words("muted", "endpointKeyPlace")
        self._active = QLabel()
        self._active.setObjectName("endpointActive")
        self._active.setProperty("role", "inUse")
        self._tick = IconLabel(theme, "circle-check", "accent", 16)
        self._use = self._button("endpointUse", self.use_requested)
        self._test = self._button("endpointTest", self.test_requested)
        self._cancel = self._button("endpointCancel", self.cancel_requested)
        self._enter_key = self._button("endpointEnterKey", self.key_requested)
        self._edit = self._button("endpointEdit", self.edit_requested)
        self._remove = self._button("endpointRemove", self.remove_requested)
        self._remove.setProperty("role", "danger")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        state = QHBoxLayout()
        state.setSpacing(8)
        state.addWidget(self._dot, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self._spinner, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self._state, 1)
        in_use = QWidget()
        mark = QHBoxLayout(in_use)
        mark.setContentsMargins(0, 0, 6, 0)
        mark.setSpacing(6)
        mark.addWidget(self._tick)
        mark.addWidget(self._active)
        self._in_use = in_use
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._key)
        layout.addLayout(
            Wrapping(in_use, self._enter_key, self._use, self._test, self._cancel, self._edit, self._remove)
        )
        layout.addLayout(state)
        layout.addWidget(self._findings)  # below the buttons: none of them moves when it comes

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self._enter_key, self._use, self._test, self._cancel, self._edit, self._remove]

    def show_state(self, state: EndpointRowState) -> None:
        """Show the row's state in the language shown."""
        name = self.tr("Demo model") if self._is_demo else shown(endpoint_name(state.endpoint))
        self._active.setText(self.tr("For new chats"))
        self._in_use.setVisible(state.is_active)
        if state.is_testing != self._is_testing:  # the one takes the place of the other
            self._is_testing = state.is_testing
            old, new = (self._test, self._cancel) if state.is_testing else (self._cancel, self._test)
            new.show()
            hand_focus(old, new)
        asks_for_key = state.key is KeyState.MISSING or (
            state.check is not None
            and state.key is not KeyState.VARIABLE
            and Advice.ENTER_KEY in advice_for(state.endpoint, state.check)
        )
        if not asks_for_key:
            hand_focus(self._enter_key, self._test)
        for button, text, spoken, visible in (
            (self._enter_key, self.tr("Enter the key…"), self.tr("Enter the key for %1"), asks_for_key),
            (self._use, self.tr("Use for new chats"), self.tr("Use %1 for new chats"), not state.is_active),
            (self._test, self.tr("Test"), self.tr("Test %1"), not self._is_demo and not state.is_testing),
            (self._cancel, self.tr("Cancel"), self.tr("Cancel the test of %1"), state.is_testing),
            (self._edit, self.tr("Edit…"), self.tr("Edit %1"), not self._is_demo),
            (self._remove, self.tr("Remove"), self.tr("Remove %1"), not self._is_demo),
        ):
            button.setText(text)
            describe(button, spoken.replace("%1", name), tooltip="")
            button.setVisible(visible)
        self._show_check(state)
        self._key.setText(self._key_words(state))
        self._key.setVisible(not self._is_demo)
        self._key.setProperty("role", "error" if state.key is KeyState.MISSING else "muted")

    def _show_check(self, state: EndpointRowState) -> None:
        check = state.check
        colour, text = "muted", ""
        if state.is_testing:
            text = self.tr("Asking it a short question…")
        elif check is not None and check.error is not None:
            error = words_of_exception(check.error)
            colour, text = "error", sentences(error.title, shown(error.detail))
        elif check is not None:
            seconds = self.locale().toString(max(check.seconds, 0.1), "f", 1)
            colour, text = "ok", self.tr("It answered in %1 s").replace("%1", seconds)
        self._findings.show_findings(() if state.is_testing or check is None else check.findings)
        self._state.setText(text)
        self._state.setVisible(bool(text))
        self._dot.set_colour(colour)
        self._dot.setVisible(bool(text) and not state.is_testing)
        self._spinner.setVisible(state.is_testing)
        self._spinner.show_icon(SPINNING if state.is_testing else "info")

    def _key_words(self, state: EndpointRowState) -> str:
        match state.key:
            case KeyState.NONE:
                return self.tr("No key")
            case KeyState.KEYCHAIN:
                return self.tr("Key in your system's keychain")
            case KeyState.SESSION:
                return self.tr("Key kept only until Threadwell is closed")
            case KeyState.MISSING:
                return self.tr("The key was kept only until Threadwell was closed. Enter it again.")
            case KeyState.VARIABLE:
                return self.tr("Key from the environment variable %1").replace("%1", shown(state.endpoint.key_env))

    def _button(self, name: str, signal: object) -> QPushButton:
        button = QPushButton()
        button.setObjectName(name)
        button.clicked.connect(signal)
        return button


class EndpointRow(SettingRow):
    """Found by the search like every setting."""

    def __init__(self, theme: ThemeManager, state: EndpointRowState) -> None:
        self.buttons = EndpointActions(theme, is_demo=state.id == DEMO_ID)
        super().__init__(self.buttons, wide=True)
        self.setObjectName(f"endpoint-{state.id or 'demo'}")
        self._state = state
        self.retranslate()

    @property
    def state(self) -> EndpointRowState:
        return self._state

    def show_state(self, state: EndpointRowState) -> None:
        if state != self._state:
            self._state = state
            self.retranslate()

    def retranslate(self) -> None:
        title, text, keywords = words_of(self._state)
        self.set_texts(title, text, keywords=keywords)
        self.buttons.show_state(self._state)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()


def words_of(state: EndpointRowState) -> tuple[str, str, str]:
    """Return the title of an endpoint's row, its second line, and further words that it is found by."""
    endpoint = state.endpoint
    if state.id == DEMO_ID:
        text = QCoreApplication.translate(
            "EndpointRow", "This is not a real model: its answers come from a script. No key, no network."
        )
        return QCoreApplication.translate("EndpointRow", "Demo model"), text, ""
    no_model = QCoreApplication.translate("EndpointRow", "no model chosen")
    model = shown(endpoint.model) if endpoint.model else no_model
    return shown(endpoint_name(endpoint)), f"{model} · {shown(endpoint.base_url)}", " ".join(endpoint.models[:50])
