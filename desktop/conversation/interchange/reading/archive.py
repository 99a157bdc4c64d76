"""Opens archives that may be hostile: by what they hold, not by what they claim, and never by a name on the disk."""

import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO

from desktop.conversation.interchange.ports import SkippedEntry
from desktop.conversation.interchange.records import Why

MOST_ENTRIES = 200_000
MOST_BYTES = 20_000_000_000
"""That all entries unpack to."""
MOST_RATIO = 200
"""How many times its own size an entry may unpack to, beyond ``FREE_BYTES``: text is packed to a fortieth at best."""
FREE_BYTES = 50_000_000
_LONGEST_NAME = 1_000
_ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".bak")
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What reading an entry of a broken archive raises."""


class BombError(ValueError):
    """It unpacks to more than it may."""


@dataclass
class Archive:
    """The entries that may be read, by their names, and those that may not."""

    file: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo] = field(default_factory=dict[str, zipfile.ZipInfo])
    skipped: list[SkippedEntry] = field(default_factory=list[SkippedEntry])

    @classmethod
    def of(cls, file: IO[bytes]) -> "Archive":
        """Look through an archive. Raises ``BombError``, and one of ``BROKEN`` where it is none."""
        archive = cls(zipfile.ZipFile(file))
        listed = archive.file.infolist()
        if len(listed) > MOST_ENTRIES:
            raise BombError("it has too many entries")
        if sum(entry.file_size for entry in listed) > MOST_BYTES:
            raise BombError("it unpacks to too much")
        for entry in listed:
            if not entry.is_dir():
                archive._look_at(entry)
        return archive

    def _look_at(self, entry: zipfile.ZipInfo) -> None:
        name = entry.filename
        why = None
        if _leads_out(name):
            why = Why.BAD_NAME
        elif entry.flag_bits & 1:
            why = Why.LOCKED
        elif entry.file_size > FREE_BYTES and entry.file_size > MOST_RATIO * max(1, entry.compress_size):
            why = Why.TOO_LARGE
        elif PurePosixPath(name).suffix.lower() in _ARCHIVES:
            why = Why.NESTED_ARCHIVE
        if why is not None:
            self.skipped.append(SkippedEntry(name=name[:_LONGEST_NAME], why=why))
        elif name not in self.entries:  # of two with one name the first counts
            self.entries[name] = entry

    def open(self, name: str) -> IO[bytes]:
        """Open an entry. Reading raises one of ``BROKEN`` where it is not what it claims to be."""
        return self.file.open(self.entries[name])

    def bytes_of(self, name: str, most: int) -> bytes | None:
        """Return all of an entry; None where it is not there, broken, or larger than ``most``."""
        entry = self.entries.get(name)
        if entry is None or entry.file_size > most:
            return None
        try:
            with self.file.open(entry) as file:
                data = file.read(most + 1)
        except BROKEN:
            return None
        return data if len(data) <= most else None

    def named(self, *endings: str) -> Iterator[str]:
        """Return the names that end so, in the order of the archive."""
        return (name for name in self.entries if name.lower().endswith(endings))


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    has_drive = len(parts[0]) == 2 and parts[0][1] == ":"
    return name.startswith(("/", "\\")) or ".." in parts or has_drive or "\0" in name or len(name) > _LONGEST_NAME
