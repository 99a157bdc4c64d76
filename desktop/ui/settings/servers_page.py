"""The page Tool servers: which MCP servers there are, how they are, and the ways to add one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.programs_part import ProgramsPart
from desktop.ui.settings.row_list import RowList, order_focus
from desktop.ui.settings.server_row import ServerRow
from desktop.ui.settings.server_view import ServerView
from desktop.ui.theme.theme_manager import ThemeManager

PORTION = 12
"""So many rows are made in one go: each takes some milliseconds, and the window must stay alive."""


def make_servers_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.servers_presenter import ServersPresenter

    page = ServersPage(context.theme)
    ServersPresenter(page, context)
    return page


class ServersPage(SettingsPage):
    """Signals that carry a server give the name of its ``ServerView``, ``switched`` also whether it is to be on,
    ``decided`` what the user set for it: a key of its entry and the value. ``changes_of_wanted`` comes from outside, with
    the id of a server."""

    shown = Signal()
    add_requested = Signal()
    paste_requested = Signal()
    import_requested = Signal()
    catalogue_requested = Signal()
    help_requested = Signal(str)
    decided = Signal(str, str, object)
    switched = Signal(str, bool)
    restart_requested = Signal(str)
    edit_requested = Signal(str)
    remove_requested = Signal(str)
    sign_out_requested = Signal(str)
    changes_requested = Signal(str)
    diagnosis_requested = Signal(str)
    changes_of_wanted = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("servers", "plug")
        self._theme = theme
        self._views: Sequence[ServerView] = ()
        self._rows: dict[str, ServerRow] = {}
        self._next_portion = QTimer(self)
        self._next_portion.setSingleShot(True)
        self._next_portion.timeout.connect(self._show)
        self._add, self._paste, self._import, self._catalogue = (QPushButton() for _ in range(4))
        self._import.setObjectName("importServersButton")
        self._import.clicked.connect(self.import_requested)
        self._catalogue.setObjectName("catalogueButton")
        self._catalogue.clicked.connect(self.catalogue_requested)
        self._add.setObjectName("addServer")
        self._add.setProperty("role", "primary")
        self._paste.setObjectName("pasteServers")
        self._add.clicked.connect(self.add_requested)
        self._paste.clicked.connect(self.paste_requested)
        buttons = QWidget()
        buttons.setLayout(Wrapping(self._catalogue, self._import, self._paste, self._add))
        self._new, self._servers = self.add_section(), self.add_section()
        self._add_row = self._new.add_row(buttons, wide=True)
        self._add_row.goes_to = self._add
        self._list = RowList("serverRows")
        self._servers.add_widget(self._list)
        self._programs = self.add_section()
        self.programs = ProgramsPart(self._programs)
        self.retranslate()

    def show_servers(self, views: Sequence[ServerView]) -> None:
        """Show these servers; rows that are unfolded stay so."""
        self._views = views
        self._show()

    def _show(self) -> None:
        rows: dict[str, ServerRow] = {}
        new = 0
        for view in self._views:
            row = self._rows.get(view.name)
            if row is None:
                if new == PORTION:
                    self._next_portion.start(0)
                    continue
                new += 1
                row = self._new_row(view)
            else:
                row.show_view(view)
            rows[view.name] = row
        gone = [row for row in self._rows.values() if row not in rows.values()]
        lost_focus = next((row for row in gone if _has_focus(row)), None)
        is_new_order = list(rows.values()) != list(self._rows.values())
        self._rows = rows
        self._list.set_rows(list(rows.values()))
        self._servers.rows[:] = [row.head for row in rows.values()]
        if is_new_order:
            stops = [stop for row in rows.values() for stop in row.tab_stops()]
            ways = [self._catalogue, self._import, self._paste, self._add]
            parts = self.programs
            order_focus([*ways, *stops, parts.look, parts.cancel, parts.remove, parts.fetch, self._reset])
        for row in gone:
            row.deleteLater()
        if lost_focus is not None:
            self._add.setFocus()

    def view_of(self, name: str) -> ServerView | None:
        """Return what is shown of a server."""
        return next((view for view in self._views if view.name == name), None)

    def reveal_server(self, name: str) -> None:
        """Bring a server into view, its line with the focus."""
        row = self._rows.get(name)
        if row is not None:
            row.focus_fold()
            QTimer.singleShot(0, row, lambda: self.ensureWidgetVisible(row, 0, 40))  # a new one has no place yet

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Tool servers"),
            self.tr(
                "MCP servers give the model tools: files, calendars, search. You are asked before a tool runs; "
                "only harmless built-in ones run at once."
            ),
        )
        self._add_row.set_texts(
            self.tr("Add a server"),
            self.tr("A program on this computer or a web address. Nothing is started that you have not seen."),
            keywords="mcp json command url tools",
        )
        self._add.setText(self.tr("Add…"))
        self._paste.setText(self.tr("Paste JSON…"))
        self._import.setText(self.tr("Import…"))
        self._catalogue.setText(self.tr("Catalogue…"))
        for button in (self._add, self._paste, self._import, self._catalogue):
            button.setAccessibleName(button.text())
        self._servers.set_heading(self.tr("Your servers"))
        self._programs.set_heading(self.tr("Programs"))
        self.programs.retranslate()
        for row in self._rows.values():
            row.retranslate()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _new_row(self, view: ServerView) -> ServerRow:
        row = ServerRow(view, self._theme, self._list)
        name = view.name

        def tell(signal: Callable[[str], None]) -> Callable[[], None]:
            return lambda: signal(name)

        row.switched.connect(lambda on: self.switched.emit(name, on))
        row.restart_requested.connect(tell(self.restart_requested.emit))
        row.help_requested.connect(tell(self.help_requested.emit))
        row.decided.connect(lambda what, value: self.decided.emit(name, what, value))
        row.edit_requested.connect(tell(self.edit_requested.emit))
        row.remove_requested.connect(tell(self.remove_requested.emit))
        row.changes_requested.connect(tell(self.changes_requested.emit))
        row.diagnosis_requested.connect(tell(self.diagnosis_requested.emit))
        row.sign_out_requested.connect(tell(self.sign_out_requested.emit))
        return row


def _has_focus(row: QWidget) -> bool:
    focused = row.window().focusWidget()
    return focused is not None and row.isAncestorOf(focused)
