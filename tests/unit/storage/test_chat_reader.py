"""Files with chats are read in a process of their own, with their files; what is no such file is refused in words."""

import asyncio
import json
import os
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from desktop.app.interchange_parts import make_interchange
from desktop.conversation.entities import AttachmentKind, MessageStatus, TextPart
from desktop.conversation.file_kinds import text_of
from desktop.conversation.interchange.exporting import ChatExport, JsonFormat, MarkdownFormat
from desktop.conversation.interchange.records import ImportReport, Verdict
from desktop.conversation.service import ConversationService
from desktop.core.errors import FileError
from desktop.core.language_model import Usage
from desktop.storage.chat_reader import ChatReaderProcess
from desktop.storage.store import Store
from tests.support.exchanged_chats import exported
from tests.support.foreign_chats import (
    PICTURE,
    archive,
    chatgpt_chat,
    chatgpt_export,
    cherry_export,
    claude_chat,
    claude_export,
    lm_studio_chat,
)
from tests.support.stores import opened


def without_ids(export: dict[str, Any]) -> int:
    """Take the ids of files out, which each library gives anew; return how many there were."""
    parts = [part for message in export["messages"] for part in message["parts"] if "attachment_id" in part]
    for part in parts:
        del part["attachment_id"]
    return len(parts)


async def imported(store: Store, path: Path) -> ImportReport:
    interchange = make_interchange(store, ConversationService(store.threads))
    return await interchange.import_file(path, ImportReport(source_name=path.name))


async def test_the_text_of_an_attached_file_is_read_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def text_in_its_thread(data: bytes) -> str:
        threads.append(threading.current_thread())
        return text_of(data)

    monkeypatch.setattr("desktop.conversation.interchange.importing.text_of", text_in_its_thread)
    chat = chatgpt_chat()
    attachments = chat["mapping"]["q1"]["message"]["metadata"]["attachments"]
    attachments.append({"id": "file-XYZ789", "name": "notes.txt", "mimeType": "text/plain", "size": 12})
    source = tmp_path / "export.zip"
    source.write_bytes(archive({"conversations.json": [chat], "file-XYZ789-notes.txt": "Alpha, beta."}))
    async with opened(tmp_path / "data") as store:
        (outcome,) = (await imported(store, source)).outcomes
        files = (await store.threads.path(outcome.thread_id))[0].attachments
        assert [file.text for file in files if file.name == "notes.txt"] == ["Alpha, beta."]
    assert threads
    assert threading.main_thread() not in threads


async def test_a_chat_comes_with_its_pictures(tmp_path: Path) -> None:
    source = tmp_path / "export.zip"
    source.write_bytes(chatgpt_export(chatgpt_chat()))
    async with opened(tmp_path / "data") as store:
        report = await imported(store, source)
        (outcome,) = report.outcomes
        assert (outcome.verdict, outcome.files_missing) == (Verdict.IMPORTED, 0)
        (file,) = (await store.threads.path(outcome.thread_id))[0].attachments
        assert (file.kind, file.media_type, file.width) == (AttachmentKind.IMAGE, "image/png", 1)
        assert await store.attachments.thumbnail(file.attachment_id) is not None
        original = store.attachments.original(file.attachment_id)
        assert original is not None
        assert original.read_bytes() == PICTURE
        again = await imported(store, source)
        assert [one.verdict for one in again.outcomes] == [Verdict.KNOWN]
        assert len(list((tmp_path / "data" / "attachments").iterdir())) == 1


async def test_files_go_out_and_in_again(tmp_path: Path) -> None:
    async with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        (first,) = (await imported(one, _written(tmp_path / "x.zip", cherry_export()))).outcomes
        export = ChatExport(one.exchange, one.threads, one.attachments)
        assert await export.suffix([first.thread_id], JsonFormat()) == ".zip"
        await export.write([first.thread_id], JsonFormat(), tmp_path / "mine.zip")
        (second,) = (await imported(other, tmp_path / "mine.zip")).outcomes
        assert second.verdict is Verdict.IMPORTED
        there, here = await exported(one, first.thread_id), await exported(other, second.thread_id)
        names = [
            [p.pop("attachment_id") for m in e["messages"] for p in m["parts"] if "attachment_id" in p]
            for e in (there, here)
        ]
        assert [len(each) for each in names] == [1, 1]
        assert there == here
        (file,) = (await other.threads.path(second.thread_id))[0].attachments
        original = other.attachments.original(file.attachment_id)
        assert original is not None
        assert original.read_bytes() == PICTURE


