"""The help that comes with the app: the user guide, what is new, and the report for a bug."""
