"""Loads fastmcp and mcp when they are first needed: beside the running loop, so that the window stays alive."""

import asyncio
import logging
import os
from types import ModuleType

from desktop.core.imports import import_quietly

_TRANSPORTS = "desktop.mcp_client.transports"
_SIGN_IN = "desktop.mcp_client.sign_in_flow"


async def load_transports() -> ModuleType:
    """Return the module that stands on the SDKs; the first time it is imported in a worker thread (about a second)."""
    return await asyncio.to_thread(_load, _TRANSPORTS)


async def load_sign_in() -> ModuleType:
    """Return the module that signs somebody in, and renews that."""
    return await asyncio.to_thread(_load, _SIGN_IN)


def _load(module: str) -> ModuleType:
    # No ``.env`` of the present folder may configure the SDK, and its log lines go where ours go.
    os.environ.setdefault("FASTMCP_ENV_FILE", os.devnull)
    os.environ.setdefault("FASTMCP_LOG_ENABLED", "false")
    # It logs every sign-in that fails as an error, in words of servers; what the user should know is said elsewhere.
    logging.getLogger("mcp.client.auth").setLevel(logging.CRITICAL)
    return import_quietly(module)
