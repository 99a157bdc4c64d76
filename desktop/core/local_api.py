"""The port to the local API: how it is, and the token that programs must send. The switch stands in the settings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop.core.errors import ThreadwellError
from desktop.core.signal import Signal


class ApiState(StrEnum):
    OFF = "off"
    STARTING = "starting"
    ON = "on"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ApiStatus:
    state: ApiState = ApiState.OFF
    port: int = 0
    """Where it listens, or was to."""
    error: ThreadwellError | None = None

    @property
    def address(self) -> str:
        """What clients of OpenAI's protocol call the base URL."""
        return f"http://127.0.0.1:{self.port}/v1"


class LocalApiSwitch(Protocol):
    """Follows ``Settings.api``.

    Signals:
        changed: how the API is now, or another token holds.
    """

    changed: Signal[ApiStatus]

    @property
    def status(self) -> ApiStatus: ...

    @property
    def token(self) -> str:
        """What programs must send; empty while it was not needed yet."""
        ...

    @property
    def is_token_kept(self) -> bool:
        """Whether the keychain has it. Else it holds until the program ends, and the next start makes another one."""
        ...

    async def renew_token(self) -> None:
        """Make another token, which holds at once: the old one opens nothing any more."""
        ...

    def try_again(self) -> None:
        """Start once more after a failure."""
        ...


class NoLocalApi:
    """Implements ``LocalApiSwitch`` for a program without the API: it stays off."""

    status = ApiStatus()
    token = ""
    is_token_kept = True

    def __init__(self) -> None:
        self.changed = Signal[ApiStatus]()

    async def renew_token(self) -> None:
        """There is none."""

    def try_again(self) -> None:
        """Nothing failed."""
