"""Backups of this library as the front ends use them: made, listed, restored, and the library itself looked at."""

import asyncio
import contextlib
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from desktop.app.backup_merging import Library, merge
from desktop.app.backup_settings import settings_after_restore, settings_for_backup
from desktop.core.backups import (
    BACKUP_SUFFIX,
    WEB_PASSWORD,
    BackupDone,
    BackupError,
    BackupFile,
    BackupKind,
    CheckReport,
    Finding,
    LastBackups,
    LibraryBackups,
    MergeReport,
    Part,
    RestorePlan,
    Told,
)
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.paths import DataPaths, default_backup_folder
from desktop.core.secrets import SecretStore
from desktop.core.settings import Settings, SettingsStore
from desktop.core.signal import Signal
from desktop.storage import library_check
from desktop.storage.backup import replacing
from desktop.storage.backup.archive import DATABASE, SETTINGS, Manifest, write_backup
from desktop.storage.backup.comparing import compare
from desktop.storage.backup.failing import Doing, in_words
from desktop.storage.backup.job import Job, run_job
from desktop.storage.backup.ledger import Entry, Ledger, superseded
from desktop.storage.backup.places import FolderPlace, Place
from desktop.storage.backup.reading import unpack
from desktop.storage.backup.webdav import WebAddress, WebdavPlace
from desktop.storage.check_note import CheckNote

logger = logging.getLogger(__name__)

T = TypeVar("T")
_ROOM_TO_SPARE = 32 * 1024 * 1024
_LOOK = "look"


