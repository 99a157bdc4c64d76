"""The cross that empties a field. Qt's own has one size for every font, and the colours of the first theme."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop.ui.controls import describe, prepare_icon_button
from desktop.ui.theme.theme_manager import ThemeManager

_CROSS = 14
_BESIDE = 3
"""Pixels right of it."""


def offer_clearing(edit: QLineEdit, theme: ThemeManager) -> None:
    """Give the field a cross that empties it, in sight while there is something in it."""
    ClearButton(edit, theme)


class ClearButton(QToolButton):
    """Lies at the end of ``edit``; the keyboard empties a field without it."""

    def __init__(self, edit: QLineEdit, theme: ThemeManager) -> None:
        super().__init__(edit)
        self._edit, self._theme = edit, theme
        prepare_icon_button(self, theme, "clearField", "x")
        theme.set_icon(self, "x", "muted", _CROSS)
        self.setProperty("role", "inField")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.clicked.connect(edit.clear)
        edit.textChanged.connect(self._show_or_hide)
        edit.installEventFilter(self)
        theme.changed.connect(self._place)
        self._retranslate()
        self._show_or_hide(edit.text())
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutDirectionChange):
            self._place()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        describe(self, self.tr("Empty the field"))

    def _show_or_hide(self, text: str) -> None:
        self.setVisible(bool(text) and not self._edit.isReadOnly())

    def _place(self) -> None:
        """At the end of the field, whose text keeps clear of it."""
        edit, icon = self._edit, self._theme.px(_CROSS)
        size = min(icon + 8, edit.height() - 4)
        is_mirrored = edit.layoutDirection() == Qt.LayoutDirection.RightToLeft
        margins = edit.textMargins()
        (margins.setLeft if is_mirrored else margins.setRight)(icon + 2)
        edit.setTextMargins(margins)
        left = _BESIDE if is_mirrored else edit.width() - size - _BESIDE
        self.setGeometry(left, (edit.height() - size) // 2, size, size)
