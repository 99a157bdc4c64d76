"""How far the lists of a text are moved in, so that their numbers have room."""

from PySide6.QtGui import QFont, QFontMetricsF

from desktop.core.expressions import Expression

_START = Expression(r'<ol start="(\d{1,9})"')
_LEAST_DIGITS = 2


def list_indent(html: str, font: QFont) -> float:
    """Return the room before the items of lists in ``html``: Qt cuts off at the left what of a number has none."""
    first = max((int(found[1]) for found in _START.finditer(html)), default=1)
    digits = len(str(first + html.count("<li")))
    return QFontMetricsF(font).horizontalAdvance("8" * max(digits, _LEAST_DIGITS) + ". ")
