"""Export and import of chats: which chats, as what and where; from which file, and what became of it."""

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.conversation.interchange.exporting import ChatFormat, JsonFormat, MarkdownFormat, file_name
from desktop.conversation.interchange.ports import Progress
from desktop.conversation.interchange.records import ImportReport
from desktop.conversation.interchange.service import Interchange
from desktop.core.errors import ThreadwellError
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog, documents_folder
from desktop.ui.dialogs.save_dialog import save_dialog
from desktop.ui.error_words import error_words, words_of_exception
from desktop.ui.interchange.export_dialog import ExportDialog
from desktop.ui.interchange.import_dialog import ChatImportDialog
from desktop.ui.interchange.words import ExportWording
from desktop.ui.links import open_folder
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager

TOLD_EVERY_SECONDS = 0.1


class InterchangePresenter(QObject):
    """Belongs to a window. ``chat_wanted`` carries the id of a chat that is to be shown."""

    chat_wanted = Signal(str)

    def __init__(self, window: QWidget, services: UiServices, theme: ThemeManager) -> None:
        super().__init__(window)
        self._window = window
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._folder = ""

    # -- export

    def export(self, thread_ids: Sequence[str]) -> None:
        """Ask as what and where these chats are to be exported."""
        self._worker.start_once(self._export(list(thread_ids)), "export chats")

    def export_all(self) -> None:
        """The same for all chats."""
        self._open(ExportDialog(self._window), None, "")

    async def _export(self, thread_ids: list[str]) -> None:
        thread = await self._services.conversations.get_thread(thread_ids[0]) if len(thread_ids) == 1 else None
        title = thread.title if thread is not None else ""
        self._open(ExportDialog(self._window, title=title, count=len(thread_ids)), thread_ids, title)

    def _open(self, dialog: ExportDialog, thread_ids: list[str] | None, title: str) -> None:
        dialog.place_wanted.connect(
            lambda name, with_trash: self._worker.start_once(
                self._choose_place(dialog, thread_ids, title, self._format(name), with_trash), "choose where to export"
            )
        )
        dialog.folder_wanted.connect(open_folder)
        dialog.open()

    def _format(self, name: str) -> ChatFormat:
        words = ExportWording().words()
        match name:
            case "json":
                return JsonFormat()
            case "html":
                from desktop.ui.interchange.html_format import HtmlFormat

                return HtmlFormat(words, self._services.formulas)
            case "pdf":
                from desktop.ui.interchange.pdf_format import PdfFormat

                return PdfFormat(words, self._theme, self._services.formulas)
            case _:
                return MarkdownFormat(words)

    async def _choose_place(
        self, dialog: ExportDialog, thread_ids: list[str] | None, title: str, kind: ChatFormat, with_trash: bool
    ) -> None:
        export = self._interchange.export
        chosen = await export.all_ids(with_trash=with_trash) if thread_ids is None else thread_ids
        suffix = await export.suffix(chosen, kind) if thread_ids is not None else ".zip"
        if not shiboken6.isValid(dialog):
            return
        is_one = thread_ids is not None and len(thread_ids) == 1
        name = file_name(title, suffix) if is_one else f"threadwell-chats-{datetime.now():%Y-%m-%d}{suffix}"
        picker = save_dialog(dialog, dialog.windowTitle(), self._folder or documents_folder(), "exportFile", name)
        picker.setDefaultSuffix(suffix.removeprefix("."))
        picker.fileSelected.connect(lambda path: self.write(dialog, chosen, kind, _ending_in(Path(path), suffix)))
        picker.open()

    def write(self, dialog: ExportDialog, thread_ids: Sequence[str], kind: ChatFormat, path: Path) -> None:
        """Write the chats to a file, and say in the dialog how far that is and where it went."""
        self._folder = str(path.parent)
        task = self._worker.start(self._write(dialog, thread_ids, kind, path), "export chats to a file")
        dialog.stop_requested.connect(task.cancel)

    async def _write(self, dialog: ExportDialog, thread_ids: Sequence[str], kind: ChatFormat, path: Path) -> None:
        told = _Seldom(lambda done, total: dialog.show_progress(done, total) if shiboken6.isValid(dialog) else None)
        dialog.show_progress(0, len(thread_ids))
        try:
            written = await self._interchange.export.write(thread_ids, kind, path, told=told)
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog):
                raise
            words = words_of_exception(error)
            dialog.show_problem(words.title, words.detail)
        except asyncio.CancelledError:
            if shiboken6.isValid(dialog):
                dialog.show_choice()
            raise
        else:
            if shiboken6.isValid(dialog):
                dialog.show_written(written.path, written.chats)

    # -- import

    def choose_file(self) -> None:
        """Ask for a file with chats."""
        picker = self._picker("chatImportFile")
        picker.setFileMode(ReturningFileDialog.FileMode.ExistingFile)
        picker.setNameFilters([self.tr("Exported chats (*.json *.zip *.bak)"), self.tr("All files (*)")])
        picker.open()

    def choose_folder(self) -> None:
        """Ask for a folder with files of chats."""
        picker = self._picker("chatImportFolder")
        picker.setFileMode(ReturningFileDialog.FileMode.Directory)
        picker.setOption(ReturningFileDialog.Option.ShowDirsOnly)
        picker.open()

    def _picker(self, object_name: str) -> ReturningFileDialog:
        picker = ReturningFileDialog(self._window, self.tr("Import chats"), self._folder or documents_folder())
        picker.setObjectName(object_name)
        picker.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picker.fileSelected.connect(lambda name: self.look_at(Path(name)))
        return picker

    def look_at_all(self, paths: list[Path]) -> None:
        """``look_at`` each of them, one after another."""
        if paths:
            dialog = self.look_at(paths[0])
            dialog.finished.connect(lambda _: self.look_at_all(paths[1:]))

    def look_at(self, path: Path) -> ChatImportDialog:
        """Ask whether this file or folder is to be imported; nothing of it is read before."""
        dialog = ChatImportDialog(self._window, self._theme, path)
        dialog.import_requested.connect(lambda: self._begin(dialog, path))
        dialog.chat_wanted.connect(self.chat_wanted)
        dialog.open()
        return dialog

    def _begin(self, dialog: ChatImportDialog, path: Path) -> None:
        is_stopped = False

        def stop() -> None:
            nonlocal is_stopped
            is_stopped = True
            task.cancel()

        task = self._worker.start(self._import(dialog, path, lambda: is_stopped), "import chats")
        dialog.stop_requested.connect(stop)

    async def _import(self, dialog: ChatImportDialog, path: Path, is_stopped: Callable[[], bool]) -> None:
        report = ImportReport(source_name=path.name)
        problem: tuple[str, str] | None = None
        try:
            await self._interchange.import_file(path, report, told=_Seldom(self._teller(dialog)))
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog):
                raise
            words = words_of_exception(error)
            problem = words.title, words.detail
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not is_stopped() or not shiboken6.isValid(dialog):
                raise
            task.uncancel()  # the user stopped it, and hears what came of it
            report.is_cancelled = True
        if report.problem:
            words = error_words(report.problem, report.problem_params)
            problem = words.title, words.detail
        if shiboken6.isValid(dialog):
            dialog.show_report(report, problem)
        await self._interchange.index()

    @staticmethod
    def _teller(dialog: ChatImportDialog) -> Callable[[Progress, ImportReport], None]:
        def tell(progress: Progress, report: ImportReport) -> None:
            if shiboken6.isValid(dialog):
                dialog.show_progress(progress, report)

        return tell

    @property
    def _interchange(self) -> Interchange:
        make = self._services.interchange
        assert make is not None
        return make()


class _Seldom:
    """Passes on what is told, some times a second at most."""

    def __init__(self, tell: Callable[..., object]) -> None:
        self._tell = tell
        self._last = 0.0

    def __call__(self, *values: object) -> None:
        now = time.monotonic()
        if now - self._last >= TOLD_EVERY_SECONDS:
            self._last = now
            self._tell(*values)


def _ending_in(path: Path, suffix: str) -> Path:
    return path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")
