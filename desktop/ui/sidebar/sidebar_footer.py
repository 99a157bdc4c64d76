"""The foot of the sidebar: which model answers and how it did, the settings, the Trash, and theme and language."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop.core.settings import Theme
from desktop.ui.controls import ElidedLabel, StatusDot, describe, prepare_icon_button
from desktop.ui.popup import round_corners
from desktop.ui.shortcuts import keys_of
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import SYSTEM, own_name


class SidebarFooter(QWidget):
    """Emits ``settings_requested``, ``memory_requested``, ``archive_requested``, ``trash_requested``,
    ``theme_chosen`` (a ``Theme``), ``language_chosen``, ``shortcuts_requested``, ``about_requested`` and
    ``help_requested`` (``guide``, ``whats_new`` or ``report_problem``)."""

    settings_requested = Signal()
    memory_requested = Signal()
    trash_requested = Signal()
    archive_requested = Signal()
    theme_chosen = Signal(object)
    language_chosen = Signal(str)
    shortcuts_requested = Signal()
    about_requested = Signal()
    help_requested = Signal(str)

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model_failed = False
        self._trash_count = 0
        self._trash_is_more = False
        self._dot = StatusDot(theme, "ok")
        self._model = ElidedLabel()
        self._model.setObjectName("modelStatus")
        self._model.setProperty("role", "muted")
        self._settings = QToolButton()
        prepare_icon_button(self._settings, theme, "settingsButton", "settings")
        self._settings.clicked.connect(lambda: self.settings_requested.emit())
        self._memory = QToolButton()
        prepare_icon_button(self._memory, theme, "memoryButton", "brain")
        self._memory.clicked.connect(lambda: self.memory_requested.emit())
        self._archive = QToolButton()
        prepare_icon_button(self._archive, theme, "archiveButton", "archive")
        self._archive.clicked.connect(self.archive_requested)
        self._trash = QToolButton()
        prepare_icon_button(self._trash, theme, "trashButton", "trash")
        self._trash.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._trash.clicked.connect(self.trash_requested)
        self._menu_button = QToolButton()
        prepare_icon_button(self._menu_button, theme, "menuButton", "ellipsis")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.setObjectName("mainMenu")
        self._menu_button.setMenu(self._menu)
        self._theme_menu, self._language_menu = QMenu(self._menu), QMenu(self._menu)
        self._help_menu = QMenu(self._menu)
        self._help_menu.setObjectName("helpMenu")
        for menu in (self._menu, self._theme_menu, self._language_menu, self._help_menu):
            round_corners(menu)
        self._menu.addMenu(self._theme_menu)
        self._theme_actions = self._choices(self._theme_menu, [(theme, "") for theme in Theme], self.theme_chosen.emit)
        self._menu.addMenu(self._language_menu)
        self._language_actions: dict[str, QAction] = {}
        self.set_languages([])
        self._menu.addSeparator()
        self._show_memory = self._action("showMemory", self.memory_requested.emit)
        self._menu.addMenu(self._help_menu)
        self._help_actions = {
            each: self._action(f"help-{each}", lambda each=each: self.help_requested.emit(each), self._help_menu)
            for each in ("guide", "whats_new", "report_problem")
        }
        self._shortcuts = self._action("showShortcuts", self.shortcuts_requested.emit)
        self._about = self._action("showAbout", self.about_requested.emit)
        model = QHBoxLayout()
        model.setContentsMargins(6, 0, 0, 0)
        model.setSpacing(8)
        model.addWidget(self._dot)
        model.addWidget(self._model, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self._settings, self._memory, self._archive, self._trash):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self._menu_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(model)
        layout.addLayout(buttons)
        self._retranslate()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self._settings, self._memory, self._archive, self._trash, self._menu_button]

    def set_model(self, label: str, *, failed: bool) -> None:
        """Show the model's name, and whether its last answer failed."""
        self._model.set_full_text(label)
        self._model_failed = failed
        self._dot.set_colour("error" if failed else "ok")
        self._describe_model()

    def set_trash_count(self, count: int, *, is_more: bool = False) -> None:
        """Show how many chats are in the Trash; ``is_more`` when there are further ones."""
        self._trash_count, self._trash_is_more = count, is_more
        self._trash.setText(f"{count}{'+' if is_more else ''}" if count else "")
        self._retranslate()

    def set_languages(self, languages: list[str]) -> None:
        """Offer these languages, each by its own name, and that of the system."""
        self.languages = languages
        self._language_menu.clear()
        names = [(SYSTEM, self.tr("Same as system")), *((language, own_name(language)) for language in languages)]
        self._language_actions = self._choices(self._language_menu, names, self.language_chosen.emit)

    def set_appearance(self, theme: Theme, language: str) -> None:
        """Tick what is chosen."""
        self._theme_actions[theme].setChecked(True)
        if language in self._language_actions:
            self._language_actions[language].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _action(self, object_name: str, act: Callable[[], object], menu: QMenu | None = None) -> QAction:
        action = (menu or self._menu).addAction("")
        action.setObjectName(object_name)
        action.triggered.connect(lambda: act())
        return action

    def _choices(
        self, menu: QMenu, names: Iterable[tuple[str, str]], choose: Callable[[str], object]
    ) -> dict[str, QAction]:
        group = QActionGroup(menu)
        actions: dict[str, QAction] = {}
        for value, name in names:
            action = QAction(name, menu)
            menu.addAction(action)
            action.setObjectName(f"choose-{value}")
            action.setCheckable(True)
            action.triggered.connect(lambda _checked=False, value=value: choose(value))
            group.addAction(action)
            actions[value] = action
        return actions

    def _describe_model(self) -> None:
        state = self.tr("its last answer failed") if self._model_failed else self.tr("ready")
        describe(self._model, self.tr("Model: %1 (%2)").replace("%2", state).replace("%1", self._model.full_text))

    def _retranslate(self) -> None:
        self._theme_menu.setTitle(self.tr("Theme"))
        self._language_menu.setTitle(self.tr("Language"))
        self._show_memory.setText(self.tr("Memory"))
        describe(self._memory, self.tr("Memory"), shortcut=keys_of("memory"))
        self._help_menu.setTitle(self.tr("Help"))
        self._help_actions["guide"].setText(self.tr("User guide"))
        self._help_actions["whats_new"].setText(self.tr("What’s new"))
        self._help_actions["report_problem"].setText(self.tr("Report a problem…"))
        self._shortcuts.setText(self.tr("Keyboard shortcuts"))
        self._about.setText(self.tr("About Threadwell"))
        self._theme_actions[Theme.SYSTEM].setText(self.tr("Same as system"))
        self._theme_actions[Theme.LIGHT].setText(self.tr("Light"))
        self._theme_actions[Theme.DARK].setText(self.tr("Dark"))
        self._language_actions[SYSTEM].setText(self.tr("Same as system"))
        describe(self._settings, self.tr("Settings"), shortcut=keys_of("settings"))
        describe(self._menu_button, self.tr("Menu"))
        describe(self._archive, self.tr("Archive"))
        describe(
            self._trash, self.tr("Trash, %n chats", "", self._trash_count) if self._trash_count else self.tr("Trash")
        )
        self._describe_model()
