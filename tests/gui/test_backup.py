"""Backups as a person makes and restores them: from the page Data, with progress, Stop, a plan and a report."""

import asyncio
import dataclasses
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QPushButton, QWidget

from desktop.conversation.prompts.library import PromptDraft
from desktop.core.backups import BackupDone, BackupKind, LibraryCounts
from desktop.core.settings import Theme
from desktop.ui.backup import restored_notice
from desktop.ui.backup.restore_dialog import RestoreDialog, Step
from desktop.ui.backup.web_dialog import WebDialog
from desktop.ui.settings.window import SettingsWindow
from tests.support.app_language import app_language
from tests.support.clipping import clipped_texts
from tests.support.settings_world import open_settings, set_appearance
from tests.support.waiting import until
from tests.support.webdav_server import PASSWORD, USER, webdav_server
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)


def find(parent: QWidget, kind: type[W], name: str) -> W:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def press(parent: QWidget, name: str) -> None:
    button = find(parent, QPushButton, name)
    assert button.isEnabled(), name
    assert button.isVisible(), name
    button.click()


def dialog(kind: type[W]) -> W | None:
    return next((w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()), None)


async def shown(kind: type[W]) -> W:
    await until(lambda: dialog(kind) is not None)
    found = dialog(kind)
    assert found is not None
    return found


def data_page(world: WindowWorld, tmp_path: Path) -> SettingsWindow:
    settings = world.settings.settings
    backup = dataclasses.replace(settings.backup, folder=str(tmp_path / "backups"))
    world.settings.update(dataclasses.replace(settings, backup=backup))
    world.presenter.open_settings("data")
    window = open_settings(world)
    window.open_page("data")
    return window


async def backed_up(world: WindowWorld, window: SettingsWindow) -> None:
    press(window, "backUpNow")
    await until(lambda: world.backups.last.done is not None and not world.backups.is_running)
    await until(lambda: find(window, QPushButton, "stopBackup").isHidden())


async def beside_chats(world: WindowWorld, tmp_path: Path) -> None:
    """Keep a folder of the list, a prompt, and a folder with documents."""
    (tmp_path / "notes").mkdir()
    await world.library.lists.create_folder("Work")
    await world.library.prompts.add(PromptDraft("Sum up", "In one sentence."))
    await world.library.documents.add([tmp_path / "notes"], only_thread_id=None)


async def remove_beside_chats(world: WindowWorld) -> None:
    services = world.library
    await services.lists.delete_folder((await services.lists.folders())[0].id)
    await services.prompts.remove([prompt.id for prompt in await services.prompts.all()])
    root = (await services.documents.summaries())[0].root.id
    await services.documents.remove(root)
    await services.documents.purge([root])


def words_of(restore: RestoreDialog) -> str:
    return " ".join(label.accessibleName() for label in restore.findChildren(QLabel) if label.isVisible())


