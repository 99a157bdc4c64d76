"""A read-only box for untrusted text: plain, complete, scrolling, with deceptive characters as coloured tokens."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from desktop.ui.dialogs.display_lines import DisplayLine
from desktop.ui.theme.theme_manager import ThemeManager

_MARGIN = 8
_NO_LIMIT = 16777215


class PlainBox(QPlainTextEdit):
    """Shows ``lines`` and nothing else: no rich text, no links, no editing.

    It is as high as its text, between ``least_lines`` (when there are so many) and ``most_lines``; with ``may_grow`` it
    takes more room where the dialog has it. The rest scrolls. ``end_shown`` comes once, when the last line was painted.
    """

    end_shown = Signal()

    def __init__(
        self,
        lines: Sequence[DisplayLine],
        theme: ThemeManager,
        *,
        role: str,
        least_lines: int = 3,
        most_lines: int = 12,
        may_grow: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._lines = tuple(lines)
        self._theme = theme
        self._least_lines, self._most_lines, self._may_grow = least_lines, most_lines, may_grow
        self._wish = QSize(200, 40)
        self._is_cut = False
        self._end_was_shown = False
        self.setProperty("role", role)
        if not may_grow:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setCursorWidth(0)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._take_font()
        self.document().setDocumentMargin(_MARGIN)
        self._gutter = _Gutter(self)
        self._marks = _TokenMarks(self)
        self.setPlainText("\n".join(line.text for line in self._lines))
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)
        self.updateRequest.connect(self._gutter.follow)
        theme.changed.connect(self._restyle)

    @property
    def lines(self) -> tuple[DisplayLine, ...]:
        return self._lines

    @property
    def end_was_shown(self) -> bool:
        """Whether the last line has been on the screen."""
        return self._end_was_shown

    def count_as_read(self) -> None:
        """Take the last line as shown: another box with the same text has shown it."""
        self._end_was_shown = True

    def _take_font(self) -> None:
        self.setFont(self._theme.code_font() if self.property("role") == "code" else self._theme.ui_font())

    def _restyle(self) -> None:
        self._take_font()
        self._marks.rehighlight()
        self._gutter.update()

    def token_colours(self) -> tuple[QColor, QColor]:
        tokens = self._theme.tokens
        return QColor(tokens.error), QColor(tokens.error_background)

    def emphasis_colour(self) -> QColor:
        return QColor(self._theme.tokens.text)

    def gutter_colour(self) -> QColor:
        return QColor(self._theme.tokens.muted)

    def gutter_width(self) -> int:
        """Room for line numbers; none where the text has one line."""
        if not any(line.number for line in self._lines):
            return 0
        greatest = max(line.number or 0 for line in self._lines)
        return int(QFontMetricsF(self.font()).horizontalAdvance("0" * len(str(greatest)))) + 14

    @property
    def wants_room(self) -> bool:
        """Whether the box would show more of its text if the dialog had more room."""
        return self._is_cut and self._may_grow

    def fit(self, width: int) -> None:
        """Set the heights for this outer width."""
        heights = self._line_heights(max(width - self.gutter_width() - 2 * _MARGIN - 14, 40))
        self._is_cut = len(heights) > self._most_lines
        self._wish = QSize(width, _outer_height(heights[: self._most_lines]))
        self.setMinimumHeight(_outer_height(heights[: self._least_lines]))
        self.setMaximumHeight(_NO_LIMIT if self.wants_room else self._wish.height())
        self.updateGeometry()

    def _line_heights(self, inner_width: int) -> list[float]:
        """The heights of the first visual lines; Chinese ones are higher than others."""
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        heights: list[float] = []
        for line in self._lines:
            layout = QTextLayout(line.text or " ", self.font())
            layout.setTextOption(option)
            layout.beginLayout()
            while len(heights) <= self._most_lines:
                visual = layout.createLine()
                if not visual.isValid():
                    break
                visual.setLineWidth(inner_width)
                heights.append(visual.height())
            layout.endLayout()
            if len(heights) > self._most_lines:
                break
        return heights

    # Qt's own names from here on.

    def sizeHint(self) -> QSize:  # noqa: N802
        return self._wish

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), self.gutter_width(), area.height()))
        if event.oldSize().width() != event.size().width():
            self.fit(self.width())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if not self._end_was_shown and self._end_is_in_view():
            self._end_was_shown = True
            self.end_shown.emit()

    def _end_is_in_view(self) -> bool:
        last = self.document().lastBlock()
        bottom = self.blockBoundingGeometry(last).translated(self.contentOffset()).bottom()
        return bottom - _MARGIN <= self.viewport().height() + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        # The dialog decides what Enter and Escape mean; a read-only text must not eat them.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_gutter"):
            self.fit(self.width())

    def paint_gutter(self, painter: QPainter, height: int, width: int) -> None:
        """Draw the numbers of the lines in view, and an arrow where a long line only goes on."""
        painter.setPen(self.gutter_colour())
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        while block.isValid():
            top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
            if top > height:
                break
            number = self._lines[block.blockNumber()].number
            rectangle = QRect(0, int(top), width - 4, int(self.blockBoundingGeometry(block).height()))
            painter.drawText(
                rectangle,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop,
                "↪" if number is None else str(number),
            )
            block = block.next()


def _outer_height(heights: list[float]) -> int:
    return math.ceil(sum(heights)) + 2 * _MARGIN + 4


class _Gutter(QWidget):
    def __init__(self, box: PlainBox) -> None:
        super().__init__(box)
        self._box = box

    def follow(self, area: QRect, dy: int) -> None:
        if dy:
            self.scroll(0, dy)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        self._box.paint_gutter(painter, self.height(), self.width())
        painter.end()


class _TokenMarks(QSyntaxHighlighter):
    """Colours what stands for a character that could not be seen, and what is to stand out (a host)."""

    def __init__(self, box: PlainBox) -> None:
        super().__init__(box.document())
        self._box = box

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        number = self.currentBlock().blockNumber()
        if number >= len(self._box.lines):
            return
        line = self._box.lines[number]
        self._emphasise(text, line)
        token = QTextCharFormat()
        foreground, background = self._box.token_colours()
        token.setForeground(foreground)
        token.setBackground(background)
        for start, end in line.tokens:
            self._mark(text, start, end, token)

    def _emphasise(self, text: str, line: DisplayLine) -> None:
        if not any(line.strong for line in self._box.lines):
            return
        quiet = QTextCharFormat()
        quiet.setForeground(self._box.gutter_colour())
        strong = QTextCharFormat()
        strong.setForeground(self._box.emphasis_colour())
        strong.setFontWeight(QFont.Weight.DemiBold)
        self._mark(text, 0, len(text), quiet)
        for start, end in line.strong:
            self._mark(text, start, end, strong)

    def _mark(self, text: str, start: int, end: int, style: QTextCharFormat) -> None:
        # Qt counts in UTF-16 units, Python in characters.
        offset = len(text[:start].encode("utf-16-le", "surrogatepass")) // 2
        length = len(text[start:end].encode("utf-16-le", "surrogatepass")) // 2
        self.setFormat(offset, length, style)
