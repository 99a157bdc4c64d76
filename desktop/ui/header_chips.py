"""The chips of the header, which become pictures where it has no room for their words."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QSizePolicy

from desktop.ui.controls import ElidedButton
from desktop.ui.theme.theme_manager import ThemeManager

ICON_SIZE = 14
LEAST_OF_CHIP, LETTERS_OF_WIDE = 14, 80
"""Letters: what is left of a chip, in a header that is less wide than so many."""


class ChipLabel(QLabel):
    """Says something of the chat. What it says is its accessible name, whichever of the two is shown."""

    def __init__(self, theme: ThemeManager, name: str, role: str, icon: str, colour: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", role)
        self._theme, self._icon, self._colour = theme, icon, colour
        self._words = ""
        self._whole_width = 0
        self._is_brief = False
        theme.changed.connect(self._show)
        self.hide()

    def set_words(self, words: str) -> None:
        self._words = words
        self.setAccessibleName(words)
        self._show()

    @property
    def saved(self) -> int:
        """How much wider it would be with its words."""
        return self._whole_width - self.minimumSizeHint().width() if self._is_brief else 0

    def set_brief(self, is_brief: bool) -> None:
        """Show the picture in place of the words, or the words again."""
        if is_brief == self._is_brief:
            return
        self._whole_width = self.minimumSizeHint().width()
        self._is_brief = is_brief
        if is_brief:
            size = self._theme.px(ICON_SIZE)
            self.setPixmap(self._theme.icon(self._icon, self._colour, size).pixmap(size, size))
        else:
            self.setText(self._words)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._is_brief:
            self._show()

    def _show(self) -> None:
        """Show the words; the header finds out whether there is room for them."""
        self._is_brief = False
        self.setText(self._words)


class ChipButton(ElidedButton):
    """As wide as its words, and less where the header has no room for them."""

    def __init__(self, theme: ThemeManager, icon: str) -> None:
        super().__init__()
        self._theme, self._icon = theme, icon
        self._is_brief = False
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(0)
        theme.changed.connect(self._take_icon)

    @property
    def saved(self) -> int:
        """How much wider its least width would be with words."""
        return self._least_of_words() - self._least_of_icon() if self._is_brief else 0

    def set_brief(self, is_brief: bool) -> None:
        """Show a picture in place of the words, or the words again."""
        if is_brief != self._is_brief:
            self._is_brief = is_brief
            self._take_icon()
            self._elide()
            self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        hint = super().sizeHint()
        return QSize(self._least_of_icon(), hint.height()) if self._is_brief else hint

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Whole where there is room: the model's name gives way first."""
        self.ensurePolished()  # else it is measured in another font than it has
        least = self._least_of_icon() if self._is_brief else self._least_of_words()
        return QSize(least, super().minimumSizeHint().height())

    def _least_of_words(self) -> int:
        letter, header = self.fontMetrics().averageCharWidth(), self.parentWidget()
        full = ElidedButton.sizeHint(self).width()
        is_wide = header is not None and header.width() >= LETTERS_OF_WIDE * letter
        return full if is_wide else min(full, LEAST_OF_CHIP * letter + self.frame)

    def _least_of_icon(self) -> int:
        return self._theme.px(ICON_SIZE) + self.frame

    def _elide(self) -> None:
        if self._is_brief:
            self.setText("")
        else:
            super()._elide()

    def _take_icon(self) -> None:
        size = self._theme.px(ICON_SIZE)
        self.setIconSize(QSize(size, size))
        self.setIcon(self._theme.icon(self._icon, "muted", size) if self._is_brief else QIcon())