async def test_a_folder_is_read_with_all_below_it(tmp_path: Path) -> None:
    folder = tmp_path / "conversations" / "work"
    folder.mkdir(parents=True)

    (folder / "1.conversation.json").write_text(json.dumps(lm_studio_chat()), "utf-8")
    (folder.parent / "2.conversation.json").write_text(
        json.dumps({**lm_studio_chat(), "createdAt": 5, "name": "二"}), "utf-8"
    )
    os.symlink("/etc", folder / "link.json")
    async with opened(tmp_path / "data") as store:
        report = await imported(store, folder.parent)
        assert sorted(one.title for one in report.outcomes) == ["Riddles", "二"]
        assert not [each for each in (tmp_path / "data").iterdir() if each.name.startswith("tmp")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.no_chats"),
        (b"PK\x03\x04 no archive", "file.chats_unreadable"),
        (b"just text", "file.no_chats"),
        (b'{"a": 1}', "file.no_chats"),
        (archive({"readme.txt": "nothing"}), "file.no_chats"),
    ],
    ids=["empty", "broken archive", "text", "other json", "no json"],
)
async def test_what_is_no_export_is_refused(tmp_path: Path, data: bytes, code: str) -> None:
    async with opened(tmp_path / "data") as store:
        with pytest.raises(FileError) as raised:
            await imported(store, _written(tmp_path / "x.zip", data))
        assert raised.value.code == code


async def test_a_file_that_is_not_there_and_one_that_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    async with opened(tmp_path / "data") as store:
        for name in ("nothing.json", "pipe"):
            with pytest.raises(FileError) as raised:
                await imported(store, tmp_path / name)
            assert raised.value.code == "file.unreadable"


@pytest.mark.allowed_log("ended early")
@pytest.mark.parametrize(
    "program", ["import os; os._exit(1)", "print('nonsense' * 9, flush=True)"], ids=["dies", "lies"]
)
async def test_a_reader_that_fails_is_an_error_in_words(tmp_path: Path, program: str) -> None:
    reader = ChatReaderProcess(tmp_path, command=(sys.executable, "-c", program))
    source = _written(tmp_path / "x.json", b"[]")
    async with reader.read(source) as found:
        with pytest.raises(FileError) as raised:
            await anext(found)
    assert raised.value.code in ("file.chats_unreadable", "file.chats_too_large")


@pytest.mark.allowed_log("too long")
async def test_a_reader_that_says_nothing_is_ended(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "import time; time.sleep(60)")
    reader = ChatReaderProcess(tmp_path, patience_seconds=0.2, command=command)
    async with reader.read(_written(tmp_path / "x.json", b"[]")) as found:
        with pytest.raises(FileError) as raised:
            await anext(found)
    assert raised.value.code == "file.too_slow"


async def test_a_reader_that_is_left_in_the_middle_of_its_words_ends(tmp_path: Path) -> None:
    chats = [{**claude_chat(), "uuid": f"c-{number}"} for number in range(2_000)]
    source = _written(tmp_path / "x.json", json.dumps(chats).encode())
    reader = ChatReaderProcess(tmp_path)
    async with asyncio.timeout(60), reader.read(source) as found:
        await anext(found)
        await asyncio.sleep(0.5)  # until what it says is held back


# -- what is written


async def test_many_chats_of_one_title_are_files_of_their_own(tmp_path: Path) -> None:
    async with opened(tmp_path / "data") as store:
        ids = []
        for title in ("A/B: “天气” 🌧 ?", "A/B: “天气” 🌧 ?", "a-b- “天气” 🌧", "", "con", "x" * 300):
            thread = await store.threads.create_thread(title=title)
            turn = await store.threads.begin_turn(thread.id, "hello", model="m")
            await store.threads.finish_turn(
                turn.turn_id, parts=[TextPart(text="```\nopen")], status=MessageStatus.COMPLETE, reason="completed",
                usage=Usage(), duration_seconds=0.0,
            )  # fmt: skip
            ids.append(thread.id)
        export = ChatExport(store.exchange, store.threads, store.attachments)
        written = await export.write(ids, MarkdownFormat(), tmp_path / "all.zip")
        assert written.chats == 6
        names = zipfile.ZipFile(tmp_path / "all.zip").namelist()
        assert len({name.casefold() for name in names}) == 6
        assert all(len(name) < 80 and name.endswith(".md") and "/" not in name for name in names)
        assert "A-B “天气” 🌧.md" in names
        text = zipfile.ZipFile(tmp_path / "all.zip").read(names[0]).decode()
        assert "```\nopen\n```\n" in text


async def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    target = _written(tmp_path / "mine.json", b"before")
    async with opened(tmp_path / "data") as store:
        export = ChatExport(store.exchange, store.threads, store.attachments)
        with pytest.raises(Exception, match="thread_missing"):
            await export.write(["nothing"], JsonFormat(), target)
        assert target.read_bytes() == b"before"
        with pytest.raises(FileError):
            await export.write([], JsonFormat(), tmp_path / "no folder" / "x.zip")
    assert sorted(os.listdir(tmp_path)) == ["data", "mine.json"]


async def test_claude_comes_in_by_the_process_too(tmp_path: Path) -> None:
    async with opened(tmp_path / "data") as store:
        report = await imported(store, _written(tmp_path / "c.zip", claude_export()))
        assert [one.title for one in report.outcomes] == ["Greek"]


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
