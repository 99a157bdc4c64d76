"""Connects the page Your assistants with the library: makes, moves, removes with Undo, reads and writes files."""

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt

from desktop.conversation.assistants import transfer
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import RemovedAssistants, TakenAssistants
from desktop.conversation.assistants.transfer import Problem
from desktop.core.errors import FileError
from desktop.core.settings import write_atomically
from desktop.ui.assistants.examples import examples
from desktop.ui.assistants.keeping import open_editor
from desktop.ui.assistants.words import shown_name
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog, documents_folder
from desktop.ui.dialogs.save_dialog import save_dialog
from desktop.ui.picked_files import read_picked
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.settings.assistants_page import AssistantsPage
from desktop.ui.settings.context import SettingsContext


class AssistantsPresenter(QObject):
    """Belongs to the page; the library is known, so that the page shows it at once."""

    def __init__(self, page: AssistantsPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._library = context.services.assistants
        self._worker = Worker(context.services)
        page.shown.connect(self._show_all)
        page.new_requested.connect(lambda: self._open(None))
        page.examples_requested.connect(lambda: self._start(self._add_examples(), "add example assistants"))
        page.edit_requested.connect(lambda one: self._open(self._library.get(one)))
        page.duplicate_requested.connect(lambda one: self._start(self._duplicate(one), "duplicate an assistant"))
        page.delete_requested.connect(lambda ids: self._start(self._remove(ids), "delete assistants"))
        page.moved.connect(lambda ids: self._start(self._library.set_order(ids), "move an assistant"))
        page.import_requested.connect(self._choose_files)
        page.export_requested.connect(self._choose_place)
        self._library.changed.connect(self._show_all)

    def take_files(self, paths: Sequence[Path]) -> None:
        """Take the assistants of these files into the library."""
        self._worker.start_once(self._take_files(paths), "import assistants")

    def _start(self, work: Coroutine[Any, Any, object], name: str) -> None:
        self._worker.start(work, name)

    def _show_all(self) -> None:
        self._page.show_assistants(self._library.known)

    def _open(self, changed: Assistant | None) -> None:
        open_editor(
            self._context.window,
            self._context.services,
            self._worker,
            changed,
            done=lambda one: self._page.choose([one.id]),
        )

    async def _duplicate(self, assistant_id: str) -> None:
        copy = await self._library.duplicate(assistant_id)
        if copy is not None:
            self._page.choose([copy.id])
        elif self._library.get(assistant_id) is not None:
            self._context.show_notice(
                lambda: self.tr("There is no room for more assistants"),
                lambda: self.tr("Delete assistants that you no longer need, then try again."),
            )

    async def _remove(self, assistant_ids: Sequence[str]) -> None:
        in_chats = sum([await self._library.chats_with(one) for one in assistant_ids])
        removed = await self._library.remove(assistant_ids)
        count = len(removed.assistants)
        if not count:
            return
        name = shown_name(removed.assistants[0])

        def words() -> str:
            said = (
                self.tr("“%1” was deleted").replace("%1", name)
                if count == 1
                else self.tr("%n assistants were deleted", "", count)
            )
            return sentences(said, self.tr("%n chats go on with it as it was", "", in_chats)) if in_chats else said

        self._context.offer_undo(
            words,
            lambda: self._start(self._restore(removed), "restore assistants"),
            over=lambda: self._start(self._library.erase(), "erase assistants"),
        )

    async def _restore(self, removed: RemovedAssistants) -> None:
        await self._library.restore(removed)
        self._page.choose([one.id for one in removed.assistants])

    async def _add_examples(self) -> None:
        self._tell_taken(await self._library.take_in(examples()), 0)

    # -- files

    def _choose_files(self) -> None:
        dialog = ReturningFileDialog(self._context.window, self.tr("Import assistants"), documents_folder())
        dialog.setObjectName("assistantImportFile")
        dialog.setFileMode(ReturningFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Assistants (*.json)"), self.tr("All files (*)")])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.take_files([Path(name) for name in names]))
        dialog.open()

    async def _take_files(self, paths: Sequence[Path]) -> None:
        for path in paths:
            data = await read_picked(path, transfer.MOST_BYTES)
            reading = await asyncio.to_thread(transfer.read, data)
            if reading.problem is not None:
                self._tell_problem(path.name, reading.problem)
            else:
                self._tell_taken(await self._library.take_in(reading.assistants), reading.unreadable)

    def _tell_taken(self, taken: TakenAssistants, unreadable: int) -> None:
        added = [one.id for one in taken.added]
        if added:
            self._page.choose(added)

        def words() -> str:
            said = self.tr("%n assistants added", "", len(added))
            if taken.known:
                said = sentences(said, self.tr("%n were there already", "", taken.known))
            if taken.left_out:
                said = sentences(said, self.tr("For %n there was no room", "", taken.left_out))
            if unreadable:
                said = sentences(said, self.tr("%n could not be read", "", unreadable))
            return said

        if not added:
            self._context.tell(words)
            return
        self._context.offer_undo(words, lambda: self._start(self._take_back(added), "take an import back"))

    async def _take_back(self, assistant_ids: Sequence[str]) -> None:
        await self._library.remove(assistant_ids)
        await self._library.erase()

    def _tell_problem(self, name: str, problem: Problem) -> None:
        def detail() -> str:
            match problem:
                case Problem.TOO_LARGE:
                    words = self.tr("“%1” is too large. Split it, and import the parts.")
                case Problem.DAMAGED:
                    words = self.tr("“%1” is incomplete or damaged. Export the assistants once more.")
                case Problem.NEWER:
                    words = self.tr(
                        "“%1” was written by a newer version of this program. Update this one, then try again."
                    )
                case Problem.NOTHING:
                    words = self.tr("In “%1” there are no assistants. Choose a file that this page has exported.")
            return words.replace("%1", name)

        self._context.show_notice(lambda: self.tr("No assistants were imported"), detail)

    def _choose_place(self) -> None:
        window, title = self._context.window, self.tr("Export assistants")
        file_name = f"threadwell-assistants-{datetime.now():%Y-%m-%d}.json"
        dialog = save_dialog(window, title, documents_folder(), "assistantExportFile", file_name)
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(lambda name: self._start(self.write_file(Path(name)), "export assistants"))
        dialog.open()

    async def write_file(self, path: Path) -> None:
        """Write the chosen assistants, where several are, else all. Raises ``FileError``."""
        chosen = self._page.chosen
        assistants = [one for one in self._library.known if len(chosen) < 2 or one.id in chosen]
        try:
            await asyncio.to_thread(write_atomically, path, transfer.write(assistants))
        except OSError as error:
            raise FileError("file.not_saved", name=path.name, detail=error.strerror or str(error)) from error
        count = len(assistants)
        self._context.tell(lambda: self.tr("%n assistants exported to %1", "", count).replace("%1", path.name))
