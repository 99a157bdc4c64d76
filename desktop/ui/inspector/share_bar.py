"""A bar of the shares that the parts of a request have in its tokens, with what each colour means below."""

from collections.abc import Mapping

from PySide6.QtCore import QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.inspector.rows import number, translate
from desktop.ui.inspector.words import Section
from desktop.ui.sidebar.row_painting import smaller
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.theme.tokens import Tokens

_BAR, _GAP, _DOT = 10, 8, 8
_LEAST = 3.0
"""Pixels of a part that is there at all."""


def colour_of(section: Section, tokens: Tokens) -> str:
    """Return the colour that stands for a part."""
    syntax = tokens.syntax
    return {
        Section.INSTRUCTIONS: syntax.function,
        Section.WISHES: tokens.warning,
        Section.SERVERS: tokens.muted,
        Section.SUMMARY: syntax.number,
        Section.MEMORIES: tokens.ok,
        Section.SESSION: syntax.string,
        Section.MESSAGES: tokens.accent,
        Section.TOOLS: syntax.keyword,
    }.get(section, tokens.muted)


class ShareBar(QWidget):
    """Painted only; what it says is its accessible name, too."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self._theme = theme
        self._shares: Mapping[Section, int] = {}
        self.setObjectName("inspectorShares")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._restyle)

    def show_shares(self, shares: Mapping[Section, int]) -> None:
        self._shares = {section: tokens for section, tokens in shares.items() if tokens > 0}
        self.setVisible(bool(self._shares))
        self.setAccessibleName(", ".join(self._words(section) for section in self._shares))
        self._restyle()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self._lay_out(None, width)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(400, self.heightForWidth(max(self.width(), 300)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.heightForWidth(max(self.width(), 120)))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bar(painter)
        self._lay_out(painter, self.width())
        painter.end()

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _words(self, section: Section) -> str:
        total = sum(self._shares.values())
        share = QLocale().toString(100 * self._shares[section] / total, "f", 0)
        return f"{translate('inspector', section.value)} {number(self._shares[section])} ({share} %)"

    def _paint_bar(self, painter: QPainter) -> None:
        total, width, x = sum(self._shares.values()), float(self.width()), 0.0
        if not total:
            return
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(0, 0, width, _BAR), _BAR / 2, _BAR / 2)
        painter.save()
        painter.setClipPath(clip)
        room = width - _LEAST * len(self._shares)
        for section, tokens in self._shares.items():
            part = _LEAST + room * tokens / total
            painter.fillRect(QRectF(x, 0, part, _BAR), QColor(colour_of(section, self._theme.tokens)))
            painter.fillRect(QRectF(x + part - 1, 0, 1, _BAR), QColor(self._theme.tokens.panel))
            x += part
        painter.restore()

    def _lay_out(self, painter: QPainter | None, width: int) -> int:
        """Draw what the colours mean, or only measure; returns the height of all."""
        font = smaller(self._theme.ui_font())
        metrics = QFontMetricsF(font)
        line = metrics.height() + 4
        x, y = 0.0, float(_BAR + _GAP)
        for section in self._shares:
            words = metrics.elidedText(self._words(section), Qt.TextElideMode.ElideRight, width - _DOT - 6)
            needed = _DOT + 6 + metrics.horizontalAdvance(words)
            if x and x + needed > width:
                x, y = 0.0, y + line
            if painter is not None:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colour_of(section, self._theme.tokens)))
                painter.drawEllipse(QRectF(x, y + (line - _DOT) / 2, _DOT, _DOT))
                painter.setFont(font)
                painter.setPen(QColor(self._theme.tokens.muted))
                place = QRectF(x + _DOT + 6, y, needed, line)
                painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip), words)
            x += needed + 18
        return int(y + line) if self._shares else 0
