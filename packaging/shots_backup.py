"""Backups among the screenshots: the part of the page Data, the way back with its plan, and a place on the web."""

import asyncio
import dataclasses
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton
from shots_scenes import Scene, scene

from desktop.core.backups import MergeReport
from desktop.ui.backup.part import BackupPart
from desktop.ui.backup.restore_dialog import RestoreDialog, Step
from desktop.ui.backup.web_dialog import WebDialog
from desktop.ui.error_words import error_words
from desktop.ui.punctuation import sentences

if TYPE_CHECKING:
    from shots_stage import Stage

    from desktop.ui.settings.window import SettingsWindow

BACKUP_SCENES: list[Scene] = []


async def _backed_up(stage: "Stage", folder: str) -> "SettingsWindow":
    """Open the page with a backup that was just made into ``folder``."""
    window = await stage.settings("data")
    container = stage.session.container
    settings = container.settings
    backup = dataclasses.replace(settings.settings.backup, folder=folder, daily=True)
    settings.update(dataclasses.replace(settings.settings, backup=backup))
    await stage.press("backUpNow", window)
    stop = window.findChild(QPushButton, "stopBackup")
    assert stop is not None
    await stage.pilot.until(lambda: not stop.isVisible(), "the backup")
    return window


@scene(BACKUP_SCENES, "96-backup")
async def backup(stage: "Stage") -> None:
    """The part of the page, and what it looks like after a backup."""
    with TemporaryDirectory(prefix="Synced-") as folder:
        window = await _backed_up(stage, folder)
        await stage.picture("96-backup-done", of=lambda: window)
        await stage.press("webBackup", window)
        await stage.picture("96-backup-webdav")
        stage.close_dialogs()
        window.close()


@scene(BACKUP_SCENES, "97-backup-restore")
async def restore(stage: "Stage") -> None:
    """Which backups there are, what one would change, and that it waits for a restart."""
    with TemporaryDirectory(prefix="Synced-") as folder:
        window = await _backed_up(stage, folder)
        await stage.press("restoreBackup", window)
        await asyncio.sleep(0.5)
        await stage.picture("97-backup-restore-1-list")
        dialog = window.findChild(RestoreDialog)
        assert dialog is not None
        await stage.press("restoreGo", dialog)
        await stage.pilot.until(lambda: dialog.step is Step.PLAN, "the plan")
        await stage.picture("97-backup-restore-2-add")
        dialog.replace.click()
        await stage.picture("97-backup-restore-3-replace")
        merged = MergeReport(chats=3, grown=1, messages=42, memories=2, known=18, forgotten=1)
        merged.folders, merged.prompts, merged.places, merged.prompts_left_out = 2, 5, 1, 1
        dialog.show_end(merged)
        await stage.picture("97-backup-restore-4-added")
        dialog.show_ready()
        await stage.picture("97-backup-restore-5-ready")
        stage.close_dialogs()
        window.close()


@scene(BACKUP_SCENES, "97-backup-trouble")
async def trouble(stage: "Stage") -> None:
    """A backup that cannot be made, a daily one that failed, a server that refuses, a list that cannot be read."""
    window = await stage.settings("data")
    settings = stage.session.container.settings
    with TemporaryDirectory(prefix="Synced-") as folder:
        file = Path(folder) / "a file and no folder"
        file.write_text("")
        backup = dataclasses.replace(settings.settings.backup, folder=str(file))
        settings.update(dataclasses.replace(settings.settings, backup=backup))
        await stage.press("backUpNow", window)
        await asyncio.sleep(0.5)
        await stage.picture("97-backup-trouble-1-by-hand")
        stage.window.notices.clear()
        part = window.findChild(BackupPart)
        assert part is not None
        words = error_words("backup.no_folder", {"path": "/media/me/USB", "detail": "No such file or directory."})
        part.show_last("", sentences(words.title, words.detail), can_show=False)
        await stage.picture("97-backup-trouble-2-daily", of=lambda: window)
        await stage.press("webBackup", window)
        web = window.findChild(WebDialog)
        assert web is not None
        web.address.setText("http://nas.local/dav/Backups")
        refused = error_words("backup.web_unauthorized", {"url": "http://nas.local/dav/Backups"})
        web.show_problem(refused.title, refused.detail)
        await stage.picture("97-backup-trouble-3-webdav")
        stage.close_dialogs()
        await stage.press("restoreBackup", window)
        await asyncio.sleep(0.5)
        await stage.picture("97-backup-trouble-4-restore")
        stage.close_dialogs()
    window.close()
