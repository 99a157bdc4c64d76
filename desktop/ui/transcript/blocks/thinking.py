"""The line above folded reasoning; the reasoning itself follows as ordinary, quiet blocks."""

from PySide6.QtWidgets import QWidget

from desktop.ui.state.row_blocks import Block, ThinkingBlock
from desktop.ui.transcript.blocks.durations import duration_text
from desktop.ui.transcript.blocks.fold_header import FoldHeaderText, FoldLine
from desktop.ui.transcript.context import BlockContext


class ThinkingFold(FoldLine):
    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, message_id, "thinking", parent)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, ThinkingBlock)
        if block.is_running:
            title = self.tr("Thinking…")
        elif block.seconds is None:
            title = self.tr("Reasoning")
        elif block.seconds < 1:
            title = self.tr("Thought for a moment")
        else:
            title = self.tr("Thought for {time}").format(time=duration_text(block.seconds))
        text = FoldHeaderText(icon="lightbulb", icon_colour="accent" if block.is_running else "muted", title=title)
        self.show_line(block.key, text, is_unfolded=block.is_unfolded)
