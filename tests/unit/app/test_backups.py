"""Backups of a library from end to end: no secret in them, full disks, each day, replaced and undone, and looked at."""

import asyncio
import dataclasses
import random
import sqlite3
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.app.backup_settings import settings_after_restore, settings_for_backup
from desktop.app.daily_backups import DailyBackups
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.prompts.library import PromptDraft
from desktop.core.api_settings import ApiSettings
from desktop.core.backups import WEB_PASSWORD, BackupDone, BackupError, BackupKind, MergeReport, Part
from desktop.core.clock import utc_now
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.paths import DataPaths
from desktop.core.settings import EndpointSettings, KeyPlace, Settings, read_settings, settings_text
from desktop.memory.documents import DocumentRoot, DocumentState
from desktop.memory.entities import MemoryKind
from desktop.storage import opening
from desktop.storage.salvage_mending import RECOVERED_TITLE
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.library_app import LibraryApp, library_app
from tests.support.small_disks import fill_up, mounted

pytestmark = pytest.mark.allowed_log(r"WARNING desktop\.")
SECRETS = (
    "sk-proj-Zq8vT3mYx1LwK7nR5bJd0sHc9GfPaUe2iOtW6yXk",
    "Zx9Kq7LmN2pR8sT4vW6yB3cD5eF7gH9jabcdef",
    "hunter2-of-the-webdav-server",
    "ghp_" + "Q7z" * 12,
)
KEY, HEADER, DAV, SERVER = SECRETS


def nothing(_progress: object) -> None:
    pass


def with_secrets(settings: Settings) -> Settings:
    endpoint = EndpointSettings(
        id="e1",
        name="Work",
        base_url="https://api.example/v1",
        model="m",
        key_place=KeyPlace.KEYCHAIN,
        headers={"Authorization": "Bearer {key}", "X-Team": "blue"},
        model_options={"m": ModelOptions(extra_body={"api_key": HEADER, "top_k": 3})},
        proxy="http://proxy.example:8080",
    )
    return dataclasses.replace(
        settings,
        endpoints=(endpoint,),
        endpoint_id="e1",
        mcp_servers={
            "files": {"command": "npx", "args": ["-y", "files"], "env": {"GITHUB_TOKEN": SERVER}},
            "web": {"url": "https://mcp.example", "headers": {"Authorization": f"Bearer {SERVER}"}},
        },
        agent=dataclasses.replace(settings.agent, system_prompt=f"My key is {KEY}"),
    )


def is_folder(path: str) -> bool:
    return Path(path).is_dir()


async def test_no_secret_is_in_a_backup(tmp_path: Path) -> None:
    secrets = InMemorySecrets()
    async with library_app(tmp_path / "data", secrets=secrets) as app:
        await secrets.set("e1", KEY)
        await secrets.set(WEB_PASSWORD, DAV)
        app.settings.update(with_secrets(app.settings.settings))
        await app.chat("hello")
        done = await app.backups.back_up(nothing)
    with zipfile.ZipFile(tmp_path / "backups" / done.name) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
        settings = read_settings(archive.read("settings.json").decode())
    for secret in SECRETS:
        assert secret.encode() not in everything
    assert settings.endpoints[0].headers == {"Authorization": "Bearer {key}", "X-Team": "blue"}
    assert settings.endpoints[0].options.extra_body["top_k"] == 3
    assert settings.endpoints[0].proxy == "http://proxy.example:8080"
    assert settings.mcp_servers["files"]["command"] == "npx"


def test_a_restored_file_gets_no_key_and_starts_nothing() -> None:
    present = with_secrets(Settings())
    evil = dataclasses.replace(
        Settings(),
        endpoints=(
            EndpointSettings(id="e1", base_url="https://evil.example/v1", model="m", key_place=KeyPlace.KEYCHAIN),
            EndpointSettings(id="e2", base_url="https://evil.example/v1", model="m", key_env="HOME"),
        ),
        endpoint_id="e2",
        mcp_servers={"files": {"command": "evil"}, "more": {"command": "evil"}},
        confirmed_servers=("anything",),
        memory=dataclasses.replace(Settings().memory, chroma_url="http://evil.example"),
    )
    after = read_settings(settings_after_restore(settings_for_backup(evil), present))
    assert after.endpoint_id == "e1"
    assert after.endpoints[0] == present.endpoints[0]
    for endpoint in after.endpoints[1:]:
        assert endpoint.key_place is KeyPlace.NONE
        assert endpoint.key_env == ""
        assert endpoint.id != "e1"
    assert after.mcp_servers["files"] == present.mcp_servers["files"]
    assert after.confirmed_servers == ()
    assert after.memory.chroma_url == ""
    listening = settings_text(dataclasses.replace(evil, api=ApiSettings(enabled=True)))
    assert read_settings(settings_after_restore(listening, present)).api == present.api
    assert read_settings(settings_after_restore("{broken", present)) == present


