"""Finds text that is cut off: every label and button that can be seen has the room that its words need."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QWidget,
)

TOLERANCE = 1
"""A pixel: sizes of text are fractions, those of widgets are not."""

ELLIPSIS = "…"


def clipped_texts(root: QWidget) -> list[str]:
    """Return a line for each visible label or button under ``root`` whose text, or whose whole self, is cut off.

    Text cut on purpose is not meant: it ends in an ellipsis, and its widget has the whole of it as ``full_text``.
    """
    return [
        f"{type(widget).__name__} {widget.objectName() or '?'} {_text(widget)!r}: {problem}"
        for widget in root.findChildren(QWidget)
        if widget.isVisible() and _text(widget)
        for problem in _problems(widget, root)
    ]


def _text(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton):
        return widget.text()
    return widget.currentText() if isinstance(widget, QComboBox) else ""


def _problems(widget: QWidget, root: QWidget) -> Iterator[str]:
    if outside := _outside(widget, root):
        yield outside
    if _is_cut_on_purpose(widget):
        return
    if isinstance(widget, QLabel):
        yield from _label_problems(widget)
    elif isinstance(widget, QComboBox):
        if widget.minimumSizeHint().height() > widget.height() + TOLERANCE:
            yield f"needs a height of {widget.minimumSizeHint().height()}, has {widget.height()}"
    elif isinstance(widget, QPushButton):
        yield from _compare(_needed(widget), _contents_of_push_button(widget))
    elif isinstance(widget, QToolButton | QCheckBox | QRadioButton):
        wanted = widget.sizeHint()
        yield from _compare(QRect(QPoint(), wanted), widget.rect())


def _is_cut_on_purpose(widget: QWidget) -> bool:
    full = getattr(widget, "full_text", None)
    return isinstance(full, str) and full != _text(widget) and _text(widget).rstrip().endswith(ELLIPSIS)


def _outside(widget: QWidget, root: QWidget) -> str:
    """Name the ancestor that does not show all of the widget; what can be scrolled to is in its place."""
    ancestor = widget.parentWidget()
    while ancestor is not None:
        if isinstance(ancestor.parentWidget(), QAbstractScrollArea):
            return ""
        area = QRect(widget.mapTo(ancestor, QPoint(0, 0)), widget.size())
        if not ancestor.rect().adjusted(-TOLERANCE, -TOLERANCE, TOLERANCE, TOLERANCE).contains(area):
            return f"{area} is not inside {type(ancestor).__name__} {ancestor.objectName()} {ancestor.rect()}"
        if ancestor is root:
            break
        ancestor = ancestor.parentWidget()
    return ""


def _label_problems(label: QLabel) -> Iterator[str]:
    room = label.contentsRect()
    if label.wordWrap():
        needed = label.heightForWidth(label.width())
        if needed > label.height() + TOLERANCE:
            yield f"needs a height of {needed}, has {label.height()}"
        longest = max((_size(label, word).width() for word in label.text().split()), default=0)
        if longest > room.width() + TOLERANCE and _breaks_nowhere(label.text()):
            yield f"a word is {longest} wide, the label {room.width()}"
        return
    yield from _compare(_size(label, label.text()), room)


def _breaks_nowhere(text: str) -> bool:
    """Whether a line can only be broken at blanks: not in Chinese, nor where a break was marked."""
    return text.isascii() and "​" not in text


def _size(widget: QWidget, text: str) -> QRect:
    flags = int(Qt.TextFlag.TextShowMnemonic) if isinstance(widget, QAbstractButton) else 0
    return QFontMetrics(widget.font()).boundingRect(QRect(0, 0, 100_000, 100_000), flags, text)


def _needed(button: QPushButton) -> QRect:
    text = _size(button, button.text())
    if button.icon().isNull():
        return text
    icon = button.iconSize()
    return QRect(0, 0, text.width() + icon.width() + 4, max(text.height(), icon.height()))


def _contents_of_push_button(button: QPushButton) -> QRect:
    option = QStyleOptionButton()
    button.initStyleOption(option)
    return button.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, button)


def _compare(needed: QRect, room: QRect) -> Iterator[str]:
    if needed.width() > room.width() + TOLERANCE:
        yield f"needs a width of {needed.width()}, has {room.width()}"
    if needed.height() > room.height() + TOLERANCE:
        yield f"needs a height of {needed.height()}, has {room.height()}"
