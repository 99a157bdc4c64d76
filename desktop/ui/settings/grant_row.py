"""One standing permission in the settings: what exactly may run, where, since when, and the button that ends it."""

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.tools.entities import GrantScope
from desktop.tools.grant_state import GrantState
from desktop.tools.policy import UNUSED_GRANT_DAYS
from desktop.tools.visible_text import reveal
from desktop.ui.controls import IconLabel
from desktop.ui.dialogs.display_lines import DisplayLine, display_lines, json_lines
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.endpoints.parts import LinkButton
from desktop.ui.grant_words import pattern_text
from desktop.ui.punctuation import sentences
from desktop.ui.settings.grant_view import GrantView
from desktop.ui.settings.page import SettingRow
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_OF_NAME = 80
_MOST_LINES = 6


class GrantRow(QFrame):
    """Shows a ``GrantView``; what was allowed and the names are untrusted: plain text, deceptive characters visible.

    Signals:
        revoke_requested: the permission is to end.
        thread_requested: the thread that it is for is to be shown.
        uses_requested: the calls that it let run are to be shown.
    """

    revoke_requested = Signal()
    thread_requested = Signal()
    uses_requested = Signal()

    def __init__(self, view: GrantView, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self.setObjectName(f"grant-{view.grant.id}")
        self._revoke = QPushButton()
        self._revoke.setObjectName(f"revoke-{view.grant.id}")
        self._revoke.setProperty("role", "danger")
        self._revoke.clicked.connect(self.revoke_requested)
        self.head = SettingRow(self._revoke)
        self._open = LinkButton(f"openThread-{view.grant.id}")
        self._open.clicked.connect(self.thread_requested)
        self._uses = LinkButton(f"grantUses-{view.grant.id}")
        self._uses.clicked.connect(self.uses_requested)
        self._used = plain_label("", "muted")
        self._used.setObjectName("grantUse")
        self._warning = QWidget()
        self._warning_words = plain_label("", "warning")
        self._warning_words.setObjectName("grantWarning")
        self._box = self._make_box()
        self._arrange()
        self.show_view(view)

    @property
    def view(self) -> GrantView:
        return self._view

    def tab_stops(self) -> list[QWidget]:
        """What Tab stops at, in reading order."""
        return [self._revoke, *([self._box] if self._box is not None else []), self._uses, self._open]

    def show_view(self, view: GrantView) -> None:
        """Show the permission as it stands now; what it allows never changes."""
        self._view = view
        self.retranslate()

    def retranslate(self) -> None:
        view, grant = self._view, self._view.grant
        what, where = self._what(), self._where()
        keywords = f"{what} {where} {grant.summary[:500]} {grant.tool_name} {grant.server_id}"
        self.head.set_texts(what, where, keywords=keywords)
        self.setAccessibleName(sentences(what, where))
        self._revoke.setText(self.tr("Revoke"))
        self._revoke.setAccessibleName(self.tr("Revoke: %1").replace("%1", f"{what}, {grant.summary[:200]}"))
        self._open.setText(self.tr("Open chat"))
        self._open.setAccessibleName(self.tr("Open chat: %1").replace("%1", self._thread_name()))
        self._open.setVisible(grant.scope is GrantScope.THREAD and not view.thread_in_trash)
        set_plain(self._used, self._use())
        self._uses.setText(self.tr("Show uses"))
        self._uses.setAccessibleName(self.tr("Show uses: %1").replace("%1", what))
        self._uses.setVisible(grant.use_count > 0)
        warning = self._warning_text()
        set_plain(self._warning_words, warning)
        self._warning.setVisible(bool(warning))
        if self._box is not None:
            self._box.setAccessibleName(
                self.tr("The exact command") if view.is_command else self.tr("The exact arguments")
            )

    @property
    def revoke_button(self) -> QPushButton:
        return self._revoke

    def _make_box(self) -> PlainBox | None:
        if self._view.grant.digest is None:
            return None
        box = PlainBox(_lines(self._view), self._theme, role="code", least_lines=1, most_lines=_MOST_LINES)
        box.setObjectName("grantText")
        return box

    def _arrange(self) -> None:
        warning = QHBoxLayout(self._warning)
        warning.setContentsMargins(0, 0, 0, 0)
        warning.setSpacing(6)
        warning.addWidget(IconLabel(self._theme, "triangle-alert", "warning", 16))
        warning.addWidget(self._warning_words, 1)
        foot = QHBoxLayout()
        foot.setSpacing(12)
        foot.addWidget(self._used, 1)
        foot.addWidget(self._uses)
        foot.addWidget(self._open)
        below = QVBoxLayout()
        below.setContentsMargins(19, 0, 16, 12)
        below.setSpacing(8)
        if self._box is not None:
            below.addWidget(self._box)
        below.addWidget(self._warning)
        below.addLayout(foot)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addLayout(below)

    # -- words

    def _what(self) -> str:
        grant = self._view.grant
        if grant.pattern is not None:
            return self._what_pattern(pattern_text(grant.pattern))
        if self._view.is_command:
            return self.tr("Run exactly this command")
        words = (
            self.tr("Use “%1” of “%2” with any arguments")
            if self._view.covers_whole_tool
            else self.tr("Use “%1” of “%2” with exactly these arguments")
        )
        return words.replace("%1", _shown(grant.tool_name)).replace("%2", _shown(grant.server_id))

    def _what_pattern(self, covered: str) -> str:
        if self._view.is_command:
            return self.tr("Run %1").replace("%1", covered)
        words = self.tr("“%1” of “%2”: %3")
        grant = self._view.grant
        names = words.replace("%1", _shown(grant.tool_name)).replace("%2", _shown(grant.server_id))
        return names.replace("%3", covered)

    def _where(self) -> str:
        grant = self._view.grant
        if grant.scope is GrantScope.THREAD:
            words = self.tr("In the chat “%1”").replace("%1", self._thread_name())
        else:
            words = self.tr("Always, in every chat")
        if grant.folder:
            words += " · " + self.tr("in the folder %1").replace("%1", reveal(grant.folder, keep_newlines=False))
        return words

    def _thread_name(self) -> str:
        return _shown(self._view.thread_title) or self.tr("New chat")

    def _use(self) -> str:
        """Say what it was good for: the call that was asked about when it was given does not count."""
        grant = self._view.grant
        given = self.tr("Given %1").replace("%1", _time(grant.created_at.timestamp()))
        if grant.expires_at is not None:
            given += " · " + self.tr("until %1").replace("%1", _time(grant.expires_at.timestamp()))
        if grant.last_used_at is None or not grant.use_count:
            return f"{given} · " + self.tr("not used without asking yet")
        used = self.tr("used %n times without asking, last %1", "", grant.use_count)
        return f"{given} · " + used.replace("%1", _time(grant.last_used_at.timestamp()))

    def _warning_text(self) -> str:
        if self._view.thread_in_trash:
            return self.tr("Its chat is in the Trash; the permission is deleted with it.")
        match self._view.state:
            case GrantState.ACTIVE:
                return ""
            case GrantState.EXPIRED:
                return self.tr("Expired: not used for %n days.", "", UNUSED_GRANT_DAYS)
            case GrantState.OVER:
                return self.tr("Expired: the time is over for which it was given.")
            case GrantState.READ_OTHERWISE:
                return self.tr("No effect: this version reads commands in another way. You will be asked again.")
            case GrantState.SERVER_GONE:
                return self.tr("No effect: this server no longer exists.")
            case GrantState.SERVER_OFF:
                return self.tr("No effect for now: its server is not running.")
            case GrantState.TOOL_GONE:
                return self.tr("No effect: the server no longer offers this tool.")
            case GrantState.TOOL_CHANGED:
                return self.tr("No effect: the tool or its server has changed. You will be asked again.")
            case GrantState.OTHER_FOLDER:
                return self.tr("No effect for now: commands run in another folder.")


def _lines(view: GrantView) -> tuple[DisplayLine, ...]:
    arguments = view.arguments
    return display_lines(view.grant.summary) if arguments is None else json_lines(arguments)


def _shown(text: str) -> str:
    text = reveal(text, keep_newlines=False)
    return text if len(text) <= _MOST_OF_NAME else text[:_MOST_OF_NAME] + "…"


def _time(seconds: float) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
