"""Below the message: when the tools of this chat ask, on a button that opens the ways to change that."""

from PySide6.QtCore import QEvent

from desktop.core.permission_mode import PermissionMode
from desktop.ui.composer.icon_picker import ICON, IconPicker
from desktop.ui.controls import describe
from desktop.ui.permission_words import mode_icon, mode_sentence, mode_title
from desktop.ui.punctuation import sentences
from desktop.ui.theme.theme_manager import ThemeManager

MOST_WIDTH = 170


class ModeButton(IconPicker):
    """Says the mode of the open chat; emits ``clicked``."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("modeButton", theme, most_width=MOST_WIDTH)
        self._mode = PermissionMode.ASK_FOR_RISK
        self._folder = ""
        self._own_folder = False
        self._plans_first = False
        self._show()
        self.hide()

    def show_mode(self, mode: PermissionMode, folder: str, *, has_own_folder: bool, plans_first: bool = False) -> None:
        """Show when tools ask, where commands run, and whether the model plans first."""
        wanted = (mode, folder, has_own_folder, plans_first)
        if wanted != (self._mode, self._folder, self._own_folder, self._plans_first):
            self._mode, self._folder, self._own_folder, self._plans_first = wanted
            self._show()
        self.show()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._show()

    def _show(self) -> None:
        icon, colour = ("list-checks", "accent") if self._plans_first else (mode_icon(self._mode), "muted")
        self._theme.set_icon(self, icon, colour, ICON)
        title = mode_title(self._mode)
        self.set_full_text(self.tr("Plan first") if self._plans_first else title)
        where = self.tr("Commands of this chat run in %1.") if self._own_folder else self.tr("Commands run in %1.")
        tip = f"{mode_sentence(self._mode)}\n{where.replace('%1', self._folder)}"
        name = self.tr("Permissions: %1").replace("%1", title)
        if self._plans_first:
            plan = self.tr("The model shows a plan first")
            name, tip = sentences(name, plan), f"{plan}.\n{tip}"
        describe(self, name, tooltip=tip)
