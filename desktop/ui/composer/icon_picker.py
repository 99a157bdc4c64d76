"""A button below the message that says what is chosen, with an icon, and opens a list."""

from desktop.ui.model_button import PickerButton
from desktop.ui.theme.theme_manager import ThemeManager

MOST_WIDTH = 220
ICON, BESIDE_ICON = 16, 50
"""Pixels of the icon before the words, and of all that stands beside both."""


class IconPicker(PickerButton):
    """One with an icon, as wide as the size of the text allows."""

    def __init__(self, object_name: str, theme: ThemeManager, *, most_width: int = MOST_WIDTH) -> None:
        super().__init__(object_name, most_width=most_width)
        self._theme = theme
        self._most_width = most_width
        theme.changed.connect(self._take_sizes)
        self._take_sizes()

    def _take_sizes(self) -> None:
        self.frame = BESIDE_ICON + self._theme.px(ICON)
        self.setMaximumWidth(self._theme.px(self._most_width))
