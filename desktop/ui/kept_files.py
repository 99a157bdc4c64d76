"""What can be done with files of a chat: pictures opened; what a tool returned shown, opened, or saved where the user says."""

import asyncio
import shutil
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.conversation.entities import AttachmentPart
from desktop.core.errors import FileError
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.ui.dialogs.save_dialog import downloads_folder, save_dialog
from desktop.ui.links import open_kept_file, open_picture
from desktop.ui.presenting import Worker
from desktop.ui.result_item_words import item_title
from desktop.ui.services import UiServices
from desktop.ui.state.pretty_json import pretty_json
from desktop.ui.toast import Toast
from desktop.ui.transcript.view import TranscriptView


class KeptFiles(QObject):
    """Does what attached pictures and the lines of tool cards ask for. Nothing happens without a click."""

    def __init__(self, services: UiServices, toast: Toast, window: QWidget) -> None:
        super().__init__(window)
        self._services = services
        self._toast = toast
        self._window = window
        self._worker = Worker(services)
        self._folder = ""

    def connect_view(self, view: TranscriptView) -> None:
        """Serve the cards of a view."""
        view.context.actions.image_requested.connect(self._open_picture)
        view.context.actions.item_requested.connect(lambda item, verb: self._do(item, verb, view))

    def _open_picture(self, image: AttachmentPart) -> None:
        path = self._services.attachments.original(image.attachment_id)
        if path is None or not open_picture(path):
            self._toast.tell(lambda: self.tr("This picture cannot be opened"))

    def _do(self, item: ResultItem, verb: str, view: TranscriptView) -> None:
        if verb == "show":
            self._worker.start_once(self._show(item, view), f"show what a tool returned, {id(item)}")
            return
        path = self._services.attachments.original(item.attachment_id)
        if path is None:
            self._toast.tell(lambda: self.tr("This file is not there any more"))
        elif verb == "save":
            self._choose_place(item, path)
        elif not open_kept_file(path):
            self._toast.tell(lambda: self.tr("This file cannot be opened here; it can be saved"))

    async def _show(self, item: ResultItem, view: TranscriptView) -> None:
        path = self._services.attachments.original(item.attachment_id) if item.attachment_id else None
        if path is None and not item.text:
            self._toast.tell(lambda: self.tr("This file is not there any more"))
            return
        text = await asyncio.to_thread(_text_of, item, path)
        view.show_text(text, lambda: item_title(item))

    def _choose_place(self, item: ResultItem, path: Path) -> None:
        folder = downloads_folder(self._folder)
        dialog = save_dialog(self._window, self.tr("Save as"), folder, "save-result-dialog", item.file_name)
        dialog.fileSelected.connect(lambda name: self._worker.start(self._save(path, Path(name)), "save a file"))
        dialog.open()

    async def _save(self, path: Path, target: Path) -> None:
        try:
            await asyncio.to_thread(shutil.copyfile, path, target)
        except OSError as error:
            raise FileError("file.not_saved", name=target.name, detail=error.strerror or str(error)) from error
        self._folder = str(target.parent)
        self._toast.tell(lambda: self.tr("Saved as %1").replace("%1", target.name))


def _text_of(item: ResultItem, path: Path | None) -> str:
    try:
        text = item.text if path is None else path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise FileError("file.unreadable", name=item.file_name, detail=f"{error.strerror}.") from error
    return pretty_json(text, most=len(text)) if item.kind is ItemKind.DATA else text
