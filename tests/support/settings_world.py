"""The settings window of a ``WindowWorld``."""

import dataclasses

from desktop.ui.settings.window import SettingsWindow
from tests.support.window_world import WindowWorld


def open_settings(world: WindowWorld) -> SettingsWindow:
    """Return the window that ``open_settings`` opened."""
    window = world.presenter.settings_window
    assert window is not None, "nobody opened the settings"
    return window


def set_appearance(world: WindowWorld, **values: object) -> None:
    """Store these values of the appearance, as if they had been picked."""
    settings = world.settings.settings
    appearance = dataclasses.replace(settings.appearance, **values)
    world.settings.update(dataclasses.replace(settings, appearance=appearance))
