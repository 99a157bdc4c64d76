"""The diagnosis of one tool server: how it starts, what it says it is, its tools, its messages, and a test of a tool."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QTabWidget, QVBoxLayout, QWidget

from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.parts import fact_grid, plain_label, scrolled, set_plain
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.settings.live_text import LiveText
from desktop.ui.settings.tool_test import ToolTest
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 760, 600
_EVERY_MS = 400
Facts = list[tuple[str, str, str]]


class DiagnosisDialog(ReturningDialog):
    """Opened with ``open()``; while it is in sight ``look_wanted`` comes some times a second.

    Signals:
        restart_requested, copy_requested: the user clicked that.
    """

    look_wanted = Signal()
    restart_requested = Signal()
    copy_requested = Signal()

    def __init__(self, parent: QWidget, theme: ThemeManager, server: str) -> None:
        super().__init__(parent)
        self.setObjectName("diagnosis")
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._server = reveal(server[:80], keep_newlines=False)
        self._facts: Facts = []
        self._grid: QWidget | None = None
        self._title, self._state = plain_label("", "title"), plain_label("", "muted")
        self._state.setObjectName("diagnosisState")
        self._tabs = QTabWidget()
        self._tabs.setObjectName("diagnosisTabs")
        self._tabs.setDocumentMode(True)
        self._stderr = LiveText("diagnosisStderr", theme)
        self._tool_list = LiveText("diagnosisTools", theme, follows=False)
        self._messages = LiveText("diagnosisMessages", theme)
        self._stderr_caption = plain_label("", "section")
        self._tools_caption, self._messages_caption = plain_label("", "muted"), plain_label("", "muted")
        self.test = ToolTest(theme)
        self._tabs.addTab(self._start_page(), "")
        self._tabs.addTab(_page(self._tools_caption, self._tool_list), "")
        self._tabs.addTab(self.test, "")
        self._tabs.addTab(_page(self._messages_caption, self._messages), "")
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look_wanted)
        self._add_buttons()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        for widget in (self._title, self._state):
            layout.addWidget(widget)
        layout.addWidget(self._tabs, 1)
        layout.addWidget(self._buttons)
        self.setMinimumSize(440, 340)
        self.resize(theme.px(_WIDTH), theme.px(_HEIGHT))
        self.retranslate()

    def show_state(self, words: str) -> None:
        set_plain(self._state, words)

    def show_facts(self, facts: Facts) -> None:
        """Show captions and values; they are laid out anew only when they are others."""
        if facts == self._facts:
            return
        self._facts = facts
        grid = fact_grid(facts)
        if self._grid is not None:
            self._start_layout.removeWidget(self._grid)
            self._grid.hide()
            self._grid.deleteLater()
        self._grid = grid
        self._start_layout.insertWidget(0, grid)

    def show_texts(self, *, stderr: str, tools: str, tools_caption: str, messages: str) -> None:
        self._stderr.show_text(stderr)
        self._stderr.setVisible(bool(stderr))
        self._stderr_caption.setVisible(bool(stderr))
        self._tool_list.show_text(tools)
        set_plain(self._tools_caption, tools_caption)
        self._messages.show_text(messages)

    def open_test(self) -> None:
        """Show the test of a tool."""
        self._tabs.setCurrentWidget(self.test)

    def retranslate(self) -> None:
        title = self.tr("Diagnosis of “%1”").replace("%1", self._server)
        self.setWindowTitle(title)
        set_plain(self._title, title)
        names = (self.tr("Start"), self.tr("Tools"), self.tr("Test a tool"), self.tr("Messages"))
        for index, name in enumerate(names):
            self._tabs.setTabText(index, name)
        self._tabs.setAccessibleName(title)
        set_plain(self._stderr_caption, self.tr("What it wrote last beside its messages"))
        self._stderr.setAccessibleName(self._stderr_caption.text())
        self._tool_list.setAccessibleName(self.tr("Tools"))
        self._tool_list.setPlaceholderText(self.tr("It lists no tools now."))
        set_plain(
            self._messages_caption,
            self.tr("The last messages to (→) and from (←) the server. Long values and keys are cut."),
        )
        self._messages.setAccessibleName(self.tr("Messages"))
        self._messages.setPlaceholderText(self.tr("No message yet."))
        self._restart.setText(self.tr("Restart"))
        self._copy.setText(self.tr("Copy as report"))
        self._close.setText(self.tr("Close"))
        for button in (self._restart, self._copy, self._close):
            button.setAccessibleName(button.text())
        self.test.retranslate()
        self._facts = []

    def show_can_restart(self, can: bool) -> None:
        if not can and self._restart.hasFocus():
            self._close.setFocus()
        self._restart.setVisible(can)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.look_wanted.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.look_wanted.emit()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._timer.stop()

    def _start_page(self) -> QWidget:
        content = QWidget()
        content.setProperty("role", "clear")
        self._start_layout = QVBoxLayout(content)
        self._start_layout.setContentsMargins(0, 12, 6, 0)
        self._start_layout.setSpacing(8)
        self._start_layout.addSpacing(4)
        self._start_layout.addWidget(self._stderr_caption)
        self._start_layout.addWidget(self._stderr)
        self._start_layout.addStretch(1)
        self._stderr.setMinimumHeight(self._stderr.fontMetrics().lineSpacing() * 8 + 20)
        area = scrolled(content, "diagnosisStart")
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return area

    def _add_buttons(self) -> None:
        self._buttons = QDialogButtonBox()
        self._restart, self._copy, self._close = QPushButton(), QPushButton(), QPushButton()
        roles = QDialogButtonBox.ButtonRole
        for button, name, role in (
            (self._restart, "diagnosisRestart", roles.ActionRole),
            (self._copy, "diagnosisCopy", roles.ActionRole),
            (self._close, "diagnosisClose", roles.RejectRole),
        ):
            button.setObjectName(name)
            button.setAutoDefault(False)
            self._buttons.addButton(button, role)
        self._restart.clicked.connect(self.restart_requested)
        self._copy.clicked.connect(self.copy_requested)
        self._close.clicked.connect(self.reject)


def _page(caption: QWidget, content: QWidget) -> QWidget:
    page = QWidget()
    page.setProperty("role", "clear")
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 12, 0, 0)
    layout.setSpacing(8)
    layout.addWidget(caption)
    layout.addWidget(content, 1)
    return page
