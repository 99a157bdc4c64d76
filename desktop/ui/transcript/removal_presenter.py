"""Removes single messages and results from the open chat: out of sight at once, with Undo, and gone when that is over."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.conversation.removals import Removed
from desktop.core.errors import ThreadwellError
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.transcript.reading_position import ReadingPosition

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter


class RemovalPresenter(QObject):
    """One offer of Undo at a time: with the next removal, or another message of the window, the one before is over."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._services = services
        self._worker = Worker(services)
        self._offered: Removed | None = None
        self._is_ending = False
        self._goes = ("", "")
        view = presenter.window.transcript
        view.context.actions.removal_requested.connect(
            lambda message_id, call_id: self._worker.start(
                self.remove(Removed(message_id, call_id)), "remove a message"
            )
        )
        services.removing.changed.connect(self._changed)

    async def remove(self, removed: Removed) -> None:
        """Take it out of the chat and offer Undo."""
        self._goes = await self._what_follows(removed)
        await self._services.removing.remove(removed)
        self._presenter.window.toast.present(
            lambda: self.tr("Result removed") if removed.call_id else self.tr("Message deleted"),
            lambda: self.tr("Undo"),
            lambda: self._worker.start(self._take_back(removed), "take a removal back"),
            shortcut=keys_of("undo"),
            over=lambda: self._begin_erasing(removed),
        )
        self._offered = removed

    async def finish(self) -> None:
        """Erase what was removed, and return when it is gone; for the end of the window."""
        self._is_ending = True
        if self._offered is not None:
            self._offered = None
            self._presenter.window.toast.dismiss()
        try:
            await self._services.removing.erase()
        except ThreadwellError as error:
            self._services.report_error(error)

    async def _take_back(self, removed: Removed) -> None:
        if self._offered == removed:
            self._offered = None
        await self._services.removing.take_back(removed)

    def _begin_erasing(self, removed: Removed) -> None:
        if self._offered == removed:
            self._offered = None
        if not self._is_ending:
            self._worker.start(self._erase(removed), "erase what was removed")

    async def _erase(self, removed: Removed) -> None:
        receipt = await self._services.removing.erase([removed])
        if not receipt.is_empty:
            self._presenter.memory.receipts.offer(receipt)

    def _changed(self, thread_id: str) -> None:
        presenter = self._presenter
        if thread_id != presenter.transcript.thread_id or not presenter.transcript.is_loaded:
            return
        if (comparison := presenter.answers.comparison) is None:
            self._worker.start(presenter.transcript.reload(self._place()), "show the chat")
        else:
            presenter.answers.compare(comparison.chosen_id)

    async def _what_follows(self, removed: Removed) -> tuple[str, str]:
        """The message that goes, and the one that stands in its place then; empty where none does."""
        outlines = await self._services.repository.outline(self._presenter.transcript.thread_id or "")
        ids = [outline.id for outline in outlines]
        if removed.call_id or removed.message_id not in ids:
            return "", ""
        return removed.message_id, next(iter(ids[ids.index(removed.message_id) + 1 :]), "")

    def _place(self) -> ReadingPosition | None:
        """Where the chat is read; None for its end."""
        position = self._presenter.window.transcript.reading_position()
        if position is None or position.is_at_end:
            return None
        gone, next_id = self._goes
        if position.message_id == gone:
            return ReadingPosition(next_id, 0, max(position.y, 0), is_at_end=False) if next_id else None
        return position
