"""The question that the host asks before a call runs, what may be answered, and the call's time limits."""

from collections.abc import Mapping
from typing import Any, cast

from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, CallIntent, Choice, GrantScope, ToolDescriptor
from desktop.tools.findings import NOT_UNDERSTOOD, WRITTEN_AS_TEXT, finding
from desktop.tools.grant_patterns import GrantPattern, argument_patterns, command_pattern
from desktop.tools.policy import Circumstances, carries_out, grants_count
from desktop.tools.sandbox import SandboxProfile

CALL_DEADLINE_SECONDS = 30.0
COMMAND_MARGIN_SECONDS = 5.0
"""A command may take this much longer than its own time limit, so that the server can report the time-out itself."""
MAX_DEADLINE_SECONDS = 3600.0
DEFAULT_COMMAND_SECONDS = 10

ALWAYS_LIMIT_CHARS = 4000
ALWAYS_LIMIT_LINES = 100


def approval_request(
    intent: CallIntent, around: Circumstances, thread_title: str = "", model: str = ""
) -> ApprovalRequest:
    """Return the question for a call: what would run, and what the app itself noticed about it.

    No lasting permission is offered where it would not hold for the next such call, nor for what could not be made out.
    """
    assessment = around.assessment
    if intent.tool.is_shell:
        shown = str(intent.arguments.get("command", ""))
        line_count = shown.count("\n") + 1
    else:
        shown = intent.arguments_json
        line_count = shown.count("\\n") + 1  # the line breaks inside JSON strings
    findings = assessment.findings
    counts = grants_count(intent.tool, around)
    decoded = all(found.code != NOT_UNDERSTOOD for found in findings)
    is_short = len(shown) <= ALWAYS_LIMIT_CHARS and line_count <= ALWAYS_LIMIT_LINES
    return ApprovalRequest(
        intent=intent,
        thread_title=thread_title,
        model=model,
        findings=(finding(WRITTEN_AS_TEXT), *findings) if around.must_ask else findings,
        timeout_seconds=time_limit(intent.tool, intent.arguments) if intent.tool.is_shell else None,
        may_allow_thread=counts,
        may_allow_always=counts and decoded and is_short and around.taint is None,
        patterns=_patterns(intent, around) if counts and around.taint is None else (),
        taint=around.taint if carries_out(intent.tool, around) else None,
        no_sandbox=around.no_sandbox,
    )


def _patterns(intent: CallIntent, around: Circumstances) -> tuple[GrantPattern, ...]:
    """What may be allowed beyond exactly this: not where something grave was noticed, and for programs in a sandbox only."""
    found = around.assessment
    if found.is_opaque or any(finding.severe for finding in found.findings):
        return ()
    if not intent.tool.is_shell:
        return argument_patterns(intent.arguments)
    if intent.sandbox != SandboxProfile.WORKSPACE or found.wants_access:
        return ()
    pattern = command_pattern(str(intent.arguments.get("command", "")), intent.folder)
    return () if pattern is None else (pattern,)


def given_permission(request: ApprovalRequest, answer: ApprovalAnswer) -> tuple[GrantScope, GrantPattern | None] | None:
    """Return what was allowed beyond this one call; what was not offered is not given."""
    if answer.pattern is not None and answer.pattern not in request.patterns:
        return None
    if answer.choice is Choice.ALLOW_THREAD and request.may_allow_thread:
        return GrantScope.THREAD, answer.pattern
    if answer.choice is Choice.ALLOW_ALWAYS and request.may_allow_always:
        return GrantScope.ALWAYS, answer.pattern
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
