"""Backups of the whole library: their file, where they lie, and how one becomes a library again."""
