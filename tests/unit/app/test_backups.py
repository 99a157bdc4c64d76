"""Backups of a library from end to end: no secret in them, full disks, each day, replaced and undone, and looked at."""

import asyncio
import dataclasses
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.app.backup_settings import settings_after_restore, settings_for_backup
from desktop.app.daily_backups import DailyBackups
from desktop.core.backups import WEB_PASSWORD, BackupError, BackupKind, MergeReport, Part
from desktop.core.clock import utc_now
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.settings import EndpointSettings, KeyPlace, Settings, read_settings
from desktop.memory.entities import MemoryKind
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
        before = await app.backups.keep_replaced()
        assert before is not None
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


async def test_the_places_of_backups_are_known_for_the_receipt(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await app.chat("hello")
        assert list(app.backups.places) == []
        await app.backups.back_up(nothing)
        assert list(app.backups.places) == [str(tmp_path / "backups")]
