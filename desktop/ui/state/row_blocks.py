"""Which blocks a row of the transcript is made of: pure values, compared to find out what must be drawn again."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from desktop.agent.events import DoneReason
from desktop.conversation.entities import AttachmentKind, AttachmentPart, MessageStatus, RecallPart, Role
from desktop.core.costs import Cost
from desktop.core.language_model import Source, Usage, Waiting
from desktop.ui.markdown.markdown_stream import MarkdownStream
from desktop.ui.state.pasted_text import line_count, split
from desktop.ui.state.plan_item import (
    PlanBlock,
    PlanItem,
    PlanStepBlock,
    PlanStepItem,
    in_reading_order,
    plan_blocks,
    waits_for_plan,
)
from desktop.ui.state.remembered import RememberedLine
from desktop.ui.state.text_blocks import CodeBlock, MoreRowsBlock, RichBlock, TableBlock, text_blocks
from desktop.ui.state.tool_item import OPEN_STATES, ToolItem
from desktop.ui.state.transcript_state import ErrorItem, RemarkItem, RowState, SourcesItem, TextItem, ThinkingItem
from desktop.ui.state.window_mark import WindowMark

BUBBLE_CHARACTERS = 12_000
"""How much of a message by the user is shown in its bubble."""
LONG_BUBBLE_LINES, LONG_BUBBLE_CHARACTERS = 24, 2_400
"""A message by the user that has more of either is folded, so that it does not push the answer away."""
FOLDED_BUBBLE_LINES, FOLDED_BUBBLE_CHARACTERS = 10, 1_000
BUBBLE_KEY = "bubble"
SOURCES_KEY = "sources"
REMEMBERED_KEY = "remembered"
MOST_SOURCES = 100


class StatusKind(StrEnum):
    WORKING = "working"
    STARTING_TOOLS = "starting_tools"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    STEP_LIMIT = "step_limit"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    EMPTY = "empty"


@dataclass(frozen=True)
class HeaderBlock:
    """Who answers; and where there are several answers, which of how many this is."""

    model: str
    number: int = 1
    count: int = 1


@dataclass(frozen=True)
class BubbleBlock:
    """What the user wrote, as typed."""

    text: str


@dataclass(frozen=True)
class BubbleFoldBlock:
    """Opens and closes a long message by the user, which has this many lines."""

    key: str
    lines: int
    is_unfolded: bool


@dataclass(frozen=True)
class QuestionBlock:
    """What can be done with a message by the user, and which of its versions this is."""

    number: int = 1
    count: int = 1


@dataclass(frozen=True)
class PastedBlock:
    """A long text that the user pasted beside the message, folded."""

    text: str


@dataclass(frozen=True)
class FileBlock:
    """A text file or PDF that was sent with a message."""

    part: AttachmentPart


@dataclass(frozen=True)
class ImagesBlock:
    """The images that were sent with a message."""

    parts: tuple[AttachmentPart, ...]


@dataclass(frozen=True)
class ThinkingBlock:
    key: str
    is_running: bool
    seconds: int | None
    is_unfolded: bool


@dataclass(frozen=True)
class ToolBlock:
    key: str
    item: ToolItem
    is_unfolded: bool
    server: str
    tool: str


@dataclass(frozen=True)
class ErrorBlock:
    item: ErrorItem
    may_retry: bool
    may_continue: bool = False


@dataclass(frozen=True)
class StatusBlock:
    """``waiting`` says what an answer waits for; ``may_continue`` offers to go on where it was cut off."""

    kind: StatusKind
    waiting: Waiting | None = None
    may_continue: bool = False


@dataclass(frozen=True)
class RemarkBlock:
    item: RemarkItem


@dataclass(frozen=True)
class SourcesBlock:
    """The line above folded sources."""

    key: str
    count: int
    is_unfolded: bool


@dataclass(frozen=True)
class SourceBlock:
    number: int
    source: Source


@dataclass(frozen=True)
class MarkBlock:
    """Says what is sent to the model of what stands above."""

    mark: WindowMark


@dataclass(frozen=True)
class MoreBlock:
    """Offers the whole message as plain text, because ``hidden`` characters of it are not rendered."""

    hidden: int


@dataclass(frozen=True)
class FooterBlock:
    model: str
    usage: Usage
    seconds: float | None
    created_at: datetime | None
    may_copy: bool = True
    """Whether the answer has any text."""
    cost: Cost | None = None
    may_ask_another: bool = True
    """Whether another model may be asked for an answer to the same message."""
    recall: RecallPart | None = None
    """What the answer was told of what was said before."""


@dataclass(frozen=True)
class RememberedBlock:
    """The line above what was remembered of the message; of ``count`` things ``waiting`` wait for the user's look."""

    key: str
    count: int
    waiting: int
    is_unfolded: bool


