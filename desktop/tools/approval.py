"""The question that the host asks before a call runs, what may be answered, and the call's time limits."""

from collections.abc import Mapping
from typing import Any, cast

from desktop.tools.command_facts import argument_findings, command_findings
from desktop.tools.entities import ApprovalRequest, CallIntent, Choice, GrantScope, ToolDescriptor
from desktop.tools.findings import NOT_UNDERSTOOD, WRITTEN_AS_TEXT, finding

CALL_DEADLINE_SECONDS = 30.0
COMMAND_MARGIN_SECONDS = 5.0
"""A command may take this much longer than its own time limit, so that the server can report the time-out itself."""
MAX_DEADLINE_SECONDS = 3600.0
DEFAULT_COMMAND_SECONDS = 10

ALWAYS_LIMIT_CHARS = 4000
ALWAYS_LIMIT_LINES = 100


def approval_request(intent: CallIntent, thread_title: str = "", *, must_ask: bool = False) -> ApprovalRequest:
    """Return the question for a call: what would run, and what the app itself noticed about it.

    For one that ``must_ask`` no standing permission is offered: it would not hold for the next one.
    """
    arguments = intent.arguments
    if intent.tool.is_shell:
        shown = str(arguments.get("command", ""))
        findings = command_findings(shown)
        line_count = shown.count("\n") + 1
    else:
        shown = intent.arguments_json
        findings = argument_findings(intent.tool, arguments)
        line_count = shown.count("\\n") + 1  # the line breaks inside JSON strings
    decoded = all(found.code != NOT_UNDERSTOOD for found in findings)
    return ApprovalRequest(
        intent=intent,
        thread_title=thread_title,
        findings=(finding(WRITTEN_AS_TEXT), *findings) if must_ask else findings,
        timeout_seconds=time_limit(intent.tool, arguments) if intent.tool.is_shell else None,
        may_allow_thread=not must_ask,
        may_allow_always=not must_ask
        and decoded
        and len(shown) <= ALWAYS_LIMIT_CHARS
        and line_count <= ALWAYS_LIMIT_LINES,
    )


def granted_scope(request: ApprovalRequest, choice: Choice) -> GrantScope | None:
    """Return the scope of the permission that was given beyond this one call; one that was not offered is none."""
    if choice is Choice.ALLOW_THREAD and request.may_allow_thread:
        return GrantScope.THREAD
    if choice is Choice.ALLOW_ALWAYS and request.may_allow_always:
        return GrantScope.ALWAYS
    return None


def time_limit(tool: ToolDescriptor, arguments: Mapping[str, Any]) -> float:
    """Return the time limit of a shell command: the one asked for, else the tool's default."""
    for value in (arguments.get("timeout"), _default_of(tool, "timeout")):
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return int(value) if float(value).is_integer() else value  # 10 and 10.0 are the same permission
    return DEFAULT_COMMAND_SECONDS


def _default_of(tool: ToolDescriptor, name: str) -> Any:
    properties = tool.input_schema.get("properties")
    schema: Any = cast(Mapping[str, Any], properties).get(name) if isinstance(properties, Mapping) else None
    return cast(Mapping[str, Any], schema).get("default") if isinstance(schema, Mapping) else None


def deadline_of(intent: CallIntent) -> float:
    """Return how long the host waits for the call, questions of its server not counted."""
    if not intent.tool.is_shell:
        return CALL_DEADLINE_SECONDS
    seconds = time_limit(intent.tool, intent.arguments) + COMMAND_MARGIN_SECONDS
    return min(max(CALL_DEADLINE_SECONDS, seconds), MAX_DEADLINE_SECONDS)
