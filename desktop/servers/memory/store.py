"""The port to where sessions are kept, and what every store of them promises."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

ROLES = ("user", "agent", "note")


class StoreError(Exception):
    """The store could not do what was asked; the text is for the caller and names no secret."""


class TooManyKeysError(Exception):
    """The session holds as many keys as it may, so that no further one is kept."""


@dataclass(frozen=True)
class Session:
    """A session of a tenant; the tenant is empty where there is but one."""

    id: str
    tenant: str = ""


@dataclass(frozen=True)
class Item:
    """One entry of a timeline; ``ts`` is in seconds since 1970."""

    ts: float
    role: str
    text: str


@dataclass(frozen=True)
class Usage:
    """What the store holds now. ``size`` is in bytes: of the file, or of all that the Redis server holds."""

    sessions: int
    size: int


class MemoryStore(Protocol):
    """Keeps sessions. Each has values by key and a timeline, and both end together, ``ttl_s`` after the last use.

    Every use renews that time, a read too, and one that finds nothing makes nothing. What returned is kept. Several
    programs may use the same session at once; each call happens whole or not at all. All raise ``StoreError``.
    """

    @property
    def name(self) -> str:
        """What stands in messages for people: no password, no query."""
        ...

    async def open(self) -> None:
        """Make ready. A store on a network that is away now may be ready later and raises nothing."""
        ...

    async def put(self, session: Session, key: str, value: str, *, ttl_s: int, max_keys: int) -> None:
        """Keep ``value``. Raises ``TooManyKeysError`` for a new key where the session holds ``max_keys`` already."""
        ...

    async def get(self, session: Session, key: str, *, ttl_s: int) -> str | None: ...

    async def append(self, session: Session, role: str, text: str, *, max_items: int, ttl_s: int) -> None:
        """Add to the end of the timeline, and drop from its beginning what is more than ``max_items``."""
        ...

    async def recent(self, session: Session, n: int, *, ttl_s: int) -> Sequence[Item]:
        """Return the last ``n`` entries, oldest first."""
        ...

    async def clear(self, session: Session) -> None: ...

    async def sweep(self) -> int:
        """Remove sessions that are over; returns how many, as far as that is this program's work."""
        ...

    async def usage(self) -> Usage: ...

    async def close(self) -> None: ...


def as_json(items: Sequence[Item]) -> str:
    return json.dumps([{"ts": item.ts, "role": item.role, "text": item.text} for item in items], ensure_ascii=False)
