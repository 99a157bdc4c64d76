"""Brings the page Models to life: the list follows the settings, tests run beside, removals can be undone."""

import asyncio
import os

from PySide6.QtCore import QObject

from desktop.core.endpoint_keys import key_name, key_of
from desktop.core.endpoints import EndpointCheck
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.settings import EndpointSettings, KeyPlace, Settings
from desktop.ui.endpoints.endpoint_dialog import AddEndpointDialog, EditEndpointDialog
from desktop.ui.endpoints.parts import shown
from desktop.ui.links import LinkOpener
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.providers_page import ModelsPage
from desktop.ui.state.endpoint_names import endpoint_name
from desktop.ui.state.endpoint_rows import DEMO_ID, EndpointRowState, key_state


class ProvidersPresenter(QObject):
    """Belongs to the page."""

    def __init__(self, page: ModelsPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._services = context.services
        self._worker = Worker(context.services)
        self._book = context.services.endpoint_book
        self._known_keys: set[str] = set()
        self._tests: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._dialog: AddEndpointDialog | EditEndpointDialog | None = None
        self._links = LinkOpener(context.theme, context.window)
        page.shown.connect(self._look_for_keys)
        page.add_requested.connect(self._add)
        page.use_requested.connect(self._use)
        page.test_requested.connect(self._test)
        page.cancel_requested.connect(self._cancel)
        page.key_requested.connect(lambda endpoint_id: self._edit(endpoint_id, at_key=True))
        page.edit_requested.connect(self._edit)
        page.remove_requested.connect(lambda endpoint_id: self._remove([endpoint_id]))
        page.reset_requested.connect(self._reset)
        context.services.settings.changed.connect(self._settings_changed)
        self._book.chosen.connect(self._chosen)
        self._book.checked.connect(self._checked)
        self._book.key_kept.connect(self._key_kept)
        self._show()

    # -- what is shown

    def _show(self) -> None:
        in_use = self._book.endpoint
        demo = EndpointSettings()
        states = [self._state(endpoint, in_use) for endpoint in self._book.settings.endpoints]
        self._page.show_endpoints([*states, self._state(demo, in_use)])

    def _state(self, endpoint: EndpointSettings, in_use: EndpointSettings) -> EndpointRowState:
        is_active = in_use.id == endpoint.id if endpoint.id else in_use.is_demo
        return EndpointRowState(
            endpoint=endpoint,
            key=key_state(endpoint, is_known=endpoint.id in self._known_keys),
            is_active=is_active,
            is_testing=endpoint.id in self._tests,
            check=self._book.check_of(endpoint.id) if endpoint.id else None,
        )

    def _settings_changed(self, settings: Settings) -> None:
        self._look_for_keys()
        self._show()

    def _chosen(self, _endpoint: EndpointSettings) -> None:
        self._show()

    def _checked(self, _endpoint_id: str) -> None:
        self._show()

    def _key_kept(self, _endpoint_id: str) -> None:
        self._look_for_keys()

    def _look_for_keys(self) -> None:
        """Find out which keys of this session are there; the keychain is not asked."""
        if self._looking is None or self._looking.done():
            self._looking = self._worker.start(self._find_keys(), "look for keys")

    async def _find_keys(self) -> None:
        known: set[str] = set()
        for endpoint in self._book.settings.endpoints:
            if endpoint.key_place is KeyPlace.SESSION:
                name = key_name(endpoint.id)
                if await self._services.secrets.get(name, ask_keychain=False):
                    known.add(endpoint.id)
        if known != self._known_keys:
            self._known_keys = known
            self._show()

    # -- what the user does

    def _use(self, endpoint_id: str) -> None:
        try:
            self._book.choose(endpoint_id)
        except ThreadwellError as error:
            self._services.report_error(error)

    def _add(self) -> None:
        dialog = AddEndpointDialog(self._services, self._context.theme, self._context.window)
        dialog.open()

    def _edit(self, endpoint_id: str, *, at_key: bool = False) -> None:
        endpoint = self._book.find(endpoint_id)
        if endpoint is not None:
            is_missing = endpoint.key_place is KeyPlace.SESSION and endpoint_id not in self._known_keys
            dialog = EditEndpointDialog(
                self._services,
                self._context.theme,
                self._context.window,
                endpoint,
                key_missing=is_missing,
                at_key=at_key,
            )
            dialog.open()

    def _remove(self, endpoint_ids: list[str]) -> None:
        names = [endpoint_name(found) for found in map(self._book.find, endpoint_ids) if found is not None]
        for endpoint_id in endpoint_ids:
            self._cancel(endpoint_id)
        was_in_use = self._book.endpoint.id in endpoint_ids
        try:
            self._book.remove(endpoint_ids)
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        self._context.offer_undo(
            lambda: self._words_about_removed(names, demo_answers=was_in_use),
            lambda: self._restore(endpoint_ids),
            over=lambda: self._book.forget_removed(endpoint_ids),
        )

    def _words_about_removed(self, names: list[str], *, demo_answers: bool) -> str:
        name = shown(names[0])[:60] if names else ""
        if len(names) == 1 and demo_answers:
            return self.tr("“%1” removed. The demo model answers now.").replace("%1", name)
        if demo_answers:
            return self.tr("%n models removed. The demo model answers now.", "", len(names))
        if len(names) == 1:
            return self.tr("“%1” removed").replace("%1", name)
        return self.tr("%n models removed", "", len(names))

    def _restore(self, endpoint_ids: list[str]) -> None:
        try:
            self._book.restore(endpoint_ids)
        except ThreadwellError as error:
            self._services.report_error(error)

    def _reset(self) -> None:
        self._remove([endpoint.id for endpoint in self._book.settings.endpoints])

    # -- tests

    def _test(self, endpoint_id: str) -> None:
        endpoint = self._book.find(endpoint_id)
        if endpoint is None or endpoint_id in self._tests or endpoint_id == DEMO_ID:
            return
        self._tests[endpoint_id] = self._worker.start(self._run_test(endpoint), "test an endpoint")
        self._show()

    async def _run_test(self, endpoint: EndpointSettings) -> None:
        try:
            key = await key_of(endpoint, environ=os.environ, secrets=self._services.secrets)
            check = await self._services.endpoints.check(endpoint, key)
        except ModelError as error:
            check = EndpointCheck(error=error)
        finally:
            if self._tests.get(endpoint.id) is asyncio.current_task():  # else it was cancelled, and another may run
                del self._tests[endpoint.id]
        self._book.note_check(endpoint.id, check)

    def _cancel(self, endpoint_id: str) -> None:
        if (task := self._tests.pop(endpoint_id, None)) is not None:
            task.cancel()
            self._show()