class Backups(LibraryBackups):
    """See ``core.backups.LibraryBackups``."""

    def __init__(
        self,
        *,
        library: Library,
        settings: SettingsStore,
        secrets: SecretStore,
        clock: Clock = utc_now,
    ) -> None:
        self.changed: Signal[[]] = Signal()
        self.failed = Signal[ThreadwellError]()
        self.kept = Signal[BackupDone]()
        self._library, self._settings, self._secrets, self._clock = library, settings, secrets, clock
        self._store, self._memory = library.store, library.memory
        self._paths: DataPaths = library.store.database.paths
        self._ledger = Ledger(self._paths.backup_ledger)
        self._turn = asyncio.Lock()
        self._looked_at: Path | None = None
        self._last = LastBackups()

    # -- what is there

    @property
    def place(self) -> str:
        backup = self._settings.settings.backup
        return backup.web_address or str(_folder(self._settings.settings))

    @property
    def places(self) -> Sequence[str]:
        return tuple(dict.fromkeys(entry.place for entry in self._ledger.entries()))

    @property
    def last(self) -> LastBackups:
        return self._last

    @property
    def is_running(self) -> bool:
        return self._turn.locked()

    @property
    def waits_for_restart(self) -> bool:
        return replacing.waits(self._paths)

    @property
    def replaced(self) -> str:
        folders = replacing.replaced_folders(self._paths)
        return str(folders[-1]) if folders else ""

    def last_made_at(self) -> datetime | None:
        """When the newest backup at the chosen place was made, as far as this library knows."""
        made = [entry.made_at for entry in self._ledger.entries() if entry.place == self.place]
        return max(made, default=None)

    async def files(self) -> tuple[BackupFile, ...]:
        place = await self._chosen()
        stored = await asyncio.to_thread(place.stored)
        known = {(entry.name, entry.size): entry for entry in self._ledger.entries() if entry.place == place.shown}
        found = [
            BackupFile(
                name=one.name,
                size=one.size,
                modified_at=entry.made_at if (entry := known.get((one.name, one.size))) else one.modified_at,
                kind=entry.kind if entry else None,
            )
            for one in stored
        ]
        return tuple(sorted(found, key=lambda one: (one.modified_at is not None, one.modified_at), reverse=True))

    async def try_place(self) -> None:
        await asyncio.to_thread((await self._chosen()).try_out)

    # -- making

    async def back_up(self, told: Told, kind: BackupKind = BackupKind.BY_HAND) -> BackupDone:
        """As in the port; ``kind`` says why."""
        async with self._alone():
            place, settings = await self._chosen(), settings_for_backup(self._settings.settings)
            return await self._make(self._paths, settings, place, kind, told)

    async def _make(
        self, paths: DataPaths, settings: str, place: Place, kind: BackupKind, told: Told, *, label: str = ""
    ) -> BackupDone:
        moment = self._clock()
        name = f"Threadwell-{moment.astimezone():%Y-%m-%d-%H%M}{label}{BACKUP_SUFFIX}"

        def make(job: Job) -> tuple[str, int, Manifest]:
            _require_room(paths, self._paths.root)
            with _work_folder(self._paths) as work:
                file, manifest = write_backup(
                    paths.database, paths.attachments, settings, work=work, moment=moment, kind=kind, job=job
                )
                size = file.stat().st_size
                return place.store(file, name, job), size, manifest

        final, size, manifest = await self._run(told, Doing.MAKING, make)
        entry = Entry(place=place.shown, name=final, size=size, made_at=moment, kind=kind)
        await asyncio.to_thread(self._note, entry, place)
        done = BackupDone(
            name=final,
            place=place.shown,
            size=size,
            made_at=moment,
            counts=manifest.counts,
            is_web=isinstance(place, WebdavPlace),
        )
        self._last = LastBackups(done=done)
        self.changed.emit()
        return done

    def _note(self, entry: Entry, place: Place) -> None:
        """Note the backup, and let older daily ones make room. What cannot be removed now is tried after the next one."""
        try:
            self._ledger.add(entry)
            backup = self._settings.settings.backup
            own = [one for one in self._ledger.entries() if one.place == place.shown]
            gone: list[Entry] = []
            for one in superseded(own, keep_days=backup.keep_days, keep_weeks=backup.keep_weeks):
                with contextlib.suppress(BackupError):
                    place.remove(one.name, one.size)
                    gone.append(one)
            self._ledger.forget(gone)
        except OSError as error:
            logger.warning("the list of backups could not be written: %s", error)

    def note_failure(self, error: ThreadwellError) -> None:
        """A daily backup failed: said once for each cause, until one goes well."""
        is_new = self._last.problem != error.code
        self._last = LastBackups(
            done=self._last.done, problem=error.code, problem_params=dict(error.params), problem_at=self._clock()
        )
        self.changed.emit()
        if is_new:
            self.failed.emit(error)

    async def keep_replaced(self, told: Told = lambda _progress: None) -> BackupDone | None:
        """Make a backup of what another library took the place of, then let go of it; None where there is nothing."""
        done: BackupDone | None = None
        for folder in replacing.replaced_folders(self._paths):
            async with self._alone():
                paths = DataPaths(folder)
                if await asyncio.to_thread(paths.database.exists):
                    place = await self._chosen()
                    present = SettingsStore(paths.settings) if await asyncio.to_thread(paths.settings.exists) else None
                    text = settings_for_backup(present.settings if present else Settings())
                    kind = BackupKind.BEFORE_RESTORE
                    done = await self._make(paths, text, place, kind, told, label="-before-restore")
                await asyncio.to_thread(shutil.rmtree, folder)
            if done is not None:
                self.kept.emit(done)
        return done

    # -- restoring

    async def look_at(self, source: Path | str, told: Told) -> RestorePlan:
        async with self._alone():
            await asyncio.to_thread(self._forget_looked_at)
            place = await self._chosen() if isinstance(source, str) else None
            name = source.name if isinstance(source, Path) else source
            folder = self._paths.backup_work / _LOOK

            def look(job: Job) -> tuple[Manifest, object]:
                folder.mkdir(mode=0o700, parents=True)
                try:
                    path = source if isinstance(source, Path) else Path()
                    fetched = self._paths.backup_work / "fetched"
                    fetched.unlink(missing_ok=True)
                    if place is not None and isinstance(source, str):
                        path = place.fetch(source, fetched, job)
                    manifest = unpack(path, name, folder, job)
                    fetched.unlink(missing_ok=True)
                    return manifest, compare(folder / DATABASE, self._paths.database)
                except BaseException:
                    shutil.rmtree(folder, ignore_errors=True)
                    raise

            manifest, found = await self._run(told, Doing.RESTORING, look)
            self._looked_at = folder
            difference = vars(found)
            return RestorePlan(
                name=name,
                made_at=manifest.made_at,
                app_version=manifest.app_version,
                counts=manifest.counts,
                **difference,
            )

    async def merge(self, report: MergeReport, told: Told) -> None:
        folder = self._require_looked_at()
        async with self._alone():
            try:
                await merge(folder, self._library, report, told)
            except asyncio.CancelledError:
                report.is_stopped = True
                raise
            finally:
                await asyncio.to_thread(self._forget_looked_at)

    async def replace(self, told: Told) -> None:
        folder = self._require_looked_at()
        async with self._alone():
            path = folder / SETTINGS
            text = await asyncio.to_thread(lambda: path.read_text(encoding="utf-8") if path.exists() else "")
            settings = settings_after_restore(text, self._settings.settings)
            moment = self._clock()
            prepare = partial(replacing.prepare, folder, settings, self._paths, moment)
            await self._run(told, Doing.RESTORING, lambda _job: prepare())
            self._looked_at = None
        self.changed.emit()

    async def take_back(self) -> None:
        await asyncio.to_thread(self._forget_looked_at)
        await self._run(lambda _: None, Doing.RESTORING, lambda _job: replacing.take_back(self._paths))
        self.changed.emit()

    def _require_looked_at(self) -> Path:
        if self._looked_at is None:
            raise BackupError("backup.failed", detail="No backup was looked at.")
        return self._looked_at

    def _forget_looked_at(self) -> None:
        self._looked_at = None
        shutil.rmtree(self._paths.backup_work / _LOOK, ignore_errors=True)

    # -- the library itself

    async def check(self, told: Told, *, with_words: bool = True) -> CheckReport:
        """``with_words``: also the indexes for the search by words, for which the whole file is copied."""
        async with self._alone():
            note = CheckNote(self._paths.library_check)
            try:
                findings, counts = await self._run(
                    told, Doing.CHECKING, lambda job: library_check.look(self._paths, job, with_words=with_words)
                )
            except StorageError as error:
                if error.code == "storage.suspected":  # the look itself met what cannot be read
                    note.suspect()
                raise
            findings = await library_check.mend(self._store.database, findings)
            if any(finding.part is Part.FILE and not finding.is_sound for finding in findings):
                note.suspect()  # the next start saves what can be read
            else:
                note.looked(self._clock())
            if any(finding.is_mended for finding in findings):
                await self._store.passages.catch_up()
                await self._store.exchange.index()
                self._library.conversations.many_changed.emit(frozenset())
            vectors = await self._vectors()
            found = (*findings, vectors) if vectors is not None else tuple(findings)
            return CheckReport(findings=found, counts=counts, at=self._clock())

    async def _vectors(self) -> Finding | None:
        """Compare the index of vectors with the database, where it is in use."""
        meaning = self._memory.indexing.meaning
        if meaning is None:
            return None
        try:
            held = await meaning.index.keys()
            wanted = await self._store.passages.vector_keys(meaning.embedder.id)
        except ThreadwellError as error:
            return Finding(part=Part.VECTORS, is_sound=False, detail=error.code)
        wrong = len(held ^ wanted)
        if wrong:
            self._memory.indexing.wake()
        return Finding(part=Part.VECTORS, is_sound=wrong == 0, count=wrong, is_mended=wrong > 0)

    # -- parts

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None, None]:
        """One at a time: whoever comes second hears that one runs."""
        if self._turn.locked():
            raise BackupError("backup.busy")
        try:
            async with self._turn:
                self.changed.emit()
                yield
        finally:
            self.changed.emit()

    async def _run(self, told: Told, doing: Doing, work: Callable[[Job], T]) -> T:
        return await run_job(told, in_words(self._paths, doing, work))

    async def _chosen(self) -> Place:
        backup = self._settings.settings.backup
        if not backup.is_on_web:
            return FolderPlace(_folder(self._settings.settings))
        password = await self._secrets.get(WEB_PASSWORD) if backup.has_web_password else None
        return WebdavPlace(
            WebAddress(
                url=backup.web_address,
                user=backup.web_user,
                password=password or "",
                allows_plain=backup.plain_web_address == backup.web_address,
            )
        )


def _folder(settings: Settings) -> Path:
    return Path(settings.backup.folder) if settings.backup.folder else default_backup_folder()


@contextlib.contextmanager
def _work_folder(paths: DataPaths) -> Iterator[Path]:
    paths.backup_work.mkdir(mode=0o700, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=paths.backup_work, prefix="make-", ignore_cleanup_errors=True) as work:
        yield Path(work)


def _require_room(paths: DataPaths, root: Path) -> None:
    """Raise ``BackupError`` before anything is written where the disk would be full in the middle."""
    needed = _ROOM_TO_SPARE
    for path in (paths.database, paths.database.with_name(f"{paths.database.name}-wal")):
        with contextlib.suppress(OSError):
            needed += 2 * path.stat().st_size
    with contextlib.suppress(OSError):
        for folder, _, names in os.walk(paths.attachments):
            needed += sum(os.lstat(os.path.join(folder, name)).st_size for name in names)
    if shutil.disk_usage(root).free < needed:
        raise BackupError("backup.full", path=str(root))
