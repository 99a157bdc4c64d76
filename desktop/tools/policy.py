"""The rule that decides whether a call may run unasked; pure, so that every case can be tested."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from desktop.core.permission_mode import PermissionMode
from desktop.core.sandbox_problems import SandboxProblem
from desktop.tools import findings as names
from desktop.tools.assessment import UNSEEN, Assessment
from desktop.tools.entities import CallIntent, Grant, GrantScope, ToolDescriptor, Verdict
from desktop.tools.grant_patterns import PARSER_VERSION, ArgumentPattern, CommandPattern
from desktop.tools.sandbox import SandboxProfile
from desktop.tools.taint import Taint
from desktop.tools.text_flow import is_outward
from desktop.tools.trust import UNKNOWN_SERVER, ServerTrust, ToolRule

HARMLESS_BUNDLED_TOOLS = frozenset({"get_weather", "get_date", "calculate", "ask_user", "ask_assistant"})
"""Tools that never ask. Of those the user said which assistants may be asked; their own calls are decided one by one.
A name counts only when the tool comes with the app."""

ASK_FLAG = "is_need_user_check"
"""The argument by which a model may demand a question. It can only raise the verdict, never lower it."""

UNUSED_GRANT_DAYS = 30

_NEVER_WAIVED = {names.SENDING_NAME, names.DESTRUCTIVE_NAME, names.SAID_DESTRUCTIVE, names.NETWORK, names.INTERPRETER}


class Reason(StrEnum):
    """Why a verdict is what it is: stable words for the journal and the log."""

    CHAT_ONLY = "this chat has no tools"
    BLOCKED = "blocked in the settings"
    READ_ONLY = "this chat only reads, and the call is not known to change nothing"
    WRITTEN_AS_TEXT = "the call was written as text"
    DEMANDED = "the model demands a question"
    ASK_ALWAYS = "this chat always asks"
    SET_TO_ASK = "set to ask in the settings"
    FOREIGN_TEXT = "the chat holds foreign text, and the call could carry something out"
    HARMLESS_TOOL = "harmless bundled tool"
    HARMLESS_COMMAND = "understood as harmless, in a sandbox that holds"
    GRANT = "grant"
    SET_TO_ALLOW = "allowed in the settings"
    NO_SANDBOX = "no sandbox holds"
    NO_GRANT = "no grant"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A verdict and why."""

    verdict: Verdict
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """Everything beside the call that the verdict depends on. What is left out is what makes it ask."""

    mode: PermissionMode = PermissionMode.ASK_FOR_RISK
    trust: ServerTrust = UNKNOWN_SERVER
    assessment: Assessment = UNSEEN
    sandbox: str = SandboxProfile.NONE
    """The profile in which a command would run; another one than ``NONE`` was found to hold."""
    no_sandbox: SandboxProblem | None = None
    """Why none holds, for a command that one would do for."""
    taint: Taint | None = None
    must_ask: bool = False
    """The agent is not sure whether the model meant to call at all."""


def decide(tool: ToolDescriptor, arguments: Mapping[str, Any], grant: Grant | None, around: Circumstances) -> Decision:
    """Return the verdict for a call, given the grant that covers it, if any (see ``covers``).

    In this order: what is denied, what asks, what is allowed; whatever this function does not know asks.
    """
    denied = _why_denied(tool, around)
    if denied is not None:
        return Decision(verdict=Verdict.DENY, reason=denied)
    asked = _why_asked(tool, arguments, grant, around)
    if asked is not None:
        return Decision(verdict=Verdict.ASK, reason=asked)
    allowed = _why_allowed(tool, grant, around)
    if allowed is not None:
        return Decision(verdict=Verdict.ALLOW, reason=allowed)
    unheld = tool.is_shell and around.assessment.is_harmless and around.sandbox == SandboxProfile.NONE
    return Decision(verdict=Verdict.ASK, reason=Reason.NO_SANDBOX if unheld else Reason.NO_GRANT)


def _why_denied(tool: ToolDescriptor, around: Circumstances) -> Reason | None:
    if around.mode is PermissionMode.CHAT_ONLY:
        return Reason.CHAT_ONLY
    if around.trust.rule_for(tool.name) is ToolRule.BLOCK:
        return Reason.BLOCKED
    if around.mode is PermissionMode.READ_ONLY and not _only_reads(tool, around):
        return Reason.READ_ONLY
    return None


