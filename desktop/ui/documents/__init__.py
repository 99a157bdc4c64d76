"""Documents as knowledge in the window: how they are named, what is shown of them, and the ways to add some."""
