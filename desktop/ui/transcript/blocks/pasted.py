"""What of a message by the user stands folded: a long pasted text as a button, and the line that unfolds a long message."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.controls import ElidedButton
from desktop.ui.pasted_words import pasted_words
from desktop.ui.state.row_blocks import Block, BubbleFoldBlock, PastedBlock
from desktop.ui.transcript.blocks.lines import ButtonLine, Line
from desktop.ui.transcript.context import BlockContext

CHIP_HEIGHT, FOLD_HEIGHT = 34, 28


class PastedBlockWidget(Line):
    """At the right, like the bubble below it; a click shows the whole text."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._text = ""
        self._button = ElidedButton(self)
        self._button.setObjectName("pasted-text")
        self._button.clicked.connect(lambda: context.actions.pasted_requested.emit(self._text))
        self.restyle()

    def set_block(self, block: Block) -> None:
        assert isinstance(block, PastedBlock)
        self._text = block.text
        self._button.set_full_text(pasted_words(block.text))
        self._place()

    def height_for(self, width: int) -> int:
        return max(CHIP_HEIGHT, self._button.sizeHint().height())

    def focus_widgets(self) -> list[QWidget]:
        return [self._button]

    def restyle(self) -> None:
        self._context.theme.set_icon(self._button, "file-text", "muted", 16)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _place(self) -> None:
        width = min(self.width(), self._button.sizeHint().width() + 40)
        self._button.setGeometry(self.width() - width, 0, width, self.height())


class BubbleFold(ButtonLine):
    """The button below a long message."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, "bubble-fold", parent)
        self._key = ""
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.clicked.connect(lambda: context.actions.fold_toggled.emit(message_id, self._key))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, BubbleFoldBlock)
        self._key = block.key
        text = (
            self.tr("Show less")
            if block.is_unfolded
            else (self.tr("Show all %Ln lines", "", block.lines) if block.lines > 1 else self.tr("Show all"))
        )
        self._set_text(text)

    def height_for(self, width: int) -> int:
        return max(FOLD_HEIGHT, self._button.sizeHint().height())

    def _place(self) -> None:
        width = min(self.width(), self._button.sizeHint().width())
        self._button.setGeometry(self.width() - width, 0, width, self.height())