async def test_a_library_is_replaced_at_the_next_start_and_that_can_be_undone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with library_app(folder) as app:
        kept = await app.chat("kept")
        done = await app.backups.back_up(nothing)
        later = await app.chat("later")
        plan = await app.backups.look_at(done.name, nothing)
        assert (plan.lost_chats, plan.lost_messages, plan.new_chats) == (1, 2, 0)
        await app.backups.replace(nothing)
        last = await app.chat("after the decision")
    async with library_app(folder) as app:
        assert await app.chats() == {kept}
        told: list[BackupDone] = []
        app.backups.kept.connect(lambda done: told.append(done))
        assert is_folder(app.backups.replaced)
        before = await app.backups.keep_replaced()
        assert before is not None
        assert (told, app.backups.replaced) == ([before], "")
        assert await app.backups.keep_replaced() is None
        assert not list(folder.glob("replaced-*"))
        await app.backups.look_at(before.name, nothing)
        await app.backups.replace(nothing)
    async with library_app(folder) as app:
        assert await app.chats() == {kept, later, last}, "nothing was lost, not even what came after the decision"


async def test_a_merge_adds_what_is_missing_and_what_was_forgotten_stays_so(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        chats = {await app.chat(f"chat {number}") for number in range(4)}
        for text in ("I live in Oslo", "I like tea"):
            await app.memory.write(text, MemoryKind.FACT)
        done = await app.backups.back_up(nothing)
        gone = sorted(chats)[0]
        await app.store.threads.purge_thread(gone)
        tea = next(item for item in await app.memory.search() if "tea" in item.text)
        await app.memory.forget([tea.id])
        report = MergeReport()
        await app.backups.look_at(done.name, nothing)
        await app.backups.merge(report, nothing)
        assert await app.chats() == chats
        assert (report.chats, report.known, report.memories, report.forgotten) == (1, 3, 0, 1)
        assert [item.text for item in await app.memory.search()] == ["I live in Oslo"]
        again = MergeReport()
        await app.backups.look_at(done.name, nothing)
        await app.backups.merge(again, nothing)
        assert (again.chats, again.messages, again.known) == (0, 0, 4), "nothing twice"


async def test_one_a_day_and_older_ones_make_room(tmp_path: Path) -> None:
    now = utc_now()

    def clock() -> object:
        return now

    async with library_app(tmp_path / "data", clock=clock) as app:  # pyright: ignore[reportArgumentType]
        quiet = True
        daily = DailyBackups(app.backups, app.settings, is_quiet=lambda: quiet, clock=clock)  # pyright: ignore[reportArgumentType]
        await app.chat("hello")
        assert not await daily.make_if_due(), "nobody wanted any"
        app.change(daily=True, keep_days=3, keep_weeks=0)
        quiet = False
        assert not await daily.make_if_due(), "somebody works"
        quiet = True
        assert await daily.make_if_due()
        assert not await daily.make_if_due(), "never twice"
        by_hand = await app.backups.back_up(nothing)
        (tmp_path / "backups" / "Threadwell-2000-01-01-0000.threadwell-backup").write_bytes(b"of somebody else")
        for _ in range(6):
            now += timedelta(days=1, minutes=1)
            assert await daily.make_if_due()
        files = await app.backups.files()
        assert [one.kind for one in files].count(BackupKind.DAILY) == 3
        names = {one.name for one in files}
        assert by_hand.name in names
        assert "Threadwell-2000-01-01-0000.threadwell-backup" in names, "what we did not write is never removed"


async def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "size=4m") as small:
        async with library_app(tmp_path / "data", small / "backups") as app:
            chat = await app.chat("hello")
            first = await app.backups.back_up(nothing)
            fill_up(small)
            with pytest.raises(BackupError) as caught:
                await app.backups.back_up(nothing)
            assert caught.value.code == "backup.full"
            assert await app.chats() == {chat}
            assert [path.name for path in (small / "backups").iterdir()] == [first.name], "no half file"


