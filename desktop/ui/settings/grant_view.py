"""What the settings show of one standing permission."""

import json
from dataclasses import dataclass
from typing import Any

from desktop.tools.entities import Grant
from desktop.tools.grant_state import GrantState


@dataclass(frozen=True, kw_only=True)
class GrantView:
    """One row of the list; compared to find out what must be shown anew."""

    grant: Grant
    state: GrantState
    is_command: bool
    """It lets a command run; else it lets a tool be called."""
    thread_title: str = ""
    """Of the thread that it is for; empty for one without a title."""
    thread_in_trash: bool = False

    @property
    def covers_whole_tool(self) -> bool:
        return self.grant.digest is None and self.grant.pattern is None

    @property
    def has_no_effect(self) -> bool:
        return self.state is not GrantState.ACTIVE or self.thread_in_trash

    @property
    def arguments(self) -> Any:
        """The arguments that were allowed, as a value; None where the summary is no JSON object."""
        if self.is_command or self.covers_whole_tool:
            return None
        try:
            value = json.loads(self.grant.summary)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def matches(self, words: list[str]) -> bool:
        """Tell whether all the (case-folded) words occur in what the row says."""
        grant = self.grant
        text = f"{grant.summary} {grant.tool_name} {grant.server_id} {grant.folder} {self.thread_title}".casefold()
        return all(word in text for word in words)
