"""Writes one answer: keeps its parts, puts them on disk, and only then, or while they stream, emits the events."""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from desktop.agent.answer_store import AnswerStore
from desktop.agent.continuing import is_joined
from desktop.agent.events import (
    DoneEvent,
    DoneReason,
    ErrorEvent,
    InnerRunEvent,
    MessageEvent,
    MessageTakenBackEvent,
    RecalledEvent,
    RemarkEvent,
    SourcesEvent,
    ThinkingEvent,
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
    WaitingEvent,
    plan_event,
)
from desktop.agent.run import Run
from desktop.conversation.entities import (
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    RecallPart,
    RemarkPart,
    ReplayPart,
    ResultStatus,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.plans import InstructionPart, PlanPart, with_part
from desktop.core.costs import Cost
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import Usage
from desktop.core.tasks import is_cancelled
from desktop.core.tool_content import ResultItem
from desktop.tools.entities import CallProgress, CallState, ToolDescriptor

CHECKPOINT_SECONDS = 0.25
"""The most streamed text that a killed process may lose, in time."""


class _Head(TypedDict):
    """What every event begins with."""

    thread_id: str
    message_id: str
    seq: int


@dataclass
class _OpenPart:
    """A part that still grows; its pieces are joined only when it is stored."""

    kind: type[TextPart] | type[ThinkingPart]
    step: int
    pieces: list[str] = field(default_factory=list[str])
    started: float = field(default_factory=time.monotonic)

    def part(self) -> TextPart | ThinkingPart:
        self.pieces = ["".join(self.pieces)]
        return self.kind(text=self.pieces[0], step=self.step)

    def closed(self) -> TextPart | ThinkingPart:
        part = self.part()
        if isinstance(part, ThinkingPart):
            return dataclasses.replace(part, duration_seconds=round(time.monotonic() - self.started, 3))
        return part


class AnswerWriter:
    """The only one who changes a running answer. At most one text or thinking part is open at a time."""

    def __init__(
        self,
        run: Run,
        repository: AnswerStore,
        *,
        waited_seconds: Callable[[], float] = lambda: 0.0,
        cost_of: Callable[[Usage], Cost | None] = lambda _usage: None,
    ) -> None:
        """``waited_seconds`` tells for how long the answer has waited for the user until now.

        ``cost_of`` is what an answer costs by its usage.
        """
        self._cost_of = cost_of
        self._run = run
        self._repository = repository
        before = run.turn.assistant_message
        self._closed_parts: list[Part] = list(before.parts)
        self._waiting_parts: list[SourcesPart | RemarkPart] = list(run.beside)
        self._open: _OpenPart | None = None
        if is_joined(before.parts):
            text = before.parts[-1]
            assert isinstance(text, TextPart)
            self._closed_parts.pop()
            self._open = _OpenPart(TextPart, text.step, [text.text])
        self._has_text = any(isinstance(part, TextPart) for part in before.parts)
        self._has_said = False
        self._final_sent = False
        self._seq = 0
        self._dirty = asyncio.Event()
        self._waited_seconds = waited_seconds
        self._started = self._working_time() - (before.duration_seconds or 0.0)

    # -- streaming ------------------------------------------------------------------------------------------------

    def text(self, delta: str, *, step: int) -> None:
        """Append answer text and show it; it is on disk within ``CHECKPOINT_SECONDS``."""
        if self._grow(TextPart, delta, step=step) and self._has_text:
            delta = "\n\n" + delta
        self._has_text = self._has_said = True
        self._run.publish(MessageEvent(**self._head(), delta=delta))

    def text_was_thinking(self, length: int, *, step: int) -> None:
        """Take the last ``length`` characters of the open text back: they were reasoning.

        Reasoning it becomes where it is all of its part; an answer that goes on after a text is not torn apart by it.
        """
        if not length or self._open is None or self._open.kind is not TextPart:
            return
        text = self._open.part().text
        length = min(length, len(text))
        if length < len(text):
            self._open.pieces = [text[:-length]]
            self._run.publish(MessageTakenBackEvent(**self._head(), length=length))
        else:
            self._has_text = any(isinstance(part, TextPart) for part in self._closed_parts)
            blank_line = 2 if self._has_text else 0
            self._run.publish(MessageTakenBackEvent(**self._head(), length=length + blank_line))
            self._open.kind, self._open.pieces = ThinkingPart, [text.rstrip()]
            self._run.publish(ThinkingEvent(**self._head(), delta=text.rstrip()))
            self.close_part()
        self._dirty.set()

    def thinking(self, delta: str, *, step: int) -> None:
        """Append reasoning and show it."""
        self._grow(ThinkingPart, delta, step=step)
        self._run.publish(ThinkingEvent(**self._head(), delta=delta))

    def _grow(self, kind: type[TextPart] | type[ThinkingPart], delta: str, *, step: int) -> bool:
        """Add to the open part; True when a new one was begun."""
        begins = self._open is None or self._open.kind is not kind or self._open.step != step
        if begins:
            self.close_part()
            self._open = _OpenPart(kind, step)
        assert self._open is not None
        self._open.pieces.append(delta)
        self._dirty.set()
        return begins

    def close_part(self) -> None:
        """End the open part, if any."""
        if self._open is None:
            return
        part, self._open = self._open.closed(), None
        self._closed_parts.append(part)
        if isinstance(part, ThinkingPart):
            seconds = part.duration_seconds
            self._run.publish(ThinkingEvent(**self._head(), delta="", final=True, duration_seconds=seconds))
        waiting, self._waiting_parts = self._waiting_parts, []
        for beside in waiting:
            self.beside(beside)

    def beside(self, part: SourcesPart | RemarkPart) -> None:
        """Keep and show something beside the text, once for each answer; never in the middle of a text part.

        A remark in the middle of reasoning ends that: it was given up, and what follows is another try.
        """
        if isinstance(part, RemarkPart) and self._open is not None and self._open.kind is ThinkingPart:
            self.close_part()
        if self._open is not None:
            self._waiting_parts.append(part)
        elif isinstance(part, SourcesPart):
            known = {s.url for p in self._closed_parts if isinstance(p, SourcesPart) for s in p.sources}
            if new := tuple({s.url: s for s in part.sources if s.url not in known}.values()):
                self._closed_parts.append(dataclasses.replace(part, sources=new))
                self._run.publish(SourcesEvent(**self._head(), sources=new))
        elif not any(
            isinstance(p, RemarkPart) and (p.code, p.params) == (part.code, part.params) for p in self._closed_parts
        ):
            self._closed_parts.append(part)
            self._run.publish(RemarkEvent(**self._head(), code=part.code, params=dict(part.params)))
        self._dirty.set()

    def recalled(self, part: RecallPart) -> None:
        """Keep and show what the answer is told by now of what was said before; comes before the words that it is for."""
        self._closed_parts[:] = [*(each for each in self._closed_parts if not isinstance(each, RecallPart)), part]
        self._run.publish(RecalledEvent(**self._head(), recall=part))
        self._dirty.set()

    def waiting(self, code: str, seconds: float | None) -> None:
        """Show what is being waited for."""
        self._run.publish(WaitingEvent(**self._head(), code=code, seconds=seconds))

    def replay(self, fields: Mapping[str, Any], *, step: int) -> None:
        """Keep what the endpoint must get back with the next request."""
        if fields:
            self.close_part()
            self._closed_parts.append(ReplayPart(fields=fields, step=step))

    async def put(self, part: PlanPart | InstructionPart) -> None:
        """Put the plan as it is now, or what the model is told of it, on disk, then show it."""
        self.close_part()
        self._closed_parts[:] = with_part(self._closed_parts, part)
        await self.save()
        self._run.publish(plan_event(part, **self._head()))

    async def save(self) -> None:
        """Put everything so far on disk."""
        self._dirty.clear()
        await self._repository.save_parts(self._run.message_id, self._parts())

    async def save_regularly(self) -> None:
        """Checkpoint while text streams, until cancelled."""
        while not is_cancelled():  # a save that was on its way holds the cancellation back until it is done
            await self._dirty.wait()
            await asyncio.sleep(CHECKPOINT_SECONDS)
            await self.save()

    # -- tools ----------------------------------------------------------------------------------------------------

    async def add_calls(self, calls: list[ToolCallPart]) -> None:
        """Store the calls of a step. They are shown by ``call_state``."""
        self.close_part()
        self._closed_parts.extend(calls)
        await self.save()

    def call_progress(self, call: ToolCallPart, progress: CallProgress) -> None:
        """Show how far a running call is."""
        self._run.publish(
            ToolProgressEvent(
                **self._head(),
                call_id=call.call_id,
                done=progress.done,
                total=progress.total,
                message=progress.message,
            )
        )

    def call_state(self, call: ToolCallPart, state: CallState, tool: ToolDescriptor | None) -> None:
        """Show that a call changed its state; the journal has it on disk already."""
        self._run.publish(
            ToolCallEvent(
                **self._head(),
                call_id=call.call_id,
                name=call.name,
                arguments=call.arguments,
                state=state,
                server=tool.server_id if tool else "",
                tool=tool.name if tool else "",
            )
        )

    def inner_run(self, part: InnerRunPart, states: Mapping[str, CallState]) -> None:
        """Keep and show what an assistant that was asked has done by now; ``save`` puts it on disk."""
        place = next(
            (
                place
                for place, each in enumerate(self._closed_parts)
                if isinstance(each, InnerRunPart) and (each.call_id, each.step) == (part.call_id, part.step)
            ),
            None,
        )
        if place is None:
            self._closed_parts.append(part)
        else:
            self._closed_parts[place] = part
        self._run.publish(InnerRunEvent(**self._head(), part=part, states=dict(states)))

    async def add_result(
        self,
        call: ToolCallPart,
        status: ResultStatus,
        text: str,
        duration_seconds: float = 0.0,
        items: tuple[ResultItem, ...] = (),
    ) -> ToolResultPart:
        """Store the one result of a call, then show it; returns it as it is stored."""
        result = ToolResultPart(
            call_id=call.call_id,
            status=status,
            text=text,
            duration_seconds=duration_seconds,
            items=items,
            step=call.step,
        )
        self._closed_parts.append(result)
        await self.save()
        self._publish_result(result)
        return result

    def _publish_result(self, result: ToolResultPart) -> None:
        self._run.publish(
            ToolResultEvent(
                **self._head(),
                call_id=result.call_id,
                status=result.status,
                text=result.text,
                duration_seconds=result.duration_seconds,
                items=result.items,
            )
        )

    # -- the end --------------------------------------------------------------------------------------------------

    async def done(self, reason: DoneReason, usage: Usage) -> None:
        """Close what is open, commit, and emit ``DoneEvent``."""
        status = MessageStatus.STOPPED if reason is DoneReason.STOPPED else MessageStatus.COMPLETE
        await self._finish(status, reason.value, usage)
        self._run.publish(
            DoneEvent(
                **self._head(),
                reason=reason,
                usage=usage,
                duration_seconds=self._duration(),
                cost=self._cost_of(usage),
            )
        )

    async def failed(self, error: ThreadwellError, usage: Usage, *, step: int) -> None:
        """Close what is open, keep what was received and why it ended, and emit ``ErrorEvent``.

        When even that cannot be stored, the event is emitted all the same: the user must hear of it.
        """
        part = ErrorPart(code=error.code, params=error.params, step=step)
        try:
            await self._finish(MessageStatus.FAILED, "error", usage, part)
        finally:
            self.report(error)

    def report(self, error: ThreadwellError) -> None:
        """Emit ``ErrorEvent`` without storing anything."""
        self._run.publish(ErrorEvent(**self._head(), code=error.code, params=dict(error.params)))

    async def _finish(self, status: MessageStatus, reason: str, usage: Usage, *last: Part) -> None:
        self.close_part()
        answered = {part.call_id for part in self._closed_parts if isinstance(part, ToolResultPart)}
        text = "Interrupted: the answer ended before this tool finished."
        orphans = [
            ToolResultPart(call_id=call.call_id, status=ResultStatus.INTERRUPTED, text=text, step=call.step)
            for call in self._closed_parts
            if isinstance(call, ToolCallPart) and call.call_id not in answered
        ]
        self._closed_parts.extend(orphans)
        try:
            await self._repository.finish_turn(
                self._run.turn.turn_id,
                parts=[*self._closed_parts, *last],
                status=status,
                reason=reason,
                usage=usage,
                duration_seconds=self._duration(),
                cost=self._cost_of(usage),
            )
        finally:
            for result in orphans:
                self._publish_result(result)
            if self._has_said and not self._final_sent:
                self._final_sent = True
                self._run.publish(MessageEvent(**self._head(), delta="", final=True))

    def message(self) -> Message:
        """The answer as it is now, for the next request."""
        return dataclasses.replace(self._run.turn.assistant_message, parts=tuple(self._parts()))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _parts(self) -> list[Part]:
        return (
            [*self._closed_parts, self._open.part(), *self._waiting_parts] if self._open else list(self._closed_parts)
        )

    def _head(self) -> "_Head":
        head = _Head(thread_id=self._run.thread_id, message_id=self._run.message_id, seq=self._seq)
        self._seq += 1
        return head

    def _duration(self) -> float:
        return max(0.0, round(self._working_time() - self._started, 3))

    def _working_time(self) -> float:
        """Seconds by a clock that stands still while a question to the user is open."""
        return time.monotonic() - self._waited_seconds()
