"""Does in the window what a start of the program asks for: opens a chat or a page, and puts files beside the message."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.core.errors import StorageError
from desktop.core.start_request import StartRequest
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter

_CHATS = (".zip", ".bak")
"""What can only be exported chats; any other file is put beside the message, where the user sees it before it is sent."""


class OpeningFeature(QObject):
    """``act`` may be called at any time once the window is complete."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._services = services
        self._worker = Worker(services)

    def act(self, request: StartRequest) -> None:
        """Do what is asked for, in the chat that it names; nothing is sent."""
        self._worker.start(self._act(request), "do what a start asks for")

    async def _act(self, request: StartRequest) -> None:
        await self._open(request.thread)
        if request.page:
            self._presenter.window.keys.act(request.page)
        self._take([Path(file) for file in request.files])

    async def _open(self, thread_id: str) -> None:
        window = self._presenter.window
        if thread_id == "new":
            window.sidebar.new_chat_requested.emit()
        elif thread_id not in ("", "last"):  # the last one is where the window is
            thread = await self._services.conversations.get_thread(thread_id)
            if thread is None or thread.deleted_at is not None:
                raise StorageError("storage.thread_missing", thread_id=thread_id)
            self._presenter.sidebar.open_requested.emit(thread_id, "")

    def _take(self, files: Sequence[Path]) -> None:
        window = self._presenter.window
        chats = [file for file in files if file.suffix.lower() in _CHATS]
        others = [file for file in files if file not in chats]
        if others:
            window.composer.files.given.emit(others)
            window.composer.focus_text()
        if chats:
            window.sidebar.import_requested.emit(chats)
