"""Secrets in the system's keychain through ``keyring``, and in memory for as long as this process lives."""

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from configparser import RawConfigParser
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.errors import SettingsError
from desktop.core.imports import import_quietly
from desktop.core.secrets import KeychainState, KeychainStatus
from desktop.core.settings import KeyPlace
from desktop.core.signal import Signal
from desktop.storage import keychain_pieces
from desktop.storage.keychain_thread import KeychainCall, KeychainThread

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

logger = logging.getLogger(__name__)

LIMIT_SECONDS = 3.0
"""How long a caller waits for the keychain, which may be waiting for a person."""
LAST_WRITES_SECONDS = 1.0
"""How long the end of the program waits for what is still on its way into the keychain."""
DETAIL_CHARS = 200

_BACKENDS = {
    "darwin": ("keyring.backends.macOS.Keyring",),
    "win32": ("keyring.backends.Windows.WinVaultKeyring",),
}
_OTHER_BACKENDS = (
    "keyring.backends.SecretService.Keyring",
    "keyring.backends.kwallet.DBusKeyring",
    "keyring.backends.libsecret.Keyring",
)
"""The only ones that count. keyring knows others, which forget silently or write files that anybody can read."""
_NAMES = {
    "macOS": "macOS Keychain",
    "Windows": "Windows Credential Manager",
    "SecretService": "Secret Service",
    "kwallet": "KWallet",
    "libsecret": "Secret Service",
}


