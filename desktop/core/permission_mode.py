"""When the tools of a chat ask before they run."""

from enum import StrEnum


class PermissionMode(StrEnum):
    """From careful to less so; none of them lets anything risky run unasked."""

    CHAT_ONLY = "chat_only"
    """No tools at all."""
    READ_ONLY = "read_only"
    """Only what is known to change nothing; everything else is refused."""
    ASK_ALWAYS = "ask_always"
    """Whatever can do anything asks, permissions notwithstanding."""
    ASK_FOR_RISK = "ask_for_risk"
    """The usual one: permissions hold, and a command that is harmless in a sandbox that holds runs unasked."""
