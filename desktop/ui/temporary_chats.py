"""Temporary chats: how one is begun, marked, kept after all, or left, after which nothing of it is there."""

from PySide6.QtCore import QObject

from desktop.conversation.entities import Thread
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.main_window import MainWindow
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices


class TemporaryChats(QObject):
    """Knows whether the open chat is a temporary one. Who opens another chat asks ``may_leave`` before."""

    def __init__(self, window: MainWindow, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._services = services
        self._worker = Worker(services)
        self._open: Thread | None = None
        self._is_asking = False
        window.composer.keep_requested.connect(self._keep)

    @property
    def is_empty_open(self) -> bool:
        """The open chat is a temporary one in which nothing was said yet."""
        return self._open is not None and self._open.tip is None

    @property
    def must_ask(self) -> bool:
        """Leaving the open chat would end or lose something that the user may not have in mind."""
        composer = self._window.composer
        if self._open is None:
            return False
        is_written = not composer.content.is_blank or not composer.files.is_empty
        return is_written or bool(self._services.chat.runs_of(self._open.id))

    def show_thread(self, thread: Thread | None) -> str:
        """Mark the window for the open chat, and return its title; None is a new one, or one not loaded yet."""
        is_temporary = thread is not None and thread.options.is_temporary
        self._open = thread if is_temporary else None
        self._window.header.set_temporary(is_temporary)
        self._window.composer.set_temporary(is_temporary, can_keep=thread is not None and thread.tip is not None)
        if thread is None:
            return ""
        return thread.title or (self.tr("Temporary chat") if is_temporary else "")

    def left(self, thread_id: str | None) -> None:
        """Another chat is open now: nothing of the one before is kept if it was temporary."""
        if thread_id is not None and self._open is not None and self._open.id == thread_id:
            self._worker.start(self._services.chat.leave_temporary(thread_id), "end a temporary chat")

    async def may_leave(self) -> bool:
        """Ask before what runs or is written in a temporary chat is lost; True where nothing is, or the user agrees."""
        if not self.must_ask:
            return True
        if self._is_asking:
            return False
        self._is_asking = True
        try:
            return await confirm(
                self._window,
                title=self.tr("Leave the temporary chat?"),
                text=self.tr("What is being answered or written in it ends here, and nothing of it is kept."),
                confirm_label=self.tr("Leave it"),
            )
        finally:
            self._is_asking = False

    def _keep(self) -> None:
        if self._open is not None:
            self._worker.start(self._kept(self._open.id), "keep a temporary chat")

    async def _kept(self, thread_id: str) -> None:
        await self._services.conversations.keep(thread_id)
        self._services.memory.indexing.wake()
        self._window.composer.text_edited.emit()  # what is being written is a draft to be kept from now on
        self._window.composer.focus_text()
        self._window.toast.tell(lambda: self.tr("The chat is kept"))
