"""Prose and tables: a text browser without bars that loads nothing and opens nothing."""

import html
import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QPainter, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from desktop.ui.markdown.html_growth import added_text
from desktop.ui.markdown.html_writer import Link, WrittenFormula
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, RichBlock, TableBlock
from desktop.ui.transcript.blocks.formula_places import FormulaPlaces, with_sources
from desktop.ui.transcript.blocks.list_indent import list_indent
from desktop.ui.transcript.blocks.selectable_text import SelectableText
from desktop.ui.transcript.context import BlockContext, Look, TextWidget
from desktop.ui.transcript.document_text import document_text
from desktop.ui.transcript.remote_images import ICON, ICON_GAP, PICTURE

SCROLL_BAR_HEIGHT = 12
ICON_SIZE = 15
ROUNDING = 4
"""Pixels by which Qt makes a table too wide that has room: each of its columns is rounded."""
SPOKEN_CHARACTERS = 300
MOST_OF_ADDRESS = 500


class RichText(SelectableText, QTextBrowser):
    """Shows HTML made by ``HtmlWriter``. A link is a number into ``links``; its address appears in the tooltip.

    Formulas are shown as they were typed until they are drawn. What is wider than the column, such as a table, scrolls
    sideways by itself.
    """

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._html = ""
        self._shown = ""
        """The HTML as it stands in the document, with sources in the place of formulas that are not drawn."""
        self._links: Sequence[Link] = ()
        self._formulas: Sequence[WrittenFormula] = ()
        self._places = FormulaPlaces(context.formulas, self)
        self._is_quiet = False
        self._width = context.expected_width
        self._style: tuple[Look, bool] | None = None
        self.setProperty("block", "rich")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        # Known before there is a text: at first it would be laid out without any width, which takes longest.
        self.setLineWrapColumnOrWidth(self._width)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.anchorClicked.connect(self._activate)
        self.highlighted.connect(self._show_address)

    def show_html(
        self, text: str, links: Sequence[Link], formulas: Sequence[WrittenFormula] = (), *, is_quiet: bool = False
    ) -> None:
        is_styled = self._style == (self._context.look, is_quiet)
        self._html, self._links, self._formulas, self._is_quiet = text, links, formulas, is_quiet
        pictures = self._context.formulas
        if missing := [one.formula for one in formulas if not pictures.is_known(one.formula)]:
            pictures.request(missing, self)
        if any(link.is_picture for link in links):
            self._context.remote_images.watch(self)
        shown = self._html_to_show()
        added = added_text(self._shown, shown) if is_styled else None
        self._shown = shown
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
            self.setAccessibleName(document_text(self.document(), formulas)[:SPOKEN_CHARACTERS])

    def formulas_drawn(self) -> None:
        """Some of the formulas are drawn by now, or painted."""
        self._shown = self._html_to_show()
        self._render()
        self._context.actions.height_changed.emit(self)

    def pictures_changed(self) -> None:
        """A picture was loaded, perhaps one that is named here."""
        shown = self._html_to_show()
        if shown != self._shown:
            self._shown = shown
            self._render()
            self._context.actions.height_changed.emit(self)

    def _html_to_show(self) -> str:
        icon = self._context.look.sizes.px(ICON_SIZE)
        text = self._context.remote_images.with_pictures(self._html, self._links, self._width, icon)
        return with_sources(text, self._formulas, self._context.formulas)

    def _render(self) -> None:
        look, document = self._context.look, self.document()
        if self._style != (look, self._is_quiet):  # each costs as much as the HTML, and text streams
            self._style = (look, self._is_quiet)
            document.clear()  # else what stood there is laid out with the new font first
            document.setDefaultFont(look.ui_font)
            document.setDefaultStyleSheet(look.quiet_css if self._is_quiet else look.css)
        document.setIndentWidth(list_indent(self._shown, look.ui_font))
        document.setHtml(self._shown)
        if self._formulas:
            colour = QColor(look.tokens.muted if self._is_quiet else look.tokens.text)
            self._places.lay_out(document, self._formulas, colour, self.devicePixelRatioF())
        if self._may_scroll:
            self.moveCursor(QTextCursor.MoveOperation.Start)  # the view follows its cursor, which is at the end by now
        bars = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(bars.ScrollBarAsNeeded if self._may_scroll else bars.ScrollBarAlwaysOff)

    def height_for(self, width: int) -> int:
        if self._width != width:
            # Setting the document's own width does not last: the browser resets it to that of its viewport.
            self.setLineWrapColumnOrWidth(width)
            self._width = width
        over = math.ceil(self.document().size().width()) - width
        if self._may_scroll and 0 < over <= ROUNDING:
            self.setLineWrapColumnOrWidth(width - over)
        height = math.ceil(self.document().size().height())
        if self._may_scroll and math.ceil(self.document().size().width()) > width:
            height += SCROLL_BAR_HEIGHT
        return height

    @property
    def _may_scroll(self) -> bool:
        """Whether some of it may be wider than the column, which words are not: they break."""
        return bool(self._formulas)

    @property
    def links(self) -> Sequence[Link]:
        return self._links

    @property
    def formulas(self) -> Sequence[WrittenFormula]:
        return self._formulas

    def link_at(self, position: QPoint) -> Link | None:
        """The link at ``position`` of the viewport."""
        return self._link(self.anchorAt(position))

    def restyle(self) -> None:
        if self._width != self._context.expected_width:  # else it is laid out for the width of before first
            self._width = self._context.expected_width
            self.document().clear()
            self.setLineWrapColumnOrWidth(self._width)
        self._render()

    def text_widget(self) -> TextWidget | None:
        return self

    def focus_widgets(self) -> list[QWidget]:
        return [self] if self._links else []

    def _activate(self, url: QUrl) -> None:
        link = self._link(url.toString())
        if link is None:
            return
        if link.target.startswith("#"):
            self._context.actions.place_requested.emit(self, link.target[1:])
        elif link.is_picture and self._context.remote_images.get(link.target) is None:
            self._context.actions.remote_picture_requested.emit(link.target)
        else:
            self._context.actions.link_activated.emit(link.target, link.label)

    def _show_address(self, url: QUrl) -> None:
        """The mouse came to a link, or left it: the tooltip names the address that it really has."""
        link = self._link(url.toString())
        # Written as HTML: otherwise Qt would take an address for HTML when it looks like it.
        is_elsewhere = link is not None and not link.target.startswith("#")
        address = "" if link is None or not is_elsewhere else html.escape(readable(link.target)[:MOST_OF_ADDRESS])
        self.viewport().setToolTip(f"<p style='white-space:pre-wrap'>{address}</p>" if address else "")

    def _link(self, anchor: str) -> Link | None:
        number = anchor.removeprefix("#")
        if number.isdecimal() and int(number) < len(self._links):
            return self._links[int(number)]
        return None

    # Qt's own names from here on.

    def loadResource(self, type: int, name: QUrl | str) -> object:  # noqa: N802
        """Nothing is ever loaded, no image and no style sheet, from nowhere: there are only the formulas of this text,
        and pictures that were loaded because the user wanted that."""
        key = name.toString() if isinstance(name, QUrl) else name
        if key.startswith(PICTURE) and (link := self._link(key.removeprefix(PICTURE))) is not None and link.is_picture:
            return self._context.remote_images.get(link.target)
        if key == ICON:
            return self._icon()
        return self._places.image(key)

    def _icon(self) -> QImage:
        size, ratio = self._context.look.sizes.px(ICON_SIZE), self.devicePixelRatioF()
        image = QImage(QSize(size + ICON_GAP, size) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        self._context.theme.icon("image", "accent", size).paint(painter, 0, 0, size, size)
        painter.end()
        return image

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange and self._formulas:
            self._render()
        if event.type() == QEvent.Type.FontChange and self._context.theme.is_applying:
            self._style = None
            self.document().clear()  # it is styled anew soon: what stands there needs no layout with this font
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, 0)


class RichTextWidget(RichText):
    """A ``RichBlock`` of an answer."""

    def set_block(self, block: Block) -> None:
        assert isinstance(block, RichBlock)
        segment = block.segment
        self.show_html(segment.html, segment.links, segment.formulas, is_quiet=block.is_quiet)


class TableWidget(RichText):
    """A ``TableBlock``; one that is wider than the column scrolls sideways by itself."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        # A cell keeps its words whole; the table may become wider than the column.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, TableBlock)
        segment = block.segment
        self.show_html(segment.html, segment.links, segment.formulas, is_quiet=block.is_quiet)

    @property
    def _may_scroll(self) -> bool:
        return True
