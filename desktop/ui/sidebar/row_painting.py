"""How rows of the sidebar are drawn: rounded background, texts cut to the width, matches marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop.ui.theme.tokens import Tokens

RADIUS = 8.0
SMALLER = 0.88
"""The size of the second line in parts of the first's."""


_SELECTED, _HOVERED, _FOCUSED = (
    flag.value
    for flag in (QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_MouseOver, QStyle.StateFlag.State_HasFocus)
)
"""As numbers: every row is asked for them whenever it is drawn, and Python's flags are slow."""


@dataclass(frozen=True)
class RowState:
    """What the view says about a row."""

    selected: bool
    hovered: bool
    focused: bool

    @classmethod
    def of(cls, option: QStyleOptionViewItem) -> "RowState":
        state: int = option.state.value
        view: object = option.widget
        return cls(
            selected=bool(state & _SELECTED),
            hovered=bool(state & _HOVERED),
            focused=bool(state & _FOCUSED) and getattr(view, "shows_focus", True),
        )


def paint_background(painter: QPainter, rect: QRect, tokens: Tokens, state: RowState) -> None:
    """Draw the rounded background of a selected or hovered row, and the ring of the one that has the focus."""
    if not (state.selected or state.hovered or state.focused):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    if state.selected or state.hovered:
        painter.setBrush(QColor(tokens.selection if state.selected else tokens.hover))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
    if state.focused:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.focus), 2))
        painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), RADIUS - 1, RADIUS - 1)


def smaller(font: QFont) -> QFont:
    """Return the font of secondary text."""
    font = QFont(font)
    font.setPointSizeF(font.pointSizeF() * SMALLER)
    return font


def paint_line(painter: QPainter, rect: QRectF, text: str, font: QFont, colour: str) -> bool:
    """Draw one line cut with an ellipsis; returns whether it had to be cut."""
    if not text:
        return False
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    # Chinese is higher than the line of the font for Latin letters: it must not be clipped.
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(rect, int(flags | Qt.TextFlag.TextDontClip | Qt.TextFlag.TextSingleLine), shown)
    return shown != text


def utf16_ranges(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Turn Python offsets into Qt's: a character beyond the basic plane, such as an emoji, counts two there."""

    def offset(position: int) -> int:
        return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2

    return [(offset(start), offset(end)) for start, end in ranges]


def paint_marked_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    highlights: Sequence[tuple[int, int]],
    font: QFont,
    tokens: Tokens,
    *,
    colour: str,
    max_lines: int,
) -> None:
    """Draw wrapped text, its matches bold and in the accent colour; what does not fit ends in an ellipsis."""
    layout = marked_layout(text, highlights, font, tokens, rect.width(), max_lines=max_lines)
    painter.setPen(QColor(colour))
    y = rect.top()
    count = min(layout.lineCount(), max_lines)
    for number in range(count):
        line = layout.lineAt(number)
        if number == count - 1 and layout.lineCount() > max_lines:
            start = line.textStart()
            rest = text.encode("utf-16-le", "surrogatepass")[2 * start :].decode("utf-16-le", "surrogatepass")
            cut = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, rect.width())
            first = len(text) - len(rest)
            inside = [(max(s - first, 0), min(e - first, len(cut))) for s, e in highlights if e > first]
            tail = marked_layout(cut, [r for r in inside if r[0] < r[1]], font, tokens, rect.width() + 40)
            tail.draw(painter, QPointF(rect.left(), y))
        else:
            line.draw(painter, QPointF(rect.left(), rect.top()))
        y += line.height()


def line_height(font: QFont, tokens: Tokens) -> float:
    """Return how high the layout makes a line of letters of both kinds, which is more than the font says."""
    layout = marked_layout("Ag永", (), font, tokens, 1000)  # held: its lines die with it
    return layout.lineAt(0).height()


def marked_layout(
    text: str,
    highlights: Sequence[tuple[int, int]],
    font: QFont,
    tokens: Tokens,
    width: float,
    *,
    max_lines: int | None = None,
) -> QTextLayout:
    """Lay the text out in lines of ``width`` with the matches marked, no more of it than to see whether ``max_lines`` do."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    formats: list[QTextLayout.FormatRange] = []
    for start, end in utf16_ranges(text, highlights):
        mark = QTextLayout.FormatRange()
        mark.start, mark.length = start, end - start
        style = QTextCharFormat()
        style.setForeground(QColor(tokens.accent))
        style.setFontWeight(QFont.Weight.DemiBold)
        mark.format = style
        formats.append(mark)
    layout.setFormats(formats)
    layout.beginLayout()
    y = 0.0
    while max_lines is None or layout.lineCount() <= max_lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(width, 1.0))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout
