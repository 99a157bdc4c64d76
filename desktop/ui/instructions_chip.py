"""In the header of a chat with instructions of its own: how they begin, and the way to change them."""

from html import escape

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.controls import ElidedButton, describe
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

MOST_WIDTH, LEAST_FOR_WORDS = 240, 110
MOST_ON_CHIP, MOST_IN_TIP = 80, 600
"""Characters."""


class InstructionsChip(ElidedButton):
    """Not there while the chat follows the settings. Instructions may be imported, and so are shown as they are."""

    frame = 44

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("instructionsChip")
        self._instructions = ""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(MOST_WIDTH)
        self.setMinimumWidth(0)
        theme.set_icon(self, "scroll-text", "muted", 14)
        self._retranslate()
        self.hide()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self.frame, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:  # noqa: N802
        return super().sizeHint().boundedTo(self.maximumSize())

    def show_instructions(self, instructions: str | None) -> None:
        """Show how these begin; None where the chat has none of its own."""
        self._instructions = instructions or ""
        self._retranslate()
        self.setVisible(bool(self._instructions))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _elide(self) -> None:
        """A few letters would say less than the icon alone."""
        if self.width() < LEAST_FOR_WORDS:
            self.setText("")
        else:
            super()._elide()

    def _retranslate(self) -> None:
        self.set_full_text(one_line(self._instructions, MOST_ON_CHIP))
        begin = self.tr("Instructions of this chat: %1")
        tip = begin.replace("%1", one_line(self._instructions, MOST_IN_TIP))
        hint = self.tr("Click to change them.")
        describe(
            self,
            begin.replace("%1", one_line(self._instructions, MOST_ON_CHIP)),
            tooltip=f"<qt>{escape(tip, quote=False)}<br><br>{escape(hint, quote=False)}</qt>",
        )
        self.setAccessibleDescription(hint)
