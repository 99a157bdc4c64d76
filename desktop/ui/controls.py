"""Small helpers for controls that several parts of the window use."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop.ui.key_names import native_text
from desktop.ui.punctuation import bracketed
from desktop.ui.theme.theme_manager import ThemeManager

SMALL_ICON = 16

Words = str | Callable[[], str]
"""A text to be shown; where the language may change while it stands there, how it is made anew."""


def text_of(words: Words) -> str:
    """Return the text in the language shown now."""
    return words if isinstance(words, str) else words()


def describe(widget: QWidget, name: str, *, shortcut: str = "", tooltip: str | None = None) -> None:
    """Set the accessible name, and a tooltip that names the shortcut; for tooltips of icon buttons the same text."""
    widget.setAccessibleName(name)
    tip = name if tooltip is None else tooltip
    if shortcut:
        keys = native_text(QKeySequence(shortcut))
        if tip == name:
            widget.setAccessibleDescription(keys)  # else the tooltip, which says the name once more
        tip = bracketed(tip, keys) if tip else keys
    widget.setToolTip(tip)


def prepare_icon_button(
    button: QAbstractButton, theme: ThemeManager, object_name: str, icon: str, colour: str = "muted"
) -> None:
    """Make a quiet square button with an icon only."""
    button.setObjectName(object_name)
    theme.set_icon(button, icon, colour)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where the user was


def pass_undo_on(edit: QLineEdit) -> None:
    """Let Ctrl+Z reach the window where the field itself has nothing to undo: Qt's field swallows it."""
    _UndoPasser(edit)


def select_from_end(edit: QLineEdit, text: str) -> None:
    """Put in ``text``, all of it selected and its beginning in sight."""
    edit.setText(text)
    edit.end(False)
    edit.home(True)


def tab_stops(widget: QWidget) -> list[QWidget]:
    """Return ``widget`` and what lies in it, as far as Tab stops there, in the order in which it was put in.

    Qt's own chain must not be walked: PySide takes what ``nextInFocusChain`` returns for a child of the widget that was
    asked, up to the window at its end, and when that widget dies, all of them are dead for Python.
    """
    stops: list[QWidget] = []
    for each in (widget, *widget.findChildren(QWidget)):
        is_part = isinstance(each.parentWidget(), QAbstractSpinBox | QComboBox)  # which has the focus for it
        is_here = each.window() is widget.window()  # not a list that pops up
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and is_here and not is_part:
            stops.append(each)
    return stops


def bring_into_view(widget: QWidget, margin: int) -> None:
    """Scroll the area that ``widget`` lies in, if any, so that it is seen with ``margin`` pixels above and below."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        bring = partial(area.ensureWidgetVisible, widget, 0, margin)
        # Not before it was laid out, which may change the size of what it lies in, and that once more.
        QTimer.singleShot(0, widget, lambda: QTimer.singleShot(0, widget, bring))


def announce(widget: QWidget, text: str, *, assertive: bool = False) -> None:
    """Let a screen reader say ``text``: when it has finished its sentence, or ``assertive`` at once."""
    event = QAccessibleAnnouncementEvent(widget, text)
    if assertive:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and have the widget look as it says now."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()  # a plain widget is not painted anew by itself


def set_enabled(control: QWidget, enabled: bool) -> None:
    """Switch a control on or off; one that has the focus keeps it until the user goes on, and does nothing meanwhile.

    Qt would move the focus to whatever comes next, where the next key then works.
    """
    resting = control.findChild(_Resting, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if resting is not None:
        if enabled:
            resting.end()
    elif enabled or not has_focus(control):
        control.setEnabled(enabled)
    else:
        _Resting(control)


def has_focus(control: QWidget) -> bool:
    """Whether the control has the focus of its window, also while another window is the active one."""
    return control.window().focusWidget() is control


def is_on(control: QWidget) -> bool:
    """Whether the control does anything: it is enabled, and not only kept for its focus (see ``set_enabled``)."""
    return control.isEnabled() and not control.property("off")


def hand_focus(control: QWidget, to: QWidget) -> None:
    """Before ``control`` is hidden: let ``to`` have the focus if it was there."""
    if has_focus(control):
        to.setFocus(Qt.FocusReason.OtherFocusReason)


class _UndoPasser(QObject):
    def __init__(self, edit: QLineEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        edit.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.matches(QKeySequence.StandardKey.Undo)
            and not self._edit.isUndoAvailable()
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


class _Resting(QObject):
    """Keeps a control that is off, but has the focus, from doing anything."""

    def __init__(self, control: QWidget) -> None:
        super().__init__(control)
        self._control = control
        self._mark(True)
        control.installEventFilter(self)

    def end(self) -> None:
        self._control.removeEventFilter(self)
        self.setParent(None)
        self._mark(False)
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kinds, reasons = QEvent.Type, Qt.FocusReason
        if isinstance(event, QFocusEvent):
            is_back_soon = event.reason() in (reasons.ActiveWindowFocusReason, reasons.PopupFocusReason)
            if event.lostFocus() and not is_back_soon:
                self.end()
                self._control.setEnabled(False)
            return False
        if isinstance(event, QKeyEvent):
            return event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)
        return event.type() in (kinds.MouseButtonPress, kinds.MouseButtonRelease, kinds.MouseButtonDblClick)

    def _mark(self, is_off: bool) -> None:
        set_property(self._control, "off", is_off)


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
    """A small round light in the colour of a token. What it means stands in words beside it.

    It is as high as a line of text: at the top of several lines it stands in the middle of the first.
    """

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
        self.setFixedSize(QSize(size, max(size, self.fontMetrics().height())))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(self._theme.tokens, self._colour)))
        half = self.width() / 2
        painter.drawEllipse(QPointF(half, self.height() / 2), half - 1, half - 1)


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
