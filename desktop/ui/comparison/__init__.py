"""The answers of several models to one message, side by side."""
