"""Marks words in the messages in sight, the one that was gone to strongly, and brings that one into view."""

import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QAbstractScrollArea, QPlainTextEdit, QTextEdit, QWidget

from desktop.ui.state.tool_item import ToolItem
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.tool_card import ToolCard
from desktop.ui.transcript.column import Column
from desktop.ui.transcript.context import BlockWidget, TextWidget
from desktop.ui.transcript.finding import Hit, Needle, is_button, is_folded, keyed, texts_of
from desktop.ui.transcript.row import Cell, Row

MARKED_MS = 8000
"""How long words stay marked after a jump to them."""
_NOTHING = Needle(())


class Marks(QObject):
    """Nothing of a text changes: a mark is a selection beside the document, and goes without a trace."""

    def __init__(
        self, view: QAbstractScrollArea, column: Column, theme: ThemeManager, relayout: Callable[[], None]
    ) -> None:
        super().__init__(view)
        self._view = view
        self._column = column
        self._relayout = relayout
        self._theme = theme
        self._needle = _NOTHING
        self._current: Hit | None = None
        self._only: str | None = None
        self._call_id = ""
        """Of the call that is brought into view instead of the first place with the words."""
        self._wanted = False
        """Whether the first of words that shall be marked for a while was not brought into view yet."""
        self._done: weakref.WeakKeyDictionary[QWidget, tuple[object, ...]] = weakref.WeakKeyDictionary()
        self._later = QTimer(self, singleShot=True, interval=MARKED_MS)
        self._later.timeout.connect(self.clear)
        # After the texts have taken the theme, which they are written anew for.
        theme.changed.connect(self._renew, Qt.ConnectionType.QueuedConnection)

    def look_for(self, needle: Needle) -> None:
        """Mark all that is in sight; with an empty needle nothing."""
        self._later.stop()
        self._needle, self._current, self._only, self._wanted = needle, None, None, False
        self._call_id = ""
        self._renew()

    def clear(self) -> None:
        """Leave no mark."""
        self.look_for(_NOTHING)

    def mark_for_a_while(self, message_id: str, phrases: Sequence[str], call_id: str = "") -> None:
        """Mark these words in one message, and bring the first of them into view as soon as the message is loaded.

        With ``call_id`` the card of that call is opened and brought into view, also without words.
        """
        self.look_for(Needle(phrases))
        if self._needle or call_id:
            self._only, self._wanted, self._call_id = message_id, True, call_id
            self._later.start()
            self.apply()

    def first_in_sight(self) -> str:
        """The id of the first message of which something can be seen; empty where there is none."""
        seen = (row for _, row in self._column.live_rows() if row.widget and row.widget.y() + row.widget.height() > 0)
        return next((row.state.message_id for row in seen), "")

    def is_loaded(self, message_id: str) -> bool:
        """Whether a hit in this message can be gone to."""
        index = self._column.index_of(message_id)
        return index is not None and index in self._column.rows

    def go_to(self, hit: Hit) -> bool:
        """Mark one hit strongly, open what it is folded in, and bring it into view; False where it is not loaded."""
        self._current = hit
        index = self._column.index_of(hit.message_id)
        row = None if index is None else self._column.rows.get(index)
        if index is None or row is None:
            return False
        if is_folded((cell.block for cell in row.cells), hit.key):
            self._column.toggle(hit.message_id, hit.key)
            self._relayout()
        place = self._place_of(row, hit)
        if place is None:
            self._renew()
            return False
        self._column.sticks_to_end = False
        self._scroll(index, row, *place)
        self._renew()
        return True

    def apply(self) -> None:
        """Mark what came into sight since the last time, and what changed."""
        if not self._needle and not self._done and not self._wanted:
            return
        for _, row in self._column.live_rows():
            is_searched = bool(self._needle) and self._only in (None, row.state.message_id)
            self._mark(row, is_searched=is_searched)
            if self._wanted and self._only == row.state.message_id:
                self._wanted = False
                self._bring_first(row)
        if not self._needle:
            self._done.clear()

    def _bring_first(self, row: Row) -> None:
        for index, item in enumerate(row.state.items):
            if self._call_id and isinstance(item, ToolItem) and item.call_id == self._call_id:
                QTimer.singleShot(0, self, partial(self._bring_call, row.state.message_id, f"tool{index}"))
                return
        for key, cell in _keyed(row):
            if any(self._needle.count(text) for text in _texts(cell)):
                first = Hit(row.state.message_id, key, 0)
                QTimer.singleShot(0, self, lambda hit=first: self._go_quietly(hit))
                return

    def _bring_call(self, message_id: str, key: str) -> None:
        """Open the card of a call; its words come into view, or its head where they stand beyond what it shows."""
        before = self._current
        if self.go_to(Hit(message_id, key, 0)):
            self._current = before
            self._renew()
            return
        index = self._column.index_of(message_id)
        row = None if index is None else self._column.rows.get(index)
        if index is None or row is None:
            return
        for cell_index, (cell_key, _) in enumerate(_keyed(row)):
            if cell_key == key:
                self._column.sticks_to_end = False
                self._column.anchor_at(index, cell_index, self._view.viewport().height() // 10)
                self._relayout()

    def _go_quietly(self, hit: Hit) -> None:
        self.go_to(hit)
        self._current = None
        self._renew()

    def _renew(self) -> None:
        for widget in list(self._done):
            self._done[widget] = ()
        self.apply()

    # -- marking --------------------------------------------------------------------------------------------------

    def _mark(self, row: Row, *, is_searched: bool) -> None:
        current = self._current if self._current and self._current.message_id == row.state.message_id else None
        before = 0
        for key, cell in _keyed(row):
            is_here = current is not None and key == current.key
            for number, widget in enumerate(_widgets(cell)):
                chosen = current.number - before if current is not None and is_here else -1
                count = self._mark_text(widget, chosen, is_searched=is_searched)
                if is_here:
                    before += count if count is not None else self._needle.count(_texts(cell)[number])
            if is_here and cell.widget is None:
                before += sum(map(self._needle.count, _texts(cell)))

    def _mark_text(self, widget: TextWidget, chosen: int, *, is_searched: bool) -> int | None:
        """Mark a text unless that is done; return how many marks it has, None where nothing is searched in it."""
        needle = self._needle if is_searched else _NOTHING
        known = self._done.get(widget)
        if known is None and not needle:
            return None
        document = widget.document()
        state = (needle, document.revision(), document.characterCount(), chosen)
        if known and known[:-1] == state:
            return cast(int, known[-1])
        text = document.toPlainText()
        spans = needle.spans(text)
        selections = [
            self._selection(widget, _units(text, start), _units(text, end), is_chosen=number == chosen)
            for number, (start, end) in enumerate(spans)
        ]
        if isinstance(widget, QTextEdit):
            widget.setExtraSelections(selections)
        else:
            widget.setExtraSelections(selections)
        self._done[widget] = (*state, len(spans))
        return len(spans)

    def _selection(self, widget: TextWidget, start: int, end: int, *, is_chosen: bool) -> QTextEdit.ExtraSelection:
        tokens, selection, form = self._theme.tokens, QTextEdit.ExtraSelection(), QTextCharFormat()
        form.setBackground(QColor(tokens.found_now if is_chosen else tokens.found))
        form.setForeground(QColor(tokens.on_found_now if is_chosen else tokens.text))
        cursor = QTextCursor(widget.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor, selection.format = cursor, form  # pyright: ignore[reportAttributeAccessIssue]
        return selection

    # -- going there ----------------------------------------------------------------------------------------------

    def _place_of(self, row: Row, hit: Hit) -> tuple[int, int, int] | None:
        """Return in which cell a hit stands, in which text of it, and which of those in that text it is."""
        left, seen = hit.number, 0
        for cell_index, (key, cell) in enumerate(_keyed(row)):
            if key != hit.key:
                continue
            if is_button(cell.block):
                return cell_index, 0, 0
            live = [widget.document().toPlainText() for widget in _widgets(cell)]
            for number, text in enumerate(live or _texts(cell)):
                count = self._needle.count(text)
                if left < count:
                    return cell_index, number, left
                left, seen = left - count, seen + count
        return None

    def _scroll(self, index: int, row: Row, cell_index: int, number: int, nth: int) -> None:
        viewport = self._view.viewport().height()
        cell = row.cells[cell_index]
        if (found := self._rect(cell, number, nth)) is None:
            self._column.anchor_at(index, cell_index, viewport // 3)
            self._relayout()
            found = self._rect(cell, number, nth) or (0, 0)
        top, height = found
        if cell.widget is not None and row.widget is not None:
            y = row.widget.y() + cell.widget.y() + top
            if viewport // 10 <= y and y + height <= viewport - viewport // 10:
                return  # it is well in sight
        self._column.anchor_at(index, cell_index, viewport // 3 - top)
        self._relayout()

    def _rect(self, cell: Cell, number: int, nth: int) -> tuple[int, int] | None:
        """Return the top of a hit in its cell, and its height; None while the cell has no widget."""
        if cell.widget is None:
            return None
        widgets = _widgets(cell)
        if number >= len(widgets):
            return 0, cell.widget.height()
        widget = widgets[number]
        text = widget.document().toPlainText()
        spans = self._needle.spans(text)
        if not spans:
            return 0, cell.widget.height()
        start, _ = spans[min(nth, len(spans) - 1)]
        cursor = QTextCursor(widget.document())
        cursor.setPosition(_units(text, start))
        if isinstance(widget, QPlainTextEdit):
            _show_line(widget, cursor)
        rect = widget.cursorRect(cursor)
        _show_sideways(widget, rect.x())
        return widget.viewport().mapTo(cell.widget, rect.topLeft()).y(), rect.height()


def _show_line(widget: QPlainTextEdit, cursor: QTextCursor) -> None:
    """Scroll a long code block or result within itself."""
    bar, line = widget.verticalScrollBar(), cursor.blockNumber()
    if widget.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
        return  # it is about to get the height of all its lines
    if bar.maximum() > 0 and not bar.value() <= line < bar.value() + bar.pageStep():
        bar.setValue(max(0, line - bar.pageStep() // 2))


def _show_sideways(widget: TextWidget, x: int) -> None:
    bar, width = widget.horizontalScrollBar(), widget.viewport().width()
    if bar.maximum() > 0 and not 0 <= x < width - 40:
        bar.setValue(bar.value() + x - width // 3)


def _keyed(row: Row) -> Iterator[tuple[str, Cell]]:
    keys = (key for key, _ in keyed(cell.block for cell in row.cells))
    return zip(keys, row.cells, strict=True)


def _widgets(cell: Cell) -> list[TextWidget]:
    """The live texts of a cell."""
    if isinstance(cell.widget, ToolCard):
        return cell.widget.text_widgets()
    text = None if cell.widget is None else cast(BlockWidget, cell.widget).text_widget()
    return [] if text is None else [text]


def _texts(cell: Cell) -> Sequence[str]:
    return texts_of(cell.block)


def _units(text: str, position: int) -> int:
    """Where Qt's documents count this position: characters beyond the first plane are two there."""
    return position if text.isascii() else len(text[:position].encode("utf-16-le", "surrogatepass")) // 2
