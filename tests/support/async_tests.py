"""The pytest plugin that runs ``async def`` tests: on a fresh asyncio loop, or on Qt's where they ask for ``qloop``."""

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest

from tests.support.waiting import until as wait_until

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from desktop.app.event_loop import QtLoop

LIMIT_SECONDS = 60.0
GRACE_SECONDS = 2.0
JOBS_PATIENCE_SECONDS = 30.0
"""For an import in a thread, on a machine that does other things besides."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run the test if it is a coroutine function; the loop is closed when it ends, and nothing may be left on it."""
    function = pyfuncitem.obj
    property_test = getattr(function, "hypothesis", None)
    if property_test is not None and inspect.iscoroutinefunction(property_test.inner_test):
        property_test.inner_test = _made_synchronous(property_test.inner_test)
        return None
    if not inspect.iscoroutinefunction(function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(function).parameters}
    if "qloop" in pyfuncitem.funcargs:
        qloop = cast("QtLoop", pyfuncitem.funcargs["qloop"])
        qloop.run_until_complete(_limited(function(**arguments), _limit_of(pyfuncitem)))
    else:
        _run_on_fresh_loop(function(**arguments), _limit_of(pyfuncitem))
    return True


def _limit_of(item: pytest.Item) -> float:
    """A test that asks pytest-timeout for more time gets it here, too, less what its fixtures may need."""
    marker = item.get_closest_marker("timeout")
    return max(LIMIT_SECONDS, float(marker.args[0]) - 30.0) if marker and marker.args else LIMIT_SECONDS


def _made_synchronous(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        _run_on_fresh_loop(test(*args, **kwargs))

    return run


def _run_on_fresh_loop(coroutine: Coroutine[Any, Any, None], limit_seconds: float = LIMIT_SECONDS) -> None:
    problems: list[str] = []
    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(lambda _, context: problems.append(describe(context)))
        runner.run(_watched(coroutine, limit_seconds))
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


async def _watched(coroutine: Coroutine[Any, Any, None], limit_seconds: float) -> None:
    await _limited(coroutine, limit_seconds)
    left = await tasks_left()
    if left:
        pytest.fail("\n".join(left), pytrace=False)


async def _limited(coroutine: Coroutine[Any, Any, None], limit_seconds: float) -> None:
    limit = asyncio.timeout(limit_seconds)
    try:
        async with limit:
            await coroutine
    except TimeoutError:
        if limit.expired():
            pytest.fail(f"the test did not end within {limit_seconds} s")
        raise


async def tasks_left() -> list[str]:
    """Give the other tasks of this loop a moment to end; cancel and name those that did not."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    if not tasks:
        return []
    _, pending = await asyncio.wait(tasks, timeout=GRACE_SECONDS)
    for task in pending:
        task.cancel()
    if pending:
        await asyncio.wait(pending, timeout=GRACE_SECONDS)
    return [f"task left running: {task!r}" for task in pending]


def describe(context: dict[str, Any]) -> str:
    """Say what an asyncio exception handler was told."""
    return f"event loop: {context.get('message')}: {context.get('exception')!r}"


@pytest.fixture
def qloop(qapp: "QApplication", qtbot: "QtBot") -> "Iterator[QtLoop]":
    """Qt's event loop as an asyncio loop. The test fails if anything is left on it, or reached its error handler."""
    from desktop.app.event_loop import close_loop, make_loop

    loop = make_loop(qapp)
    problems: list[str] = []
    loop.set_exception_handler(lambda _, context: problems.append(describe(context)))
    yield loop
    problems += loop.run_until_complete(tasks_left())
    problems += [f"timer left running: {handle!r}" for handle in loop.waiting_timers()]
    problems += [f"task did not end: {name}" for name in close_loop(loop)]
    loop.wait_for_jobs(JOBS_PATIENCE_SECONDS)  # as the program does at its end; what stays is reported as left over
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.fixture
def until() -> "Callable[..., Coroutine[Any, Any, None]]":
    """``await until(predicate)`` returns as soon as the predicate is true."""
    return wait_until
