"""The line above folded reasoning; the reasoning itself follows as ordinary, quiet blocks."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.state.row_blocks import Block, ThinkingBlock
from desktop.ui.transcript.blocks.durations import duration_text
from desktop.ui.transcript.blocks.fold_header import FoldHeader, FoldHeaderText
from desktop.ui.transcript.context import BlockContext, TextWidget


class ThinkingFold(QWidget):
    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._key = ""
        self.setObjectName("thinking")
        self._header = FoldHeader(context, self, is_plain=True)
        self._header.setObjectName("thinking-header")
        self._header.clicked.connect(lambda: context.actions.fold_toggled.emit(message_id, self._key))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._header)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, ThinkingBlock)
        self._key = block.key
        if block.is_running:
            title = self.tr("Thinking…")
        elif block.seconds is None:
            title = self.tr("Reasoning")
        elif block.seconds < 1:
            title = self.tr("Thought for a moment")
        else:
            title = self.tr("Thought for {time}").format(time=duration_text(block.seconds))
        text = FoldHeaderText(icon="brain", icon_colour="accent" if block.is_running else "muted", title=title)
        self._header.set_header(text, is_unfolded=block.is_unfolded)

    def height_for(self, width: int) -> int:
        return self._header.height_for(width)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        return [self._header]

    def restyle(self) -> None:
        self._header.update()
