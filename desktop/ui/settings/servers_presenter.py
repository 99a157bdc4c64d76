"""Connects the page Tool servers with the settings, which the running servers follow, and with their states."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject

from desktop.core.settings import Settings
from desktop.tools.entities import ServerEntry, ServerOrigin, ServerStatus
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.server_editor import ServerEditor
from desktop.ui.settings.server_view import ServerView, name_of
from desktop.ui.settings.servers_page import ServersPage
from desktop.ui.settings.writer import Edit
from desktop.ui.state.server_draft import switched

MOST_CONFIRMED = 500


class ServersPresenter(QObject):
    """Belongs to the page. Nothing is switched on whose exact line the user has not agreed to."""

    def __init__(self, page: ServersPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._services = services = context.services
        self._worker = Worker(services)
        self._entries: tuple[ServerEntry, ...] = services.servers.listed(services.settings.settings)
        self._editor = ServerEditor(context, self)
        self._editor.saved.connect(self._saved)
        self._editor.collected.connect(self._collected)
        page.shown.connect(self._show)
        page.add_requested.connect(self._editor.add)
        page.paste_requested.connect(self._editor.paste)
        page.switched.connect(self._switch)
        page.restart_requested.connect(self._restart)
        page.edit_requested.connect(self._edit)
        page.remove_requested.connect(self._remove)
        page.reset_requested.connect(lambda: self._worker.start(self._reset(), "reset servers"))
        context.writer.failed.connect(self._show)
        services.settings.changed.connect(self._settings_changed)
        services.gateway.status_changed.connect(self._server_changed)
        services.gateway.servers_changed.connect(self._show)
        self._show()

    # -- what there is

    def _settings_changed(self, settings: Settings) -> None:
        self._entries = self._services.servers.listed(settings)
        self._show()

    def _server_changed(self, _status: ServerStatus) -> None:
        self._show()

    def _show(self, _failure: object = None) -> None:
        gateway = self._services.gateway
        statuses = {status.server_id: status for status in gateway.statuses()}
        self._page.show_servers(
            [
                ServerView(entry=entry, status=statuses.get(entry.id), tools=gateway.tools_of(entry.id))
                for entry in self._entries
            ]
        )
        settings = self._services.settings.settings
        self._page.set_can_reset(bool(settings.mcp_servers or settings.bundled_servers_off))

    def _entry(self, name: str) -> ServerEntry | None:
        return next((entry for entry in self._entries if name_of(entry) == name), None)

    def _raw(self, name: str) -> tuple[str, Any]:
        """Return key and entry of a server of the settings; None where there is none any more."""
        entry = self._entry(name)
        if entry is None or entry.origin is not ServerOrigin.SETTINGS:
            return "", None
        return entry.key, self._services.settings.settings.mcp_servers.get(entry.key)

    # -- what the user asks for

    def _switch(self, name: str, on: bool) -> None:
        entry = self._entry(name)
        if entry is None:
            return
        if entry.origin is ServerOrigin.BUNDLED:
            self._context.writer.save(_with_bundled(entry.id, on))
        elif on:
            self._switch_on(name)
        else:
            self._context.writer.save(_with_entry(entry.key, lambda raw: switched(raw, False)))

    def _switch_on(self, name: str) -> None:
        """At once where nothing is asked, so that of two quick clicks the second one counts."""
        key, raw = self._raw(name)
        if not isinstance(raw, Mapping):
            self._show()  # the switch goes back
            return
        wanted = switched(raw, True)
        entry = self._services.servers.read(key, wanted)
        # What was agreed to is what is saved: the entry may have been edited elsewhere meanwhile.
        edit = _confirming(_with_entry(key, lambda _raw: wanted), entry)
        if self._editor.was_agreed_to(entry):
            self._context.writer.save(edit)
        else:
            self._worker.start(self._ask_and_switch_on(entry, edit), "switch server on")

    async def _ask_and_switch_on(self, entry: ServerEntry, edit: Edit) -> None:
        if await self._editor.is_agreed_to(entry):
            self._context.writer.save(edit)
        else:
            self._show()

    def _restart(self, name: str) -> None:
        entry = self._entry(name)
        if entry is not None:
            self._services.gateway.restart(entry.id)

    def _edit(self, name: str) -> None:
        key, raw = self._raw(name)
        if key:
            self._editor.edit(key, raw)

    def _remove(self, name: str) -> None:
        key, raw = self._raw(name)
        if not key:
            return
        place = list(self._services.settings.settings.mcp_servers).index(key)
        if self._context.writer.save(_without(key)):
            shown = reveal(key[:60], keep_newlines=False)
            self._context.offer_undo(
                lambda: self.tr("Server “%1” removed").replace("%1", shown), lambda: self._put_back(key, raw, place)
            )

    def _undoing(self, edit: Edit) -> Callable[[], None]:
        def undo() -> None:
            self._context.writer.save(edit)

        return undo

    def _put_back(self, key: str, raw: Any, place: int) -> None:
        if self._context.writer.save(_with_inserted(key, raw, place)):
            self._reveal(key)

    def _reveal(self, key: str) -> None:
        self._page.reveal_server(name_of(ServerEntry(key=key)))

    def _saved(self, old_key: str, key: str, raw: dict[str, Any], entry: ServerEntry) -> None:
        """The form's content was checked and, where it is to be started, agreed to."""
        edit = _with_renamed(old_key, key, raw) if old_key else _with_inserted(key, raw, None)
        if self._context.writer.save(_confirming(edit, entry) if entry.enabled else edit):
            self._editor.finish()
            self._reveal(key)

    def _collected(self, servers: dict[str, Any]) -> None:
        """Several servers were pasted: they are added switched off, so that each is looked at before it starts."""
        present = self._services.settings.settings.mcp_servers
        new: dict[str, Any] = {}
        for name, raw in servers.items():
            new[_free_name(name, {*present, *new})] = switched(raw, False) if isinstance(raw, Mapping) else raw
        if not self._context.writer.save(_with_more(new)):
            return
        self._editor.finish()
        self._reveal(next(iter(new)))
        self._context.offer_undo(
            lambda: self.tr("%n servers added, switched off", "", len(new)), self._undoing(_without(*new))
        )

    async def _reset(self) -> None:
        before = self._services.settings.settings
        count = len(before.mcp_servers)
        if count and not await confirm(
            self._context.window,
            title=self.tr("Remove all %n servers that you added?", "", count),
            text=self.tr("The built-in server is switched on again."),
            confirm_label=self.tr("Remove all"),
        ):
            return
        if self._context.writer.save(lambda s: dataclasses.replace(s, mcp_servers={}, bundled_servers_off=())):
            self._context.offer_undo(
                lambda: self.tr("%n servers removed", "", count), self._undoing(_as_before(before))
            )


