"""The one owner of the look: tokens, palette, style sheet, fonts and icons, and their change at run time."""

import weakref

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication

from desktop.core.settings import Theme
from desktop.ui.theme import fonts
from desktop.ui.theme.icons import IconLibrary
from desktop.ui.theme.style_sheet import style_sheet
from desktop.ui.theme.system_scheme import SystemScheme
from desktop.ui.theme.tokens import DARK, LIGHT, Tokens


class ThemeManager(QObject):
    """Applies a theme to the application. ``changed`` comes after the new colours and fonts are in force.

    Styling goes by dynamic properties, so that object names stay free for tests: a ``QPushButton`` or
    ``QToolButton`` has ``role`` ``primary`` or ``danger``; a ``QLabel`` ``muted``, ``title``, ``heading`` or ``error``.
    """

    changed = Signal()

    def __init__(self, app: QApplication, theme: Theme, language: str) -> None:
        super().__init__(app)
        self._app = app
        self._theme = theme
        self._language = language
        self._icons = IconLibrary()
        self._buttons: weakref.WeakKeyDictionary[QAbstractButton, tuple[str, str | None, int]] = (
            weakref.WeakKeyDictionary()
        )
        self._system = SystemScheme(self)
        self._system.changed.connect(self._apply_if_changed)
        app.setStyle("Fusion")
        fonts.load_bundled_fonts()
        self._take_fonts()
        self._tokens = self._wanted()
        self._apply()

    @property
    def tokens(self) -> Tokens:
        return self._tokens

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._apply_if_changed()

    def set_language(self, language: str) -> None:
        """Tell the language that is shown, so that Chinese characters take its forms."""
        if language != self._language:
            self._language = language
            self._take_fonts()
            self._apply()

    def ui_font(self) -> QFont:
        return QFont(self._ui_font)

    def code_font(self) -> QFont:
        return QFont(self._code_font)

    def icon(self, name: str, colour: str | None = None, size: int = 18) -> QIcon:
        """Return the lucide icon ``name``. ``colour`` is the name of a token, ``muted`` when None.

        An icon keeps its colours; take it again after ``changed``, or let ``set_icon`` do that.
        """
        ratios = [screen.devicePixelRatio() for screen in self._app.screens()]
        return self._icons.icon(name, getattr(self._tokens, colour or "muted"), size, ratios or [1.0])

    def set_icon(self, button: QAbstractButton, name: str, colour: str | None = None, size: int = 18) -> None:
        """Give the button an icon that follows every later change of the theme."""
        self._buttons[button] = (name, colour, size)
        button.setIcon(self.icon(name, colour, size))

    def _take_fonts(self) -> None:
        """Asking the system which fonts there are takes milliseconds; painting asks for fonts in every row."""
        self._ui_font = fonts.ui_font(self._language)
        self._code_font = fonts.code_font(self._language)

    def _wanted(self) -> Tokens:
        if self._theme is Theme.SYSTEM:
            return DARK if self._system.is_dark else LIGHT
        return DARK if self._theme is Theme.DARK else LIGHT

    def _apply_if_changed(self) -> None:
        if (wanted := self._wanted()) is not self._tokens:
            self._tokens = wanted
            self._apply()

    def _apply(self) -> None:
        self._app.setFont(self.ui_font())
        self._app.setPalette(_palette(self._tokens))
        self._app.setStyleSheet(style_sheet(self._tokens))
        for button, (name, colour, size) in list(self._buttons.items()):
            if shiboken6.isValid(button):
                button.setIcon(self.icon(name, colour, size))
        self.changed.emit()


def _palette(tokens: Tokens) -> QPalette:
    role = QPalette.ColorRole
    colours = {
        role.Window: tokens.window,
        role.WindowText: tokens.text,
        role.Base: tokens.panel,
        role.AlternateBase: tokens.sidebar,
        role.Text: tokens.text,
        role.Button: tokens.panel,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.error,
        role.Highlight: tokens.accent,
        role.HighlightedText: tokens.on_accent,
        role.PlaceholderText: tokens.muted,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.ToolTipBase: tokens.panel,
        role.ToolTipText: tokens.text,
        role.Accent: tokens.accent,
        role.Light: tokens.panel,
        role.Midlight: tokens.hover,
        role.Mid: tokens.line,
        role.Dark: tokens.line,
        role.Shadow: tokens.line,
    }
    palette = QPalette()
    for colour_role, colour in colours.items():
        palette.setColor(colour_role, QColor(colour))
    for colour_role in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, colour_role, QColor(tokens.muted))
    return palette
