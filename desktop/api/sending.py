"""A message of a client: sent at once where its thread is free, else it waits for its turn in the thread's queue."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass

from desktop.agent.queue_state import Pause
from desktop.agent.run import Run
from desktop.api.problems import ApiProblem, problem_of
from desktop.api.runs import FollowedRuns
from desktop.api.services import ApiServices
from desktop.conversation.queued import QueuedMessage
from desktop.core.errors import ThreadwellError


@dataclass(frozen=True)
class Waiting:
    """A message that stands in the queue of its thread."""

    message: QueuedMessage
    run: "asyncio.Future[Run | ApiProblem]"
    """Its answer once it began, or why it is not sent."""
    detach: bool
    approves_plan: bool = False


class Sender:
    """Messages of one thread are answered in the order in which they came."""

    def __init__(self, services: ApiServices, runs: FollowedRuns) -> None:
        self._services = services
        self._runs = runs
        self._waiting: dict[str, Waiting] = {}
        self._abandoned: set[str] = set()
        """Messages that were on their way already when nobody waited for them any more."""
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._in_lock: defaultdict[str, int] = defaultdict(int)
        self._last_failure: ThreadwellError | None = None
        services.chat.run_started.connect(self._run_started)
        services.queue.changed.connect(self._queue_changed)
        services.queue.failed.connect(self._sending_failed)

    async def send(self, thread_id: str, text: str, *, detach: bool, approves_plan: bool = False) -> Run | Waiting:
        """Returns when the message is on disk. Raises ``ThreadwellError``."""
        self._in_lock[thread_id] += 1
        try:
            async with self._locks[thread_id]:
                return await self._send(thread_id, text, detach=detach, approves_plan=approves_plan)
        finally:
            self._in_lock[thread_id] -= 1
            if not self._in_lock[thread_id]:
                del self._in_lock[thread_id], self._locks[thread_id]

    async def _send(self, thread_id: str, text: str, *, detach: bool, approves_plan: bool) -> Run | Waiting:
        queue = self._services.queue
        await queue.load(thread_id)
        if not queue.takes(thread_id):
            try:
                run = await self._services.chat.send(thread_id, text, approves_plan=approves_plan)
            except ThreadwellError as error:
                if error.code != "run.busy":
                    raise
            else:
                self._runs.follow(run, detach=detach)
                return run
        message = await queue.add(thread_id, text)
        waiting = Waiting(message, asyncio.get_running_loop().create_future(), detach, approves_plan)
        self._waiting[message.id] = waiting
        self._queue_changed(thread_id)
        return waiting

    async def give_up(self, waiting: Waiting) -> None:
        """Nobody waits for the answer any more: the message is not sent, unless it was to go on without a reader."""
        if waiting.detach or waiting.run.done():
            return
        message = waiting.message
        del self._waiting[message.id]
        left = await self._services.queue.remove(message.thread_id, [message.id])
        if left.sending == message.id:
            self._abandoned.add(message.id)

    def _run_started(self, run: Run) -> None:
        if not run.is_from_queue:
            return
        message_id = self._services.queue.queue_of(run.thread_id).sending
        if message_id in self._abandoned:
            self._abandoned.discard(message_id)
            self._runs.follow(run, detach=False)
            self._runs.begin_reading(run)
            self._runs.end_reading(run)
        elif (waiting := self._waiting.pop(message_id, None)) is not None:
            run.approves_plan = waiting.approves_plan
            self._runs.follow(run, detach=waiting.detach)
            waiting.run.set_result(run)

    def _sending_failed(self, error: ThreadwellError) -> None:
        self._last_failure = error  # the queue pauses in the same breath

    def _queue_changed(self, thread_id: str) -> None:
        queue = self._services.queue.queue_of(thread_id)
        there = {message.id for message in queue.messages}
        mine = [w for w in self._waiting.values() if w.message.thread_id == thread_id]
        for waiting in mine:
            if waiting.message.id not in there:
                self._fail(waiting, _REMOVED)
            elif queue.pause is not None and not self._runs.goes_on(thread_id):
                failure, self._last_failure = self._last_failure, None
                is_unsent = queue.pause is Pause.UNSENT and failure is not None
                self._fail(waiting, problem_of(failure) if is_unsent and failure is not None else _PAUSED)

    def _fail(self, waiting: Waiting, problem: ApiProblem) -> None:
        del self._waiting[waiting.message.id]
        waiting.run.set_result(problem)
        if not waiting.detach and problem is not _REMOVED:
            left = self._services.queue.remove(waiting.message.thread_id, [waiting.message.id])
            self._services.tasks.spawn(left, name="take back what is not sent")


_REMOVED = ApiProblem(
    410, "message_removed", "The message was taken out of the queue.", "It was not sent; send it again."
)
_PAUSED = ApiProblem(
    409,
    "queue_paused",
    "The answer before it was stopped, failed or is not whole, so this message was not sent.",
    "Look at the answer before, then send it again.",
)
