"""The user's endpoints: which one answers, saved, chosen, removed with undo, and their keys put where keys belong."""

import asyncio
import dataclasses
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from desktop.core.endpoint_keys import key_name
from desktop.core.endpoint_list import (
    Answering,
    Removed,
    answering,
    find_endpoint,
    goes_elsewhere,
    with_choice,
    with_endpoint,
    with_removed,
    without_endpoint,
)
from desktop.core.endpoints import EndpointCheck
from desktop.core.errors import SettingsError, StorageError, ThreadwellError
from desktop.core.ids import new_id
from desktop.core.secrets import KeychainState, SecretStore
from desktop.core.settings import EndpointSettings, KeyPlace, Settings, SettingsStore
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor

logger = logging.getLogger(__name__)


class EndpointBook:
    """Changes the settings at once; what the keychain has to do happens beside that, and nobody waits for it.

    Whatever cannot be written raises ``StorageError``; then nothing changed.

    Signals:
        chosen: the endpoint that answers from now on, when the user chose one.
        checked: the id of an endpoint that has a new result in ``check_of``.
        failed: something that was done beside did not work, for the user to hear.
        key_kept: the id of an endpoint that has a new key.
        held_back: the endpoint whose new key did not get into the keychain, which should have taken it. It may be there
            later: then the settings' ``key_place`` changes.
    """

    def __init__(
        self,
        settings: SettingsStore,
        secrets: SecretStore,
        tasks: TaskSupervisor,
        *,
        given: EndpointSettings | None = None,
    ) -> None:
        """``given`` is the endpoint of the command line, which answers until the user chooses another one."""
        self._store = settings
        self._secrets = secrets
        self._tasks = tasks
        self._given = given
        self._uses_given = given is not None
        self._removed: dict[str, Removed] = {}
        self._checks: dict[str, EndpointCheck] = {}
        self.chosen = Signal[EndpointSettings]()
        self.checked = Signal[str]()
        self.failed = Signal[ThreadwellError]()
        self.key_kept = Signal[str]()
        self.held_back = Signal[EndpointSettings]()
        secrets.place_changed.connect(self._place_changed)

    @property
    def endpoint(self) -> EndpointSettings:
        """The endpoint that answers the next message."""
        if self._uses_given and self._given is not None:
            return self._given
        return self._store.settings.endpoint

    def answering(self, *, endpoint_id: str | None, model: str | None) -> Answering:
        """Return who answers the next message of a thread that made this choice; see ``endpoint_list.answering``."""
        return answering(self.settings, self.endpoint, endpoint_id=endpoint_id, model=model)

    @property
    def given_endpoint(self) -> EndpointSettings | None:
        """The endpoint of the command line, whether it answers or not."""
        return self._given

    @property
    def settings(self) -> Settings:
        return self._store.settings

    def find(self, endpoint_id: str) -> EndpointSettings | None:
        """Return the endpoint of the settings with this id."""
        return find_endpoint(self._store.settings, endpoint_id)

    def save(self, endpoint: EndpointSettings, key: str | None, *, active: bool) -> EndpointSettings:
        """Add the endpoint, or change the one with its id; ``active`` has it answer from now on. Returns it as saved.

        ``key`` is a new one, empty to forget the one that is kept, None to leave it. A key that was given to one server
        never goes to another: it is forgotten when the address leads elsewhere.
        """
        endpoint = endpoint if endpoint.id else dataclasses.replace(endpoint, id=new_id())
        before = self.find(endpoint.id)
        if key is None and before is not None and goes_elsewhere(before.base_url, endpoint.base_url):
            key = ""
        place = endpoint.key_place if before is None else before.key_place
        if key is not None:
            # Until the keychain has answered, the key lies in memory, from where it is in force already.
            place = KeyPlace.SESSION if key else KeyPlace.NONE
        endpoint = dataclasses.replace(endpoint, key_place=place)
        settings = with_endpoint(self.settings, endpoint, active=active)
        if key is not None:
            is_left = not key and before is not None and before.key_place is KeyPlace.KEYCHAIN
            settings = _with_forgetting(settings, [endpoint.id], is_left)
        self._update(settings)
        if key:
            self._begin(self._keep_key(endpoint.id, key, self._expects_keychain), "keep a key")
        elif key == "" and before is not None and before.key_place is not KeyPlace.NONE:
            self._begin(self._forget_key_or_tell(before), "forget a key")
        if before is not None and before.base_url != endpoint.base_url:
            self._checks.pop(endpoint.id, None)
        if active:
            self._choose(uses_given=False)
        return self.find(endpoint.id) or endpoint

    def keep_key_again(self, endpoint_id: str) -> None:
        """Try once more to put a key into the keychain that was held back."""
        self._begin(self._keep_key_again(endpoint_id), "keep a key")

    def choose(self, endpoint_id: str, model: str = "") -> None:
        """Have this endpoint answer, with ``model`` or its own; an empty id is the demo model."""
        self._update(with_choice(self.settings, endpoint_id, model))
        # Whoever is brought back does not answer in place of this one, be it the demo model.
        self._removed = {name: dataclasses.replace(entry, was_active=False) for name, entry in self._removed.items()}
        self._choose(uses_given=False)

    def choose_given(self) -> None:
        """Have the endpoint of the command line answer again, if there is one."""
        self._choose(uses_given=self._given is not None)

    def remove(self, endpoint_ids: Sequence[str]) -> None:
        """Take endpoints out of the settings. Their keys stay until ``forget_removed``, so that ``restore`` works."""
        settings, taken = self.settings, dict[str, Removed]()
        for endpoint_id in endpoint_ids:
            settings, removed = without_endpoint(settings, endpoint_id)
            if removed is not None:
                taken[endpoint_id] = removed
        left = [name for name, removed in taken.items() if removed.endpoint.key_place is KeyPlace.KEYCHAIN]
        self._update(_with_forgetting(settings, left, True))  # should this process end before they are forgotten
        self._removed.update(taken)
        if any(removed.was_active for removed in taken.values()):
            self._choose(uses_given=self._uses_given)

    def restore(self, endpoint_ids: Sequence[str]) -> None:
        """Bring removed endpoints back as they were."""
        settings = self.settings
        for endpoint_id in reversed(endpoint_ids):
            if (removed := self._removed.get(endpoint_id)) is not None:
                settings = with_removed(settings, removed)
        self._update(_with_forgetting(settings, endpoint_ids, False))
        for endpoint_id in endpoint_ids:
            self._removed.pop(endpoint_id, None)
        self._choose(uses_given=self._uses_given)

    def forget_removed(self, endpoint_ids: Sequence[str]) -> None:
        """Delete the keys of removed endpoints that nobody brings back any more."""
        for endpoint_id in endpoint_ids:
            removed = self._removed.pop(endpoint_id, None)
            if removed is not None and removed.endpoint.key_place is not KeyPlace.NONE:
                self._begin(self._forget_key_or_tell(removed.endpoint), "forget a key")

    def forget_left_over(self) -> None:
        """Delete the keys that an earlier process was ended before it could; nothing is asked where there are none."""
        for endpoint_id in self.settings.keys_to_forget:
            endpoint = EndpointSettings(id=endpoint_id, key_place=KeyPlace.KEYCHAIN)
            self._begin(self._forget_key_or_tell(endpoint), "forget a key")

    def check_of(self, endpoint_id: str) -> EndpointCheck | None:
        """The newest result of a test of this endpoint since the start."""
        return self._checks.get(endpoint_id)

    def note_check(self, endpoint_id: str, check: EndpointCheck) -> None:
        """Remember what a test found: the address that works, and the models where none were known."""
        self._checks[endpoint_id] = check
        self.checked.emit(endpoint_id)
        endpoint = self.find(endpoint_id)
        if endpoint is not None:
            if check.models and len(endpoint.models) <= 1:
                endpoint = dataclasses.replace(endpoint, models=check.models)
            if check.base_url and not goes_elsewhere(endpoint.base_url, check.base_url):
                endpoint = dataclasses.replace(endpoint, base_url=check.base_url)
            self._update(with_endpoint(self.settings, endpoint))

    async def close(self) -> None:
        """Delete the keys of all removed endpoints; for the end of the program, before the secrets are closed."""
        removed, self._removed = self._removed, {}
        with_key = [entry.endpoint for entry in removed.values() if entry.endpoint.key_place is not KeyPlace.NONE]
        await asyncio.gather(
            *map(self._forget_key_at_last, with_key)
        )  # a silent keychain is waited for once, not for each

    async def _forget_key(self, endpoint: EndpointSettings) -> None:
        was_in_keychain = endpoint.key_place is KeyPlace.KEYCHAIN
        await self._secrets.delete(key_name(endpoint.id), was_in_keychain=was_in_keychain)
        self._note_forgotten(endpoint.id)

    async def _forget_key_or_tell(self, endpoint: EndpointSettings) -> None:
        try:
            await self._forget_key(endpoint)
        except SettingsError:
            self._note_forgotten(endpoint.id)  # the user hears what to do: it is not tried at each start
            raise

    async def _forget_key_at_last(self, endpoint: EndpointSettings) -> None:
        try:
            await self._forget_key(endpoint)
        except SettingsError:
            logger.exception("a key of a removed endpoint was not deleted")

    def _note_forgotten(self, endpoint_id: str) -> None:
        if endpoint_id in self.settings.keys_to_forget:
            self._update(_with_forgetting(self.settings, [endpoint_id], False))

    @property
    def _expects_keychain(self) -> bool:
        """Nothing is known that keeps a key from going there."""
        return self._secrets.status.state in (KeychainState.AVAILABLE, KeychainState.UNKNOWN)

    async def _keep_key(self, endpoint_id: str, key: str, expects_keychain: bool) -> None:
        place = await self._secrets.set(key_name(endpoint_id), key)
        self._note_place(endpoint_id, place)
        self.key_kept.emit(endpoint_id)
        endpoint = self.find(endpoint_id)
        if expects_keychain and endpoint is not None and place is endpoint.key_place is KeyPlace.SESSION:
            self.held_back.emit(endpoint)

    async def _keep_key_again(self, endpoint_id: str) -> None:
        key = await self._secrets.get(key_name(endpoint_id), ask_keychain=False)
        endpoint = self.find(endpoint_id)
        if key and endpoint is not None and endpoint.key_place is KeyPlace.SESSION:
            await self._keep_key(endpoint_id, key, True)

    def _place_changed(self, change: tuple[str, KeyPlace]) -> None:
        name, place = change
        try:
            self._note_place(name.removeprefix(key_name("")), place)
        except StorageError as error:
            self.failed.emit(error)

    def _note_place(self, endpoint_id: str, place: KeyPlace) -> None:
        removed = self._removed.get(endpoint_id)
        endpoint = removed.endpoint if removed is not None else self.find(endpoint_id)
        if endpoint is None or endpoint.key_place in (place, KeyPlace.NONE):
            return
        endpoint = dataclasses.replace(endpoint, key_place=place)
        if removed is not None:  # as which it may be brought back
            self._removed[endpoint_id] = dataclasses.replace(removed, endpoint=endpoint)
            self._update(_with_forgetting(self.settings, [endpoint_id], place is KeyPlace.KEYCHAIN))
        else:
            self._update(with_endpoint(self.settings, endpoint))

    def _choose(self, *, uses_given: bool) -> None:
        self._uses_given = uses_given
        self.chosen.emit(self.endpoint)

    def _update(self, settings: Settings) -> None:
        try:
            self._store.update(settings)
        except OSError as error:
            raise StorageError.of_unwritten(error) from error

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._tasks.spawn(self._guarded(work), name=name)
        task.add_done_callback(lambda _: work.close())  # for a task that was cancelled before it began

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ThreadwellError as error:
            self.failed.emit(error)


def _with_forgetting(settings: Settings, endpoint_ids: Sequence[str], is_to_do: bool) -> Settings:
    """Return the settings in which the keys of these endpoints are to be forgotten, or not any more."""
    others = tuple(name for name in settings.keys_to_forget if name not in endpoint_ids)
    return dataclasses.replace(settings, keys_to_forget=(*others, *endpoint_ids) if is_to_do else others)
