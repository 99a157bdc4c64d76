"""The little motion that there is: something new fades in. Nothing moves where the user or the system wants stillness."""

from PySide6.QtCore import QAbstractAnimation, QPropertyAnimation
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from desktop.ui.theme.theme_manager import ThemeManager

FADE_MS = 140


def fade_in(widget: QWidget, theme: ThemeManager) -> None:
    """Let a widget that was just shown come up in a moment instead of at once; with ``has_motion`` off it is there."""
    if not theme.has_motion:
        return
    effect = QGraphicsOpacityEffect(widget)
    effect.setOpacity(0.0)
    widget.setGraphicsEffect(effect)
    animation = QPropertyAnimation(effect, b"opacity", widget)
    animation.setDuration(FADE_MS)
    animation.setEndValue(1.0)
    animation.finished.connect(lambda: _end(widget, effect))
    animation.start(QAbstractAnimation.DeletionPolicy.DeleteWhenStopped)


def _end(widget: QWidget, effect: QGraphicsOpacityEffect) -> None:
    if widget.graphicsEffect() is effect:  # else it is shown anew already
        widget.setGraphicsEffect(None)  # pyright: ignore[reportArgumentType]
