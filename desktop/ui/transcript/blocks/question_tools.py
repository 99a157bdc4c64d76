"""Below a message by the user: which of its versions this is, and what can be done with it, in sight when one is near."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.ui.controls import describe
from desktop.ui.state.row_blocks import Block, QuestionBlock
from desktop.ui.transcript.blocks.answer_switch import AnswerSwitch
from desktop.ui.transcript.blocks.lines import Line
from desktop.ui.transcript.context import BlockContext

ICON, HEIGHT = 14, 24
_ICONS = {"edit-question": "pencil", "copy-question": "copy", "branch-question": "git-branch"}


class _QuietButton(QToolButton):
    """Always there for the keyboard and for screen readers; seen while the pointer is at the message, or with the focus."""

    is_near = False

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self.is_near or self.hasFocus():
            super().paintEvent(event)


class QuestionTools(Line):
    """Stands at the right, as the message does."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setObjectName("question-tools")
        self._message_id = message_id
        self._row = parent
        actions = context.actions
        acts: dict[str, Callable[[], None]] = {
            "edit-question": lambda: actions.edit_requested.emit(message_id),
            "copy-question": lambda: actions.message_copy_requested.emit(message_id),
            "branch-question": lambda: actions.branch_requested.emit(message_id),
        }
        self._buttons = [self._button(name, act) for name, act in acts.items()]
        self._switch: AnswerSwitch | None = None
        self.restyle()
        parent.installEventFilter(self)  # the pointer is near while it is anywhere over the message

    def _button(self, name: str, act: Callable[[], None]) -> _QuietButton:
        button = _QuietButton(self)
        button.setObjectName(name)
        button.setProperty("role", "small")
        button.clicked.connect(act)
        button.is_near = self._row.underMouse()
        return button

    def set_block(self, block: Block) -> None:
        assert isinstance(block, QuestionBlock)
        if self._switch is None and block.count > 1:
            self._switch = AnswerSwitch(self._context, self._message_id, self, is_question=True)
        if self._switch is not None:
            self._switch.show_place(block.number, block.count)
        edit, copy, branch = self._buttons
        describe(edit, self.tr("Edit and send again"))
        describe(copy, self.tr("Copy message"))
        describe(branch, self.tr("Ask this in a new chat"))
        self._place()

    def height_for(self, width: int) -> int:
        return self.px(HEIGHT)

    def focus_widgets(self) -> list[QWidget]:
        return [*(self._switch.focus_widgets() if self._switch is not None else []), *self._buttons]

    def restyle(self) -> None:
        size = self.px(ICON)
        for button in self._buttons:
            button.setIconSize(QSize(size, size))
            button.setIcon(self._context.theme.icon(_ICONS[button.objectName()], "muted", size))
        if self._switch is not None:
            self._switch.restyle()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            for button in self._buttons:
                button.is_near = event.type() == QEvent.Type.Enter
                button.update()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _place(self) -> None:
        x = self.width()
        for button in reversed(self._buttons):
            width = button.sizeHint().width()
            x -= width
            button.setGeometry(x, 0, width, self.height())
        if self._switch is not None and not self._switch.isHidden():
            width = self._switch.fit(x)
            self._switch.setGeometry(x - width - 4, 0, width, self.height())
