"""One message in the column: its blocks, their heights, and the widgets of those that are near the viewport."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget

from desktop.conversation.entities import AttachmentPart, Role
from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.ui.state import row_blocks
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, RowRendering
from desktop.ui.state.transcript_state import RowState
from desktop.ui.transcript.blocks.attachments import FileLine, ImagesWidget
from desktop.ui.transcript.blocks.bubble import BubbleWidget
from desktop.ui.transcript.blocks.code import CodeWidget
from desktop.ui.transcript.blocks.error_notice import ErrorNotice
from desktop.ui.transcript.blocks.lines import MessageFooter, MessageHeader, MoreButton, MoreRows
from desktop.ui.transcript.blocks.pasted import BubbleFold, PastedBlockWidget
from desktop.ui.transcript.blocks.plan_card import PlanCard, PlanStepLine
from desktop.ui.transcript.blocks.question_tools import QuestionTools
from desktop.ui.transcript.blocks.remembered import RememberedFold, RememberedItem
from desktop.ui.transcript.blocks.rich_text import RichTextWidget, TableWidget
from desktop.ui.transcript.blocks.sources import SourceLine, SourcesFold
from desktop.ui.transcript.blocks.status_line import RemarkLine, StatusLine
from desktop.ui.transcript.blocks.summary_line import SummaryLine
from desktop.ui.transcript.blocks.thinking import ThinkingFold
from desktop.ui.transcript.blocks.tool_card import ToolCard
from desktop.ui.transcript.context import BlockContext, BlockWidget
from desktop.ui.transcript.estimates import estimated_height
from desktop.ui.transcript.model_name import model_name
from desktop.ui.transcript.style import GUTTER, NARROW

TOP, BOTTOM, BELOW_TOOLS = 10, 12, 0
QUIET_INDENT, SPOKEN_CHARACTERS = 23, 160


class Cell:
    """A block in its row. ``widget`` exists only near the viewport; the height stays known without it."""

    __slots__ = ("block", "gap", "height", "indent", "is_stale", "narrow_indent", "widget", "width")

    def __init__(self, block: Block) -> None:
        self.block = block
        # Headers begin in the gutter; reasoning stands to the right of it.
        self.narrow_indent = QUIET_INDENT if getattr(block, "is_quiet", False) else 0
        begins_left = isinstance(block, row_blocks.WHOLE_WIDTH)
        self.indent = self.narrow_indent + (0 if begins_left else GUTTER)
        self.widget: QWidget | None = None
        self.height: int | None = None
        self.width = 0
        self.gap = 0
        self.is_stale = False
        """The widget has the look of before."""

    def estimate(self, width: int, scale: float) -> int:
        """The height, measured once for about this width, else guessed."""
        return self.height if self.height is not None else estimated_height(self.block, width, scale)

    def drop(self) -> None:
        if self.widget is not None:
            _dismiss(self.widget)
            self.widget = None


class RowWidget(QFrame):
    """The panel of a message: what a screen reader meets as one object with a name.

    Opaque, and filled from its top: where it moves or grows, Qt copies what was painted and paints only what is new.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Window)  # else it takes the viewport's, that of a field
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)


