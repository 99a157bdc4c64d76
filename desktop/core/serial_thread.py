"""A thread that does one thing after another, beside the loop: for what is not safe in several threads or must keep its order."""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
logger = logging.getLogger(__name__)


class SerialThread:
    """Starts with the first call. It is a daemon: a call that never ends does not keep the program from ending."""

    def __init__(self, name: str, *, patience_seconds: float = 5.0) -> None:
        """``patience_seconds`` is how long ``close`` waits for what still runs."""
        self._name = name
        self._patience_seconds = patience_seconds
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    async def run(self, work: Callable[[], T]) -> T:
        """Have ``work`` done when its turn comes, and return or raise what it does.

        Whoever is cancelled while waiting has it not done at all; once it has begun it goes on to its end.
        """
        if self._is_closed:
            raise RuntimeError(f"the thread {self._name!r} is closed")
        future: Future[T] = Future()
        self._calls.put(lambda: _do(work, future))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        return await asyncio.wrap_future(future)

    async def close(self) -> None:
        """End the thread after the calls so far. Harmless when repeated."""
        self._is_closed = True
        thread, self._thread = self._thread, None
        if thread is None:
            return
        ended: Future[None] = Future()
        self._calls.put(lambda: ended.set_result(None))
        self._calls.put(None)
        done, _ = await asyncio.wait({asyncio.wrap_future(ended)}, timeout=self._patience_seconds)
        if done:
            thread.join()
        else:
            logger.warning("the thread %s is still busy and is left behind", self._name)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # holds the caller's data


def _do(work: Callable[[], T], future: "Future[T]") -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 (native code throws past Exception; all of it is the caller's)
        future.set_exception(error)
    else:
        future.set_result(result)
