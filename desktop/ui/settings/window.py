"""The settings window: pages at the right, navigation and search at the left, its own place for errors and Undo.

Opened by ``WindowPresenter.open_settings(page_key="")`` from anywhere in the window: with a key (``models``, ``servers``,
``permissions``, ``assistant``, ``assistants``, ``prompts``, ``appearance``, ``language``, ``keyboard``, ``api``, ``data``,
``about``) that page, without one the page shown last. There is one such window; a second call raises it. How a page joins:
``catalogue.py``; what it is given: ``context.py``; how it saves: ``writer.py``; its parts: ``page.py``, ``controls.py``.
"""

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.core.errors import StorageError
from desktop.core.receipt import Receipt
from desktop.ui.app_icon import app_icon
from desktop.ui.controls import IconLabel, Words, announce, describe
from desktop.ui.error_words import words_of_exception
from desktop.ui.memory.receipts import Receipts
from desktop.ui.notices import NoticeArea
from desktop.ui.screen_room import limit_least_size, placed_within, room_on_screen
from desktop.ui.search_field import SearchField
from desktop.ui.services import UiServices
from desktop.ui.settings.catalogue import PageEntry, page_entries
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.navigation import Navigation
from desktop.ui.settings.page import SettingRow, SettingsPage
from desktop.ui.settings.writer import SettingsWriter
from desktop.ui.shortcuts import IS_WINDOWS, keys_of
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.toast import Toast
from desktop.ui.translations import Translations

SIZE, LEAST_SIZE = QSize(920, 660), QSize(680, 480)
LEAST_FOR_NOTICES = 300
REASON = Qt.FocusReason.ShortcutFocusReason


