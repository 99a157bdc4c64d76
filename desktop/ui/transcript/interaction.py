"""Mouse, keys, focus and menus of the transcript: selecting across blocks, scrolling by keys, copying."""

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QContextMenuEvent, QCursor, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMenu, QWidget

from desktop.conversation.entities import Role
from desktop.ui.markdown.html_writer import Link
from desktop.ui.popup import round_corners
from desktop.ui.state.transcript_state import RowState
from desktop.ui.transcript.blocks.rich_text import RichText
from desktop.ui.transcript.blocks.tool_card import ToolCard
from desktop.ui.transcript.column import Column
from desktop.ui.transcript.context import BlockActions
from desktop.ui.transcript.row import Row
from desktop.ui.transcript.selection import Selection

STEP = 40
TAB_REASONS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class Interaction(QObject):
    """Hears of the events of all blocks' texts, of the focus of their controls, and of the view's own events.

    Signals:
        copy_requested: carries the selected text, or the address of a link.
        end_requested: the End key.
        message_step_requested: -1 for the message before, 1 for the next one.
    """

    copy_requested = Signal(str)
    end_requested = Signal()
    message_step_requested = Signal(int)

    def __init__(self, view: QAbstractScrollArea, column: Column, selection: Selection, actions: BlockActions) -> None:
        super().__init__(view)
        self._view = view
        self._actions = actions
        self._column = column
        self._selection = selection
        self._edge_scroll = QTimer(self, interval=30)
        actions.markdown_wanted.connect(self._copy_markdown)
        self._edge_scroll.timeout.connect(self._scroll_at_edge)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        # The class first: every event of every button comes by, and making an enum of its type takes longer.
        if isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() in TAB_REASONS:
            self._ensure_visible(cast(QWidget, watched))
        return False

    # -- mouse ----------------------------------------------------------------------------------------------------

    def mouse(self, event: QMouseEvent) -> bool:
        """Select across blocks; True when the text under the mouse must not act on the event itself."""
        kind, position = event.type(), event.globalPosition().toPoint()
        is_left = event.button() == Qt.MouseButton.LeftButton
        if kind == QEvent.Type.MouseButtonPress and is_left:
            self._selection.press(self._selection.place_at(position))
            self._edge_scroll.start()
        elif kind == QEvent.Type.MouseMove and event.buttons() & Qt.MouseButton.LeftButton:
            return self._selection.drag(self._selection.place_at(position))
        elif kind == QEvent.Type.MouseButtonRelease and is_left:
            self._edge_scroll.stop()
            return self._selection.is_active
        return False

    def _scroll_at_edge(self) -> None:
        """While text is being selected beyond the edge, scroll towards it."""
        viewport = self._view.viewport()
        y = viewport.mapFromGlobal(QCursor.pos()).y()
        beyond = min(0, y) + max(0, y - viewport.height())
        if beyond:
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() + max(-STEP, min(STEP, beyond)))
            self._selection.drag(self._selection.place_at(QCursor.pos()))

    def open_menu(self, event: QContextMenuEvent) -> None:
        """Offer to copy the selection, the link under the mouse, or the whole message, and what can be done with that."""
        row = self._row_at(event.globalPos())
        if row is None:
            return
        menu = QMenu(self._view)
        round_corners(menu)
        menu.setObjectName("transcript-menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selected = self._selection.text()
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(bool(selected))
        copy.triggered.connect(lambda: self.copy_requested.emit(selected))
        as_markdown = menu.addAction(self.tr("Copy as Markdown"))
        as_markdown.setEnabled(bool(selected))
        markdown = self._selection.markdown()
        as_markdown.triggered.connect(lambda: self.copy_requested.emit(markdown))
        whole = menu.addAction(self.tr("Select the whole message"))
        whole.triggered.connect(lambda: self._select(row))
        link = self._link_at(event.globalPos())
        if link is not None and not link.target.startswith("#"):
            address = menu.addAction(self.tr("Copy link address"))
            address.triggered.connect(lambda: self.copy_requested.emit(link.target))
        for words, signal in self._offers(row.state):
            menu.addAction(words).triggered.connect(lambda _=False, s=signal: s.emit(row.state.message_id))
        if not row.state.place.is_beside:
            self._offer_removal(menu, row, self._card_in(self._view.viewport().childAt(self._here(event.globalPos()))))
        menu.popup(event.globalPos())

    def _offers(self, state: RowState) -> Iterator[tuple[str, SignalInstance]]:
        """What can be done with a whole message: words, and what is emitted with its id."""
        actions, is_answer = self._actions, state.role is Role.ASSISTANT
        yield self.tr("Copy message"), actions.message_copy_requested
        if not state.is_streaming:
            yield self.tr("Save as prompt…"), actions.prompt_wanted
        if is_answer:
            yield self.tr("What was sent"), actions.sent_requested
        if state.place.is_beside:
            return
        if not is_answer:
            yield self.tr("Edit and send again"), actions.edit_requested
            yield self.tr("Ask this in a new chat"), actions.branch_requested
        elif not state.is_streaming:
            yield self.tr("Answer again"), actions.again_requested
            yield self.tr("Go on from here in a new chat"), actions.branch_requested
        yield self.tr("Map of branches"), actions.map_requested

    def _offer_removal(self, menu: QMenu, row: Row, card: ToolCard | None) -> None:
        state, request = row.state, self._actions.removal_requested
        menu.addSeparator()
        if card is not None and card.call_with_result:
            call_id = card.call_with_result
            result = menu.addAction(self.tr("Remove this result"))
            result.setEnabled(not state.is_streaming)
            if state.is_streaming:
                result.setText(self.tr("Remove this result (when the answer has ended)"))
            result.triggered.connect(lambda: request.emit(state.message_id, call_id))
        words = self.tr("Delete this answer") if state.role is Role.ASSISTANT else self.tr("Delete this message")
        menu.addAction(words).triggered.connect(lambda: request.emit(state.message_id, ""))

    def _remove_focused(self) -> bool:
        """Delete the message in which the focus is, or the result of the card; else the one of which most is in sight."""
        focused = QApplication.focusWidget()
        row = self._most_in_sight() if focused is self._view else self._row_around(focused)
        if row is None or row.state.place.is_beside:
            return False
        state, card = row.state, self._card_in(focused)
        call_id = card.call_with_result if card is not None and not state.is_streaming else ""
        self._actions.removal_requested.emit(state.message_id, call_id)
        return True

    def _card_in(self, widget: QWidget | None) -> ToolCard | None:
        """The tool card that a widget is, or lies in."""
        while widget is not None and not isinstance(widget, ToolCard) and widget is not self._view:
            widget = widget.parentWidget()
        return widget if isinstance(widget, ToolCard) else None

    def _here(self, position: QPoint) -> QPoint:
        return self._view.viewport().mapFromGlobal(position)

    def _link_at(self, position: QPoint) -> Link | None:
        child = self._view.viewport().childAt(self._here(position))
        text = child.parentWidget() if child is not None else None
        return text.link_at(text.viewport().mapFromGlobal(position)) if isinstance(text, RichText) else None

    def _copy_markdown(self) -> None:
        if text := self._selection.markdown():
            self.copy_requested.emit(text)

    def _select(self, row: Row | None) -> None:
        """Select all of a message."""
        for index, each in self._column.live_rows():
            if each is row:
                self._selection.select_row(index)

    def _row_with_focus(self) -> Row | None:
        """The message in which somebody clicked last or where Tab stopped, else the one of which most is in sight."""
        focused = self._view.focusWidget() if not self._view.hasFocus() else None
        return self._row_around(focused) or self._most_in_sight()

    def _row_around(self, widget: QWidget | None) -> Row | None:
        """The message that a widget lies in."""
        rows = (row for _, row in self._column.live_rows())
        return next((row for row in rows if widget and row.widget and row.widget.isAncestorOf(widget)), None)

    def _most_in_sight(self) -> Row | None:
        """Of equal ones the lower."""
        seen = [
            (row.widget.visibleRegion().boundingRect().height(), index, row)
            for index, row in self._column.live_rows()
            if row.widget is not None
        ]
        height, _, row = max(seen, key=lambda each: each[:2], default=(0, 0, None))
        return row if height else None

    def _row_at(self, position: QPoint) -> Row | None:
        y = self._view.viewport().mapFromGlobal(position).y()
        for _, row in self._column.live_rows():
            if row.widget is not None and row.widget.y() <= y < row.widget.y() + row.widget.height():
                return row
        return None

    # -- keys -----------------------------------------------------------------------------------------------------

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Copy or scroll; True when the key was one for that."""
        if event.matches(QKeySequence.StandardKey.Copy):
            text = self._selection.text()
            if text:
                self.copy_requested.emit(text)
            return bool(text)
        if event.matches(QKeySequence.StandardKey.Delete):
            return self._remove_focused()
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._select(self._row_with_focus())
            return True
        bar, page = self._view.verticalScrollBar(), max(STEP, self._view.viewport().height() - STEP)
        steps = {Qt.Key.Key_Up: -STEP, Qt.Key.Key_Down: STEP, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        key = Qt.Key(event.key())
        is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if is_plain and key in steps:
            bar.setValue(bar.value() + steps[key])
        elif is_plain and key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif is_plain and key == Qt.Key.Key_End:
            self.end_requested.emit()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.message_step_requested.emit(-1 if key == Qt.Key.Key_Up else 1)
        else:
            return False
        return True

    def _ensure_visible(self, widget: QWidget) -> None:
        """Scroll to what Tab reached outside the viewport."""
        top = widget.mapTo(self._view.viewport(), QPoint(0, 0)).y()
        bottom = top + widget.height()
        bar, height = self._view.verticalScrollBar(), self._view.viewport().height()
        if top < 0:
            bar.setValue(bar.value() + top - STEP)
        elif bottom > height:
            bar.setValue(bar.value() + min(bottom - height + STEP, top))
