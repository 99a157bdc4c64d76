"""Runs a program that says what it does, a line of JSON each, and kills it somewhere in the middle of it."""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support.source_tree import ROOT

PATIENCE_SECONDS = 120


def kill_alone(pid: int, _chance: random.Random) -> None:
    """Kill it and leave its children to themselves."""
    os.kill(pid, signal.SIGKILL)


def kill_children_first(pid: int, chance: random.Random) -> None:
    """Kill it, sometimes after the processes that it started."""
    if chance.random() < 0.4:
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            for child in children_of(pid):
                os.kill(child, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """The processes that it started, as Linux tells them."""
    return [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]


async def run_and_kill(
    program: str,
    *arguments: str,
    note: Callable[[dict[str, Any]], object],
    lines: int,
    most_seconds: float,
    chance: random.Random,
    kill: Callable[[int, random.Random], None] = kill_alone,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a module of ``tests.support`` until it has said so many lines and a moment more; ``note`` hears each line."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"tests.support.{program}", *arguments,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        for _ in range(lines):
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)
            assert line, "it ended by itself"
            note(json.loads(line))
        await asyncio.sleep(chance.random() * most_seconds)  # somewhere in the middle of the next step
    finally:
        with contextlib.suppress(ProcessLookupError):
            kill(process.pid, chance)
        rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL, "it ended by itself"
    note_whole_lines(rest, note)


def note_whole_lines(rest: bytes, note: Callable[[dict[str, Any]], object]) -> None:
    """What was still said before the end; a line without its end was not."""
    for line in rest.splitlines(keepends=True):
        if line.endswith(b"\n"):
            note(json.loads(line))
