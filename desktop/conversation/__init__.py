"""The conversation domain: threads, messages, and what of them a model is sent."""
