"""The port to backups of the whole library: what one is, how far it is, and what a restore of it would do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from desktop.core.errors import ThreadwellError
from desktop.core.signal import Signal

BACKUP_SUFFIX = ".threadwell-backup"
WEB_PASSWORD = "backup-webdav"
"""The name of the password in the keychain."""


class BackupError(ThreadwellError):
    """A backup could not be made, read or restored (codes ``backup.…``)."""


class BackupKind(StrEnum):
    """Why a backup was made."""

    BY_HAND = "by_hand"
    DAILY = "daily"
    """The only ones that make room for newer ones."""
    BEFORE_RESTORE = "before_restore"
    """What was there before another library took its place."""


class Stage(StrEnum):
    """What a backup or a restore is at."""

    COPYING = "copying"
    PACKING = "packing"
    CHECKING = "checking"
    SENDING = "sending"
    FETCHING = "fetching"
    READING = "reading"
    MERGING = "merging"


@dataclass(frozen=True, kw_only=True)
class Progress:
    stage: Stage
    done: int = 0
    total: int = 0
    """0 where nobody knows."""


Told = Callable[[Progress], object]
"""Hears how far it is, from any thread."""


@dataclass(frozen=True, kw_only=True)
class LibraryCounts:
    """How much a library holds; chats with those in the Trash, without temporary ones."""

    chats: int = 0
    messages: int = 0
    memories: int = 0
    documents: int = 0
    files: int = 0
    """Attached ones, and what tools brought back."""


@dataclass(frozen=True, kw_only=True)
class BackupFile:
    """A backup at a place."""

    name: str
    size: int
    modified_at: datetime | None = None
    kind: BackupKind | None = None
    """None where this library did not write it, or does not know it any more."""


@dataclass(frozen=True, kw_only=True)
class BackupDone:
    """A backup that was written and read back."""

    name: str
    place: str
    """For people: a folder or an address."""
    size: int
    made_at: datetime
    counts: LibraryCounts
    is_web: bool = False


@dataclass(frozen=True, kw_only=True)
class LastBackups:
    """How it went lately."""

    done: BackupDone | None = None
    problem: str = ""
    """The code of the error with which the last daily one failed; empty when it went well."""
    problem_params: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])
    problem_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class RestorePlan:
    """What a backup holds, and what a restore of it would do. It lies read and checked in the data folder."""

    name: str
    made_at: datetime
    app_version: str
    counts: LibraryCounts
    here: LibraryCounts
    new_chats: int
    """In the backup and not here: a merge adds them."""
    grown_chats: int
    """Here and there, with messages in the backup that are not here: a merge adds those."""
    new_messages: int
    """In the backup and not here, in new and known chats."""
    new_memories: int
    new_prompts: int = 0
    new_assistants: int = 0
    new_folders: int = 0
    new_places: tuple[str, ...] = ()
    """The files and folders with documents that are not here: after a merge they are read where they are on this computer."""
    lost_chats: int
    """Here and not in the backup: gone when the backup takes the place of what is here."""
    lost_messages: int
    lost_memories: int
    lost_prompts: int = 0
    lost_assistants: int = 0
    lost_folders: int = 0
    lost_places: int = 0


@dataclass(kw_only=True)
class MergeReport:
    """What a merge brought; it grows while it runs, so that it holds also when that is stopped."""

    chats: int = 0
    grown: int = 0
    messages: int = 0
    memories: int = 0
    prompts: int = 0
    assistants: int = 0
    folders: int = 0
    places: int = 0
    """Files and folders with documents."""
    known: int = 0
    """Chats that were here with all that the backup has of them."""
    skipped: int = 0
    forgotten: int = 0
    """Memories that the user forgot here: they stay forgotten."""
    prompts_left_out: int = 0
    """There was no room for so many in the library of prompts."""
    is_stopped: bool = False


class Part(StrEnum):
    """What a check of the library looks at."""

    FILE = "file"
    """The pages of the database."""
    REFERENCES = "references"
    WORDS = "words"
    """The indexes for the search by words."""
    FILES = "files"
    VECTORS = "vectors"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a check found in one part."""

    part: Part
    is_sound: bool
    count: int = 0
    """How many things are wrong, where that can be counted."""
    is_mended: bool = False
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    findings: tuple[Finding, ...]
    counts: LibraryCounts
    at: datetime

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong any more."""
        return all(finding.is_sound or finding.is_mended for finding in self.findings)


class LibraryBackups(Protocol):
    """Backups of this library. All of it runs beside the window; raises ``BackupError`` and ``StorageError``.

    A task that is cancelled stops what it asked for; nothing half done is left under a final name.

    Signals:
        changed: a backup was made, failed, or one was removed.
        failed: a daily backup failed; once for each cause, until one goes well.
        kept: what a restored backup took the place of is a backup itself by now.
    """

    changed: Signal[[]]
    failed: Signal[ThreadwellError]
    kept: Signal[BackupDone]

    @property
    def place(self) -> str:
        """Where backups go, for people."""
        ...

    @property
    def places(self) -> Sequence[str]:
        """All places where this library has written backups that may still be there, for people."""
        ...

    @property
    def last(self) -> LastBackups: ...

    def last_made_at(self) -> datetime | None:
        """When the newest backup at the chosen place was made, as far as this library knows."""
        ...

    @property
    def is_running(self) -> bool: ...

    @property
    def waits_for_restart(self) -> bool:
        """A restored library takes the place of this one at the next start."""
        ...

    @property
    def replaced(self) -> str:
        """The folder with the library that a backup took the place of, until that is a backup itself; else empty."""
        ...

    async def back_up(self, told: Told) -> BackupDone:
        """Make a backup now, at the chosen place."""
        ...

    async def files(self) -> tuple[BackupFile, ...]:
        """Return the backups at the chosen place, newest first."""
        ...

    async def try_place(self) -> None:
        """Find out whether backups can be written at the chosen place, with a small file that is removed again."""
        ...

    async def look_at(self, source: Path | str, told: Told) -> RestorePlan:
        """Read and check a backup: a file of this computer, or by its name one at the chosen place. Changes nothing."""
        ...

    async def merge(self, report: MergeReport, told: Told) -> None:
        """Add what the backup that was looked at has and this library has not."""
        ...

    async def replace(self, told: Told) -> None:
        """Let the backup that was looked at take the place of this library, at the next start."""
        ...

    async def take_back(self) -> None:
        """What was looked at is not wanted any more, or shall not take this library's place after all."""
        ...

    async def check(self, told: Told) -> CheckReport:
        """Look whether all of the library is sound, and mend what can be made again."""
        ...
