"""Files that the user sent with a message: images as small pictures, all others as a line that opens their text."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop.conversation.entities import AttachmentPart
from desktop.ui.attachment_words import ICONS, attachment_words, shown_name
from desktop.ui.controls import ElidedButton
from desktop.ui.state.row_blocks import Block, FileBlock, ImagesBlock
from desktop.ui.transcript.blocks.lines import Line
from desktop.ui.transcript.context import BlockContext

CHIP_HEIGHT = 34
WIDEST, HIGHEST, LEAST, GAP, RADIUS = 240, 160, 48, 6, 10


class FileLine(Line):
    """At the right, like the bubble below it; a click shows the text that was sent."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._part: AttachmentPart | None = None
        self._button = ElidedButton(self)
        self._button.setObjectName("attached-file")
        self._button.clicked.connect(self._open)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, FileBlock)
        self._part = block.part
        self._button.set_full_text(attachment_words(block.part))
        self.restyle()

    def height_for(self, width: int) -> int:
        return max(CHIP_HEIGHT, self._button.sizeHint().height())

    def focus_widgets(self) -> list[QWidget]:
        return [self._button]

    def restyle(self) -> None:
        if self._part is not None:
            self._context.theme.set_icon(self._button, ICONS[self._part.kind], "muted", 16)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _open(self) -> None:
        if self._part is not None:
            self._context.actions.file_requested.emit(self._part.text, shown_name(self._part))

    def _place(self) -> None:
        width = min(self.width(), self._button.sizeHint().width() + 40)
        self._button.setGeometry(self.width() - width, 0, width, self.height())


class ImagesWidget(Line):
    """The images of a message, from the right, in as many rows as they need."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._tiles: list[ImageTile] = []

    def set_block(self, block: Block) -> None:
        assert isinstance(block, ImagesBlock)
        for tile in self._tiles[len(block.parts) :]:
            tile.hide()
            tile.deleteLater()
        del self._tiles[len(block.parts) :]
        while len(self._tiles) < len(block.parts):
            self._tiles.append(ImageTile(self._context, self))
        for tile, part in zip(self._tiles, block.parts, strict=True):
            tile.show_part(part)
        self._place(self.width())

    def height_for(self, width: int) -> int:
        return self._place(width)

    def focus_widgets(self) -> list[QWidget]:
        return list(self._tiles)

    def restyle(self) -> None:
        for tile in self._tiles:
            tile.update()

    def _place(self, width: int) -> int:
        rows: list[list[ImageTile]] = [[]]
        for tile in self._tiles:
            if rows[-1] and sum(other.width_of() + GAP for other in rows[-1]) + tile.width_of() > width:
                rows.append([])
            rows[-1].append(tile)
        y = 0
        for row in rows:
            x = width - sum(tile.width_of() for tile in row) - GAP * (len(row) - 1)
            for tile in row:
                tile.setGeometry(max(x, 0), y, min(tile.width_of(), width), tile.height_of())
                x += tile.width_of() + GAP
            y += max((tile.height_of() for tile in row), default=0) + GAP
        return y - GAP


class ImageTile(QAbstractButton):
    """One image; a click opens it as it was given."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("attached-image")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._context = context
        self._part: AttachmentPart | None = None
        self._picture = QPixmap()
        self.clicked.connect(self._open)
        self.show()

    def show_part(self, part: AttachmentPart) -> None:
        words = attachment_words(part)
        self.setAccessibleName(self.tr("Image: %1").replace("%1", words))
        self.setToolTip(words)
        if part != self._part:
            self._part = part
            self._picture = QPixmap()
            self._context.thumbnails.request(part.attachment_id, self)
        self.update()

    def show_thumbnail(self, attachment_id: str, picture: QPixmap) -> None:
        if self._part is not None and attachment_id == self._part.attachment_id:
            self._picture = picture
            self.update()

    def width_of(self) -> int:
        return self.sizeHint().width()

    def height_of(self) -> int:
        return self.sizeHint().height()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Known before the picture is there, so that nothing moves when it comes."""
        px = self._context.look.sizes.px
        part = self._part
        size = QSize(part.width, part.height) if part is not None and part.width > 0 < part.height else QSize(4, 3)
        fitting = size.scaled(QSize(px(WIDEST), px(HIGHEST)), Qt.AspectRatioMode.KeepAspectRatio)
        return fitting.boundedTo(size).expandedTo(QSize(px(LEAST), px(LEAST)))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens = self._context.theme.tokens
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        shape = QPainterPath()
        shape.addRoundedRect(area, RADIUS, RADIUS)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillPath(shape, QColor(tokens.user_bubble))
        painter.setClipPath(shape)
        if self._picture.isNull():
            side = self._context.look.sizes.px(22)
            middle = QRectF(0, 0, side, side)
            middle.moveCenter(area.center())
            self._context.theme.icon("image", "muted", side).paint(painter, middle.toRect())
        else:
            size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            middle = QRectF(0, 0, size.width(), size.height())
            middle.moveCenter(area.center())
            painter.drawPixmap(middle, self._picture, QRectF(self._picture.rect()))
        painter.setClipping(False)
        painter.setPen(QPen(QColor(tokens.focus), 2) if self.hasFocus() else QPen(QColor(tokens.line), 1))
        painter.drawPath(shape)
        painter.end()

    def _open(self) -> None:
        if self._part is not None:
            self._context.actions.image_requested.emit(self._part)
