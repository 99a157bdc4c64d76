"""Asks again, branches a chat into a new one and leads back, shows the map, and gives a change back that was given up."""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.conversation.entities import Thread
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.main_window import MainWindow
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.state.branch_map import branch_map
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.branches.dialog import BranchMapDialog


class BranchesPresenter(QObject):
    """``place_wanted`` carries a chat and a message in it, or an empty id, that are to be shown."""

    place_wanted = Signal(str, str)

    def __init__(
        self,
        window: MainWindow,
        services: UiServices,
        theme: ThemeManager,
        composer: ComposerPresenter,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._services = services
        self._theme = theme
        self._composer = composer
        self._worker = Worker(services)
        self._thread: Thread | None = None
        self._dialog: BranchMapDialog | None = None
        actions = window.transcript.context.actions
        actions.edit_requested.connect(composer.edit)
        actions.again_requested.connect(self._again)
        actions.branch_requested.connect(lambda message_id: self._once(self._branch(message_id), "branch a chat"))
        actions.map_requested.connect(self.open_map)
        composer.change_left.connect(self._offer_change_back)
        window.header.origin_requested.connect(self._go_to_origin)
        window.map_requested.connect(self.open_map)
        services.conversations.thread_changed.connect(self._thread_changed)
        services.conversations.thread_removed.connect(self._thread_removed)

    @property
    def dialog(self) -> "BranchMapDialog | None":
        """The map, while it is open."""
        return self._dialog

    def show_thread(self, thread: Thread | None) -> None:
        """Another chat is open, or this one is as it is now; where it comes from may have changed since it was read."""
        self._show(thread)
        if thread is not None and thread.branched_from is not None:
            self._read_again()

    def _show(self, thread: Thread | None) -> None:
        self._thread = thread
        origin = thread.branched_from if thread is not None else None
        title = None if origin is None else origin.title
        self._window.header.set_origin(title, is_deleted=origin is not None and origin.is_deleted)

    def open_map(self, message_id: str = "") -> None:
        """Show all ways through the open chat, at this message, or where it is read now."""
        if self._thread is not None and self._dialog is None:
            at = message_id or self._message_in_sight()
            self._once(self._open_map(self._thread.id, at), "read the map of a chat")

    def _once(self, work: Coroutine[Any, Any, object], name: str) -> None:
        self._worker.start_once(work, name)

    def _message_in_sight(self) -> str:
        position = self._window.transcript.reading_position()
        return position.message_id if position is not None and not position.is_at_end else ""

    async def _open_map(self, thread_id: str, message_id: str) -> None:
        from desktop.ui.branches.dialog import BranchMapDialog

        nodes = await self._services.repository.tree(thread_id)
        shown = await asyncio.to_thread(branch_map, nodes)
        if not nodes or self._thread is None or self._thread.id != thread_id:
            return
        self._dialog = dialog = BranchMapDialog(self._window, self._theme)
        dialog.finished.connect(self._map_closed)
        dialog.chosen.connect(lambda chosen: self.place_wanted.emit(thread_id, chosen))
        dialog.show_map(shown, message_id or self._thread.tip or "")
        dialog.open()

    def _map_closed(self) -> None:
        self._dialog = None

    # -- other answers, other chats

    def _again(self, message_id: str) -> None:
        self._once(self._services.chat.ask_again(message_id), "ask again")

    async def _branch(self, message_id: str) -> None:
        thread = self._thread
        if thread is None:
            return
        if thread.options.is_temporary:
            self._window.toast.tell(lambda: self.tr("A temporary chat cannot be branched. Keep it first."))
            return
        title = self.tr("%1 (branch)").replace("%1", thread.title)
        made = await self._services.conversations.branch(message_id, title=title)
        self._services.memory.indexing.wake()
        self.place_wanted.emit(made.id, "")
        self._window.composer.focus_text()
        self._window.toast.tell(lambda: self.tr("This is a chat of its own now; the other one stays as it was."))

    def _go_to_origin(self) -> None:
        origin = self._thread.branched_from if self._thread is not None else None
        if origin is not None and not origin.is_deleted:
            self.place_wanted.emit(origin.thread_id, origin.message_id)

    def _thread_changed(self, thread: Thread) -> None:
        if self._comes_from(thread.id):
            self._read_again()

    def _thread_removed(self, thread_id: str) -> None:
        if self._comes_from(thread_id):
            self._read_again()

    def _comes_from(self, thread_id: str) -> bool:
        origin = self._thread.branched_from if self._thread is not None else None
        return origin is not None and origin.thread_id == thread_id

    def _read_again(self) -> None:
        """The chat that this one comes from has another name, is in the Trash, or is gone."""
        if self._thread is not None:
            self._worker.start(self._show_origin(self._thread.id), "look where a chat comes from")

    async def _show_origin(self, thread_id: str) -> None:
        thread = await self._services.repository.get_thread(thread_id)
        if self._thread is not None and self._thread.id == thread_id:
            self._show(thread)

    # -- a change that was given up

    def _offer_change_back(self, message_id: str, text: str) -> None:
        self._window.toast.present(
            lambda: self.tr("The change was given up; the message is as it was"),
            lambda: self.tr("Undo"),
            lambda: self._composer.edit(message_id, text),
            shortcut=keys_of("undo"),
        )
