"""Opens the record of decisions and calls, and reads it page by page."""

from PySide6.QtCore import QObject

from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.history_dialog import HistoryDialog

PAGE = 100
"""So many calls are read at once."""


class HistoryPresenter(QObject):
    """One at a time; ``grant_id`` narrows it down to what a permission let run."""

    def __init__(self, context: SettingsContext, *, grant_id: str | None = None, of_permission: str = "") -> None:
        super().__init__(context.window)
        self._context = context
        self._ledger = context.services.ledger
        self._grant_id = grant_id
        self._worker = Worker(context.services)
        self._loads = 0
        self._dialog = dialog = HistoryDialog(context.window, context.theme, of_permission=of_permission)
        dialog.search_changed.connect(self._reload)
        dialog.more_wanted.connect(lambda: self._worker.start(self._load(self._loads, more=True), "read the history"))
        dialog.thread_requested.connect(context.open_thread)
        dialog.finished.connect(self._end)
        self._worker.start(self._load_servers(), "servers of the history")
        self._reload()
        dialog.open()

    def _reload(self) -> None:
        self._loads += 1
        self._worker.start(self._load(self._loads), "read the history")

    async def _load_servers(self) -> None:
        servers = await self._ledger.servers()
        if self._loads:
            self._dialog.show_servers(servers)

    async def _load(self, number: int, *, more: bool = False) -> None:
        dialog = self._dialog
        entries = await self._ledger.search(
            dialog.text,
            limit=PAGE,
            before=dialog.last_number if more else None,
            server_id=dialog.server,
            verdict=dialog.verdict,
            grant_id=self._grant_id,
        )
        if number != self._loads:  # another search began meanwhile, or the dialog is closed
            return
        show = dialog.add_entries if more else dialog.show_entries
        show(entries, has_more=len(entries) == PAGE)

    def _end(self) -> None:
        self._loads = 0
        self._dialog.deleteLater()
        self.deleteLater()