@dataclass(frozen=True)
class RememberedItemBlock:
    line: RememberedLine


Block = (
    HeaderBlock
    | BubbleBlock
    | BubbleFoldBlock
    | QuestionBlock
    | PastedBlock
    | FileBlock
    | ImagesBlock
    | RichBlock
    | TableBlock
    | MoreRowsBlock
    | CodeBlock
    | ThinkingBlock
    | ToolBlock
    | ErrorBlock
    | StatusBlock
    | RemarkBlock
    | SourcesBlock
    | SourceBlock
    | MoreBlock
    | FooterBlock
    | MarkBlock
    | RememberedBlock
    | RememberedItemBlock
    | PlanBlock
    | PlanStepBlock
)

WHOLE_WIDTH = (HeaderBlock, BubbleBlock, BubbleFoldBlock, QuestionBlock, PastedBlock, FileBlock, ImagesBlock)
"""What begins in the gutter, or stands at the right."""

_REASONS = {
    DoneReason.STEP_LIMIT: StatusKind.STEP_LIMIT,
    DoneReason.LENGTH: StatusKind.LENGTH,
    DoneReason.CONTENT_FILTER: StatusKind.CONTENT_FILTER,
    DoneReason.REFUSAL: StatusKind.REFUSAL,
}
_CUT_OFF = frozenset({StatusKind.LENGTH, StatusKind.STEP_LIMIT, StatusKind.STOPPED, StatusKind.INTERRUPTED})
"""Ends after which the model can go on where it was."""
_STATUSES = {MessageStatus.STOPPED: StatusKind.STOPPED, MessageStatus.INTERRUPTED: StatusKind.INTERRUPTED}


@dataclass
class RowRendering:
    """Turns the states of one row into blocks; keeps the parsed Markdown between updates."""

    streams: dict[int, MarkdownStream] = field(default_factory=dict[int, MarkdownStream])

    def blocks(self, row: RowState, *, unfolded: Set[str], is_last: bool) -> list[Block]:
        """Return the blocks of ``row``. ``unfolded`` holds the keys of reasoning and tool cards that are open."""
        marks = () if row.mark is None else (MarkBlock(row.mark),)
        if row.role is Role.USER:
            return [*_user_blocks(row, unfolded), *marks]
        return [*self._answer_blocks(row, unfolded, is_last and not row.place.is_settled), *marks]

    def _answer_blocks(self, row: RowState, unfolded: Set[str], is_last: bool) -> Iterator[Block]:
        if not row.place.is_beside:
            yield HeaderBlock(row.model, row.place.number, row.place.count)
        hidden = 0
        for index, item in in_reading_order(row.items, row.status):
            match item:
                case TextItem():
                    yield from self._markdown(index, item.text, item.is_open and row.is_streaming, quiet=False)
                    hidden += self.streams[index].hidden_characters
                case ThinkingItem():
                    yield from self._thinking(index, item, row.is_streaming, unfolded)
                case ToolItem():
                    key = f"tool{index}"
                    yield ToolBlock(key, item, key in unfolded, item.shown_server, item.shown_tool)
                case ErrorItem():
                    yield ErrorBlock(item, is_last, is_last and _has_begun(row))
                case RemarkItem():
                    yield RemarkBlock(item)
                case PlanItem() | PlanStepItem():
                    yield plan_blocks(row.items, item, row.status)
                case SourcesItem() | AttachmentPart():
                    pass  # all of them stand below the answer
        if hidden:
            yield MoreBlock(hidden)
        yield from _sources(row, unfolded)
        yield from _ending(row, is_last)
        yield from _remembered(row, unfolded)

    def _thinking(self, index: int, item: ThinkingItem, is_streaming: bool, unfolded: Set[str]) -> Iterator[Block]:
        key = f"thinking{index}"
        is_running = item.is_open and is_streaming
        seconds = None if item.seconds is None else round(item.seconds)
        yield ThinkingBlock(key, is_running, seconds, key in unfolded)
        if key in unfolded:
            yield from self._markdown(index, item.text, is_running, quiet=True)

    def _markdown(self, index: int, text: str, is_open: bool, *, quiet: bool) -> Iterator[Block]:
        stream = self.streams.setdefault(index, MarkdownStream())
        for segment in stream.update(text, is_open=is_open):
            yield from text_blocks(segment, is_quiet=quiet)


