"""The user's assistants: the list, the form to make one, and the choice in a chat."""
