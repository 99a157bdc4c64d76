"""What holds for formulas on both sides of the process that draws them."""

INK = "#010203"
"""The colour in which they are drawn; whoever shows one puts the right colour in its place."""
FONT = "formula-text"
"""The font of East Asian characters in them, in the place of which whoever shows one puts a font that has these."""
MOST_CHARACTERS = 1_500
"""Of one that is drawn; a longer one is shown as it is written."""
