"""What the policy needs of the sandbox: how much a command may reach in it, and whether it holds on this machine."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop.core.sandbox_problems import SandboxProblem
from desktop.core.sandbox_profile import SandboxProfile as SandboxProfile  # with the port, for those who decide


class SandboxHealth(StrEnum):
    HOLDS = "holds"
    """One was started for a trial, and what it must keep in was kept in."""
    MISSING = "missing"
    """This system has none."""
    BROKEN = "broken"
    """There is one, but it does not start, does not keep in what it must, or cannot be used for this folder."""


@dataclass(frozen=True, kw_only=True)
class SandboxState:
    """``reason`` says in English why it does not hold, for the log and for ``policy explain``."""

    health: SandboxHealth
    reason: str = ""
    problem: SandboxProblem | None = None
    """The same for the window, which has words for it in every language."""

    @property
    def holds(self) -> bool:
        return self.health is SandboxHealth.HOLDS


NO_SANDBOX = SandboxState(
    health=SandboxHealth.MISSING, reason="this system has no sandbox", problem=SandboxProblem("none")
)


class Sandbox(Protocol):
    """Runs commands apart from the rest of the machine.

    The host freezes a profile into the call's intent (``sandbox``), the approval dialog names it, the proof covers it,
    and the command server starts the command in exactly that profile: never in less of one. Where the sandbox does not
    hold, intents are frozen with ``SandboxProfile.NONE`` and every command asks.
    """

    async def state(self, folder: str) -> SandboxState:
        """Tell whether commands in ``folder`` would be held, found out by starting one; remembered for a while.

        A folder that is too much to give away (the home folder, ``/``, one that holds the app's data) is ``BROKEN``.
        Bounded in time and never raises: what cannot be found out does not hold.
        """
        ...

    def forget(self) -> None:
        """A command could not be started in a sandbox that held before: find out anew next time."""
        ...


class NoSandbox(Sandbox):
    """For systems without one, and for tests."""

    async def state(self, folder: str) -> SandboxState:
        return NO_SANDBOX

    def forget(self) -> None:
        return
