"""A page with a list of the user's own things: made, changed, put in order, taken in from files, and written to some."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import IconLabel, set_enabled
from desktop.ui.dialogs.parts import plain_label
from desktop.ui.popup import round_corners
from desktop.ui.prompts.list_model import PromptListModel
from desktop.ui.prompts.list_view import PromptListView
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage
from desktop.ui.theme.theme_manager import ThemeManager

MOST_ROWS, LEAST_ROWS = 8, 3
"""Of the list, before it scrolls."""


class LibraryPage(SettingsPage):
    """Signals name things by their ids, in the order of the list; ``moved`` carries all ids in their new order.

    A page of one kind adds its words and what else it has, then calls ``connect_parts``.
    """

    shown = Signal()
    new_requested = Signal()
    examples_requested = Signal()
    edit_requested = Signal(str)
    duplicate_requested = Signal(str)
    delete_requested = Signal(list)
    moved = Signal(list)
    import_requested = Signal()

    def __init__(self, theme: ThemeManager, key: str, icon: str, noun: str) -> None:
        """``noun`` names the parts: ``prompt`` has the list ``promptList`` and the button ``newPrompt``."""
        super().__init__(key, icon, can_reset=False)
        self._theme = theme
        self._noun = noun
        named = noun.capitalize()
        self.model = PromptListModel()
        self.list = PromptListView(f"{noun}List", theme, self.model, several=True)
        self.new, self.take_in = make_button(f"new{named}"), make_button(f"import{named}s")
        self.export = make_button(f"export{named}s")
        self.edit, self.duplicate = make_button(f"edit{named}"), make_button(f"duplicate{named}")
        self.up, self.down = make_button(f"{noun}Up"), make_button(f"{noun}Down")
        self.delete = make_button(f"delete{named}", "danger")
        self.examples = make_button(f"add{named}Examples")
        self.nothing_words, self.nothing_hint = plain_label("", "title"), plain_label("", "muted")

    @property
    def chosen(self) -> list[str]:
        """The ids of what is chosen."""
        return [row.id for row in self.list.chosen()]

    @property
    def can_be_moved(self) -> bool:
        """Whether all stand in the list, so that an order can be seen."""
        return not self.model.is_narrowed

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    # -- making it

    def add_list(self, *above: QWidget, tools: Sequence[QPushButton] = (), below: Sequence[QWidget] = ()) -> None:
        """Add the list with its buttons, these ``tools`` after them; and what stands there while there is nothing."""
        self.own = self.add_section()
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        buttons = QWidget()  # above the list: it is higher than a small window
        buttons.setLayout(Wrapping(self.edit, self.duplicate, self.up, self.down, self.delete, *tools))
        for widget in (*above, buttons, *below, self.list):
            column.addWidget(widget)
        self.own.add_widget(inside)
        self.add_widget(self._make_nothing())

    def _make_nothing(self) -> QWidget:
        self.nothing = QWidget()
        self.nothing.setObjectName(f"no{self._noun.capitalize()}s")
        centre = Qt.AlignmentFlag.AlignCenter
        column = QVBoxLayout(self.nothing)
        column.setContentsMargins(24, 24, 24, 24)
        column.addWidget(IconLabel(self._theme, self.icon, "muted", 36), 0, centre)
        for label in (self.nothing_words, self.nothing_hint):
            label.setAlignment(centre)
            column.addWidget(label)
        across = QHBoxLayout()
        across.addStretch()
        across.addWidget(self.examples)
        across.addStretch()
        column.addLayout(across)
        return self.nothing

    def connect_parts(self) -> None:
        self.new.clicked.connect(self.new_requested)
        self.examples.clicked.connect(self.examples_requested)
        self.take_in.clicked.connect(self.import_requested)
        self.edit.clicked.connect(lambda: self._with_one(self.edit_requested.emit))
        self.duplicate.clicked.connect(lambda: self._with_one(self.duplicate_requested.emit))
        self.delete.clicked.connect(self._delete_chosen)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.list.opened.connect(lambda: self._with_one(self.edit_requested.emit))
        self.list.delete_requested.connect(self._delete_chosen)
        self.list.move_requested.connect(self._move)
        self.list.menu_requested.connect(self._open_menu)
        self.list.selectionModel().selectionChanged.connect(lambda: self.show_buttons())
        self._theme.changed.connect(self._fit_list)

    # -- what is there and what can be done with it

    def show_parts(self) -> None:
        """Show the list, or that there is nothing."""
        has_some = bool(self.model.all)
        self.own.setVisible(has_some)
        self.nothing.setVisible(not has_some)
        set_enabled(self.export, has_some)
        self._fit_list()
        self.show_buttons()

    def show_buttons(self) -> None:
        """Let those be pressed that can do something with what is chosen."""
        count = len(self.chosen)
        set_enabled(self.edit, count == 1)
        set_enabled(self.duplicate, count == 1)
        set_enabled(self.delete, count > 0)
        set_enabled(self.up, self._moved(-1) is not None)
        set_enabled(self.down, self._moved(1) is not None)

    def _fit_list(self) -> None:
        rows = min(max(self.model.rowCount(), LEAST_ROWS), MOST_ROWS)
        self.list.setFixedHeight(rows * max(self.list.sizeHintForRow(0), 1) + 4)

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
        """Return all ids with the chosen ones moved by one place; None where they are at that end, or cannot be moved."""
        order = [row.id for row in self.model.all]
        chosen = set(self.chosen)
        if not self.can_be_moved or not chosen or order[0 if step < 0 else -1] in chosen:
            return None
        for place in range(len(order))[::-step]:
            if order[place] in chosen:
                order[place], order[place + step] = order[place + step], order[place]
        return order

    # -- menus

    def _open_menu(self, position: QPoint) -> None:
        menu = self.make_menu(f"{self._noun}Menu")
        for button in (self.edit, self.duplicate, self.up, self.down, self.delete):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.popup(position)

    def make_menu(self, object_name: str) -> QMenu:
        """Return an empty menu, which goes when it is closed."""
        menu = QMenu(self)
        round_corners(menu)
        menu.setObjectName(object_name)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu


def make_button(object_name: str, role: str = "") -> QPushButton:
    """Return a button without words."""
    button = QPushButton()
    button.setObjectName(object_name)
    if role:
        button.setProperty("role", role)
    return button
