"""How long deleted threads stay; without the rest of the domain, since the Trash is made before the first paint."""

TRASH_DAYS = 30
"""How long a deleted thread stays in the Trash."""
