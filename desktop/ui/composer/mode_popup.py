"""The ways in which a chat may use tools: when they ask, in which folder commands run, and what holds them there."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from desktop.core.permission_mode import PermissionMode
from desktop.tools.sandbox import SandboxState
from desktop.ui.controls import IconLabel, set_enabled
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.permission_words import mode_sentence, mode_title
from desktop.ui.popup import Popup
from desktop.ui.punctuation import sentences
from desktop.ui.sandbox_words import sandbox_words
from desktop.ui.screen_room import room_on_screen
from desktop.ui.settings.folder_field import FolderField
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 440
_INDENT = 26
_MARGIN = 16
ORDER = (
    PermissionMode.CHAT_ONLY,
    PermissionMode.READ_ONLY,
    PermissionMode.ASK_ALWAYS,
    PermissionMode.ASK_FOR_RISK,
)


class ModePopup(Popup):
    """Closes by itself at a click elsewhere or Escape.

    Signals:
        mode_chosen: a ``PermissionMode``.
        plans_chosen: whether the model shows a plan first.
        folder_wanted: the user wants to choose a folder.
        folder_opened: the folder is to be shown in the file manager.
        usual_folder_wanted: back to the folder of the settings.
        closed: it is gone from the screen.
    """

    mode_chosen = Signal(object)
    folder_wanted = Signal()
    folder_opened = Signal()
    usual_folder_wanted = Signal()
    closed = Signal()
    plans_chosen = Signal(bool)

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("modePopup")
        self._theme = theme
        self._usual = PermissionMode.ASK_FOR_RISK
        self._sandbox: SandboxState | None = None
        self._anchor: QWidget | None = None
        self._heading = plain_label("", "title")
        self._group = QButtonGroup(self)
        self._rows = {mode: _ModeRow(mode) for mode in ORDER}
        for mode, row in self._rows.items():
            self._group.addButton(row.button)
            row.button.clicked.connect(lambda _checked=False, mode=mode: self.mode_chosen.emit(mode))
        self._folder_heading = plain_label("", "label")
        self._folder = FolderField("chatFolder", "chooseChatFolder", "openChatFolder", "usualChatFolder")
        self._folder.make_read_only()
        # The address stays in sight, with the buttons below it.
        self._folder.edit.setMinimumWidth(theme.px(WIDTH) - 2 * _MARGIN - 4)
        choose, show, usual = self._folder.buttons
        choose.clicked.connect(self._wants_folder)
        show.clicked.connect(self.folder_opened)
        usual.clicked.connect(self.usual_folder_wanted)
        self.plans_first = QCheckBox()
        self.plans_first.setObjectName("plansFirst")
        self.plans_first.clicked.connect(self.plans_chosen)
        self._plan_words = plain_label("", "muted")
        self._plan_words.setContentsMargins(_INDENT, 0, 0, 0)
        self._plan_words.setBuddy(self.plans_first)
        self._held = IconLabel(theme, "shield-check", "ok", 16)
        self._unheld = IconLabel(theme, "shield-alert", "warning", 16)
        self._sandbox_words = plain_label("", "muted")
        self._sandbox_words.setObjectName("chatSandbox")
        self._arrange()
        self.retranslate()

    def show_mode(self, mode: PermissionMode, usual: PermissionMode) -> None:
        """Tick the mode of the chat; ``usual`` is the one of the settings."""
        self._usual = usual
        self._rows[mode].button.setChecked(True)
        self._name_modes()

    def show_folder(self, folder: str, problem: str, *, is_own: bool) -> None:
        """Show where commands run, and what is wrong with that; ``is_own`` is the chat's own folder."""
        self._folder.show_path(folder)
        self._folder.show_problem(problem)
        set_enabled(self._folder.buttons[1], not problem)
        set_enabled(self._folder.buttons[2], is_own)
        self._fit()

    def show_sandbox(self, state: SandboxState | None) -> None:
        """Say whether commands are held there; None while that is being found out."""
        self._sandbox = state
        self._describe_sandbox()
        self._fit()

    def show_at(self, anchor: QWidget) -> None:
        """Open above the button, or below it where there is no room."""
        self._anchor = anchor
        self._fit()
        self.show()
        checked = self._group.checkedButton()
        if checked is not None:
            checked.setFocus(Qt.FocusReason.PopupFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        heading = self.tr("Tools in this chat")
        self.setAccessibleName(heading)
        set_plain(self._heading, heading)
        set_plain(self._folder_heading, self.tr("Folder for commands"))
        self._folder.setAccessibleName(self.tr("Folder for commands"))
        self._folder.set_words(self.tr("Choose…"), self.tr("Open"), self.tr("Use the usual one"))
        words = self.tr("The model shows its steps first, and nothing runs before you have approved them.")
        self.plans_first.setText(self.tr("Plan first"))
        self.plans_first.setAccessibleName(sentences(self.plans_first.text(), words))
        set_plain(self._plan_words, words)
        self._name_modes()
        self._describe_sandbox()

    def _arrange(self) -> None:
        held = QHBoxLayout()
        held.setSpacing(8)
        for icon in (self._held, self._unheld):
            held.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        held.addWidget(self._sandbox_words, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 14, _MARGIN, 14)
        layout.setSpacing(8)
        layout.addWidget(self._heading)
        for row in self._rows.values():
            layout.addWidget(row)
        layout.addSpacing(6)
        plan = QVBoxLayout()
        plan.setSpacing(1)
        plan.addWidget(self.plans_first)
        plan.addWidget(self._plan_words)
        layout.addLayout(plan)
        layout.addSpacing(6)
        layout.addWidget(self._folder_heading)
        layout.addWidget(self._folder)
        layout.addLayout(held)

    def _name_modes(self) -> None:
        for mode, row in self._rows.items():
            row.name(self.tr("%1 (usual)").replace("%1", mode_title(mode)) if mode is self._usual else mode_title(mode))

    def _describe_sandbox(self) -> None:
        state = self._sandbox
        words = self.tr("Looking whether there is a sandbox…") if state is None else sandbox_words(state)
        set_plain(self._sandbox_words, words)
        self._held.setVisible(state is not None and state.holds)
        self._unheld.setVisible(state is not None and not state.holds)

    def _fit(self) -> None:
        """Be as high as the words need at this width, and stay at the button."""
        layout, anchor = self.layout(), self._anchor
        if layout is None or anchor is None:
            return
        room = room_on_screen(anchor)
        width = min(self._theme.px(WIDTH), room.width())
        for is_brief in (False, True):
            self._be_brief(is_brief)
            layout.activate()
            height = layout.totalHeightForWidth(width)
            if height <= room.height():
                break
        self.setFixedSize(width, min(height, room.height()))
        above = anchor.mapToGlobal(QPoint(0, -self.height() - 6))
        below = anchor.mapToGlobal(QPoint(0, anchor.height() + 6))
        place = above if above.y() >= room.top() else below
        x = max(room.left(), min(place.x(), room.right() - width + 1))
        y = max(room.top(), min(place.y(), room.bottom() - self.height() + 1))
        self.move(x, y)

    def _be_brief(self, is_brief: bool) -> None:
        """Explain only what is ticked, where the screen has no room for more; the names say all of it to who hears them."""
        for row in self._rows.values():
            row.words.setVisible(not is_brief or row.button.isChecked())
        self._plan_words.setVisible(not is_brief)

    def _wants_folder(self) -> None:
        self.hide()  # a file dialog cannot be used below what closes at a click elsewhere
        self.folder_wanted.emit()


class _ModeRow(QWidget):
    """A mode to tick, and below it what that means; a click on the words ticks it as well."""

    def __init__(self, mode: PermissionMode) -> None:
        super().__init__()
        self._mode = mode
        self.button = QRadioButton()
        self.button.setObjectName(f"mode-{mode}")
        self.words = plain_label("", "muted")
        self.words.setContentsMargins(_INDENT, 0, 0, 0)
        self.words.setBuddy(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.button)
        layout.addWidget(self.words)

    def name(self, title: str) -> None:
        sentence = mode_sentence(self._mode)
        self.button.setText(title)
        self.button.setAccessibleName(sentences(title, sentence))
        set_plain(self.words, sentence)

    def mousePressEvent(self, _event: object) -> None:  # noqa: N802
        self.button.click()
