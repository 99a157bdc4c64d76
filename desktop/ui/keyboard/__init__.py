"""The keys of actions: which ones are in force, what they may be, and the list in which they are changed."""
