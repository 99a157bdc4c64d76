"""What the pages of the settings window are given: the services, and the window's own places for errors and Undo."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtWidgets import QWidget

from desktop.core.receipt import Receipt
from desktop.ui.controls import Words
from desktop.ui.services import UiServices
from desktop.ui.settings.writer import SettingsWriter
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations


class OfferUndo(Protocol):
    def __call__(self, text: Words, undo: Callable[[], object], *, over: Callable[[], object] | None = None) -> None:
        """Undo calls ``undo``; ``over`` is called instead when nobody can undo it any more."""
        ...


@dataclass(frozen=True, kw_only=True)
class SettingsContext:
    """Given to each page's factory (see ``catalogue.py``)."""

    services: UiServices
    """As the main window's, but ``report_error`` shows the error in the settings window."""
    theme: ThemeManager
    translations: Translations
    writer: SettingsWriter
    """Every change of the settings goes through it: ``writer.save(lambda s: replace(s, …))`` returns whether it is on
    disk; a failure is already shown."""
    window: QWidget
    """The settings window, as the parent of dialogs."""
    open_thread: Callable[[str], None]
    """Show a thread in the main window, in front."""
    open_memory: Callable[[], None]
    """Show the memory page in the main window, in front."""
    current_thread: Callable[[], str | None]
    """The thread that is open in the main window."""
    offer_undo: OfferUndo
    """Show what was just removed or reset ("Server “files” removed") with a button Undo."""
    offer_receipt: Callable[[Receipt], None]
    """Say that something was removed for good, with a way to the receipt."""
    tell: Callable[[Words], object]
    """Say for some seconds that something was done."""
    show_notice: Callable[[Words, Words], object]
    """Show a title and a detail as an error at the top of the settings window."""
