"""The one owner of the look: tokens, sizes, palette, style sheet, fonts and icons, and their change at run time."""

import dataclasses
import weakref
from collections.abc import Generator
from contextlib import contextmanager

import shiboken6
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication

from desktop.core.settings import AppearanceSettings, Theme
from desktop.ui.theme import fonts
from desktop.ui.theme.icons import IconLibrary
from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.style_sheet import style_sheet
from desktop.ui.theme.system_scheme import SystemScheme
from desktop.ui.theme.tokens import Tokens, tokens_for


class ThemeManager(QObject):
    """Applies an appearance to the application. ``changed`` comes after the new colours, sizes and fonts are in force.

    Styling goes by dynamic properties, so that object names stay free for tests: a ``QPushButton`` has ``role``
    ``primary``, ``danger`` or ``link``; a ``QLabel`` ``muted``, ``title``, ``heading``, ``strong``, ``small`` or
    ``error``; a ``QPlainTextEdit`` that can be filled in ``field``. ``invalid`` marks a field with a mistake.
    """

    changed = Signal()

    def __init__(self, app: QApplication, appearance: AppearanceSettings | Theme, language: str) -> None:
        """A theme alone stands for the usual appearance in it."""
        super().__init__(app)
        self._app = app
        self._appearance = AppearanceSettings(theme=appearance) if isinstance(appearance, Theme) else appearance
        self._language = language
        self._language_of_fonts = ""
        """For which language the families of the fonts were looked for, which takes milliseconds."""
        self._icons = IconLibrary()
        self.is_applying = False
        """Styles and sizes are being exchanged, and everybody is told: what is laid out now is soon again."""
        self._buttons: weakref.WeakKeyDictionary[QAbstractButton, tuple[str, str | None, int]] = (
            weakref.WeakKeyDictionary()
        )
        self._system = SystemScheme(self)
        self._system.changed.connect(self._system_changed)
        app.setStyle("Fusion")
        fonts.load_bundled_fonts()
        self._tell_system()
        self._take()
        self._apply()

    @property
    def appearance(self) -> AppearanceSettings:
        """What is in force; of the language only ``set_language`` decides."""
        return self._appearance

    @property
    def tokens(self) -> Tokens:
        return self._tokens

    @property
    def sizes(self) -> Sizes:
        return self._sizes

    @property
    def has_motion(self) -> bool:
        """Whether anything may move: neither the user nor the system asked for stillness."""
        return not (self._appearance.reduce_motion or self._system.wants_less_motion)

    def px(self, length: int) -> int:
        """Return a length in pixels at the usual font size as it is at the present one."""
        return self._sizes.px(length)

    def set_appearance(self, appearance: AppearanceSettings) -> None:
        """Take colours, sizes, density and motion of ``appearance`` now."""
        before, self._appearance = self._appearance, appearance
        if appearance.theme is not before.theme:
            self._tell_system()
        if _looks(before) != _looks(appearance):
            self._take()
            self._apply()

    def set_theme(self, theme: Theme) -> None:
        self.set_appearance(dataclasses.replace(self._appearance, theme=theme))

    def set_language(self, language: str) -> None:
        """Tell the language that is shown, so that Chinese characters take its forms."""
        if language != self._language:
            self._language = language
            self._take()
            self._apply()

    @contextmanager
    def sheet_held_back(self) -> Generator[None, None, None]:
        """Put a window together in here: with the sheet each part would be styled anew with every part around it."""
        sheet = self._app.styleSheet()
        self._app.setStyleSheet("")
        try:
            yield
        finally:
            self._app.setStyleSheet(sheet)

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
        """Give the button an icon that follows every later change of the theme and grows with the font."""
        self._buttons[button] = (name, colour, size)
        self._put_icon(button, name, colour, size)

    def _put_icon(self, button: QAbstractButton, name: str, colour: str | None, size: int) -> None:
        scaled = self.px(size)
        button.setIconSize(QSize(scaled, scaled))
        button.setIcon(self.icon(name, colour, scaled))

    def _take(self) -> None:
        """Make everything of the appearance but apply nothing.

        Asking the system which fonts there are takes milliseconds, and painting asks for fonts in every row.
        """
        self._sizes = Sizes.of(self._appearance)
        self._tokens = self._wanted_tokens()
        if self._language != self._language_of_fonts:
            self._ui_font = fonts.ui_font(self._language, self._sizes.font)
            self._code_font = fonts.code_font(self._language, self._sizes.code)
            self._language_of_fonts = self._language
        self._ui_font.setPointSizeF(self._sizes.font)
        self._code_font.setPointSizeF(self._sizes.code)

    def _wanted_tokens(self) -> Tokens:
        theme = self._appearance.theme
        is_dark = self._system.is_dark if theme is Theme.SYSTEM else theme is Theme.DARK
        return tokens_for(self._appearance.accent, dark=is_dark)

    def _tell_system(self) -> None:
        """Let the frame of the window and the system's own dialogs be light or dark like the window."""
        schemes = {Theme.LIGHT: Qt.ColorScheme.Light, Theme.DARK: Qt.ColorScheme.Dark}
        self._app.styleHints().setColorScheme(schemes.get(self._appearance.theme, Qt.ColorScheme.Unknown))

    def _system_changed(self) -> None:
        if self._wanted_tokens() is not self._tokens:
            self._take()
            self._apply()
        else:
            self.changed.emit()  # motion

    def _apply(self) -> None:
        self.is_applying = True
        try:
            self._exchange()
        finally:
            self.is_applying = False

    def _exchange(self) -> None:
        sheet, font = style_sheet(self._tokens, self._sizes), self.ui_font()
        if sheet != self._app.styleSheet() or font != self._app.font():
            self._app.setFont(font)
            self._app.setPalette(_palette(self._tokens))
            # Qt exchanges one sheet for another by styling each widget once for every widget around it. To take the
            # old one away first takes a third of that time.
            self._app.setStyleSheet("")
            self._app.setStyleSheet(sheet)
        for button, icon in list(self._buttons.items()):
            if shiboken6.isValid(button):
                self._put_icon(button, *icon)
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
    # Every role and group is set: one that is left out would come from the system, whose look may be the opposite.
    palette = QPalette(QColor(tokens.panel), QColor(tokens.window))
    for colour_role, colour in colours.items():
        palette.setColor(colour_role, QColor(colour))
    for colour_role in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.Link):
        palette.setColor(QPalette.ColorGroup.Disabled, colour_role, QColor(tokens.disabled))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(tokens.pressed))
    palette.setColor(QPalette.ColorGroup.Disabled, role.HighlightedText, QColor(tokens.disabled))
    return palette


def _looks(appearance: AppearanceSettings) -> AppearanceSettings:
    """Without what is not for the whole window to follow."""
    return dataclasses.replace(appearance, language="", notify=True, wrap_code=False)
