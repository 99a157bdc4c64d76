"""What a person has entered and read in a dialog, for the parts that replace its own in another language."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from desktop.ui.dialogs.parts import FittingScrollArea
from desktop.ui.dialogs.plain_box import PlainBox

Restore = Callable[[QWidget], None]


class KeptEntries:
    """The state of all named controls below ``content``: texts, ticks, choices, what was read, how far it was scrolled."""

    def __init__(self, content: QWidget) -> None:
        self._kept: Mapping[str, list[Restore]] = {
            widget.objectName(): [*_entered(widget), *_read(widget)]
            for widget in content.findChildren(QWidget)
            if widget.objectName()
        }

    def give_to(self, content: QWidget) -> None:
        """Let the controls of the same names below ``content`` have it."""
        for name, restores in self._kept.items():
            if restores and (widget := content.findChild(QWidget, name)) is not None:
                for restore in restores:
                    restore(widget)


def _entered(widget: QWidget) -> list[Restore]:
    match widget:
        case QLineEdit():
            return [_line(widget.text(), widget.cursorPosition())]
        case QPlainTextEdit() if not widget.isReadOnly():
            return [_text(widget.toPlainText(), widget.textCursor().position())]
        case QAbstractButton() if widget.isCheckable():
            return [_tick(widget.isChecked())]
        case QComboBox():
            return [_choice(widget.currentIndex())]
        case _:
            return []


def _read(widget: QWidget) -> list[Restore]:
    restores: list[Restore] = []
    if isinstance(widget, PlainBox) and widget.end_was_shown:
        restores.append(_was_read)
    if isinstance(widget, FittingScrollArea) and widget.all_was_seen:
        restores.append(_was_read)
    if isinstance(widget, QAbstractScrollArea) and (place := widget.verticalScrollBar().value()):
        restores.append(_scrolled(place))
    return restores


def _line(text: str, cursor: int) -> Restore:
    def restore(widget: QWidget) -> None:
        if isinstance(widget, QLineEdit):
            if widget.text() != text:  # a default that nobody touched goes back as it came
                widget.setText(text)
            widget.setCursorPosition(cursor)

    return restore


def _text(text: str, position: int) -> Restore:
    def restore(widget: QWidget) -> None:
        if isinstance(widget, QPlainTextEdit):
            if widget.toPlainText() != text:
                widget.setPlainText(text)
            cursor = widget.textCursor()
            cursor.setPosition(position)
            widget.setTextCursor(cursor)

    return restore


def _tick(is_checked: bool) -> Restore:
    def restore(widget: QWidget) -> None:
        if isinstance(widget, QAbstractButton):
            widget.setChecked(is_checked)

    return restore


def _choice(index: int) -> Restore:
    def restore(widget: QWidget) -> None:
        if isinstance(widget, QComboBox):
            widget.setCurrentIndex(index)

    return restore


def _was_read(widget: QWidget) -> None:
    if isinstance(widget, PlainBox | FittingScrollArea):
        widget.count_as_read()


def _scrolled(place: int) -> Restore:
    def restore(widget: QWidget) -> None:
        if isinstance(widget, QAbstractScrollArea):
            widget.verticalScrollBar().setValue(place)

    return restore


def same_named(widget: QWidget | None, content: QWidget) -> QWidget | None:
    """Return the widget below ``content`` that has the name of ``widget`` and can take the focus, or would if enabled."""
    if widget is None or not widget.objectName():
        return None
    found = content.findChild(QWidget, widget.objectName())
    return found if found is not None and found.focusPolicy() is not Qt.FocusPolicy.NoFocus else None
