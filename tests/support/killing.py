"""Runs a program that says what it does, a line of JSON each, and kills it somewhere in the middle of it."""

import asyncio
import json
import random
import signal
import sys
from collections.abc import Callable
from typing import Any

from tests.support.source_tree import ROOT

PATIENCE_SECONDS = 120


async def run_and_kill(
    program: str,
    *arguments: str,
    note: Callable[[dict[str, Any]], object],
    lines: int,
    most_seconds: float,
    chance: random.Random,
) -> None:
    """Run a module of ``tests.support`` until it has said so many lines and a moment more; ``note`` hears each line."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"tests.support.{program}", *arguments,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        for _ in range(lines):
            note(json.loads(await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)))
        await asyncio.sleep(chance.random() * most_seconds)  # somewhere in the middle of the next step
    finally:
        process.kill()
        rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL, "it ended by itself"
    for line in rest.splitlines(keepends=True):
        if line.endswith(b"\n"):
            note(json.loads(line))
