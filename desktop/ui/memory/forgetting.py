"""Forgetting that can be taken back for some seconds: what is to go is out of sight at once, and goes when nobody minds."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop.core.errors import ThreadwellError
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.toast import Toast


class Forgetting(QObject):
    """One for the whole window: every place that shows items leaves those in ``hidden`` out, or shows them as gone.

    Nothing is removed before the offer of Undo is over: a crash until then forgets nothing, and ``finish``, at the end
    of the program, completes it.

    Signals:
        hidden_changed: items went out of sight, or came back.
        forgotten: items are gone for good; carries the ``Receipt``.
    """

    hidden_changed = Signal()
    forgotten = Signal(object)

    def __init__(self, toast: Toast, services: UiServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._toast = toast
        self._services = services
        self._worker = Worker(services)
        self._offered: tuple[str, ...] = ()
        self._going: set[str] = set()
        """Those that are gone stay in it: whoever shows them reads anew a little later."""
        self._is_ending = False

    @property
    def hidden(self) -> frozenset[str]:
        """Ids of items that are not to be shown: they are gone, or about to go unless the user takes it back."""
        return frozenset((*self._offered, *self._going))

    def forget(self, item_ids: Sequence[str]) -> None:
        """Take items out of sight and offer Undo; what was offered before is forgotten now."""
        wanted = tuple(dict.fromkeys(item_id for item_id in item_ids if item_id not in self.hidden))
        if not wanted:
            return
        self._toast.present(
            lambda: self.tr("%n memories forgotten", "", len(wanted)),
            lambda: self.tr("Undo"),
            lambda: self._take_back(wanted),
            shortcut=keys_of("undo"),
            over=lambda: self._begin(wanted),
        )
        self._offered = wanted
        self.hidden_changed.emit()

    async def finish(self) -> None:
        """Forget what is still offered, removed documents too, and return when it is gone; for the end of the window."""
        self._is_ending = True
        try:
            await self._services.documents.purge()
        except ThreadwellError as error:
            self._services.report_error(error)
        offered, self._offered = self._offered, ()
        if offered:
            self._toast.dismiss()
            await self._remove(offered)

    def _take_back(self, item_ids: tuple[str, ...]) -> None:
        if self._offered == item_ids:
            self._offered = ()
            self.hidden_changed.emit()

    def _begin(self, item_ids: tuple[str, ...]) -> None:
        if self._is_ending or self._offered != item_ids:
            return
        self._offered = ()
        self._going.update(item_ids)
        self._worker.start(self._remove(item_ids), "forget")

    async def _remove(self, item_ids: tuple[str, ...]) -> None:
        """Remove for good. Where that fails they are shown again, as far as they are still there."""
        self._going.update(item_ids)
        try:
            receipt = await self._services.memory.forget(item_ids)
        except ThreadwellError as error:
            self._going.difference_update(item_ids)
            self.hidden_changed.emit()
            self._services.report_error(error)
            return
        if not receipt.is_empty:
            self.forgotten.emit(receipt)
