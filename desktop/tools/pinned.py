"""What a server listed, what of it the user has accepted, and what waits for the user because it is not that any more."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from desktop.tools.entities import ToolDescriptor

INSTRUCTIONS = ""
"""The name under which a server's instructions are pinned; no tool is called so."""


def definition_text(definition: Mapping[str, Any]) -> str:
    """Return a definition as the one text that stands for it: equal definitions have equal texts, in plain ASCII."""
    return json.dumps(definition, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, kw_only=True)
class ServerListing:
    """All that a server says of itself at one moment. Untrusted."""

    server_id: str
    identity: str
    """sha256 over which program or address it is: with another one it is another server."""
    bundled: bool
    tools: tuple[ToolDescriptor, ...]
    instructions: str = ""

    def definitions(self) -> dict[str, Mapping[str, Any]]:
        """What is pinned of it, by name."""
        tools = {tool.name: tool.definition for tool in self.tools}
        return {INSTRUCTIONS: {"instructions": self.instructions}, **tools}


@dataclass(frozen=True, kw_only=True)
class Pin:
    """The definition of one tool (or the instructions) that the user has accepted."""

    name: str
    definition: str
    """A ``definition_text``; empty for a tool that came later and was never accepted."""
    kept_off: str = ""
    """The ``definition_text`` that the user has looked at and wants off."""
    pinned_at: datetime
    """When the name was first seen."""


@dataclass(frozen=True, kw_only=True)
class HeldItem:
    """A tool, or with ``INSTRUCTIONS`` as its name the instructions, that waits for the user. ``now`` is untrusted."""

    server_id: str
    identity: str
    name: str
    before: Mapping[str, Any] | None
    """What was accepted; None for a tool that is new."""
    now: Mapping[str, Any] = field(hash=False)
    is_kept_off: bool = False
    """The user has decided against exactly this one."""

    @property
    def is_instructions(self) -> bool:
        return self.name == INSTRUCTIONS

    @property
    def is_new(self) -> bool:
        return self.before is None
