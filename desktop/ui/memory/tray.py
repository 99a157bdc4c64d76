"""The tray on top of the memory page: what waits for the user's look, with the words that it comes from."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.memory.entities import MemoryItem
from desktop.ui.controls import IconLabel, describe
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.memory.words import kind_word
from desktop.ui.punctuation import labelled, unbroken
from desktop.ui.settings.layouts import WordsAndControl, Wrapping
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

MOST_ROWS = 2
MOST_TEXT, MOST_QUOTE = 300, 200


class MemoryTray(QFrame):
    """Signals: ``accepted`` and ``refused`` with an item's id; ``all_wanted``: all that waits is to be listed."""

    accepted = Signal(str)
    refused = Signal(str)
    all_wanted = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("memoryTray")
        self._theme = theme
        self._items: Sequence[MemoryItem] = ()
        self._is_more = False
        self._title, self._reason = plain_label("", "strong"), plain_label("", "muted")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(8)
        self._all = QPushButton()
        self._all.setObjectName("memoryTrayAll")
        self._all.setProperty("role", "link")
        self._all.clicked.connect(self.all_wanted)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel(theme, "inbox", "warning", 18))
        head.addWidget(self._title, 1)
        head.addWidget(self._all)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self._reason)
        layout.addLayout(self._rows)
        self._shown: list[_TrayRow] = []
        self.hide()

    def show_items(self, items: Sequence[MemoryItem], replaced: Mapping[str, str], *, is_more: bool) -> None:
        """Show what waits; without anything the tray is not there. ``is_more``: these are not all.

        ``replaced`` holds the texts of the memories whose place they would take, by their ids.
        """
        self._is_more = is_more
        rows = [(item, replaced.get(item.supersedes_id or "", "")) for item in items[:MOST_ROWS]]
        if [(item.id, old) for item, old in rows] != [(row.item.id, row.replaced) for row in self._shown]:
            self._fill(rows)
        self._items = tuple(items)
        self._retranslate()
        self.setVisible(bool(items))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _fill(self, rows: Sequence[tuple[MemoryItem, str]]) -> None:
        had_focus = any(row.has_focus for row in self._shown)
        for row in self._shown:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._shown = [_TrayRow(self._theme, item, replaced) for item, replaced in rows]
        for row in self._shown:
            row.accepted.connect(self.accepted)
            row.refused.connect(self.refused)
            self._rows.addWidget(row)
        if had_focus and self._shown:
            self._shown[0].accept.setFocus()

    def _retranslate(self) -> None:
        count = len(self._items)
        more = self.tr("More than %1 memories wait for your look").replace("%1", self.locale().toString(count))
        set_plain(self._title, more if self._is_more else self.tr("%n memories wait for your look", "", count))
        set_plain(
            self._reason,
            self.tr(
                "Their chats held text that others wrote, such as a web page or a file. No answer is told of them."
            ),
        )
        self._all.setText(self.tr("Show all"))
        describe(self._all, self.tr("Show all that waits"), tooltip="")
        self._all.setVisible(count > MOST_ROWS)
        for row in self._shown:
            row.retranslate()


class _TrayRow(QFrame):
    accepted = Signal(str)
    refused = Signal(str)

    def __init__(self, theme: ThemeManager, item: MemoryItem, replaced: str) -> None:
        super().__init__()
        self.item, self.replaced = item, replaced
        self.setProperty("role", "memoryTrayRow")
        self._text, self._words = plain_label(""), plain_label("", "muted")
        self._text.setObjectName(f"trayText-{item.id}")
        self.accept, self._refuse = QPushButton(), QPushButton()
        for button, name, icon, colour in (
            (self.accept, "accept", "check", "ok"),
            (self._refuse, "refuse", "x", "error"),
        ):
            button.setObjectName(f"tray-{name}-{item.id}")
            theme.set_icon(button, icon, colour, 15)
        self.accept.clicked.connect(lambda: self.accepted.emit(item.id))
        self._refuse.clicked.connect(lambda: self.refused.emit(item.id))
        words, buttons = QWidget(), QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._text)
        column.addWidget(self._words)
        buttons.setLayout(Wrapping(self.accept, self._refuse, spacing=6))
        layout = WordsAndControl(words, buttons)
        layout.setContentsMargins(12, 8, 12, 8)
        self.setLayout(layout)
        self.retranslate()

    @property
    def has_focus(self) -> bool:
        return any(button.window().focusWidget() is button for button in (self.accept, self._refuse))

    def retranslate(self) -> None:
        text = one_line(self.item.text, MOST_TEXT)
        set_plain(self._text, text)
        quote = one_line(self.item.source.quote, MOST_QUOTE) if self.item.source is not None else ""
        said = self.tr("you said: “%1”").replace("%1", quote) if quote else ""
        old = one_line(self.replaced, MOST_TEXT)
        instead = self.tr("instead of: “%1”").replace("%1", old) if old else ""
        set_plain(self._words, " · ".join(filter(None, (kind_word(self.item.kind), said, instead))))
        self._words.setText(unbroken(self._words.text()))
        for button, word in ((self.accept, self.tr("Accept")), (self._refuse, self.tr("Refuse"))):
            button.setText(f" {word}")
            describe(button, labelled(word, text), tooltip="")
