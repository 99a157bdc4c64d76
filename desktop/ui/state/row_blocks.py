"""Which blocks a row of the transcript is made of: pure values, compared to find out what must be drawn again."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from desktop.agent.events import DoneReason
from desktop.conversation.entities import MessageStatus, Role
from desktop.ui.markdown.markdown_stream import MarkdownStream
from desktop.ui.markdown.segments import CodeSegment, PlainSegment, RichSegment, Segment, TableSegment
from desktop.ui.state.pasted_text import line_count, split
from desktop.ui.state.transcript_state import (
    OPEN_STATES,
    ErrorItem,
    RowState,
    TextItem,
    ThinkingItem,
    ToolItem,
)

BUBBLE_CHARACTERS = 12_000
"""How much of a message by the user is shown in its bubble."""
LONG_BUBBLE_LINES, LONG_BUBBLE_CHARACTERS = 24, 2_400
"""A message by the user that has more of either is folded, so that it does not push the answer away."""
FOLDED_BUBBLE_LINES, FOLDED_BUBBLE_CHARACTERS = 10, 1_000
BUBBLE_KEY = "bubble"


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
    model: str


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
class PastedBlock:
    """A long text that the user pasted beside the message, folded."""

    text: str


@dataclass(frozen=True)
class RichBlock:
    segment: RichSegment
    is_quiet: bool = False
    """Reasoning: smaller weight than the answer."""


@dataclass(frozen=True)
class TableBlock:
    segment: TableSegment
    is_quiet: bool = False


@dataclass(frozen=True)
class CodeBlock:
    segment: CodeSegment | PlainSegment
    is_quiet: bool = False


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


@dataclass(frozen=True)
class StatusBlock:
    kind: StatusKind


@dataclass(frozen=True)
class MoreBlock:
    """Offers the whole message as plain text, because ``hidden`` characters of it are not rendered."""

    hidden: int


@dataclass(frozen=True)
class FooterBlock:
    model: str
    tokens: int | None
    seconds: float | None
    created_at: datetime | None
    may_copy: bool = True
    """Whether the answer has any text."""


Block = (
    HeaderBlock
    | BubbleBlock
    | BubbleFoldBlock
    | PastedBlock
    | RichBlock
    | TableBlock
    | CodeBlock
    | ThinkingBlock
    | ToolBlock
    | ErrorBlock
    | StatusBlock
    | MoreBlock
    | FooterBlock
)

_REASONS = {
    DoneReason.STEP_LIMIT: StatusKind.STEP_LIMIT,
    DoneReason.LENGTH: StatusKind.LENGTH,
    DoneReason.CONTENT_FILTER: StatusKind.CONTENT_FILTER,
    DoneReason.REFUSAL: StatusKind.REFUSAL,
}
_STATUSES = {MessageStatus.STOPPED: StatusKind.STOPPED, MessageStatus.INTERRUPTED: StatusKind.INTERRUPTED}


@dataclass
class RowRendering:
    """Turns the states of one row into blocks; keeps the parsed Markdown between updates."""

    streams: dict[int, MarkdownStream] = field(default_factory=dict[int, MarkdownStream])

    def blocks(self, row: RowState, *, unfolded: Set[str], is_last: bool) -> list[Block]:
        """Return the blocks of ``row``. ``unfolded`` holds the keys of reasoning and tool cards that are open."""
        if row.role is Role.USER:
            return list(_user_blocks(row, unfolded))
        return list(self._answer_blocks(row, unfolded, is_last))

    def _answer_blocks(self, row: RowState, unfolded: Set[str], is_last: bool) -> Iterator[Block]:
        yield HeaderBlock(row.model)
        hidden = 0
        for index, item in enumerate(row.items):
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
                    yield ErrorBlock(item, is_last)
        if hidden:
            yield MoreBlock(hidden)
        yield from _ending(row)

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
            yield _segment_block(segment, quiet)


def _user_blocks(row: RowState, unfolded: Set[str]) -> Iterator[Block]:
    """The pasted texts, and below them what was typed."""
    content = split(row.text)
    for text in content.pasted:
        yield PastedBlock(text)
    if content.text or not content.pasted:
        yield from _bubble_blocks(content.text, BUBBLE_KEY in unfolded)


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


def _segment_block(segment: Segment, quiet: bool) -> Block:
    match segment:
        case RichSegment():
            return RichBlock(segment, quiet)
        case TableSegment():
            return TableBlock(segment, quiet)
        case CodeSegment() | PlainSegment():
            return CodeBlock(segment, quiet)


def _ending(row: RowState) -> Iterator[Block]:
    """What stands below an answer: what it is waiting for, how it ended, and its figures."""
    if row.is_streaming:
        last = row.items[-1] if row.items else None
        is_busy = isinstance(last, TextItem | ThinkingItem) and last.is_open
        is_calling = any(isinstance(item, ToolItem) and item.state in OPEN_STATES for item in row.items)
        if not is_busy and not is_calling:
            yield StatusBlock(StatusKind.STARTING_TOOLS if row.waits_for_tools else StatusKind.WORKING)
        return
    status = _STATUSES.get(row.status) or (_REASONS.get(row.reason) if row.reason else None)
    if row.status is MessageStatus.FAILED and not any(isinstance(item, ErrorItem) for item in row.items):
        status = StatusKind.FAILED
    elif row.status is MessageStatus.COMPLETE and not row.items and status is None:
        status = StatusKind.EMPTY
    if status is not None:
        yield StatusBlock(status)
    if row.items:
        tokens = row.output_tokens
        yield FooterBlock(row.model, tokens, row.duration_seconds, row.created_at, bool(row.text.strip()))
