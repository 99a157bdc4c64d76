"""Markdown of untrusted origin to what the transcript draws: segments with a small HTML subset, code, plain text."""
