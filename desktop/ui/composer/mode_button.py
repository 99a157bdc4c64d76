"""Below the message: when the tools of this chat ask, on a button that opens the ways to change that."""

from PySide6.QtCore import QEvent

from desktop.core.permission_mode import PermissionMode
from desktop.ui.composer.model_bar import ICON, IconPicker
from desktop.ui.controls import describe
from desktop.ui.permission_words import mode_icon, mode_sentence, mode_title
from desktop.ui.theme.theme_manager import ThemeManager

MOST_WIDTH = 170


class ModeButton(IconPicker):
    """Says the mode of the open chat; emits ``clicked``."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("modeButton", theme, most_width=MOST_WIDTH)
        self._mode = PermissionMode.ASK_FOR_RISK
        self._folder = ""
        self._own_folder = False
        self._show()
        self.hide()

    def show_mode(self, mode: PermissionMode, folder: str, *, has_own_folder: bool) -> None:
        """Show when tools ask, and where commands run."""
        shown = (self._mode, self._folder, self._own_folder)
        if shown != (mode, folder, has_own_folder):
            self._mode, self._folder, self._own_folder = mode, folder, has_own_folder
            self._show()
        self.show()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._show()

    def _show(self) -> None:
        self._theme.set_icon(self, mode_icon(self._mode), "muted", ICON)
        title = mode_title(self._mode)
        self.set_full_text(title)
        where = self.tr("Commands of this chat run in %1.") if self._own_folder else self.tr("Commands run in %1.")
        tip = f"{mode_sentence(self._mode)}\n{where.replace('%1', self._folder)}"
        describe(self, self.tr("Permissions: %1").replace("%1", title), tooltip=tip)
