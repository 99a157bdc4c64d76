"""Tools that the app answers itself: they reach nothing outside of it and change nothing, so they never ask."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop.core.digests import canonical_json, sha256_of_json
from desktop.tools.entities import CallState, ToolDescriptor
from desktop.tools.gatekeeper import StateListener
from desktop.tools.policy import Reason
from desktop.tools.ports import ToolJournal


@dataclass(frozen=True)
class HostTool:
    """``answer`` gets arguments that fit the schema, and returns at once what the model reads."""

    descriptor: ToolDescriptor
    answer: Callable[[Mapping[str, Any]], str]

    async def run(
        self, call_id: str, arguments: Mapping[str, Any], journal: ToolJournal, on_state: StateListener
    ) -> str:
        """Answer one call; that it was let run is on disk and announced before. Raises ``StorageError``."""
        tool = self.descriptor
        await journal.decide(
            call_id,
            state=CallState.RUNNING,
            server_id=tool.server_id,
            digest=sha256_of_json([tool.server_id, tool.name, tool.definition_hash, canonical_json(arguments)]),
            choice=None,
            ending=None,
            decided_by="policy",
            reason=Reason.HARMLESS_TOOL,
        )
        on_state(CallState.RUNNING, tool)
        return self.answer(arguments)
