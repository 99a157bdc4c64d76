"""Brings memory into the window: its page, what waits for a look, forgetting with receipts."""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.receipt import Receipt
from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus, RecallScope
from desktop.ui.error_words import words_of_exception
from desktop.ui.memory.forgetting import Forgetting
from desktop.ui.memory.recalled_presenter import RecalledPresenter
from desktop.ui.memory.receipts import Receipts
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.services import UiServices

if TYPE_CHECKING:
    from desktop.ui.main_window import MainWindow
    from desktop.ui.memory.edit_dialog import MemoryEditDialog
    from desktop.ui.memory.list_model import ChatPlace, Found
    from desktop.ui.memory.page import MemoryPage
    from desktop.ui.memory.transfer_presenter import TransferPresenter
    from desktop.ui.theme.theme_manager import ThemeManager

PAGE = 200
MOST_WAITING = 99
REFRESH_DELAY_MS = 60
"""Many changes in a row are shown once."""


class MemoryPresenter(QObject):
    """Opens the memory page in the place of the chat, and keeps it true to the services.

    Signals:
        opened: a new page is about to be shown; carries it.
        left: the page is gone, and the chat to be shown again.
        message_wanted: a chat and a message in it are to be shown; ids.
        settings_wanted: the settings page of memory is to be shown.
    """

    opened = Signal(object)
    left = Signal()
    message_wanted = Signal(str, str)
    settings_wanted = Signal()

    def __init__(
        self,
        window: "MainWindow",
        services: UiServices,
        theme: "ThemeManager",
        current_thread: Callable[[], str | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._services = services
        self._theme = theme
        self._current_thread = current_thread
        self._worker = Worker(services)
        self.receipts = Receipts(window, window.toast, theme, self, backups=services.backup_places)
        self.forgetting = Forgetting(window.toast, services, self)
        self.forgetting.forgotten.connect(self._forgotten)
        self.forgetting.hidden_changed.connect(self._hidden_changed)
        self.recalled = RecalledPresenter(services, theme, self.forgetting, current_thread, self)
        self.recalled.message_wanted.connect(self.message_wanted)
        self.recalled.edit_wanted.connect(self.edit)
        self._page: MemoryPage | None = None
        self.transfer: TransferPresenter | None = None
        """Import and export, of the page that was opened last."""
        self._number = 0
        """Of what was asked for last: an answer to anything before comes too late."""
        self._waiting: Sequence[MemoryItem] = ()
        self._replaced: Mapping[str, str] = {}
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(REFRESH_DELAY_MS)
        self._refresh.timeout.connect(self._reload)
        services.memory.changed.connect(self._changed)
        services.settings.changed.connect(lambda _: self._show_paused())
        services.conversations.thread_changed.connect(lambda _: self._changed())
        services.conversations.thread_removed.connect(lambda _: self._changed())

    @property
    def page(self) -> "MemoryPage | None":
        """The page while it is shown."""
        return self._page

    @property
    def is_open(self) -> bool:
        return self._page is not None

    def open(self) -> None:
        """Show the page; what stood in its place must have been left."""
        from desktop.ui.memory.page import MemoryPage

        if self._page is not None:
            self._page.setFocus()
            return
        page = self._page = MemoryPage(self._theme)
        self._connect(page)
        page.destroyed.connect(lambda: self._gone(page))
        page.model.set_hidden(self.forgetting.hidden)
        self._show_paused()
        self.opened.emit(page)
        self._window.show_page(page)
        self._reload()

    def _gone(self, page: "MemoryPage") -> None:
        """Another page took its place."""
        if self._page is page:
            self._page = None
            self._number += 1

    def close(self) -> None:
        """Take the page away; transcript and composer are there again."""
        if self._page is not None:
            self._page = None
            self._number += 1
            self._window.close_page()

    async def finish(self) -> None:
        """Complete what was begun; for the end of the program."""
        self._refresh.stop()
        await self.forgetting.finish()

    # -- connections

    def _connect(self, page: "MemoryPage") -> None:
        from desktop.ui.memory.transfer_presenter import TransferPresenter

        transfer = self.transfer = TransferPresenter(
            page, self._window, self._services, self._theme, lambda: self.forgetting.hidden
        )
        page.left.connect(self._leave)
        page.wanted_changed.connect(lambda: self._load(keeps=False))
        page.model.more_requested.connect(lambda count: self._worker.start(self._load_more(count), "load memories"))
        page.retry_requested.connect(lambda: self._load(keeps=False))
        page.write_requested.connect(self._write)
        page.import_requested.connect(transfer.choose_file)
        page.export_requested.connect(transfer.export)
        page.receipt_requested.connect(self._show_last_receipt)
        page.show_has_receipt(self.receipts.last is not None)
        page.settings_requested.connect(self.settings_wanted)
        page.pause_requested.connect(self._pause)
        page.acted.connect(self._act)
        page.accepted.connect(lambda item_id: self._worker.start(self._accept([item_id]), "accept a memory"))
        page.refused.connect(lambda item_id: self.forgetting.forget([item_id]))

    def _leave(self) -> None:
        self.close()
        self.left.emit()

    def _changed(self) -> None:
        if self._page is not None:
            self._refresh.start()

    def _forgotten(self, receipt: Receipt) -> None:
        self.receipts.offer(receipt)
        if self._page is not None:
            self._page.show_has_receipt(True)

    def _show_last_receipt(self) -> None:
        if self.receipts.last is not None:
            self.receipts.show(self.receipts.last)

    def _hidden_changed(self) -> None:
        if (page := self._page) is not None:
            with page.list.place_kept():
                page.model.set_hidden(self.forgetting.hidden)
            self._show_waiting(page)
            self._show_what_is_there(page)

    def _show_paused(self) -> None:
        if self._page is not None:
            self._page.show_paused(self._services.settings.settings.memory.is_paused)

    # -- reading

    def _reload(self) -> None:
        self._load(keeps=True)

    def _load(self, *, keeps: bool) -> None:
        """Read what is wanted; ``keeps`` as many rows as are there already, and the choice among them."""
        if self._page is not None:
            self._number += 1
            self._worker.start(self._read(self._page, self._number, keeps=keeps), "load memories")

    async def _read(self, page: "MemoryPage", number: int, *, keeps: bool) -> None:
        from desktop.ui.memory.list_model import Found
        from desktop.ui.memory.nothing import PageState

        page.show_state(PageState.LOADING)
        wanted = max(PAGE, page.model.loaded_count) if keeps else PAGE
        try:
            items: list[MemoryItem] = []
            while len(items) < wanted:
                items += (some := await self._search(page, len(items)))
                if len(some) < PAGE:
                    break
            is_complete = len(items) < wanted
            waiting = await self._services.memory.search(statuses=(MemoryStatus.PENDING,), limit=MOST_WAITING + 1)
            replaced = await self._services.memory.get([item.supersedes_id for item in waiting if item.supersedes_id])
            places = await self._places([*items, *waiting])
        except ThreadwellError as error:
            if number == self._number:
                words = words_of_exception(error)
                page.show_state(PageState.FAILED, lambda: sentences(words.title, words.detail))
            return
        if number != self._number:
            return
        found = [Found(item) for item in items]
        asks = bool(page.text) and is_complete
        if asks and keeps:  # what was found by its meaning stays where it is
            found += await self._near(page, items)
            places |= await self._places([one.item for one in found])
            if number != self._number:
                return
        page.show_found(found, places, complete=is_complete, keeps=keeps)
        self._show_what_is_there(page)
        self._waiting = waiting
        self._replaced = {old.id: old.text for old in replaced.values() if old.status is MemoryStatus.ACTIVE}
        self._show_waiting(page)
        if asks and not keeps:
            await self._add_by_meaning(page, number, items)

    async def _search(self, page: "MemoryPage", offset: int) -> tuple[MemoryItem, ...]:
        return await self._services.memory.search(
            page.text, statuses=(page.status,), kinds=page.kinds, limit=PAGE, offset=offset
        )

    async def _add_by_meaning(self, page: "MemoryPage", number: int, items: Sequence[MemoryItem]) -> None:
        """Add what shares its meaning with what is searched for, below what shares its words."""
        found = await self._near(page, items)
        places = await self._places([one.item for one in found])
        if number == self._number:
            page.model.append(found, places, complete=True)
            self._show_what_is_there(page)
            page.tell_count(page.model.rowCount())

    async def _near(self, page: "MemoryPage", items: Sequence[MemoryItem]) -> "list[Found]":
        """Return what shares its meaning with what is searched for and is not among ``items``."""
        from desktop.ui.memory.list_model import Found

        known, kinds, status = {item.id for item in items}, page.kinds or tuple(MemoryKind), page.status
        recall = await self._services.memory.recall(page.text, RecallScope())
        near = [found.passage.id for found in recall.facts if found.meaning is not None]
        others = await self._services.memory.get([item_id for item_id in near if item_id not in known])
        return [Found(i, by_meaning=True) for i in others.values() if i.status is status and i.kind in kinds]

    async def _load_more(self, count: int) -> None:
        from desktop.ui.memory.list_model import Found

        page, number = self._page, self._number
        if page is None:
            return
        items = await self._search(page, count)
        places = await self._places(items)
        if number == self._number:
            page.model.append([Found(item) for item in items], places, complete=len(items) < PAGE)

    async def _places(self, items: Iterable[MemoryItem]) -> dict[str, "ChatPlace | None"]:
        """Return the chats that these come from, by their ids; None for one that is gone."""
        from desktop.ui.memory.list_model import ChatPlace

        places: dict[str, ChatPlace | None] = {}
        for thread_id in dict.fromkeys(item.source.thread_id for item in items if item.source is not None):
            thread = self._window.sidebar.model.get(thread_id)
            thread = thread or await self._services.conversations.get_thread(thread_id)
            places[thread_id] = None if thread is None else ChatPlace(thread.title, thread.deleted_at is None)
        return places

    # -- showing

    def _show_what_is_there(self, page: "MemoryPage") -> None:
        from desktop.ui.memory.nothing import PageState

        empty = {
            MemoryStatus.ACTIVE: PageState.EMPTY,
            MemoryStatus.SUPERSEDED: PageState.NOTHING_REPLACED,
            MemoryStatus.PENDING: PageState.NOTHING_WAITS,
        }
        if page.model.rowCount():
            page.show_state(PageState.LIST)
        else:
            page.show_state(PageState.NO_MATCH if page.text or page.kinds else empty[page.status])

    def _show_waiting(self, page: "MemoryPage") -> None:
        hidden = self.forgetting.hidden
        waiting = [item for item in self._waiting if item.id not in hidden]
        page.show_tray(waiting[:MOST_WAITING], self._replaced, is_more=len(waiting) > MOST_WAITING)

    # -- what the user asks for

    def _act(self, name: str, item_ids: list[str]) -> None:
        page = self._page
        if page is None or not item_ids:
            return
        items = [item for i in item_ids if (item := page.model.item_at(page.model.row_of(i))) is not None]
        match name:
            case "forget":
                self.forgetting.forget(item_ids)
            case "accept":
                self._worker.start(self._accept(item_ids), "accept memories")
            case "make_current":
                self._worker.start(self._make_current(item_ids), "make memories current")
            case "pin":
                pin = not all(item.is_pinned for item in items)
                self._change(lambda item: replace(item, is_pinned=pin), item_ids)
            case "keep_here":
                everywhere = all(item.only_thread_id is not None for item in items)
                self._change(
                    lambda item: replace(item, only_thread_id=None if everywhere else _own_chat(item)), item_ids
                )
            case "edit":
                self.edit(items[0])
            case _:
                if (source := items[0].source) is not None:
                    self.message_wanted.emit(source.thread_id, source.message_id)

    def _change(self, change: Callable[[MemoryItem], MemoryItem], item_ids: Sequence[str]) -> None:
        async def work() -> None:
            items = await self._services.memory.get(item_ids)
            await self._services.memory.update([change(item) for item in items.values()])

        self._worker.start(work(), "change memories")

    async def _accept(self, item_ids: Sequence[str]) -> None:
        await self._services.memory.accept(*(await self._services.memory.get(item_ids)).values())

    async def _make_current(self, item_ids: Sequence[str]) -> None:
        await self._services.memory.make_current(*(await self._services.memory.get(item_ids)).values())

    def _write(self) -> None:
        from desktop.ui.memory.edit_dialog import MemoryEditDialog

        thread_id = self._current_thread()
        dialog = MemoryEditDialog(self._window, in_a_chat=thread_id is not None)
        dialog.save_requested.connect(
            lambda text, kind, only_here: self._save(
                dialog, self._services.memory.write(text, kind, only_thread_id=thread_id if only_here else None)
            )
        )
        dialog.open()

    def edit(self, item: MemoryItem) -> None:
        """Open the dialog for other words of an item."""
        from desktop.ui.memory.edit_dialog import MemoryEditDialog

        dialog = MemoryEditDialog(self._window, item, in_a_chat=_own_chat(item) is not None)
        dialog.save_requested.connect(
            lambda text, kind, only_here: self._save(dialog, self._edited(item.id, text, kind, only_here))
        )
        dialog.open()

    async def _edited(self, item_id: str, text: str, kind: MemoryKind, only_here: bool) -> None:
        """Store what was entered in the item as it is by now; one that went meanwhile stays gone."""
        items = await self._services.memory.get([item_id])
        if (item := items.get(item_id)) is None:
            return
        changed = replace(item, kind=kind, only_thread_id=_own_chat(item) if only_here else None)
        if text != " ".join(item.text.split()):
            await self._services.memory.edit(changed, text)
        elif changed != item:
            await self._services.memory.update([changed])

    def _save(self, dialog: "MemoryEditDialog", work: Coroutine[Any, Any, object]) -> None:
        async def save() -> None:
            try:
                await work
            except ThreadwellError as error:
                if not shiboken6.isValid(dialog):
                    raise
                dialog.show_failure(error)
            else:
                if shiboken6.isValid(dialog):
                    dialog.accept()

        self._worker.start(save(), "save a memory").add_done_callback(lambda _: work.close())

    def _pause(self, pauses: bool) -> None:
        store = self._services.settings
        memory = store.settings.memory
        try:
            store.update(replace(store.settings, memory=memory.paused() if pauses else memory.resumed()))
        except OSError as error:
            self._services.report_error(StorageError.of_unwritten(error))


def _own_chat(item: MemoryItem) -> str | None:
    """Return the chat that an item belongs to: the one it is kept to, or else the one it comes from."""
    return item.only_thread_id or (item.source.thread_id if item.source is not None else None)
