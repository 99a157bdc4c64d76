"""A list box of a few choices that the wheel does not change."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """Each choice is a key; its words are given again in every language."""

    def __init__(self, object_name: str, *keys: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setProperty("role", "models")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel, which only scrolls, takes the focus nowhere
        self._keys = keys
        self.addItems(list(keys))

    @property
    def key(self) -> str:
        return self._keys[self.currentIndex()]

    def show_key(self, key: str) -> None:
        """Show this choice; emits nothing that a user's choice emits (``activated``)."""
        self.setCurrentIndex(self._keys.index(key))

    def set_keys(self, *keys: str) -> None:
        """Offer other choices, none of which is shown until ``show_key``."""
        self._keys = keys
        self.clear()
        self.addItems(list(keys))

    def set_words(self, *texts: str) -> None:
        for index, text in enumerate(texts):
            self.setItemText(index, text)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()
