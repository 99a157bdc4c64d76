"""The port to what lies on disk: where the data folder is, how large it is, and how much is in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class DataUsage:
    """How much there is at one moment. Sizes in bytes; what could not be read counts nothing."""

    database_bytes: int
    """The database with its journal and its backups."""
    attachment_bytes: int = 0
    """The files that were sent with messages, or are to be."""
    log_bytes: int
    reserve_bytes: int
    """Kept free for the day the disk is full, so that deleting works then."""
    total_bytes: int
    """The whole folder, other files included."""
    threads: int
    """Without those in the Trash."""
    messages: int
    """In these threads, all branches."""
    trashed: int


class DataFolder(Protocol):
    """The data folder as people ask about it."""

    @property
    def root(self) -> Path: ...

    @property
    def logs(self) -> Path: ...

    @property
    def engine(self) -> str:
        """What keeps the database, with its version, for people: ``SQLite 3.50.1``."""
        ...

    async def usage(self) -> DataUsage:
        """Count everything, in threads of their own. Raises ``StorageError`` when the database cannot be read."""
        ...
