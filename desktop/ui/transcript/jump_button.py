"""The round button above the end of the transcript: leads there, and says when something new came."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.ui.controls import set_property
from desktop.ui.theme.theme_manager import ThemeManager

SIZE, GAP = 36, 12


class JumpButton(QToolButton):
    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._has_news = False
        self.setObjectName("jump-to-end")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()
        self.refresh()

    def set_news(self, has_news: bool) -> None:
        """Stand out because text came that was not seen."""
        if has_news != self._has_news:
            self._has_news = has_news
            set_property(self, "news", has_news)
            self.refresh()

    def refresh(self) -> None:
        """Take the language and the theme again."""
        name = self.tr("New text below. Go to the end") if self._has_news else self.tr("Go to the end")
        self.setAccessibleName(name)
        self.setToolTip(name)
        size, icon = self._theme.px(SIZE), self._theme.px(18)
        self.setFixedSize(size, size)
        self.setIconSize(QSize(icon, icon))
        self.setIcon(self._theme.icon("arrow-down", "on_accent" if self._has_news else "text", icon))

    def place(self, area: QRect) -> None:
        """Stand in the middle above the lower edge of ``area``."""
        self.move(area.center().x() - self.width() // 2, area.bottom() - self.height() - GAP)
