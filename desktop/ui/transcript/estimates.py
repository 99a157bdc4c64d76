"""How high blocks and messages will be that were never measured: guesses, by which only a jump finds its place."""

from desktop.conversation.entities import MessageOutline, Role
from desktop.ui.state import row_blocks
from desktop.ui.state.row_blocks import Block

CHARACTER_WIDTH, LINE_HEIGHT = 6.6, 18


def estimated_height(block: Block, width: int, scale: float = 1.0) -> int:
    """A guess for a block that was never measured. ``scale`` is the size of the text in parts of the usual one."""
    return round(_usual_height(block, round(width / scale)) * scale)


def _usual_height(block: Block, width: int) -> int:
    per_line = max(10.0, width / CHARACTER_WIDTH)
    match block:
        case row_blocks.RichBlock():
            return max(20, int(block.segment.size / per_line + 1) * LINE_HEIGHT + 8)
        case row_blocks.CodeBlock():
            return min(block.segment.text.count("\n") + 1, 400) * 17 + 44
        case row_blocks.TableBlock():
            return block.segment.rows * 28 + 8
        case row_blocks.BubbleBlock():
            lines = block.text.count("\n") + len(block.text) / max(1.0, per_line * 0.7) + 1
            return int(lines) * LINE_HEIGHT + 18
        case row_blocks.ToolBlock():
            return 42
        case row_blocks.ErrorBlock():
            return 110
        case row_blocks.PlanBlock():
            return 50 + 30 * len(block.steps) + (110 if block.is_asked else 0)
        case row_blocks.ImagesBlock():
            return 160
        case _:
            return 26


def estimated_row_height(outline: MessageOutline, width: int, scale: float = 1.0) -> int:
    """A guess for a message of which only the outline is known."""
    per_line = max(10.0, width / CHARACTER_WIDTH / scale)
    lines = outline.text_length / per_line + outline.newline_count * 0.7 + 1
    chrome = 54 if outline.role is Role.USER else 90 + 30 * max(0, outline.part_count - 1)
    return int((lines * LINE_HEIGHT + chrome) * scale)