async def test_a_backup_by_hand_says_where_it_is_and_how_large(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await world.add_thread("What is a loom?")
        window = data_page(world, tmp_path)
        await backed_up(world, window)
        (file,) = (tmp_path / "backups").iterdir()
        state = find(window, QLabel, "backupState").text()
        assert str(tmp_path / "backups") in state.replace("\u200b", "")
        assert "1 chat" in state
        done = world.backups.last.done
        assert done is not None
        assert file.stat().st_size == done.size
        assert not world.errors


async def test_what_was_deleted_is_added_again_after_the_plan_was_seen(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        kept = await world.add_thread("It stays")
        gone = await world.add_thread("It is deleted for good")
        await beside_chats(world, tmp_path)
        window = data_page(world, tmp_path)
        await backed_up(world, window)
        await world.chat.purge_thread(gone)
        await remove_beside_chats(world)
        new = await world.add_thread("It came later")
        press(window, "restoreBackup")
        restore = await shown(RestoreDialog)
        await until(lambda: find(restore, QListView, "restoreList").model().rowCount() == 1)
        press(restore, "restoreGo")
        await until(lambda: restore.step is Step.PLAN)
        assert {thread.id for thread in await world.store.threads.list_threads()} == {kept, new}, (
            "looking changes nothing"
        )
        said = words_of(restore)
        for words in ("1 folder of the list is new.", "1 prompt is new.", f"on this computer: {tmp_path / 'notes'}."):
            assert words in said
        press(restore, "restoreGo")
        await until(lambda: restore.step is Step.END)
        report = find(restore, QLabel, "restoreWords").accessibleName()
        for words in ("1 chat was", "1 folder of the list was", "1 prompt was", "1 file or folder was"):
            assert f"{words} added" in report
        assert [prompt.name for prompt in await world.library.prompts.all()] == ["Sum up"]
        assert [folder.name for folder in await world.library.lists.folders()] == ["Work"]
        assert {thread.id for thread in await world.store.threads.list_threads()} == {kept, gone, new}
        press(restore, "restoreGo")
        assert not world.errors


async def test_a_replacement_waits_for_the_restart_and_can_be_taken_back(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await world.add_thread("Before")
        window = data_page(world, tmp_path)
        await backed_up(world, window)
        await world.add_thread("After")
        press(window, "restoreBackup")
        restore = await shown(RestoreDialog)
        await until(lambda: find(restore, QListView, "restoreList").model().rowCount() == 1)
        press(restore, "restoreGo")
        await until(lambda: restore.step is Step.PLAN)
        restore.replace.click()
        press(restore, "restoreGo")
        await until(lambda: restore.step is Step.READY)
        press(restore, "restoreCancel")
        assert world.backups.waits_for_restart
        assert len(await world.store.threads.list_threads()) == 2
        await until(lambda: find(window, QPushButton, "takeRestoreBack").isVisible())
        press(window, "takeRestoreBack")
        await until(lambda: not world.backups.waits_for_restart)
        await until(lambda: find(window, QPushButton, "restoreBackup").isVisible())
        assert not world.errors


async def test_a_file_that_is_no_backup_is_refused_in_words(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        window = data_page(world, tmp_path)
        (tmp_path / "backups").mkdir()
        (tmp_path / "backups" / "photo.threadwell-backup").write_bytes(b"\x89PNG nothing of ours")
        press(window, "restoreBackup")
        restore = await shown(RestoreDialog)
        await until(lambda: find(restore, QListView, "restoreList").model().rowCount() == 1)
        press(restore, "restoreGo")
        await until(lambda: "no backup of Threadwell" in find(restore, QLabel, "restoreWords").accessibleName())
        assert restore.step is Step.CHOOSE
        restore.reject()


async def test_a_webdav_folder_is_tried_before_it_is_used(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await world.add_thread("Hello")
        window = data_page(world, tmp_path)
        with webdav_server(tmp_path / "dav") as server:
            press(window, "webBackup")
            web = await shown(WebDialog)
            for name, text in (("Address", server.url), ("User", USER), ("Password", "wrong")):
                find(web, QLineEdit, f"webBackup{name}").setText(text)
            press(web, "webBackupGo")
            await until(lambda: "did not accept" in find(web, QLabel, "webBackupProblem").accessibleName())
            assert not world.settings.settings.backup.is_on_web
            find(web, QLineEdit, "webBackupPassword").setText(PASSWORD)
            press(web, "webBackupGo")
            await until(lambda: dialog(WebDialog) is None)
            assert world.settings.settings.backup.web_address == server.url
            assert PASSWORD not in (tmp_path / "data" / "settings.json").read_text(encoding="utf-8")
            await backed_up(world, window)
            assert [path.suffix for path in (server.folder / "Backups").iterdir()] == [".threadwell-backup"]
        assert not world.errors


async def test_the_library_is_checked_by_hand(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await world.add_thread("Hello")
        window = data_page(world, tmp_path)
        press(window, "checkLibrary")
        await until(lambda: "sound" in find(window, QLabel, "checkResult").text())
        assert not world.errors


async def test_after_a_restore_the_window_says_where_the_library_of_before_is(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_folders: list[Path] = []
    monkeypatch.setattr(restored_notice, "open_folder", lambda folder: not opened_folders.append(folder))
    replaced = tmp_path / "data" / "replaced-20260102-030405"
    replaced.mkdir(parents=True)
    async with window_world(qapp, tmp_path / "data") as world:
        notices = world.presenter.window.notices
        (notice,) = notices.shown
        assert str(replaced) in notice.spoken()
        press(notice, "noticeAction-0")
        moment = datetime(2026, 1, 2, tzinfo=UTC)
        place = str(tmp_path / "backups")
        done = BackupDone(name="Before", place=place, size=1, made_at=moment, counts=LibraryCounts())
        world.backups.kept.emit(done)
        (notice,) = notices.shown
        assert "Before" in notice.spoken()
        assert str(replaced) not in notice.spoken()
        press(notice, "noticeAction-0")
        assert opened_folders == [replaced, Path(place)]


async def test_a_failed_daily_backup_is_said_on_the_page(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        (tmp_path / "backups").write_text("a file where the folder should be")
        window = data_page(world, tmp_path)
        heard: list[object] = []
        world.backups.failed.connect(lambda error: heard.append(error))
        for _ in range(2):
            with pytest.raises(Exception, match="no_folder") as caught:
                await world.backups.back_up(lambda _progress: None, BackupKind.DAILY)
            world.backups.note_failure(caught.value)  # pyright: ignore[reportArgumentType]
        assert len(heard) == 1, "said once"
        await until(lambda: "daily backup failed" in find(window, QLabel, "backupState").text())


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
async def test_nothing_of_the_plan_is_cut_off(
    qapp: QApplication, qloop: object, tmp_path: Path, language: str, theme: Theme
) -> None:
    with app_language(qapp, language):
        async with window_world(qapp, tmp_path / "data", theme=theme) as world:
            set_appearance(world, font_size=18.0)
            await world.add_thread("Hello")
            await beside_chats(world, tmp_path)
            window = data_page(world, tmp_path)
            window.resize(700, 600)
            await backed_up(world, window)
            await remove_beside_chats(world)
            await world.add_thread("Later")
            press(window, "restoreBackup")
            restore = await shown(RestoreDialog)
            await until(lambda: find(restore, QListView, "restoreList").model().rowCount() == 1)
            press(restore, "restoreGo")
            await until(lambda: restore.step is Step.PLAN)
            assert str(tmp_path / "notes") in words_of(restore)
            restore.replace.click()
            await asyncio.sleep(0.1)
            assert clipped_texts(restore) == []
            restore.reject()
