"""A field to search in: with a magnifying glass that grows with the text, and a cross that empties it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit

from desktop.ui.clear_button import offer_clearing
from desktop.ui.controls import SMALL_ICON, IconLabel, pass_undo_on
from desktop.ui.theme.theme_manager import ThemeManager

_BESIDE = 8
"""Pixels left and right of the glass."""


class SearchField(QLineEdit):
    """The glass is a label of its own: Qt draws an action's icon in one size for every font."""

    def __init__(self, object_name: str, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName(object_name)
        pass_undo_on(self)
        self._glass = IconLabel(theme, "search", "muted", SMALL_ICON, self)
        theme.changed.connect(self._place_glass)
        self._place_glass()
        offer_clearing(self, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place_glass()

    def _place_glass(self) -> None:
        size = self._glass.sizeHint()
        room, is_mirrored = size.width() + _BESIDE, self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        margins = self.textMargins()
        (margins.setRight if is_mirrored else margins.setLeft)(room - 2)
        self.setTextMargins(margins)
        left = self.width() - room - 2 if is_mirrored else _BESIDE + 2
        self._glass.setGeometry(left, (self.height() - size.height()) // 2, size.width(), size.height())
