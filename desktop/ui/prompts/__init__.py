"""The user's own prompts: the list, the forms to write one and to fill one in, and where their texts go."""
