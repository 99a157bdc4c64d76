"""Standing permissions: what was allowed beyond one call, for which chats, and until when."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.tools.grant_patterns import PARSER_VERSION, GrantPattern


class GrantScope(StrEnum):
    THREAD = "thread"
    ALWAYS = "always"


class Lasting(StrEnum):
    """For how long a permission is given."""

    UNTIL_REVOKED = "until_revoked"
    """And for as long as it is used: one that lies idle lapses."""
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


@dataclass(frozen=True, kw_only=True)
class Grant:
    """A standing permission: for one exact digest, for a pattern, or (scope thread, no shell) for one tool's definition."""

    id: str
    scope: GrantScope
    thread_id: str | None
    server_id: str
    tool_name: str
    definition_hash: str
    digest: str | None
    """The intent's digest that is covered; None without a pattern covers every call of this tool in this thread."""
    summary: str
    """What was allowed, for the list: the command, or the arguments."""
    folder: str = ""
    """Where a command may run; empty for tools that have no folder."""
    created_at: datetime
    last_used_at: datetime | None = None
    use_count: int = 0
    pattern: GrantPattern | None = None
    expires_at: datetime | None = None
    parser_version: int = PARSER_VERSION
    """By which a pattern for commands was made; it lapses with the next one."""
    knows_foreign_text: bool = False
    """It was given in a chat that held foreign text, and the question said so."""
