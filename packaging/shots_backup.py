"""Backups among the screenshots: the part of the page Data, the way back with its plan, and a place on the web."""

import asyncio
import dataclasses
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton
from shots_scenes import Scene, scene

from desktop.ui.backup.restore_dialog import RestoreDialog, Step

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
        stage.close_dialogs()
        window.close()
