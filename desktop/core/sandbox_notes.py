"""Notes on disk of the sandboxes that run: after a kill the next start sets aside what nobody has looked for."""

import contextlib
import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from desktop.core.ids import new_id
from desktop.core.repositories import Repositories, SetAside
from desktop.core.sandbox_problems import SandboxError

if sys.platform != "win32":
    import fcntl


class SandboxNotes:
    """In a folder of the app's own, which no sandbox shows. A note is locked for as long as its sandbox is watched."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def of(self, repositories: Repositories) -> Generator[None, None, None]:
        """Keep a note while the block runs. Raises ``SandboxError`` where none can be written: then nothing is run."""
        path = self._folder / f"{new_id()}.json"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            note = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SandboxError("does_not_start", str(error)) from None
        try:
            try:
                fcntl.flock(note, fcntl.LOCK_EX)
                with open(note, "w", encoding="utf-8", errors="surrogateescape", closefd=False) as writer:
                    json.dump(repositories.noted(), writer)
                os.fsync(note)
            except OSError as error:
                raise SandboxError("does_not_start", str(error)) from None
            yield
        finally:
            with contextlib.suppress(OSError):
                os.unlink(path)
            os.close(note)

    def catch_up(self) -> list[SetAside]:
        """Set aside what sandboxes may have left whose end nobody saw, and forget them."""
        found: list[SetAside] = []
        for path in sorted(self._folder.glob("*.json")):
            try:
                note = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            except FileNotFoundError:
                continue
            try:
                fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if (before := _repositories(note)) is not None:
                    found.append(before.set_new_ones_aside())
                os.unlink(path)
            except (BlockingIOError, FileNotFoundError):  # it runs, or has just ended
                continue
            finally:
                os.close(note)
        return found


def _repositories(note: int) -> Repositories | None:
    """What the note says; None for one whose writer was killed before its command began, or of a folder that is gone."""
    with open(note, encoding="utf-8", errors="surrogateescape", closefd=False) as reader:
        try:
            value: Any = json.load(reader)
            return Repositories.from_note(cast(dict[str, Any], value))
        except (ValueError, TypeError, KeyError, AttributeError, OSError):
            return None