class Row:
    """A message whose body is loaded."""

    def __init__(self, state: RowState, context: BlockContext, viewport: QWidget, *, is_last: bool) -> None:
        self._context = context
        self._viewport = viewport
        self._rendering = RowRendering()
        self._unfolded: set[str] = set()
        self._is_last = is_last
        self.state = state
        self._cells: list[Cell] | None = None
        self.widget: RowWidget | None = None
        self.is_new = False
        """The widget was made after the rows around it and may be out of order."""

    @property
    def cells(self) -> list[Cell]:
        """The blocks; parsed when they are first asked for."""
        if self._cells is None:
            self._cells = []
            self._refresh()
        return self._cells

    @property
    def is_parsed(self) -> bool:
        return self._cells is not None

    # -- content --------------------------------------------------------------------------------------------------

    def set_state(self, state: RowState, *, is_last: bool) -> None:
        """Show ``state``; only cells whose block differs are touched."""
        self.state = state
        self._is_last = is_last
        if self._cells is not None:
            self._refresh()
            self._name()

    def live_header(self, key: str) -> tuple[Cell, int] | None:
        """Return the cell above what this key opens, and its top in the viewport; None where it has no widget."""
        for cell in self._cells or ():
            block, widget = cell.block, cell.widget
            is_header = isinstance(block, row_blocks.ToolBlock | row_blocks.ThinkingBlock) and block.key == key
            if is_header and widget is not None:
                return cell, widget.mapTo(self._viewport, QPoint()).y()
        return None

    def toggle(self, key: str) -> None:
        """Open or close the reasoning or tool card with this key."""
        self._unfolded ^= {key}
        self._refresh()

    def _refresh(self) -> None:
        blocks = self._rendering.blocks(self.state, unfolded=self._unfolded, is_last=self._is_last)
        old = self._cells or []
        head = _common_head(old, blocks)
        tail = _common_tail(old[head:], blocks[head:])
        middle_old = old[head : len(old) - tail]
        middle_new = blocks[head : len(blocks) - tail]
        cells: list[Cell] = []
        for index, block in enumerate(middle_new):
            reusable = middle_old[index] if index < len(middle_old) else None
            if reusable is not None and type(reusable.block) is type(block):
                reusable.block, reusable.height = block, None
                if reusable.widget is not None:
                    cast(BlockWidget, reusable.widget).set_block(block)
                cells.append(reusable)
                middle_old[index] = Cell(block)  # taken
            else:
                cells.append(Cell(block))
        for cell in middle_old:
            cell.drop()
        self._cells = [*old[:head], *cells, *old[len(old) - tail :]]
        previous: Block | None = None
        for cell in self._cells:
            cell.gap = self._room(_gap(previous, cell.block))
            previous = cell.block

    def _room(self, length: int) -> int:
        return self._context.look.sizes.room(length)

    # -- geometry -------------------------------------------------------------------------------------------------

    @property
    def top(self) -> int:
        """The empty room above the first block."""
        return self._room(TOP)

    def _estimate(self, cell: Cell, width: int) -> int:
        return cell.estimate(self.inner(cell, width)[1], self._context.look.sizes.scale)

    def height(self, width: int) -> int:
        bottom = BOTTOM if self.state.role is Role.ASSISTANT else BELOW_TOOLS
        return self.top + sum(cell.gap + self._estimate(cell, width) for cell in self.cells) + self._room(bottom)

    def tops(self, width: int) -> Iterator[tuple[Cell, int]]:
        """Each cell with its top in the row."""
        y = self.top
        for cell in self.cells:
            y += cell.gap
            yield cell, y
            y += self._estimate(cell, width)

    def top_of(self, index: int, width: int) -> int:
        for position, (_, y) in enumerate(self.tops(width)):
            if position == index:
                return y
        return self.top

    def inner(self, cell: Cell, width: int) -> tuple[int, int]:
        """The left edge and the width of a cell in a row of ``width``."""
        indent = cell.narrow_indent if width < NARROW else cell.indent
        return indent, width - indent

    def realise(self, index: int, width: int) -> int:
        """Give the cell its widget and measure it for the row's ``width``; returns its height."""
        cell = self.cells[index]
        inner_width = self.inner(cell, width)[1]
        if cell.widget is None:
            self._context.expected_width = inner_width
            cell.widget = self._make(cell.block)
            self._put_in_order(index)
            cell.width, cell.is_stale = 0, False
        elif cell.is_stale:
            self._context.expected_width, cell.is_stale = inner_width, False
            cast(BlockWidget, cell.widget).restyle()
        if cell.height is None or cell.width != inner_width:
            cell.height = cast(BlockWidget, cell.widget).height_for(inner_width)
            cell.width = inner_width
        return cell.height

    def place(self, x: int, y: int, width: int) -> None:
        """Set the geometry of the row at ``y`` of the viewport, and of its live cells."""
        if self.widget is None:
            return
        self.widget.setGeometry(x, y, width, self.height(width))
        for cell, top in self.tops(width):
            if cell.widget is not None and cell.height is not None:
                left, inner_width = self.inner(cell, width)
                cell.widget.setGeometry(left, top, inner_width, cell.height)
                if cell.widget.isHidden():
                    cell.widget.show()
        if self.widget.isHidden():
            self.widget.show()

    def drop_outside(self, lowest: int, highest: int, width: int) -> None:
        """Drop the widgets of cells that lie wholly outside, in coordinates of the row."""
        for cell, top in self.tops(width):
            if cell.widget is not None and (top + (cell.height or 0) < lowest or top > highest):
                cell.drop()

    def drop(self) -> None:
        """Drop all widgets; heights stay."""
        if self.widget is not None:
            _dismiss(self.widget)
            self.widget = None
        for cell in self._cells or ():
            cell.widget = None

    def restyle(self) -> None:
        """The theme changed, and with it perhaps the heights: each block takes it when it is realised."""
        previous: Block | None = None
        for cell in self._cells or ():
            cell.is_stale = cell.widget is not None
            cell.height = None
            cell.gap = self._room(_gap(previous, cell.block))
            previous = cell.block

    def retranslate(self) -> None:
        for cell in self._cells or ():
            if cell.widget is not None:
                cast(BlockWidget, cell.widget).set_block(cell.block)
                cell.height = None
        self._name()

    # -- widgets --------------------------------------------------------------------------------------------------

    def _make(self, block: Block) -> QWidget:
        if self.widget is None:
            self.widget = RowWidget(self._viewport)
            self.is_new = True
            self.widget.setObjectName(f"message-{self.state.role.value}")
            self._name()
        widget = _MAKERS[type(block)](self._context, self.state.message_id, self.widget)
        block_widget = cast(BlockWidget, widget)
        block_widget.set_block(block)
        for control in block_widget.focus_widgets():
            control.installEventFilter(self._context.focus_filter)
        return widget

    def _put_in_order(self, index: int) -> None:
        """Keep the siblings in reading order, which is what accessibility tools walk through."""
        widget = self.cells[index].widget
        assert widget is not None
        for cell in self.cells[index + 1 :]:
            if cell.widget is not None:
                widget.stackUnder(cell.widget)
                return

    def _name(self) -> None:
        if self.widget is not None:
            self.widget.setAccessibleName(self.spoken())

    def spoken(self) -> str:
        """What a screen reader says of the message: who, and how it begins."""
        model = model_name(self.state.model)
        words = _YOU_SAID if self.state.role is Role.USER else _ANSWER_OF if model else _ANSWER
        text = self.state.text or ", ".join(item.name for item in self.state.items if isinstance(item, AttachmentPart))
        beginning = " ".join(readable(text[: SPOKEN_CHARACTERS * 2]).split())[:SPOKEN_CHARACTERS]
        return QCoreApplication.translate("Transcript", words).format(text=beginning, model=model)


