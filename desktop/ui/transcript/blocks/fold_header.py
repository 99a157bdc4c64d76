"""The line that opens and closes a tool card or reasoning: one painted button instead of five labels."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from desktop.ui.transcript.blocks.spinner import SPINNING, Spin, paint_spinning
from desktop.ui.transcript.context import BlockContext, TextWidget

ONE_LINE, TWO_LINES, PLAIN = 40, 60, 28
NARROW = 440
"""Below this width state and hint have a line of their own."""

ICON, CHEVRON, MARGIN, SPACE = 16, 16, 12, 8


@dataclass(frozen=True, kw_only=True)
class FoldHeaderText:
    """What the line shows. Colours are names of tokens."""

    icon: str
    icon_colour: str
    title: str
    hint: str = ""
    state: str = ""
    state_colour: str = "muted"
    spoken: str = ""
    """The accessible name."""


class FoldHeader(QAbstractButton):
    """Click, Space or Enter toggles. In a narrow window state and hint go to a second line."""

    def __init__(self, context: BlockContext, parent: QWidget, *, is_plain: bool = False) -> None:
        """``is_plain`` for a line without a card around it: no margins, normal weight, muted."""
        super().__init__(parent)
        self._context = context
        self._is_plain = is_plain
        self._text = FoldHeaderText(icon="wrench", icon_colour="muted", title="")
        self._is_led_by_keys = True
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._spin = Spin(
            context.theme, self, lambda: self.update(0, 0, MARGIN + self._px(ICON) + SPACE, self.height())
        )

    def set_header(self, text: FoldHeaderText, *, is_unfolded: bool) -> None:
        self._text = text
        self._spin.set_running(text.icon == SPINNING)
        self.setChecked(is_unfolded)
        unfolded = self.tr("open") if is_unfolded else self.tr("closed")
        self.setAccessibleName(f"{text.spoken or text.title}, {unfolded}")
        self.update()

    def height_for(self, width: int) -> int:
        if self._is_plain:
            return self._px(PLAIN)
        return self._px(TWO_LINES if self._has_two_lines(width) else ONE_LINE)

    def _has_two_lines(self, width: int) -> bool:
        return width < self._px(NARROW) and bool(self._text.hint or self._text.state)

    def _px(self, length: int) -> int:
        return self._context.look.sizes.px(length)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, self._px(ONE_LINE))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show a ring for the keyboard only: who clicks knows where they are."""
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._is_led_by_keys = event.reason() is not Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        self._is_led_by_keys = True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = self._context.look.tokens
        self._paint_state(painter)
        if self.hasFocus() and self._is_led_by_keys:
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 9, 9)
        title_font, small_font = self._fonts()
        text_colour = tokens.muted if self._is_plain and not self.underMouse() else tokens.text
        painter.setPen(QColor(text_colour))
        if self._is_plain:
            self._paint_plain(painter, title_font)
        elif self._has_two_lines(self.width()):
            self._paint_two_lines(painter, title_font, small_font)
        else:
            self._paint_one_line(painter, title_font, small_font)
        painter.end()

    def _paint_state(self, painter: QPainter) -> None:
        """A veil over the card, whatever colour it has, while the mouse is on the line."""
        if self._is_plain or not self.underMouse():
            return
        veil = QColor(self._context.look.tokens.text)
        veil.setAlphaF(0.09 if self.isDown() else 0.05)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(veil)
        painter.drawRoundedRect(self.rect(), 9, 9)

    def _fonts(self) -> tuple[QFont, QFont]:
        look = self._context.look
        return (look.small_font if self._is_plain else look.strong_font), look.small_font

    def _paint_plain(self, painter: QPainter, font: QFont) -> None:
        height = self.height()
        painter.setFont(font)
        icon, left = self._px(ICON), 4 + self._px(ICON) + 7
        room = self.width() - left - 10 - self._px(CHEVRON)
        title = QFontMetrics(font).elidedText(self._text.title, Qt.TextElideMode.ElideRight, room)
        self._icon(painter, QRect(4, 0, icon, height), self._text.icon, self._text.icon_colour)
        width = QFontMetrics(font).horizontalAdvance(title)
        painter.drawText(QRect(left, 0, width + 2, height), _LEFT, title)
        self._icon(painter, QRect(left + width + 5, 0, self._px(CHEVRON - 2), height), self._chevron, "muted")

    def _paint_one_line(self, painter: QPainter, title_font: QFont, small_font: QFont) -> None:
        height, left = self.height(), MARGIN
        icon, chevron = self._px(ICON), self._px(CHEVRON)
        right = self.width() - MARGIN - chevron
        self._icon(painter, QRect(right, 0, chevron, height), self._chevron, "muted")
        self._icon(painter, QRect(left, 0, icon, height), self._text.icon, self._text.icon_colour)
        left += icon + SPACE
        state_width = QFontMetrics(small_font).horizontalAdvance(self._text.state) + 2
        right -= SPACE + state_width
        title_width = self._draw(painter, title_font, "text", self._text.title, left, right - left - SPACE, 0, height)
        self._draw(painter, small_font, self._text.state_colour, self._text.state, right, state_width, 0, height)
        left += title_width + SPACE
        if right - left > 60:
            self._draw(painter, small_font, "muted", self._text.hint, left, right - left - 2 * SPACE, 0, height)

    def _paint_two_lines(self, painter: QPainter, title_font: QFont, small_font: QFont) -> None:
        icon, chevron = self._px(ICON), self._px(CHEVRON)
        left, right = MARGIN + icon + SPACE, self.width() - MARGIN - chevron
        top, height, below, rest = self._px(8), self._px(24), self._px(30), self._px(22)
        self._icon(painter, QRect(MARGIN, top, icon, height), self._text.icon, self._text.icon_colour)
        self._icon(painter, QRect(right, top, chevron, height), self._chevron, "muted")
        self._draw(painter, title_font, "text", self._text.title, left, right - left - SPACE, top, height)
        room = right - left
        width = self._draw(painter, small_font, self._text.state_colour, self._text.state, left, room, below, rest)
        hint = f" · {self._text.hint}" if self._text.state and self._text.hint else self._text.hint
        left += width
        if right - left > 40:
            self._draw(painter, small_font, "muted", hint, left, right - left, below, rest)

    def _draw(
        self, painter: QPainter, font: QFont, colour: str, text: str, left: int, width: int, top: int, height: int
    ) -> int:
        """Draw one elided line; returns how wide it came out."""
        painter.setFont(font)
        painter.setPen(QColor(getattr(self._context.look.tokens, colour)))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0, width))
        painter.drawText(QRect(left, top, max(0, width) + 2, height), _LEFT, shown)
        return QFontMetrics(font).horizontalAdvance(shown)

    @property
    def _chevron(self) -> str:
        return "chevron-up" if self.isChecked() else "chevron-down"

    def _icon(self, painter: QPainter, area: QRect, name: str, colour: str) -> None:
        size = min(self._px(ICON), area.width())
        icon = self._context.theme.icon(name, colour, size)
        if name == SPINNING:
            paint_spinning(painter, icon, QRectF(area), size, turns=self._context.theme.has_motion)
            return
        icon.paint(painter, area, Qt.AlignmentFlag.AlignCenter)


class FoldLine(QWidget):
    """A block that is one plain line and folds what follows it. A subclass says what stands in it."""

    def __init__(self, context: BlockContext, message_id: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._key = ""
        self._header = FoldHeader(context, self, is_plain=True)
        self._header.setObjectName(f"{name}-header")
        self._header.clicked.connect(lambda: context.actions.fold_toggled.emit(message_id, self._key))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._header)

    def show_line(self, key: str, text: FoldHeaderText, *, is_unfolded: bool) -> None:
        self._key = key
        self._header.set_header(text, is_unfolded=is_unfolded)

    def height_for(self, width: int) -> int:
        return self._header.height_for(width)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        return [self._header]

    def restyle(self) -> None:
        self._header.update()


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
