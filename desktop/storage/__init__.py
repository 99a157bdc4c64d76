"""SQLite adapters of the domains' repositories."""
