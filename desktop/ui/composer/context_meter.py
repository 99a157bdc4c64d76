"""A small ring beside the model: how much of what it can read this chat takes up; a click shows what that is made of."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from desktop.ui.controls import announce, describe
from desktop.ui.punctuation import sentences
from desktop.ui.state.context_meter import ContextFill, Fullness, short_count
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.composer.window_popup import WindowPopup

ROOM = 24
RING = 14
STROKE = 2.5
"""Lengths at the usual text size."""

_COLOURS = {Fullness.ROOMY: "accent", Fullness.FILLING: "warning", Fullness.FULL: "error"}
_URGENCY = (Fullness.UNKNOWN, Fullness.ROOMY, Fullness.FILLING, Fullness.FULL)


class ContextMeter(QAbstractButton):
    """Not there while nothing is known; an empty ring where only the count is."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("contextMeter")
        self._theme = theme
        self._fill: ContextFill | None = None
        self._popup: WindowPopup | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._open)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._restyle)
        self.hide()

    @property
    def fill(self) -> ContextFill | None:
        return self._fill

    def show_fill(self, fill: ContextFill | None) -> None:
        """Show these figures; None hides the meter. What gets scarce is said once."""
        before = self._fill.fullness if self._fill is not None else Fullness.UNKNOWN
        self._fill = fill
        self.setVisible(fill is not None)
        if fill is None:
            return
        self._retranslate()
        self.update()
        if self._popup is not None and self._popup.isVisible():
            self._popup.show_fill(fill)
        now = fill.fullness
        if now in (Fullness.FILLING, Fullness.FULL) and _URGENCY.index(now) > _URGENCY.index(before):
            announce(self, sentences(self.accessibleName(), self._meaning(now)))

    def colour(self) -> str:
        """The name of the token that the ring is filled with; empty where it is not filled."""
        return _COLOURS.get(self._fill.fullness, "") if self._fill is not None else ""

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(ROOM), self._theme.px(ROOM))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self._fill is None:
            return
        tokens, size = self._theme.tokens, self._theme.px(RING)
        stroke = size * STROKE / RING
        ring = QRectF((self.width() - size) / 2, (self.height() - size) / 2, size, size)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(tokens.field_line), stroke))
            painter.drawEllipse(ring)
            percent, colour = self._fill.percent, self.colour()
            if percent is not None and colour:
                pen = QPen(QColor(getattr(tokens, colour)), stroke)
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                painter.setPen(pen)
                painter.drawArc(ring, 90 * 16, -round(min(percent, 100) * 57.6))
            if self.hasFocus():
                painter.setPen(QPen(QColor(tokens.focus), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)

    def _open(self) -> None:
        if self._fill is None:
            return
        if self._popup is None:
            from desktop.ui.composer.window_popup import WindowPopup

            self._popup = WindowPopup(self._theme, self)
        self._popup.show_fill(self._fill)
        self._popup.show_at(self)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _retranslate(self) -> None:
        if (fill := self._fill) is None:
            return
        count = QLocale().toString(fill.tokens)
        if fill.limit is None:
            name = self.tr("Context: about %1 tokens").replace("%1", count)
            lines = [self.tr("How much this model can read is not known. You can enter it in the model's settings.")]
        else:
            percent = QLocale().toString(fill.percent or 0)
            name = self.tr("Context: %1 % of %2").replace("%2", short_count(fill.limit)).replace("%1", percent)
            text = self.tr("The next message, with what goes along, takes about %1 of %2 tokens.")
            lines = [text.replace("%1", count).replace("%2", QLocale().toString(fill.limit))]
        if meaning := self._meaning(fill.fullness):
            lines.append(meaning)
        describe(self, name, tooltip="\n".join((name, *lines)))
        self.setAccessibleDescription("\n".join(lines))

    def _meaning(self, fullness: Fullness) -> str:
        if fullness is Fullness.FILLING:
            return self.tr("It is filling up: when there is no more room, the oldest messages are left out.")
        if fullness is Fullness.FULL:
            return self.tr("There is hardly any room: the oldest messages will be left out.")
        return ""
