"""The page Your assistants: to make, change and order them, and to take them in from files and write them to some."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop.conversation.assistants.entities import Assistant
from desktop.ui.assistants.words import list_row
from desktop.ui.controls import IconLabel, describe, set_enabled
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.popup import round_corners
from desktop.ui.prompts.list_model import PromptListModel
from desktop.ui.prompts.list_view import PromptListView
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.row_list import order_focus
from desktop.ui.theme.theme_manager import ThemeManager

MOST_ROWS, LEAST_ROWS = 8, 3
"""Of the list, before it scrolls."""


def make_assistants_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.assistants_presenter import AssistantsPresenter

    page = AssistantsPage(context.theme)
    AssistantsPresenter(page, context)
    return page


class AssistantsPage(SettingsPage):
    """Signals name assistants by their ids, in the order of the list; ``moved`` carries all ids in their new order."""

    shown = Signal()
    new_requested = Signal()
    examples_requested = Signal()
    edit_requested = Signal(str)
    duplicate_requested = Signal(str)
    delete_requested = Signal(list)
    moved = Signal(list)
    import_requested = Signal()
    export_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("assistants", "drama", can_reset=False)
        self._theme = theme
        self.model = PromptListModel()
        self.list = PromptListView("assistantList", theme, self.model, several=True)
        self._new, self._import = _button("newAssistant"), _button("importAssistants")
        self._export = _button("exportAssistants")
        self._edit, self._duplicate = _button("editAssistant"), _button("duplicateAssistant")
        self._up, self._down = _button("assistantUp"), _button("assistantDown")
        self._delete = _button("deleteAssistant", "danger")
        self._fill()
        self._connect()
        self.retranslate()
        self.show_assistants(())

    def show_assistants(self, assistants: Sequence[Assistant]) -> None:
        """Show these; what was chosen stays chosen, as far as it is there."""
        chosen = [row.id for row in self.list.chosen()]
        self.model.show([list_row(one) for one in assistants])
        self.list.choose(chosen)
        has_some = bool(assistants)
        self._own.setVisible(has_some)
        self._nothing.setVisible(not has_some)
        set_enabled(self._export, has_some)
        self._fit_list()
        self._show_buttons()

    def choose(self, assistant_ids: Sequence[str]) -> None:
        """Choose these in the list."""
        self.list.choose(list(assistant_ids))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def chosen(self) -> list[str]:
        return [row.id for row in self.list.chosen()]

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
            (self._new, self.tr("New assistant…"), ""),
            (self._import, self.tr("Import…"), ""),
            (self._export, self.tr("Export…"), ""),
            (self._edit, self.tr("Edit…"), "Return"),
            (self._duplicate, self.tr("Duplicate"), ""),
            (self._up, self.tr("Move up"), "Alt+Up"),
            (self._down, self.tr("Move down"), "Alt+Down"),
            (self._delete, self.tr("Delete"), "Del"),
            (self._examples, self.tr("Add examples"), ""),
        ):
            button.setText(text)
            describe(button, text, shortcut=shortcut, tooltip="")
        self.list.setAccessibleName(self.tr("Your assistants"))
        set_plain(self._nothing_words, self.tr("No assistants yet"))
        set_plain(self._nothing_hint, self.tr("Make your own, or begin with a few examples that work together."))
        self.model.retranslate()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _fill(self) -> None:
        above = QWidget()
        above.setLayout(Wrapping(self._new, self._import, self._export))
        self._add_row = self.add_section().add_row(above, wide=True)
        self._own = self.add_section()
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        tools = QWidget()
        tools.setLayout(Wrapping(self._edit, self._duplicate, self._up, self._down, self._delete))
        column.addWidget(tools)
        column.addWidget(self.list)
        self._own.add_widget(inside)
        self.add_widget(self._make_nothing())
        order_focus([self._new, self._import, self._export, self._edit, self._duplicate, self._up])
        order_focus([self._up, self._down, self._delete, self.list])

    def _make_nothing(self) -> QWidget:
        self._nothing = QWidget()
        self._nothing.setObjectName("noAssistants")
        self._nothing_words, self._nothing_hint = plain_label("", "title"), plain_label("", "muted")
        self._examples = _button("addAssistantExamples")
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
        self._export.clicked.connect(self.export_requested)
        self._edit.clicked.connect(lambda: self._with_one(self.edit_requested.emit))
        self._duplicate.clicked.connect(lambda: self._with_one(self.duplicate_requested.emit))
        self._delete.clicked.connect(self._delete_chosen)
        self._up.clicked.connect(lambda: self._move(-1))
        self._down.clicked.connect(lambda: self._move(1))
        self.list.opened.connect(lambda: self._with_one(self.edit_requested.emit))
        self.list.delete_requested.connect(self._delete_chosen)
        self.list.move_requested.connect(self._move)
        self.list.menu_requested.connect(self._open_menu)
        self.list.left_upwards.connect(self._new.setFocus)
        self.list.selectionModel().selectionChanged.connect(lambda: self._show_buttons())
        self._theme.changed.connect(self._fit_list)

    def _fit_list(self) -> None:
        rows = min(max(self.model.rowCount(), LEAST_ROWS), MOST_ROWS)
        self.list.setFixedHeight(rows * max(self.list.sizeHintForRow(0), 1) + 4)

    def _show_buttons(self) -> None:
        count = len(self.chosen)
        set_enabled(self._edit, count == 1)
        set_enabled(self._duplicate, count == 1)
        set_enabled(self._delete, count > 0)
        set_enabled(self._up, self._moved(-1) is not None)
        set_enabled(self._down, self._moved(1) is not None)

    def _with_one(self, act: Callable[[str], object]) -> None:
        if len(chosen := self.chosen) == 1:
            act(chosen[0])

    def _delete_chosen(self) -> None:
        if chosen := self.chosen:
            self.delete_requested.emit(chosen)

    def _move(self, step: int) -> None:
        if (order := self._moved(step)) is not None:
            self.moved.emit(order)

    def _moved(self, step: int) -> list[str] | None:
        """Return all ids with the chosen ones moved by one place; None where they are at that end."""
        order = [row.id for row in self.model.all]
        chosen = set(self.chosen)
        if not chosen or order[0 if step < 0 else -1] in chosen:
            return None
        for place in range(len(order))[::-step]:
            if order[place] in chosen:
                order[place], order[place + step] = order[place + step], order[place]
        return order

    def _open_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        round_corners(menu)
        menu.setObjectName("assistantListMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self._edit, self._duplicate, self._up, self._down, self._delete):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.popup(position)


def _button(object_name: str, role: str = "") -> QPushButton:
    button = QPushButton()
    button.setObjectName(object_name)
    if role:
        button.setProperty("role", role)
    return button
