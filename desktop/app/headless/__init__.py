"""The second front end: the same core without Qt, driven from a shell."""
