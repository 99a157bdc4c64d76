"""A server that has the client's model write for it, made with fastmcp: as a request in the older era, in rounds in the newer."""

from fastmcp import Context, FastMCP
from mcp import MCPError
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)

server = FastMCP("sampling")
SYSTEM = "You sum up in one sentence."


def _is_modern(ctx: Context) -> bool:
    return (ctx.session.protocol_version or "") >= "2026-07-28"


@server.tool
async def summarise(text: str, ctx: Context) -> str | InputRequiredResult:
    """Sum a text up with the help of the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=f"Sum up: {text}"))
    if not _is_modern(ctx):
        try:
            result = await ctx.session.create_message([message], max_tokens=60, system_prompt=SYSTEM)
        except MCPError as error:
            return f"no summary: {error.error.code} {error.error.message}"
        return _told(result)
    if not ctx.input_responses:
        params = CreateMessageRequestParams(messages=[message], max_tokens=60, system_prompt=SYSTEM)
        return InputRequiredResult(input_requests={"summary": CreateMessageRequest(params=params)})
    answer = ctx.input_responses["summary"]
    assert isinstance(answer, CreateMessageResult)
    return _told(answer)


@server.tool
async def folders(ctx: Context) -> str | InputRequiredResult:
    """Say which folders the client lets this server know of."""
    if not _is_modern(ctx):
        listed = await ctx.session.list_roots()
    elif not ctx.input_responses:
        return InputRequiredResult(input_requests={"folders": ListRootsRequest()})
    else:
        listed = ctx.input_responses["folders"]
    assert isinstance(listed, ListRootsResult)
    return " ".join(str(root.uri) for root in listed.roots) or "none"


def _told(result: CreateMessageResult) -> str:
    block = result.content
    return f"{block.text if isinstance(block, TextContent) else block} ({result.model}, {result.stop_reason})"


if __name__ == "__main__":
    server.run(show_banner=False)