class SettingsWindow(QWidget):
    """Makes each page when it is first needed, and keeps it. Closing hides the window; ``finish`` is its end.

    ``closed`` comes when the window was closed and all is on disk, ``quit_requested`` when the program shall end,
    ``thread_requested`` when a page wants a thread shown in the main window, ``memory_requested`` for the memory page.
    ``receipt_left`` carries the ``Receipt`` of what was removed when the window is not to be seen any more.
    """

    closed = Signal()
    quit_requested = Signal()
    thread_requested = Signal(str)
    memory_requested = Signal()
    receipt_left = Signal(object)

    def __init__(
        self,
        services: UiServices,
        theme: ThemeManager,
        translations: Translations,
        *,
        entries: Sequence[PageEntry] | None = None,
    ) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("settingsWindow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowIcon(app_icon())
        self._theme = theme
        self._entries = {entry.key: entry for entry in (page_entries() if entries is None else entries)}
        self._pages: dict[str, SettingsPage] = {}
        self._key = ""
        self._make_side()
        self._make_right()
        self._arrange()
        self.writer = SettingsWriter(services.settings, self)
        self.writer.failed.connect(self._writing_failed)
        self.writer.written.connect(lambda: self._take_failure_back())
        self.current_thread: Callable[[], str | None] = lambda: None
        """Tells which thread is open in the main window."""
        self._take_failure_back: Callable[[], None] = lambda: None
        self._context = SettingsContext(
            services=dataclasses.replace(services, report_error=self.show_error),
            theme=theme,
            translations=translations,
            writer=self.writer,
            window=self,
            open_thread=self.thread_requested.emit,
            open_memory=self.memory_requested.emit,
            current_thread=lambda: self.current_thread(),
            offer_undo=self._offer_undo,
            offer_receipt=self._offer_receipt,
            tell=lambda words: self.toast.tell(words),
            show_notice=self.notices.show_notice,
        )
        self._add_shortcuts()
        theme.changed.connect(self._fit_side)
        self._retranslate()

    # -- what others call

    @property
    def page_key(self) -> str:
        """The page that is shown, empty before the first one."""
        return self._key

    def page_keys(self) -> list[str]:
        """The keys of all pages in their order."""
        return list(self._entries)

    def open_page(self, key: str = "") -> None:
        """Show the window with this page; without a key with the one shown last, at first the first one."""
        if key not in self._entries:
            key = self._key or next(iter(self._entries))
        if self.search.text():
            self.search.clear()
        self._show_page(key)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        self.navigation.setFocus(REASON)

    def page(self, key: str) -> SettingsPage:
        """Return the page, made now if need be."""
        if key not in self._pages:
            page = self._entries[key].make(self._context)
            page.setProperty("role", "settingsPage")
            page.retranslate()
            self._pages[key] = page
            self._stack.addWidget(page)
        return self._pages[key]

    def restore(self, geometry: str, page_key: str, *, over: QRect) -> None:
        """Stand where the window stood last, at first in the middle of ``over``; for the first opening."""
        limit_least_size(self, LEAST_SIZE)
        place = QRect(over.topLeft(), SIZE)
        place.moveCenter(over.center())
        self.setGeometry(place)
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode("ascii", "replace")))
        if not self.isMaximized():
            self.setGeometry(placed_within(self.geometry(), room_on_screen(self)))
        if page_key in self._entries:
            self._key = page_key

    def geometry_text(self) -> str:
        """What ``restore`` takes."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def show_error(self, error: BaseException) -> None:
        """Show an error at the top of this window."""
        self._notice_of(error)

    def _notice_of(self, error: BaseException) -> Callable[[], None]:
        return self.notices.show_notice(
            lambda: words_of_exception(error).title, lambda: words_of_exception(error).detail
        )

    def _writing_failed(self, error: StorageError) -> None:
        """Say so, until it has succeeded after all."""
        self._take_failure_back = self._notice_of(error)

    def finish(self) -> None:
        """Write what is still held and go off the screen with every dialog, for the end of the program."""
        self.writer.flush()
        for dialog in self.findChildren(QDialog):
            dialog.reject()
        self.toast.dismiss()
        self.hide()

    # -- Qt's side

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        was_told = self.writer.is_stuck
        if not self.writer.flush() and not was_told:
            event.ignore()  # once: the message says what was not written, and it stays in its field
            return
        super().closeEvent(event)
        self.search.clear()
        self.toast.dismiss()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self._clear_search()
        else:
            self.close()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place_notices()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        elif event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow() and not self.writer.is_stuck:
            self.writer.flush()

    # -- the parts

    def _make_side(self) -> None:
        self._side = QWidget()
        self._side.setObjectName("settingsSide")
        self._side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = SearchField("settingsSearch", self._theme)
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._enter_found)
        self.navigation = Navigation(self._theme)
        self.navigation.page_chosen.connect(self._show_page)
        self.navigation.entered_page.connect(self._enter_page)
        for entry in self._entries.values():
            self.navigation.add_page(entry.key, entry.icon)
        side = QVBoxLayout(self._side)
        side.setContentsMargins(12, 14, 12, 12)
        side.setSpacing(10)
        side.addWidget(self.search)
        side.addWidget(self.navigation, 1)

    def _make_right(self) -> None:
        self._right = QWidget()
        self.notices = NoticeArea(self._theme)
        self.notices.left.connect(self.navigation.setFocus)
        self._stack = QStackedWidget()
        self._stack.setObjectName("settingsPages")
        self._nothing = QWidget()
        self._nothing.setObjectName("settingsNothingFound")
        self._nothing_title = QLabel()
        self._nothing_title.setProperty("role", "title")
        self._nothing_title.setTextFormat(Qt.TextFormat.PlainText)
        self._nothing_hint = QLabel()
        self._nothing_hint.setProperty("role", "muted")
        self._clear = QPushButton()
        self._clear.setObjectName("clearSearch")
        self._clear.clicked.connect(self._clear_search)
        centre = Qt.AlignmentFlag.AlignCenter
        nothing = QVBoxLayout(self._nothing)
        nothing.setContentsMargins(28, 24, 28, 24)
        nothing.setSpacing(10)
        nothing.addStretch(2)
        nothing.addWidget(IconLabel(self._theme, "search-x", "muted", 36), 0, centre)
        for label in (self._nothing_title, self._nothing_hint):
            label.setWordWrap(True)
            label.setAlignment(centre)
            nothing.addWidget(label)
        nothing.addSpacing(4)
        nothing.addWidget(self._clear, 0, centre)
        nothing.addStretch(3)
        self._stack.addWidget(self._nothing)

    def _arrange(self) -> None:
        edge = QWidget()  # what the toast must not cover: only the lower edge itself
        edge.setFixedHeight(0)
        right, whole, parts = QVBoxLayout(self._right), QVBoxLayout(self), QHBoxLayout()
        for layout in (right, whole, parts):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        right.addWidget(self.notices)
        right.addWidget(self._stack, 1)
        right.addWidget(edge)
        parts.addWidget(self._side)
        parts.addWidget(self._right, 1)
        whole.addLayout(parts, 1)
        for part in (self._side, self._right):
            part.setMinimumHeight(1)  # else a long message gets less room than its words need
        self._whole, self._beside_side = whole, right
        self.toast = Toast(self._theme, self._right, above=edge)
        self.toast.left.connect(self.navigation.setFocus)
        self._receipts = Receipts(
            self, self.toast, self._theme, self, backups=lambda: self._context.services.backup_places()
        )

    def _add_shortcuts(self) -> None:
        keys_of_platform, standard = QKeySequence.keyBindings, QKeySequence.StandardKey
        for keys, act in (
            ([*keys_of_platform(standard.Find), QKeySequence("Ctrl+K")], self._focus_search),
            ([*keys_of_platform(standard.Close), QKeySequence("Ctrl+W")], self.close),
            (
                [*keys_of_platform(standard.Quit), *([] if IS_WINDOWS else [QKeySequence("Ctrl+Q")])],
                self.quit_requested.emit,
            ),
            (keys_of_platform(standard.Undo), self.toast.act),
            ([QKeySequence("Ctrl+Tab"), QKeySequence("Ctrl+PgDown")], lambda: self._step(1)),
            ([QKeySequence("Ctrl+Shift+Tab"), QKeySequence("Ctrl+PgUp")], lambda: self._step(-1)),
        ):
            self._shortcut(keys, act)

    def _shortcut(self, keys: Sequence[QKeySequence], act: Callable[[], object]) -> None:
        for sequence in {key.toString(): key for key in keys}.values():
            QShortcut(sequence, self).activated.connect(act)

    # -- pages

    def _show_page(self, key: str) -> None:
        page = self.page(key)
        self._key = key
        self._stack.setCurrentWidget(page)
        self.navigation.select(key)

    def _step(self, step: int) -> None:
        if key := self.navigation.neighbour(step):
            self._show_page(key)

    def _enter_page(self) -> None:
        """Go from the navigation to the page's first control."""
        if self._stack.currentWidget() is not self._nothing and self._key:
            self.page(self._key).focus_first()

    # -- search

    def _focus_search(self) -> None:
        self.search.setFocus(REASON)
        self.search.selectAll()

    def _clear_search(self) -> None:
        self.search.clear()
        self.search.setFocus(REASON)

    def _search(self) -> None:
        """Narrow the navigation down to the pages with matches, and go to the first match."""
        query = self.search.text().strip()
        pages = {key: self.page(key) for key in self._entries} if query else self._pages
        rows = {key: page.search(query) for key, page in pages.items()}
        if not query:
            self.navigation.show_counts(None)
            self._show_page(self._key)
            return
        counts = {key: len(found) for key, found in rows.items() if found or pages[key].title_matches(query)}
        self.navigation.show_counts(counts)
        if not counts:
            self._nothing_title.setText(self.tr("Nothing found for “%1”").replace("%1", query))
            self._stack.setCurrentWidget(self._nothing)
            announce(self.search, self._nothing_title.text())
            return
        first = next((k for k in counts if counts[k]), next(iter(counts)))
        called_so = next((k for k in counts if pages[k].title.casefold() == query.casefold()), first)
        key = self._key if counts.get(self._key) else called_so
        self._show_page(key)
        if rows[key]:
            QTimer.singleShot(0, rows[key][0], lambda: self._bring_into_view(key, rows[key][0]))
        announce(self.search, self.tr("%n settings found", "", sum(counts.values())))

    def _bring_into_view(self, key: str, row: SettingRow) -> None:
        """When the page has its place: before, it does not know where its rows are."""
        self._pages[key].ensureWidgetVisible(row, 0, 40)

    def _enter_found(self) -> None:
        """Enter in the search field goes to the first setting found."""
        query = self.search.text().strip()
        found = self._pages[self._key].search(query) if query and self._key in self._pages else []
        if found:
            found[0].goes_to.setFocus(REASON)
        else:
            self._enter_page()

    # -- words, colours, Undo

    def _offer_undo(self, text: Words, undo: Callable[[], object], *, over: Callable[[], object] | None = None) -> None:
        self.toast.present(text, lambda: self.tr("Undo"), undo, shortcut=keys_of("undo"), over=over)

    def _offer_receipt(self, receipt: Receipt) -> None:
        if self.isVisible():
            self._receipts.offer(receipt)
        else:
            self.receipt_left.emit(receipt)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        self.search.setPlaceholderText(self.tr("Search settings"))
        describe(self.search, self.tr("Search settings"), shortcut="Ctrl+F")
        self.navigation.setAccessibleName(self.tr("Pages of the settings"))
        self.navigation.set_titles({key: entry.title() for key, entry in self._entries.items()})
        self._nothing_hint.setText(self.tr("Try another word; without a search all pages are listed again."))
        self._clear.setText(self.tr("Clear the search"))
        describe(self._clear, self.tr("Clear the search"), tooltip="")
        self._fit_side()
        if self.search.text():
            self._search()

    def _fit_side(self) -> None:
        self._side.setFixedWidth(min(max(self.navigation.wanted_width() + 24, 190), self._theme.px(280)))
        self._place_notices()

    def _place_notices(self) -> None:
        """Above the page, or above everything where the page is too narrow for their words."""
        is_narrow = self.width() - self._side.minimumWidth() < self._theme.px(LEAST_FOR_NOTICES)
        wanted, other = (self._whole, self._beside_side) if is_narrow else (self._beside_side, self._whole)
        if wanted.indexOf(self.notices) < 0:
            other.removeWidget(self.notices)
            wanted.insertWidget(0, self.notices)
