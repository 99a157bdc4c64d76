"""Connects the page Permissions with the stored grants, and says of each whether it has any effect now."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer

from desktop.conversation.entities import Thread
from desktop.core.clock import utc_now
from desktop.core.workspaces import resolved
from desktop.tools.entities import SHELL_TOOL, Grant, ServerOrigin
from desktop.tools.grant_state import grant_state
from desktop.tools.visible_text import reveal
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.grant_view import GrantView
from desktop.ui.settings.history_presenter import HistoryPresenter
from desktop.ui.settings.permissions_page import PermissionsPage

RELOAD_MS = 150
"""A run that uses several permissions reloads the list once."""


class PermissionsPresenter(QObject):
    """Belongs to the page; reads when the page is seen, and again whenever something changes meanwhile."""

    def __init__(self, page: PermissionsPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._services = services = context.services
        self._worker = Worker(services)
        self._grants: Sequence[Grant] = ()
        self._threads: dict[str, Thread] = {}
        self._loads = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RELOAD_MS)
        self._timer.timeout.connect(self._reload)
        page.shown.connect(self._reload)
        page.shown.connect(self._look_at_sandbox)
        page.sandbox_trial_requested.connect(self._try_sandbox)
        page.history_requested.connect(lambda: HistoryPresenter(context))
        page.uses_requested.connect(self._show_uses)
        page.revoke_requested.connect(lambda grant_id: self._worker.start(self._revoke([grant_id]), "revoke"))
        page.revoke_all_requested.connect(lambda: self._worker.start(self._revoke(self._ids()), "revoke all"))
        page.thread_requested.connect(context.open_thread)
        services.grants.changed.connect(self._changed)
        services.conversations.thread_changed.connect(self._changed)
        services.conversations.thread_removed.connect(self._changed)
        services.gateway.status_changed.connect(self._changed)
        services.gateway.servers_changed.connect(self._changed)
        services.settings.changed.connect(self._changed)

    def _show_uses(self, grant_id: str) -> None:
        grant = next((grant for grant in self._grants if grant.id == grant_id), None)
        if grant is not None:
            what = f"{grant.tool_name}: {grant.summary}" if grant.summary else grant.tool_name
            HistoryPresenter(self._context, grant_id=grant_id, of_permission=reveal(what[:200], keep_newlines=False))

    def _ids(self) -> list[str]:
        return [grant.id for grant in self._grants]

    def _changed(self, _what: object = None) -> None:
        if self._page.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _try_sandbox(self) -> None:
        self._services.sandbox.forget()
        self._look_at_sandbox()

    def _look_at_sandbox(self) -> None:
        self._page.show_sandbox(None)
        self._worker.start(self._show_sandbox(), "look at the sandbox")

    async def _show_sandbox(self) -> None:
        self._page.show_sandbox(await self._services.sandbox.state(resolved(self._services.workspace())))

    def _reload(self) -> None:
        self._worker.start(self._load(), "load permissions")

    async def _load(self) -> None:
        self._loads += 1
        number = self._loads
        grants = await self._services.grants.list()
        threads: dict[str, Thread] = {}
        for thread_id in {grant.thread_id for grant in grants if grant.thread_id}:
            thread = await self._services.conversations.get_thread(thread_id)
            if thread is not None:
                threads[thread_id] = thread
        if number == self._loads:  # else a newer one is under way
            self._grants, self._threads = grants, threads
            self._show()

    def _show(self) -> None:
        newest_first = sorted(self._grants, key=lambda grant: grant.created_at, reverse=True)
        settings = self._services.settings.settings
        entries = {entry.id: entry for entry in self._services.servers.listed(settings) if entry.id}
        bundled = {entry.id for entry in entries.values() if entry.origin is ServerOrigin.BUNDLED}
        now, workspace = utc_now(), self._services.workspace()
        views: list[GrantView] = []
        for grant in newest_first:
            thread = self._threads.get(grant.thread_id or "")
            state = grant_state(
                grant,
                is_configured=grant.server_id in entries,
                tools=self._services.gateway.tools_of(grant.server_id),
                workspace=workspace,
                now=now,
            )
            views.append(
                GrantView(
                    grant=grant,
                    state=state,
                    is_command=grant.server_id in bundled and grant.tool_name == SHELL_TOOL,
                    thread_title=thread.title if thread is not None else "",
                    thread_in_trash=thread is not None and thread.deleted_at is not None,
                )
            )
        self._page.show_grants(views)

    async def _revoke(self, grant_ids: list[str]) -> None:
        known = {grant.id: grant for grant in await self._services.grants.list()}  # as they are in this moment
        revoked: list[Grant] = []
        try:
            for grant_id in grant_ids:
                if await self._services.grants.revoke(grant_id) and grant_id in known:
                    revoked.append(known[grant_id])
        finally:
            if revoked:
                self._context.offer_undo(
                    lambda: self.tr("%n permissions revoked", "", len(revoked)),
                    lambda: self._worker.start(self._give_back(revoked), "undo revoke"),
                )
            await self._load()

    async def _give_back(self, grants: list[Grant]) -> None:
        try:
            for grant in grants:
                await self._services.grants.add(grant)
        finally:
            await self._load()
            self._page.focus_grant(grants[0].id)
