"""How one connection to a server went, and its end: politely where that works, and soon in any case."""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.mcp_client.child import ChildProcess
from desktop.tools.entities import ServerState
from desktop.tools.server_remarks import Account

if TYPE_CHECKING:
    from fastmcp import Client

logger = logging.getLogger(__name__)

MAX_CLOSE_SECONDS = 8.0


@dataclass(frozen=True, kw_only=True)
class Life:
    """How one connection went."""

    was_ready: bool
    ending: Account
    hopeless: bool = False
    """Trying again cannot help."""
    refused_handshake: bool = False
    """It may speak only the newer protocol era."""
    waits_as: ServerState | None = None
    """Only the user can help: with a secret, or by signing in."""


async def shut(client: "Client[Any] | None", child: ChildProcess | None, server_id: str) -> None:
    """Close the connection; a failure to do so politely must not keep the process alive."""
    try:
        if client is not None:
            async with asyncio.timeout(MAX_CLOSE_SECONDS - 1):
                await client.close()
    except Exception:  # whatever the SDKs and the connection below them raise: the process ends all the same
        logger.debug("MCP server %s could not be closed politely", server_id, exc_info=True)
    finally:
        if child is not None:
            await child.stop()


async def quietly_wait(event: asyncio.Event, seconds: float) -> None:
    """Wait for it, at most so long."""
    # ``wait_for`` loses a cancellation that comes together with the event (Python 3.11).
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
