"""Small helpers for controls that several parts of the window use."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from desktop.ui.theme.theme_manager import ThemeManager

SMALL_ICON = 16


def describe(widget: QWidget, name: str, *, shortcut: str = "", tooltip: str | None = None) -> None:
    """Set the accessible name, and a tooltip that names the shortcut; for tooltips of icon buttons the same text."""
    widget.setAccessibleName(name)
    tip = name if tooltip is None else tooltip
    if shortcut:
        keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        if tip == name:
            widget.setAccessibleDescription(keys)  # else the tooltip, which says the name once more
        tip = f"{tip} ({keys})" if tip else keys
    widget.setToolTip(tip)


def prepare_icon_button(
    button: QAbstractButton, theme: ThemeManager, object_name: str, icon: str, colour: str = "muted"
) -> None:
    """Make a quiet square button with an icon only."""
    button.setObjectName(object_name)
    theme.set_icon(button, icon, colour)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where the user was


def select_from_end(edit: QLineEdit, text: str) -> None:
    """Put in ``text``, all of it selected and its beginning in sight."""
    edit.setText(text)
    edit.end(False)
    edit.home(True)


def announce(widget: QWidget, text: str, *, assertive: bool = False) -> None:
    """Let a screen reader say ``text``: when it has finished its sentence, or ``assertive`` at once."""
    event = QAccessibleAnnouncementEvent(widget, text)
    if assertive:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


class ElidedButton(QPushButton):
    """A flat button whose text is cut with an ellipsis where the width does not suffice."""

    frame = 24
    """So much of its width is not for the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full_text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(40)

    @property
    def full_text(self) -> str:
        return self._full_text

    def set_full_text(self, text: str) -> None:
        self._full_text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self.fontMetrics().horizontalAdvance(self._full_text) + self.frame, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        room = max(self.width() - self.frame + 2, 20)
        text = self.fontMetrics().elidedText(self._full_text, Qt.TextElideMode.ElideRight, room)
        self.setText(text.replace("&", "&&"))


class ElidedLabel(QLabel):
    """A label of one line of plain text, cut with an ellipsis where the width does not suffice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full_text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def full_text(self) -> str:
        return self._full_text

    def set_full_text(self, text: str) -> None:
        self._full_text = text
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self.fontMetrics().horizontalAdvance(self._full_text) + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._full_text, Qt.TextElideMode.ElideRight, self.width()))


class StatusDot(QWidget):
    """A small round light in the colour of a token. What it means stands in words beside it."""

    def __init__(self, theme: ThemeManager, colour: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colour = colour
        theme.changed.connect(self._take_size)
        self._take_size()

    def set_colour(self, token: str) -> None:
        self._colour = token
        self.update()

    def _take_size(self) -> None:
        size = self._theme.px(10)
        self.setFixedSize(QSize(size, size))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(self._theme.tokens, self._colour)))
        half = self.width() / 2
        painter.drawEllipse(QPointF(half, half), half - 1, half - 1)


class IconLabel(QLabel):
    """An icon that says nothing by itself and follows the theme."""

    def __init__(self, theme: ThemeManager, name: str, colour: str, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = (name, colour, size)
        theme.changed.connect(self._paint_icon)
        self._paint_icon()

    def _paint_icon(self) -> None:
        name, colour, size = self._icon
        size = self._theme.px(size)
        self.setPixmap(self._theme.icon(name, colour, size).pixmap(QSize(size, size)))
