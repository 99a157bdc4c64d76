"""Connects a form with the services: the list of models, the test, the keychain, and what is kept in the end."""

import asyncio
import dataclasses
import os
from collections.abc import Callable

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.core.endpoint_book import EndpointBook
from desktop.core.endpoint_keys import key_of_environment, stored_key_of
from desktop.core.endpoint_list import free_name, goes_elsewhere
from desktop.core.endpoints import EndpointCheck, ProviderPreset
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.secrets import KeychainState, KeychainStatus
from desktop.core.settings import EndpointSettings
from desktop.ui.controls import bring_into_view
from desktop.ui.endpoints.endpoint_form import EndpointForm
from desktop.ui.error_words import words_of_exception
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentence
from desktop.ui.services import UiServices
from desktop.ui.state.endpoint_advice import Advice

_ROOM_AROUND = 40
"""Pixels around a control that is to be corrected, so that the words about it are seen too."""


def preset_name(preset: ProviderPreset) -> str:
    """Return what the provider is called in the language shown."""
    is_chinese = QLocale().language() is QLocale.Language.Chinese
    return preset.chinese_name if is_chinese and preset.chinese_name else preset.name


def _lead_to(control: QWidget) -> None:
    """Let the user go on here, also where the form is longer than the window."""
    control.setFocus()
    bring_into_view(control, _ROOM_AROUND)


