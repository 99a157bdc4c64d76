"""What a run says while it goes: frozen values in a gapless sequence, exactly one terminal event, last.

Invariants (property-tested in ``tests/unit/agent``): ``seq`` counts from 0 without gaps; exactly one ``DoneEvent`` or
``ErrorEvent``, and it is the last; every call has exactly one ``ToolResultEvent``, and open parts are closed, before
it; nothing is emitted for a message before its row is on disk; the ``message`` deltas, without those taken back, add
up to ``Message.text``, in a run that goes on with an answer to what is added to it.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from desktop.conversation.entities import RecallPart, ResultStatus
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.interchange.part_json import part_to_json
from desktop.conversation.plans import InstructionPart, PlanPart
from desktop.core.costs import Cost
from desktop.core.error_texts import english
from desktop.core.language_model import Source, Usage
from desktop.core.tool_content import ResultItem
from desktop.tools.entities import CallState


class DoneReason(StrEnum):
    COMPLETED = "completed"
    STOPPED = "stopped"
    STEP_LIMIT = "step_limit"
    LENGTH = "length"
    """The answer was cut off by the model's output limit."""
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunEvent:
    """The fields that all events share. ``message_id`` is the answer that the run writes."""

    kind: ClassVar[str]
    thread_id: str
    message_id: str
    seq: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ThinkingEvent(RunEvent):
    """Reasoning text. ``final`` closes the present thinking part, with an empty delta and how long it took."""

    kind: ClassVar[str] = "thinking"
    delta: str
    final: bool = False
    duration_seconds: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageEvent(RunEvent):
    """Answer text. A new text part after an earlier one begins with a blank line. ``final`` comes once, when stored.

    The text with which an answer goes on is not a new part: it continues the one that was cut off.
    """

    kind: ClassVar[str] = "message"
    delta: str
    final: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageTakenBackEvent(RunEvent):
    """The last ``length`` characters of the ``message`` deltas are no answer: they were reasoning, which follows."""

    kind: ClassVar[str] = "message_taken_back"
    length: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCallEvent(RunEvent):
    """A call changed its state: proposed, waiting_approval, running or denied."""

    kind: ClassVar[str] = "tool_call"
    call_id: str
    name: str
    arguments: str
    state: CallState
    server: str = ""
    tool: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolProgressEvent(RunEvent):
    """How far a running call is, by the word of its server: ``message`` is untrusted text. Never stored."""

    kind: ClassVar[str] = "tool_progress"
    call_id: str
    done: float
    total: float | None = None
    message: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResultEvent(RunEvent):
    kind: ClassVar[str] = "tool_result"
    call_id: str
    status: ResultStatus
    text: str
    duration_seconds: float
    items: tuple[ResultItem, ...] = ()
    """What came beside the text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InnerRunEvent(RunEvent):
    """What an assistant that was asked has done by now: all of it, in the place of what the event before told."""

    kind: ClassVar[str] = "inner_run"
    part: InnerRunPart
    states: Mapping[str, CallState] = field(default_factory=dict[str, CallState])
    """Of its calls that have no result yet; those of an assistant that it asked have the id of that call before theirs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourcesEvent(RunEvent):
    """Sources that the endpoint named, new ones only."""

    kind: ClassVar[str] = "sources"
    sources: tuple[Source, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RemarkEvent(RunEvent):
    """Something about how the answer is made: a code of ``core.remark_texts`` and its parameters."""

    kind: ClassVar[str] = "remark"
    code: str
    params: dict[str, str | int | float] = field(default_factory=dict[str, str | int | float])


@dataclass(frozen=True, kw_only=True, slots=True)
class RecalledEvent(RunEvent):
    """What the answer is told of what was said before; not in a run that goes on, which is told the same again."""

    kind: ClassVar[str] = "recalled"
    recall: RecallPart


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanEvent(RunEvent):
    """The plan as it is now: all of it, in the place of what the event before told."""

    kind: ClassVar[str] = "plan"
    plan: PlanPart


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanStepEvent(RunEvent):
    """What follows belongs to the step of the plan at ``place``; None is what ends the answer."""

    kind: ClassVar[str] = "plan_step"
    place: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingEvent(RunEvent):
    """What is being waited for, until the next event: a code of ``core.language_model.Waiting``; never stored."""

    kind: ClassVar[str] = "waiting"
    code: str
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DoneEvent(RunEvent):
    kind: ClassVar[str] = "done"
    reason: DoneReason
    usage: Usage
    duration_seconds: float = 0.0
    """The time of work: that in which a question to the user was open is not counted."""
    cost: Cost | None = None
    """At the user's prices; None where there are none, or the endpoint did not count."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorEvent(RunEvent):
    """The run failed: ``code`` and ``params`` as in ``core.error_texts``. What was received is kept."""

    kind: ClassVar[str] = "error"
    code: str
    params: dict[str, str | int | float] = field(default_factory=dict[str, str | int | float])


AgentEvent = (
    ThinkingEvent
    | MessageEvent
    | MessageTakenBackEvent
    | ToolCallEvent
    | ToolProgressEvent
    | ToolResultEvent
    | InnerRunEvent
    | SourcesEvent
    | RemarkEvent
    | RecalledEvent
    | PlanEvent
    | PlanStepEvent
    | WaitingEvent
    | DoneEvent
    | ErrorEvent
)
TerminalEvent = DoneEvent | ErrorEvent


def plan_event(part: PlanPart | InstructionPart, *, thread_id: str, message_id: str, seq: int) -> AgentEvent:
    """Return the event that shows this part."""
    if isinstance(part, PlanPart):
        return PlanEvent(thread_id=thread_id, message_id=message_id, seq=seq, plan=part)
    return PlanStepEvent(thread_id=thread_id, message_id=message_id, seq=seq, place=part.place)


def event_to_json(event: AgentEvent) -> dict[str, Any]:
    """Return the event as a JSON object with ``kind`` first: for logs, the command line and the local API.

    An error also gets its English ``title`` and ``detail``.
    """
    fields = {"kind": event.kind, **dataclasses.asdict(event)}
    if isinstance(event, InnerRunEvent):
        fields["part"] = part_to_json(event.part)
    if isinstance(event, ErrorEvent):
        fields["title"], fields["detail"] = english(event.code, event.params)
    return fields
