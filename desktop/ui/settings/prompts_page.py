"""The page Prompts: the user's own prompts, to be written, put in order, taken in from files, and written to some."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.ui.controls import describe, set_enabled
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.search_field import SearchField
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.library_page import LibraryPage, make_button
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.row_list import order_focus
from desktop.ui.theme.theme_manager import ThemeManager


def make_prompts_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.prompts_presenter import PromptsPresenter

    page = PromptsPage(context.theme)
    PromptsPresenter(page, context)
    return page


class PromptsPage(LibraryPage):
    """See ``LibraryPage``. ``export_requested`` carries ``json`` or ``md``, ``sort_requested`` ``name`` or ``use``."""

    sort_requested = Signal(str)
    export_requested = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__(theme, "prompts", "message-square-quote", "prompt")
        self.search_field = SearchField("promptSearch", theme)
        self._sort = make_button("sortPrompts")
        self._nothing_found = plain_label("", "muted")
        above = QWidget()
        above.setLayout(Wrapping(self.new, self.take_in, self.export))
        self._add_row = self.add_section().add_row(above, wide=True)
        self.add_list(self.search_field, tools=[self._sort], below=[self._nothing_found])
        order_focus([self.new, self.take_in, self.export, self.search_field, self.edit, self.duplicate])
        order_focus([self.duplicate, self.up, self.down, self.delete, self._sort, self.list])
        self.connect_parts()
        self.export.clicked.connect(self._open_export_menu)
        self._sort.clicked.connect(self._open_sort_menu)
        self.search_field.textChanged.connect(self._search)
        self.search_field.returnPressed.connect(self._enter_list)
        self.list.left_upwards.connect(self.search_field.setFocus)
        self.retranslate()
        self.show_prompts(())

    def show_prompts(self, prompts: Sequence[SavedPrompt]) -> None:
        """Show these; what was chosen stays chosen, as far as it is there."""
        chosen = [prompt.id for prompt in self.list.chosen()]
        place = self.list.verticalScrollBar().value()
        row = self.list.currentIndex().row()
        self.model.show(prompts)
        self.list.choose(chosen)
        if chosen and not self.list.chosen() and (count := self.model.rowCount()):
            self.list.setCurrentIndex(self.model.index(min(max(row, 0), count - 1)))
        self.list.verticalScrollBar().setValue(place)
        self.show_parts()

    def choose(self, prompt_ids: Sequence[str]) -> None:
        """Choose these in the list; a search that leaves them out ends."""
        if not all(self.model.row_of(prompt_id).isValid() for prompt_id in prompt_ids):
            self.search_field.clear()
        self.list.choose(list(prompt_ids))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Prompts"),
            self.tr(
                "Texts that you write again and again. Type / at the beginning of a line of your message to insert one; what"
                " changes each time is asked for. Nothing is sent by itself."
            ),
        )
        self._add_row.set_texts(
            self.tr("Your prompts"),
            self.tr("Files from other programs can be imported, too; nothing of yours is overwritten."),
            keywords=self.tr("template snippet library slash"),
        )
        for button, text, shortcut in (
            (self.new, self.tr("New prompt…"), ""),
            (self.take_in, self.tr("Import…"), ""),
            (self.export, self.tr("Export…"), ""),
            (self.edit, self.tr("Edit…"), "Return"),
            (self.duplicate, self.tr("Duplicate"), ""),
            (self.up, self.tr("Move up"), "Alt+Up"),
            (self.down, self.tr("Move down"), "Alt+Down"),
            (self.delete, self.tr("Delete"), "Del"),
            (self._sort, self.tr("Sort…"), ""),
            (self.examples, self.tr("Add examples"), ""),
        ):
            button.setText(text)
            describe(button, text, shortcut=shortcut, tooltip="")
        self.search_field.setPlaceholderText(self.tr("Search prompts"))
        self.search_field.setAccessibleName(self.tr("Search prompts"))
        self.list.setAccessibleName(self.tr("Your prompts"))
        set_plain(self.nothing_words, self.tr("No prompts yet"))
        set_plain(self.nothing_hint, self.tr("Write your own, or begin with a few examples."))
        set_plain(self._nothing_found, self.tr("No prompt fits your search."))
        self.model.retranslate()

    # -- what is there and what can be done with it

    def show_parts(self) -> None:
        super().show_parts()
        is_found = bool(self.model.rowCount())
        self._nothing_found.setVisible(bool(self.model.all) and not is_found)
        self.list.setVisible(is_found)

    def show_buttons(self) -> None:
        super().show_buttons()
        set_enabled(self._sort, len(self.model.all) > 1)

    def _search(self, words: str) -> None:
        self.model.search(words)
        if self.model.rowCount():
            self.list.go_to_first(select=bool(words.strip()))
        self.show_parts()

    def _enter_list(self) -> None:
        if self.model.rowCount():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)

    # -- menus

    def _open_export_menu(self) -> None:
        menu = self.make_menu("promptExportMenu")
        menu.addAction(self.tr("JSON, to be imported again…")).triggered.connect(
            lambda: self.export_requested.emit("json")
        )
        menu.addAction(self.tr("Markdown, to be read…")).triggered.connect(lambda: self.export_requested.emit("md"))
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height())))

    def _open_sort_menu(self) -> None:
        menu = self.make_menu("promptSortMenu")
        menu.addAction(self.tr("By name")).triggered.connect(lambda: self.sort_requested.emit("name"))
        menu.addAction(self.tr("Most used first")).triggered.connect(lambda: self.sort_requested.emit("use"))
        menu.popup(self._sort.mapToGlobal(QPoint(0, self._sort.height())))
