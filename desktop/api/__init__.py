"""The local HTTP API: chats for other programs on this computer, as an adapter beside the window."""
