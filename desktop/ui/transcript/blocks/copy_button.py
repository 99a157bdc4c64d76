"""A small Copy button that says for a moment that it did."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.ui.theme.theme_manager import ThemeManager

FEEDBACK_MS = 1_600


class CopyButton(QToolButton):
    """``set_name`` says what a screen reader hears, for example "Copy code". Placed by its right edge, it grows to the left.

    ``width_changed`` comes when it has changed its words and with them its width.
    """

    width_changed = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget, *, grows_left: bool = False) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = ""
        self._grows_left = grows_left
        self.setProperty("role", "small")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._timer = QTimer(self, singleShot=True, interval=FEEDBACK_MS)
        self._timer.timeout.connect(self._rest)
        self.clicked.connect(self._confirm)
        self._rest()

    def set_name(self, name: str) -> None:
        """Give the name, in the present language."""
        if name != self._name:
            self._name = name
            if not self._timer.isActive():
                self._rest()

    def restyle(self) -> None:
        self._rest()

    def _confirm(self) -> None:
        self._show("check", "ok", self.tr("Copied"))
        self.setAccessibleName(self.tr("Copied"))
        self._timer.start()

    def _rest(self) -> None:
        self._show("copy", "muted", self.tr("Copy"))
        self.setAccessibleName(self._name)

    def _show(self, icon: str, colour: str, text: str) -> None:
        size = self._theme.px(14)
        self.setIconSize(QSize(size, size))
        self.setIcon(self._theme.icon(icon, colour, size))
        self.setText(f" {text}")
        if self.width() != (width := self.sizeHint().width()) and self.height():
            left = self.x() + self.width() - width if self._grows_left else self.x()
            self.setGeometry(left, self.y(), width, self.height())
            self.width_changed.emit()
