"""Backups as the user sees them: the part of the settings, the place on the web, and the way back."""
