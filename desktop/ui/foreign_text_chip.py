"""In the header of a chat that holds text by somebody else: says so, and in its tooltip where it came from and what it means."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent

from desktop.ui.header_chips import ChipLabel
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.tools.taint import Taint


class ForeignTextChip(ChipLabel):
    """Not there while the chat holds nothing but what its user and its model wrote."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__(theme, "foreignTextChip", "chip", "triangle-alert", "warning")
        self._taint: Taint | None = None

    def show_taint(self, taint: "Taint | None") -> None:
        self._taint = taint
        self._retranslate()
        self.setVisible(taint is not None)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        if self._taint is None:
            return
        from desktop.ui.grant_words import taint_text  # the first paint needs none of it

        self.set_words(self.tr("Foreign text"))
        tooltip = self.tr(
            "This chat has read what somebody else wrote: %1. Such text can try to make the model do things. "
            "Until the end of this chat you are asked again before anything is sent out, whatever you allowed before."
        ).replace("%1", taint_text(self._taint))
        # Plain text, whatever the name of a file looks like.
        self.setToolTip(f"<qt>{escape(tooltip, quote=False)}</qt>")
        self.setAccessibleDescription(tooltip)
