"""What is kept of a sign-in: the tokens, and everything that is needed to renew them, for one server and one issuer."""

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from desktop.core.secrets import KeychainState, SecretStore
from desktop.core.settings import KeyPlace
from desktop.tools.entities import ServerConfig
from desktop.tools.server_inputs import secret_name
from desktop.tools.server_secrets import ServerSecrets

_EARLY_SECONDS = 30.0
"""So long before its end a token is renewed: it should not end on its way."""


@dataclass(frozen=True, kw_only=True, repr=False)
class SignIn:
    """Tokens of one issuer for one server's address; never used for another server, renewed nowhere else."""

    url: str
    """Of the server that the tokens are for."""
    issuer: str
    token_endpoint: str
    revocation_endpoint: str = ""
    """Where it is told that nobody needs the tokens any more; empty where the issuer names no such place."""
    resource: str = ""
    client_id: str
    client_secret: str = ""
    auth_method: str = ""
    """How the client proves itself to the token endpoint: ``client_secret_basic``, ``client_secret_post`` or nothing."""
    access_token: str
    refresh_token: str = ""
    ends_at: float | None = None
    """By the system's clock."""
    scope: str = ""

    def __repr__(self) -> str:
        return f"SignIn(url={self.url!r}, issuer={self.issuer!r})"

    @property
    def is_over(self) -> bool:
        return self.ends_at is not None and time.time() > self.ends_at - _EARLY_SECONDS

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no log."""
        return tuple(filter(None, (self.access_token, self.refresh_token, self.client_secret)))

    def as_text(self) -> str:
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> "SignIn | None":
        """Return what ``as_text`` made; None for anything else."""
        try:
            values: Any = json.loads(text)
            kept = cls(**values)
        except (ValueError, TypeError):
            return None
        texts = (value for name, value in values.items() if name != "ends_at")
        return kept if all(isinstance(value, str) for value in texts) else None


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """With what a server turned a request away: the status, and what its answer says about who may ask."""

    status: int
    words: str = ""
    """The header ``WWW-Authenticate``."""

    @property
    def wants_more_rights(self) -> bool:
        return self.status == HTTPStatus.FORBIDDEN


def host_of(url: str) -> str:
    """Return the host of an address with its port; empty for none."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


class KeychainShutError(Exception):
    """There is a sign-in, but the keychain does not give it now."""

    def __init__(self, state: KeychainState) -> None:
        super().__init__(state)
        self.state = state


class SignIns:
    """The sign-ins of all servers, in the system's keychain; where there is none they end with this process."""

    def __init__(
        self, server_secrets: ServerSecrets, secrets: SecretStore, on_secret: Callable[[str], None] = lambda _: None
    ) -> None:
        """``on_secret`` hears every secret, so that logs can be kept free of it."""
        self._server_secrets = server_secrets
        self._secrets = secrets
        self._on_secret = on_secret

    async def load(self, config: ServerConfig) -> SignIn | None:
        """Return the sign-in for exactly this server's address. Raises ``KeychainShutError``.

        The keychain is not asked where nobody ever signed in.
        """
        if not self._server_secrets.is_known(config.sign_in):
            return None
        text = await self._secrets.get(secret_name(config.sign_in))
        if text is None:
            state = self._secrets.status.state
            if state in (KeychainState.LOCKED, KeychainState.REFUSED, KeychainState.FAILED):
                raise KeychainShutError(state)
            return None
        kept = SignIn.from_text(text)
        if kept is None or kept.url != config.url:
            await self.forget(config)
            return None
        self._hide(kept)
        return kept

    async def keep(self, config: ServerConfig, sign_in: SignIn) -> KeyPlace:
        """Keep it; in force at once. Returns whether it outlives this process."""
        self._hide(sign_in)
        return await self._server_secrets.keep_one(config.sign_in, sign_in.as_text())

    async def forget(self, config: ServerConfig, *, is_over: bool = False) -> None:
        """Forget it everywhere; its issuer is told unless it ended the sign-in itself."""
        await self._server_secrets.forget_one(config.sign_in, is_told=not is_over)

    def _hide(self, sign_in: SignIn) -> None:
        for secret in sign_in.secrets:
            self._on_secret(secret)
