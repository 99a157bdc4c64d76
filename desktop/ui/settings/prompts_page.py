"""The page Prompts: the user's own prompts, to be written, put in order, taken in from files, and written to some."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.ui.controls import IconLabel, describe, set_enabled
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.popup import round_corners
from desktop.ui.prompts.list_model import PromptListModel
from desktop.ui.prompts.list_view import PromptListView
from desktop.ui.search_field import SearchField
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.row_list import order_focus
from desktop.ui.theme.theme_manager import ThemeManager

MOST_ROWS, LEAST_ROWS = 8, 3
"""Of the list, before it scrolls."""


def make_prompts_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.prompts_presenter import PromptsPresenter

    page = PromptsPage(context.theme)
    PromptsPresenter(page, context)
    return page


class PromptsPage(SettingsPage):
    """Signals name prompts by their ids, in the order of the list.

    ``export_requested`` carries ``json`` or ``md``, ``sort_requested`` ``name`` or ``use``, ``moved`` all ids in their new order.
    """

    shown = Signal()
    new_requested = Signal()
    examples_requested = Signal()
    edit_requested = Signal(str)
    duplicate_requested = Signal(str)
    delete_requested = Signal(list)
    moved = Signal(list)
    sort_requested = Signal(str)
    import_requested = Signal()
    export_requested = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("prompts", "message-square-quote", can_reset=False)
        self._theme = theme
        self.model = PromptListModel()
        self.list = PromptListView("promptList", theme, self.model, several=True)
        self.search_field = SearchField("promptSearch", theme)
        self._new, self._import = _button("newPrompt"), _button("importPrompts")
        self._export = _button("exportPrompts")
        self._edit, self._duplicate = _button("editPrompt"), _button("duplicatePrompt")
        self._up, self._down = _button("promptUp"), _button("promptDown")
        self._delete, self._sort = _button("deletePrompt", "danger"), _button("sortPrompts")
        self._nothing_found = plain_label("", "muted")
        self._fill()
        self._connect()
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
        self._show_parts()

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
            (self._new, self.tr("New prompt…"), ""),
            (self._import, self.tr("Import…"), ""),
            (self._export, self.tr("Export…"), ""),
            (self._edit, self.tr("Edit…"), "Return"),
            (self._duplicate, self.tr("Duplicate"), ""),
            (self._up, self.tr("Move up"), "Alt+Up"),
            (self._down, self.tr("Move down"), "Alt+Down"),
            (self._delete, self.tr("Delete"), "Del"),
            (self._sort, self.tr("Sort…"), ""),
            (self._examples, self.tr("Add examples"), ""),
        ):
            button.setText(text)
            describe(button, text, shortcut=shortcut, tooltip="")
        self.search_field.setPlaceholderText(self.tr("Search prompts"))
        self.search_field.setAccessibleName(self.tr("Search prompts"))
        self.list.setAccessibleName(self.tr("Your prompts"))
        set_plain(self._nothing_words, self.tr("No prompts yet"))
        set_plain(self._nothing_hint, self.tr("Write your own, or begin with a few examples."))
        set_plain(self._nothing_found, self.tr("No prompt fits your search."))
        self.model.retranslate()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    # -- making it

    def _fill(self) -> None:
        above = QWidget()
        above.setLayout(Wrapping(self._new, self._import, self._export))
        self._add_row = self.add_section().add_row(above, wide=True)
        self._own = self.add_section()
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.search_field)
        tools = QWidget()  # above the list: it is higher than a small window
        tools.setLayout(Wrapping(self._edit, self._duplicate, self._up, self._down, self._delete, self._sort))
        column.addWidget(tools)
        column.addWidget(self._nothing_found)
        column.addWidget(self.list)
        self._own.add_widget(inside)
        self.add_widget(self._make_nothing())
        order_focus([self._new, self._import, self._export, self.search_field, self._edit, self._duplicate])
        order_focus([self._duplicate, self._up, self._down, self._delete, self._sort, self.list])

    def _make_nothing(self) -> QWidget:
        self._nothing = QWidget()
        self._nothing.setObjectName("noPrompts")
        self._nothing_words, self._nothing_hint = plain_label("", "title"), plain_label("", "muted")
        self._examples = _button("addExamples")
        centre = Qt.AlignmentFlag.AlignCenter
        column = QVBoxLayout(self._nothing)
        column.setContentsMargins(24, 24, 24, 24)
        column.addWidget(IconLabel(self._theme, self.icon, "muted", 36), 0, centre)
        for label in (self._nothing_words, self._nothing_hint):
            label.setAlignment(centre)
            column.addWidget(label)
        across = QHBoxLayout()
        across.addStretch()
        across.addWidget(self._examples)
        across.addStretch()
        column.addLayout(across)
        return self._nothing

    def _connect(self) -> None:
        self._new.clicked.connect(self.new_requested)
        self._examples.clicked.connect(self.examples_requested)
        self._import.clicked.connect(self.import_requested)
        self._export.clicked.connect(self._open_export_menu)
        self._sort.clicked.connect(self._open_sort_menu)
        self._edit.clicked.connect(self._edit_chosen)
        self._duplicate.clicked.connect(self._duplicate_chosen)
        self._delete.clicked.connect(self._delete_chosen)
        self._up.clicked.connect(lambda: self._move(-1))
        self._down.clicked.connect(lambda: self._move(1))
        self.search_field.textChanged.connect(self._search)
        self.search_field.returnPressed.connect(self._enter_list)
        self.list.opened.connect(self._edit_chosen)
        self.list.delete_requested.connect(self._delete_chosen)
        self.list.move_requested.connect(self._move)
        self.list.menu_requested.connect(self._open_menu)
        self.list.left_upwards.connect(self.search_field.setFocus)
        self.list.selectionModel().selectionChanged.connect(lambda: self._show_buttons())
        self._theme.changed.connect(self._fit_list)

    # -- what is there and what can be done with it

    def _show_parts(self) -> None:
        has_some, is_found = bool(self.model.all), bool(self.model.rowCount())
        self._own.setVisible(has_some)
        self._nothing.setVisible(not has_some)
        self._nothing_found.setVisible(has_some and not is_found)
        self.list.setVisible(is_found)
        set_enabled(self._export, has_some)
        self._fit_list()
        self._show_buttons()

    def _fit_list(self) -> None:
        rows = min(max(self.model.rowCount(), LEAST_ROWS), MOST_ROWS)
        self.list.setFixedHeight(rows * max(self.list.sizeHintForRow(0), 1) + 4)

    def _show_buttons(self) -> None:
        chosen = self.list.chosen()
        is_whole = not self.model.is_narrowed
        set_enabled(self._edit, len(chosen) == 1)
        set_enabled(self._duplicate, len(chosen) == 1)
        set_enabled(self._delete, bool(chosen))
        set_enabled(self._up, is_whole and bool(chosen) and self._moved(-1) is not None)
        set_enabled(self._down, is_whole and bool(chosen) and self._moved(1) is not None)
        set_enabled(self._sort, len(self.model.all) > 1)

    def _search(self, words: str) -> None:
        self.model.search(words)
        if self.model.rowCount():
            self.list.go_to_first(select=bool(words.strip()))
        self._show_parts()

    def _enter_list(self) -> None:
        if self.model.rowCount():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def _edit_chosen(self) -> None:
        if len(chosen := self.list.chosen()) == 1:
            self.edit_requested.emit(chosen[0].id)

    def _duplicate_chosen(self) -> None:
        if len(chosen := self.list.chosen()) == 1:
            self.duplicate_requested.emit(chosen[0].id)

    def _delete_chosen(self) -> None:
        if chosen := self.list.chosen():
            self.delete_requested.emit([prompt.id for prompt in chosen])

    def _move(self, step: int) -> None:
        if not self.model.is_narrowed and (order := self._moved(step)) is not None:
            self.moved.emit(order)

    def _moved(self, step: int) -> list[str] | None:
        """Return all ids with the chosen ones moved by one place; None where they are at that end."""
        order = [prompt.id for prompt in self.model.all]
        chosen = {prompt.id for prompt in self.list.chosen()}
        if not chosen or order[0 if step < 0 else -1] in chosen:
            return None
        for place in range(len(order))[::-step]:
            if order[place] in chosen:
                order[place], order[place + step] = order[place + step], order[place]
        return order

    # -- menus

    def _open_export_menu(self) -> None:
        menu = self._menu("promptExportMenu")
        menu.addAction(self.tr("JSON, to be imported again…")).triggered.connect(
            lambda: self.export_requested.emit("json")
        )
        menu.addAction(self.tr("Markdown, to be read…")).triggered.connect(lambda: self.export_requested.emit("md"))
        menu.popup(self._export.mapToGlobal(QPoint(0, self._export.height())))

    def _open_sort_menu(self) -> None:
        menu = self._menu("promptSortMenu")
        menu.addAction(self.tr("By name")).triggered.connect(lambda: self.sort_requested.emit("name"))
        menu.addAction(self.tr("Most used first")).triggered.connect(lambda: self.sort_requested.emit("use"))
        menu.popup(self._sort.mapToGlobal(QPoint(0, self._sort.height())))

    def _open_menu(self, position: QPoint) -> None:
        menu = self._menu("promptMenu")
        for button in (self._edit, self._duplicate, self._up, self._down, self._delete):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.popup(position)

    def _menu(self, object_name: str) -> QMenu:
        menu = QMenu(self)
        round_corners(menu)
        menu.setObjectName(object_name)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu


def _button(object_name: str, role: str = "") -> QPushButton:
    button = QPushButton()
    button.setObjectName(object_name)
    if role:
        button.setProperty("role", role)
    return button
