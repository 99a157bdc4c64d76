"""The settings window: one page for each subject, all of them searchable."""
