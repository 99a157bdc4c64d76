"""Lets an unpacked backup take the place of the library: at a start, before anything is open, by renames.

A folder that gets the name ``restored`` by one rename is the decision. From then on each start goes on with it, whatever
a killed one had done of it, until all is in its place: what was there goes whole into a folder ``replaced-…``, which is kept
until it was made a backup of its own.
"""

import contextlib
import os
import shutil
from contextlib import closing
from datetime import datetime
from pathlib import Path

from desktop.core.paths import DataPaths
from desktop.core.permission_mode import PermissionMode
from desktop.core.private_files import private
from desktop.storage.backup.archive import DATABASE, SETTINGS
from desktop.storage.data_folder import with_side_files
from desktop.storage.opening import connect_reader, open_copy
from desktop.storage.sqlite_passages import OWN_NUMBER

_REPLACED, _STAMP = "replaced-", "stamp"
_SAFE_MODES = (PermissionMode.CHAT_ONLY.value, PermissionMode.ASK_ALWAYS.value)
_OWN_PINS = ("server_id", "identity", "name", "definition", "kept_off", "pinned_at")


def waits(paths: DataPaths) -> bool:
    """Whether a backup takes the place of the library at the next start."""
    return paths.restored.is_dir()


def prepare(unpacked: Path, settings: str, paths: DataPaths, moment: datetime) -> None:
    """Let what lies in ``unpacked`` take the place of the library at the next start. Raises ``OSError``, ``sqlite3.Error``."""
    _take_over_permissions(unpacked / DATABASE, paths.database)
    for name, text in ((SETTINGS, settings), (_STAMP, f"{moment:%Y%m%d-%H%M%S}")):
        with open(unpacked / name, "w", encoding="utf-8", opener=private) as writer:
            writer.write(text)
    for path in (unpacked / DATABASE, unpacked / SETTINGS, unpacked / _STAMP):
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    take_back(paths)
    os.replace(unpacked, paths.restored)
    _flush(paths.root)


def take_back(paths: DataPaths) -> None:
    """Nothing shall take the place of the library. Raises ``OSError``."""
    restored = paths.restored
    if restored.is_dir():
        gone = paths.backup_work / "taken-back"
        gone.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.rmtree(gone, ignore_errors=True)
        os.replace(restored, gone)  # so that no start finds half of it
        shutil.rmtree(gone, ignore_errors=True)


def finish(paths: DataPaths, moment: datetime) -> None:
    """Put a backup in the library's place where that was decided. Nothing of the data folder may be open. Raises ``OSError``."""
    restored = paths.restored
    if not restored.is_dir():
        return
    stamp = f"{moment:%Y%m%d-%H%M%S}"
    with contextlib.suppress(OSError):
        stamp = (restored / _STAMP).read_text(encoding="ascii")[:15] or stamp
    replaced = paths.root / f"{_REPLACED}{stamp}"
    replaced.mkdir(mode=0o700, exist_ok=True)
    if (restored / DATABASE).exists():
        # The log before the file that it belongs to could meet another one.
        for present in reversed(with_side_files(paths.database)):
            _set_aside(present, replaced)
        _flush(replaced)
        os.replace(restored / DATABASE, paths.database)
    for name, present in (("attachments", paths.attachments), (SETTINGS, paths.settings)):
        if (restored / name).exists():
            _set_aside(present, replaced)
            os.replace(restored / name, present)
    if paths.vectors.is_dir():  # made anew from the database
        shutil.rmtree(paths.vectors, ignore_errors=True)
    _flush(paths.root)
    shutil.rmtree(restored)


def clear_work(paths: DataPaths) -> None:
    """Delete what a killed backup or restore left; at a start, while nobody else uses the folder."""
    shutil.rmtree(paths.backup_work, ignore_errors=True)


def replaced_folders(paths: DataPaths) -> list[Path]:
    """Return the libraries that others took the place of, and that no backup was made of yet."""
    return sorted(path for path in paths.root.glob(f"{_REPLACED}*") if path.is_dir() and not path.is_symlink())


def _set_aside(present: Path, folder: Path) -> None:
    target = folder / present.name
    if present.exists() and not target.exists():
        os.replace(present, target)


def _take_over_permissions(database: Path, present: Path) -> None:
    """What may run unasked is what this library says, not what a file says: its own lasting permissions, and which tools
    were accepted. Chats of the backup ask again."""
    with closing(connect_reader(present)) as source:
        grants = source.execute("SELECT * FROM grants WHERE thread_id IS NULL").fetchall()
        pins = source.execute(f"SELECT {', '.join(_OWN_PINS)} FROM tool_pins").fetchall()
        number = source.execute("SELECT value FROM meta WHERE key = ?", (OWN_NUMBER,)).fetchone()
    with closing(open_copy(database)) as target:
        target.execute("BEGIN")
        target.execute("DELETE FROM grants")
        target.execute("DELETE FROM tool_pins")
        for row in grants:
            target.execute(f"INSERT INTO grants VALUES ({', '.join('?' * len(row))})", row)
        target.executemany(f"INSERT INTO tool_pins ({', '.join(_OWN_PINS)}) VALUES (?, ?, ?, ?, ?, ?)", pins)
        for table in ("threads", "new_thread"):
            target.execute(f"UPDATE {table} SET mode = NULL WHERE mode NOT IN (?, ?)", _SAFE_MODES)
        if number is not None:
            target.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (OWN_NUMBER, *number))
        target.execute("COMMIT")


def _flush(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
