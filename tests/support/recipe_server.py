"""A server as many write them: FastMCP, a tool that asks in the middle of its call, the answer a dataclass.

``recipe_server.py stdio|http|sse [PORT]``.
"""

import asyncio
import sys
from dataclasses import dataclass

from fastmcp import Context, FastMCP

mcp = FastMCP("recipe")


@dataclass
class Confirmation:
    confirm: bool


@mcp.tool
async def execute_command_local(command: str, ctx: Context, timeout: float = 10) -> str:  # noqa: ASYNC109
    """Run a command on this machine, after asking the user."""
    answer = await ctx.elicit(f"Run this command?\n\n{command}", response_type=Confirmation)
    if answer.action != "accept":
        return f"The user did not agree ({answer.action})."
    if not answer.data.confirm:
        return "The user said no."
    process = await asyncio.create_subprocess_shell(command, stdout=asyncio.subprocess.PIPE)
    output, _ = await asyncio.wait_for(process.communicate(), timeout)
    return output.decode().strip()


@mcp.tool
async def count(to: int, ctx: Context) -> str:
    """Count, and tell how far it is."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to, f"at {number}")
        await asyncio.sleep(0.02)
    return f"counted to {to}"


@mcp.tool
def greet(name: str) -> str:
    """Return a greeting."""
    return f"Hello, {name}!"


if __name__ == "__main__":
    way, *port = sys.argv[1:]
    match way:
        case "stdio":
            mcp.run(show_banner=False)
        case "http" | "sse":
            mcp.run(transport=way, host="127.0.0.1", port=int(port[0]), show_banner=False)
