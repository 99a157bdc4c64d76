"""Which calls bring foreign text into a chat, and which could carry something out of it."""

from desktop.tools.assessment import Assessment
from desktop.tools.entities import ToolDescriptor
from desktop.tools.sandbox import SandboxProfile
from desktop.tools.taint import TaintCause
from desktop.tools.trust import ServerTrust


def brings_text_in(tool: ToolDescriptor, assessment: Assessment, profile: str, trust: ServerTrust) -> TaintCause | None:
    """Return why the result of such a call is foreign text; None when it is not."""
    if tool.is_shell:
        reached = profile == SandboxProfile.WORKSPACE_WITH_NETWORK or (
            profile == SandboxProfile.NONE and assessment.may_bring_text_in
        )
        return TaintCause.COMMAND_OUTPUT if reached else None
    is_open = tool.annotations.get("openWorldHint")
    if tool.bundled:
        return None if is_open is False else TaintCause.WEB_PAGE
    if trust.is_trusted and is_open is not True:
        return None
    return TaintCause.TOOL_OUTPUT


def is_outward(tool: ToolDescriptor, assessment: Assessment, profile: str, trust: ServerTrust) -> bool:
    """True for a call that could send something out, or change something outside the folder."""
    if tool.is_shell:
        return not assessment.is_harmless and profile != SandboxProfile.WORKSPACE
    if tool.bundled:
        return tool.annotations.get("openWorldHint") is not False
    hints = tool.annotations
    return not (trust.is_trusted and hints.get("readOnlyHint") is True and hints.get("openWorldHint") is False)
