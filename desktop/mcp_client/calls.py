"""The calls that one server is working on: their deadlines, their progress, and the questions asked meanwhile."""

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from desktop.tools.entities import CallProgress
from desktop.tools.ports import ProgressListener
from desktop.tools.server_remarks import Remark

MOST_STRETCHED = 10
"""A call that makes progress may take this many times its deadline, time for questions not counted."""
_MOST_REMARKS = 3
_SHOWN_SECONDS = 0.2
"""Progress is passed on at most this often."""

_current: contextvars.ContextVar["ActiveCall | None"] = contextvars.ContextVar("current_call", default=None)


class ActiveCall:
    """One call in flight with its deadline, which rests while a person is asked and moves on with progress."""

    def __init__(
        self,
        thread_id: str,
        turn_id: str,
        limit: asyncio.Timeout,
        deadline_seconds: float,
        on_progress: ProgressListener | None,
    ) -> None:
        self.thread_id = thread_id
        self.turn_id = turn_id
        self.rested_seconds = 0.0
        self.remarks: list[Remark] = []
        """What the reader of its result should know of it."""
        self._limit = limit
        self._deadline_seconds = deadline_seconds
        self._on_progress = on_progress
        self._began = asyncio.get_running_loop().time()
        self._seconds_left: float | None = None
        self._paused_at = 0.0
        self._done = float("-inf")
        self._told_at = float("-inf")
        self._telling: asyncio.TimerHandle | None = None

    def note(self, remark: Remark) -> None:
        """Keep it for the reader of the result, once, and only the first few."""
        if remark not in self.remarks and len(self.remarks) < _MOST_REMARKS:
            self.remarks.append(remark)

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

    async def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        """Take the server's word that the call goes on. What is not more than before gives no more time."""
        if self._limit.expired():
            return
        now = asyncio.get_running_loop().time()
        if progress > self._done:
            self._done = progress
            self._extend(now)
        if self._on_progress is not None:
            self.be_silent()
            told = CallProgress(done=progress, total=total, message=message or "")
            due = max(now, self._told_at + _SHOWN_SECONDS)
            self._telling = asyncio.get_running_loop().call_at(due, self._tell, self._on_progress, told)

    def be_silent(self) -> None:
        """Tell nothing more of its progress."""
        if self._telling is not None:
            self._telling.cancel()

    def _tell(self, on_progress: ProgressListener, progress: CallProgress) -> None:
        self._told_at = asyncio.get_running_loop().time()
        on_progress(progress)

    def _extend(self, now: float) -> None:
        until = self._paused_at if self._seconds_left is not None else now
        worked = until - self._began - self.rested_seconds
        more = max(0.0, min(self._deadline_seconds, MOST_STRETCHED * self._deadline_seconds - worked))
        due = self._limit.when()
        if self._seconds_left is not None:
            self._seconds_left = max(self._seconds_left, more)
        elif due is not None:
            self._limit.reschedule(max(due, now + more))


class ActiveCalls:
    """False while no call is in flight."""

    def __init__(self) -> None:
        self._calls: dict[ActiveCall, None] = {}
        """In the order in which they began."""
        self._questions: dict[asyncio.Task[Any], ActiveCall | None] = {}
        """With the call that ends them, where it is known."""

    def __bool__(self) -> bool:
        return bool(self._calls)

    @property
    def open_questions(self) -> int:
        return len(self._questions)

    @property
    def asking(self) -> ActiveCall | None:
        """The call during which a question now arriving is asked; None when not even its thread can be told.

        In the newer protocol era a question arrives inside its call. In the older one it arrives by itself: while all
        calls in flight are of one thread it is the newest of them, at the latest.
        """
        if (current := _current.get()) in self._calls:
            return current
        threads = {call.thread_id for call in self._calls}
        return next(reversed(self._calls)) if len(threads) == 1 else None

    @property
    def thread_id(self) -> str:
        """The thread that a question now arriving belongs to; empty when that cannot be told."""
        return call.thread_id if (call := self.asking) is not None else ""

    @asynccontextmanager
    async def running(
        self, thread_id: str, turn_id: str, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> AsyncGenerator[ActiveCall, None]:
        """Wrap a call. Raises ``TimeoutError`` at the deadline; when the last call ends, open questions are withdrawn."""
        before = _current.get()
        call: ActiveCall | None = None
        try:
            async with asyncio.timeout(deadline_seconds) as limit:
                call = ActiveCall(thread_id, turn_id, limit, deadline_seconds, on_progress)
                self._calls[call] = None
                _current.set(call)
                if self._questions:
                    call.pause()
                yield call
        finally:
            _current.set(before)
            if call is not None:
                self._calls.pop(call, None)
                call.be_silent()
                self._withdraw(of=call)
            if not self._calls:
                self.withdraw_questions()

    @contextmanager
    def question(self, task: "asyncio.Task[Any]", *, of: ActiveCall | None = None) -> Generator[None, None, None]:
        """Count ``task`` as an open question; while there is one, no deadline of this server runs.

        It is aborted with the call that it is asked in, or with the last call of all where that is not known.
        """
        self._questions[task] = of
        for call in self._calls:
            call.pause()
        try:
            yield
        finally:
            self._questions.pop(task, None)
            if not self._questions:
                for call in self._calls:
                    call.resume()

    def withdraw_questions(self) -> None:
        """Abort every open question: its call is over or its server is gone."""
        for task in tuple(self._questions):
            task.cancel()

    def _withdraw(self, of: ActiveCall) -> None:
        for task, call in tuple(self._questions.items()):
            if call is of:
                task.cancel()
