"""What Threadwell remembers: recall of past messages and facts, how they are found, and what becomes of them."""
