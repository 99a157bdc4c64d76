"""A tool server that brings what it is asked for: as text, as a file, and as a link."""

import base64

import mcp_types
from fastmcp import FastMCP
from fastmcp.tools import ToolResult

server = FastMCP("bringing")


@server.tool(output_schema=None)
def bring(words: str) -> ToolResult:
    """Bring these words."""
    blob = base64.b64encode(f"A file about {words}".encode()).decode()
    return ToolResult(
        content=[
            mcp_types.TextContent(type="text", text=f"Brought: {words}"),
            mcp_types.EmbeddedResource(
                type="resource",
                resource=mcp_types.BlobResourceContents(
                    uri="file:///brought.bin", blob=blob, mime_type="application/octet-stream"
                ),
            ),
            mcp_types.ResourceLink(type="resource_link", name=f"More of {words}", uri="https://example.invalid/more"),
        ]
    )


if __name__ == "__main__":
    server.run(show_banner=False)
