"""One MCP server in the settings: its name and state in a line; unfolded, what exactly is started and what it offers."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.tools.entities import ServerOrigin, ServerState
from desktop.tools.visible_text import reveal
from desktop.ui.controls import StatusDot, announce, describe, prepare_icon_button, set_enabled, set_property
from desktop.ui.punctuation import labelled
from desktop.ui.server_words import STATE_COLOURS, problem_words, reason_of
from desktop.ui.settings.controls import Switch
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingRow
from desktop.ui.settings.row_list import order_focus
from desktop.ui.settings.server_details import ServerDetails
from desktop.ui.settings.server_view import ServerView, WaitsFor
from desktop.ui.state.command_line import join_command_line
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_OF_NAME = 80


class ServerRow(QFrame):
    """Shows a ``ServerView``. Names and words of servers are untrusted: plain text, bounded.

    Signals:
        switched: the user wants it on or off; ``show_view`` decides what the switch shows then.
        restart_requested, edit_requested, remove_requested: the user clicked that.
        help_requested: the user wants to do what the server waits for.
        sign_out_requested: the user no longer wants to be signed in there.
        changes_requested, diagnosis_requested: the user wants to see what is held, or how it starts and what it says.
        decided: what the user set for it: a key of the entry and its value, None as usual.
    """

    decided = Signal(str, object)

    switched = Signal(bool)
    restart_requested = Signal()
    help_requested = Signal()
    edit_requested = Signal()
    remove_requested = Signal()
    sign_out_requested = Signal()
    changes_requested = Signal()
    diagnosis_requested = Signal()

    def __init__(self, view: ServerView, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self._details: ServerDetails | None = None
        key = view.entry.key
        self.setObjectName(f"server-{key}")
        self._dot = StatusDot(theme, "muted")
        self._restart = QPushButton()
        self._restart.setObjectName(f"restart-{key}")
        self._restart.clicked.connect(self.restart_requested)
        self._help = QPushButton()
        self._help.setObjectName(f"help-{key}")
        self._help.clicked.connect(self.help_requested)
        self._fold = QToolButton()
        prepare_icon_button(self._fold, theme, f"fold-{key}", "chevron-right")
        self._fold.setCheckable(True)
        self._fold.toggled.connect(self._unfold)
        self._switch = Switch(f"switch-{key}")
        self._switch.clicked.connect(self.switched)
        controls = QWidget()
        controls.setLayout(Wrapping(self._help, self._restart, self._switch, self._fold, spacing=10))
        self.head = _Head(controls)
        self.head.goes_to = self._fold
        self.head.clicked.connect(self._fold.toggle)
        self._arrange()
        self._show()

    @property
    def view(self) -> ServerView:
        return self._view

    @property
    def is_open(self) -> bool:
        return self._fold.isChecked()

    def show_view(self, view: ServerView) -> None:
        """Show the server as it is now; what is open stays open."""
        before, self._view = self._view, view
        self._switch.setChecked(view.entry.enabled)  # also where a click on it came to nothing
        if view == before:
            return
        self._show()
        if before.state is not view.state and self.isVisible():
            announce(self, labelled(self._name(), self._state_words()))

    def _show(self) -> None:
        view = self._view
        self._switch.setChecked(view.entry.enabled)
        set_enabled(self._switch, view.can_be_switched)
        waits = view.waits_for
        colour = "error" if view.entry.problem else "warning" if waits else STATE_COLOURS[view.state]
        self._dot.set_colour(colour)
        # To go where it leads inside is no more recommended than to leave it.
        set_property(self._help, "role", "" if waits is WaitsFor.PLACE else "primary")
        can_restart = view.has_failed or waits in (WaitsFor.SECRET, WaitsFor.SIGN_IN, WaitsFor.KEY)
        for button, is_there in ((self._restart, can_restart), (self._help, waits is not None)):
            had_focus = button.hasFocus()
            button.setVisible(is_there)
            if had_focus and not is_there:
                self._fold.setFocus()
        self._describe()
        if self._details is not None:
            self._details.show_view(view)

    def retranslate(self) -> None:
        self._restart.setText(self.tr("Restart"))
        self._describe()
        if self._details is not None:
            self._details.retranslate()

    def tab_stops(self) -> list[QWidget]:
        """What Tab stops at, in reading order."""
        details = self._details.tab_stops() if self._details is not None else []
        return [self._help, self._restart, self._switch, self._fold, *details]

    def focus_fold(self) -> None:
        self._fold.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(16, 0, 0, 0)
        top.setSpacing(0)
        top.addWidget(self._dot)
        top.addWidget(self.head, 1)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addLayout(top)

    def _unfold(self, is_open: bool) -> None:
        self._theme.set_icon(self._fold, "chevron-down" if is_open else "chevron-right", "muted")
        if is_open and self._details is None:
            self._details = ServerDetails(self._theme, self._view)
            self._details.edit_requested.connect(self.edit_requested)
            self._details.remove_requested.connect(self.remove_requested)
            self._details.sign_out_requested.connect(self.sign_out_requested)
            self._details.decided.connect(self.decided)
            self._details.changes_requested.connect(self.changes_requested)
            self._details.diagnosis_requested.connect(self.diagnosis_requested)
            self._layout.addWidget(self._details)
            self._details.filled.connect(lambda: order_focus(self.tab_stops()))
            order_focus(self.tab_stops())
        if self._details is not None:
            self._details.setVisible(is_open)
        self._describe_fold()

    def _name(self) -> str:
        return reveal(self._view.entry.key[:_MOST_OF_NAME], keep_newlines=False)

    def _describe(self) -> None:
        entry, name, state = self._view.entry, self._name(), self._state_words()
        line = join_command_line(entry.argv) if entry.argv else entry.url
        self.head.set_texts(name, f"{state} · {self._kind_words()}", keywords=f"{name} {line} {entry.id}")
        self.setAccessibleName(labelled(name, state))
        self._restart.setText(self.tr("Restart"))
        describe(self._restart, self.tr("Restart %1").replace("%1", name), tooltip="")
        self._help.setText(self._help_words())
        describe(self._help, labelled(self._help.text(), name), tooltip="")
        describe(self._switch, self.tr("Use the server %1").replace("%1", name), tooltip="")
        if not self._view.can_be_switched:
            self._switch.setToolTip(self.tr("Given on the command line, for this start only"))
        self._describe_fold()

    def _describe_fold(self) -> None:
        words = self.tr("Hide the details of %1") if self.is_open else self.tr("Show the details of %1")
        describe(self._fold, words.replace("%1", self._name()))

    def _kind_words(self) -> str:
        match self._view.entry.origin:
            case ServerOrigin.BUNDLED:
                return self.tr("built in")
            case ServerOrigin.START:
                return self.tr("from the command line")
        return self.tr("web address") if self._view.entry.transport.is_web else self.tr("program")

    def _help_words(self) -> str:
        match self._view.waits_for:
            case WaitsFor.LOOK:
                return self.tr("Look and start…")
            case WaitsFor.SIGN_IN:
                return self.tr("Sign in…")
            case WaitsFor.BROWSER:
                return self.tr("Cancel")
            case WaitsFor.KEY:
                return self.tr("Edit…")
            case WaitsFor.PLACE:
                return self.tr("Connect all the same…")
            case WaitsFor.CHANGES:
                return self.tr("Look at the changes…")
            case _:
                return self.tr("Enter…")

    def _waiting_words(self, waits: WaitsFor) -> str:
        status = self._view.status
        reason = reason_of(status) if status is not None else ""
        match waits:
            case WaitsFor.VALUE:
                entry = self._view.entry
                named = reveal(", ".join(entry.missing[:3])[:_MOST_OF_NAME], keep_newlines=False)
                is_secret = any(item.is_secret and item.is_missing for item in entry.inputs)
                words = self.tr("Needs a secret: %1") if is_secret else self.tr("Needs a value: %1")
                return words.replace("%1", named)
            case WaitsFor.LOOK:
                return self.tr("Not started yet: look at its exact line first")
            case WaitsFor.SECRET:
                return self.tr("Needs a secret. %1").replace("%1", reason)
            case WaitsFor.SIGN_IN:
                return self.tr("Needs sign-in. %1").replace("%1", reason)
            case WaitsFor.KEY:
                return self.tr("The key in its headers is not accepted")
            case WaitsFor.BROWSER:
                return self.tr("Signing in: it goes on in your browser")
            case WaitsFor.PLACE:
                return self.tr("Not connected. %1").replace("%1", reason)
            case WaitsFor.CHANGES:
                return self.tr("Ready, but %n changed tools wait for you", "", self._view.undecided)

    def _state_words(self) -> str:
        entry, status = self._view.entry, self._view.status
        if entry.problem:
            return self.tr("Cannot be used: %1").replace("%1", problem_words(entry.problem, entry.problem_detail))
        if not entry.enabled:
            return self.tr("Off")
        if (waits := self._view.waits_for) is not None:
            return self._waiting_words(waits)
        match self._view.state:
            case ServerState.READY:
                return self.tr("Ready, %n tools", "", len(self._view.tools))
            case ServerState.STARTING:
                return self.tr("Starting…")
            case ServerState.RESTARTING:
                return self.tr("Stopped; starting again…")
            case ServerState.FAILED:
                reason = reason_of(status) if status is not None else ""
                return self.tr("Failed. %1").replace("%1", reason) if reason else self.tr("Failed")
            case _:
                return self.tr("Stopped")


class _Head(SettingRow):
    """The line of a server; a click on its words unfolds it."""

    clicked = Signal()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
