"""A server on the older way over HTTP, run as ``python sse_server.py PORT``."""

import sys

from fastmcp import Context, FastMCP

server = FastMCP("old")


@server.tool
async def ask_name(ctx: Context) -> str:
    """Asks for a name in the middle of the call."""
    answer = await ctx.elicit("What is your name?", response_type=str)
    return f"{answer.action}: {getattr(answer, 'data', '')}"


@server.tool
def header(key: str) -> str:
    """Tells a header that the client sent."""
    from fastmcp.server.dependencies import get_http_headers

    return get_http_headers(include_all=True).get(key.lower(), "")


@server.tool
def lines(count: int) -> str:
    """Says the same again and again."""
    return "a line\n" * count


if __name__ == "__main__":
    server.run(transport="sse", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