def _user_blocks(row: RowState, unfolded: Set[str]) -> Iterator[Block]:
    """The attached files, the pasted texts, below them what was typed, and what can be done with it."""
    content = split(row.text)
    files = [item for item in row.items if isinstance(item, AttachmentPart)]
    images = tuple(part for part in files if part.kind is AttachmentKind.IMAGE)
    if images:
        yield ImagesBlock(images)
    for part in files:
        if part.kind is not AttachmentKind.IMAGE:
            yield FileBlock(part)
    for text in content.pasted:
        yield PastedBlock(text)
    if content.text or not (content.pasted or files):
        yield from _bubble_blocks(content.text, BUBBLE_KEY in unfolded)
    yield QuestionBlock(row.place.number, row.place.count)


def _bubble_blocks(text: str, is_unfolded: bool) -> Iterator[Block]:
    lines = line_count(text)
    if lines <= LONG_BUBBLE_LINES and len(text) <= LONG_BUBBLE_CHARACTERS:
        yield BubbleBlock(text)
    elif is_unfolded:
        yield BubbleBlock(text[:BUBBLE_CHARACTERS])
        if len(text) > BUBBLE_CHARACTERS:
            yield MoreBlock(len(text) - BUBBLE_CHARACTERS)
        yield BubbleFoldBlock(BUBBLE_KEY, lines, is_unfolded=True)
    else:
        head = "\n".join(text[:FOLDED_BUBBLE_CHARACTERS].split("\n")[:FOLDED_BUBBLE_LINES])
        yield BubbleBlock(f"{head.rstrip()} …")
        yield BubbleFoldBlock(BUBBLE_KEY, lines, is_unfolded=False)


def _has_begun(row: RowState) -> bool:
    """There is something of the answer that a model could go on with."""
    begun = (PlanItem, ToolItem)
    return any(isinstance(item, begun) or (isinstance(item, TextItem) and item.text.strip()) for item in row.items)


def _sources(row: RowState, unfolded: Set[str]) -> Iterator[Block]:
    sources = [source for item in row.items if isinstance(item, SourcesItem) for source in item.sources]
    if not sources or row.is_streaming:
        return
    yield SourcesBlock(SOURCES_KEY, len(sources), SOURCES_KEY in unfolded)
    if SOURCES_KEY in unfolded:
        for number, source in enumerate(sources[:MOST_SOURCES], start=1):
            yield SourceBlock(number, source)


def _remembered(row: RowState, unfolded: Set[str]) -> Iterator[Block]:
    lines = row.remembered
    if not lines or row.is_streaming:
        return
    is_unfolded = REMEMBERED_KEY in unfolded
    yield RememberedBlock(REMEMBERED_KEY, len(lines), sum(line.waits for line in lines), is_unfolded)
    if is_unfolded:
        yield from map(RememberedItemBlock, lines)


def _ending(row: RowState, is_last: bool) -> Iterator[Block]:
    """What stands below an answer: what it is waiting for, how it ended, and its figures."""
    if row.is_streaming:
        last = row.items[-1] if row.items else None
        is_busy = isinstance(last, TextItem | ThinkingItem) and last.is_open
        is_calling = any(isinstance(item, ToolItem) and item.state in OPEN_STATES for item in row.items)
        if row.waiting is not None:
            yield StatusBlock(StatusKind.WORKING, row.waiting)
        elif not is_busy and not is_calling and not waits_for_plan(row.items):
            yield StatusBlock(StatusKind.STARTING_TOOLS if row.waits_for_tools else StatusKind.WORKING)
        return
    status = _STATUSES.get(row.status) or (_REASONS.get(row.reason) if row.reason else None)
    if row.status is MessageStatus.FAILED and not any(isinstance(item, ErrorItem) for item in row.items):
        status = StatusKind.FAILED
    elif row.status is MessageStatus.COMPLETE and not row.items and status is None:
        status = StatusKind.EMPTY
    if status is not None:
        yield StatusBlock(status, may_continue=is_last and status in _CUT_OFF and _has_begun(row))
    if row.items:
        beside = row.place.is_beside  # then its head names the model already
        has_text = bool(row.text.strip())
        model = "" if beside else row.model
        figures = (model, row.usage, row.duration_seconds, row.created_at, has_text, row.cost)
        yield FooterBlock(*figures, may_ask_another=not beside, recall=row.recall)
