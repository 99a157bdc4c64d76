"""What the settings show of one server: how it is written down, how it is, and what it offers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from desktop.tools.entities import Finding, ServerEntry, ServerOrigin, ServerState, ServerStatus, ToolDescriptor
from desktop.tools.pinned import HeldItem


class WaitsFor(StrEnum):
    """What a server that is switched on still needs of the user."""

    VALUE = "value"
    """A value that it asks for was never entered."""
    LOOK = "look"
    """Nobody has agreed to its exact line yet."""
    SECRET = "secret"
    """A secret that was entered cannot be read now."""
    SIGN_IN = "sign_in"
    KEY = "key"
    """The key in its headers is not accepted."""
    BROWSER = "browser"
    """The user is signing in, in the browser."""
    PLACE = "place"
    """Its address leads to where nobody agreed to have it."""
    CHANGES = "changes"
    """It runs, but tools of it are not as they were accepted."""


@dataclass(frozen=True, kw_only=True)
class ServerView:
    """One row of the list; compared to find out what must be shown anew."""

    entry: ServerEntry
    status: ServerStatus | None = None
    """None while it is not among the servers that run."""
    tools: tuple[ToolDescriptor, ...] = ()
    instructions: str = ""
    """What the server says of itself; untrusted."""
    held: tuple[HeldItem, ...] = ()
    """What of it waits for the user because it is not as it was accepted."""
    noticed: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict[str, tuple[Finding, ...]])
    """With which other tools its tools could be confused, by their names."""
    chat_titles: tuple[str, ...] = ()
    """The titles of the only chats that it is for."""
    open_chat: str = ""
    """The title of the chat that is open in the main window; empty where there is none."""

    @property
    def name(self) -> str:
        """Unique in the list: a server of the settings may be called like the one that comes with the app."""
        return name_of(self.entry)

    @property
    def undecided(self) -> int:
        """How many of what is held the user has not decided about."""
        return sum(not item.is_kept_off for item in self.held)

    @property
    def can_be_edited(self) -> bool:
        return self.entry.origin is ServerOrigin.SETTINGS

    @property
    def can_be_switched(self) -> bool:
        return self.entry.origin is not ServerOrigin.START

    @property
    def state(self) -> ServerState:
        return self.status.state if self.status is not None and self.entry.enabled else ServerState.STOPPED

    @property
    def signed_in_at(self) -> str:
        """The host where the user signed in for it; empty where nobody did."""
        return self.status.signed_in_at if self.status is not None else ""

    @property
    def refused_place(self) -> str:
        """The network address that its own leads to without the user's agreement; empty where that is not so."""
        remarks = self.status.remarks if self.status is not None else ()
        return next((remark.detail for remark in remarks if remark.code == "place_nearer"), "")

    @property
    def has_failed(self) -> bool:
        return self.state is ServerState.FAILED

    @property
    def waits_for(self) -> WaitsFor | None:
        """What the user has to do before all of it can be used; None where nothing is to be done."""
        entry = self.entry
        if not entry.enabled or entry.problem:
            return None
        if entry.missing:
            return WaitsFor.VALUE
        if not entry.is_confirmed:
            return WaitsFor.LOOK
        match self.state:
            case ServerState.NEEDS_SECRET:
                return WaitsFor.SECRET
            case ServerState.NEEDS_SIGN_IN:
                has_key = any(name.lower() == "authorization" for name in entry.headers)
                return WaitsFor.KEY if has_key else WaitsFor.SIGN_IN
            case ServerState.SIGNING_IN:
                return WaitsFor.BROWSER
            case ServerState.FAILED if self.refused_place:
                return WaitsFor.PLACE
            case _:
                return WaitsFor.CHANGES if self.undecided else None


def name_of(entry: ServerEntry) -> str:
    return f"{entry.origin}/{entry.key}"
