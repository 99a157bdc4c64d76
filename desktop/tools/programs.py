"""The programs that tool servers are started with: which of them were found, and the one that can be fetched."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop.core.signal import Signal

RUNNERS = ("npx", "node", "uvx", "uv", "python3", "python", "docker")
"""What servers are usually started with, for a list that people read."""


class ProgramOrigin(StrEnum):
    """Where a program was found."""

    PATH = "path"
    """Where the system or the login shell looks."""
    USUAL_FOLDER = "usual_folder"
    """In a folder that its own installer uses, although nothing says to look there."""
    OWN = "own"
    """It came with the app, or the app fetched it."""


@dataclass(frozen=True, kw_only=True)
class FoundProgram:
    """``path`` is empty when there is none."""

    name: str
    path: str = ""
    origin: ProgramOrigin = ProgramOrigin.PATH


class FetchState(StrEnum):
    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    NO_NETWORK = "no_network"
    NO_SPACE = "no_space"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class FetchStatus:
    """How the fetching of Node goes. ``detail`` is what the fetching program said, untrusted."""

    state: FetchState = FetchState.NONE
    done_bytes: int = 0
    total_bytes: int = 0
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class NodeOffer:
    """What is fetched, said before it is."""

    version: str
    package: str
    source: str
    """The host it comes from."""
    download_bytes: int
    installed_bytes: int
    folder: str


class Programs(Protocol):
    """Where programs are looked for, and Node, which the user may have fetched.

    Signals:
        fetching: how the fetching of Node goes.
    """

    fetching: Signal[FetchStatus]

    async def find(self, *, again: bool = False) -> tuple[FoundProgram, ...]:
        """Return what was found of ``RUNNERS``. The first time a login shell is asked; ``again`` asks it anew."""
        ...

    def node_offer(self) -> NodeOffer | None:
        """What ``fetch_node`` would bring; None where it cannot be had."""
        ...

    @property
    def fetch_status(self) -> FetchStatus: ...

    def fetch_node(self) -> None:
        """Begin to fetch Node into the data folder, in the background; ``fetching`` tells. Only on the user's wish."""
        ...

    def cancel_fetch(self) -> None:
        """Give the fetching up; what it has brought so far is removed."""
        ...

    async def remove_node(self) -> None:
        """Delete the Node that was fetched."""
        ...
