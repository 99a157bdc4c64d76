"""The file of a backup: whole and checked, without secrets, and refused where it is anything else than that."""

import asyncio
import json
import random
import sqlite3
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.core.backups import BackupError, BackupKind, LibraryCounts
from desktop.core.paths import DataPaths
from desktop.storage.backup.archive import MANIFEST, write_backup
from desktop.storage.backup.job import Job, StoppedError
from desktop.storage.backup.ledger import Entry, Ledger, superseded
from desktop.storage.backup.places import TEMPORARY, FolderPlace
from desktop.storage.backup.reading import unpack
from desktop.storage.migrations import STEPS
from tests.support.stores import opened, say

MOMENT = datetime(2026, 11, 30, 10, 15, tzinfo=UTC)


def write(folder: Path, work: Path, job: Job | None = None) -> Path:
    work.mkdir()
    paths = DataPaths(folder)
    file, _ = write_backup(
        paths.database, paths.attachments, "{}", work=work, moment=MOMENT, kind=BackupKind.BY_HAND, job=job or Job()
    )
    return file


def unpacked(file: Path, folder: Path) -> Path:
    folder.mkdir()
    unpack(file, file.name, folder, Job())
    return folder


def refusal(file: Path, folder: Path) -> str:
    """Return why a file is refused; nothing may be written beside ``folder``."""
    folder.mkdir()
    around = sorted(folder.parent.rglob("*"))
    with pytest.raises(BackupError) as caught:
        unpack(file, file.name, folder, Job())
    assert sorted(path for path in folder.parent.rglob("*") if folder not in path.parents) == around
    return caught.value.code


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A data folder with five chats and a file."""
    folder = tmp_path / "data"
    asyncio.run(_fill(folder))
    return folder


async def _fill(folder: Path) -> None:
    async with opened(folder) as store:
        for number in range(5):
            thread = await store.threads.create_thread()
            await say(store, thread.id, f"Question {number}", f"Answer {number}")
        key = await store.attachments.add(b"an attached text", suffix=".txt", sent=None)
        statement = "UPDATE attachments SET thread_seq = (SELECT min(seq) FROM threads) WHERE id = ?"
        await store.database.write(lambda c: c.execute(statement, (key,)))


async def test_a_backup_holds_the_library_as_it_was_while_others_write(tmp_path: Path, library: Path) -> None:
    async with opened(library) as store:
        file = write(library, tmp_path / "work")
        thread = await store.threads.create_thread()
        await say(store, thread.id, "written later", "later")
    restored = unpacked(file, tmp_path / "restored")
    async with opened(restored) as store:
        threads = await store.threads.list_threads()
        assert len(threads) == 5
        assert await store.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]
        (key,) = await store.database.read(lambda c: c.execute("SELECT id FROM attachments").fetchone())
        original = store.attachments.original(key)
        assert original is not None
        assert original.read_bytes() == b"an attached text"
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read(MANIFEST))
    assert manifest["counts"] == vars(LibraryCounts(chats=5, messages=10, files=1))
    assert manifest["made_at"] == MOMENT.isoformat()


async def test_what_leaves_no_trace_is_not_in_it(tmp_path: Path, library: Path) -> None:
    async with opened(library) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "xylophonic secret of a temporary chat", "quixotic answer")
        await store.database.write(
            lambda c: c.execute("UPDATE threads SET is_temporary = 1 WHERE id = ?", (thread.id,))
        )
        gone = await store.threads.create_thread()
        await say(store, gone.id, "zugzwang of a chat that is being removed", "zugzwang answer")
        await store.database.write(lambda c: c.execute("UPDATE threads SET is_purging = 1 WHERE id = ?", (gone.id,)))
        file = write(library, tmp_path / "work")
    restored = unpacked(file, tmp_path / "restored")
    everything = b"".join(path.read_bytes() for path in restored.rglob("*") if path.is_file())
    for word in (b"xylophonic", b"quixotic", b"zugzwang"):
        assert word not in everything
    assert b"Question 1" in everything


async def test_a_backup_that_is_stopped_leaves_nothing_of_it(tmp_path: Path, library: Path) -> None:
    seen = 0

    def told(_progress: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 3:
            job.stop()

    job = Job(told)
    with pytest.raises(StoppedError):
        write(library, tmp_path / "work", job)
    place = FolderPlace(tmp_path / "backups")
    assert place.stored() == []


# -- files that are none, or not ours


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rewritten(file: Path, change: Callable[[dict[str, bytes]], dict[str, bytes]]) -> Path:
    with zipfile.ZipFile(file) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    other = file.with_name("other.threadwell-backup")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in change(entries).items():
            archive.writestr(name, content)
    return other


def with_manifest(**changes: object) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def change(entries: dict[str, bytes]) -> dict[str, bytes]:
        return {**entries, MANIFEST: json.dumps({**json.loads(entries[MANIFEST]), **changes}).encode()}

    return change


def with_file(name: str, content: bytes = b"x") -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    import hashlib

    def change(entries: dict[str, bytes]) -> dict[str, bytes]:
        manifest = json.loads(entries[MANIFEST])
        manifest["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        return {**entries, name: content, MANIFEST: json.dumps(manifest).encode()}

    return change


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("newer", with_manifest(version=2), "newer"),
        ("newer tables", with_manifest(schema_version=len(STEPS) + 1), "newer"),
        ("another program", with_manifest(format="photos"), "not_a_backup"),
        ("other counts", with_manifest(counts={"chats": 99}), "damaged"),
        ("no moment", with_manifest(made_at="yesterday"), "damaged"),
        ("leads out", with_file("../outside.txt"), "damaged"),
        ("absolute", with_file("/tmp/outside.txt"), "damaged"),
        ("drive", with_file("C:\\outside.txt"), "damaged"),
        ("attachment that leads out", with_file("attachments/../../outside"), "damaged"),
        ("program", with_file(f"attachments/{'a' * 26}/run.sh"), "damaged"),
        ("bomb", with_file("settings.json", b" " * 60_000_000), "damaged"),
        ("not listed", lambda entries: {**entries, "more.txt": b"more"}, "damaged"),
        ("not ours", with_file("threadwell.db", b"not a database at all"), "damaged"),
    ],
)
async def test_a_hostile_file_is_refused_and_changes_nothing(
    tmp_path: Path, library: Path, name: str, change: Callable[[dict[str, bytes]], dict[str, bytes]], code: str
) -> None:
    file = write(library, tmp_path / "work")
    before = contents(library)
    assert refusal(rewritten(file, change), tmp_path / "restored") == f"backup.{code}", name
    assert contents(library) == before


async def test_a_foreign_database_in_the_shape_of_a_backup_is_refused(tmp_path: Path, library: Path) -> None:
    file = write(library, tmp_path / "work")
    with zipfile.ZipFile(file) as archive:
        database = tmp_path / "foreign.db"
        database.write_bytes(archive.read("threadwell.db"))
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TRIGGER sly AFTER INSERT ON messages BEGIN DELETE FROM grants; END")
        connection.commit()
    other = rewritten(file, with_file("threadwell.db", database.read_bytes()))
    assert refusal(other, tmp_path / "restored") == "backup.damaged"


async def test_wherever_a_backup_is_damaged_it_is_refused(tmp_path: Path, library: Path, long_run: bool) -> None:
    content, refused = write(library, tmp_path / "work").read_bytes(), 0
    for seed in range(300 if long_run else 40):
        chance = random.Random(seed)
        if chance.random() < 0.3:
            broken = content[: chance.randrange(len(content))]
        else:
            place = chance.randrange(len(content))
            broken = content[:place] + bytes([content[place] ^ (1 << chance.randrange(8))]) + content[place + 1 :]
        file, folder = tmp_path / f"{seed}.threadwell-backup", tmp_path / f"restored-{seed}"
        file.write_bytes(broken)
        folder.mkdir()
        code = ""
        try:
            unpack(file, file.name, folder, Job())
        except BackupError as error:
            code = error.code
        # A bit may say nothing, such as a time of the archive: then all of it is as it was.
        assert code in ("", "backup.damaged", "backup.not_a_backup", "backup.newer")
        refused += bool(code)
    assert refused > 10


async def test_a_backup_of_an_older_version_becomes_one_of_this(tmp_path: Path, library: Path) -> None:
    file = write(library, tmp_path / "work")
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        for step in STEPS[:5]:
            step(connection)
        connection.execute("PRAGMA user_version = 5")
        connection.execute(
            "INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq) VALUES (1, 'a', 'Old', 1, 1, 1)"
        )
    both = rewritten(file, with_file("threadwell.db", old.read_bytes()))
    counted = {"chats": 1, "messages": 0, "memories": 0, "documents": 0, "files": 0}

    def change(entries: dict[str, bytes]) -> dict[str, bytes]:
        manifest = json.loads(entries[MANIFEST])
        kept = {name: fact for name, fact in manifest["files"].items() if not name.startswith("attachments/")}
        changed = with_manifest(schema_version=5, counts=counted, files=kept)(entries)
        return {name: content for name, content in changed.items() if not name.startswith("attachments/")}

    both = rewritten(both, change)
    async with opened(unpacked(both, tmp_path / "restored")) as store:
        assert [thread.title for thread in await store.threads.list_threads()] == ["Old"]


# -- where they lie


def test_a_file_appears_in_the_folder_whole_and_never_under_a_name_that_is_taken(tmp_path: Path) -> None:
    source, place = tmp_path / "source", FolderPlace(tmp_path / "backups" / "deep")
    source.write_bytes(b"whole")
    name = "Threadwell-2026-11-30-1015.threadwell-backup"
    assert place.store(source, name, Job()) == name
    assert place.store(source, name, Job()) == "Threadwell-2026-11-30-1015-2.threadwell-backup"
    (tmp_path / "backups" / "deep" / f"{name}{TEMPORARY}").write_bytes(b"ha")
    (tmp_path / "backups" / "deep" / f"of somebody else{TEMPORARY}").write_bytes(b"theirs")
    place.store(source, "Threadwell-x.threadwell-backup", Job())
    left = sorted(path.name for path in (tmp_path / "backups" / "deep").iterdir())
    assert f"{name}{TEMPORARY}" not in left, "what a killed one left is cleared"
    assert f"of somebody else{TEMPORARY}" in left
    assert len(place.stored()) == 3
    file = tmp_path / "backups" / "deep" / name
    assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, "for the user alone"


def test_nothing_is_removed_that_has_another_size(tmp_path: Path) -> None:
    place = FolderPlace(tmp_path)
    (tmp_path / "a.threadwell-backup").write_bytes(b"12345")
    place.remove("a.threadwell-backup", 4)
    assert (tmp_path / "a.threadwell-backup").exists()
    place.remove("a.threadwell-backup", 5)
    assert not (tmp_path / "a.threadwell-backup").exists()
    with pytest.raises(BackupError, match="unreadable"):
        place.remove("../a.threadwell-backup", 5)


def _entries(days: int, kind: BackupKind = BackupKind.DAILY) -> Iterator[Entry]:
    for day in range(days):
        yield Entry(place="p", name=f"{kind}-{day}", size=1, made_at=MOMENT - timedelta(days=day), kind=kind)


def test_seven_days_and_four_weeks_stay_and_nothing_that_was_made_by_hand_goes() -> None:
    entries = [*_entries(60), *_entries(60, BackupKind.BY_HAND), *_entries(3, BackupKind.BEFORE_RESTORE)]
    gone = superseded(entries, keep_days=7, keep_weeks=4)
    kept = sorted((one for one in entries if one not in gone), key=lambda one: one.made_at, reverse=True)
    assert {one.kind for one in gone} == {BackupKind.DAILY}
    daily = [one for one in kept if one.kind is BackupKind.DAILY]
    assert [(MOMENT - one.made_at).days for one in daily][:7] == list(range(7))
    assert len({one.made_at.isocalendar()[:2] for one in daily}) == 4
    assert superseded(daily, keep_days=7, keep_weeks=4) == [], "what was kept once is kept again"


def test_a_list_that_is_lost_lets_nothing_be_removed(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "backups.json")
    for entry in _entries(3):
        ledger.add(entry)
    assert len(ledger.entries()) == 3
    (tmp_path / "backups.json").write_text("{broken", encoding="utf-8")
    assert ledger.entries() == []


pytestmark = pytest.mark.allowed_log(r"WARNING desktop\.storage\.backup")
