"""The app shell: the only place where concrete classes meet."""
