"""A server whose tools return everything that the protocol knows: ``result_server.py stdio|http [PORT]``."""

import base64
import struct
import sys
import zlib
from collections.abc import Callable
from typing import Any

import mcp_types
from fastmcp import FastMCP
from fastmcp.tools import ToolResult

mcp = FastMCP("results")


def png(width: int = 64, height: int = 48, colour: int = 200) -> bytes:
    """A picture of one colour, made byte by byte."""

    def piece(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes((colour, 40, 90)) * width) * height
    return b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", header) + piece(b"IDAT", zlib.compress(rows)) + piece(b"IEND", b"")


WAV = b"RIFF" + struct.pack("<I", 40) + b"WAVEfmt " + bytes(28)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _text(text: str, **more: Any) -> mcp_types.TextContent:
    return mcp_types.TextContent(type="text", text=text, **more)


def _image(data: str, kind: str = "image/png") -> mcp_types.ImageContent:
    return mcp_types.ImageContent(type="image", data=data, mime_type=kind)


def _blob(uri: str, data: bytes, kind: str) -> mcp_types.EmbeddedResource:
    blob = mcp_types.BlobResourceContents(uri=uri, blob=_encoded(data), mime_type=kind)
    return mcp_types.EmbeddedResource(type="resource", resource=blob)


def everything() -> ToolResult:
    note = mcp_types.TextResourceContents(uri="memo://note", text="inside the note", mime_type="text/html")
    return ToolResult(
        content=[
            _text("before", annotations=mcp_types.Annotations(audience=["user"], priority=0.5)),
            _image(_encoded(png())),
            _image("%%% no base64 %%%"),
            _image(_encoded(SVG), "image/svg+xml"),
            mcp_types.AudioContent(type="audio", data=_encoded(WAV), mime_type="audio/wav"),
            mcp_types.EmbeddedResource(type="resource", resource=note),
            _blob("file:///tmp/../report.pdf", b"%PDF-1.4\n%%EOF", "application/pdf"),
            _blob("file:///C:/run%20me.exe", b"MZ\x90\0\x03", "image/png"),
            mcp_types.ResourceLink(type="resource_link", name="the rest", uri="https://example.invalid/rest?a=1"),
            _text("after"),
        ],
        structured_content={"total": "many"},
    )


BEHAVIOURS: dict[str, Callable[[], ToolResult]] = {
    "everything": everything,
    "picture": lambda: ToolResult(content=[_image(_encoded(png()))]),
    "two_pictures": lambda: ToolResult(content=[_image(_encoded(png())), _image(_encoded(png(colour=9)))]),
    "data": lambda: ToolResult(content=[], structured_content={"total": 812}),
    "said_data": lambda: ToolResult(content=[_text('{"total": 812}')], structured_content={"total": 812}),
    "large": lambda: ToolResult(content=[_text("first " + "x" * 20_000_000 + " last")]),
    "error": lambda: ToolResult(content=[_text("the disk is full")], is_error=True),
}


@mcp.tool(output_schema={"type": "object", "properties": {"total": {"type": "number", "pattern": "^(a+)+$"}}})
def give(what: str) -> ToolResult:
    """Return what is named."""
    return BEHAVIOURS[what]()


@mcp.tool(output_schema=None)
def tell(what: str) -> ToolResult:
    """Return what is named; promises nothing."""
    return BEHAVIOURS[what]()


_polled = 0


@mcp.tool
def poll() -> str:
    """Return a state that changes every time."""
    global _polled
    _polled += 1
    return f"{_polled} of 9 are done"


@mcp.tool
def stuck(name: str = "") -> str:
    """Return a state that never changes."""
    return f"{name} waiting"


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        mcp.run(show_banner=False)
    else:
        mcp.run(transport="http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