def _why_asked(
    tool: ToolDescriptor, arguments: Mapping[str, Any], grant: Grant | None, around: Circumstances
) -> Reason | None:
    if around.must_ask:
        return Reason.WRITTEN_AS_TEXT
    if wants_question(arguments) and (grant is None or grant.digest is None):
        return Reason.DEMANDED
    if is_harmless_tool(tool):
        return None
    if around.mode is PermissionMode.ASK_ALWAYS:
        return Reason.ASK_ALWAYS
    if around.trust.rule_for(tool.name) is ToolRule.ASK:
        return Reason.SET_TO_ASK
    if carries_out(tool, around) and not (
        grant is not None and grant.knows_foreign_text and may_be_waived(tool, around)
    ):
        return Reason.FOREIGN_TEXT
    return None


def _why_allowed(tool: ToolDescriptor, grant: Grant | None, around: Circumstances) -> Reason | None:
    if is_harmless_tool(tool):
        return Reason.HARMLESS_TOOL
    if tool.is_shell and around.assessment.is_harmless and around.sandbox == SandboxProfile.WORKSPACE:
        return Reason.HARMLESS_COMMAND
    if grant is not None:
        return Reason.GRANT
    if not tool.is_shell and around.trust.rule_for(tool.name) is ToolRule.ALLOW:
        return Reason.SET_TO_ALLOW
    return None


def _only_reads(tool: ToolDescriptor, around: Circumstances) -> bool:
    """What a server says of its tools counts only where the user trusts it."""
    if tool.is_shell:
        return around.assessment.is_harmless
    hints = tool.annotations
    believed = tool.bundled or around.trust.is_trusted
    return is_harmless_tool(tool) or (
        believed and hints.get("readOnlyHint") is True and hints.get("destructiveHint") is not True
    )


def may_repeat(tool: ToolDescriptor, around: Circumstances) -> bool:
    """Whether a call may be made again after its server went away: it changes nothing, by a word that is believed."""
    return not tool.is_shell and _only_reads(tool, around)


def is_harmless_tool(tool: ToolDescriptor) -> bool:
    """True for a bundled tool that never asks."""
    return tool.bundled and tool.name in HARMLESS_BUNDLED_TOOLS


def carries_out(tool: ToolDescriptor, around: Circumstances) -> bool:
    """True when the chat holds foreign text and the call could carry something out: earlier permissions do not count."""
    return around.taint is not None and is_outward(tool, around.assessment, around.sandbox, around.trust)


def may_be_waived(tool: ToolDescriptor, around: Circumstances) -> bool:
    """Whether a permission for the chat may be given although it holds foreign text: not for what sends or destroys."""
    return not tool.is_shell and not any(f.code in _NEVER_WAIVED or f.severe for f in around.assessment.findings)


def grants_count(tool: ToolDescriptor, around: Circumstances) -> bool:
    """Whether any permission could let such a call run here: else none is to be offered."""
    if around.must_ask or around.mode is PermissionMode.ASK_ALWAYS:
        return False
    return around.trust.rule_for(tool.name) is not ToolRule.ASK and (
        not carries_out(tool, around) or may_be_waived(tool, around)
    )


def wants_question(arguments: Mapping[str, Any]) -> bool:
    """True when the model demands that the user be asked; anything but a clear no counts as a demand."""
    return arguments.get(ASK_FLAG, False) is not False


def has_lapsed(grant: Grant, now: datetime) -> bool:
    """True when its time is over: the one that was set, or ``UNUSED_GRANT_DAYS`` without use."""
    is_over = grant.expires_at is not None and now >= grant.expires_at
    return is_over or now - (grant.last_used_at or grant.created_at) > timedelta(days=UNUSED_GRANT_DAYS)


def covers(grant: Grant, intent: CallIntent, now: datetime) -> bool:
    """True when the grant, as it stands, covers exactly this call.

    A grant is void for another definition of its tool, in another thread (scope thread), and when it has lapsed. One
    for a program counts in the sandbox only, without the network, and as long as commands are read as they were when
    it was given. Without digest and pattern it covers any call of its tool in its thread, but never a shell command.
    """
    same_tool = (grant.server_id, grant.tool_name, grant.definition_hash) == (
        intent.tool.server_id,
        intent.tool.name,
        intent.tool.definition_hash,
    )
    if not same_tool or has_lapsed(grant, now):
        return False
    if grant.scope is GrantScope.THREAD and grant.thread_id != intent.thread_id:
        return False
    match grant.pattern:
        case CommandPattern():
            return (
                intent.tool.is_shell
                and grant.parser_version == PARSER_VERSION
                and intent.sandbox == SandboxProfile.WORKSPACE
                and grant.pattern.covers(str(intent.arguments.get("command", "")), intent.folder)
            )
        case ArgumentPattern():
            return not intent.tool.is_shell and grant.pattern.covers(intent.arguments)
        case None if grant.digest is None:
            return grant.scope is GrantScope.THREAD and not intent.tool.is_shell
        case None:
            return grant.digest == intent.digest
