"""The crash suite: what is done to a working library (kinds), again and again (rounds), and what must hold after each."""
