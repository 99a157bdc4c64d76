"""Starts a program that reads untrusted bytes: in the bare environment, in a group of its own, its complaints go nowhere."""

import asyncio
from collections.abc import Sequence
from typing import IO

from desktop.core.own_program import bare_environment, own_folder
from desktop.core.process_tree import start_options

PIPE = asyncio.subprocess.PIPE


async def start_reader(
    command: Sequence[str], *words: str, stdin: int | IO[bytes] = PIPE, longest_line: int = 1 << 16
) -> asyncio.subprocess.Process:
    """Start it with these words after its command; what it writes is read from a pipe. Raises ``OSError``."""
    return await asyncio.create_subprocess_exec(
        *command,
        *words,
        stdin=stdin,
        stdout=PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=bare_environment(),
        cwd=own_folder(),
        limit=longest_line,
        **start_options(),
    )
