"""The palette: one field that leads to every chat and runs every action."""
