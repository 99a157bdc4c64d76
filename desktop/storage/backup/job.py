"""What a long piece of work in a thread shares with whoever waits for it: how far it is, and that it shall stop."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from desktop.core.backups import Progress, Stage, Told

T = TypeVar("T")


class StoppedError(Exception):
    """Somebody asked the work to stop; what it had begun is cleaned up by whoever began it."""


class Job:
    """Given to the work; ``told`` is called in the work's thread."""

    def __init__(self, told: Told = lambda _progress: None) -> None:
        self._told = told
        self._stop = threading.Event()

    def stop(self) -> None:
        """Let the work end at its next step."""
        self._stop.set()

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set()

    def tell(self, stage: Stage, done: int = 0, total: int = 0) -> None:
        """Say how far it is. Raises ``StoppedError`` where it shall go no further."""
        self.go_on()
        self._told(Progress(stage=stage, done=done, total=total))

    def go_on(self) -> None:
        """Raises ``StoppedError`` where the work shall go no further."""
        if self._stop.is_set():
            raise StoppedError


class Steps:
    """Counts what a stage has done of a total, file by file."""

    def __init__(self, job: Job, stage: Stage, total: int) -> None:
        self._job, self._stage, self._total = job, stage, total
        self._done = 0

    def at(self, more: int) -> None:
        """Say that so much of the present file is done. Raises ``StoppedError``."""
        self._job.tell(self._stage, self._done + more, self._total)

    def add(self, size: int) -> None:
        """The present file is done."""
        self._done += size


async def run_job(told: Told, work: Callable[[Job], T]) -> T:
    """Run ``work`` in a thread; when the caller is cancelled, stop it, wait for its end, and pass that on.

    ``told`` is called in the loop. Work that is whole when it hears of the stop stays whole: its result is lost, as the
    caller wanted.
    """
    loop = asyncio.get_running_loop()

    def tell(progress: Progress) -> None:
        loop.call_soon_threadsafe(told, progress)

    job = Job(tell)
    task = loop.run_in_executor(None, work, job)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        job.stop()
        while not task.done():
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                continue
            except Exception:  # noqa: BLE001, S110  (nobody waits for it any more; the cancellation says what happened)
                pass
        if not task.cancelled():
            task.exception()
        raise
