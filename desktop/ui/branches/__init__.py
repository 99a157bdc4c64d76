"""What a chat branches into: the map of its ways, chats of their own, and the way back."""
