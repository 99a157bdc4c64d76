"""Export and import of chats in the window."""
