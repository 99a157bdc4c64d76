"""Reads the list of a server's tools within bounds: pages, time, and how many there may be."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
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

    async def ask(cursor: str | None) -> str | None:
        page = await client.list_tools_mcp(cursor=cursor)
        found.extend(tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools)
        return page.next_cursor

    async with asyncio.timeout(LIST_SECONDS):
        has_more = await read_pages(ask, lambda: len(found) > MAX_TOOLS, most=MAX_PAGES)
    usable = [tool for tool in found if (tool.get("execution") or {}).get("taskSupport") != "required"]
    if len(usable) > MAX_TOOLS or (has_more and len(usable) >= MAX_TOOLS):
        guard.excluded_tools["…"] = f"only the first {MAX_TOOLS} tools are used"
    return tuple(usable[:MAX_TOOLS])


async def read_pages(
    ask: Callable[[str | None], Awaitable[str | None]], is_enough: Callable[[], bool], *, most: int
) -> bool:
    """Ask for one page after another and return whether there are more; a server that goes in circles is left."""
    cursor: str | None = None
    seen: set[str | None] = {None}
    for _ in range(most):
        cursor = await ask(cursor)
        if cursor in seen or is_enough():
            break
        seen.add(cursor)
    return cursor is not None
