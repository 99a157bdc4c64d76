"""Connects the part Backup of the settings with the library's backups: what is asked, what runs, and what came of it."""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Qt

from desktop.core.backup_settings import BackupSettings
from desktop.core.backups import BACKUP_SUFFIX, WEB_PASSWORD, LibraryBackups, MergeReport, Progress, Stage
from desktop.core.errors import ThreadwellError
from desktop.core.paths import default_backup_folder
from desktop.core.secrets import SecretStore
from desktop.core.settings import Settings
from desktop.ui.backup.part import BackupPart
from desktop.ui.backup.restore_dialog import RestoreDialog
from desktop.ui.backup.web_dialog import WebDialog
from desktop.ui.backup.words import BackupWording, moment_words, size_words
from desktop.ui.controls import announce
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog
from desktop.ui.error_words import error_words, words_of_exception
from desktop.ui.links import open_folder
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import labelled, sentences
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.folder_field import FolderDialog

TOLD_EVERY_SECONDS = 0.1


class BackupPresenter(QObject):
    """Belongs to the part."""

    def __init__(self, part: BackupPart, backups: LibraryBackups, context: SettingsContext) -> None:
        super().__init__(part)
        self._part, self._backups, self._context = part, backups, context
        self._secrets: SecretStore = context.services.secrets
        self._worker = Worker(context.services)
        self._wording = BackupWording(self)
        self._task: asyncio.Task[None] | None = None
        part.back_up_requested.connect(self._back_up)
        part.stop_requested.connect(self._stop)
        part.show_requested.connect(self._show_file)
        part.check_requested.connect(lambda: self._run(self._check(), "check the library"))
        part.restore_requested.connect(self.restore)
        part.restart_requested.connect(self._restart)
        part.take_back_requested.connect(lambda: self._worker.start_once(backups.take_back(), "take a restore back"))
        part.daily_changed.connect(lambda is_on: self._save(daily=is_on))
        part.kept_changed.connect(lambda days, weeks: self._save(keep_days=days, keep_weeks=weeks))
        part.choose_requested.connect(self._choose_folder)
        part.usual_requested.connect(lambda: self._save(folder="", web_address=""))
        part.web_requested.connect(self._choose_web)
        context.services.settings.changed.connect(self._settings_changed)
        backups.changed.connect(self._changed)
        self.refresh()

    def refresh(self) -> None:
        """Show how all is now."""
        settings = self._context.services.settings.settings.backup
        is_usual = not settings.folder or Path(settings.folder) == default_backup_folder()
        self._part.show_settings(settings, self._backups.place, is_usual=is_usual)
        self._part.show_waiting(self._backups.waits_for_restart)
        last, problem = self._backups.last, ""
        words = ""
        if last.done is not None:
            done = last.done
            words = self.tr("Last backup: %1, %2, in %3").replace("%1", moment_words(done.made_at))
            words = words.replace("%2", size_words(done.size)).replace("%3", done.place)
            words = f"{words}\n{self._wording.counts(done.counts)}"
        elif (at := self._backups.last_made_at()) is not None:
            words = labelled(self.tr("Last backup"), moment_words(at))
        if last.problem:
            said = error_words(last.problem, last.problem_params)
            problem = labelled(self.tr("The daily backup failed"), sentences(said.title, said.detail))
        self._part.show_last(words, problem, can_show=last.done is not None and not last.done.is_web)

    def _settings_changed(self, _settings: Settings) -> None:
        if shiboken6.isValid(self._part):
            self.refresh()

    def _changed(self) -> None:
        if shiboken6.isValid(self._part):
            self.refresh()

    # -- making

    def _back_up(self) -> None:
        self._run(self._make(), "back up")

    async def _make(self) -> None:
        done = await self._backups.back_up(self._teller(self._part.show_running))
        announce(self._part.daily, self.tr("The backup is done: %1").replace("%1", done.name))

    async def _check(self) -> None:
        self._part.show_checked("")
        report = await self._backups.check(self._teller(self._part.show_running))
        self._part.show_checked(self._wording.checked(report))

    def _run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        if self._task is not None:
            work.close()
            return

        async def run() -> None:
            self._part.show_running(Progress(stage=Stage.COPYING if name == "back up" else Stage.CHECKING))
            try:
                await work
            finally:
                self._task = None
                if shiboken6.isValid(self._part):
                    self._part.show_running(None)
                    self.refresh()

        self._task = self._worker.start(run(), name)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _show_file(self) -> None:
        done = self._backups.last.done
        if done is not None and not open_folder(Path(done.place)):
            self._context.show_notice(
                lambda: self.tr("The folder could not be opened"),
                lambda: self.tr("No program is set for opening folders, or the folder is missing: %1").replace(
                    "%1", done.place
                ),
            )

    @staticmethod
    def _teller(show: Callable[[Progress], object]) -> Callable[[Progress], None]:
        last = 0.0

        def tell(progress: Progress) -> None:
            nonlocal last
            if time.monotonic() - last >= TOLD_EVERY_SECONDS:
                last = time.monotonic()
                owner = getattr(show, "__self__", None)
                if owner is None or shiboken6.isValid(owner):
                    show(progress)

        return tell

    # -- where to

    def _save(self, **changes: object) -> None:
        def edit(settings: Settings) -> Settings:
            return dataclasses.replace(settings, backup=dataclasses.replace(settings.backup, **changes))

        if not self._context.writer.save(edit):
            self.refresh()

    def _choose_folder(self) -> None:
        start = self._context.services.settings.settings.backup.folder or str(default_backup_folder().parent)
        dialog = FolderDialog("backupFolderDialog", self._context.window, self.tr("Where backups go"), start)
        dialog.fileSelected.connect(lambda name: self._save(folder=name, web_address=""))
        dialog.open()

    def _choose_web(self) -> None:
        dialog = WebDialog(self._context.window, self._context.theme, self._context.services.settings.settings.backup)
        dialog.given.connect(
            lambda address, user, password, plain: self._worker.start_once(
                self._try_web(dialog, address, user, password, plain), "try WebDAV"
            )
        )
        dialog.removed.connect(lambda: self._worker.start_once(self._leave_web(), "leave WebDAV"))
        dialog.open()

    async def _try_web(self, dialog: WebDialog, address: str, user: str, password: str, plain: bool) -> None:
        """Use what was entered if it works; else all is as it was."""
        dialog.show_trying()
        before = self._context.services.settings.settings.backup
        # A password is for the address that it was entered for.
        keeps = before.has_web_password and before.web_address == address and before.web_user == user
        old = await self._secrets.get(WEB_PASSWORD) if before.has_web_password else None
        if password:
            await self._secrets.set(WEB_PASSWORD, password)
        self._save(
            web_address=address,
            web_user=user,
            has_web_password=bool(password) or keeps,
            plain_web_address=address if plain else "",
        )
        try:
            await self._backups.try_place()
        except ThreadwellError as error:
            await self._back_to(before, old)
            if shiboken6.isValid(dialog):
                dialog.show_problem(*words_of_exception(error))
            return
        if shiboken6.isValid(dialog):
            dialog.accept()

    async def _back_to(self, before: BackupSettings, password: str | None) -> None:
        self._save(**{field.name: getattr(before, field.name) for field in dataclasses.fields(before)})
        if password is not None:
            await self._secrets.set(WEB_PASSWORD, password)
        else:
            await self._secrets.delete(WEB_PASSWORD)

    async def _leave_web(self) -> None:
        self._save(web_address="", web_user="", has_web_password=False, plain_web_address="")
        await self._secrets.delete(WEB_PASSWORD, was_in_keychain=True)

    # -- the way back

    def restore(self) -> None:
        """Show which backups there are."""
        dialog = RestoreDialog(self._context.window, self._context.theme, self._backups.place)
        dialog.chosen.connect(lambda name: self._begin(dialog, lambda: self._look(dialog, name)))
        dialog.file_wanted.connect(lambda: self._choose_file(dialog))
        dialog.merge_requested.connect(lambda: self._begin(dialog, lambda: self._merge(dialog)))
        dialog.replace_requested.connect(lambda: self._begin(dialog, lambda: self._replace(dialog)))
        dialog.stop_requested.connect(self._stop)
        dialog.restart_requested.connect(self._restart)
        dialog.rejected.connect(lambda: self._worker.start_once(self._let_go(), "let go of a backup"))
        dialog.open()
        self._worker.start_once(self._list(dialog), "list backups")

    async def _let_go(self) -> None:
        if not self._backups.waits_for_restart:
            await self._backups.take_back()

    async def _list(self, dialog: RestoreDialog) -> None:
        try:
            files, problem = await self._backups.files(), ""
        except ThreadwellError as error:
            files, problem = (), "\n".join(words_of_exception(error))
        if shiboken6.isValid(dialog):
            dialog.show_files(files, problem)

    def _choose_file(self, dialog: RestoreDialog) -> None:
        picker = ReturningFileDialog(dialog, self.tr("Restore a backup"), str(default_backup_folder().parent))
        picker.setObjectName("restoreFile")
        picker.setFileMode(ReturningFileDialog.FileMode.ExistingFile)
        backups, everything = self.tr("Backups (*%1)").replace("%1", BACKUP_SUFFIX), self.tr("All files (*)")
        picker.setNameFilters([backups, everything])
        picker.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picker.fileSelected.connect(lambda name: self._begin(dialog, lambda: self._look(dialog, Path(name))))
        picker.open()

    def _begin(self, dialog: RestoreDialog, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._task is not None:
            return

        async def run() -> None:
            try:
                dialog.show_progress(None)
                await work()
            except ThreadwellError as error:
                if not shiboken6.isValid(dialog):
                    raise
                dialog.show_problem("\n".join(words_of_exception(error)))
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or not shiboken6.isValid(dialog):
                    raise
                task.uncancel()  # the user stopped it
                await self._list(dialog)
            finally:
                self._task = None

        self._task = self._worker.start(run(), "restore a backup")

    async def _look(self, dialog: RestoreDialog, source: Path | str) -> None:
        plan = await self._backups.look_at(source, self._teller(dialog.show_progress))
        if shiboken6.isValid(dialog):
            dialog.show_plan(plan)

    async def _merge(self, dialog: RestoreDialog) -> None:
        report, problem = MergeReport(), ""
        try:
            await self._backups.merge(report, self._teller(dialog.show_progress))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not report.is_stopped or not shiboken6.isValid(dialog):
                raise
            task.uncancel()  # the user stopped it, and hears what came of it
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog):
                raise
            problem = "\n".join(words_of_exception(error))
        if shiboken6.isValid(dialog):
            dialog.show_end(report, problem)

    async def _replace(self, dialog: RestoreDialog) -> None:
        await self._backups.replace(self._teller(dialog.show_progress))
        if shiboken6.isValid(dialog):
            dialog.show_ready()

    def _restart(self) -> None:
        if self._context.services.restart is not None:
            self._context.services.restart()
