"""Reads the list of a server's tools within bounds: pages, time, and how many there may be."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastmcp import Client

MAX_TOOLS = 512
MAX_PAGES = 100
LIST_SECONDS = 20.0


async def read_tools(client: "Client[Any]", guard: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the usable tools as listed, in the form of the wire; ``guard`` notes which were left out.

    Raises when the server lists nothing that can be read, or not in time.
    """
    guard.excluded_tools.clear()
    found: list[Mapping[str, Any]] = []
    cursor: str | None = None
    seen: set[str] = set()
    async with asyncio.timeout(LIST_SECONDS):
        for _ in range(MAX_PAGES):
            page = await client.list_tools_mcp(cursor=cursor)
            found += [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None or cursor in seen or len(found) > MAX_TOOLS:
                break
            seen.add(cursor)
    usable = [tool for tool in found if (tool.get("execution") or {}).get("taskSupport") != "required"]
    if len(usable) > MAX_TOOLS or (cursor is not None and len(usable) >= MAX_TOOLS):
        guard.excluded_tools["…"] = f"only the first {MAX_TOOLS} tools are used"
    return tuple(usable[:MAX_TOOLS])
