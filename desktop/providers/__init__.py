"""Adapters for model endpoints, and the built-in demo model."""
