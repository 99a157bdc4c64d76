"""What the settings' list of endpoints shows of each: pure values, compared to find out what changed."""

from dataclasses import dataclass
from enum import StrEnum

from desktop.core.endpoints import EndpointCheck
from desktop.core.settings import EndpointSettings, KeyPlace

DEMO_ID = ""
"""The id of the demo model's row."""


class KeyState(StrEnum):
    NONE = "none"
    KEYCHAIN = "keychain"
    SESSION = "session"
    MISSING = "missing"
    """It was kept for an earlier session only, and has to be entered again."""
    VARIABLE = "variable"


@dataclass(frozen=True, kw_only=True)
class EndpointRowState:
    endpoint: EndpointSettings
    key: KeyState
    is_active: bool
    is_testing: bool = False
    check: EndpointCheck | None = None
    """The newest test since the start."""

    @property
    def id(self) -> str:
        return self.endpoint.id


def key_state(endpoint: EndpointSettings, *, is_known: bool) -> KeyState:
    """Return where the key is; ``is_known``: it lies in this process's memory."""
    if endpoint.key_env:
        return KeyState.VARIABLE
    if endpoint.key_place is KeyPlace.SESSION and not is_known:
        return KeyState.MISSING
    return KeyState(endpoint.key_place.value)
