"""What the settings show of one server: how it is written down, how it is, and what it offers."""

from dataclasses import dataclass

from desktop.tools.entities import ServerEntry, ServerOrigin, ServerState, ServerStatus, ToolDescriptor


@dataclass(frozen=True, kw_only=True)
class ServerView:
    """One row of the list; compared to find out what must be shown anew."""

    entry: ServerEntry
    status: ServerStatus | None = None
    """None while it is not among the servers that run."""
    tools: tuple[ToolDescriptor, ...] = ()

    @property
    def name(self) -> str:
        """Unique in the list: a server of the settings may be called like the one that comes with the app."""
        return name_of(self.entry)

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
    def has_failed(self) -> bool:
        return self.state is ServerState.FAILED


def name_of(entry: ServerEntry) -> str:
    return f"{entry.origin}/{entry.key}"
