"""The memory page: all that is remembered, to be searched, read, changed and forgotten."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus
from desktop.ui.controls import IconLabel, Words, announce, describe, prepare_icon_button, tab_stops
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.memory.details import MemoryDetails
from desktop.ui.memory.list_model import ChatPlace, Found, MemoryListModel
from desktop.ui.memory.list_view import MemoryListView, pop_up
from desktop.ui.memory.nothing import NothingHere, PageState
from desktop.ui.memory.tray import MemoryTray
from desktop.ui.memory.words import kind_word
from desktop.ui.popup import round_corners
from desktop.ui.search_field import SearchField
from desktop.ui.settings.controls import SegmentedChoice
from desktop.ui.settings.layouts import WordsAndControl, Wrapping
from desktop.ui.settings.row_list import order_focus
from desktop.ui.theme.theme_manager import ThemeManager

MOST_WIDTH = 900
MARGIN = 20
OTHERS = 300
"""So high are, in the usual font, all parts but the tray and the details, with some rows of the list, which take ``OF_LIST``."""
OF_LIST = 60
LEAST_LIST = 40
SEARCH_DELAY_MS = 150
PATIENCE_MS = 600
"""Reading for longer than this is said."""


class MemoryPage(QWidget):
    """Signals:
    left: back to the chat.
    wanted_changed: other items are wanted: ``text``, ``kinds`` and ``status`` say which.
    write_requested, import_requested, settings_requested, retry_requested, receipt_requested: as they say.
    export_requested: ``json`` or ``md``.
    pause_requested: True to pause, False to go on.
    acted: an action of ``MemoryDetails`` with the chosen ids.
    accepted, refused: an item of the tray.
    """

    left = Signal()
    wanted_changed = Signal()
    write_requested = Signal()
    import_requested = Signal()
    export_requested = Signal(str)
    settings_requested = Signal()
    retry_requested = Signal()
    receipt_requested = Signal()
    pause_requested = Signal(bool)
    acted = Signal(str, list)
    accepted = Signal(str)
    refused = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("memoryPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._is_paused = False
        self._card: QWidget | None = None
        self._waiting = ""
        self._state = PageState.LOADING
        self._failure: Words = ""
        self.model = MemoryListModel(self)
        self._make_head()
        self._make_filters()
        self.tray = MemoryTray(theme)
        self.list = MemoryListView(theme, self.model)
        self.list.setMinimumHeight(LEAST_LIST)
        self.details = MemoryDetails(theme, self.list)
        self._nothing = NothingHere(theme)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(lambda: self._show_state(patient=False))
        self._arrange()
        self._connect()
        self.show_state(PageState.LOADING)
        self.show_paused(False)
        self.retranslate()

    # -- what is wanted

    @property
    def text(self) -> str:
        """What is searched for."""
        return self.search.text().strip()

    @property
    def kinds(self) -> tuple[MemoryKind, ...]:
        """The kinds that are listed; none stands for all."""
        return (MemoryKind(self._kind.key),) if self._kind.key else ()

    @property
    def status(self) -> MemoryStatus:
        return self._chosen_status

    def show_waiting(self) -> None:
        """List what waits for a look."""
        self._choose_status(MemoryStatus.PENDING)

    # -- what the presenter calls

    def show_state(self, state: PageState, failure: Words = "") -> None:
        """Show the list, or say why there is none; ``failure`` says what went wrong."""
        self._failure = failure
        before, self._state = self._state, state
        if state is PageState.LOADING:
            if before is PageState.LIST:
                return  # what stands there stays until there is something new
            self._patience.start()
        else:
            self._patience.stop()
        self._show_state()

    def show_found(
        self, found: Sequence[Found], places: Mapping[str, ChatPlace | None], *, complete: bool, keeps: bool
    ) -> None:
        """List what a search found; with ``keeps`` what the search before found by now, everything in its place."""
        if not keeps:
            self.model.show(found, places, complete=complete)
            self.list.scrollToTop()
            return
        with self.list.place_kept():
            self.model.update(found, places, complete=complete)

    def show_tray(self, items: Sequence[MemoryItem], replaced: Mapping[str, str], *, is_more: bool) -> None:
        """Show what waits for a look, on top and in the name of its filter. See ``MemoryTray.show_items``."""
        count = self.locale().toString(len(items)) + ("+" if is_more else "")
        self._waiting = count if items else ""
        self._name_statuses()
        focused = self.window().focusWidget()
        if not items and focused is not None and self.tray.isAncestorOf(focused):
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)  # else it would leave the page with the last button
        self.tray.show_items(items, replaced, is_more=is_more)
        order_focus(tab_stops(self))  # its rows are new
        self._fit()

    def add_card(self, card: QWidget) -> None:
        """Put something below everything else."""
        self._card = card
        self._column.addWidget(card)
        self._fit()

    def show_has_receipt(self, has_receipt: bool) -> None:
        """Offer the receipt of what was forgotten last, or not."""
        self._receipt.setVisible(has_receipt)

    def show_paused(self, is_paused: bool) -> None:
        self._is_paused = is_paused
        self._banner.setVisible(is_paused)
        self._name_pause()

    def show_chosen(self) -> None:
        """Show all about the chosen rows."""
        chosen = [self.model.item_at(self.model.row_of(item_id)) for item_id in self.list.selected_ids()]
        items = [item for item in chosen if item is not None]
        place = self.model.place_of(items[0]) if len(items) == 1 else None
        self.details.show_items(items, place)
        self._fit()

    def tell_count(self, count: int) -> None:
        """Let a screen reader hear how many were found."""
        announce(self.search, self.tr("%n memories found", "", count) if count else self.tr("No matches"))

    # -- Qt's side

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            if self.search.text():
                self.search.clear()
            elif self.list.selected_ids():
                self.list.clearSelection()
            else:
                self.left.emit()
            return
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus() and self.list.isVisible():
            self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        super().keyPressEvent(event)

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:  # noqa: N802
        """Lead to the search. A focus proxy would not let Tab leave the page: Qt takes all of it for one control."""
        self.search.setFocus(reason)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Memory"))
        set_plain(self._title, self.tr("Memory"))
        set_plain(
            self._explanation,
            self.tr("What chats may be told about you. All of it lies on this computer, and you decide what stays."),
        )
        describe(self._back, self.tr("Back to the chat"), shortcut="Esc")
        self._write.setText(" " + self.tr("Write one yourself"))
        describe(self._write, self.tr("Write one yourself"), tooltip="")
        describe(self._more, self.tr("More"))
        for action, text in (
            (self._import, self.tr("Import…")),
            (self._export_json, self.tr("Export as JSON…")),
            (self._export_markdown, self.tr("Export as Markdown…")),
            (self._receipt, self.tr("Receipt of what was forgotten last")),
            (self._settings, self.tr("Settings of memory")),
        ):
            action.setText(text)
        self._name_pause()
        self.search.setPlaceholderText(self.tr("Search memories"))
        describe(self.search, self.tr("Search memories"), tooltip=self.tr("By words at once, by meaning just after"))
        self._name_statuses()
        self._statuses.setAccessibleName(self.tr("Which memories"))
        describe(self._kind, self.tr("Kind"), tooltip="")
        self._kind.set_words(self.tr("All kinds"), *map(kind_word, MemoryKind))
        self.list.setAccessibleName(self.tr("Memories"))
        self.model.retranslate()
        self._show_state()

    # -- inside

    def _make_head(self) -> None:
        self._back = QToolButton()
        prepare_icon_button(self._back, self._theme, "memoryBack", "arrow-left")
        self._title, self._explanation = plain_label("", "heading"), plain_label("", "muted")
        self._write = QPushButton()
        self._write.setObjectName("memoryWrite")
        self._write.setProperty("role", "primary")
        self._theme.set_icon(self._write, "plus", "on_accent", 16)
        self._pause = QPushButton()
        self._pause.setObjectName("memoryPause")
        self._more = QToolButton()
        prepare_icon_button(self._more, self._theme, "memoryMore", "ellipsis")
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setObjectName("memoryMoreMenu")
        round_corners(menu)
        self._import, self._export_json, self._export_markdown = (menu.addAction("") for _ in range(3))
        self._receipt = menu.addAction("")
        menu.addSeparator()
        self._settings = menu.addAction("")
        self._more.setMenu(menu)
        for action, name in (
            (self._import, "memoryImport"),
            (self._export_json, "memoryExportJson"),
            (self._export_markdown, "memoryExportMarkdown"),
            (self._receipt, "memoryLastReceipt"),
            (self._settings, "memorySettings"),
        ):
            action.setObjectName(name)
        self._banner = QFrame()
        self._banner.setObjectName("memoryPaused")
        self._banner_words = plain_label("")
        row = QHBoxLayout(self._banner)
        row.setContentsMargins(14, 8, 14, 8)
        row.setSpacing(10)
        row.addWidget(IconLabel(self._theme, "pause", "warning", 18))
        row.addWidget(self._banner_words, 1)

    def _make_filters(self) -> None:
        self.search = SearchField("memorySearch", self._theme)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(SEARCH_DELAY_MS)
        self._kind = ChoiceBox("memoryKindFilter", "", *MemoryKind)
        self._chosen_status = MemoryStatus.ACTIVE
        self._statuses = SegmentedChoice("memoryStatus", list(MemoryStatus))
        self._statuses.set_value(self._chosen_status)

    def _arrange(self) -> None:
        name, buttons, head = QWidget(), QWidget(), QWidget()
        beside = QHBoxLayout(name)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(8)
        beside.addWidget(self._back)
        beside.addWidget(self._title, 1)
        buttons.setLayout(Wrapping(self._pause, self._write, self._more))
        head.setLayout(WordsAndControl(name, buttons))
        filters = QWidget()
        filters.setLayout(Wrapping(self._statuses, self._kind, spacing=8))
        content = QWidget()
        content.setMaximumWidth(MOST_WIDTH)
        column = self._column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for widget in (head, self._explanation, self._banner, self.tray, self.search, filters):
            column.addWidget(widget)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        column.addWidget(self.details)
        across = QHBoxLayout(self)
        across.setContentsMargins(MARGIN, 14, MARGIN, 14)
        across.addStretch(1)
        across.addWidget(content, 1000)
        across.addStretch(1)

    def _connect(self) -> None:
        self._back.clicked.connect(self.left)
        self._write.clicked.connect(self.write_requested)
        self._pause.clicked.connect(lambda: self.pause_requested.emit(not self._is_paused))
        self._import.triggered.connect(self.import_requested)
        self._export_json.triggered.connect(lambda: self.export_requested.emit("json"))
        self._export_markdown.triggered.connect(lambda: self.export_requested.emit("md"))
        self._receipt.triggered.connect(self.receipt_requested)
        self._settings.triggered.connect(self.settings_requested)
        self.search.textChanged.connect(lambda: self._delay.start())
        self._delay.timeout.connect(self.wanted_changed)
        self._kind.currentIndexChanged.connect(self.wanted_changed)
        self._statuses.chosen.connect(self._choose_status)
        self.tray.accepted.connect(self.accepted)
        self.tray.refused.connect(self.refused)
        self.tray.all_wanted.connect(self.show_waiting)
        self.list.chosen.connect(self.show_chosen)
        self.list.left_upwards.connect(self.search.setFocus)
        self.list.opened.connect(lambda: self._act("edit"))
        self.list.forget_requested.connect(lambda: self._act("forget"))
        self.list.menu_requested.connect(lambda position: pop_up(self.details.menu(), position))
        self.details.acted.connect(self._act)
        self._nothing.act.clicked.connect(self._act_on_nothing)
        self.model.rowsRemoved.connect(self.show_chosen)
        self.model.modelReset.connect(self.show_chosen)
        self.model.dataChanged.connect(self.show_chosen)

    def _name_statuses(self) -> None:
        waiting = self.tr("Waiting")
        words = {
            MemoryStatus.ACTIVE: self.tr("In use"),
            MemoryStatus.SUPERSEDED: self.tr("No longer true"),
            MemoryStatus.PENDING: f"{waiting} {self._waiting}" if self._waiting else waiting,
        }
        self._statuses.set_words({**words})

    def _fit(self) -> None:
        """Leave the list some rows where the window is low: first the tray goes, then what else can be missed."""
        room = self.height() - self._theme.px(OTHERS)
        if (card := self._card) is not None:
            card.setVisible(room > card.sizeHint().height())
            room -= 0 if card.isHidden() else card.sizeHint().height()
        details = 0 if self.details.isHidden() else self.details.wanted_height()
        tray = self.tray.heightForWidth(min(self.width() - 2 * MARGIN, MOST_WIDTH))
        is_wanted = bool(self._waiting) and self.status is not MemoryStatus.PENDING
        self.tray.setVisible(is_wanted and room > tray + details)
        self.details.be_low(room < details)
        nothing = 0 if self._nothing.isHidden() else self._nothing.least_height(self.width() - 2 * MARGIN)
        self._explanation.setVisible(room > max(0, nothing - self._theme.px(OF_LIST)))

    def _act(self, name: str) -> None:
        if self.details.offers(name):
            self.acted.emit(name, self.list.selected_ids())

    def _choose_status(self, status: MemoryStatus) -> None:
        self._chosen_status = status
        self._statuses.set_value(status)
        self._fit()
        self.wanted_changed.emit()

    def _act_on_nothing(self) -> None:
        if self._state is PageState.FAILED:
            self.retry_requested.emit()
        elif self._state is PageState.EMPTY:
            self.write_requested.emit()
        else:
            with QSignalBlocker(self.search), QSignalBlocker(self._kind):
                self.search.clear()
                self._kind.setCurrentIndex(0)
            self._choose_status(MemoryStatus.ACTIVE)
            self.search.setFocus()

    def _show_state(self, *, patient: bool = True) -> None:
        has_list = self._state is PageState.LIST
        if not has_list and self.list.hasFocus():
            self.search.setFocus()
        self.list.setVisible(has_list)
        self._nothing.setVisible(not has_list)
        self._fit()
        self._nothing.show_state(
            self._state, self._failure, is_told=self._state is not PageState.LOADING or not patient
        )

    def _name_pause(self) -> None:
        text = self.tr("Let memory go on") if self._is_paused else self.tr("Pause memory")
        self._pause.setText(" " + text)
        self._theme.set_icon(self._pause, "play" if self._is_paused else "pause", "text", 15)
        describe(self._pause, text, tooltip=self.tr("For all chats; a single chat has its own way in its options"))
        set_plain(
            self._banner_words,
            self.tr("Memory is paused: nothing is taken from your chats, and answers are told nothing of it."),
        )
