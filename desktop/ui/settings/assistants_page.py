"""The page Your assistants: to make, change and order them, and to take them in from files and write them to some."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.conversation.assistants.entities import Assistant
from desktop.ui.assistants.words import list_row
from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import set_plain
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.library_page import LibraryPage
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.row_list import order_focus
from desktop.ui.theme.theme_manager import ThemeManager


def make_assistants_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.assistants_presenter import AssistantsPresenter

    page = AssistantsPage(context.theme)
    AssistantsPresenter(page, context)
    return page


class AssistantsPage(LibraryPage):
    """See ``LibraryPage``."""

    export_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__(theme, "assistants", "drama", "assistant")
        above = QWidget()
        above.setLayout(Wrapping(self.new, self.take_in, self.export))
        self._add_row = self.add_section().add_row(above, wide=True)
        self.add_list()
        order_focus([self.new, self.take_in, self.export, self.edit, self.duplicate, self.up])
        order_focus([self.up, self.down, self.delete, self.list])
        self.connect_parts()
        self.export.clicked.connect(self.export_requested)
        self.list.left_upwards.connect(self.new.setFocus)
        self.retranslate()
        self.show_assistants(())

    def show_assistants(self, assistants: Sequence[Assistant]) -> None:
        """Show these; what was chosen stays chosen, as far as it is there."""
        chosen = self.chosen
        self.model.show([list_row(one) for one in assistants])
        self.list.choose(chosen)
        self.show_parts()

    def choose(self, assistant_ids: Sequence[str]) -> None:
        """Choose these in the list."""
        self.list.choose(list(assistant_ids))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Your assistants"),
            self.tr(
                "Instructions, a model, tools and a reach of memory under one name. Choose one below the message of a"
                " chat. One can ask another one, where you let it."
            ),
        )
        self._add_row.set_texts(
            self.tr("Make and exchange"),
            self.tr("A file of assistants names no models and no keys; nothing of yours is overwritten."),
            keywords=self.tr("agent role persona helper"),
        )
        for button, text, shortcut in (
            (self.new, self.tr("New assistant…"), ""),
            (self.take_in, self.tr("Import…"), ""),
            (self.export, self.tr("Export…"), ""),
            (self.edit, self.tr("Edit…"), "Return"),
            (self.duplicate, self.tr("Duplicate"), ""),
            (self.up, self.tr("Move up"), "Alt+Up"),
            (self.down, self.tr("Move down"), "Alt+Down"),
            (self.delete, self.tr("Delete"), "Del"),
            (self.examples, self.tr("Add examples"), ""),
        ):
            button.setText(text)
            describe(button, text, shortcut=shortcut, tooltip="")
        self.list.setAccessibleName(self.tr("Your assistants"))
        set_plain(self.nothing_words, self.tr("No assistants yet"))
        set_plain(self.nothing_hint, self.tr("Make your own, or begin with a few examples that work together."))
        self.model.retranslate()
