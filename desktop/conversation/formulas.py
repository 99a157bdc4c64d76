"""Formulas in texts: what one looks like when it is drawn, and the port of whoever draws them."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Formula:
    """What was written between the marks of a formula, and whether it stands on a line of its own."""

    tex: str
    is_display: bool = False


@dataclass(frozen=True)
class DrawnFormula:
    """A formula as SVG in the colour ``core.formula_limits.INK``, with nothing in it but shapes, and East Asian characters
    in the font ``FONT``.

    The measures are in parts of the font's size.
    """

    svg: str
    width: float
    ascent: float
    """From its base line up."""
    descent: float

    @property
    def height(self) -> float:
        return self.ascent + self.descent


class FormulaDrawer(Protocol):
    """Draws formulas that nobody has looked at. None of them can hang or exhaust the program."""

    async def draw(self, formula: Formula) -> DrawnFormula | None:
        """Return the picture; None where it cannot be drawn, and its source is to be shown."""
        ...

    async def close(self) -> None:
        """End whatever runs for it."""
        ...
