"""One set of colour tokens, and what is made from it: palette, style sheet, icons, fonts."""
