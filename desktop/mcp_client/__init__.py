"""The MCP host side: one owner task per server."""
