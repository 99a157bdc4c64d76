"""Has the model that answers a chat summarise, after a turn and in the background, what is about to leave the window."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from desktop.agent.chat_service import ChatService
from desktop.agent.run import Run
from desktop.agent.summary_making import Made, Making, SummaryWriter
from desktop.agent.whole_answer import Beside, last_answer, unrecorded
from desktop.conversation.context import MAX_ROUNDS
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.request_records import Purpose
from desktop.conversation.summaries import (
    MOST_OWN_CHARACTERS,
    Summary,
    SummaryProblem,
    SummaryRepository,
    SummaryState,
    clean_pinned,
)
from desktop.conversation.window import Window, to_be_summarised
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.ids import new_id
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.core.token_count import cached_count

logger = logging.getLogger(__name__)

MOST_TURNS_TO_WAIT = 16


class Summarizer:
    """One summary at a time in a thread. Nothing that goes wrong here reaches an answer: it is noted, and said.

    Signals:
        changed: what holds for a thread is another, or is being made; carries the thread's id.
    """

    def __init__(
        self,
        *,
        chat: ChatService,
        repository: ThreadRepository,
        summaries: SummaryRepository,
        writer: Callable[[ThreadOptions], SummaryWriter],
        tasks: TaskSupervisor,
        wanted: Callable[[], bool] = lambda: True,
        beside: Beside = unrecorded,
        clock: Clock = utc_now,
    ) -> None:
        """``writer`` tells who summarises a thread with these options; ``wanted`` whether it is done after a turn;
        ``beside`` has what that takes recorded."""
        self._chat = chat
        self._repository = repository
        self._summaries = summaries
        self._writer = writer
        self._tasks = tasks
        self._wanted = wanted
        self._beside = beside
        self._clock = clock
        self._running: dict[str, asyncio.Task[None]] = {}
        self._making: set[str] = set()
        self._dropped: dict[str, str | None] = {}
        self.changed = Signal[str]()
        chat.run_ended.connect(self._run_ended)

    def is_busy(self, thread_id: str) -> bool:
        """A summary of the thread is being made, or it is found out whether one is due, as after each turn."""
        return thread_id in self._running

    def is_making(self, thread_id: str) -> bool:
        """A summary of the thread is being made."""
        return thread_id in self._making

    def last_dropped(self, thread_id: str) -> str | None:
        """The last message of the thread that its last request, or the next one, holds in no form, if that is known."""
        return self._dropped.get(thread_id)

    def note_window(self, thread_id: str, window: Window) -> None:
        """What a request of the thread holds was found out."""
        dropped = window.dropped[-1] if window.dropped else None
        if dropped != self._dropped.get(thread_id):
            self._dropped[thread_id] = dropped
            self.changed.emit(thread_id)

    async def state(self, thread_id: str) -> SummaryState:
        """What holds for the path that the thread shows. Raises ``StorageError``."""
        return await self._summaries.on_path(thread_id)

    async def edit(self, state: SummaryState, text: str, pinned: Sequence[str]) -> bool:
        """Store the user's words in place of the summary's, and what is pinned; both stay when it is extended.

        False where the summary is not what the user saw any more: nothing is stored. Raises ``StorageError``.
        """
        summary = state.summary
        if summary is None:
            return False
        text, kept = text.strip()[:MOST_OWN_CHARACTERS], clean_pinned(pinned)
        edited = replace(summary, pinned=kept, updated_at=self._clock())
        if text != summary.whole:
            edited = replace(edited, own_text=text, text="", is_stale=summary.is_stale and not text)
        is_stored = await self._summaries.put(edited, state)
        self.changed.emit(summary.thread_id)
        return is_stored

    async def set_off(self, thread_id: str, is_off: bool) -> None:
        """Let the chat be sent without a summary, or with it. Raises ``StorageError``."""
        await self._summaries.set_off(thread_id, is_off)
        self.changed.emit(thread_id)

    def make_again(self, thread_id: str) -> None:
        """Make the summary anew from the messages, to where it ends now, or try again where that failed."""
        self._start(thread_id, partial(self._make_again, thread_id))

    async def close(self) -> None:
        """End what runs: what is not stored yet is made after a later turn."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    # -- when

    def _run_ended(self, run: Run) -> None:
        if run.window is None or self._chat.runs_of(run.thread_id):
            return
        self.note_window(run.thread_id, run.window)
        if self._wanted():
            self._start(run.thread_id, partial(self._after_turn, run.thread_id, run.window))

    def _start(self, thread_id: str, work: Callable[[], Awaitable[None]]) -> None:
        if thread_id not in self._running:
            self._running[thread_id] = self._tasks.spawn(self._guarded(thread_id, work), name=f"summary of {thread_id}")

    async def _guarded(self, thread_id: str, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except StorageError as error:  # the thread is gone, or the disk is full
            logger.info("no summary is stored: %s", error)
        finally:
            del self._running[thread_id]
            if thread_id in self._making:
                self._making.remove(thread_id)
                self.changed.emit(thread_id)

    async def _after_turn(self, thread_id: str, window: Window) -> None:
        thread = await self._repository.get_thread(thread_id)
        state = await self._summaries.on_path(thread_id)
        if thread is None or state.is_off or (writer := self._writer(thread.options)).is_scripted:
            return
        if state.turns_to_wait:
            await self._summaries.wait_a_turn(thread_id)
            return
        summary = state.summary
        until = await self._due(thread_id, state, writer, max(window.room - window.system - window.summary_tokens, 0))
        if until is None and summary is not None and summary.is_stale:
            until = summary.until_id
        if until is not None:
            await self._make(thread_id, state, until, writer)

    async def _due(self, thread_id: str, state: SummaryState, writer: SummaryWriter, room: int) -> str | None:
        path = await self._repository.path(thread_id, last=2 * MAX_ROUNDS)
        return await asyncio.to_thread(
            to_be_summarised,
            path,
            until=None if state.summary is None else state.summary.until_id,
            room=room,
            result_room=writer.result_bytes,
            measure=cached_count,
        )

    async def _make_again(self, thread_id: str) -> None:
        thread = await self._repository.get_thread(thread_id)
        state = await self._summaries.on_path(thread_id)
        if thread is None:
            return
        writer, blank = self._writer(thread.options), None
        if state.summary is not None and self.last_dropped(thread_id) is None:
            blank = replace(state.summary, text="", own_text="", is_stale=True)
            until = blank.until_id
        else:
            until = await self._due(thread_id, state, writer, writer.reading.room)
        if until is not None:
            await self._make(thread_id, state, until, writer, base=blank)

    # -- making

    async def _make(
        self, thread_id: str, state: SummaryState, until: str, writer: SummaryWriter, *, base: Summary | None = None
    ) -> None:
        """Summarise to ``until``: what the summary does not stand for yet, or all of it where there is no use of it."""
        self._making.add(thread_id)
        self.changed.emit(thread_id)
        base = base or state.summary
        path = await self._repository.path(thread_id, until=until)
        ids = [message.id for message in path]
        if base is not None and base.until_id not in ids:
            base = None  # the chat goes another way by now, of which that knows nothing
        elif base is not None and not base.is_stale:
            path = path[ids.index(base.until_id) + 1 :]
        try:
            model, answer = writer.model(), await last_answer(self._repository, thread_id)
            model = model if answer is None else self._beside(model, answer, Purpose.SUMMARY)
            made = await Making(model, writer, self._summaries, base).notes_on(path)
        except ThreadwellError as error:
            logger.info("the chat was not summarised: %s", error.code)
            await self._note(thread_id, state, SummaryProblem.FAILED)
            return
        if made.until is not None:
            await self._store(thread_id, state, base, made, writer)
        if made.problem is not None:
            await self._note(thread_id, state, made.problem)

    async def _note(self, thread_id: str, state: SummaryState, problem: SummaryProblem) -> None:
        await self._summaries.note_problem(thread_id, problem, min(2**state.attempts, MOST_TURNS_TO_WAIT))

    async def _store(
        self, thread_id: str, state: SummaryState, base: Summary | None, made: Made, writer: SummaryWriter
    ) -> None:
        assert made.until is not None
        now, usage = self._clock(), made.usage
        before = state.summary
        is_same = before is not None and before.until_id == made.until
        if is_same and before is not None:
            usage = before.usage + usage  # what it took the first time was paid, too
        summary = Summary(
            id=before.id if is_same and before is not None else new_id(),
            thread_id=thread_id,
            until_id=made.until,
            text=made.text,
            own_text="" if base is None else base.own_text,
            pinned=() if base is None else base.pinned,
            created_at=now,
            updated_at=now,
            model=writer.recorded_as,
            usage=usage,
            cost=writer.cost_of(usage),
        )
        if await self._summaries.put(summary, state):
            await self._summaries.note_problem(thread_id, None)
        else:
            logger.info("the summary was changed meanwhile; what was made is left out")
