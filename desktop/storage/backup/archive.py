"""The file of a backup: an archive with the database, the attached files, the settings, and a manifest with a hash of each.

``manifest.json``: ``{"format": "threadwell-backup", "version": 1, "made_at": …, "app_version": …, "schema_version": …,
"kind": …, "counts": {…}, "files": {name: {"size": …, "sha256": …}}, "missing": [ids of attachments]}``. It is the last
entry, since only then everything is known. Written under a temporary name, flushed to the disk, read back and compared.
"""

import dataclasses
import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from desktop import __version__
from desktop.core.backups import BackupError, BackupKind, LibraryCounts, Stage
from desktop.core.private_files import private
from desktop.storage.backup.job import Job, Steps
from desktop.storage.backup.snapshot import copy_database

FORMAT, VERSION = "threadwell-backup", 1
MANIFEST, DATABASE, SETTINGS = "manifest.json", "threadwell.db", "settings.json"
ATTACHMENTS = "attachments/"
BLOCK = 1 << 20
_LEVEL = 3
_PACKED = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".pdf", ".zip", ".docx", ".xlsx", ".pptx", ".gz", ""))
"""Endings of attached files that do not become smaller; what is sent of a picture has none."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a backup says of itself."""

    made_at: datetime
    app_version: str
    schema_version: int
    kind: str
    counts: LibraryCounts
    files: dict[str, tuple[int, str]]
    """By its name in the archive, the size and the SHA-256 of each file."""
    missing: tuple[str, ...] = ()
    """Ids of attachments that were not there any more."""

    def to_json(self) -> str:
        content = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": self.made_at.isoformat(),
            "app_version": self.app_version,
            "schema_version": self.schema_version,
            "kind": self.kind,
            "counts": dataclasses.asdict(self.counts),
            "files": {name: {"size": size, "sha256": digest} for name, (size, digest) in self.files.items()},
            "missing": list(self.missing),
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def write_backup(
    database: Path, attachments: Path, settings: str, *, work: Path, moment: datetime, kind: BackupKind, job: Job
) -> tuple[Path, Manifest]:
    """Write a backup into the folder ``work``, which is empty, and check it; return where it lies, and its manifest.

    Raises ``OSError``, ``sqlite3.Error``, ``StoppedError``, and ``BackupError`` where what was read back is not what was
    written.
    """
    copy, unfinished = work / DATABASE, work / "backup.tmp"
    counts = copy_database(database, copy, job)
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        schema_version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        ids = [row[0] for row in connection.execute("SELECT id FROM attachments ORDER BY id")]
    with open(work / SETTINGS, "w", encoding="utf-8", opener=private) as writer:
        writer.write(settings)
    found = dict(_files_of(attachments, ids))
    missing = tuple(key for key in ids if not any(name.startswith(f"{ATTACHMENTS}{key}/") for name in found))
    sources = {SETTINGS: work / SETTINGS, DATABASE: copy, **found}
    total = sum(_size(path) for path in sources.values())
    packed, steps = dict[str, tuple[int, str]](), Steps(job, Stage.PACKING, total)
    with open(unfinished, "xb", opener=private) as file:
        with zipfile.ZipFile(file, "w", compresslevel=_LEVEL) as archive:
            for name, path in sources.items():
                entry = _pack(archive, name, path, steps.at)
                if entry is None:
                    continue  # deleted for good meanwhile
                packed[name] = entry
                steps.add(entry[0])
            manifest = Manifest(
                made_at=moment,
                app_version=__version__,
                schema_version=schema_version,
                kind=kind.value,
                counts=counts,
                files=packed,
                missing=missing,
            )
            archive.writestr(zipfile.ZipInfo(MANIFEST), manifest.to_json(), zipfile.ZIP_DEFLATED, _LEVEL)
        file.flush()
        os.fsync(file.fileno())
    copy.unlink()
    _check(unfinished, manifest, job)
    return unfinished, manifest


def _files_of(attachments: Path, ids: list[str]) -> Iterator[tuple[str, Path]]:
    for key in ids:
        folder = attachments / key
        if folder.is_symlink() or not folder.is_dir():
            continue
        for path in sorted(folder.iterdir()):
            if path.is_file() and not path.is_symlink():
                yield f"{ATTACHMENTS}{key}/{path.name}", path


def _pack(archive: zipfile.ZipFile, name: str, path: Path, told: Any) -> tuple[int, str] | None:
    is_packed = name.startswith(ATTACHMENTS) and path.suffix.lower() in _PACKED
    archive.compression = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    digest, size = hashlib.sha256(), 0
    try:
        source = path.open("rb")
    except FileNotFoundError:
        return None
    with source, archive.open(name, "w", force_zip64=True) as target:
        while block := source.read(BLOCK):
            target.write(block)
            digest.update(block)
            size += len(block)
            told(size)
    return size, digest.hexdigest()


class Readable(Protocol):
    """What can be read piece by piece."""

    def read(self, size: int, /) -> bytes: ...


def digest_of(file: Readable, told: Any = lambda _read: None) -> tuple[int, str]:
    """Return size and SHA-256 of what is read from ``file``."""
    digest, size = hashlib.sha256(), 0
    while block := file.read(BLOCK):
        digest.update(block)
        size += len(block)
        told(size)
    return size, digest.hexdigest()


def _check(path: Path, manifest: Manifest, job: Job) -> None:
    """Read all of it back. That the database is sound was seen when it was copied; its hash says that it still is."""
    steps = Steps(job, Stage.CHECKING, sum(size for size, _ in manifest.files.values()))
    with path.open("rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # from the disk, not from memory
        with zipfile.ZipFile(file) as archive:
            if set(archive.namelist()) != {MANIFEST, *manifest.files}:
                raise BackupError("backup.not_sound", detail="its list of files is not the one that was written")
            for name, expected in manifest.files.items():
                with archive.open(name) as entry:
                    found = digest_of(entry, steps.at)
                if found != expected:
                    raise BackupError("backup.not_sound", detail=f"{name} is not what was written")
                steps.add(expected[0])


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
