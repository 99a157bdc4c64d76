"""The Trash: shown, counted, its chats restored or deleted for good."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop.conversation.lists import ListKind, PageKey
from desktop.core.receipt import Receipt
from desktop.ui.memory.purging import ask_to_purge
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.sidebar.list_loader import PAGE
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.toast import Toast


class TrashPresenter(QObject):
    """``purged``: threads were deleted for good; carries the ``Receipt``."""

    purged = Signal(object)

    def __init__(self, sidebar: Sidebar, toast: Toast, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._toast = toast
        self._services = services
        self._worker = Worker(services)
        self._next: PageKey | None = None
        sidebar.footer.trash_requested.connect(self.toggle)
        sidebar.trash.back_requested.connect(self._leave)
        sidebar.trash.restore_requested.connect(lambda ids: self._worker.start(self.restore(ids), "restore threads"))
        sidebar.trash.purge_requested.connect(lambda ids: self._worker.start_once(self._purge(ids), "purge threads"))
        sidebar.trash.model.more_requested.connect(lambda _: self._worker.start(self._load_more(), "load Trash"))
        services.conversations.trash_emptied.connect(self._emptied)

    def toggle(self) -> None:
        """Show the Trash, or the list again."""
        if self._sidebar.is_trash_shown:
            self._leave()
        else:
            self._worker.start(self._show(), "open Trash")

    async def restore(self, thread_ids: Sequence[str]) -> None:
        """Bring threads back to where they were."""
        try:
            for thread_id in thread_ids:
                await self._services.conversations.restore(thread_id)
                self._sidebar.trash.remove(thread_id)
        finally:
            await self.refresh()

    async def refresh(self) -> None:
        """Show what is in it now, or at least how much."""
        if self._sidebar.is_trash_shown:
            await self._show(again=True)
        else:
            await self.count()

    async def count(self) -> None:
        page = await self._services.lists.page(ListKind.TRASH, limit=PAGE)
        self._sidebar.footer.set_trash_count(len(page.threads), is_more=page.next is not None)

    async def _show(self, *, again: bool = False) -> None:
        """``again``: it is shown, and stays away if it was left while it was read anew."""
        page = await self._services.lists.page(ListKind.TRASH, limit=PAGE)
        if not again or self._sidebar.is_trash_shown:
            self._next = page.next
            self._sidebar.show_trash(page.threads, complete=page.next is None)
        self._sidebar.footer.set_trash_count(len(page.threads), is_more=page.next is not None)

    async def _load_more(self) -> None:
        page = await self._services.lists.page(ListKind.TRASH, limit=PAGE, after=self._next)
        self._next = page.next
        self._sidebar.trash.model.append(page.threads, complete=page.next is None)

    def _leave(self) -> None:
        self._sidebar.show_main_page()
        self._sidebar.list.setFocus()

    def _emptied(self) -> None:
        self._toast.dismiss()  # what it offers to bring back is gone
        self._worker.start(self.refresh(), "count Trash")

    async def _purge(self, thread_ids: list[str]) -> None:
        """Ask, then delete for good."""
        thread = self._sidebar.trash.model.get(thread_ids[0])
        if len(thread_ids) == 1 and thread is not None:
            title = self.tr("Delete “%1” for good?").replace("%1", thread.title or self.tr("New chat"))
        else:
            title = self.tr("Delete %n chats for good?", "", len(thread_ids))
        text = self.tr("All its text is removed from this computer. This cannot be undone.")
        label = self.tr("Delete for good")
        window, services = self._sidebar.window(), self._services
        agreed = await ask_to_purge(window, services, thread_ids, title=title, text=text, confirm_label=label)
        if agreed is None:
            return
        self._toast.dismiss()  # what it offers to bring back may be gone now
        receipt = Receipt()
        try:
            receipt += await agreed.forget(services)
            receipt += await services.chat.purge_thread(*thread_ids)
        finally:
            await self.refresh()
            self.purged.emit(await services.memory.follow_removal(receipt))
