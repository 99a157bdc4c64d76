"""The page Models: the endpoints that can answer, which one does, and the ways to add, change, test and remove them."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.controls import describe
from desktop.ui.endpoints.parts import words
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.endpoint_row import EndpointRow
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.row_list import RowList, order_focus
from desktop.ui.state.endpoint_rows import EndpointRowState
from desktop.ui.theme.theme_manager import ThemeManager


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
        self._list = RowList("endpointList")
        self._section.add_widget(self._list)
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
        self._empty.setVisible(len(states) <= 1)
        self.set_can_reset(len(states) > 1)

    def row(self, endpoint_id: str) -> EndpointRow | None:
        return next((row for row in self._endpoint_rows() if row.state.id == endpoint_id), None)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Models"), self.tr("Which model answers. Changes apply from the next message, in every chat.")
        )
        self._empty.setText(
            self.tr(
                "No model is set up yet. Add one that runs on this computer, a provider with a key, or another address."
            )
        )
        self._add.setText(self.tr("Add a model…"))
        describe(self._add, self.tr("Add a model"), tooltip="")

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _endpoint_rows(self) -> list[EndpointRow]:
        return [row for row in self._section.rows if isinstance(row, EndpointRow)]

    def _make_rows(self, states: Sequence[EndpointRowState]) -> None:
        kept = {row.state.id: row for row in self._endpoint_rows()}
        rows = [kept.get(state.id) or self._row(state) for state in states]
        self._section.rows[:] = rows
        self._list.set_rows(rows)
        for row in kept.values():
            if row not in rows:
                row.deleteLater()
        order_focus([*(stop for row in rows for stop in row.buttons.focus_stops()), self._add, self._reset])

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
