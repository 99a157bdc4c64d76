"""The calls that one server is working on: their deadlines, which rest while a person is being asked, and its questions."""

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

_current_thread: contextvars.ContextVar[str] = contextvars.ContextVar("thread_of_the_call", default="")


class ActiveCall:
    """One call in flight with its deadline, and for how long it rested."""

    def __init__(self, thread_id: str, limit: asyncio.Timeout) -> None:
        self.thread_id = thread_id
        self._limit = limit
        self._seconds_left: float | None = None
        self._paused_at = 0.0
        self.rested_seconds = 0.0

    def pause(self) -> None:
        due = self._limit.when()
        if self._seconds_left is None and due is not None and not self._limit.expired():
            self._paused_at = asyncio.get_running_loop().time()
            self._seconds_left = max(0.0, due - self._paused_at)
            self._limit.reschedule(None)

    def resume(self) -> None:
        if self._seconds_left is not None:
            now = asyncio.get_running_loop().time()
            self.rested_seconds += now - self._paused_at
            self._limit.reschedule(now + self._seconds_left)
            self._seconds_left = None


class ActiveCalls:
    """False while no call is in flight."""

    def __init__(self) -> None:
        self._calls: set[ActiveCall] = set()
        self._questions: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        return bool(self._calls)

    @property
    def open_questions(self) -> int:
        return len(self._questions)

    @property
    def thread_id(self) -> str:
        """The thread that a question now arriving belongs to; empty when that cannot be told.

        In the newer protocol era a question arrives inside its call. In the older one it arrives by itself, so it is
        known only while all calls in flight are of one thread.
        """
        threads = {call.thread_id for call in self._calls}
        return _current_thread.get() or (threads.pop() if len(threads) == 1 else "")

    @asynccontextmanager
    async def running(self, thread_id: str, deadline_seconds: float) -> AsyncGenerator[ActiveCall, None]:
        """Wrap a call. Raises ``TimeoutError`` at the deadline; when the last call ends, open questions are withdrawn."""
        token = _current_thread.set(thread_id)
        call: ActiveCall | None = None
        try:
            async with asyncio.timeout(deadline_seconds) as limit:
                call = ActiveCall(thread_id, limit)
                self._calls.add(call)
                if self._questions:
                    call.pause()
                yield call
        finally:
            _current_thread.reset(token)
            if call is not None:
                self._calls.discard(call)
            if not self._calls:
                self.withdraw_questions()

    @contextmanager
    def question(self, task: "asyncio.Task[Any]") -> Generator[None, None, None]:
        """Count ``task`` as an open question; while there is one, no deadline of this server runs."""
        self._questions.add(task)
        for call in self._calls:
            call.pause()
        try:
            yield
        finally:
            self._questions.discard(task)
            if not self._questions:
                for call in self._calls:
                    call.resume()

    def withdraw_questions(self) -> None:
        """Abort every open question: its call is over or its server is gone."""
        for task in tuple(self._questions):
            task.cancel()
