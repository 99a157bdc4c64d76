"""Threadwell: a desktop chat app that keeps its memory on the user's own disk and asks before it acts."""

__version__ = "0.1.0"
