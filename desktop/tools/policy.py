"""The rule that decides whether a call may run unasked; pure, so that every case can be tested."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from desktop.tools.entities import CallIntent, Grant, GrantScope, ToolDescriptor, Verdict

HARMLESS_BUNDLED_TOOLS = frozenset({"get_weather", "get_date", "calculate", "ask_user"})
"""Tools that never ask. A name counts only when the tool comes with the app."""

ASK_FLAG = "is_need_user_check"
"""The argument by which a model may demand a question. It can only raise the verdict, never lower it."""

UNUSED_GRANT_DAYS = 30


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A verdict and why. ``reason`` is a stable word for the journal and the log."""

    verdict: Verdict
    reason: str


def decide(
    tool: ToolDescriptor, arguments: Mapping[str, Any], grant: Grant | None, *, must_ask: bool = False
) -> Decision:
    """Return the verdict for a call, given the grant that covers it, if any (see ``covers``).

    ``must_ask`` is the agent's word that it is not sure whether the model meant to call at all. Whatever this function
    does not know asks.
    """
    if must_ask:
        return Decision(verdict=Verdict.ASK, reason="the call was written as text")
    demanded = wants_question(arguments)
    if grant is not None:
        if demanded and grant.digest is None:
            return Decision(verdict=Verdict.ASK, reason="the model demands a question")
        return Decision(verdict=Verdict.ALLOW, reason="grant")
    if demanded:
        return Decision(verdict=Verdict.ASK, reason="the model demands a question")
    if tool.bundled and tool.name in HARMLESS_BUNDLED_TOOLS:
        return Decision(verdict=Verdict.ALLOW, reason="harmless bundled tool")
    return Decision(verdict=Verdict.ASK, reason="no grant")


def wants_question(arguments: Mapping[str, Any]) -> bool:
    """True when the model demands that the user be asked; anything but a clear no counts as a demand."""
    return arguments.get(ASK_FLAG, False) is not False


def covers(grant: Grant, intent: CallIntent, now: datetime) -> bool:
    """True when the grant, as it stands, covers exactly this call.

    A grant is void for another definition of its tool, in another thread (scope thread), and after 30 days without
    use. Without a digest it covers any call of its tool in its thread, but never a shell command.
    """
    same_tool = (grant.server_id, grant.tool_name, grant.definition_hash) == (
        intent.tool.server_id,
        intent.tool.name,
        intent.tool.definition_hash,
    )
    if not same_tool or now - (grant.last_used_at or grant.created_at) > timedelta(days=UNUSED_GRANT_DAYS):
        return False
    if grant.scope is GrantScope.THREAD and grant.thread_id != intent.thread_id:
        return False
    if grant.digest is None:
        return grant.scope is GrantScope.THREAD and not intent.tool.is_shell
    return grant.digest == intent.digest