class KeyringSecrets:
    """Implements ``SecretStore``. Nothing asks the keychain before a method here is called that has to.

    ``service`` is the name under which the keychain shows the entries; ``on_secret`` hears every secret that this
    process comes to know, so that logs can be kept free of it.
    """

    def __init__(
        self,
        *,
        service: str,
        on_secret: Callable[[str], None] = lambda _: None,
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        self.status_changed = Signal[KeychainStatus]()
        self.place_changed = Signal[tuple[str, KeyPlace]]()
        self._keychain = _Keychain(service)
        self._thread = KeychainThread()
        self._on_secret = on_secret
        self._limit_seconds = limit_seconds
        self._status = KeychainStatus(state=KeychainState.UNKNOWN)
        self._memory: dict[str, str] = {}
        self._forgotten: set[str] = set()
        """Deleted here, whatever the keychain says."""
        self._deleted: set[str] = set()
        """Of these the keychain is known to be free."""
        self._reads: dict[str, KeychainCall[_Outcome]] = {}
        self._writes: dict[str, KeychainCall[_Outcome]] = {}
        """The last one for each name: one that waits for its turn is dropped when a newer one comes."""
        self._check: KeychainCall[_Outcome] | None = None
        self._is_closed = False

    @property
    def status(self) -> KeychainStatus:
        return self._status

    async def probe(self) -> KeychainStatus:
        """See ``SecretStore.probe``."""
        if self._check is None:
            self._check = self._submit(self._keychain.check)
            self._check.when_ended(self._check_ended)
        if await self._result_of(self._check) is None and self._check is not None and self._check.drop():
            self._check = None
        return self._status

    async def get(self, name: str, *, ask_keychain: bool = True) -> str | None:
        """See ``SecretStore.get``. What the keychain gives too late is there for the next call."""
        if name not in self._memory and name not in self._forgotten and ask_keychain and not self._is_closed:
            call = self._reads.get(name)
            if call is None:  # else it waits for a person already, who is not asked twice
                call = self._reads[name] = self._submit(lambda: self._keychain.read(name))
                call.when_ended(lambda outcome: self._read_ended(name, outcome))
            if await self._result_of(call) is None and call.drop():
                self._reads.pop(name, None)
        return self._memory.get(name)

    async def set(self, name: str, secret: str) -> KeyPlace:
        """See ``SecretStore.set``. An empty secret is a mistake of the caller: ``ValueError``."""
        if not secret:
            raise ValueError("an empty secret cannot be kept")
        self._on_secret(secret)
        self._memory[name] = secret
        self._forgotten.discard(name)
        self._deleted.discard(name)
        outcome = await self._result_of(self._write(name, lambda: self._keychain.write(name, secret)))
        return KeyPlace.KEYCHAIN if outcome is not None and outcome.is_success else KeyPlace.SESSION

    async def delete(self, name: str, *, was_in_keychain: bool = False) -> None:
        """See ``SecretStore.delete``."""
        self._memory.pop(name, None)
        self._forgotten.add(name)
        if name in self._deleted:
            return
        call = self._write(name, lambda: self._keychain.remove(name))
        outcome = await self._result_of(call)
        if outcome is None and not call.is_late:
            return  # a newer secret took its place
        free = {KeychainState.AVAILABLE}
        if not was_in_keychain:
            free.add(KeychainState.MISSING)  # where there never was one, nothing can be in it
        if outcome is None or outcome.status.state not in free:
            detail = self._status.detail if outcome is None else outcome.status.detail
            raise SettingsError("settings.key_not_deleted", entry=self._keychain.service, detail=detail)

    async def close(self) -> None:
        """See ``SecretStore.close``. What is on its way into the keychain gets a moment to arrive."""
        self._is_closed = True
        deadline = asyncio.get_running_loop().time() + LAST_WRITES_SECONDS
        for call in list(self._writes.values()):
            await call.result(max(0.0, deadline - asyncio.get_running_loop().time()))
        for call in (*self._reads.values(), *self._writes.values(), *([self._check] if self._check else [])):
            call.drop()
        self._thread.close()
        self._memory.clear()

    def _submit(self, work: "Callable[[], _Outcome]") -> "KeychainCall[_Outcome]":
        call = self._thread.submit(work)
        call.when_ended(lambda outcome: self._set_status(outcome.status))
        return call

    def _write(self, name: str, work: "Callable[[], _Outcome]") -> "KeychainCall[_Outcome]":
        if (earlier := self._writes.get(name)) is not None:
            earlier.drop()
        call = self._writes[name] = self._submit(work)
        call.when_ended(lambda outcome: self._write_ended(name, call, outcome))
        return call

    async def _result_of(self, call: "KeychainCall[_Outcome]") -> "_Outcome | None":
        outcome = await call.result(self._limit_seconds)
        if outcome is None and call.is_late and not self._is_closed:
            waiting = f"no answer within {self._limit_seconds:g} seconds"
            self._set_status(replace(self._status, state=KeychainState.FAILED, detail=waiting))
        return outcome

    def _set_status(self, status: KeychainStatus) -> None:
        if status == self._status:
            return
        logger.info("the keychain is %s (%s) %s", status.state, status.backend, status.detail)
        self._status = status
        self.status_changed.emit(status)

    def _check_ended(self, _outcome: "_Outcome") -> None:
        self._check = None

    def _read_ended(self, name: str, outcome: "_Outcome") -> None:
        self._reads.pop(name, None)
        if outcome.secret and name not in self._memory and name not in self._forgotten and not self._is_closed:
            self._on_secret(outcome.secret)
            self._memory[name] = outcome.secret

    def _write_ended(self, name: str, call: "KeychainCall[_Outcome]", outcome: "_Outcome") -> None:
        if self._writes.get(name) is not call:
            return  # a newer one follows, and counts
        del self._writes[name]
        if not outcome.is_success:
            return
        if name in self._forgotten:
            self._deleted.add(name)
        elif call.is_late:
            self.place_changed.emit((name, KeyPlace.KEYCHAIN))


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    status: KeychainStatus
    secret: str | None = field(default=None, repr=False)

    @property
    def is_success(self) -> bool:
        return self.status.state is KeychainState.AVAILABLE


class _Keychain:
    """The keychain as its thread sees it. Nothing is raised: whatever fails becomes a status."""

    def __init__(self, service: str) -> None:
        self.service = service
        self._backend: KeyringBackend | None = None

    def read(self, name: str) -> _Outcome:
        return self._attempt(lambda backend: keychain_pieces.read(backend, self.service, name))

    def write(self, name: str, secret: str) -> _Outcome:
        return self._attempt(lambda backend: keychain_pieces.write(backend, self.service, name, secret), secret)

    def remove(self, name: str) -> _Outcome:
        return self._attempt(lambda backend: _remove_whole(backend, self.service, name))

    def check(self) -> _Outcome:
        value = secrets.token_hex(8)
        return self._attempt(lambda backend: _check(backend, self.service, f"check-{value}", value), value)

    def _attempt(self, act: "Callable[[KeyringBackend], str | None]", secret: str = "") -> _Outcome:
        name = ""
        try:
            backend = self._backend or _find_backend()
            name = _name_for_people(backend)
            value = act(backend)
        except Exception as error:  # noqa: BLE001 -- each system has errors of its own; the status carries them on
            self._backend = None  # the next call looks again: it may be there by then
            status = KeychainStatus(state=_state_of(error), backend=name, detail=_words(error, secret))
            return _Outcome(status=status)
        self._backend = backend
        return _Outcome(status=KeychainStatus(state=KeychainState.AVAILABLE, backend=name), secret=value)


class _NoKeychainError(Exception):
    """There is none that counts."""


class _LostSecretError(Exception):
    """The keychain did not give back what it had taken."""


def _find_backend() -> "KeyringBackend":
    """Return the keychain of this system. Raises ``_NoKeychainError``."""
    import_quietly("keyring")
    accepted = _BACKENDS.get(sys.platform, _OTHER_BACKENDS)
    chosen = _chosen_backend()
    if chosen and chosen not in accepted:
        raise _NoKeychainError(f"{chosen} is set for Python's keyring, which is no keychain of this system")
    reasons: list[str] = []
    for path in (chosen,) if chosen else accepted:
        module, _, name = path.rpartition(".")
        try:
            kind: type[KeyringBackend] = getattr(import_quietly(module), name)
            _ = kind.priority  # raises where the backend cannot be used
            return kind()
        except Exception as error:  # noqa: BLE001 -- whatever it is: this backend cannot be used
            reasons.append(_words(error))
    raise _NoKeychainError(reasons[0])


def _chosen_backend() -> str:
    """The backend that the user chose for all programs with ``keyring``, which may be one that keeps nothing."""
    from keyring.util import platform_

    if chosen := os.environ.get("PYTHON_KEYRING_BACKEND", ""):
        return chosen
    config = RawConfigParser()
    config.read(Path(platform_.config_root()) / "keyringrc.cfg", encoding="utf-8")
    return config.get("backend", "default-keyring", fallback="").strip()


def _name_for_people(backend: "KeyringBackend") -> str:
    return _NAMES[type(backend).__module__.rpartition(".")[2]]


def _remove_whole(backend: "KeyringBackend", service: str, name: str) -> None:
    _remove(backend, service, name)
    keychain_pieces.remove_pieces(backend, service, name)


def _remove(backend: "KeyringBackend", service: str, name: str) -> None:
    from keyring.errors import PasswordDeleteError

    try:
        backend.delete_password(service, name)
    except PasswordDeleteError:  # raised for one that is not there, and for one that stays
        if backend.get_password(service, name) is not None:
            raise


def _check(backend: "KeyringBackend", service: str, name: str, value: str) -> None:
    backend.set_password(service, name, value)
    found = backend.get_password(service, name)
    _remove(backend, service, name)
    if found != value:
        raise _LostSecretError("a test entry was not given back")


def _state_of(error: BaseException) -> KeychainState:
    from keyring.errors import KeyringLocked, PasswordSetError

    chain = list(_chain(error))
    names = {type(link).__name__ for link in chain}
    if isinstance(error, _NoKeychainError):
        return KeychainState.MISSING
    if any(_is_refusal(link) for link in chain):
        return KeychainState.REFUSED
    prompt_dismissed = "PromptDismissedException" in names
    if isinstance(error, KeyringLocked) or "LockedException" in names or ("InitError" in names and prompt_dismissed):
        return KeychainState.LOCKED
    if prompt_dismissed or isinstance(error, PasswordSetError):
        return KeychainState.REFUSED
    return KeychainState.FAILED


def _is_refusal(error: BaseException) -> bool:
    """D-Bus, macOS and Windows, each in its own words."""
    return (
        "AccessDenied" in str(getattr(error, "name", ""))
        or type(error).__name__ == "SecAuthFailure"
        or getattr(error, "winerror", None) == 5
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__


def _words(error: BaseException, secret: str = "") -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    if secret:
        text = text.replace(secret, "[hidden]")
    return text if len(text) <= DETAIL_CHARS else text[: DETAIL_CHARS - 1] + "…"
