"""A file that goes with the message, above the text field: what it is, and the ways to look at it and to remove it."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.ui.attachment_words import ICONS, figures, shown_name
from desktop.ui.controls import ElidedButton, describe, prepare_icon_button, set_property
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon

PICTURE_SIDE = 32


class AttachedChip(QFrame):
    """Reading is shown until ``show_part`` is called. Signals: ``view_requested`` and ``remove_requested``."""

    view_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: ThemeManager, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.part: AttachmentPart | None = None
        self._theme = theme
        self._name = readable(name)
        self._is_blind = False
        self.setObjectName("attachedChip")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._state = StateIcon(theme, 16, self)
        self._state.setFixedSize(PICTURE_SIDE, PICTURE_SIDE)
        self._state.show_icon(SPINNING)
        self._picture = _Picture(self)
        self._picture.hide()
        self._view = ElidedButton()
        self._view.setObjectName("attachedView")
        self._view.setProperty("role", "chipButton")
        self._view.clicked.connect(self.view_requested)
        self._note = QLabel()
        self._note.setObjectName("attachedNote")
        self._note.setProperty("role", "muted")
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._remove = QToolButton()
        prepare_icon_button(self._remove, theme, "attachedRemove", "x")
        self._remove.clicked.connect(self.remove_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 2, 4, 2)
        layout.setSpacing(4)
        for widget in (self._state, self._picture, self._view):
            layout.addWidget(widget)
        layout.addWidget(self._note)
        layout.addWidget(self._remove)
        self._retranslate()

    @property
    def is_reading(self) -> bool:
        return self.part is None

    @property
    def note(self) -> str:
        """What stands beside the name."""
        return self._note.text()

    def show_part(self, part: AttachmentPart) -> None:
        """The file was read."""
        self.part = part
        self._name = shown_name(part)
        self._state.show_icon(ICONS[part.kind])
        self._retranslate()

    def show_thumbnail(self, picture: QPixmap) -> None:
        if not picture.isNull():
            self._picture.show_picture(picture)
            self._picture.show()
            self._state.hide()

    def set_blind(self, is_blind: bool) -> None:
        """Say beside an image that the model does not see it, or no more."""
        if is_blind != self._is_blind:
            self._is_blind = is_blind
            self._retranslate()

    def focus_stops(self) -> list[QWidget]:
        return [self._view, self._remove]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        part = self.part
        warns = self._is_blind and part is not None and part.kind is AttachmentKind.IMAGE
        if part is None:
            note = self.tr("Being read…")
        elif warns:
            note = self.tr("This model cannot see images")
        else:
            note = figures(part)
        self._note.setText(note)
        set_property(self._note, "role", "error" if warns else "muted")
        words = f"{self._name} — {note}"
        self.setAccessibleName(words)
        self._view.set_full_text(self._name)
        self._view.setEnabled(part is not None)
        describe(self._view, self.tr("Show: %1").replace("%1", words), tooltip=words)
        describe(self._remove, self.tr("Remove the file: %1").replace("%1", self._name))


class _Picture(QWidget):
    """The thumbnail, cut to a square with round corners."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(PICTURE_SIDE, PICTURE_SIDE)
        self._picture = QPixmap()

    def show_picture(self, picture: QPixmap) -> None:
        self._picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        area = QRectF(self.rect())
        shape = QPainterPath()
        shape.addRoundedRect(area, 6, 6)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(shape)
        side = min(self._picture.width(), self._picture.height())
        source = QRectF(0, 0, side, side)
        source.moveCenter(QRectF(self._picture.rect()).center())
        painter.drawPixmap(area, self._picture, source)
        painter.end()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(PICTURE_SIDE, PICTURE_SIDE)
