"""What one row of the transcript shows: a pure reducer from run events, and the same row from a stored message.

Replaying all events of a run gives the row that its stored message gives (property-tested).
"""

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from desktop.agent.events import (
    AgentEvent,
    DoneEvent,
    DoneReason,
    ErrorEvent,
    InnerRunEvent,
    MessageEvent,
    MessageTakenBackEvent,
    PlanEvent,
    PlanStepEvent,
    RecalledEvent,
    RemarkEvent,
    SourcesEvent,
    ThinkingEvent,
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
    WaitingEvent,
)
from desktop.conversation.entities import (
    AttachmentPart,
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    RecallPart,
    RemarkPart,
    ReplayPart,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.plans import InstructionPart, PlanPart
from desktop.core.costs import Cost
from desktop.core.language_model import NO_USAGE, Source, Usage, Waiting
from desktop.tools.entities import CallProgress, CallState
from desktop.ui.state.answer_place import AnswerPlace
from desktop.ui.state.plan_item import PlanItem, PlanStepItem, show_plan
from desktop.ui.state.remembered import RememberedLine
from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.window_mark import WindowMark

_REASONS = frozenset(reason.value for reason in DoneReason)


@dataclass(frozen=True, kw_only=True)
class TextItem:
    text: str
    is_open: bool = False
    """True while more may be appended."""


@dataclass(frozen=True, kw_only=True)
class ThinkingItem:
    text: str
    is_open: bool = False
    seconds: float | None = None
    """How long it took, where that is known."""


@dataclass(frozen=True, kw_only=True)
class ErrorItem:
    code: str
    params: Mapping[str, str | int | float]


@dataclass(frozen=True, kw_only=True)
class SourcesItem:
    sources: tuple[Source, ...]


@dataclass(frozen=True, kw_only=True)
class RemarkItem:
    code: str
    params: Mapping[str, str | int | float]


RowItem = (
    TextItem | ThinkingItem | ToolItem | ErrorItem | SourcesItem | RemarkItem | AttachmentPart | PlanItem | PlanStepItem
)


@dataclass(frozen=True, kw_only=True)
class RowState:
    """One message as the transcript shows it."""

    message_id: str
    role: Role
    status: MessageStatus
    items: tuple[RowItem, ...] = ()
    model: str = ""
    created_at: datetime | None = None
    usage: Usage = NO_USAGE
    cost: Cost | None = None
    duration_seconds: float | None = field(default=None, compare=False)
    reason: DoneReason | None = None
    """Why an answer was done; None while it is written, and for one that failed or was interrupted."""
    waiting: Waiting | None = field(default=None, compare=False)
    """What is being waited for, while nothing comes."""
    waits_for_tools: bool = False
    """The servers of the tools are still starting; nothing was asked of the model yet."""
    place: AnswerPlace = field(default=AnswerPlace(), compare=False)
    mark: WindowMark | None = field(default=None, compare=False)
    """What is said below it of what is sent to the model."""
    remembered: tuple[RememberedLine, ...] = field(default=(), compare=False)
    """What was remembered of the message that it answers."""
    recall: RecallPart | None = None
    """What the answer was told of what was said before; None where nothing was asked."""

    @property
    def is_streaming(self) -> bool:
        return self.status is MessageStatus.STREAMING

    @property
    def text(self) -> str:
        """The Markdown source of the whole message."""
        return "\n\n".join(item.text for item in self.items if isinstance(item, TextItem))


def row_from_message(message: Message) -> RowState:
    """Return the row of a stored message; one that is still streaming gets an open last part."""
    items: list[RowItem] = []
    for part in message.parts:
        _add_part(items, part)
    if message.status is MessageStatus.STREAMING and items and isinstance(items[-1], TextItem | ThinkingItem):
        items[-1] = dataclasses.replace(items[-1], is_open=True)
    return RowState(
        message_id=message.id,
        role=message.role,
        status=message.status,
        items=tuple(items),
        model=message.model,
        created_at=message.created_at,
        usage=message.usage,
        cost=message.cost,
        duration_seconds=message.duration_seconds,
        reason=DoneReason(message.reason) if message.reason in _REASONS else None,
        place=AnswerPlace(message.answer_number, message.answer_count),
        recall=next((part for part in message.parts if isinstance(part, RecallPart)), None),
    )


def _add_part(items: list[RowItem], part: Part) -> None:
    match part:
        case TextPart():
            if items and isinstance(last := items[-1], TextItem):
                items[-1] = TextItem(text=f"{last.text}\n\n{part.text}")
            else:
                items.append(TextItem(text=part.text))
        case ThinkingPart():
            items.append(ThinkingItem(text=part.text, seconds=part.duration_seconds))
        case ToolCallPart():
            items.append(
                ToolItem(call_id=part.call_id, name=part.name, arguments=part.arguments, state=ToolState.PROPOSED)
            )
        case ToolResultPart():
            _set_result(items, part)
        case InnerRunPart():
            _set_inner(items, part, {})
        case ErrorPart():
            items.append(ErrorItem(code=part.code, params=dict(part.params)))
        case SourcesPart() | RemarkPart():
            items.append(_beside(part))
        case AttachmentPart():
            items.append(part)
        case PlanPart() | InstructionPart():
            show_plan(items, part)
        case RecallPart() | ReplayPart():
            pass
        case _:
            assert_never(part)


def apply_events(row: RowState, events: Sequence[AgentEvent]) -> RowState:
    """Return the row after ``events``; text that came in many pieces is added at once."""
    for kind, group in itertools.groupby(events, _piece_kind):
        first, *others = group
        if kind is None:
            for event in (first, *others):
                row = apply_event(row, event)
        else:
            text = "".join(event.delta for event in (first, *others) if isinstance(event, kind))
            row = apply_event(row, dataclasses.replace(first, delta=text) if others else first)
    return row


def _piece_kind(event: AgentEvent) -> type[MessageEvent | ThinkingEvent] | None:
    """The type of a piece of text, which can be joined to its neighbours."""
    return type(event) if isinstance(event, MessageEvent | ThinkingEvent) and not event.final else None


def apply_event(row: RowState, event: AgentEvent) -> RowState:
    """Return the row after ``event``."""
    if isinstance(event, WaitingEvent):
        return dataclasses.replace(row, waiting=Waiting(code=event.code, seconds=event.seconds))
    if row.waiting is not None:
        row = dataclasses.replace(row, waiting=None)
    match event:
        case MessageEvent():
            return row if event.final else _with_text(row, event.delta)
        case MessageTakenBackEvent():
            return _without_text(row, event.length)
        case ThinkingEvent():
            return _with_thinking(row, event)
        case ToolCallEvent() | ToolProgressEvent():
            return _with_call(row, event) if isinstance(event, ToolCallEvent) else _with_progress(row, event)
        case ToolResultEvent() | InnerRunEvent() | PlanEvent() | PlanStepEvent():
            return dataclasses.replace(row, items=_with_result_or_plan(row.items, event))
        case SourcesEvent() | RemarkEvent():
            return dataclasses.replace(row, items=(*_closed(row.items), _beside(event)))
        case RecalledEvent():
            return dataclasses.replace(row, recall=event.recall)
        case DoneEvent():
            stopped = event.reason is DoneReason.STOPPED
            return dataclasses.replace(
                row,
                items=tuple(_closed(row.items)),
                status=MessageStatus.STOPPED if stopped else MessageStatus.COMPLETE,
                reason=event.reason,
                usage=event.usage,
                cost=event.cost,
                duration_seconds=event.duration_seconds,
            )
        case ErrorEvent():
            error = ErrorItem(code=event.code, params=dict(event.params))
            return dataclasses.replace(row, items=(*_closed(row.items), error), status=MessageStatus.FAILED)
        case _:
            assert_never(event)


def _beside(said: SourcesEvent | RemarkEvent | SourcesPart | RemarkPart) -> SourcesItem | RemarkItem:
    if isinstance(said, SourcesEvent | SourcesPart):
        return SourcesItem(sources=said.sources)
    return RemarkItem(code=said.code, params=dict(said.params))


def _with_result_or_plan(
    before: tuple[RowItem, ...], event: ToolResultEvent | InnerRunEvent | PlanEvent | PlanStepEvent
) -> tuple[RowItem, ...]:
    if isinstance(event, InnerRunEvent):
        items = list(before)
        _set_inner(items, event.part, event.states)
        return tuple(items)
    items = _closed(before)
    if isinstance(event, ToolResultEvent):
        _set_result(items, event)
    else:
        show_plan(items, event)
    return tuple(items)


def _with_text(row: RowState, delta: str) -> RowState:
    items = list(row.items)
    if items and isinstance(last := items[-1], TextItem):
        items[-1] = TextItem(text=last.text + delta, is_open=True)
    else:
        items = _closed(row.items)
        if any(isinstance(item, TextItem) for item in items):
            delta = delta.removeprefix("\n\n")  # the blank line between text parts belongs to neither
        items.append(TextItem(text=delta, is_open=True))
    return dataclasses.replace(row, items=tuple(items))


def _without_text(row: RowState, length: int) -> RowState:
    """The row without the end of its last text; an item of which nothing is left goes, too."""
    items = _closed(row.items)
    last = items[-1] if items else None
    if not isinstance(last, TextItem):
        return row
    left = last.text[: max(0, len(last.text) - length)]
    return dataclasses.replace(row, items=(*items[:-1], *([TextItem(text=left)] if left else [])))


def _with_thinking(row: RowState, event: ThinkingEvent) -> RowState:
    items = list(row.items)
    last = items[-1] if items else None
    if isinstance(last, ThinkingItem) and last.is_open:
        items[-1] = dataclasses.replace(
            last, text=last.text + event.delta, is_open=not event.final, seconds=event.duration_seconds
        )
    elif not event.final:
        items = [*_closed(row.items), ThinkingItem(text=event.delta, is_open=True)]
    return dataclasses.replace(row, items=tuple(items))


def _with_call(row: RowState, event: ToolCallEvent) -> RowState:
    items = _closed(row.items)
    state = ToolState(event.state.value) if event.state is not CallState.FINISHED else ToolState.RUNNING
    index = _find_call(items, event.call_id, only_open=True)
    if index is None:
        items.append(
            ToolItem(
                call_id=event.call_id,
                name=event.name,
                arguments=event.arguments,
                state=state,
                server=event.server,
                tool=event.tool,
            )
        )
    else:
        item = items[index]
        assert isinstance(item, ToolItem)
        items[index] = dataclasses.replace(
            item,
            state=state,
            arguments=event.arguments,
            server=event.server or item.server,
            tool=event.tool or item.tool,
        )
    return dataclasses.replace(row, items=tuple(items))


def _set_result(items: list[RowItem], result: ToolResultPart | ToolResultEvent) -> None:
    """Give the call its result; a result whose call was never shown gets a card of its own."""
    index = _find_call(items, result.call_id, only_open=False)
    if index is None:
        index = len(items)
        items.append(ToolItem(call_id=result.call_id, name="", arguments="", state=ToolState.PROPOSED))
    item = items[index]
    assert isinstance(item, ToolItem)
    items[index] = dataclasses.replace(
        item,
        state=ToolState(result.status.value),
        has_result=True,
        result=result.text,
        result_items=result.items,
        duration_seconds=result.duration_seconds,
        progress=None,
    )


def _set_inner(items: list[RowItem], part: InnerRunPart, states: Mapping[str, CallState]) -> None:
    """Give the call of an assistant what that has done; removed steps are none."""
    index = _find_call(items, part.call_id, only_open=False)
    if index is not None and part.parts:
        item = items[index]
        assert isinstance(item, ToolItem)
        items[index] = dataclasses.replace(item, inner=part, inner_states=dict(states))


def _with_progress(row: RowState, event: ToolProgressEvent) -> RowState:
    items = list(row.items)
    index = _find_call(items, event.call_id, only_open=True)
    if index is None:
        return row
    item = items[index]
    assert isinstance(item, ToolItem)
    progress = CallProgress(done=event.done, total=event.total, message=event.message)
    items[index] = dataclasses.replace(item, progress=progress)
    return dataclasses.replace(row, items=tuple(items))


def _find_call(items: list[RowItem], call_id: str, *, only_open: bool) -> int | None:
    """The newest call of this id. Some models use an id again in a later step, so that a finished one may not count."""
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if isinstance(item, ToolItem) and item.call_id == call_id:
            return None if only_open and item.has_result else index
    return None


def _closed(items: tuple[RowItem, ...]) -> list[RowItem]:
    """The items with the last one closed, as a new list."""
    closed = list(items)
    if closed and isinstance(last := closed[-1], TextItem | ThinkingItem) and last.is_open:
        closed[-1] = dataclasses.replace(last, is_open=False)
    return closed
