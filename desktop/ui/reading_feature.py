"""What one can do with the contents of answers beside reading them: save code, choose how long lines stand, load pictures."""

import asyncio
import dataclasses
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from desktop.core.errors import FileError, StorageError
from desktop.core.settings import Settings
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.save_dialog import downloads_folder, save_dialog
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.code_files import file_name
from desktop.ui.state.link_target import judge
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.toast import Toast
from desktop.ui.transcript.view import TranscriptView


class ReadingFeature(QObject):
    """Serves every transcript of the window."""

    def __init__(self, services: UiServices, theme: ThemeManager, toast: Toast, window: QWidget) -> None:
        super().__init__(window)
        self._services = services
        self._theme = theme
        self._toast = toast
        self._window = window
        self._worker = Worker(services)
        self._folder = ""

    def connect_view(self, view: TranscriptView) -> None:
        """Serve the blocks of a view."""
        context = view.context
        context.code_wrapping.is_usual = self._services.settings.settings.appearance.wrap_code
        context.actions.wrapping_chosen.connect(self._keep_wrapping)
        context.actions.code_save_requested.connect(self._choose_place)
        context.actions.remote_picture_requested.connect(
            lambda address: self._worker.start_once(self._load_picture(address, view), f"load {address}")
        )

    async def _load_picture(self, address: str, view: TranscriptView) -> None:
        """Ask, then fetch it once. It is kept as long as the window, and nowhere else."""
        pictures, target = self._services.pictures, judge(address)
        if pictures is None or target is None or target.is_mail:
            view.link_activated.emit(address, "")
            return
        host = readable(target.host)
        is_wanted = await confirm(
            self._window,
            title=self.tr("Load this picture from {host}?").format(host=host),
            text=self.tr(
                "It is fetched from there once, without cookies. {host} then learns your internet address, and that"
                " somebody looks at this picture; an address made for that can also tell what the chat is about. The"
                " picture is kept until the window is closed."
            ).format(host=host),
            confirm_label=self.tr("Load picture"),
            danger=False,
            details=self._address_box(address),
        )
        if not is_wanted:
            return
        self._toast.tell(lambda: self.tr("Loading a picture from %1 …").replace("%1", host))
        fetched = await pictures.fetch(address)
        image = await asyncio.to_thread(QImage.fromData, fetched.data)
        if not image.isNull() and shiboken6.isValid(view):
            view.context.remote_images.put(address, image)

    def _address_box(self, address: str) -> QWidget:
        box = PlainBox(display_lines(address, numbered=False), self._theme, role="code", least_lines=1, most_lines=4)
        box.setObjectName("picture-address")
        box.setAccessibleName(self.tr("The whole address"))
        return box

    def _keep_wrapping(self, wraps: bool) -> None:
        store = self._services.settings
        if store.settings.appearance.wrap_code is wraps:
            return
        appearance = dataclasses.replace(store.settings.appearance, wrap_code=wraps)
        changed: Settings = dataclasses.replace(store.settings, appearance=appearance)
        try:
            store.update(changed)
        except OSError as error:
            self._services.report_error(StorageError.of_unwritten(error))

    def _choose_place(self, text: str, language: str) -> None:
        name, folder = file_name(language, text), downloads_folder(self._folder)
        dialog = save_dialog(self._window, self.tr("Save as"), folder, "save-code-dialog", name)
        dialog.fileSelected.connect(lambda name: self._worker.start(self._save(text, Path(name)), "save code"))
        dialog.open()

    async def _save(self, text: str, target: Path) -> None:
        data = text if text.endswith("\n") else f"{text}\n"
        try:
            await asyncio.to_thread(target.write_bytes, data.encode("utf-8", "replace"))
        except OSError as error:
            raise FileError("file.not_saved", name=target.name, detail=error.strerror or str(error)) from error
        self._folder = str(target.parent)
        self._toast.tell(lambda: self.tr("Saved as %1").replace("%1", target.name))
