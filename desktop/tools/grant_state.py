"""Whether a standing permission could let anything run now, and if not, why: for the list of permissions."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from desktop.tools.entities import Grant, ToolDescriptor
from desktop.tools.grant_patterns import PARSER_VERSION, CommandPattern
from desktop.tools.policy import has_lapsed


class GrantState(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"
    """Not used for ``policy.UNUSED_GRANT_DAYS``."""
    OVER = "over"
    """The time is over for which it was given."""
    READ_OTHERWISE = "read_otherwise"
    """It is for a program, and this version of the app reads commands in another way."""
    SERVER_GONE = "server_gone"
    """No such server is configured."""
    SERVER_OFF = "server_off"
    """The server is switched off or not ready, so nothing of it can run."""
    TOOL_GONE = "tool_gone"
    """The server does not list the tool any more."""
    TOOL_CHANGED = "tool_changed"
    """What the server says of the tool, or the server itself, is not what was allowed."""
    OTHER_FOLDER = "other_folder"
    """Commands run in another folder now."""


def grant_state(
    grant: Grant, *, is_configured: bool, tools: Sequence[ToolDescriptor], workspace: str, now: datetime
) -> GrantState:
    """Return how the grant stands. ``tools`` are those that its server lists now, none while it is not ready."""
    if grant.expires_at is not None and now >= grant.expires_at:
        return GrantState.OVER
    if has_lapsed(grant, now):
        return GrantState.EXPIRED
    if not is_configured:
        return GrantState.SERVER_GONE
    if not tools:
        return GrantState.SERVER_OFF
    tool = next((tool for tool in tools if tool.name == grant.tool_name), None)
    if tool is None:
        return GrantState.TOOL_GONE
    if tool.definition_hash != grant.definition_hash:
        return GrantState.TOOL_CHANGED
    if isinstance(grant.pattern, CommandPattern) and grant.parser_version != PARSER_VERSION:
        return GrantState.READ_OTHERWISE
    if tool.is_shell and grant.folder and grant.folder != workspace:
        return GrantState.OTHER_FOLDER
    return GrantState.ACTIVE
