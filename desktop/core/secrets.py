"""The port to a place for secrets: the system's keychain, or this process's memory where there is none."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop.core.settings import KeyPlace
from desktop.core.signal import Signal


class KeychainState(StrEnum):
    UNKNOWN = "unknown"
    """Not asked yet, or the answer is still out."""
    AVAILABLE = "available"
    MISSING = "missing"
    """This system offers none."""
    LOCKED = "locked"
    """There is one, but it is locked, and nobody unlocked it."""
    REFUSED = "refused"
    """The user or the system refused access."""
    FAILED = "failed"
    """It is there, but broken or silent."""


@dataclass(frozen=True, kw_only=True)
class KeychainStatus:
    """How the keychain is. ``detail`` is its own words, for people who look for the cause; never a secret."""

    state: KeychainState
    backend: str = ""
    """For people, for example ``Secret Service``."""
    detail: str = ""


class SecretStore(Protocol):
    """Keeps secrets by name. Nothing here blocks the caller's thread, and nothing waits for a person without end.

    A secret that was set is in force at once from memory, whatever the keychain does meanwhile.

    Signals:
        status_changed: how the keychain is now.
        place_changed: a secret's name and where it lies now; for a keychain that answers late, after a prompt.
    """

    status_changed: Signal[KeychainStatus]
    place_changed: Signal[tuple[str, KeyPlace]]

    @property
    def status(self) -> KeychainStatus: ...

    async def probe(self) -> KeychainStatus:
        """Find out whether the keychain keeps, returns and forgets a test entry, within a few seconds."""
        ...

    async def get(self, name: str, *, ask_keychain: bool = True) -> str | None:
        """Return the secret, from memory or the keychain; None when there is none or the keychain did not give it.

        ``status`` then says how the keychain is. Without ``ask_keychain`` only memory is looked at.
        """
        ...

    async def set(self, name: str, secret: str) -> KeyPlace:
        """Keep the secret; returns where it lies: ``KEYCHAIN``, or ``SESSION`` when the keychain did not take it (yet)."""
        ...

    async def delete(self, name: str, *, was_in_keychain: bool = False) -> None:
        """Forget the secret everywhere; one that is not there is no error. Raises ``SettingsError``
        (``settings.key_not_deleted``) when the keychain may still hold it: also one that is missing now, where
        ``was_in_keychain`` says that it took the secret once."""
        ...

    async def close(self) -> None:
        """Forget what is in memory; a keychain call that still waits for a person is left behind."""
        ...
