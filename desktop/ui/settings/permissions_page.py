"""The page Permissions: what may run without a question, and the ways to take that back."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QVBoxLayout

from desktop.tools.sandbox import SandboxState
from desktop.ui.clear_button import offer_clearing
from desktop.ui.controls import IconLabel, announce, pass_undo_on
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.punctuation import sentences
from desktop.ui.sandbox_words import sandbox_words
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.grant_row import GrantRow
from desktop.ui.settings.grant_view import GrantView
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.row_list import RowList, order_focus
from desktop.ui.theme.theme_manager import ThemeManager

FILTER_FROM = 7
"""With so many permissions a field to narrow them down is worth its place."""
AT_ONCE = 30
"""So many rows are shown; more on demand."""
PORTION = 8
"""So many rows are made in one go: each takes some milliseconds, and the window must stay alive."""


def make_permissions_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.permissions_presenter import PermissionsPresenter

    page = PermissionsPage(context.theme)
    PermissionsPresenter(page, context)
    return page


class PermissionsPage(SettingsPage):
    """Signals name a permission by its id, a thread by its own."""

    shown = Signal()
    revoke_requested = Signal(str)
    revoke_all_requested = Signal()
    thread_requested = Signal(str)
    sandbox_trial_requested = Signal()
    history_requested = Signal()
    uses_requested = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("permissions", "shield-check", can_reset=False)
        self._theme = theme
        self._views: Sequence[GrantView] = ()
        self._made: dict[str, GrantRow] = {}
        """All rows there are, also those that the filter hides."""
        self._rows: dict[str, GrantRow] = {}
        self._most = AT_ONCE
        self._next_portion = QTimer(self)
        self._next_portion.setSingleShot(True)
        self._next_portion.timeout.connect(self._show)
        self._revoke_all = QPushButton()
        self._revoke_all.setObjectName("revokeAll")
        self._revoke_all.setProperty("role", "danger")
        self._revoke_all.clicked.connect(self.revoke_all_requested)
        self._filter = QLineEdit()
        self._filter.setObjectName("grantFilter")
        offer_clearing(self._filter, theme)
        pass_undo_on(self._filter)
        self._filter.textChanged.connect(self._filtered)
        self._nothing = _EmptyNote(theme)
        self._more = QPushButton()
        self._more.setObjectName("moreGrants")
        self._more.clicked.connect(self._show_more)
        self._sandbox: SandboxState | None = None
        self._try_sandbox = QPushButton()
        self._try_sandbox.setObjectName("trySandbox")
        self._try_sandbox.clicked.connect(self.sandbox_trial_requested)
        self._sandbox_row = self.add_section().add_row(self._try_sandbox)
        self._history = QPushButton()
        self._history.setObjectName("openHistory")
        self._history.clicked.connect(self.history_requested)
        self._history_row = self.add_section().add_row(self._history)
        self._summary, self._grants = self.add_section(), self.add_section()
        self._all_row = self._summary.add_row(self._revoke_all)
        self._list = RowList("grantRows")
        self._grants.add_widget(self._list)
        self.add_widget(self._nothing)
        self.add_widget(self._more)
        self._summary.layout().addWidget(self._filter)  # type: ignore[union-attr]
        self.retranslate()

    def show_grants(self, views: Sequence[GrantView]) -> None:
        """Show these permissions, the first one at the top."""
        self._views = views
        self._show()
        kept = {view.grant.id for view in views}
        for grant_id in [grant_id for grant_id in self._made if grant_id not in kept]:
            self._made.pop(grant_id).deleteLater()

    def show_sandbox(self, state: SandboxState | None) -> None:
        """Say whether commands are held in the usual folder; None while that is being found out."""
        self._sandbox = state
        self._describe_sandbox()

    def focus_grant(self, grant_id: str) -> None:
        """Bring a permission into view, its button with the focus."""
        if (row := self._rows.get(grant_id)) is not None:
            row.revoke_button.setFocus()
            self.ensureWidgetVisible(row, 0, 40)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Permissions"),
            self.tr("What you allowed for a chat or for good. Once revoked, Threadwell asks again."),
        )
        self._revoke_all.setText(self.tr("Revoke all"))
        self._filter.setPlaceholderText(self.tr("Filter by command, tool, server, folder or chat"))
        self._filter.setAccessibleName(self.tr("Filter the permissions"))
        self._more.setText(self.tr("Show more"))
        self._history_row.set_texts(
            self.tr("History of decisions and calls"),
            self.tr("Every call of a tool: what exactly was to run, who decided, and how it ended."),
            keywords=self.tr("ledger log record journal search"),
        )
        self._history.setText(self.tr("Show…"))
        self._history.setAccessibleName(self.tr("Show the history of decisions and calls"))
        for row in self._made.values():
            row.retranslate()
        self._describe_sandbox()
        self._describe()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _show(self) -> None:
        words = self._filter.text().casefold().split()
        found = [view for view in self._views if view.matches(words)]
        rows: dict[str, GrantRow] = {}
        new = 0
        for view in found[: self._most]:
            row = self._made.get(view.grant.id)
            if row is None:
                if new == PORTION:
                    self._next_portion.start(0)
                    continue
                new += 1
                row = self._made[view.grant.id] = self._new_row(view)
            elif row.view != view:
                row.show_view(view)
            rows[view.grant.id] = row
        next_focus = self._next_focus(rows)
        if list(rows.values()) != list(self._rows.values()):
            stops = [stop for row in rows.values() for stop in row.tab_stops()]
            order_focus([self._revoke_all, self._filter, *stops, self._more])
        self._rows = rows
        self._list.set_rows(list(rows.values()))
        self._grants.rows[:] = [row.head for row in rows.values()]
        self._grants.setVisible(bool(rows))
        self._more.setVisible(len(found) > self._most)
        self._describe()
        if next_focus is not None:
            next_focus.setFocus()

    def _next_focus(self, rows: dict[str, GrantRow]) -> QPushButton | QLineEdit | None:
        """Return where the keyboard goes when the row that it was in goes: to the next row, else to the one before."""
        focused = self.window().focusWidget()
        old = list(self._rows)
        here = next((key for key, row in self._rows.items() if focused is not None and row.isAncestorOf(focused)), None)
        if here is None or here in rows:
            return None
        place = old.index(here)
        near = next((key for key in [*old[place:], *reversed(old[:place])] if key in rows), None)
        return self._filter if near is None else rows[near].revoke_button

    def _describe(self) -> None:
        count, shown = len(self._views), len(self._rows)
        active = sum(not view.has_no_effect for view in self._views)
        self._summary.setVisible(count > 0)
        self._filter.setVisible(count >= FILTER_FROM or bool(self._filter.text()))
        if active == count:
            details = self.tr("All are in effect.")
        else:
            details = self.tr("%n are in effect.", "", active) if active else self.tr("None of them is in effect now.")
        self._all_row.set_texts(self.tr("%n permissions", "", count), details, keywords="revoke grants approvals")
        self._revoke_all.setAccessibleName(self._revoke_all.text())
        self._nothing.setVisible(not shown)
        if not count:
            self._nothing.show_words(
                "shield-check",
                self.tr("Nothing is allowed in advance"),
                self.tr(
                    "Threadwell asks before a tool call; only built-in tools that change nothing, such as the"
                    " calculator, and harmless commands in the sandbox run unasked. What you allow for a chat or for"
                    " good is listed here."
                ),
            )
        elif not shown:
            self._nothing.show_words("search-x", self.tr("No permission matches the filter"), "")

    def _describe_sandbox(self) -> None:
        state = self._sandbox
        words = self.tr("Looking whether there is a sandbox…") if state is None else sandbox_words(state)
        self._sandbox_row.set_texts(
            self.tr("Sandbox for commands"), words, keywords=self.tr("bubblewrap isolation network folder")
        )
        self._try_sandbox.setText(self.tr("Try again"))
        self._try_sandbox.setAccessibleName(self.tr("Try the sandbox again"))

    def _filtered(self) -> None:
        self._most = AT_ONCE
        self._show()
        announce(self._filter, self.tr("%n permissions", "", len(self._rows)))

    def _show_more(self) -> None:
        last = list(self._rows.values())[-1]
        self._most += AT_ONCE
        last.revoke_button.setFocus()
        self._show()

    def _new_row(self, view: GrantView) -> GrantRow:
        row = GrantRow(view, self._theme, self._list)
        grant = view.grant
        row.revoke_requested.connect(lambda: self.revoke_requested.emit(grant.id))
        row.uses_requested.connect(lambda: self.uses_requested.emit(grant.id))
        row.thread_requested.connect(lambda: self.thread_requested.emit(grant.thread_id or ""))
        return row


class _EmptyNote(QFrame):
    """A quiet picture with a sentence or two, where there is nothing to list."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("noGrants")
        self._icons = {name: IconLabel(theme, name, "muted", 36) for name in ("shield-check", "search-x")}
        self._title, self._words = plain_label("", "title"), plain_label("", "muted")
        centre = Qt.AlignmentFlag.AlignCenter
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 36, 24, 36)
        layout.setSpacing(8)
        for icon in self._icons.values():
            layout.addWidget(icon, 0, centre)
        for label in (self._title, self._words):
            label.setAlignment(centre)
            layout.addWidget(label)

    def show_words(self, icon: str, title: str, words: str) -> None:
        for name, label in self._icons.items():
            label.setVisible(name == icon)
        set_plain(self._title, title)
        set_plain(self._words, words)
        self._words.setVisible(bool(words))
        self.setAccessibleName(sentences(title, words))
