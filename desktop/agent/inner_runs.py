"""The run of an assistant inside another answer: its handle, and its record, which is a part of that answer."""

import dataclasses
from collections.abc import Sequence

from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.events import AgentEvent, InnerRunEvent, ToolCallEvent
from desktop.agent.run import Run
from desktop.conversation.entities import (
    Message,
    MessageStatus,
    Part,
    StartedTurn,
    TextPart,
    Thread,
    ThreadOptions,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.request_records import Purpose
from desktop.core.costs import Cost
from desktop.core.language_model import NO_USAGE, Usage
from desktop.tools.entities import CallState


class InnerStore:
    """See ``AnswerStore``: all that is written is on disk with the answer in which the run stands."""

    def __init__(self, outer: AnswerWriter, thread: Thread | None, options: ThreadOptions, part: InnerRunPart) -> None:
        self._outer = outer
        self._thread = None if thread is None else dataclasses.replace(thread, options=options)
        self._states: dict[str, CallState] = {}
        self.part = part
        """What the run has done by now."""
        self.question: Message | None = None

    async def get_thread(self, thread_id: str) -> Thread | None:
        return self._thread

    async def path(self, thread_id: str, *, last: int | None = None, until: str | None = None) -> tuple[Message, ...]:
        """It is told of the chat in its task alone."""
        return () if self.question is None else (self.question,)

    async def save_parts(self, message_id: str, parts: Sequence[Part]) -> None:
        self._show(dataclasses.replace(self.part, parts=tuple(parts)))
        await self._outer.save()

    async def finish_turn(
        self,
        turn_id: str,
        *,
        parts: Sequence[Part],
        status: MessageStatus,
        reason: str,
        usage: Usage,
        duration_seconds: float,
        cost: Cost | None = None,
    ) -> Message:
        self._states.clear()
        self._show(dataclasses.replace(self.part, parts=tuple(parts), usage=usage))
        await self._outer.save()
        assert self.question is not None
        return dataclasses.replace(self.question, parts=tuple(parts), status=status, reason=reason)

    def hear(self, event: AgentEvent) -> None:
        """Show in the card of the call what is going on in the run."""
        match event:
            case ToolCallEvent():
                self._states[event.call_id] = event.state
            case InnerRunEvent():
                self._states.update({f"{event.part.call_id}/{key}": state for key, state in event.states.items()})
            case _:
                return
        self._show(self.part)

    def _show(self, part: InnerRunPart) -> None:
        self.part = part
        results = {each.call_id for each in part.parts if isinstance(each, ToolResultPart)}
        self._outer.inner_run(part, {key: state for key, state in self._states.items() if key not in results})


class InnerRun(Run):
    """Has the ids of the answer in which it stands: what is kept of that answer, and goes with it, holds for both."""

    purpose = Purpose.ASSISTANT

    def __init__(self, outer: Run, call_id: str, task: str, store: InnerStore) -> None:
        turn = outer.turn
        question = dataclasses.replace(turn.user_message, parts=(TextPart(text=task),), parent_id=None)
        answer = dataclasses.replace(turn.assistant_message, parts=(), usage=NO_USAGE, duration_seconds=None)
        super().__init__(
            StartedTurn(turn_id=turn.turn_id, thread_id=turn.thread_id, user_message=question, assistant_message=answer)
        )
        self.call_prefix = f"{outer.call_prefix}{call_id}/"
        self._store = store
        store.question = question

    def publish(self, event: AgentEvent) -> None:
        super().publish(event)
        self._store.hear(event)


def said_in(parts: Sequence[Part]) -> str:
    """Return what a run came to: the text of its last step that has any."""
    texts = [part for part in parts if isinstance(part, TextPart) and part.text.strip()]
    last = max((part.step for part in texts), default=0)
    return "\n\n".join(part.text for part in texts if part.step == last).strip()
