"""Reads files with chats that this program or others wrote; runs in a process of its own and believes nothing."""
