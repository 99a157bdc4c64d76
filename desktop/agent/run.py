"""The handle on one running answer: its events from the first on, its end, and Stop."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from desktop.agent.events import AgentEvent, TerminalEvent
from desktop.conversation.entities import RemarkPart, SourcesPart, StartedTurn
from desktop.conversation.request_records import Purpose
from desktop.conversation.window import Window


class Run:
    """One answer being made, or going on. Several consumers may read the events, each from the beginning."""

    purpose = Purpose.ANSWER
    """What its requests are sent for."""
    call_prefix = ""
    """Stands before the ids of its calls in the journal, behind that of the turn."""

    def __init__(
        self,
        turn: StartedTurn,
        *,
        beside: Sequence[SourcesPart | RemarkPart] = (),
        is_from_queue: bool = False,
        approves_plan: bool = False,
    ) -> None:
        """``beside`` is what stood beside a text that goes on, to be put there again at its end.

        ``is_from_queue``: its message had waited, and nobody pressed a key just now. ``approves_plan``: whoever sent it
        wants any plan carried out without being asked.
        """
        self.turn = turn
        self.beside = beside
        self.is_from_queue = is_from_queue
        self.approves_plan = approves_plan
        self.window: Window | None = None
        """What its last request held of the chat; for the loop to set."""
        self.recording: asyncio.Task[None] | None = None
        """Writes down the last of what was sent for it, after all before; it may go on when the answer has ended."""
        self._events: list[AgentEvent] = []
        self._more = asyncio.Event()
        self._ended = asyncio.Event()
        self._terminal: TerminalEvent | None = None
        self._task: asyncio.Task[None] | None = None
        self._begun = False
        self._stop_wanted = False

    @property
    def thread_id(self) -> str:
        return self.turn.thread_id

    @property
    def message_id(self) -> str:
        """The answer that this run writes."""
        return self.turn.assistant_message.id

    @property
    def terminal(self) -> TerminalEvent | None:
        """The last event, once there is one."""
        return self._terminal

    def attach(self, task: "asyncio.Task[None]") -> None:
        """Tell which task does the work; for the chat service."""
        self._task = task

    def begin(self) -> None:
        """Say that the task has reached the code that turns a cancellation into a proper end; for the loop."""
        self._begun = True
        if self._stop_wanted:
            self.stop()

    def publish(self, event: AgentEvent) -> None:
        """Append an event and wake the readers; for the loop."""
        self._events.append(event)
        if isinstance(event, TerminalEvent):
            self._terminal = event
            self._ended.set()
        self._more.set()
        self._more = asyncio.Event()

    async def batches(self, pause: Callable[[], float] | None = None) -> AsyncGenerator[Sequence[AgentEvent], None]:
        """Yield what there is, then whatever came since the last batch was taken, until the terminal event.

        ``pause`` tells for how many seconds more is waited for, once there is something.
        """
        position = 0
        while True:
            if position == len(self._events):
                await self._more.wait()
            if pause is not None:
                await asyncio.sleep(pause())
            batch = self._events[position:]
            position += len(batch)
            yield batch
            if isinstance(batch[-1], TerminalEvent):
                return

    async def events(self) -> AsyncGenerator[AgentEvent, None]:
        """Yield every event from the first on, then live, until the terminal one."""
        async with aclosing(self.batches()) as batches:
            async for batch in batches:
                for event in batch:
                    yield event

    async def wait(self) -> TerminalEvent:
        """Wait for the end and return the terminal event."""
        await self._ended.wait()
        assert self._terminal is not None
        return self._terminal

    async def wait_over(self) -> None:
        """Wait until everybody was told of the end, so that nothing of the run is left; for the chat service."""
        await self.wait()
        if tasks := {task for task in (self._task, self.recording) if task is not None}:
            await asyncio.wait(tasks)

    def stop(self) -> None:
        """Ask the run to stop; it ends soon with ``DoneEvent(reason=stopped)``. Harmless when it has ended."""
        self._stop_wanted = True
        # A task that is cancelled before its first step never runs at all, and nothing would store the end.
        if self._begun and self._task is not None and self._terminal is None:
            self._task.cancel()
