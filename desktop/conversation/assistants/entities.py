"""An assistant of the library, and how long its parts may be."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

MOST_NAME, MOST_DESCRIPTION, MOST_INSTRUCTIONS = 80, 300, 100_000
"""Characters."""
MOST_ASSISTANTS = 500
MOST_HELPERS = 20
MOST_TOOLS = 2_000
USUAL_STEPS, MOST_STEPS = 12, 100
USUAL_TOKENS, MOST_TOKENS = 200_000, 10_000_000
USUAL_SECONDS, MOST_SECONDS = 600, 86_400
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class AssistantMemory(StrEnum):
    """What the answers of an assistant are told of what was said before."""

    EVERYWHERE = "everywhere"
    OWN_CHATS = "own_chats"
    """Only of chats with this assistant."""
    OFF = "off"


@dataclass(frozen=True, kw_only=True)
class Assistant:
    """What it does in its own way; None is what the settings say."""

    id: str
    name: str
    description: str = ""
    """What it is for: for people, and for assistants that may ask it."""
    instructions: str = ""
    endpoint_id: str | None = None
    model: str | None = None
    """As in ``ThreadOptions``. A chat takes them over when the assistant is chosen."""
    tools: tuple[str, ...] | None = None
    """The only ones that it is offered: ids of servers, or ``server/tool``. It never has more than the user's rules allow."""
    memory: AssistantMemory | None = None
    helpers: tuple[str, ...] = ()
    """The ids of assistants that it may ask."""
    most_steps: int = USUAL_STEPS
    most_tokens: int = USUAL_TOKENS
    most_seconds: int = USUAL_SECONDS
    """How much one run of it may take when another one asks it; seconds in which the user is asked do not count."""
    created_at: datetime = _NEVER
    updated_at: datetime = _NEVER

    def may_use(self, server_id: str, tool_name: str) -> bool:
        """Whether the user gave it this tool; the policy decides about every call all the same."""
        return self.tools is None or server_id in self.tools or f"{server_id}/{tool_name}" in self.tools
