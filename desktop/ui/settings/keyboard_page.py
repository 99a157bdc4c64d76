"""The page Keyboard: all actions with their keys, which are changed there; the search of the settings finds each action."""

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from desktop.core.settings import Settings
from desktop.ui.keyboard.changes import KeyChanges
from desktop.ui.keyboard.shortcut_panel import ShortcutPanel
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.page import SettingRow, SettingsPage
from desktop.ui.shortcuts import SHORTCUTS, search_text
from desktop.ui.theme.theme_manager import ThemeManager

LEAST_HEIGHT = 320
_BELOW = 100
"""For what stands below the list: its button, that of the page, and what is free around them."""


def make_keyboard_page(context: SettingsContext) -> "KeyboardPage":
    page = KeyboardPage(context.theme)
    KeyboardPresenter(page, context)
    return page


class KeyboardPage(SettingsPage):
    """One list that scrolls by itself, as high as the page has room."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("keyboard", "keyboard")
        self.panel = ShortcutPanel(theme, can_reset=False)
        self.panel.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = self.add_section().add_row(self.panel, wide=True)
        self._row.goes_to = self.panel.list.search
        self.retranslate()

    def search(self, query: str) -> list[SettingRow]:
        """Find actions by their names, keys and other words, and list only those."""
        words = query.casefold().split()
        found = sum(all(word in search_text(shortcut) for word in words) for shortcut in SHORTCUTS.values())
        is_found = bool(words) and found > 0
        self.panel.list.search.setText(query if is_found else "")
        if not is_found:
            return super().search(query)
        self._row.set_marked(True)
        return [self._row] * found

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Keyboard"),
            self.tr("Every action with its keys. Choose one to give it other keys; what has them already is named."),
        )
        self._row.set_texts(self.tr("Keyboard shortcuts"), keywords=self.tr("keys hotkeys bindings"))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        above = self.panel.mapTo(self._content, QPoint()).y() + self._across.contentsMargins().top()
        self.panel.setFixedHeight(max(LEAST_HEIGHT, self.viewport().height() - above - _BELOW))


class KeyboardPresenter(QObject):
    """Keeps the page and the keys in the settings alike; belongs to the page."""

    def __init__(self, page: KeyboardPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._changes = KeyChanges(context.services.settings, context.services.report_error)
        page.panel.change_requested.connect(lambda each: self._changes.ask_for_keys(context.window, each))
        page.reset_requested.connect(self._reset)
        context.services.settings.changed.connect(self._show)
        self._show(context.services.settings.settings)

    def _show(self, settings: Settings) -> None:
        self._page.set_can_reset(bool(settings.shortcuts))

    def _reset(self) -> None:
        before = self._context.services.settings.settings.shortcuts
        self._changes.reset_all()
        if not self._context.services.settings.settings.shortcuts:
            self._context.offer_undo(
                lambda: self.tr("“%1” was reset").replace("%1", self._page.title),
                lambda: self._changes.take(before),
            )
