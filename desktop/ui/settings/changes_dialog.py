"""The tools of one server that wait for the user: what each was and what it is now, to be accepted or kept off."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.tools.definition_changes import MOST_CHANGES, FieldChange, changes_of
from desktop.tools.entities import Finding
from desktop.tools.pinned import HeldItem
from desktop.tools.visible_text import reveal
from desktop.ui.change_words import differing_lines, field_words, finding_text
from desktop.ui.dialogs.display_lines import DisplayLine, display_lines
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.punctuation import follow, labelled
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.list_dialog import ListDialog
from desktop.ui.settings.row_list import order_focus
from desktop.ui.theme.theme_manager import ThemeManager

AT_ONCE = 15
"""More tools follow when these are decided: nobody reads so many, and each has boxes of its own."""
_BOXED = 8
"""So many changes of a tool have boxes of their own, the others one together."""
_MOST_OF_NAME = 80
_BOX_WIDTH = 540


class ChangesDialog(ListDialog):
    """Opened with ``open()``; ``show_items`` keeps it true while the server goes on changing.

    Signals:
        accepted_items, kept_off_items: exactly what stood there when the user clicked.
    """

    accepted_items = Signal(list)
    kept_off_items = Signal(list)

    def __init__(self, parent: QWidget | None, theme: ThemeManager, server: str) -> None:
        super().__init__("toolChanges", parent, theme)
        self._server = server
        self._items: tuple[HeldItem, ...] = ()
        self._cards: dict[str, _ChangeCard] = {}
        self._empty = plain_label("", "muted")
        self._empty.setContentsMargins(16, 14, 16, 14)
        self._close, self._accept_all = self.add_button("changesClose"), self.add_button("changesAcceptAll")
        self._close.clicked.connect(self.reject)
        self._accept_all.clicked.connect(lambda: self.accepted_items.emit(self._shown()))
        self.retranslate()

    def show_items(self, items: Sequence[HeldItem], noticed: dict[str, tuple[Finding, ...]]) -> None:
        """Show these; ``noticed`` says, by their names, with which other tools they could be confused."""
        cards: dict[str, _ChangeCard] = {}
        for item in items[:AT_ONCE]:
            card = self._cards.get(item.name)
            if card is None or card.item != item:
                card = _ChangeCard(self.theme, item, noticed.get(item.name, ()))
                card.accept.clicked.connect(lambda _on=False, item=item: self.accepted_items.emit([item]))
                card.keep_off.clicked.connect(lambda _on=False, item=item: self.kept_off_items.emit([item]))
            cards[item.name] = card
        gone = [card for card in self._cards.values() if card not in cards.values()]
        had_focus = any(card.isAncestorOf(focused) for card in gone if (focused := self.focusWidget()) is not None)
        self._items, self._cards = tuple(items), cards
        self.set_rows(list(cards.values()) or [self._empty])
        for card in gone:
            card.deleteLater()
        order_focus([*(stop for card in cards.values() for stop in card.tab_stops()), self._accept_all, self._close])
        self.retranslate()
        if had_focus:
            self._close.setFocus()

    def retranslate(self) -> None:
        name = reveal(self._server[:_MOST_OF_NAME], keep_newlines=False)
        left = len(self._items) - len(self._cards)
        text = self.tr(
            "The server describes these in another way than when you accepted them, or they are new. The model does not"
            " get them until you decide. The words in the boxes are the server's, not Threadwell's."
        )
        if left > 0:
            text = follow(text, self.tr("%n more follow.", "", left))
        self.set_texts(self.tr("Changed tools of “%1”").replace("%1", name), text)
        set_plain(self._empty, self.tr("Nothing waits for you here any more."))
        self._close.setText(self.tr("Close"))
        self._accept_all.setText(self.tr("Accept all %n shown", "", len(self._cards)))
        self._accept_all.setVisible(len(self._cards) > 1)
        for button in (self._close, self._accept_all):
            button.setAccessibleName(button.text())
        for card in self._cards.values():
            card.retranslate()

    def _shown(self) -> list[HeldItem]:
        return [card.item for card in self._cards.values()]


class _ChangeCard(QFrame):
    def __init__(self, theme: ThemeManager, item: HeldItem, noticed: Sequence[Finding]) -> None:
        super().__init__()
        self.item = item
        self.setObjectName(f"change-{item.name[:_MOST_OF_NAME]}")
        self._theme = theme
        self._changes = changes_of(item)
        self._name, self._kind = plain_label("", "label"), plain_label("", "muted")
        self.accept, self.keep_off = QPushButton(), QPushButton()
        for button, name in ((self.accept, "accept"), (self.keep_off, "keepOff")):
            button.setObjectName(f"{name}-{item.name[:_MOST_OF_NAME]}")
            button.setAutoDefault(False)
        buttons = QWidget()
        buttons.setLayout(Wrapping(self.keep_off, self.accept))
        self._noticed = [(finding, plain_label("", "warning")) for finding in noticed]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 14)
        layout.setSpacing(6)
        layout.addWidget(self._name)
        layout.addWidget(self._kind)
        for _finding, label in self._noticed:
            layout.addWidget(label)
        self._captions: list[tuple[FieldChange, QLabel]] = []
        self._boxes: list[PlainBox] = []
        for change in self._told()[:_BOXED]:
            self._add_change(layout, change)
        self._more = plain_label("", "section")
        self._add_others(layout)
        layout.addWidget(buttons)
        self.retranslate()

    def tab_stops(self) -> list[QWidget]:
        return [*self._boxes, self.keep_off, self.accept]

    def retranslate(self) -> None:
        name = self.tr("Instructions of the server") if self.item.is_instructions else self._shown_name()
        set_plain(self._name, name)
        set_plain(self._kind, self._kind_words())
        for finding, label in self._noticed:
            set_plain(label, finding_text(finding))
        for change, caption in self._captions:
            set_plain(caption, field_words(change))
        set_plain(self._more, self.tr("Further differences"))
        for box in self._boxes:
            box.setAccessibleName(labelled(name, self._box_words(box)))
        self.accept.setText(self.tr("Accept"))
        self.keep_off.setText(self.tr("Keep it off"))
        self.keep_off.setVisible(not self.item.is_kept_off)
        for button in (self.accept, self.keep_off):
            button.setAccessibleName(labelled(button.text(), name))

    def _kind_words(self) -> str:
        kind = self.tr("New") if self.item.is_new else self.tr("Changed")
        if self.item.is_kept_off:
            kind += " · " + self.tr("kept off")
        if len(self._changes) == MOST_CHANGES:
            kind += " · " + self.tr("so much differs that only the beginning is shown")
        return kind

    def _shown_name(self) -> str:
        return reveal(self.item.name[:_MOST_OF_NAME], keep_newlines=False)

    def _box_words(self, box: PlainBox) -> str:
        return self.tr("before") if box.property("isBefore") else self.tr("now")

    def _told(self) -> list[FieldChange]:
        return [change for change in self._changes if change.path != ("name",)]

    def _add_change(self, layout: QVBoxLayout, change: FieldChange) -> None:
        caption = plain_label("", "section")
        self._captions.append((change, caption))
        layout.addWidget(caption)
        texts = [(change.before, change.now, True), (change.now, change.before, False)]
        for text, other, is_before in texts:
            if text is not None:
                self._add_box(layout, differing_lines(text, other), is_before=is_before)

    def _add_others(self, layout: QVBoxLayout) -> None:
        others = self._told()[_BOXED:]
        if not others:
            return
        layout.addWidget(self._more)
        lines: list[DisplayLine] = []
        for change in others:
            before, now = ("–" if text is None else text for text in (change.before, change.now))
            said = now if self.item.is_new else f"{before} → {now}"
            lines += display_lines(f"{' › '.join(change.path)}: {said}", numbered=False)
        self._add_box(layout, tuple(lines), is_before=False)

    def _add_box(self, layout: QVBoxLayout, lines: tuple[DisplayLine, ...], *, is_before: bool) -> None:
        box = PlainBox(lines, self._theme, role="quote", least_lines=1, most_lines=8)
        box.setProperty("isBefore", is_before)
        box.setObjectName("changeBefore" if is_before else "changeNow")
        box.fit(_BOX_WIDTH)
        self._boxes.append(box)
        sign = plain_label("−" if is_before else "+", "muted", wrap=False)
        sign.setFixedWidth(sign.fontMetrics().horizontalAdvance("+") + 6)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(sign)
        row.addWidget(box, 1)
        layout.addLayout(row)
