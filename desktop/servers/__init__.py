"""The bundled MCP servers: programs of their own that share only the protocol and core with the app."""
