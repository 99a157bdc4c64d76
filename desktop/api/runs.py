"""The answers that clients of the API follow: who reads which, what becomes of one that nobody reads, and resuming."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from desktop.agent.events import RunEvent, event_to_json
from desktop.agent.queue_state import Pause
from desktop.agent.run import Run
from desktop.api.event_stream import HEARTBEAT, piece, with_heartbeats
from desktop.api.services import ApiServices

MOST_KEPT = 100
"""Answers that can still be read after their end."""
KEPT_SECONDS = 600.0


@dataclass
class _Followed:
    run: Run
    is_detached: bool
    readers: int = 0
    left_at: float = 0.0


class FollowedRuns:
    """An answer that a client began ends with its last reader, unless it was to go on without one."""

    def __init__(self, services: ApiServices) -> None:
        self._services = services
        self._followed: dict[str, _Followed] = {}
        """By the message that each writes, in the order in which they began."""
        self._going_on: set[str] = set()
        """Threads in which an answer is being stopped because its reader left: what waits there is sent after it."""
        services.conversations.thread_removed.connect(self._thread_removed)

    def follow(self, run: Run, *, detach: bool) -> None:
        """Take in an answer that a client began."""
        self._forget_old()
        self._followed[run.message_id] = _Followed(run=run, is_detached=detach)

    def find(self, thread_id: str, message_id: str) -> Run | None:
        """Return the run that writes this answer, or wrote it a short while ago for a client of the API."""
        run = self._services.chat.run_of_message(message_id)
        if run is None and (followed := self._followed.get(message_id)) is not None:
            run = followed.run
        return run if run is not None and run.thread_id == thread_id else None

    def begin_reading(self, run: Run) -> None:
        if (followed := self._followed.get(run.message_id)) is not None:
            followed.readers += 1

    def end_reading(self, run: Run) -> None:
        """Note that a reader is gone; the last one takes the answer with it."""
        followed = self._followed.get(run.message_id)
        if followed is None:
            return
        followed.readers -= 1
        followed.left_at = time.monotonic()
        if not followed.readers and not followed.is_detached and run.terminal is None:
            self._services.tasks.spawn(self._stop(run), name="stop an answer that nobody reads")

    def goes_on(self, thread_id: str) -> bool:
        """Whether a pause of the thread's queue is none: only a reader left, and nobody stopped anything."""
        return thread_id in self._going_on

    async def _stop(self, run: Run) -> None:
        """Stop the answer and those that were begun beside it; other messages of the thread are nobody's fault."""
        chat, queue, thread_id = self._services.chat, self._services.queue, run.thread_id
        question = run.turn.user_message.id
        self._going_on.add(thread_id)
        try:
            for each in chat.runs_of(thread_id):
                if each.turn.user_message.id == question:
                    await chat.stop_answer(each.message_id)
        finally:
            self._going_on.discard(thread_id)
        if queue.queue_of(thread_id).pause is Pause.STOPPED:
            queue.go_on(thread_id)

    def _forget_old(self) -> None:
        oldest = time.monotonic() - KEPT_SECONDS
        ended = [key for key, f in self._followed.items() if f.run.terminal is not None and not f.readers]
        surplus = len(self._followed) - MOST_KEPT
        for number, key in enumerate(ended):
            if number < surplus or self._followed[key].left_at < oldest:
                del self._followed[key]

    def _thread_removed(self, thread_id: str) -> None:
        for key in [key for key, followed in self._followed.items() if followed.run.thread_id == thread_id]:
            del self._followed[key]


async def events_of(run: Run, *, after: int, heartbeat_seconds: float) -> AsyncGenerator[bytes, None]:
    """Yield the events of an answer behind the one numbered ``after``, as they go over the wire."""
    async with (
        aclosing(run.events()) as events,
        aclosing(with_heartbeats(events, heartbeat_seconds)) as beating,
    ):
        async for event in beating:
            if event is None:
                yield HEARTBEAT
            elif event.seq > after:
                yield piece(event.kind, event_to_json(event), event_id(event))


def event_id(event: RunEvent) -> str:
    return f"{event.message_id}:{event.seq}"


def read_event_id(text: str) -> tuple[str, int] | None:
    """Return the message and the number that an event's id names; None for what is none."""
    message_id, _, number = text.partition(":")
    if not message_id or not number.isascii() or not number.isdigit() or len(number) > 9:
        return None
    return message_id, int(number)
