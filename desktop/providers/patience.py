"""How often and after which pause an endpoint is asked again that is busy, loading or not reached: policy, no waiting."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from desktop.core.errors import ModelError
from desktop.core.language_model import Waiting
from desktop.providers.error_mapping import EndpointError


@dataclass(frozen=True, kw_only=True)
class Patience:
    """What is put up with until a failure is told. Nothing of it holds once a part of the answer was shown."""

    tries: int = 2
    """How often it is asked again."""
    pauses: tuple[float, ...] = (2.0, 8.0)
    """Before the first and each further try, in seconds, where the endpoint names no time."""
    longest_wait_seconds: float = 60.0
    """An endpoint that wants to be left alone for longer is not waited for."""
    reconnect_seconds: float = 1.0
    loading_seconds: float = 300.0
    """How long a server may load its model. Longer than the longest wait: the user sees it and can stop."""
    loading_pause_seconds: float = 2.0
    hint_seconds: float = 5.0
    """After so long without a word, a server on this machine is said to read the question."""


NO_PATIENCE = Patience(tries=0, loading_seconds=0.0)
"""Every failure is told at once."""


@dataclass(frozen=True)
class Pause:
    """``seconds`` to wait, and what is shown meanwhile."""

    seconds: float
    waiting: Waiting


class Retries:
    """The failures of one answer, and what is left of the patience with them."""

    def __init__(self, patience: Patience, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._began = clock()
        self._tried: dict[str, int] = {}

    def after(self, error: ModelError) -> Pause | None:
        """Return the pause after which the request is worth another try; None when the failure is to be told."""
        if error.code == "model.loading":
            if self._clock() - self._began >= self._patience.loading_seconds:
                return None
            return Pause(self._patience.loading_pause_seconds, Waiting(code="model_loading"))
        is_lasting = isinstance(error, EndpointError) and error.is_lasting
        if is_lasting or sum(self._tried.values()) >= self._patience.tries:
            return None
        match error.code:
            case "model.rate_limited":
                return self._later(error, "rate_limited", most=self._patience.tries)
            case "model.overloaded":
                return self._later(error, "overloaded", most=self._patience.tries)
            case "model.server_error":
                # A gateway's failures pass; of a 500 nobody knows, and some servers answer so to bad input.
                most = self._patience.tries if error.params.get("status") in (408, 502, 503, 504) else 1
                return self._later(error, "overloaded", most=most)
            case "model.unreachable" | "model.proxy_failed" | "model.connection_lost":
                if self._count("reconnecting") > 1:
                    return None
                return Pause(self._patience.reconnect_seconds, Waiting(code="reconnecting"))
            case _:
                return None

    def _later(self, error: ModelError, code: str, *, most: int) -> Pause | None:
        number = self._count(error.code)
        if number > most or not self._patience.pauses:
            return None
        wait = error.wait if isinstance(error, EndpointError) else None
        if wait is None:
            wait = self._patience.pauses[min(number, len(self._patience.pauses)) - 1]
        if wait > self._patience.longest_wait_seconds:
            return None
        return Pause(wait, Waiting(code=code, seconds=wait))

    def _count(self, kind: str) -> int:
        self._tried[kind] = self._tried.get(kind, 0) + 1
        return self._tried[kind]
