"""Files for the message that is being written: read beside the window, kept with its draft, and handed over to be sent."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt
from PySide6.QtGui import QImage, QImageWriter, QPixmap

from desktop.conversation.attachments import MOST_IMAGE_BYTES
from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.core.errors import FileError, ThreadwellError
from desktop.ui.attachment_words import shown_name
from desktop.ui.composer.composer import Composer
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog
from desktop.ui.error_words import error_words
from desktop.ui.links import open_picture
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.services import UiServices
from desktop.ui.state.pasted_text import MOST_BYTES, byte_count
from desktop.ui.transcript.thumbnails import pixmap_of

MOST_FILES = 20
"""Of one message."""
_QUICKLY = 80
"""Of PNG: little work. Nothing above is packed at all, and a picture of a large screen would be too large a file."""


_Reading = Callable[[], Awaitable[AttachmentPart]]


@dataclass
class _File:
    name: str
    part: AttachmentPart | None = None
    """None while it is being read."""
    reading: "asyncio.Task[None] | None" = None
    thumbnail: QPixmap = field(default_factory=QPixmap)


class AttachmentPresenter(QObject):
    """Knows the files of every message that is being written, by the draft's key (see ``ComposerPresenter``)."""

    def __init__(self, composer: Composer, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._composer = composer
        self._view = composer.files
        self._services = services
        self._worker = Worker(services)
        self._numbers = itertools.count()
        self._files: dict[str, dict[str, _File]] = {}
        self._key = ""
        self._folder = str(Path.home())
        self._view.given.connect(self.add_files)
        self._view.picture_given.connect(self.add_picture)
        self._view.choice_requested.connect(self._choose)
        self._view.view_requested.connect(self._show_file)
        self._view.remove_requested.connect(self._remove)
        services.conversations.thread_removed.connect(self._thread_removed)

    def switch(self, key: str) -> None:
        """Show the files of another draft; those that were kept on disk are loaded when it is first shown."""
        self._key = key
        if key not in self._files:
            self._files[key] = {}
            self._worker.start(self._load(key), "load attached files")
        self._show()

    def parts(self, key: str) -> tuple[AttachmentPart, ...]:
        """The files of a draft that have been read."""
        return tuple(file.part for file in self._files.get(key, {}).values() if file.part is not None)

    def sent(self, key: str, parts: tuple[AttachmentPart, ...], new_key: str) -> None:
        """These were sent; what came meanwhile stays, for the chat just begun where ``new_key`` is another one."""
        left = {number: file for number, file in self._files.pop(key, {}).items() if file.part not in parts}
        self._files[new_key] = {**self._files.get(new_key, {}), **left}
        if key == self._key:
            self._key = new_key
        if left:
            self._keep(new_key)
        self._show()

    def begin(self, key: str, parts: Sequence[AttachmentPart]) -> None:
        """Let a draft begin with these files, which belong to its thread already."""
        self._files[key] = {str(next(self._numbers)): _File(part.name, part) for part in parts}
        self._keep(key)
        for number, file in self._files[key].items():
            if file.part is not None:
                self._worker.start(self._load_thumbnail(number, file.part), "load a picture")

    def give_up(self, key: str) -> None:
        """A draft is no more; its files go, but for those that belong to its thread."""
        for file in self._files.pop(key, {}).values():
            if file.part is not None:
                self._worker.start(self._discard(key, file.part), "remove a file")
            elif file.reading is not None:
                file.reading.cancel()

    def add_files(self, paths: list[Path]) -> None:
        """Attach files to the present message; folders become knowledge of its chat."""
        folders = [path for path in paths if path.is_dir()]
        if folders:
            self._composer.knowledge.folders_given.emit(folders)
        for path in (path for path in paths if path not in folders):
            if not self._has_room():
                return
            self._begin(path.name, lambda path=path: self._services.attachments.add_file(path))

    def add_picture(self, picture: object) -> None:
        """Attach a picture that has no file: its bytes, or a ``QImage``."""
        if self._has_room():
            name = self.tr("Pasted picture")

            async def add() -> AttachmentPart:
                data = picture if isinstance(picture, bytes) else await asyncio.to_thread(_encoded, picture)
                return await self._services.attachments.add(name, data)

            self._begin(name, add)

    def add_data(self, name: str, data: bytes) -> None:
        """Attach a file that is at hand."""
        if self._has_room():
            self._begin(name, lambda: self._services.attachments.add(name, data))

    def add_read(self, name: str, read: Callable[[], Awaitable[Sequence[tuple[str, bytes]]]]) -> None:
        """Attach what ``read`` brings, at least one file with its name; until then it is called ``name``."""

        async def add() -> AttachmentPart:
            (first, data), *others = await read()
            for other in others:
                self.add_data(*other)
            return await self._services.attachments.add(first or name, data)

        if self._has_room():
            self._begin(name, add)

    def _begin(self, name: str, read: _Reading) -> None:
        key, number = self._key, str(next(self._numbers))
        file = self._files.setdefault(key, {})[number] = _File(name)
        file.reading = self._worker.start(self._read(key, number, read), "read a file")
        self._show()

    async def _read(self, key: str, number: str, read: _Reading) -> None:
        try:
            part = await read()
            try:
                self._require_room(key, part)
            except FileError:
                await self._services.attachments.discard(part)
                raise
        except FileError as error:
            self._forget(key, number)
            if key == self._key:
                words = error_words(error.code, error.params)
                self._composer.say(sentences(words.title, words.detail))
            else:
                raise
            return
        except ThreadwellError:
            self._forget(key, number)
            raise
        owner = self._owner_of(number)
        if owner is None:  # removed just now
            await self._services.attachments.discard(part)
            return
        self._files[owner][number].part = part
        if owner == self._key:
            self._view.show_part(number, part)
        self._keep(owner)
        await self._load_thumbnail(number, part)

    async def _load_thumbnail(self, number: str, part: AttachmentPart) -> None:
        if part.kind is not AttachmentKind.IMAGE:
            return
        picture = pixmap_of(await self._services.attachments.thumbnail(part.attachment_id))
        if (owner := self._owner_of(number)) is not None:
            self._files[owner][number].thumbnail = picture
            self._view.show_thumbnail(number, picture)

    def _owner_of(self, number: str) -> str | None:
        """Under which key the file is by now: a message sent meanwhile may have begun a chat."""
        return next((key for key, files in self._files.items() if number in files), None)

    def _require_room(self, key: str, part: AttachmentPart) -> None:
        """Raise ``FileError`` where one request would become larger than endpoints take."""
        parts = [*self.parts(key), part]
        texts = sum(byte_count(p.text) for p in parts)
        if sum(p.sent_size for p in parts) > MOST_IMAGE_BYTES or texts > MOST_BYTES:
            raise FileError("file.no_room", name=part.name)

    def _has_room(self) -> bool:
        if len(self._files.get(self._key, {})) < MOST_FILES:
            return True
        self._composer.say(
            self.tr("At most %1 files go with one message. Send these first.").replace("%1", str(MOST_FILES))
        )
        return False

    def _forget(self, key: str, number: str) -> None:
        owner = self._owner_of(number)
        if owner is not None:
            del self._files[owner][number]
        self._show()

    def _remove(self, number: str) -> None:
        file = self._files.get(self._key, {}).pop(number, None)
        if file is None:
            return
        if file.part is None:
            if file.reading is not None:
                file.reading.cancel()
        else:
            self._worker.start(self._discard(self._key, file.part), "remove a file")
        self._show()

    async def _discard(self, key: str, part: AttachmentPart) -> None:
        await self._services.attachments.save_draft(key, self.parts(key))
        await self._services.attachments.discard(part)

    def _show(self) -> None:
        files = self._files.get(self._key, {})
        self._view.show_files({number: file.name for number, file in files.items()})
        for number, file in files.items():
            if file.part is not None:
                self._view.show_part(number, file.part)
                self._view.show_thumbnail(number, file.thumbnail)

    def _keep(self, key: str) -> None:
        self._worker.start(self._services.attachments.save_draft(key, self.parts(key)), "keep attached files")

    async def _load(self, key: str) -> None:
        for part in await self._services.attachments.load_draft(key):
            if part not in self.parts(key):
                number = str(next(self._numbers))
                self._files.setdefault(key, {})[number] = _File(part.name, part)
                self._show_if(key)
                await self._load_thumbnail(number, part)

    def _show_if(self, key: str) -> None:
        if key == self._key:
            self._show()

    def _thread_removed(self, thread_id: str) -> None:
        """What lies on disk comes back with the thread."""
        for file in self._files.pop(thread_id, {}).values():
            if file.part is None and file.reading is not None:
                file.reading.cancel()

    # -- choosing and looking

    def _choose(self) -> None:
        dialog = ReturningFileDialog(self._composer.window(), self.tr("Attach files"), self._folder)
        dialog.setObjectName("attach-dialog")
        dialog.setFileMode(ReturningFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._chosen)
        dialog.open()

    def _chosen(self, names: list[str]) -> None:
        paths = [Path(name) for name in names]
        if paths:
            self._folder = str(paths[0].parent)
        self.add_files(paths)
        self._composer.focus_text()

    def _show_file(self, number: str) -> None:
        file = self._files.get(self._key, {}).get(number)
        if file is None or file.part is None:
            return
        if file.part.kind is AttachmentKind.IMAGE:
            path = self._services.attachments.original(file.part.attachment_id)
            if path is None or not open_picture(path):
                self._composer.say(self.tr("This picture cannot be opened."))
        else:
            self._composer.show_text(file.part.text, shown_name(file.part))


def _encoded(picture: object) -> bytes:
    """The bytes of a picture from the clipboard; in a thread, because it takes a second for a large one."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if isinstance(picture, QImage):
        writer = QImageWriter(buffer, QByteArray(b"PNG"))
        writer.setQuality(_QUICKLY)
        writer.write(picture)
    return bytes(buffer.data().data())
