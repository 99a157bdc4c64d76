"""A ``SessionStore`` in memory, for windows that share sessions."""

from collections import defaultdict
from collections.abc import Sequence

from desktop.core.errors import ThreadwellError
from desktop.core.session_settings import SessionPlace
from desktop.memory.sessions import SessionEntry, SessionStore


class InMemorySessions(SessionStore):
    """``failing`` is what every call fails with, until it is None again."""

    def __init__(self) -> None:
        self.sessions: dict[tuple[str, str], list[SessionEntry]] = defaultdict(list)
        self.failing: str | None = None
        self.tested: list[SessionPlace] = []
        self.connections_forgotten = 0

    def warm_up(self, place: SessionPlace) -> None:
        pass

    async def append(self, place: SessionPlace, session: str, role: str, text: str) -> None:
        self._require()
        entries = self.sessions[place.key, session]
        entries.append(SessionEntry(1_790_000_000.0 + len(entries), role, text))

    async def recent(self, place: SessionPlace, session: str, n: int) -> Sequence[SessionEntry]:
        self._require()
        return tuple(self.sessions[place.key, session][-n:])

    async def clear(self, place: SessionPlace, session: str) -> None:
        self._require()
        self.sessions.pop((place.key, session), None)

    async def test(self, place: SessionPlace, password: str | None = None) -> None:
        self.tested.append(place)
        self._require()

    async def forget_connections(self) -> None:
        self.connections_forgotten += 1

    def _require(self) -> None:
        if self.failing is not None:
            raise ThreadwellError(self.failing, server="nas:6379")
