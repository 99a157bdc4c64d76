"""The tools domain: what tools exist, what a call may do, and who is asked."""
