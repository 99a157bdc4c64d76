"""Loads fastmcp and mcp when they are first needed: beside the running loop, so that the window stays alive."""

import asyncio
import gc
import importlib
import os
import sys
from types import ModuleType

_MODULE = "desktop.mcp_client.transports"


async def load_transports() -> ModuleType:
    """Return the module that stands on the SDKs; the first time it is imported in a worker thread (about a second)."""
    return await asyncio.to_thread(_load)


def _load() -> ModuleType:
    if _MODULE in sys.modules:
        return importlib.import_module(_MODULE)  # waits where another thread is still importing it
    # No ``.env`` of the present folder may configure the SDK, and its log lines go where ours go.
    os.environ.setdefault("FASTMCP_ENV_FILE", os.devnull)
    os.environ.setdefault("FASTMCP_LOG_ENABLED", "false")
    collecting = gc.isenabled()
    # Full collections in the middle of such an import are what would stall the other threads, up to 250 ms each.
    gc.disable()
    try:
        module = importlib.import_module(_MODULE)
        gc.freeze()
    finally:
        if collecting:
            gc.enable()
    return module
