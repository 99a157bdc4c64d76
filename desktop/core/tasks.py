"""The only place that creates asyncio tasks: named, strongly held, their failures reported, all ended at quit."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")
logger = logging.getLogger(__name__)


class TaskSupervisor:
    """Owns background tasks.

    asyncio itself holds tasks weakly and reports a lost failure only at garbage collection, or never; here a failure
    goes to ``on_error`` (the log when none is given) as soon as it happens.
    """

    def __init__(self, on_error: Callable[[str, BaseException], None] | None = None) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._on_error = on_error

    def spawn(self, coroutine: Coroutine[Any, Any, T], *, name: str) -> "asyncio.Task[T]":
        """Start ``coroutine`` on the running loop. ``name`` stands in logs and in the shutdown report."""
        task = asyncio.get_running_loop().create_task(coroutine, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        if self._on_error is not None:
            self._on_error(task.get_name(), error)
        else:
            logger.error("task %s failed", task.get_name(), exc_info=error)

    async def close(self, timeout_seconds: float = 5.0) -> list[str]:
        """Cancel what still runs and wait for it; returns the names of tasks that did not end in time."""
        tasks = [t for t in self._tasks if t is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if not tasks:
            return []
        _, pending = await asyncio.wait(tasks, timeout=timeout_seconds)
        return sorted(t.get_name() for t in pending)


async def uninterrupted(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run ``coroutine`` to its end even when the caller is cancelled meanwhile, and return its result.

    For the last commit of something: it is never left half done. The cancellation is not raised again: whoever
    finishes is finished.
    """
    return (await held_back(coroutine))[0]


async def held_back(coroutine: Coroutine[Any, Any, T]) -> tuple[T, asyncio.CancelledError | None]:
    """As ``uninterrupted``, and return the cancellation that came meanwhile, for the caller to raise later on.

    That very one and none of one's own: by what it carries anyio knows which of its scopes was cancelled, and one that
    it does not know ends everything around it.
    """
    task = asyncio.get_running_loop().create_task(coroutine)
    cancellation: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancellation = error
    return task.result(), cancellation


@asynccontextmanager
async def in_a_thread(context: AbstractContextManager[T]) -> AsyncGenerator[T, None]:
    """Go into ``context`` and out of it beside the loop, where that takes long; neither is left half done."""
    stack = ExitStack()
    value, cancellation = await held_back(asyncio.to_thread(stack.enter_context, context))
    try:
        if cancellation is not None:
            raise cancellation
        yield value
    finally:
        await uninterrupted(asyncio.to_thread(stack.close))


def is_cancelled() -> bool:
    """Tell whether the running task was asked to end, for one that held that back by ``uninterrupted``."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


@asynccontextmanager
async def alongside(coroutine: Coroutine[Any, Any, None]) -> AsyncGenerator[None, None]:
    """Run ``coroutine`` beside the body and cancel it at the body's end.

    When it fails first, the body is cancelled and the failure is raised instead.
    """
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(coroutine)
            yield
            task.cancel()
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def run_all(calls: Sequence[Callable[[], Awaitable[T]]], *, at_once: int) -> list[T]:
    """Run the calls, at most ``at_once`` together, and return their results in order.

    The first failure cancels the others, waits for them, and is raised; so does a cancellation from outside.
    """
    places = asyncio.Semaphore(at_once)

    async def one(call: Callable[[], Awaitable[T]]) -> T:
        async with places:
            return await call()

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(call)) for call in calls]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


@asynccontextmanager
async def begun(coroutine: Coroutine[Any, Any, T]) -> AsyncGenerator["asyncio.Task[T]", None]:
    """Start ``coroutine`` beside the body, which may wait for the task in portions; at the body's end it is over.

    A portion is ``asyncio.wait({task}, timeout=...)``, which does not cancel what it waits for.
    """
    task = asyncio.get_running_loop().create_task(coroutine)
    try:
        yield task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
        if not task.cancelled():
            task.exception()  # read by the body, or of no interest any more
