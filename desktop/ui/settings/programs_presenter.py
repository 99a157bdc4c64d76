"""Brings the part Programs to life: looks when the page is shown, and fetches Node when the user says so."""

from PySide6.QtCore import QObject

from desktop.tools.programs import FetchState, FetchStatus
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.servers_page import ServersPage


class ProgramsPresenter(QObject):
    """Belongs to the page. Servers that lacked a program are started again once it is there."""

    def __init__(self, page: ServersPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._part = page.programs
        self._programs = context.services.programs
        self._gateway = context.services.gateway
        self._worker = Worker(context.services)
        self._has_looked = False
        page.shown.connect(self._page_shown)
        self._part.look_requested.connect(lambda: self._look(again=True))
        self._part.fetch_requested.connect(self._programs.fetch_node)
        self._part.cancel_requested.connect(self._programs.cancel_fetch)
        self._part.remove_requested.connect(lambda: self._worker.start(self._programs.remove_node(), "remove Node"))
        self._programs.fetching.connect(self._fetching)
        self._part.show_fetch(self._programs.fetch_status)

    def _page_shown(self) -> None:
        if not self._has_looked:
            self._has_looked = True
            self._look(again=False)

    def _look(self, *, again: bool) -> None:
        if again:
            self._part.show_programs(None, None)
        self._worker.start(self._find(again), "look for programs")

    async def _find(self, again: bool) -> None:
        found = await self._programs.find(again=again)
        self._part.show_programs(found, self._programs.node_offer())

    def _fetching(self, status: FetchStatus) -> None:
        self._part.show_fetch(status)
        if status.state in (FetchState.DONE, FetchState.NONE):
            self._worker.start(self._find(False), "look for programs")
        if status.state is FetchState.DONE:
            for server in self._gateway.statuses():
                if any(remark.code == "runner_missing" for remark in server.remarks):
                    self._gateway.restart(server.server_id)
