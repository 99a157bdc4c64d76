"""Walks a window by Tab: which controls take the focus, whether each has a name, and whether it can be seen that it has it."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

MOST_STOPS = 80


def stops(root: QWidget) -> Iterator[QWidget]:
    """The visible widgets that the focus can come to."""
    for widget in root.findChildren(QWidget):
        own = widget.focusProxy() is None and widget.focusPolicy().value and widget.isEnabled()
        if own and widget.isVisible() and widget.window() is root.window():
            yield widget


def unnamed(root: QWidget) -> list[str]:
    """Return what can have the focus and says nothing to a screen reader."""
    nameless: list[str] = []
    for widget in stops(root):
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name).strip():
            nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    return nameless


def walk(root: QWidget) -> list[QWidget]:
    """Press Tab until the focus is where it was, and return where it came by in ``root``, from its upper end on.

    ``root`` is in the active window.
    """
    window = root.window()
    first = window.focusWidget()
    assert first is not None, "nothing has the focus"
    reached = [first]
    for _ in range(MOST_STOPS):
        QTest.keyClick(reached[-1], Qt.Key.Key_Tab)
        now = window.focusWidget()
        if now is None or now is first:
            way = [each for each in reached if root is each or root.isAncestorOf(each)]
            upper = min(range(len(way)), key=lambda at: way[at].mapTo(window, way[at].rect().bottomLeft()).y())
            return way[upper:] + way[:upper]
        assert now is not reached[-1], f"Tab does not leave {now.objectName()}"
        reached.append(now)
    raise AssertionError("Tab does not come back")


def without_ring(widgets: list[QWidget]) -> list[str]:
    """Return those that look the same with the focus as without."""
    same: list[str] = []
    for widget in widgets:
        widget.clearFocus()
        before = _look(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if _look(widget) == before:
            same.append(f"{type(widget).__name__} {widget.objectName()}")
    return same


def out_of_order(widgets: list[QWidget], root: QWidget) -> list[str]:
    """Return where Tab goes upwards past a whole line: from one control to another that ends above its top."""
    pairs = pairwise(widgets)
    return [
        f"{before.objectName()} → {after.objectName()}"
        for before, after in pairs
        if after.mapTo(root, after.rect().bottomLeft()).y() < before.mapTo(root, before.rect().topLeft()).y()
    ]


def _look(widget: QWidget) -> QImage:
    """What is seen of a widget and of its frame, which may be drawn by the one around it."""
    QApplication.sendPostedEvents(widget)
    return widget.grab().toImage()
