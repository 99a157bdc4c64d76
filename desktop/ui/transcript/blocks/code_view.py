"""Fixed-width text with colours and bars of its own, for code blocks and tool cards."""

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop.ui.markdown.highlighting import Highlighting
from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.transcript.blocks.selectable_text import SelectableText
from desktop.ui.transcript.context import BlockContext

LINE_CHARACTERS = 4_000
"""Longer lines are cut for display; one unbroken megabyte would freeze the window for half a minute."""

BAR_HEIGHT = 12


class CodeView(SelectableText, QPlainTextEdit):
    """Shows at most ``most_lines`` lines, then scrolls by itself."""

    def __init__(self, context: BlockContext, parent: QWidget, *, most_lines: int) -> None:
        super().__init__(parent)
        self._context = context
        self._most_lines = most_lines
        self._language = ""
        self._shown = ""
        self._highlighting: Highlighting = ()
        self._line_height = 0
        self._is_wrapped = False
        self._is_higher = False
        """Wrapped, it has more lines than are shown at once."""
        self.setProperty("block", "code")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setTabChangesFocus(True)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)
        self._take_font()

    def show_code(self, text: str, language: str, *, is_growing: bool = False) -> None:
        """Show ``text``; colours come when it does not grow any more."""
        shown = shortened_lines(readable(text), LINE_CHARACTERS)
        self._language = language
        if is_growing and self._shown and shown.startswith(self._shown):
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(shown[len(self._shown) :])
            if self._scrolls:
                self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        elif shown != self._shown:
            self.setPlainText(shown)
        self._shown = shown
        self._highlighting = ()
        if not is_growing:
            self._context.highlighter.request(language, shown, self)

    def set_wrapped(self, wraps: bool) -> None:
        """Wrap lines that are too long, or let them be reached by a bar."""
        if wraps == self._is_wrapped:
            return
        self._is_wrapped = wraps
        modes, wrapping = QPlainTextEdit.LineWrapMode, QTextOption.WrapMode
        self.setWordWrapMode(wrapping.WrapAtWordBoundaryOrAnywhere if wraps else wrapping.NoWrap)
        self.setLineWrapMode(modes.WidgetWidth if wraps else modes.NoWrap)

    def height_for(self, width: int) -> int:
        """The height of the text, with room for the bar where a line is too long."""
        if self._is_wrapped:
            return self._wrapped_height(width)
        lines = min(self.blockCount(), self._most_lines)
        if self._shown.isascii():
            height = lines * self._line_height
        else:
            # Fonts of other scripts are taller.
            height, block = 0.0, self.document().firstBlock()
            for _ in range(lines):
                height += self.blockBoundingRect(block).height()
                block = block.next()
        bar = BAR_HEIGHT if self._widest() > width - 2 * self.document().documentMargin() else 0
        vertical = Qt.ScrollBarPolicy.ScrollBarAsNeeded if self._scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(vertical)
        return math.ceil(height + 2 * self.document().documentMargin()) + bar

    def _wrapped_height(self, width: int) -> int:
        """As many lines as there are on the screen, up to ``most_lines``; no more than those are laid out."""
        self.resize(width, max(self.height(), 1))
        most = self._most_lines * self._line_height
        height, block = 0.0, self.document().firstBlock()
        while block.isValid() and height <= most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        self._is_higher = height > most
        bars = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(bars.ScrollBarAsNeeded if self._scrolls else bars.ScrollBarAlwaysOff)
        return math.ceil(min(height, most) + 2 * self.document().documentMargin())

    def restyle(self) -> None:
        self._take_font()
        self.apply_highlighting(self._shown, self._highlighting)

    @property
    def _scrolls(self) -> bool:
        return self._is_higher if self._is_wrapped else self.blockCount() > self._most_lines

    def _take_font(self) -> None:
        font = self._context.look.code_font
        self.setFont(font)
        self._line_height = math.ceil(QFontMetricsF(font).height())  # Qt's text layout rounds each line up

    def _widest(self) -> float:
        # Bytes instead of characters: Chinese takes three bytes and the room of two.
        longest = max(self._shown.split("\n"), key=lambda line: len(line.encode("utf-8", "replace")), default="")
        return QFontMetricsF(self.font()).horizontalAdvance(longest.replace("\t", " " * 8))

    def apply_highlighting(self, text: str, highlighting: Highlighting) -> None:
        """Colour the lines. Layout formats instead of a cursor's: cheaper, and no part of the document."""
        if text != self._shown:
            return
        self._highlighting = highlighting
        colours = self._context.theme.tokens.syntax
        formats: dict[str, QTextCharFormat] = {}
        block = self.document().firstBlock()
        for spans in highlighting:
            if not block.isValid():
                break
            ranges: list[QTextLayout.FormatRange] = []
            for span in spans:
                if span.kind not in formats:
                    formats[span.kind] = QTextCharFormat()
                    formats[span.kind].setForeground(QColor(getattr(colours, span.kind)))
                piece = QTextLayout.FormatRange()
                piece.start, piece.length, piece.format = span.start, span.length, formats[span.kind]
                ranges.append(piece)
            block.layout().setFormats(ranges)
            block = block.next()
        self.document().markContentsDirty(0, self.document().characterCount())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """The wheel moves the transcript; the text itself only sideways, or while it has the focus."""
        delta = event.angleDelta()
        if abs(delta.x()) > abs(delta.y()):
            takes = self.horizontalScrollBar().maximum() > 0
        else:
            bar = self.verticalScrollBar()
            at_end = bar.value() == (bar.minimum() if delta.y() > 0 else bar.maximum())
            takes = self.hasFocus() and self._scrolls and not at_end
        if takes:
            super().wheelEvent(event)
        else:
            event.ignore()
