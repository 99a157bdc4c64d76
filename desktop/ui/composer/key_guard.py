"""Keeps a key from being sent by mistake: watches the message, and holds it back until the user has chosen."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.composer.key_warning import KeyWarning

LEAST_CHARACTERS = 20
"""What is shorter holds no key."""
MOST_WATCHED = 20_000
"""Characters. A longer message is looked at when it is to be sent, not at each key."""


class KeyGuard(QObject):
    """``place`` puts the warning where it belongs; it is made when it is first needed.

    Signals:
        use_requested: the key found shall become one of a model; carries it.
        send_requested: the message shall be sent as it is.
        changed: the warning came or went.
        left: it went, or was left by Escape, with the focus in it.
    """

    use_requested = Signal(str)
    send_requested = Signal()
    changed = Signal()
    left = Signal()

    def __init__(self, theme: ThemeManager, place: Callable[[QWidget], object], parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place = place
        self._warning: KeyWarning | None = None
        self._found: tuple[str, ...] = ()
        self._allowed: set[str] = set()

    def look(self, text: str) -> None:
        """Show or take away the warning for the message as it is now."""
        if len(text) <= MOST_WATCHED:
            self._look(text)

    def holds_back(self, text: str) -> bool:
        """Tell whether the message must not be sent yet; then the warning says so."""
        self._look(text)
        if self._found and self._warning is not None:
            self._warning.insist()
        return bool(self._found)

    def focus_stops(self) -> list[QWidget]:
        return self._warning.focus_stops() if self._warning is not None and self._found else []

    def _look(self, text: str) -> None:
        keys: tuple[str, ...] = ()
        if len(text) >= LEAST_CHARACTERS:
            from desktop.core.keys_in_text import keys_in

            keys = keys_in(text)
        self._allowed &= set(keys)  # what was taken out and comes again is a new mistake
        found = tuple(key for key in keys if key not in self._allowed)
        if found != self._found:
            was_shown, self._found = bool(self._found), found
            if bool(found) != was_shown:
                self._show(bool(found))

    def _show(self, visible: bool) -> None:
        warning = self._warning or self._make()
        if not visible and warning.isAncestorOf(warning.window().focusWidget() or warning.window()):
            self.left.emit()
        warning.setVisible(visible)
        if visible:
            warning.warn()
        self.changed.emit()

    def _make(self) -> "KeyWarning":
        from desktop.ui.composer.key_warning import KeyWarning

        warning = self._warning = KeyWarning(self._theme)
        warning.use_requested.connect(lambda: self.use_requested.emit(self._found[0]))
        warning.send_requested.connect(self._allow)
        warning.left.connect(self.left)
        self._place(warning)
        return warning

    def _allow(self) -> None:
        self._allowed.update(self._found)
        self._found = ()
        self._show(False)
        self.send_requested.emit()
