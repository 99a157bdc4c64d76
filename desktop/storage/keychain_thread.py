"""A thread for calls that may wait for a person: one after another, holding up neither the loop nor the program's end."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class KeychainCall(Generic[T]):
    """One call: waiting for its turn, running, ended, or dropped before its turn came."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._future: Future[T] = Future()
        self._seen = asyncio.wrap_future(self._future)
        self.is_late = False
        """Nobody waits for it any more, so its end is news."""

    def when_ended(self, receiver: Callable[[T], None]) -> None:
        """Have ``receiver`` called on the loop with the result; never for a dropped call."""
        self._seen.add_done_callback(lambda seen: None if seen.cancelled() else receiver(seen.result()))

    def drop(self) -> bool:
        """Have it not made at all; False when it is being made already."""
        return self._future.cancel()

    async def result(self, within_seconds: float) -> T | None:
        """Return the result; None when the call was dropped or did not end in time. It goes on then."""
        try:
            await asyncio.wait({self._seen}, timeout=within_seconds)
        finally:
            self.is_late = not self._seen.done()
        return self._seen.result() if self._seen.done() and not self._seen.cancelled() else None

    def make(self) -> None:
        """Make the call, in the thread. ``work`` raises nothing."""
        if self._future.set_running_or_notify_cancel():
            self._future.set_result(self._work())


class KeychainThread:
    """Makes calls one after another. It is a daemon: at the program's end, a call that still waits is left behind.

    asyncio's own threads are joined when the loop and the interpreter end, which a forgotten prompt would hold up.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[KeychainCall[object] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[], T]) -> KeychainCall[T]:
        """Have ``work`` done when its turn comes."""
        call = KeychainCall(work)
        self._calls.put(call)  # pyright: ignore[reportArgumentType]  # the queue does not look at results
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="keychain", daemon=True)
            self._thread.start()
        return call

    def close(self) -> None:
        """End the thread after the calls so far; nothing is submitted afterwards."""
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            call.make()
