"""Prose and tables: a text browser without bars that loads nothing and opens nothing."""

import html
import math
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, QUrl
from PySide6.QtGui import QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from desktop.ui.markdown.html_growth import added_text
from desktop.ui.markdown.html_writer import Link
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, RichBlock, TableBlock
from desktop.ui.transcript.blocks.selectable_text import SelectableText
from desktop.ui.transcript.context import BlockContext, Look, TextWidget

SCROLL_BAR_HEIGHT = 12
SPOKEN_CHARACTERS = 300
MOST_OF_ADDRESS = 500


class RichText(SelectableText, QTextBrowser):
    """Shows HTML made by ``HtmlWriter``. A link is a number into ``links``; its address appears in the tooltip."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._html = ""
        self._links: Sequence[Link] = ()
        self._is_quiet = False
        self._width = -1
        self._style: tuple[Look, bool] | None = None
        self.setProperty("block", "rich")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(24)
        self.viewport().setAutoFillBackground(False)
        self.anchorClicked.connect(self._activate)
        self.highlighted.connect(self._show_address)

    def show_html(self, text: str, links: Sequence[Link], *, is_quiet: bool = False) -> None:
        added = added_text(self._html, text) if self._style == (self._context.look, is_quiet) else None
        self._html, self._links, self._is_quiet = text, links, is_quiet
        # Tab stops at text only where there is a link to follow.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if links else Qt.FocusPolicy.ClickFocus)
        if added is None:
            self._render()
        else:  # only the last line is laid out and painted
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(added)
        # What a screen reader says of it in a list of objects; the text itself it reads from the document.
        if added is None or len(self.accessibleName()) < SPOKEN_CHARACTERS:
            self.setAccessibleName(self.document().toPlainText()[:SPOKEN_CHARACTERS])

    def _render(self) -> None:
        look, document = self._context.look, self.document()
        if self._style != (look, self._is_quiet):  # each costs as much as the HTML, and text streams
            self._style = (look, self._is_quiet)
            document.setDefaultFont(look.ui_font)
            document.setDefaultStyleSheet(look.quiet_css if self._is_quiet else look.css)
        document.setHtml(self._html)
        self._width = -1

    def height_for(self, width: int) -> int:
        if self._width != width:
            # Setting the document's own width does not last: the browser resets it to that of its viewport.
            self.setLineWrapColumnOrWidth(width)
            self._width = width
        return math.ceil(self.document().size().height())

    def link_at(self, position: QPoint) -> Link | None:
        """The link at ``position`` of the viewport."""
        return self._link(self.anchorAt(position))

    def restyle(self) -> None:
        self._render()

    def text_widget(self) -> TextWidget | None:
        return self

    def focus_widgets(self) -> list[QWidget]:
        return [self] if self._links else []

    def _activate(self, url: QUrl) -> None:
        link = self._link(url.toString())
        if link is not None:
            self._context.actions.link_activated.emit(link.target, link.label)

    def _show_address(self, url: QUrl) -> None:
        """The mouse came to a link, or left it: the tooltip names the address that it really has."""
        link = self._link(url.toString())
        # Written as HTML: otherwise Qt would take an address for HTML when it looks like it.
        address = "" if link is None else html.escape(readable(link.target)[:MOST_OF_ADDRESS])
        self.viewport().setToolTip(f"<p style='white-space:pre-wrap'>{address}</p>" if address else "")

    def _link(self, anchor: str) -> Link | None:
        number = anchor.removeprefix("#")
        if number.isdecimal() and int(number) < len(self._links):
            return self._links[int(number)]
        return None

    # Qt's own names from here on.

    def loadResource(self, type: int, name: QUrl | str) -> object:  # noqa: N802
        """Nothing is ever loaded: no image, no style sheet, from nowhere."""
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, 0)


class RichTextWidget(RichText):
    """A ``RichBlock`` of an answer."""

    def set_block(self, block: Block) -> None:
        assert isinstance(block, RichBlock)
        self.show_html(block.segment.html, block.segment.links, is_quiet=block.is_quiet)


class TableWidget(RichText):
    """A ``TableBlock``; one that is wider than the column scrolls sideways by itself."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        # A cell keeps its words whole; the table may become wider than the column.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, TableBlock)
        segment = block.segment
        text = segment.html
        if segment.hidden_rows:
            # lupdate does not see plural forms in f-strings; %Ln is Qt's own
            more = self.tr("… and %Ln more rows. Copy the message to get them all.", "", segment.hidden_rows)
            text += f"<p>{more}</p>"
        self.show_html(text, segment.links, is_quiet=block.is_quiet)

    def _render(self) -> None:
        super()._render()
        self.moveCursor(QTextCursor.MoveOperation.Start)  # the view follows its cursor, which is at the end by now

    def height_for(self, width: int) -> int:
        height = super().height_for(width)
        if math.ceil(self.document().size().width()) > width:
            height += SCROLL_BAR_HEIGHT
        return height

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()
