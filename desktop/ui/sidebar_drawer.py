"""In a narrow window the sidebar lies over the chat, as wide as it needs, as long as it is looked at."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme_manager import ThemeManager

LEAST_BESIDE = 48
"""So much of the chat stays in sight, to be clicked."""
_SHADE = 0.55


class SidebarDrawer(QWidget):
    """Covers its window while it is open, the sidebar at the left; a click beside it, or the focus elsewhere, ends that.

    Signals:
        left: the user is done with it; nothing is closed yet.
    """

    left = Signal()

    def __init__(self, theme: ThemeManager, sidebar: Sidebar, splitter: QSplitter, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("sidebarDrawer")
        self._theme = theme
        self._sidebar = sidebar
        self._splitter = splitter
        self._area = window
        self._wanted_width = 0
        self.hide()
        window.installEventFilter(self)
        sidebar.hit_activated.connect(self._leave)
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._focus_changed)

    def open(self, wanted_width: int) -> None:
        """Take the sidebar over the chat, with the focus in it."""
        if not self.isVisible():
            self._sidebar.setParent(self)
        self._wanted_width = wanted_width
        self._place()
        self._sidebar.show()
        self.show()
        self.raise_()
        if not self._holds(QApplication.focusWidget()):
            self._sidebar.focus_list()

    def close_drawer(self) -> None:
        """Give the sidebar its place beside the chat again, hidden."""
        if self._sidebar.parentWidget() is not self:
            return
        self._sidebar.hide()
        self.hide()
        self._splitter.insertWidget(0, self._sidebar)
        self._sidebar.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize and watched is self._area and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        event.accept()
        self._leave()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter, tokens = QPainter(self), self._theme.tokens
        shade = QColor(tokens.window)
        shade.setAlphaF(_SHADE)
        painter.fillRect(self.rect(), shade)
        painter.fillRect(self._sidebar.width(), 0, 1, self.height(), QColor(tokens.line))

    def _place(self) -> None:
        self.setGeometry(self._area.rect())
        least = max(self._sidebar.minimumWidth(), self._sidebar.minimumSizeHint().width())
        width = min(max(self._wanted_width, least), self.width() - LEAST_BESIDE)
        self._sidebar.setGeometry(0, 0, width, self.height())

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self.isVisible() and now is not None and now.window() is self._area and not self._holds(now):
            self._leave()

    def _leave(self) -> None:
        if self.isVisible():
            self.left.emit()
