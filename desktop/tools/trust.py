"""What the user set for a server and for single tools of it: whether it is trusted, and what is blocked, asked or allowed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

DECISIONS = ("trusted", "rule", "tools", "rulesFor", "chats", "knowsFolder", "mayAskModel")
"""The keys of an entry that only the user of this app sets, for a server that stands in the settings already."""


class ToolRule(StrEnum):
    """In the order in which they win: a blocked server has no tool that is allowed."""

    BLOCK = "block"
    """Not offered to the model, and refused when it is called all the same."""
    ASK = "ask"
    """Asks every time, permissions notwithstanding."""
    ALLOW = "allow"
    """Runs unasked, except what sends something out of a chat that holds foreign text. No effect on commands."""


@dataclass(frozen=True, kw_only=True)
class ServerTrust:
    """One server in the policy's eyes. The standard is that of a server that nobody said anything about."""

    is_trusted: bool = False
    """What it returns is taken for the user's own text, and its annotations are believed. Off at first."""
    rule: ToolRule | None = None
    """For all its tools; None asks unless a permission covers the call."""
    tool_rules: Mapping[str, ToolRule] = field(default_factory=dict[str, ToolRule])
    """By the tool's own name, as its server spells it."""

    def rule_for(self, tool_name: str) -> ToolRule | None:
        """Return the strictest rule that was set: there is no exception for what is more specific."""
        given = {self.rule, self.tool_rules.get(tool_name)}
        return next((rule for rule in ToolRule if rule in given), None)


UNKNOWN_SERVER = ServerTrust()
BUNDLED_SERVER = ServerTrust(is_trusted=True)