def _dismiss(widget: QWidget) -> None:
    """Hide and delete. Qt would hand its focus to whatever comes next in the window, so the transcript takes it."""
    focused = QApplication.focusWidget()
    if focused is not None and (focused is widget or widget.isAncestorOf(focused)):
        view = widget.parentWidget()
        while view is not None and not isinstance(view, QAbstractScrollArea):
            view = view.parentWidget()
        if view is not None:
            view.setFocus()
    widget.hide()
    widget.deleteLater()


_YOU_SAID = QT_TRANSLATE_NOOP("Transcript", "You said: {text}")
_ANSWER_OF = QT_TRANSLATE_NOOP("Transcript", "Answer from {model}: {text}")
_ANSWER = QT_TRANSLATE_NOOP("Transcript", "Answer: {text}")


_Maker = Callable[[BlockContext, str, QWidget], QWidget]


def _without_id(make: Callable[[BlockContext, QWidget], QWidget]) -> _Maker:
    return lambda context, _message_id, parent: make(context, parent)


_MAKERS: Mapping[type[Block], _Maker] = {
    row_blocks.RichBlock: _without_id(RichTextWidget),
    row_blocks.CodeBlock: _without_id(CodeWidget),
    row_blocks.TableBlock: _without_id(TableWidget),
    row_blocks.MoreRowsBlock: _without_id(MoreRows),
    row_blocks.BubbleBlock: _without_id(BubbleWidget),
    row_blocks.BubbleFoldBlock: BubbleFold,
    row_blocks.QuestionBlock: QuestionTools,
    row_blocks.PastedBlock: _without_id(PastedBlockWidget),
    row_blocks.FileBlock: _without_id(FileLine),
    row_blocks.ImagesBlock: _without_id(ImagesWidget),
    row_blocks.HeaderBlock: MessageHeader,
    row_blocks.FooterBlock: MessageFooter,
    row_blocks.ToolBlock: ToolCard,
    row_blocks.ThinkingBlock: ThinkingFold,
    row_blocks.ErrorBlock: _without_id(ErrorNotice),
    row_blocks.StatusBlock: _without_id(StatusLine),
    row_blocks.RemarkBlock: _without_id(RemarkLine),
    row_blocks.SourcesBlock: SourcesFold,
    row_blocks.SourceBlock: _without_id(SourceLine),
    row_blocks.MoreBlock: MoreButton,
    row_blocks.MarkBlock: _without_id(SummaryLine),
    row_blocks.RememberedBlock: RememberedFold,
    row_blocks.RememberedItemBlock: _without_id(RememberedItem),
    row_blocks.PlanBlock: PlanCard,
    row_blocks.PlanStepBlock: _without_id(PlanStepLine),
}


def _common_head(cells: list[Cell], blocks: list[Block]) -> int:
    count = 0
    for cell, block in zip(cells, blocks, strict=False):
        if cell.block is not block and cell.block != block:
            break
        count += 1
    return count


def _common_tail(cells: list[Cell], blocks: list[Block]) -> int:
    return _common_head(cells[::-1], blocks[::-1])


def _gap(previous: Block | None, block: Block) -> int:
    """The room above a block."""
    if previous is None:
        return 0
    if isinstance(block, row_blocks.RichBlock):
        if block.segment.follows:
            return 2
        if not isinstance(previous, row_blocks.HeaderBlock) and block.segment.html.startswith('<p class="h'):
            return 14
    if isinstance(previous, row_blocks.HeaderBlock):
        return 4
    if isinstance(block, row_blocks.FooterBlock | row_blocks.QuestionBlock | row_blocks.MoreRowsBlock):
        return 2
    if isinstance(block, row_blocks.PlanStepBlock):
        return 14
    if isinstance(previous, row_blocks.ToolBlock) and isinstance(block, row_blocks.ToolBlock):
        return 6
    # A document does not count the margins above its first and below its last line.
    return 8
