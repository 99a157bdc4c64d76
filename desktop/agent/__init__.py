"""The agent layer: the loop that turns one user message into an answer, its events and use cases."""
