"""Loads fastmcp and mcp when they are first needed: beside the running loop, so that the window stays alive."""

import asyncio
import os
from types import ModuleType

from desktop.core.imports import import_quietly

_MODULE = "desktop.mcp_client.transports"


async def load_transports() -> ModuleType:
    """Return the module that stands on the SDKs; the first time it is imported in a worker thread (about a second)."""
    return await asyncio.to_thread(_load)


def _load() -> ModuleType:
    # No ``.env`` of the present folder may configure the SDK, and its log lines go where ours go.
    os.environ.setdefault("FASTMCP_ENV_FILE", os.devnull)
    os.environ.setdefault("FASTMCP_LOG_ENABLED", "false")
    return import_quietly(_MODULE)