def _free_name(name: str, taken: set[str]) -> str:
    folded = {other.casefold() for other in taken}
    candidate, number = name, 2
    while candidate.casefold() in folded:
        candidate, number = f"{name} {number}", number + 1
    return candidate


def _with_servers(settings: Settings, servers: Mapping[str, Any]) -> Settings:
    return dataclasses.replace(settings, mcp_servers=dict(servers))


def _with_entry(key: str, change: Any) -> Edit:
    def edit(settings: Settings) -> Settings:
        servers = settings.mcp_servers
        if not isinstance(servers.get(key), Mapping):
            return settings
        return _with_servers(settings, {**servers, key: change(servers[key])})

    return edit


def _without(*keys: str) -> Edit:
    return lambda settings: _with_servers(
        settings, {key: raw for key, raw in settings.mcp_servers.items() if key not in keys}
    )


def _with_inserted(key: str, raw: Any, place: int | None) -> Edit:
    def edit(settings: Settings) -> Settings:
        items = list(settings.mcp_servers.items())
        if key in settings.mcp_servers:
            return settings  # another one took the name meanwhile
        items.insert(len(items) if place is None else place, (key, raw))
        return _with_servers(settings, dict(items))

    return edit


def _with_more(servers: Mapping[str, Any]) -> Edit:
    return lambda settings: _with_servers(settings, {**settings.mcp_servers, **servers})


def _with_renamed(old_key: str, key: str, raw: Any) -> Edit:
    return lambda settings: _with_servers(
        settings,
        {
            key if name == old_key else name: raw if name == old_key else value
            for name, value in settings.mcp_servers.items()
        },
    )


def _as_before(before: Settings) -> Edit:
    def edit(settings: Settings) -> Settings:
        servers = {**before.mcp_servers, **settings.mcp_servers}
        return dataclasses.replace(settings, mcp_servers=servers, bundled_servers_off=before.bundled_servers_off)

    return edit


def _with_bundled(server_id: str, on: bool) -> Edit:
    def edit(settings: Settings) -> Settings:
        off = [other for other in settings.bundled_servers_off if other != server_id]
        return dataclasses.replace(settings, bundled_servers_off=tuple(off if on else [*off, server_id]))

    return edit


def _confirming(inner: Edit, entry: ServerEntry) -> Edit:
    """The same change, which also remembers that the user agreed to this line."""

    def edit(settings: Settings) -> Settings:
        changed = inner(settings)
        known = [mark for mark in changed.confirmed_servers if mark != entry.fingerprint]
        marks = [*known, entry.fingerprint] if entry.fingerprint else known
        return dataclasses.replace(changed, confirmed_servers=tuple(marks[-MOST_CONFIRMED:]))

    return edit
