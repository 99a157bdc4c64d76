"""The settings window of a ``WindowWorld``."""

from desktop.ui.settings.window import SettingsWindow
from tests.support.window_world import WindowWorld


def open_settings(world: WindowWorld) -> SettingsWindow:
    """Return the window that ``open_settings`` opened."""
    window = world.presenter.settings_window
    assert window is not None, "nobody opened the settings"
    return window
