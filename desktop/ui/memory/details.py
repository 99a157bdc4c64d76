"""All about the chosen memories: the whole text, the words that it comes from, and what can be done."""

from collections.abc import Sequence

from PySide6.QtCore import QDate, QEvent, QLocale, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.ui.controls import describe, hand_focus
from desktop.ui.dialogs.parts import scrolled
from desktop.ui.memory.list_model import ChatPlace
from desktop.ui.memory.words import day, kind_word, origin_words, use_words
from desktop.ui.plain_label import PlainLabel
from desktop.ui.popup import round_corners
from desktop.ui.punctuation import unbroken
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager

MOST_TEXT = 2_000
MOST_QUOTE = 600
MOST_HEIGHT = 150
"""Of what is read, in pixels of the usual font; longer texts scroll."""
_ICONS = {
    "accept": "check",
    "make_current": "rotate-ccw",
    "pin": "pin",
    "edit": "pencil",
    "keep_here": "message-square",
    "open": "arrow-up-right",
    "forget": "trash",
}


class MemoryDetails(QFrame):
    """``acted`` carries what is wanted of the chosen items: ``accept``, ``make_current`` (what is no longer true),
    ``pin``, ``edit``, ``keep_here`` (to their own chats, or no longer), ``open`` (the message it comes from) or
    ``forget``."""

    acted = Signal(str)

    def __init__(self, theme: ThemeManager, back_to: QWidget) -> None:
        """``back_to`` gets the focus when nothing is chosen any more."""
        super().__init__()
        self.setObjectName("memoryDetails")
        self._theme, self._back_to = theme, back_to
        self._items: Sequence[MemoryItem] = ()
        self._place: ChatPlace | None = None
        self._text = PlainLabel(object_name="memoryDetailText")
        self._quote = PlainLabel(role="muted", object_name="memoryDetailQuote")
        self._facts = PlainLabel(role="muted", object_name="memoryDetailFacts")
        words = QWidget()
        words.setObjectName("memoryDetailWords")
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for label in (self._text, self._quote, self._facts):
            column.addWidget(label)
        column.addStretch(1)
        self._words, self._area = words, scrolled(words, "memoryDetailArea")
        self._area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.buttons = {name: self._button(name) for name in _ICONS}
        row = QWidget()
        row.setLayout(Wrapping(*self.buttons.values(), spacing=6))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(8)
        layout.addWidget(self._area)
        layout.addWidget(row)
        theme.changed.connect(self._fit)
        self.show_items((), None)

    def show_items(self, items: Sequence[MemoryItem], place: ChatPlace | None) -> None:
        """Show one item with its chat, or how many are chosen; nothing hides all."""
        self._items, self._place = tuple(items), place
        if not items:
            for button in self.buttons.values():
                hand_focus(button, self._back_to)
        self._retranslate()
        self.setVisible(bool(items))

    def wanted_height(self) -> int:
        """How high it is with all that is to be read."""
        missing = self._area.height() + 8 if self._area.isHidden() else 0
        return self.sizeHint().height() + missing

    def be_low(self, is_low: bool) -> None:
        """Leave out what is read, which stands in the list as well, for the sake of the list."""
        self._area.setVisible(not is_low)

    def menu(self) -> QMenu:
        """Return a menu with the same actions."""
        menu = QMenu(self)
        round_corners(menu)
        menu.setObjectName("memoryMenu")
        for name, button in self.buttons.items():
            if not button.isHidden():
                action = menu.addAction(button.text().strip())
                action.setObjectName(f"memoryMenu-{name}")
                action.triggered.connect(lambda _=False, name=name: self.acted.emit(name))
        return menu

    def offers(self, name: str) -> bool:
        """Whether that can be done with what is chosen."""
        return bool(self._items) and not self.buttons[name].isHidden()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def _button(self, name: str) -> QPushButton:
        button = QPushButton()
        button.setObjectName(f"memory-{name}")
        self._theme.set_icon(button, _ICONS[name], "error" if name == "forget" else "text", 15)
        if name == "forget":
            button.setProperty("role", "danger")
        button.clicked.connect(lambda _=False: self.acted.emit(name))
        return button

    def _fit(self) -> None:
        """Let the words have the height that they need, up to a bound."""
        width = max(self.width() - 40, 100)
        needed = (
            self._words.heightForWidth(width) if self._words.hasHeightForWidth() else self._words.sizeHint().height()
        )
        self._area.setFixedHeight(min(needed + 2, self._theme.px(MOST_HEIGHT)))

    def _retranslate(self) -> None:
        items = self._items
        if not items:
            return
        one = items[0] if len(items) == 1 else None
        self._text.setText(readable(one.text[:MOST_TEXT]) if one else self.tr("%n memories chosen", "", len(items)))
        quote = one.source.quote if one is not None and one.source is not None else ""
        self._quote.setText(self.tr("You said: “%1”").replace("%1", readable(quote[:MOST_QUOTE])))
        self._quote.setVisible(bool(quote))
        self._facts.setText(unbroken(self._fact_words(one)) if one is not None else "")
        self._facts.setVisible(one is not None)
        self._name_buttons(one)
        self._fit()

    def _name_buttons(self, one: MemoryItem | None) -> None:
        waits = all(item.status is MemoryStatus.PENDING for item in self._items)
        is_over = all(item.status is MemoryStatus.SUPERSEDED for item in self._items)
        is_kept = all(item.only_thread_id is not None for item in self._items)
        has_chat = all(item.only_thread_id is not None or item.source is not None for item in self._items)
        is_pinned = all(item.is_pinned for item in self._items)
        names = {
            "accept": self.tr("Accept"),
            "make_current": self.tr("Make current again"),
            "pin": self.tr("Unpin") if is_pinned else self.tr("Pin"),
            "edit": self.tr("Edit"),
            "keep_here": self.tr("Use in all chats") if is_kept else self.tr("Only in its chat"),
            "open": self.tr("Open the chat"),
            "forget": self.tr("Refuse") if waits else self.tr("Forget"),
        }
        tips = {
            "make_current": self.tr("It counts again, beside what took its place"),
            "pin": self.tr("Every answer is told of what is pinned, whatever the question is"),
            "keep_here": self.tr("Whether answers in other chats are told of it"),
        }
        shown = {
            "accept": waits,
            "make_current": is_over,
            "pin": not waits,
            "edit": one is not None,
            "keep_here": has_chat and not waits,
            "open": one is not None and self._place is not None and self._place.can_be_opened,
            "forget": True,
        }
        for name, button in self.buttons.items():
            if not shown[name]:
                hand_focus(button, self._back_to)
            button.setVisible(shown[name])
            button.setText(f" {names[name]}")
            keys = {"edit": "Return", "forget": "Del"}.get(name, "")
            describe(button, names[name], tooltip=tips.get(name, ""), shortcut=keys)

    def _fact_words(self, item: MemoryItem) -> str:
        today, locale = QDate.currentDate(), QLocale()
        origin = origin_words(item, self._place.title if self._place is not None else None)
        pieces = [kind_word(item.kind), origin, day(item.observed_at, today, locale)]
        if self._place is not None and not self._place.can_be_opened:
            pieces.append(self.tr("its chat lies in the Trash"))
        if item.valid_to is not None:
            pieces.append(self.tr("true until %1").replace("%1", day(item.valid_to, today, locale)))
        if item.only_thread_id is not None:
            pieces.append(self.tr("only in its chat"))
        if item.is_pinned:
            pieces.append(self.tr("pinned: every answer is told of it"))
        if item.status is MemoryStatus.PENDING:
            pieces.append(self.tr("waits, because its chat held text that others wrote"))
        else:
            pieces.append(use_words(item, today, locale))
        return " · ".join(pieces)