class FormPresenter(QObject):
    """Everything returns at once. ``close`` ends what still runs; the form may go away then.

    Signals:
        kept: the endpoint as it was saved.
    """

    kept = Signal(object)

    def __init__(self, form: EndpointForm, services: UiServices, open_link: Callable[[str], None]) -> None:
        super().__init__(form)
        self._form = form
        self._services = services
        self._worker = Worker(services)
        self._book: EndpointBook = services.endpoint_book
        self._test: asyncio.Task[None] | None = None
        self._listing: asyncio.Task[None] | None = None
        self._probing: asyncio.Task[None] | None = None
        self._passed: tuple[EndpointSettings, str | None] | None = None
        """What was tested and answered."""
        form.submitted.connect(self.submit)
        form.test_requested.connect(self.test)
        form.test_cancelled.connect(self._cancel_test)
        form.models_requested.connect(self._list_models)
        form.result.advice_taken.connect(self._take)
        form.result.anyway_requested.connect(self.keep)
        form.key_field.changed.connect(self._cancel_test)
        form.key_field.link_requested.connect(open_link)
        form.key_field.keychain_requested.connect(self._probe)
        services.secrets.status_changed.connect(self._show_keychain)
        self._show_keychain(services.secrets.status)

    def begin(self) -> None:
        """The form comes into sight: find out about the keychain."""
        if self._services.secrets.status.state is KeychainState.UNKNOWN:
            self._probe()

    def close(self) -> None:
        """End what runs and forget a key that was not kept."""
        for task in (self._test, self._listing, self._probing):
            if task is not None:
                task.cancel()
        self._test = self._listing = self._probing = None  # they may end when the form is gone
        self._services.secrets.status_changed.disconnect(self._show_keychain)
        self._form.key_field.clear()

    def submit(self) -> None:
        """Keep the endpoint: a new one as soon as it has answered, unless the user does not want to wait for that."""
        if (control := self._form.find_problem(needs_model=False)) is not None:
            _lead_to(control)
        elif self._form.is_new and self._entry() != self._passed:
            self._begin_test(starts=True)
        else:
            self.keep()

    def keep(self) -> None:
        """Keep the endpoint as it is, tested or not."""
        if (control := self._form.find_problem()) is not None:
            _lead_to(control)
            return
        self._cancel_test()
        endpoint = self._form.endpoint
        if not endpoint.id:
            endpoint = dataclasses.replace(endpoint, name=free_name(self._book.settings, endpoint.name))
        active = self._form.is_new or self._book.endpoint.id == endpoint.id
        try:
            saved = self._book.save(endpoint, self._form.key_field.change, active=active)
        except ThreadwellError as error:  # shown here: what stands behind a dialog would not be seen
            self._form.result.show_check(endpoint, EndpointCheck(error=error))
            return
        self._form.key_field.clear()
        self.kept.emit(saved)

    def test(self) -> None:
        """Try what is entered, as a chat would."""
        if (control := self._form.find_problem(needs_model=False)) is not None:
            _lead_to(control)
        else:
            self._begin_test(starts=False)

    def _begin_test(self, *, starts: bool) -> None:
        self._cancel_test()
        endpoint = self._form.endpoint
        self._form.set_testing(True)
        self._form.result.show_running(endpoint.model or endpoint.name, anyway=starts)
        self._test = self._worker.start(self._run_test(starts), "test an endpoint")

    async def _run_test(self, starts: bool) -> None:
        endpoint = self._form.endpoint
        try:
            check = await self._try(endpoint)
            if not endpoint.model and (tried := self._form.endpoint).model:  # the list told one
                endpoint, check = tried, await self._try(tried)
        except ModelError as error:
            check = EndpointCheck(error=error)
        finally:
            if self._test is asyncio.current_task():  # else another one runs by now
                self._form.set_testing(False)
        if check.error is None:
            self._passed = self._entry()
        self._form.show_result(check, anyway=starts)
        if self._book.find(endpoint.id) == endpoint:
            self._book.note_check(endpoint.id, check)
        if starts and check.error is None:
            self.keep()

    async def _try(self, endpoint: EndpointSettings) -> EndpointCheck:
        """Ask the endpoint, and take over what it told of its models and its address."""
        check = await self._services.endpoints.check(endpoint, await self._key(endpoint))
        if check.models:
            self._form.set_models(check.models)
        if check.base_url:
            self._form.mend_address(check.base_url)
        return check

    def _entry(self) -> tuple[EndpointSettings, str | None]:
        """What a test depends on."""
        endpoint = dataclasses.replace(self._form.endpoint, id="", name="", models=())
        return endpoint, self._form.key_field.change

    def _cancel_test(self) -> None:
        if self._test is not None and not self._test.done():
            self._test.cancel()
            self._test = None
            self._form.set_testing(False)
            self._form.result.clear()

    def _list_models(self, wanted: bool) -> None:
        if (control := self._form.find_problem(needs_model=False)) is not None:
            if wanted:
                _lead_to(control)
            return
        if self._listing is not None:
            self._listing.cancel()
        self._listing = self._worker.start(self._run_listing(self._form.endpoint), "list models")

    async def _run_listing(self, endpoint: EndpointSettings) -> None:
        self._form.set_asking(True)
        try:
            models = await self._services.endpoints.list_models(endpoint, await self._key(endpoint))
        except ThreadwellError as error:
            if error.code == "model.no_list":
                self._form.show_models_note(self.tr("There is no list of models here. Type the model's name."))
            else:
                self._form.show_models_note(sentence(words_of_exception(error).title))
        else:
            self._form.set_models(tuple(model.name for model in models))
        finally:
            if self._listing is asyncio.current_task():
                self._form.set_asking(False)

    async def _key(self, endpoint: EndpointSettings) -> str:
        """The key to try with: what was entered, else the kept one, but never at another server than its own.

        Raises ``ModelError`` when there should be one.
        """
        if endpoint.key_env:
            return key_of_environment(endpoint, os.environ)
        change = self._form.key_field.change
        before = self._book.find(endpoint.id)
        if change is not None or before is None or goes_elsewhere(before.base_url, endpoint.base_url):
            return change or ""
        return await stored_key_of(before, self._services.secrets)

    def _take(self, advice: Advice) -> None:
        match advice:
            case Advice.CHOOSE_MODEL:
                self._form.choose_model()
            case Advice.ENTER_KEY:
                _lead_to(self._form.key_field.edit)

    def _probe(self) -> None:
        self._probing = self._worker.start(self._run_probe(), "look for the keychain")

    async def _run_probe(self) -> None:
        self._show_keychain(await self._services.secrets.probe())

    def _show_keychain(self, status: KeychainStatus) -> None:
        self._form.key_field.set_keychain(status)
