"""Assistants: instructions, a model, tools and a reach of memory under one name, which chats and other assistants use."""
