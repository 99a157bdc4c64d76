"""Keeps the control that somebody uses where it is while its page is laid out anew, so that the next click hits it."""

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QScrollArea, QWidget

_LAID_OUT = (QEvent.Type.Move, QEvent.Type.Resize)
_LEFT = (QEvent.Type.FocusOut, QEvent.Type.Hide)
_NEAR = 8
"""A mouse that moved no further than this has not gone away; the layout may take the control from under it meanwhile."""


class SteadyControl(QObject):
    """Scrolls the page against what its layout does. Where that does not suffice, the page gets empty room at its
    beginning or end, which goes again as soon as it is out of sight.

    Only the height is its business: from left to right the page is made so that controls stay.
    """

    def __init__(self, page: QScrollArea, canvas: QWidget) -> None:
        """``canvas`` is the widget that the page scrolls; it has a layout."""
        super().__init__(page)
        self._page = page
        self._canvas = canvas
        self._bar = page.verticalScrollBar()
        self._control: QWidget | None = None
        self._watched: list[QWidget] = []
        self._share = 0.5
        """Which point of the control stays, in parts of its height."""
        self._aim = 0
        """Where it stays, from the upper edge of the page."""
        self._mouse = QPoint()
        self._room_above = 0
        self._is_moving = False
        self._bar.rangeChanged.connect(self._restore)
        self._bar.actionTriggered.connect(self.release)
        self._bar.valueChanged.connect(self._take_room_back)

    def hold(self) -> None:
        """Remember where the control under the mouse stands, or else the one with the focus: the layout will change."""
        if self._control is not None and not self._mouse_went():
            return  # in the midst of a change it may stand elsewhere, and many small steps must not add up
        control, aim = self._control_in_use()
        self.release()
        if control is None:
            return
        self._control, self._aim, self._mouse = control, aim, QCursor.pos()
        self._share = (aim - self._top(control)) / max(control.height(), 1)
        widget = control
        while widget is not None:
            self._watched.append(widget)
            widget.installEventFilter(self)
            widget = widget.parentWidget() if widget is not self._canvas else None

    def release(self) -> None:
        """Let the page be as it is."""
        for widget in self._watched:
            widget.removeEventFilter(self)
        self._watched.clear()
        self._control = None
        self._take_room_back()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kind = event.type()
        if watched is self._control and (kind in _LEFT or (kind == QEvent.Type.Leave and self._mouse_went())):
            self.release()
        elif kind == QEvent.Type.Resize or (kind in _LAID_OUT and watched is not self._canvas):
            self._restore()  # but not where the page was scrolled
        return False

    def _control_in_use(self) -> tuple[QWidget | None, int]:
        """Return the control and which point of it shall stay."""
        viewport = self._page.viewport()
        mouse = viewport.mapFromGlobal(QCursor.pos())
        if self._page.isVisible() and viewport.rect().contains(mouse):
            widget = self._canvas.childAt(self._canvas.mapFrom(viewport, mouse))
            while widget is not None and widget is not self._canvas and not self._is_control(widget):
                widget = widget.parentWidget()
            if widget is not None and widget is not self._canvas:
                return widget.focusProxy() or widget, mouse.y()  # a field of numbers rather than the text in it
        focused = self._page.window().focusWidget()
        if focused is not None and focused.isVisible() and self._canvas.isAncestorOf(focused):
            middle = self._top(focused) + focused.height() // 2
            if 0 <= middle < viewport.height():
                return focused, middle
        return None, 0

    def _mouse_went(self) -> bool:
        return (QCursor.pos() - self._mouse).manhattanLength() > _NEAR

    def _is_control(self, widget: QWidget) -> bool:
        return widget.isEnabled() and bool(widget.focusPolicy().value)

    def _top(self, control: QWidget) -> int:
        return control.mapTo(self._page.viewport(), QPoint(0, 0)).y()

    def _place(self) -> int:
        """Where the point that shall stay is now."""
        control = self._control
        return self._aim if control is None else round(self._top(control) + self._share * control.height())

    def _restore(self) -> None:
        if self._is_moving or self._control is None:
            return
        drift = self._place() - self._aim
        if not drift:
            return
        self._is_moving = True
        wanted = self._bar.value() - self._room_above + drift
        self._give_room_above(max(0, -wanted))
        value = max(0, wanted)
        if value > self._bar.maximum():
            self._canvas.setMinimumHeight(value + self._page.viewport().height())
        self._bar.setValue(value)
        self._is_moving = False

    def _give_room_above(self, height: int) -> None:
        if height != self._room_above and (layout := self._canvas.layout()) is not None:
            margins = layout.contentsMargins()
            margins.setTop(margins.top() + height - self._room_above)
            self._room_above = height
            layout.setContentsMargins(margins)
            layout.activate()

    def _take_room_back(self) -> None:
        """Take away the room that is out of sight by now; nothing moves on the screen."""
        if not shiboken6.isValid(self._bar):  # it tells of its value even while the page is taken apart
            return
        value = self._bar.value()
        if self._is_moving or self._control is not None or self._bar.isSliderDown():
            return
        self._is_moving = True
        if self._canvas.minimumHeight():
            self._canvas.setMinimumHeight(value + self._page.viewport().height())
        if unseen := min(self._room_above, value):
            self._give_room_above(self._room_above - unseen)
            self._bar.setValue(value - unseen)
        self._is_moving = False
