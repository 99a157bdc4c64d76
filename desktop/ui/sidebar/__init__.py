"""The sidebar: threads in groups, search, Trash, and the footer with model and menu."""
