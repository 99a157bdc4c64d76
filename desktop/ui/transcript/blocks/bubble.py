"""What the user wrote: plain text in a quiet bubble at the right."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.markdown.html_writer import HtmlWriter
from desktop.ui.state.readable import shortened_lines
from desktop.ui.state.row_blocks import Block, BubbleBlock
from desktop.ui.transcript.blocks.rich_text import RichText
from desktop.ui.transcript.context import BlockContext, TextWidget

PADDING_X, TOP, BOTTOM, RADIUS = 14, 9, 6, 14
WIDEST = 0.75
"""Of the column."""


class BubbleWidget(QWidget):
    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._text = RichText(context, self)
        self._text.setObjectName("user-text")
        self._bubble = QRectF()

    def set_block(self, block: Block) -> None:
        assert isinstance(block, BubbleBlock)
        writer = HtmlWriter()
        writer.write_text(shortened_lines(block.text, 4_000))
        self._text.show_html(writer.html, writer.links)

    def height_for(self, width: int) -> int:
        widest = int(width * WIDEST) - 2 * PADDING_X
        self._text.height_for(widest)
        inner_width = min(widest, math.ceil(self._text.document().idealWidth()) + 1)
        inner_height = self._text.height_for(inner_width)
        room = self._context.look.sizes.room
        left = width - inner_width - 2 * PADDING_X
        self._bubble = QRectF(left, 0, inner_width + 2 * PADDING_X, inner_height + room(TOP) + room(BOTTOM))
        self._text.setGeometry(left + PADDING_X, room(TOP), inner_width, inner_height)
        return inner_height + room(TOP) + room(BOTTOM)

    def text_widget(self) -> TextWidget | None:
        return self._text

    def focus_widgets(self) -> list[QWidget]:
        return self._text.focus_widgets()

    def restyle(self) -> None:
        self._text.restyle()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._context.theme.tokens.user_bubble))
        painter.drawRoundedRect(self._bubble, RADIUS, RADIUS)
        painter.end()
