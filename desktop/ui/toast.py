"""A short message at the lower edge of a window, with an action such as Undo."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from desktop.ui.controls import Words, announce, describe, has_focus, prepare_icon_button, text_of
from desktop.ui.notices import plain_message
from desktop.ui.theme.motion import fade_in
from desktop.ui.theme.theme_manager import ThemeManager

TOAST_MS = 8000
GAP = 10


class Toast(QFrame):
    """A short message at the lower edge of its parent, with one action, for some seconds or until it is closed.

    Its time stands still under the pointer and while it has the focus. ``left`` comes when it goes with the focus in it,
    ``ended`` when it has gone, however that came.
    """

    left = Signal()
    ended = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget, *, above: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("toast")
        self._area = parent
        self._above = above
        self._words: tuple[Words, Words, str] = ("", "", "")
        self._act: Callable[[], object] | None = None
        self._over: Callable[[], object] | None = None
        self._label = plain_message("", "toastText")
        self._label.setWordWrap(False)
        self._action = QPushButton()
        self._action.setObjectName("toastAction")
        self._action.setFlat(True)
        self._action.clicked.connect(self.act)
        self._close = QToolButton()
        prepare_icon_button(self._close, theme, "toastClose", "x", "window")
        self._close.clicked.connect(self.dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.setSpacing(10)
        layout.addWidget(self._label, 1)
        layout.addWidget(self._action)
        layout.addWidget(self._close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TOAST_MS)
        self._timer.timeout.connect(self.dismiss)
        above.installEventFilter(self)
        for button in (self._action, self._close):
            button.installEventFilter(self)
        self.hide()

    @property
    def can_act(self) -> bool:
        return self._act is not None and self.isVisible()

    def present(
        self,
        text: Words,
        action: Words,
        act: Callable[[], object],
        *,
        shortcut: str = "",
        over: Callable[[], object] | None = None,
    ) -> None:
        """Show ``text``; a click on ``action`` calls ``act`` and ends it. An earlier toast is replaced.

        ``over`` is called instead when it ends without that.
        """
        self._show(text, action, shortcut, act)
        self._over = over
        keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        label = text_of(action)
        announce(self, ". ".join(filter(None, (text_of(text), f"{label} ({keys})" if keys else label))))

    def tell(self, text: Words) -> None:
        """Show ``text``, with nothing to be done about it."""
        self._show(text, "", "", None)
        announce(self, text_of(text))

    def _show(self, text: Words, action: Words, shortcut: str, act: Callable[[], object] | None) -> None:
        self._end()
        self._words = (text, action, shortcut)
        self._retranslate()
        self._act = act
        self.show()
        self._fit()
        self.place()
        self.raise_()
        fade_in(self, self._theme)
        self._timer.start()

    def _retranslate(self) -> None:
        text, action, shortcut = self._words
        self._label.setText(text_of(text))
        label = text_of(action)
        self._action.setText(label)
        self._action.setVisible(bool(label))
        describe(self._action, label, shortcut=shortcut)
        describe(self._close, self.tr("Close this message"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and self.isVisible():
            self._retranslate()
            self._fit()
            self.place()

    def _fit(self) -> None:
        """As wide as the text, which breaks into lines where the window is narrower."""
        room = self._area.width() - 2 * GAP
        self._label.setWordWrap(False)
        if self.sizeHint().width() > room:
            self._label.setWordWrap(True)
            self.resize(room, self.heightForWidth(room))
        else:
            self.adjustSize()

    def act(self) -> None:
        """Do the action once, if there is one."""
        act, self._act = self._act, None
        self._over = None
        self.dismiss()
        if act is not None:
            act()

    def dismiss(self) -> None:
        self._timer.stop()
        self._act = None
        if self._has_focus():
            self.left.emit()
        self.hide()
        self._end()
        self.ended.emit()

    def _end(self) -> None:
        over, self._over = self._over, None
        if over is not None:
            over()

    def place(self) -> None:
        """Stand in the middle, a little above the widget that it was told not to cover."""
        bottom = self._above.geometry().top() - GAP
        self.move((self._area.width() - self.width()) // 2, bottom - self.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and watched is self._above and self.isVisible():
            self.place()
        elif event.type() == QEvent.Type.FocusIn:
            self._timer.stop()
        elif event.type() == QEvent.Type.FocusOut:
            self._run_on()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        """Give time to reach the button."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._run_on()

    def _has_focus(self) -> bool:
        return any(has_focus(button) for button in (self._action, self._close))

    def _run_on(self) -> None:
        """Let its time run, from the beginning, where nobody is about to use it."""
        if self.isVisible() and not self.underMouse() and not self._has_focus():
            self._timer.start()
