"""Opens what was sent for an answer, leads to where its parts come from, and writes it as JSON."""

import asyncio
from collections.abc import Callable, Set
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from desktop.conversation.entities import Role
from desktop.conversation.request_export import requests_to_json
from desktop.conversation.request_records import LeftOut, LeftOutKind, RequestRecord
from desktop.core.errors import FileError
from desktop.core.safe_files import safe_file_name
from desktop.core.settings import write_atomically
from desktop.memory.entities import PassageKind
from desktop.ui.dialogs.save_dialog import downloads_folder, save_dialog
from desktop.ui.error_words import words_of_exception
from desktop.ui.inspector.rows import Row
from desktop.ui.main_window import MainWindow
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.ui.inspector.dialog import InspectorDialog


def _no_room(record: RequestRecord) -> list[LeftOut]:
    return [each for each in record.left_out if each.kind is LeftOutKind.NO_ROOM]


class InspectorPresenter(QObject):
    """One at a time.

    Signals:
        place_wanted: carries a thread and a message that are to be shown.
    """

    place_wanted = Signal(str, str)

    def __init__(
        self,
        window: MainWindow,
        services: UiServices,
        theme: ThemeManager,
        thread_id: Callable[[], str | None],
        parent: QObject,
    ) -> None:
        """``thread_id`` tells which chat is open."""
        super().__init__(parent)
        self._services = services
        self._theme = theme
        self._toast = window.toast
        self._window = window
        self._worker = Worker(services)
        self._dialog: InspectorDialog | None = None
        self._message_id = ""
        self._folder = ""
        window.sent_requested.connect(lambda: self.open_last(thread_id()))

    def connect_view(self, view: TranscriptView) -> None:
        """Serve the answers of a view."""
        view.context.actions.sent_requested.connect(self.open)

    @property
    def dialog(self) -> "InspectorDialog | None":
        """What is open."""
        return self._dialog

    def open_last(self, thread_id: str | None) -> None:
        """Show what was sent for the last answer of a chat."""
        if thread_id is not None:
            self._worker.start_once(self._open_last(thread_id), "find the last answer")

    async def _open_last(self, thread_id: str) -> None:
        path = await self._services.repository.path(thread_id, last=2)
        answers = [message for message in path if message.role is Role.ASSISTANT]
        if answers:
            self.open(answers[-1].id)

    def open(self, message_id: str) -> None:
        """Show what was sent for this answer."""
        from desktop.ui.inspector.dialog import InspectorDialog

        if self._dialog is not None:
            return
        self._message_id = message_id
        self._dialog = dialog = InspectorDialog(self._window, self._theme)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._closed)
        dialog.save_requested.connect(self._choose_place)
        dialog.copy_requested.connect(lambda: self._worker.start(self._copy(dialog), "copy what was sent"))
        dialog.body_wanted.connect(
            lambda record: self._worker.start(self._show_body(dialog, record), "write out a request")
        )
        dialog.place_requested.connect(lambda row: self._worker.start(self._go(dialog, row), "find a place"))
        self._worker.start(self._load(dialog, message_id), "read what was sent")
        dialog.open()

    def _closed(self) -> None:
        self._dialog = None

    async def _load(self, dialog: "InspectorDialog", message_id: str) -> None:
        await self._services.chat.recorded(message_id)
        records = await self._services.requests.of_answer(message_id)
        texts = await self._texts_of({name for each in records for out in _no_room(each) for name in out.names})
        if self._dialog is dialog:
            is_running = self._services.chat.run_of_message(message_id) is not None
            dialog.show_requests(records, is_running=is_running, texts=texts)

    async def _texts_of(self, keys: Set[str]) -> dict[str, str]:
        """The texts of what is remembered, by keys such as ``fact:ID``, as far as it is still there."""
        memory, found = self._services.memory, dict[str, str]()
        for kind in PassageKind:
            ids = [key.partition(":")[2] for key in keys if key.startswith(f"{kind}:")]
            if ids:
                there = await (memory.get(ids) if kind is PassageKind.FACT else memory.passages(kind, ids))
                found.update((f"{kind}:{one.id}", one.text) for one in there.values())
        return found

    async def _show_body(self, dialog: "InspectorDialog", record: RequestRecord) -> None:
        from desktop.ui.inspector.dialog import body_text

        text = await body_text(record)
        if self._dialog is dialog:
            dialog.show_body(record, text)

    async def _go(self, dialog: "InspectorDialog", row: Row) -> None:
        record = dialog.record
        if record is None:
            return
        place = (record.thread_id, row.message_id) if row.message_id else await self._place_of(row)
        if place is None:
            self._tell(dialog, lambda: self.tr("What this comes from is not there any more"))
            return
        if self._dialog is dialog:
            dialog.accept()
        self.place_wanted.emit(*place)

    async def _place_of(self, row: Row) -> tuple[str, str] | None:
        """The chat and the message that something recalled comes from."""
        memory, ref = self._services.memory, row.recalled
        if ref is None:
            return None
        if ref.kind == PassageKind.FACT:
            item = (await memory.get([ref.id])).get(ref.id)
            source = item.source if item is not None else None
            found = None if source is None else (source.thread_id, source.message_id)
        elif ref.kind == PassageKind.MESSAGE:
            passage = (await memory.passages(PassageKind.MESSAGE, [ref.id])).get(ref.id)
            found = None if passage is None else (passage.thread_id, passage.id)
        else:
            found = None
        if found is None:
            return None
        thread = await self._services.repository.get_thread(found[0])
        return None if thread is None or thread.deleted_at is not None else found

    # -- as JSON

    async def _copy(self, dialog: "InspectorDialog") -> None:
        if (record := dialog.record) is not None:
            text = await asyncio.to_thread(requests_to_json, [record])
            QGuiApplication.clipboard().setText(text)
            self._tell(dialog, lambda: self.tr("The request was copied"))

    def _choose_place(self, whole_chat: bool) -> None:
        dialog = self._dialog
        if dialog is None:
            return
        file_name = safe_file_name(self.tr("What was sent"), ".json", standard="requests")
        folder = downloads_folder(self._folder)
        chooser = save_dialog(dialog, self.tr("Save as"), folder, "inspectorSaveDialog", file_name)
        chooser.setNameFilter("JSON (*.json)")
        chooser.setDefaultSuffix("json")
        records, message_id = dialog.records, self._message_id
        chooser.fileSelected.connect(
            lambda name: self._worker.start(
                self._save(dialog, () if whole_chat else records, message_id, Path(name)), "save what was sent"
            )
        )
        chooser.open()

    async def _save(
        self, dialog: "InspectorDialog", records: tuple[RequestRecord, ...], message_id: str, target: Path
    ) -> None:
        """Write these requests, or without any all of the chat."""
        answers = await self._services.repository.messages([message_id])
        thread_id = answers[0].thread_id if answers else ""
        thread = await self._services.repository.get_thread(thread_id)
        if not records:
            found: list[RequestRecord] = []
            for message_id in await self._services.requests.answers_of(thread_id):
                found += await self._services.requests.of_answer(message_id)
            records = tuple(found)
        title = "" if thread is None else thread.title
        text = await asyncio.to_thread(requests_to_json, records, title=title)
        try:
            await asyncio.to_thread(write_atomically, target, text)
        except OSError as error:
            failure = FileError("file.not_saved", name=target.name, detail=error.strerror or str(error))
            if self._dialog is dialog:  # the notice in the window lies behind it
                words = words_of_exception(failure)
                dialog.say(lambda: sentences(words.title, words.detail))
            raise failure from error
        self._folder = str(target.parent)
        self._tell(dialog, lambda: self.tr("Saved as %1").replace("%1", target.name))

    def _tell(self, dialog: "InspectorDialog", news: Callable[[], str]) -> None:
        """Say it where the user looks: in the dialog, or in the window once that is closed."""
        if self._dialog is dialog:
            dialog.say(news)
        else:
            self._toast.tell(news)
