"""A ``SecretStore`` that is nothing but this process's memory, for tests of what stands before it."""

from desktop.core.secrets import KeychainState, KeychainStatus
from desktop.core.settings import KeyPlace
from desktop.core.signal import Signal


class InMemorySecrets:
    """Implements ``SecretStore`` as on a system without a keychain: everything lies in the session."""

    def __init__(self, **secrets: str) -> None:
        self.status_changed = Signal[KeychainStatus]()
        self.place_changed = Signal[tuple[str, KeyPlace]]()
        self._status = KeychainStatus(state=KeychainState.UNKNOWN)
        self._secrets = dict(secrets)

    @property
    def status(self) -> KeychainStatus:
        return self._status

    def set_status(self, state: KeychainState, *, backend: str = "", detail: str = "") -> None:
        """Have the keychain be like this, for what is shown of it; secrets lie in the session all the same."""
        self._status = KeychainStatus(state=state, backend=backend, detail=detail)
        self.status_changed.emit(self._status)

    async def probe(self) -> KeychainStatus:
        if self._status.state is KeychainState.UNKNOWN:
            self.set_status(KeychainState.MISSING)
        return self._status

    async def get(self, name: str, *, ask_keychain: bool = True) -> str | None:
        return self._secrets.get(name)

    async def set(self, name: str, secret: str) -> KeyPlace:
        if not secret:
            raise ValueError("an empty secret cannot be kept")
        self._secrets[name] = secret
        return KeyPlace.SESSION

    async def delete(self, name: str, *, was_in_keychain: bool = False) -> None:
        self._secrets.pop(name, None)

    async def close(self) -> None:
        self._secrets.clear()
