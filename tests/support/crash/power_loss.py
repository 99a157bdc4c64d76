"""What is on a disk after the power went: of what was written and not synced, some is there, some is not, one is torn.

Reads the journal that the faulty system keeps. Per file everything after its last sync is taken back and a random part of
it is written again. Names are not lost: what a file system does with renames is not played here.
"""

import os
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HEAD = struct.Struct("=qqqqqq")
_WRITE, _SYNC, _TRUNCATE = range(3)
_SECTOR = 512


@dataclass(frozen=True)
class _Step:
    kind: int
    inode: int
    offset: int
    size_before: int
    old: bytes
    new: bytes


def _steps(journal: Path) -> Iterator[_Step]:
    with journal.open("rb") as file:
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            kind, inode, offset, size, old_length, new_length = _HEAD.unpack(head)
            old, new = file.read(old_length), file.read(new_length)
            if len(new) < new_length:
                return  # it was killed while it noted this: nothing of it was written
            yield _Step(kind, inode, offset, size, old, new)


def lose_power(folder: Path, journal: Path, chance: random.Random) -> int:
    """Leave the files below ``folder`` as a loss of power might; return how many writes were lost or torn."""
    unsynced: dict[int, list[_Step]] = {}
    for step in _steps(journal):
        if step.kind == _SYNC:
            unsynced.pop(step.inode, None)
        else:
            unsynced.setdefault(step.inode, []).append(step)
    files = {path.stat().st_ino: path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
    lost = 0
    for inode, steps in unsynced.items():
        # The index beside the log is shared memory: after a loss of power it is made anew.
        if (path := files.get(inode)) is not None and not path.name.endswith("-shm"):
            lost += _play(path, steps, chance)
    for path in folder.rglob("*-shm"):
        path.unlink()
    return lost


def _play(path: Path, steps: list[_Step], chance: random.Random) -> int:
    kept_share, lost = chance.choice((0.0, 0.5, 0.9)), 0
    with path.open("r+b") as file:
        for step in reversed(steps):
            if step.old:
                os.pwrite(file.fileno(), step.old, step.offset)
            file.truncate(step.size_before)
        for step in steps:
            if chance.random() >= kept_share:
                lost += 1
            elif step.kind == _TRUNCATE:
                file.truncate(step.offset)
            elif chance.random() < 0.2:
                lost += 1
                os.pwrite(file.fileno(), step.new[: chance.randrange(0, len(step.new) + 1, _SECTOR)], step.offset)
            else:
                os.pwrite(file.fileno(), step.new, step.offset)
    return lost
