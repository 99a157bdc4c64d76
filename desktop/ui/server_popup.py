"""A small list of the tool servers with their state and what went wrong."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.tools.entities import ServerState, ServerStatus
from desktop.ui.controls import StatusDot
from desktop.ui.popup import Popup
from desktop.ui.punctuation import labelled
from desktop.ui.server_words import STATE_COLOURS, status_lines
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 340
MAX_HEIGHT = 420


class ServerPopup(Popup):
    """Closes by itself at a click elsewhere or Escape. Names and details are untrusted: shown as plain text.

    Signals:
        manage_requested: the user wants the page with all servers.
        restart_requested: a failed server is to be started again; its id.
        sign_in_requested, sign_in_cancelled: the user wants to sign in at a server, or no longer; its id.
    """

    manage_requested = Signal()
    restart_requested = Signal(str)
    sign_in_requested = Signal(str)
    sign_in_cancelled = Signal(str)

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("serverPopup")
        self._theme = theme
        self._statuses: Sequence[ServerStatus] = ()
        self._heading = QLabel()
        self._heading.setProperty("role", "title")
        self._scroll = QScrollArea()
        self._scroll.setObjectName("serverScroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._manage = QPushButton()
        self._manage.setObjectName("manageServers")
        self._manage.clicked.connect(self._manage_servers)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 8, 12)
        layout.setSpacing(8)
        layout.addWidget(self._heading)
        layout.addWidget(self._scroll)
        layout.addWidget(self._manage, 0, Qt.AlignmentFlag.AlignLeft)
        self._page = QWidget()
        self._fill()

    def set_statuses(self, statuses: Sequence[ServerStatus]) -> None:
        self._statuses = statuses
        self._fill()
        if self.isVisible():
            self._fit()

    def show_below(self, anchor: QWidget) -> None:
        """Open with the right edges aligned."""
        self._fit()
        self.move(anchor.mapToGlobal(QPoint(anchor.width() - self.width(), anchor.height() + 6)))
        self.show()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._fill()

    def _manage_servers(self) -> None:
        self.hide()
        self.manage_requested.emit()

    def _fit(self) -> None:
        inside = self._page
        width = self._theme.px(WIDTH)
        wanted = inside.heightForWidth(width - 34) if inside.hasHeightForWidth() else inside.sizeHint().height()
        self.setFixedWidth(width)
        self._scroll.setFixedHeight(min(self._theme.px(MAX_HEIGHT), wanted + 2))
        self.adjustSize()

    def _fill(self) -> None:
        self._heading.setText(self.tr("Tool servers"))
        self.setAccessibleName(self.tr("Tool servers"))
        self._manage.setText(self.tr("Manage servers…"))
        self._manage.setAccessibleName(self._manage.text())
        page = QWidget()
        page.setObjectName("serverList")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 6, 0)
        rows.setSpacing(10)
        for status in self._statuses:
            rows.addWidget(self._row(status))
        if not self._statuses:
            rows.addWidget(_label(self.tr("No tool servers are switched on."), "muted"))
        rows.addStretch()
        had_focus = self._page.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        former = self._scroll.takeWidget()
        if former is not None:
            former.deleteLater()  # not at once: a button of it may be the reason for this
        self._page = page
        self._scroll.setWidget(page)
        if had_focus:
            self._manage.setFocus()

    def _row(self, status: ServerStatus) -> QWidget:
        row = QWidget()
        row.setObjectName(f"server-{status.server_id}")
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(StatusDot(self._theme, STATE_COLOURS[status.state]))
        line.addWidget(_label(status.server_id), 1)
        line.addWidget(_label(self._state_words(status), "muted", wrap=False))
        layout = QVBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addLayout(line)
        if status.text and status.state is not ServerState.READY:
            detail = _label("\n".join(status_lines(status)), "muted")
            detail.setObjectName("serverDetail")
            detail.setContentsMargins(18, 0, 0, 0)
            layout.addWidget(detail)
        button = self._button_for(status)
        if button is not None:
            layout.addWidget(_indented(button), 0, Qt.AlignmentFlag.AlignLeft)
        row.setAccessibleName(labelled(status.server_id, self._state_words(status)))
        return row

    def _button_for(self, status: ServerStatus) -> QPushButton | None:
        """Return what can be done about the state at once."""
        server_id = status.server_id
        match status.state:
            case ServerState.FAILED:
                button = QPushButton(self.tr("Restart"))
                button.setObjectName(f"popupRestart-{server_id}")
                button.setAccessibleName(self.tr("Restart %1").replace("%1", server_id))
                button.clicked.connect(lambda: self.restart_requested.emit(server_id))
            case ServerState.NEEDS_SIGN_IN:
                button = QPushButton(self.tr("Sign in…"))
                button.setObjectName(f"popupSignIn-{server_id}")
                button.setAccessibleName(labelled(button.text(), server_id))
                button.clicked.connect(lambda: self._sign_in(server_id))
            case ServerState.SIGNING_IN:
                button = QPushButton(self.tr("Cancel"))
                button.setObjectName(f"popupCancel-{server_id}")
                button.setAccessibleName(labelled(button.text(), server_id))
                button.clicked.connect(lambda: self.sign_in_cancelled.emit(server_id))
            case _:
                return None
        return button

    def _sign_in(self, server_id: str) -> None:
        self.hide()  # a question comes over the window
        self.sign_in_requested.emit(server_id)

    def _state_words(self, status: ServerStatus) -> str:
        match status.state:
            case ServerState.READY:
                return self.tr("%n tools", "", status.tool_count)
            case ServerState.STARTING:
                return self.tr("starting…")
            case ServerState.RESTARTING:
                return self.tr("starting again…")
            case ServerState.NEEDS_SECRET:
                return self.tr("needs a secret")
            case ServerState.NEEDS_SIGN_IN:
                return self.tr("needs sign-in")
            case ServerState.SIGNING_IN:
                return self.tr("signing in…")
            case ServerState.FAILED:
                return self.tr("failed")
            case ServerState.STOPPED:
                return self.tr("off")


def _indented(button: QPushButton) -> QWidget:
    place = QWidget()
    row = QHBoxLayout(place)
    row.setContentsMargins(18, 2, 0, 0)
    row.addWidget(button)
    return place


def _label(text: str, role: str = "", *, wrap: bool = True) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
