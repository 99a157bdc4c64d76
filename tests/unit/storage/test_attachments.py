"""Attached files on disk: private, gone without a trace with their thread, and never lost or left behind by a crash."""

import os
import sys
from pathlib import Path

import pytest

from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage import attachments as attached
from tests.support.stores import opened

SECRET = b"the words that must be gone"


def part_of(attachment_id: str) -> AttachmentPart:
    return AttachmentPart(
        attachment_id=attachment_id, name="letter.txt", kind=AttachmentKind.TEXT, size=9, text=SECRET.decode()
    )


def files_with(folder: Path, needle: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and needle in path.read_bytes()]


async def test_a_purge_leaves_no_byte_of_a_file(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        attachment_id = await store.attachments.add(SECRET, suffix=".txt", sent=SECRET, thumbnail=SECRET)
        await store.threads.begin_turn(thread.id, "x", model="m", attachments=[part_of(attachment_id)])
        await store.threads.search("words")
        assert len(files_with(tmp_path / "attachments", SECRET)) == 3
        await store.threads.purge_thread(thread.id)
    assert files_with(tmp_path, SECRET) == []
    assert files_with(tmp_path, b"letter.txt") == []
    assert list((tmp_path / "attachments").iterdir()) == []


async def test_the_trash_being_emptied_deletes_files(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        attachment_id = await store.attachments.add(SECRET, suffix=".txt")
        turn = await store.threads.begin_turn(thread.id, "x", model="m", attachments=[part_of(attachment_id)])
        await store.threads.delete_thread(thread.id)
        await store.threads.purge_deleted_before(turn.user_message.created_at.replace(year=9000))
        assert store.attachments.original(attachment_id) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
async def test_files_are_for_the_user_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        attachment_id = await store.attachments.add(b"x", suffix=".txt", sent=b"y")
    folder = tmp_path / "attachments" / attachment_id
    assert [oct(path.stat().st_mode & 0o777) for path in (folder.parent, folder)] == ["0o700", "0o700"]
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o600"}


async def test_an_odd_ending_is_left_out(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        attachment_id = await store.attachments.add(b"x", suffix="./../../evil.sh")
        path = store.attachments.original(attachment_id)
        assert path == tmp_path / "attachments" / attachment_id / "original"


async def test_a_purge_that_was_cut_short_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        attachment_id = await store.attachments.add(SECRET, suffix=".txt")
        await store.threads.begin_turn(thread.id, "x", model="m", attachments=[part_of(attachment_id)])
        with monkeypatch.context() as crash:
            crash.setattr(attached, "_remove", lambda *_: False)  # as where another program holds it
            await store.threads.purge_thread(thread.id)
        assert store.attachments.original(attachment_id) is not None
    async with opened(tmp_path) as store:
        await store.threads.recover()
    assert files_with(tmp_path, SECRET) == []


async def test_folders_that_the_database_does_not_know_are_left_alone(tmp_path: Path) -> None:
    stray = tmp_path / "attachments" / "01hzzzzzzzzzzzzzzzzzzzzzzz"
    stray.mkdir(parents=True)
    (stray / "original.txt").write_text("of a database that was set aside")
    async with opened(tmp_path) as store:
        await store.attachments.sweep((await store.threads.create_thread()).created_at.replace(year=9000))
    assert (stray / "original.txt").exists()


async def test_the_data_page_counts_the_files(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        before = await store.data.usage()
        await store.attachments.add(os.urandom(100_000), suffix=".png", sent=b"12345")
        after = await store.data.usage()
        assert (before.attachment_bytes, after.attachment_bytes) == (0, 100_005)
        assert after.total_bytes >= before.total_bytes + 100_005


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder that cannot be written")
async def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        DataPaths(tmp_path).attachments.mkdir(mode=0o500)
        with pytest.raises(StorageError) as raised:
            await store.attachments.add(b"x", suffix=".txt")
        assert raised.value.code == "storage.unwritable"