async def test_a_disk_without_room_for_the_copy_is_seen_before_it_is_full(tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "size=24m") as small:
        async with library_app(small / "data", tmp_path / "backups") as app:
            chat = await app.chat("hello")
            with pytest.raises(BackupError) as caught:
                await app.backups.back_up(nothing)
            assert caught.value.code == "backup.full"
            await app.chat("it goes on")
            assert chat in await app.chats()
            assert not (tmp_path / "backups").exists()


async def test_a_full_disk_is_said_in_words_of_a_restore_and_of_a_check(tmp_path: Path) -> None:
    async with library_app(tmp_path / "other", tmp_path / "backups") as app:
        await fill(app)
        done = await app.backups.back_up(nothing)
    with mounted(tmp_path / "small", "size=20m") as small:
        async with library_app(small / "data", tmp_path / "backups") as app:
            chat = await app.chat("hello")
            fill_up(small)
            for work in (app.backups.look_at(done.name, nothing), app.backups.check(nothing)):
                with pytest.raises(BackupError) as caught:
                    await work
                assert caught.value.code == "backup.no_room"
            assert await app.chats() == {chat}
            assert not list((small / "data" / "backup-work").iterdir()), "nothing half unpacked is left"


async def test_two_at_a_time_are_refused(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await app.chat("hello")
        first = asyncio.ensure_future(app.backups.back_up(nothing))
        await asyncio.sleep(0)
        with pytest.raises(BackupError) as caught:
            await app.backups.back_up(nothing)
        assert caught.value.code == "backup.busy"
        await first


async def test_a_stopped_backup_leaves_no_file(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await fill(app)
        task = asyncio.ensure_future(app.backups.back_up(lambda _progress: task.cancel()))
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not (tmp_path / "backups").exists() or list((tmp_path / "backups").iterdir()) == []
        await app.backups.back_up(nothing)


async def fill(app: LibraryApp) -> None:
    for number in range(20):
        await app.chat(f"chat {number}", turns=3)


async def test_what_can_be_made_again_is_mended_and_what_is_missing_is_counted(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await fill(app)
        report = await app.backups.check(nothing)
        assert report.is_sound
        assert {one.part for one in report.findings} >= {Part.FILE, Part.REFERENCES, Part.WORDS, Part.FILES}
        await app.store.database.write(lambda c: c.execute("DELETE FROM message_recall_docsize WHERE id % 2 = 0"))
        key = await app.store.attachments.add(b"text", suffix=".txt")
        statement = "UPDATE attachments SET thread_seq = (SELECT min(seq) FROM threads) WHERE id = ?"
        await app.store.database.write(lambda c: c.execute(statement, (key,)))
        original = app.store.attachments.original(key)
        assert original is not None
        original.unlink()
        found = {one.part: one for one in (await app.backups.check(nothing)).findings}
        assert found[Part.WORDS].is_mended
        assert not found[Part.FILES].is_sound
        assert found[Part.FILES].count == 1
        again = {one.part: one for one in (await app.backups.check(nothing)).findings}
        assert again[Part.WORDS].is_sound


async def test_what_leads_nowhere_is_mended_by_a_check_so_that_a_backup_can_be_made(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await fill(app)
        statements = (
            "PRAGMA foreign_keys = OFF",
            "DELETE FROM messages WHERE seq = (SELECT min(seq) FROM messages)",
            "DELETE FROM threads WHERE seq = (SELECT max(seq) FROM threads)",
            "PRAGMA foreign_keys = ON",
        )
        with closing(sqlite3.connect(app.store.database.paths.database, isolation_level=None)) as other:
            for statement in statements:
                other.execute(statement)
        with pytest.raises(BackupError) as caught:
            await app.backups.back_up(nothing)
        assert caught.value.code == "backup.not_sound"
        report = await app.backups.check(nothing)
        assert report.is_sound
        assert {one.part for one in report.findings if one.is_mended} >= {Part.REFERENCES}
        titles = {thread.title for thread in await app.store.threads.list_threads()}
        assert RECOVERED_TITLE in titles, "words without a message have a chat of their own"
        assert len(await app.chats()) == 21
        assert (await app.store.threads.search("chat 0 0"))[0].snippet
        await app.backups.back_up(nothing)
        assert all(one.is_sound for one in (await app.backups.check(nothing)).findings)


async def test_a_merge_gives_messages_back_what_a_damaged_file_lost(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        chats = sorted([await app.chat(f"chat {number}", turns=2) for number in range(3)])
        before = [await app.store.threads.path(chat) for chat in chats]
        done = await app.backups.back_up(nothing)
        lost = [before[0][1].id, before[1][3].id, *(message.id for message in before[2])]

        def lose(connection: sqlite3.Connection) -> None:
            for key in lost:  # as a salvage leaves them whose words could not be read
                connection.execute(
                    "DELETE FROM parts WHERE message_seq = (SELECT seq FROM messages WHERE id = ?)", (key,)
                )
                connection.execute("UPDATE messages SET part_count = 0, text_length = 0 WHERE id = ?", (key,))

        await app.store.database.write(lose)
        plan = await app.backups.look_at(done.name, nothing)
        assert (plan.new_chats, plan.grown_chats, plan.new_messages) == (0, 3, 6)
        report = MergeReport()
        await app.backups.merge(report, nothing)
        assert (report.chats, report.grown, report.messages) == (0, 3, 6)
        after = [await app.store.threads.path(chat) for chat in chats]
        assert [[(m.id, m.parts) for m in path] for path in after] == [
            [(m.id, m.parts) for m in path] for path in before
        ]
        assert len(await app.store.threads.search("An answer to chat 2")) > 0
        assert (await app.backups.check(nothing)).is_sound
        assert (await app.backups.look_at(done.name, nothing)).new_messages == 0


async def test_the_places_of_backups_are_known_for_the_receipt(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await app.chat("hello")
        assert list(app.backups.places) == []
        await app.backups.back_up(nothing)
        assert list(app.backups.places) == [str(tmp_path / "backups")]


async def test_a_merge_brings_folders_prompts_and_documents_and_overwrites_none(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "bread.md").write_text("# Bread\n\nThe oven takes 240 degrees for 20 minutes.")
    async with library_app(tmp_path / "old", tmp_path / "backups") as app:
        for name in ("Work", "Garden", "Empty"):
            await app.lists.create_folder(name)
        work = next(folder for folder in await app.lists.folders() if folder.name == "Work")
        chat = await app.chat("about bread")
        await app.lists.move([chat], work.id)
        await app.prompts.take_in([PromptDraft("Sum up", "In one sentence."), PromptDraft("Plan", "Make a plan.")])
        helper = await app.assistants.add(Assistant(id="", name="Helper"))
        assert helper is not None
        chief = await app.assistants.add(Assistant(id="", name="Chief", instructions="Lead.", helpers=(helper.id,)))
        assert chief is not None
        await app.conversations.set_options(chat, ThreadOptions(assistant=chief))
        await app.documents.add([notes], only_thread_id=None)
        await app.documents.add([notes / "bread.md"], only_thread_id=chat)
        done = await app.backups.back_up(nothing)
    async with library_app(tmp_path / "new", tmp_path / "backups") as app:
        await app.lists.create_folder("Garden")
        await app.prompts.add(PromptDraft("Sum up", "In ten words."))
        await app.assistants.take_in([Assistant(id="x", name="CHIEF"), Assistant(id="y", name="Mine")])
        read = asyncio.Event()
        app.documents.changed.connect(read.set)
        for expected in (True, False):
            plan = await app.backups.look_at(done.name, nothing)
            assert (plan.new_folders, plan.new_prompts, len(plan.new_places)) == ((2, 2, 2) if expected else (0, 0, 0))
            assert (plan.lost_folders, plan.lost_prompts, plan.lost_places) == (0, 1, 0)
            assert (plan.new_assistants, plan.lost_assistants) == (2 if expected else 0, 2)
            report = MergeReport()
            await app.backups.merge(report, nothing)
            assert (report.folders, report.prompts, report.places) == ((2, 2, 2) if expected else (0, 0, 0))
            assert report.assistants == (2 if expected else 0)
            assert [one.name for one in app.assistants.known] == ["CHIEF", "Mine", "Helper", "Chief (2)"]
            merged = app.assistants.of(await app.conversations.options_of(chat))
            assert merged is not None
            assert (merged.name, merged.helpers) == ("Chief (2)", (helper.id,))
            assert [folder.name for folder in await app.lists.folders()] == ["Garden", "Work", "Empty"]
            assert [(one.name, one.text) for one in await app.prompts.all()] == [
                ("Sum up", "In ten words."),
                ("Sum up (2)", "In one sentence."),
                ("Plan", "Make a plan."),
            ]
            assert [(one.root.path, one.root.only_thread_id) for one in await app.documents.summaries()] == [
                (notes, None),
                (notes / "bread.md", chat),
            ]
        assert next(folder for folder in await app.lists.folders() if folder.name == "Work").chats == 1
        async with asyncio.timeout(20):  # they are read where they are on this computer
            while [one.pieces for one in await app.documents.summaries()] != [1, 1]:
                await read.wait()
                read.clear()


async def test_what_a_backup_says_was_read_is_not_believed_and_a_share_is_not_asked_for(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("The password of the gate is on the board.")
    async with library_app(tmp_path / "old", tmp_path / "backups") as app:
        await app.chat("hello")
        read = asyncio.Event()
        app.documents.changed.connect(read.set)
        await app.documents.add([note], only_thread_id=None)
        async with asyncio.timeout(20):
            while [one.pieces for one in await app.documents.summaries()] != [1]:
                await read.wait()
                read.clear()
        for path in ("//evil.example/share", "relative/folder"):
            root = DocumentRoot(id=new_id(), path=Path(path), is_folder=True, added_at=utc_now())
            await app.store.documents.add_root(root)
        done = await app.backups.back_up(nothing)
    note.unlink()
    async with library_app(tmp_path / "new", tmp_path / "backups") as app:
        plan = await app.backups.look_at(done.name, nothing)
        assert plan.new_places == (str(note),)
        report = MergeReport()
        await app.backups.merge(report, nothing)
        assert report.places == 1
        (summary,) = await app.documents.summaries()
        assert summary.states == {DocumentState.GONE: 1}, "what is not on this computer is named"
        assert summary.pieces == 0
        held = await app.store.database.read(lambda c: c.execute("SELECT count(*) FROM document_pieces").fetchone()[0])
        assert held == 0, "and never told"


async def test_a_folder_that_has_another_name_now_comes_back_only_with_a_chat_that_stood_in_it(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        folder = await app.lists.create_folder("Work")
        assert folder is not None
        chat = await app.chat("about work")
        await app.lists.move([chat], folder.id)
        done = await app.backups.back_up(nothing)
        await app.lists.rename_folder(folder.id, "Job")
        assert (await app.backups.look_at(done.name, nothing)).new_folders == 0
        report = MergeReport()
        await app.backups.merge(report, nothing)
        assert report.folders == 0
        await app.store.threads.purge_thread(chat)
        assert (await app.backups.look_at(done.name, nothing)).new_folders == 1
        await app.backups.merge(report, nothing)
        assert report.folders == 1
        assert {one.name: one.chats for one in await app.lists.folders()} == {"Job": 0, "Work": 1}


@pytest.mark.allowed_log(r"(WARNING|ERROR) desktop\.storage")
async def test_a_look_that_cannot_read_a_page_lets_the_next_start_save_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_LOOKED_THROUGH_BYTES", 0)
    folder = tmp_path / "data"
    async with library_app(folder) as app:
        chats = {await app.chat(f"chat {number}", turns=2) for number in range(60)}
    database = DataPaths(folder).database
    with closing(sqlite3.connect(database)) as connection:
        size: int = connection.execute("PRAGMA page_size").fetchone()[0]
        leaves = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'parts' AND pagetype = 'leaf' ORDER BY pageno"
        ).fetchall()
    spoil_page(database, leaves[len(leaves) // 2][0], size)
    async with library_app(folder) as app:
        assert app.store.notices == (), "a large file is not gone through"
        with pytest.raises(StorageError) as caught:
            await app.backups.check(nothing, with_words=False)
        assert caught.value.code == "storage.suspected"
    async with library_app(folder) as app:
        assert [notice.code for notice in app.store.notices] == ["storage.salvaged"]
        assert chats <= await app.chats(), "what lost its chat may stand in one more"
        assert (await app.backups.check(nothing, with_words=False)).is_sound


def spoil_page(database: Path, number: int, size: int) -> None:
    with database.open("r+b") as file:
        file.seek((number - 1) * size)
        file.write(random.Random(number).randbytes(size))
