"""Connects the chooser with the services: looks for servers at once, and saves what was chosen."""

import asyncio
import dataclasses
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop.core.endpoint_list import free_name
from desktop.core.endpoints import FoundServer, ProviderPreset
from desktop.core.errors import ThreadwellError
from desktop.core.settings import EndpointSettings
from desktop.ui.endpoints.chooser import EndpointChooser
from desktop.ui.endpoints.form_presenter import FormPresenter, preset_name
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices


class ChooserPresenter(QObject):
    """Lives as long as the chooser; ``close`` ends what still runs and forgets what was typed.

    Signals:
        kept: the endpoint that was chosen, saved and in use.
    """

    kept = Signal(object)

    def __init__(
        self, chooser: EndpointChooser, services: UiServices, open_link: Callable[[str], None], *, key: str = ""
    ) -> None:
        """``key`` is one that is there already: it is put into each form that is opened, and sent nowhere before."""
        super().__init__(chooser)
        self._key = key
        self._chooser = chooser
        self._services = services
        self._worker = Worker(services)
        self._book = services.endpoint_book
        self._looking: asyncio.Task[None] | None = None
        self._preset: ProviderPreset | None = None
        self._forms = [FormPresenter(form, services, open_link) for form in (chooser.preset_form, chooser.custom_form)]
        for form in self._forms:
            form.kept.connect(self.kept)
        chooser.found.look_requested.connect(self.look)
        chooser.found.use_requested.connect(self._use)
        chooser.found.key_requested.connect(self._ask_for_key)
        chooser.preset_chosen.connect(self._show_preset)
        chooser.custom_opened.connect(self._begin_custom)
        chooser.retranslated.connect(self._retranslate)

    def look(self) -> None:
        """Look for servers on this computer."""
        if self._looking is None or self._looking.done():
            self._chooser.found.set_looking()
            self._looking = self._worker.start(self._look(), "look for model servers")

    def close(self) -> None:
        self._key = ""
        for form in self._forms:
            form.close()
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        self._chooser.found.set_servers(await self._services.endpoints.find_local())

    def _use(self, server: FoundServer, model: str) -> None:
        endpoint = _endpoint_of(server)
        known = next((e for e in self._book.settings.endpoints if e.base_url == server.base_url), None)
        if known is not None:  # it was set up before: no second one for the same server
            endpoint = dataclasses.replace(known, models=server.models)
        else:
            endpoint = dataclasses.replace(endpoint, name=free_name(self._book.settings, endpoint.name))
        try:
            saved = self._book.save(dataclasses.replace(endpoint, model=model), None, active=True)
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        self.kept.emit(saved)

    def _ask_for_key(self, server: FoundServer) -> None:
        self._chooser.custom_form.set_endpoint(_endpoint_of(server))
        self._chooser.open_custom()
        self._chooser.custom_form.key_field.edit.setFocus()

    def _show_preset(self, preset: ProviderPreset | None) -> None:
        self._preset = preset
        self._chooser.preset_form.key_field.clear()
        if preset is not None:
            self._chooser.preset_form.set_preset(preset, preset_name(preset))
            self._chooser.preset_form.key_field.fill_in(self._key)
            self._forms[0].begin()

    def _begin_custom(self) -> None:
        self._chooser.custom_form.key_field.fill_in(self._key)
        self._forms[1].begin()

    def _retranslate(self) -> None:
        """Call a chosen provider by its name in the language shown now."""
        if self._preset is not None:
            self._chooser.preset_form.rename_preset(self._preset, preset_name(self._preset))


def _endpoint_of(server: FoundServer) -> EndpointSettings:
    model = server.models[0] if server.models else ""
    return EndpointSettings(name=server.kind, base_url=server.base_url, model=model, models=server.models)
