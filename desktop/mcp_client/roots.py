"""What a server learns of the user's folders, where the user lets it: the folder of the chat that is calling it, no other."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from desktop.mcp_client.calls import ActiveCalls

WorkspaceOf = Callable[[str], Awaitable[str]]
"""Returns the folder of the chat with this id; of none, the one that chats have where they say nothing."""

logger = logging.getLogger(__name__)


class Roots:
    """Answers one server."""

    def __init__(self, calls: ActiveCalls, workspace_of: WorkspaceOf) -> None:
        self._calls = calls
        self._workspace_of = workspace_of

    async def handle(self, _context: Any) -> list[str]:
        """Return the one folder as an address; none where it cannot be one, for example because it is not there."""
        folder = Path(await self._workspace_of(self._calls.thread_id))
        if not folder.is_absolute() or not await asyncio.to_thread(folder.is_dir):
            logger.info("a server asked for folders; there is none to tell it of")
            return []
        return [folder.as_uri()]
