"""Programs of their own that read one file which nobody has looked at yet: a picture or a PDF."""
