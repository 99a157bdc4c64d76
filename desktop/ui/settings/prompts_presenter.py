"""Connects the page Prompts with the library: writes, moves, removes with Undo, reads and writes files."""

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt

from desktop.conversation.prompts import transfer
from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.library import PromptDraft, Removed, TakenIn, free_name
from desktop.conversation.prompts.transfer import Problem, Reading
from desktop.core.errors import FileError
from desktop.core.settings import write_atomically
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog, documents_folder
from desktop.ui.dialogs.save_dialog import save_dialog
from desktop.ui.picked_files import read_picked
from desktop.ui.presenting import Worker
from desktop.ui.prompts.examples import examples
from desktop.ui.prompts.keeping import open_editor
from desktop.ui.punctuation import sentences
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.prompts_page import PromptsPage


class PromptsPresenter(QObject):
    """Belongs to the page; reads when the page is seen, and again whenever something changes meanwhile."""

    def __init__(self, page: PromptsPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._library = context.services.prompts
        self._worker = Worker(context.services)
        self._prompts: Sequence[SavedPrompt] = ()
        page.shown.connect(self._reload)
        page.new_requested.connect(self._write)
        page.examples_requested.connect(lambda: self._start(self._add_examples(), "add example prompts"))
        page.edit_requested.connect(self._edit)
        page.duplicate_requested.connect(lambda one: self._start(self._duplicate(one), "duplicate a prompt"))
        page.delete_requested.connect(lambda ids: self._start(self._remove(ids), "delete prompts"))
        page.moved.connect(lambda ids: self._start(self._library.set_order(ids), "move a prompt"))
        page.sort_requested.connect(lambda by: self._start(self._sort(by), "sort prompts"))
        page.import_requested.connect(self._choose_files)
        page.export_requested.connect(self._choose_place)
        self._library.changed.connect(self._changed)

    def take_files(self, paths: Sequence[Path]) -> None:
        """Take the prompts of these files into the library."""
        self._worker.start_once(self._take_files(paths), "import prompts")

    def _start(self, work: Coroutine[Any, Any, object], name: str) -> None:
        self._worker.start(work, name)

    def _changed(self) -> None:
        if self._page.isVisible():
            self._reload()

    def _reload(self) -> None:
        self._start(self._load(), "load prompts")

    async def _load(self) -> None:
        self._prompts = await self._library.all()
        self._page.show_prompts(self._prompts)

    # -- single prompts

    def _write(self) -> None:
        open_editor(self._context.window, self._library, self._worker, done=self._show_one)

    def _edit(self, prompt_id: str) -> None:
        if (prompt := self._prompt(prompt_id)) is not None:
            open_editor(self._context.window, self._library, self._worker, changed=prompt, done=self._show_one)

    def _show_one(self, prompt: SavedPrompt) -> None:
        self._start(self._show([prompt.id]), "show a prompt")

    async def _show(self, prompt_ids: Sequence[str]) -> None:
        await self._load()
        self._page.choose(prompt_ids)

    async def _duplicate(self, prompt_id: str) -> None:
        if (prompt := self._prompt(prompt_id)) is None:
            return
        name = free_name(prompt.name, (one.name for one in self._prompts))
        copy = await self._library.add(PromptDraft(name, prompt.text, prompt.description))
        if copy is None:
            self._tell_full()
            return
        order = [one.id for one in self._prompts if one.id != copy.id]
        order.insert(order.index(prompt_id) + 1 if prompt_id in order else len(order), copy.id)
        await self._library.set_order(order)
        await self._show([copy.id])

    def _prompt(self, prompt_id: str) -> SavedPrompt | None:
        return next((prompt for prompt in self._prompts if prompt.id == prompt_id), None)

    def _tell_full(self) -> None:
        self._context.show_notice(
            lambda: self.tr("Your library of prompts is full"),
            lambda: self.tr("Delete prompts that you no longer need, then try again."),
        )

    # -- several

    async def _remove(self, prompt_ids: Sequence[str]) -> None:
        removed = await self._library.remove(prompt_ids)
        await self._load()
        count = len(removed.prompts)
        if not count:
            return
        name = removed.prompts[0].name
        self._context.offer_undo(
            lambda: (
                self.tr("“%1” was deleted").replace("%1", name)
                if count == 1
                else self.tr("%n prompts were deleted", "", count)
            ),
            lambda: self._start(self._restore(removed), "restore prompts"),
            over=lambda: self._start(self._library.erase(), "erase prompts"),
        )

    async def _restore(self, removed: Removed) -> None:
        await self._library.restore(removed)
        await self._show([prompt.id for prompt in removed.prompts])

    async def _sort(self, by: str) -> None:
        before = [prompt.id for prompt in await self._library.all()]
        prompts = sorted(self._prompts, key=lambda one: one.name.casefold())
        if by == "use":
            prompts = sorted(self._prompts, key=lambda one: -one.used_count)
        order = [prompt.id for prompt in prompts]
        if order == before:
            return
        await self._library.set_order(order)
        self._context.offer_undo(
            lambda: self.tr("Your prompts were sorted"),
            lambda: self._start(self._library.set_order(before), "restore the order of prompts"),
        )

    async def _add_examples(self) -> None:
        await self._tell_taken(await self._library.take_in(examples()), Reading())

    # -- files

    def _choose_files(self) -> None:
        dialog = ReturningFileDialog(self._context.window, self.tr("Import prompts"), documents_folder())
        dialog.setObjectName("promptImportFile")
        dialog.setFileMode(ReturningFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Prompts (*.json *.md *.markdown *.txt)"), self.tr("All files (*)")])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.take_files([Path(name) for name in names]))
        dialog.open()

    async def _take_files(self, paths: Sequence[Path]) -> None:
        for path in paths:
            data = await read_picked(path, transfer.MOST_BYTES)
            reading = await asyncio.to_thread(transfer.read, data, path.name)
            if reading.problem is not None:
                self._tell_problem(path.name, reading.problem)
            else:
                await self._tell_taken(await self._library.take_in(reading.drafts), reading)

    async def _tell_taken(self, taken: TakenIn, reading: Reading) -> None:
        added = [prompt.id for prompt in taken.added]
        if added:
            await self._show(added)

        def words() -> str:
            said = self.tr("%n prompts added", "", len(added))
            if taken.known:
                said = sentences(said, self.tr("%n were there already", "", taken.known))
            if taken.left_out:
                said = sentences(said, self.tr("For %n there was no room", "", taken.left_out))
            if reading.unreadable:
                said = sentences(said, self.tr("%n could not be read", "", reading.unreadable))
            return said

        if not added:
            self._context.tell(words)
            return
        self._context.offer_undo(words, lambda: self._start(self._take_back(added), "take an import back"))

    async def _take_back(self, prompt_ids: Sequence[str]) -> None:
        await self._library.remove(prompt_ids)
        await self._library.erase()

    def _tell_problem(self, name: str, problem: Problem) -> None:
        def detail() -> str:
            match problem:
                case Problem.TOO_LARGE:
                    words = self.tr("“%1” is too large. Split it, and import the parts.")
                case Problem.NOT_TEXT:
                    words = self.tr("“%1” is no text. Prompts come as JSON, Markdown or plain text.")
                case Problem.DAMAGED:
                    words = self.tr("“%1” begins as JSON, but it is incomplete or damaged. Export it once more.")
                case Problem.NEWER:
                    words = self.tr(
                        "“%1” was written by a newer version of this program. Update this one, then try again."
                    )
                case Problem.NOTHING:
                    words = self.tr("In “%1” there is no prompt with a name and a text.")
            return words.replace("%1", name)

        self._context.show_notice(lambda: self.tr("No prompts were imported"), detail)

    def _choose_place(self, kind: str) -> None:
        window, title = self._context.window, self.tr("Export prompts")
        file_name = f"threadwell-prompts-{datetime.now():%Y-%m-%d}.{kind}"
        dialog = save_dialog(window, title, documents_folder(), "promptExportFile", file_name)
        dialog.setDefaultSuffix(kind)
        dialog.fileSelected.connect(lambda name: self._start(self.write_file(Path(name), kind), "export prompts"))
        dialog.open()

    async def write_file(self, path: Path, kind: str) -> None:
        """Write the chosen prompts, where several are, else all, as ``json`` or ``md``. Raises ``FileError``."""
        chosen = self._page.list.chosen()
        prompts = chosen if len(chosen) > 1 else await self._library.all()
        title = self.tr("Prompts")
        text = await asyncio.to_thread(
            lambda: transfer.to_json(prompts) if kind == "json" else transfer.to_markdown(prompts, title)
        )
        try:
            await asyncio.to_thread(write_atomically, path, text)
        except OSError as error:
            raise FileError("file.not_saved", name=path.name, detail=error.strerror or str(error)) from error
        count = len(prompts)
        self._context.tell(lambda: self.tr("%n prompts exported to %1", "", count).replace("%1", path.name))
