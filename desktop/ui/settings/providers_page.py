"""The page Models: the endpoints that can answer, which one does, and the ways to add, change, test and remove them."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QAccessible, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe
from desktop.ui.endpoints.parts import words
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.endpoint_row import EndpointRow, words_of
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingRow, SettingsPage
from desktop.ui.settings.row_list import RowList, order_focus
from desktop.ui.state.endpoint_rows import EndpointRowState
from desktop.ui.theme.theme_manager import ThemeManager

PORTION = 6
"""So many rows are made in one go: each takes some milliseconds. Those that nobody looks for are never made."""
USUAL_ROW_HEIGHT = 112


def make_models_page(context: SettingsContext) -> "ModelsPage":
    """Return the page with its presenter."""
    from desktop.ui.settings.providers_presenter import ProvidersPresenter

    page = ModelsPage(context.theme)
    ProvidersPresenter(page, context)
    return page


class ModelsPage(SettingsPage):
    """Signals carry the id of an endpoint; the demo model has an empty one.

    Signals:
        shown: the page came into sight.
        add_requested: the user wants to set up a further endpoint.
        use_requested, test_requested, cancel_requested, key_requested, edit_requested, remove_requested: by the buttons of a row.
    """

    shown = Signal()
    add_requested = Signal()
    use_requested = Signal(str)
    test_requested = Signal(str)
    cancel_requested = Signal(str)
    key_requested = Signal(str)
    edit_requested = Signal(str)
    remove_requested = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("models", "bot")
        self._theme = theme
        self._section = self.add_section()
        self._states: Sequence[EndpointRowState] = ()
        self._wanted = 0
        """So many rows shall be there, the first ones."""
        self._list = RowList("endpointList")
        self._rest = QWidget()
        """Stands where the rows will be that are not made yet."""
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._list)
        column.addWidget(self._rest)
        self._section.add_widget(rows)
        self._look_again = QTimer(self)
        self._look_again.setSingleShot(True)
        self._look_again.timeout.connect(self._look)
        self.verticalScrollBar().valueChanged.connect(lambda: self._look_again.start(0))
        self._empty = words("muted", "noEndpoints")
        self._add = QPushButton()
        self._add.setObjectName("addEndpoint")
        self._add.setProperty("role", "primary")
        self._add.clicked.connect(self.add_requested)
        foot = QWidget()
        foot.setLayout(Wrapping(self._add))
        self.add_widget(self._empty)
        self.add_widget(foot)
        self.retranslate()

    def show_endpoints(self, states: Sequence[EndpointRowState]) -> None:
        """Show these, in this order; a row that stays keeps the focus."""
        self._states = states
        self._show_rows()
        self._empty.setVisible(len(states) <= 1)
        self.set_can_reset(len(states) > 1)

    def search(self, query: str) -> list[SettingRow]:
        """Also what has no row yet can be found; it gets one."""
        found = query.casefold().split()
        for number, state in enumerate(self._states if found else ()):
            text = " ".join(words_of(state)).casefold()
            if all(word in text for word in found):
                self._wanted = max(self._wanted, number + 1)
        self._show_rows()
        return super().search(query)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Models"),
            self.tr(
                "Which model answers new chats. A chat stays with the one it began with, until you choose another one in it."
            ),
        )
        self._empty.setText(
            self.tr(
                "No model is set up yet. Add one that runs on this computer, a provider with a key, or another address."
            )
        )
        self._add.setText(self.tr("Add a model…"))
        describe(self._add, self.tr("Add a model"), tooltip="")

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        self._wanted = max(self._wanted, PORTION)
        self._show_rows()
        super().showEvent(event)
        self.shown.emit()
        self._look_again.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._look_again.start(0)

    def _endpoint_rows(self) -> list[EndpointRow]:
        return [row for row in self._section.rows if isinstance(row, EndpointRow)]

    def _show_rows(self) -> None:
        states = self._states[: self._wanted]
        if [row.state.id for row in self._endpoint_rows()] != [state.id for state in states]:
            wanted = {state.id for state in states}
            focus = self.focusWidget()
            loses_focus = any(
                row.state.id not in wanted and focus is not None and row.isAncestorOf(focus)
                for row in self._endpoint_rows()
            )
            self._make_rows(states)
            if loses_focus:
                self._add.setFocus()
        for row, state in zip(self._endpoint_rows(), states, strict=True):
            row.show_state(state)

    def _look(self) -> None:
        """Make the next rows when they are about to come into sight; all of them for a screen reader."""
        missing = len(self._states) - len(self._endpoint_rows())
        if not missing or not self.isVisible():
            return
        beginning = self._rest.mapTo(self.viewport(), QPoint(0, 0)).y()
        if beginning < 2 * self.viewport().height() or QAccessible.isActive():
            self.steady.hold()
            self._wanted = len(self._endpoint_rows()) + PORTION
            self._show_rows()
            self._look_again.start(0)

    def _make_rows(self, states: Sequence[EndpointRowState]) -> None:
        kept = {row.state.id: row for row in self._endpoint_rows()}
        rows = [kept.get(state.id) or self._row(state) for state in states]
        self._section.rows[:] = rows
        self._list.set_rows(rows)
        for row in kept.values():
            if row not in rows:
                row.deleteLater()
        order_focus([*(stop for row in rows for stop in row.buttons.focus_stops()), self._add, self._reset])
        self._leave_room(len(self._states) - len(rows))

    def _leave_room(self, missing: int) -> None:
        """Let the page be about as long as with all its rows, so that the scroll bar does not lie."""
        heights = [row.height() for row in self._endpoint_rows() if row.isVisible()]
        usual = sum(heights) // len(heights) if heights else self._theme.px(USUAL_ROW_HEIGHT)
        self._rest.setFixedHeight(missing * usual)

    def _row(self, state: EndpointRowState) -> EndpointRow:
        row = EndpointRow(self._theme, state)
        buttons, endpoint_id = row.buttons, state.id
        buttons.use_requested.connect(lambda: self.use_requested.emit(endpoint_id))
        buttons.test_requested.connect(lambda: self.test_requested.emit(endpoint_id))
        buttons.cancel_requested.connect(lambda: self.cancel_requested.emit(endpoint_id))
        buttons.key_requested.connect(lambda: self.key_requested.emit(endpoint_id))
        buttons.edit_requested.connect(lambda: self.edit_requested.emit(endpoint_id))
        buttons.remove_requested.connect(lambda: self.remove_requested.emit(endpoint_id))
        return row
