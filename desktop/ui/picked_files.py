"""Reads a file that the user has chosen, as much of it as is looked at."""

import asyncio
import stat
from pathlib import Path

from desktop.core.errors import FileError


async def read_picked(path: Path, most_bytes: int) -> bytes:
    """Return what the file holds, and of a larger one no more than shows that it is too large.

    Raises ``FileError``, also for what is no plain file.
    """
    try:
        return await asyncio.to_thread(_read, path, most_bytes + 1)
    except OSError as error:
        raise FileError("file.unreadable", name=path.name, detail=f"{error.strerror or error}.") from error


def _read(path: Path, count: int) -> bytes:
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for without end
        raise OSError("it is no plain file")
    with path.open("rb") as file:
        return file.read(count)
