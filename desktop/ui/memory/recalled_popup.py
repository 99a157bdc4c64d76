"""What an answer was told of what was said before: each memory with where it is from, why it was found, what can be done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, pairwise

from PySide6.QtCore import QDate, QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.memory.entities import MemoryItem, PassageKind, Place
from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import plain_label, scrolled, set_plain
from desktop.ui.documents.words import place_words
from desktop.ui.memory.words import MOST_TITLE, day, kind_word, origin_words
from desktop.ui.popup import Popup
from desktop.ui.punctuation import labelled, unbroken
from desktop.ui.screen_room import placed_within, room_on_screen
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.state.plain_line import without_marks
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 460
MOST_HEIGHT = 460
MOST_TEXT = 400
MOST_PLACE = 120
NEAR_MEANING = 1.0
"""So many deviations above unrelated texts meaning counts as a reason, beside words that are shared."""
_GAP = 6


@dataclass(frozen=True, kw_only=True)
class RecalledRow:
    """One memory as it is by now."""

    kind: PassageKind
    id: str
    text: str | None
    """None when it is gone."""
    item: MemoryItem | None = None
    """Of a remembered item."""
    has_changed: bool = False
    """It was edited after the answer was told of it."""
    at: datetime | None = None
    by_user: bool = True
    """Who said it, of a message."""
    thread_id: str = ""
    message_id: str = ""
    """Where it was said; empty where nobody can go there."""
    title: str | None = None
    """Of the chat that it is from, empty for one without; None where there is none any more. Of a document its name."""
    place: Place | None = None
    """Of a document, where in it."""
    is_own: bool = False
    """It is from the chat that is open."""
    score: float | None = None
    """None for a wish, which is told to every answer."""
    words: float = 0.0
    meaning: float | None = None


class RecalledPopup(Popup):
    """Closes by itself at a click elsewhere, at Escape, and before anything is done. Texts are shown as plain text.

    Signals:
        message_wanted: ids of a chat and a message in it.
        edit_wanted: the ``MemoryItem`` to be edited.
        forget_wanted: the id of an item to be forgotten.
        choice_wanted: the user wants to choose what the chat is told.
        document_wanted: the id of a piece of a file that is to be shown.
    """

    message_wanted = Signal(str, str)
    edit_wanted = Signal(object)
    forget_wanted = Signal(str)
    choice_wanted = Signal()
    document_wanted = Signal(str)

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recalledPopup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._rows: Sequence[RecalledRow] = ()
        self._wishes: Sequence[RecalledRow] = ()
        self._had_meaning = True
        self._row_buttons: list[list[QPushButton]] = []
        self._heading = plain_label("", "title")
        self._words = plain_label("", "muted")
        self._page = QWidget()
        self._area = scrolled(self._page, "recalledArea")
        self._choose = QPushButton()
        self._choose.setObjectName("recalledChoose")
        self._choose.setProperty("role", "link")
        self._choose.clicked.connect(lambda: self._done(self.choice_wanted.emit))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 8, 10)
        layout.setSpacing(4)
        layout.addWidget(self._heading)
        layout.addWidget(self._words)
        layout.addSpacing(4)
        layout.addWidget(self._area)
        layout.addWidget(self._choose, 0, Qt.AlignmentFlag.AlignLeft)

    def show_rows(self, rows: Sequence[RecalledRow], wishes: Sequence[RecalledRow], *, had_meaning: bool) -> None:
        """Take what is listed; ``wishes`` stand apart."""
        self._rows, self._wishes, self._had_meaning = rows, wishes, had_meaning
        self._fill()

    def open_at(self, anchor: QWidget) -> None:
        """Open below the button, or above it where there is more room, with the focus on the first control."""
        room = room_on_screen(anchor)
        width = min(self._theme.px(WIDTH), room.width() - 20, anchor.window().width() - 16)
        self.setFixedWidth(max(260, width))
        place = QRect(anchor.mapToGlobal(QPoint(0, 0)), anchor.size())
        below, above = room.bottom() - place.bottom() - _GAP, place.top() - room.top() - _GAP
        layout = self.layout()
        assert layout is not None
        self._area.setFixedHeight(1)
        for widget in (self, *self.findChildren(QWidget)):
            widget.ensurePolished()  # else fonts are others once it is shown, and it is higher
        layout.activate()
        around = layout.totalHeightForWidth(self.width())
        most = min(self._theme.px(MOST_HEIGHT), max(below, above) - around - _GAP)
        self._area.setFixedHeight(min(max(80, most), self._height_of_page() + 2))
        layout.activate()
        height = layout.totalHeightForWidth(self.width())
        frame = anchor.window().frameGeometry().intersected(room)
        x = max(frame.left(), min(place.left(), frame.right() - 8 - self.width()))
        is_below = height <= below or below >= above
        y = place.bottom() + _GAP if is_below else place.top() - _GAP - height
        self.setGeometry(placed_within(QRect(x, y, self.width(), height), room))
        self.show()
        first = next((button for buttons in self._row_buttons for button in buttons), self._choose)
        first.setFocus(Qt.FocusReason.PopupFocusReason)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._fill()

    def _height_of_page(self) -> int:
        width = self.width() - 24 - 12
        layout = self._page.layout()
        assert layout is not None
        return layout.heightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()

    def _done(self, then: Callable[[], object]) -> None:
        """Leave before anything comes in this place: a popup holds the mouse."""
        self.close()
        then()

    # -- what it says ---------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        count = len(self._rows) + len(self._wishes)
        title = self.tr("%Ln memories", "", count)
        set_plain(self._heading, title)
        self.setAccessibleName(title)
        set_plain(
            self._words,
            self.tr("What the app told the model with your message. The model may have used it or not.")
            if self._had_meaning
            else self.tr("What the app told the model with your message, found by its words alone."),
        )
        self._choose.setText(self.tr("What this chat is told…"))
        describe(self._choose, self._choose.text(), tooltip="")
        self._row_buttons = []
        page = QWidget()
        page.setObjectName("recalledList")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(10)
        for row in self._rows:
            column.addWidget(self._row(row))
        if self._wishes:
            column.addWidget(plain_label(self.tr("Wishes that hold for every answer"), "label"))
            for row in self._wishes:
                column.addWidget(self._row(row))
        column.addStretch()
        self._page = page
        self._area.setWidget(page)
        for before, after in pairwise((*chain(*self._row_buttons), self._choose)):
            self.setTabOrder(before, after)

    def _row(self, row: RecalledRow) -> QFrame:
        frame = QFrame()
        frame.setObjectName(f"recalled-{row.id}")
        frame.setProperty("role", "recalledRow")
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(4)
        text = self.tr("Forgotten since")
        if row.text is not None:
            shown = row.text if row.by_user else without_marks(row.text[: 2 * MOST_TEXT])
            text = one_line(shown, MOST_TEXT)
        layout.addWidget(plain_label(text, "muted" if row.text is None else ""))
        if row.text is not None:
            about = plain_label("", "muted")
            changed = self.tr("changed since") if row.has_changed else ""
            set_plain(about, " · ".join(filter(None, (self._origin(row), changed, self._why(row)))))
            about.setText(unbroken(about.text()))
            about.setObjectName("recalledAbout")
            layout.addWidget(about)
            if buttons := self._buttons(row, text):
                place = QWidget()
                place.setLayout(Wrapping(*buttons, spacing=6))
                layout.addWidget(place)
                self._row_buttons.append(buttons)
        frame.setAccessibleName(text)
        return frame

    def _origin(self, row: RecalledRow) -> str:
        said = ""
        if row.item is not None:
            said = kind_word(row.item.kind)
        elif row.kind is PassageKind.MESSAGE:
            said = self.tr("You said") if row.by_user else self.tr("An answer")
        where = ""
        if row.kind is PassageKind.DOCUMENT:
            where = self.tr("From the file “%1”").replace("%1", one_line(row.title or "", MOST_TITLE))
            where = ", ".join(filter(None, (where, one_line(place_words(row.place), MOST_PLACE))))
        elif row.is_own:
            where = self.tr("in this chat")
        elif row.item is not None:
            where = origin_words(row.item, row.title)
        elif row.title is not None:
            name = one_line(row.title, MOST_TITLE) or self.tr("New chat")
            where = self.tr("in “%1”").replace("%1", name)
        when = day(row.at, QDate.currentDate(), self.locale()) if row.at is not None else ""
        return " · ".join(filter(None, (said, where, when)))

    def _why(self, row: RecalledRow) -> str:
        if row.score is None:
            return ""
        if not row.words and row.meaning is None:
            return self.tr("pinned, so it goes with every message")
        by_meaning = row.meaning is not None and (row.meaning >= NEAR_MEANING or not row.words)
        if by_meaning and row.words:
            why = self.tr("found by words and meaning")
        elif by_meaning:
            why = self.tr("found by meaning")
        else:
            why = self.tr("found by words")
        percent = round(100 * min(1.0, max(0.0, row.score)))
        if not percent:  # where next to nothing is stored, words weigh nothing
            return why
        return self.tr("%1, %2 %").replace("%2", self.locale().toString(percent)).replace("%1", why)

    def _buttons(self, row: RecalledRow, text: str) -> list[QPushButton]:
        buttons: list[QPushButton] = []
        if row.message_id:
            thread_id, message_id = row.thread_id, row.message_id
            go = self._button("go", row.id, "arrow-up-right", self.tr("Go to the message"), text)
            go.clicked.connect(lambda: self._done(lambda: self.message_wanted.emit(thread_id, message_id)))
            buttons.append(go)
        if row.kind is PassageKind.DOCUMENT:
            show = self._button("document", row.id, "arrow-up-right", self.tr("Show the file"), text)
            show.clicked.connect(lambda: self._done(lambda: self.document_wanted.emit(row.id)))
            buttons.append(show)
        if (item := row.item) is not None:
            edit = self._button("edit", row.id, "pencil", self.tr("Edit"), text)
            edit.clicked.connect(lambda: self._done(lambda: self.edit_wanted.emit(item)))
            forget = self._button("forget", row.id, "trash", self.tr("Forget"), text)
            forget.clicked.connect(lambda: self._done(lambda: self.forget_wanted.emit(item.id)))
            buttons += [edit, forget]
        return buttons

    def _button(self, name: str, row_id: str, icon: str, words: str, text: str) -> QPushButton:
        button = QPushButton(f" {words}")
        button.setObjectName(f"recalled-{name}-{row_id}")
        self._theme.set_icon(button, icon, "error" if name == "forget" else "text", 14)
        describe(button, labelled(words, text), tooltip="")
        return button
