"""Chats on their way out and in: files for people and for programs, also those that other programs wrote."""
