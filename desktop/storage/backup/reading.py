"""Reads a backup that anybody may have written: checked before a byte of it is used, unpacked by names of our own only."""

import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import IO, Any, cast

from desktop.core.backups import BackupError, LibraryCounts, Stage
from desktop.core.nesting import is_nested_deeper
from desktop.core.private_files import private
from desktop.storage import indexes
from desktop.storage.backup.archive import (
    BLOCK,
    DATABASE,
    FORMAT,
    MANIFEST,
    SETTINGS,
    VERSION,
    Manifest,
    digest_of,
)
from desktop.storage.backup.job import Job, Steps
from desktop.storage.backup.snapshot import count, require_sound
from desktop.storage.migrations import STEPS
from desktop.storage.migrator import migrate
from desktop.storage.opening import as_was_made, open_copy

MOST_MANIFEST = 200_000_000
MOST_FILES = 1_000_000
MOST_SETTINGS = 16_000_000
MOST_RATIO, FREE_BYTES = 500, 50_000_000
"""How many times its own size an entry may unpack to, beyond so much; a database packs well."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError)
_ATTACHMENT = re.compile(r"attachments/[0-9a-z]{26}/(?:original(?:\.[a-z0-9]{1,8})?|sent|thumbnail)")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def read_manifest(file: IO[bytes], name: str) -> Manifest:
    """Return what a backup says of itself, where that can be true. Raises ``BackupError``."""
    with _opened(file, name) as archive:
        return _manifest(archive, name)


def unpack(source: Path, name: str, folder: Path, job: Job) -> Manifest:
    """Unpack a backup into ``folder``, which is empty, and check all of it; the database gets this version.

    Raises ``BackupError``, ``OSError`` and ``StoppedError``. Nothing outside ``folder`` is written, whatever names the file
    holds.
    """
    with _plain(source, name) as file, _opened(file, name) as archive:
        manifest = _manifest(archive, name)
        steps = Steps(job, Stage.READING, sum(size for size, _ in manifest.files.values()))
        (folder / "attachments").mkdir(mode=0o700)
        for entry_name, (size, digest) in manifest.files.items():
            target = folder / entry_name
            target.parent.mkdir(mode=0o700, exist_ok=True)
            try:
                with archive.open(entry_name) as entry, open(target, "xb", opener=private) as unpacked:
                    found = digest_of(_Copied(entry, unpacked, size), steps.at)
            except _BROKEN as error:
                raise _damaged(name, entry_name, error) from error
            if found != (size, digest):
                raise BackupError("backup.damaged", name=name, detail=f"{entry_name} is not what was packed.")
            steps.add(size)
    _bring_up_to_date(folder / DATABASE, name, manifest)
    return manifest


class _Copied:
    """What is read from it is written, too."""

    def __init__(self, source: IO[bytes], target: IO[bytes], most: int) -> None:
        self._source, self._target, self._left = source, target, most

    def read(self, size: int = BLOCK) -> bytes:
        block = self._source.read(size)
        self._left -= len(block)
        if self._left < 0:
            raise ValueError("it is longer than it says")
        self._target.write(block)
        return block


def _plain(source: Path, name: str) -> IO[bytes]:
    try:
        if not source.is_file():  # a pipe would be waited for without end
            raise BackupError("backup.unreadable", name=name, detail="It is not there, or is no plain file.")
        return source.open("rb")
    except OSError as error:
        raise BackupError("backup.unreadable", name=name, detail=f"{error.strerror or error}.") from error


def _opened(file: IO[bytes], name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except _BROKEN as error:
        file.seek(0)
        if file.read(4) == b"PK\x03\x04":  # it begins as one
            raise _damaged(name, "", error) from error
        raise BackupError("backup.not_a_backup", name=name) from error


def _damaged(name: str, entry: str, error: Exception) -> BackupError:
    detail = f"{entry}: {error}." if entry else f"{error}."
    return BackupError("backup.damaged", name=name, detail=detail[:300])


def _manifest(archive: zipfile.ZipFile, name: str) -> Manifest:
    listed = archive.infolist()
    entries = {entry.filename: entry for entry in listed}
    entry = entries.get(MANIFEST)
    if entry is None or DATABASE not in entries:
        raise BackupError("backup.not_a_backup", name=name)
    if entry.file_size > MOST_MANIFEST or len(listed) > MOST_FILES:
        raise BackupError("backup.damaged", name=name, detail="It holds more than a library can.")
    try:
        with archive.open(entry) as file:
            content = json.loads(file.read(MOST_MANIFEST + 1))
        if not isinstance(content, dict) or is_nested_deeper(content, 10):
            raise ValueError("the manifest is none")
        manifest = _manifest_of(cast(dict[str, Any], content), name)
    except _BROKEN as error:
        raise _damaged(name, MANIFEST, error) from error
    except (TypeError, RecursionError) as error:
        raise _damaged(name, MANIFEST, error) from error
    _require_agreement(manifest, listed, entries, name)
    return manifest


def _manifest_of(content: Mapping[str, Any], name: str) -> Manifest:
    if content.get("format") != FORMAT:
        raise BackupError("backup.not_a_backup", name=name)
    version, schema_version = int(content["version"]), int(content["schema_version"])
    app_version = str(content["app_version"])[:40]
    if version > VERSION or schema_version > len(STEPS):
        raise BackupError("backup.newer", name=name, version=app_version)
    moment = datetime.fromisoformat(content["made_at"])
    if moment.tzinfo is None or version < 1 or schema_version < 1:
        raise ValueError("the manifest says something that cannot be")
    return Manifest(
        made_at=moment,
        app_version=app_version,
        schema_version=schema_version,
        kind=str(content["kind"])[:40],
        counts=LibraryCounts(**{key: int(number) for key, number in content["counts"].items()}),
        files={str(key): (int(one["size"]), str(one["sha256"])) for key, one in content["files"].items()},
        missing=tuple(map(str, content.get("missing", ()))),
    )


def _require_agreement(
    manifest: Manifest, listed: list[zipfile.ZipInfo], entries: Mapping[str, zipfile.ZipInfo], name: str
) -> None:
    """Raise ``BackupError`` where the archive holds anything else than the manifest says, or an entry that may not be."""
    problem = ""
    if len(entries) != len(listed) or set(entries) != {MANIFEST, *manifest.files} or DATABASE not in manifest.files:
        problem = "Its list of files is not the one in its manifest."
    for key, (size, digest) in manifest.files.items():
        entry = entries.get(key)
        if key not in (DATABASE, SETTINGS) and not _ATTACHMENT.fullmatch(key):
            problem = f"It holds a file that belongs to no library: {key[:100]!r}."
        elif entry is None or entry.file_size != size or not _DIGEST.fullmatch(digest):
            problem = f"The size of {key} is not the one in its manifest."
        elif size > FREE_BYTES and size > MOST_RATIO * max(1, entry.compress_size):
            problem = f"{key} would unpack to far more than it can be."
        elif entry.flag_bits & 1:
            problem = f"{key} is locked with a password."
        elif key == SETTINGS and size > MOST_SETTINGS:
            problem = "Its settings are larger than settings can be."
        if problem:
            break
    if problem:
        raise BackupError("backup.damaged", name=name, detail=problem)


def _bring_up_to_date(database: Path, name: str, manifest: Manifest) -> None:
    """Look whether the database is one of ours and sound, then make of it one of this version."""
    try:
        with closing(open_copy(database)) as connection:
            version: int = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != manifest.schema_version or not as_was_made(connection, STEPS[:version]):
                raise BackupError("backup.damaged", name=name, detail="Its tables are not the ones that were made.")
            require_sound(connection)
            if version < len(STEPS):
                migrate(connection, database, database.parent / "before", STEPS)
            _begin_indexes(connection)
            if count(connection) != manifest.counts:
                raise BackupError("backup.damaged", name=name, detail="It holds not as much as its manifest says.")
    except sqlite3.DatabaseError as error:
        raise BackupError("backup.damaged", name=name, detail=f"{error}."[:300]) from error


def _begin_indexes(connection: sqlite3.Connection) -> None:
    """Whatever indexes came along, none of them is used."""
    connection.execute("BEGIN")
    for index in indexes.ALL:
        index.reset(connection)
    connection.execute("COMMIT")
