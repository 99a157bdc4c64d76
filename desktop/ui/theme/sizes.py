"""Sizes by role: everything that depends on the font size and the density the user chose."""

from dataclasses import dataclass

from desktop.core.settings import AppearanceSettings, Density

USUAL_POINT_SIZE = 10.0
"""The font size for which lengths in pixels are written down."""

_TIGHT = 0.55
"""How much of the usual room is left between things in the compact density."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Point sizes of text, and lengths that go with them."""

    font: float
    code: float
    is_compact: bool
    text_width: int
    """The greatest width of the transcript's text, in pixels."""

    @classmethod
    def of(cls, appearance: AppearanceSettings) -> "Sizes":
        return cls(
            font=appearance.font_size,
            code=appearance.code_font_size,
            is_compact=appearance.density is Density.COMPACT,
            text_width=appearance.text_width,
        )

    @property
    def scale(self) -> float:
        """The font size in parts of the usual one."""
        return self.font / USUAL_POINT_SIZE

    @property
    def tiny(self) -> float:
        """Labels of code blocks, figures below an answer."""
        return round(self.font * 0.85, 1)

    @property
    def small(self) -> float:
        """Second lines and hints."""
        return round(self.font * 0.9, 1)

    @property
    def title(self) -> float:
        return round(self.font * 1.1, 1)

    @property
    def heading(self) -> float:
        return round(self.font * 1.5, 1)

    def px(self, length: int) -> int:
        """Return a length that grows with the text: heights of lines, sizes of icons."""
        return round(length * self.scale)

    def room(self, length: int) -> int:
        """Return an empty room between things: less of it in the compact density."""
        return round(length * _TIGHT) if self.is_compact else length
