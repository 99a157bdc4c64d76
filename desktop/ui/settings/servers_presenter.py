"""Connects the page Tool servers with the settings, which the running servers follow, and with their states."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject

from desktop.core.settings import Settings
from desktop.tools.entities import ServerEntry, ServerOrigin, ServerStatus
from desktop.tools.pinned import ServerListing
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.programs_presenter import ProgramsPresenter
from desktop.ui.settings.server_additions import ServerAdditions
from desktop.ui.settings.server_checks import ServerChecks
from desktop.ui.settings.server_editor import ServerEditor
from desktop.ui.settings.server_edits import (
    as_before,
    confirming,
    deciding,
    with_bundled,
    with_entry,
    with_inserted,
    with_renamed,
    without,
)
from desktop.ui.settings.server_view import ServerView, WaitsFor, name_of
from desktop.ui.settings.servers_page import ServersPage
from desktop.ui.settings.start_question import asks_about_place
from desktop.ui.settings.writer import Edit
from desktop.ui.state.server_draft import switched


class ServersPresenter(QObject):
    """Belongs to the page. Nothing is switched on whose exact line the user has not agreed to."""

    def __init__(self, page: ServersPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._services = services = context.services
        self._worker = Worker(services)
        self._entries: tuple[ServerEntry, ...] = services.servers.listed(services.settings.settings)
        self._titles: dict[str, str] = {}
        """Of the chats that matter here: those that servers are bound to, and the open one."""
        self._editor = ServerEditor(context, self)
        self._editor.saved.connect(self._saved)
        self._additions = ServerAdditions(context, self)
        self._additions.added.connect(self._reveal)
        self._additions.proposed.connect(self._editor.propose)
        self._additions.wanted.connect(self._start_new)
        self._editor.collected.connect(self._collected)
        self._programs = ProgramsPresenter(page, context)
        self._checks = ServerChecks(context, self)
        self._connect(page)
        context.writer.failed.connect(self._show)
        services.settings.changed.connect(self._settings_changed)
        services.gateway.status_changed.connect(self._server_changed)
        services.gateway.servers_changed.connect(self._show)
        services.pins.changed.connect(self._pins_changed)
        self._show()

    def _connect(self, page: ServersPage) -> None:
        page.shown.connect(self._page_shown)
        page.add_requested.connect(self._editor.add)
        page.paste_requested.connect(self._editor.paste)
        page.import_requested.connect(self._additions.look_elsewhere)
        page.catalogue_requested.connect(lambda: self._additions.show_catalogue(lambda: page.programs.missing))
        page.switched.connect(self._switch)
        page.restart_requested.connect(self._restart)
        page.help_requested.connect(self._help)
        page.decided.connect(self._decide)
        page.edit_requested.connect(self._edit)
        page.remove_requested.connect(self._remove)
        page.sign_out_requested.connect(self._sign_out)
        page.changes_of_wanted.connect(self._show_changes)
        page.changes_requested.connect(lambda name: self._look_at(name, self._checks.show_changes))
        page.diagnosis_requested.connect(lambda name: self._look_at(name, self._checks.show_diagnosis))
        page.reset_requested.connect(lambda: self._worker.start_once(self._reset(), "reset servers"))

    # -- what there is

    def _page_shown(self) -> None:
        self._show()
        self._worker.start(self._read_titles(), "read the titles of chats")

    def _settings_changed(self, settings: Settings) -> None:
        self._entries = self._services.servers.listed(settings)
        self._show()

    def _server_changed(self, _status: ServerStatus) -> None:
        self._show()

    def _pins_changed(self, _server_id: str) -> None:
        self._show()

    def _look_at(self, name: str, show: Callable[[ServerEntry], None]) -> None:
        if (entry := self._entry(name)) is not None:
            show(entry)

    def _show_changes(self, server_id: str) -> None:
        if (entry := next((each for each in self._entries if each.id == server_id), None)) is not None:
            self._checks.show_changes(entry)

    def _show(self, _failure: object = None) -> None:
        gateway = self._services.gateway
        statuses = {status.server_id: status for status in gateway.statuses()}
        open_chat = self._titles.get(self._context.current_thread() or "", "")
        noticed = self._checks.findings()
        self._page.show_servers(
            [
                ServerView(
                    entry=entry,
                    status=statuses.get(entry.id),
                    tools=gateway.tools_of(entry.id),
                    instructions=_instructions(gateway.listing_of(entry.id)),
                    held=self._services.pins.held(entry.id),
                    noticed=noticed.get(entry.id, {}),
                    chat_titles=tuple(self._titles.get(chat, "…") for chat in entry.chats),
                    open_chat=open_chat,
                )
                for entry in self._entries
            ]
        )
        settings = self._services.settings.settings
        self._page.set_can_reset(bool(settings.mcp_servers or settings.bundled_servers_off))

    async def _read_titles(self) -> None:
        wanted = {chat for entry in self._entries for chat in entry.chats} | {self._context.current_thread() or ""}
        for chat in wanted - {""}:
            thread = await self._services.conversations.get_thread(chat)
            self._titles[chat] = (thread.title if thread is not None else "") or "…"
        self._show()

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
            self._context.writer.save(with_bundled(entry.id, on))
        elif on:
            self._switch_on(name)
        else:
            self._context.writer.save(with_entry(entry.key, lambda raw: switched(raw, False)))

    def _switch_on(self, name: str) -> None:
        """At once where nothing is asked, so that of two quick clicks the second one counts."""
        key, raw = self._raw(name)
        if not isinstance(raw, Mapping):
            self._show()  # the switch goes back
            return
        wanted = switched(raw, True)
        entry = self._services.servers.read(key, wanted)
        # What was agreed to is what is saved: the entry may have been edited elsewhere meanwhile.
        edit = confirming(with_entry(key, lambda _raw: wanted), entry)
        if self._editor.was_agreed_to(entry):
            self._context.writer.save(edit)
        else:
            self._worker.start(self._ask_and_save(entry, edit), "switch server on")

    async def _ask_and_save(self, entry: ServerEntry, edit: Edit) -> None:
        if await self._editor.is_agreed_to(entry):
            self._context.writer.save(edit)
        else:
            self._show()

    def _start_new(self, key: str, raw: dict[str, Any]) -> None:
        """Add a proposed server, once its line was agreed to."""
        entry = self._services.servers.read(key, raw)
        edit = confirming(with_inserted(key, raw, None), entry)
        self._worker.start_once(self._ask_and_add(entry, edit), f"add the server {key}")

    async def _ask_and_add(self, entry: ServerEntry, edit: Edit) -> None:
        if await self._editor.is_agreed_to(entry) and self._context.writer.save(edit):
            self._reveal(entry.key)

    def _restart(self, name: str) -> None:
        entry = self._entry(name)
        if entry is not None:
            self._services.gateway.restart(entry.id)

    def _help(self, name: str) -> None:
        """Do what the server waits for."""
        entry, (key, raw) = self._entry(name), self._raw(name)
        view = self._page.view_of(name)
        if entry is None or view is None:
            return
        if view.waits_for is WaitsFor.SIGN_IN:
            self._services.sign_ins.sign_in(entry.id)
        elif view.waits_for is WaitsFor.BROWSER:
            self._services.sign_ins.cancel_sign_in(entry.id)
        elif view.waits_for is WaitsFor.CHANGES:
            self._checks.show_changes(entry)
        elif view.waits_for is WaitsFor.PLACE:
            self._worker.start_once(self._ask_about_place(view), f"agree to the place of the server {name}")
        elif view.waits_for is WaitsFor.LOOK:
            # What is in force may have come from a file of the command line: agreeing to the line is all there is.
            self._worker.start_once(
                self._ask_and_save(entry, confirming(lambda s: s, entry)), f"agree to the server {name}"
            )
        elif key:
            self._editor.enter_missing(key, raw)

    async def _ask_about_place(self, view: ServerView) -> None:
        if await asks_about_place(self._context.window, self._context.theme, view.entry, view.refused_place):
            self._services.gateway.accept_place(view.entry.id)

    def _sign_out(self, name: str) -> None:
        entry = self._entry(name)
        if entry is not None:
            self._services.sign_ins.sign_out(entry.id)

    def _decide(self, name: str, what: str, value: object) -> None:
        entry = self._entry(name)
        if entry is None or entry.origin is not ServerOrigin.SETTINGS:
            return
        if what == "chats":
            chat = self._context.current_thread()
            value = [chat] if value == "one" and chat is not None else None
        self._context.writer.save(deciding(entry, what, value))
        self._show()

    def _edit(self, name: str) -> None:
        key, raw = self._raw(name)
        if key:
            self._editor.edit(key, raw)

    def _remove(self, name: str) -> None:
        key, raw = self._raw(name)
        if not key:
            return
        place = list(self._services.settings.settings.mcp_servers).index(key)
        held = self._services.server_secrets.hold(raw, key)
        if self._context.writer.save(without(key)):
            shown = reveal(key[:60], keep_newlines=False)
            self._context.offer_undo(
                lambda: self.tr("Server “%1” removed").replace("%1", shown),
                lambda: self._put_back(key, raw, place),
                over=lambda: self._services.server_secrets.release(held),
            )

    def _undoing(self, edit: Edit) -> Callable[[], None]:
        def undo() -> None:
            self._context.writer.save(edit)

        return undo

    def _put_back(self, key: str, raw: Any, place: int) -> None:
        if self._context.writer.save(with_inserted(key, raw, place)):
            self._reveal(key)
        self._services.server_secrets.release(self._services.server_secrets.hold(raw, key))

    def _reveal(self, key: str) -> None:
        self._page.reveal_server(name_of(ServerEntry(key=key)))

    def _saved(
        self, old_key: str, key: str, raw: dict[str, Any], entry: ServerEntry, secrets: Mapping[str, str]
    ) -> None:
        """The form's content was checked and, where it is to be started, agreed to."""
        try:
            self._services.server_secrets.keep(secrets)
        except OSError as error:
            self._services.report_error(error)
            return
        edit = with_renamed(old_key, key, raw) if old_key else with_inserted(key, raw, None)
        if self._context.writer.save(confirming(edit, entry) if entry.enabled else edit):
            self._editor.finish()
            self._services.server_secrets.forget_unused()
            self._reveal(key)

    def _collected(self, servers: dict[str, Any]) -> None:
        """Several servers were pasted."""
        if self._additions.add_switched_off(servers):
            self._editor.finish()

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
        secrets = self._services.server_secrets
        held = [name for key, raw in before.mcp_servers.items() for name in secrets.hold(raw, key)]
        if self._context.writer.save(lambda s: dataclasses.replace(s, mcp_servers={}, bundled_servers_off=())):
            self._context.offer_undo(
                lambda: self.tr("%n servers removed", "", count),
                self._undoing(as_before(before)),
                over=lambda: self._services.server_secrets.release(held),
            )


def _instructions(listing: ServerListing | None) -> str:
    return "" if listing is None or listing.bundled else listing.instructions
