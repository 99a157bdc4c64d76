"""Mouse, keys, focus and menus of the transcript: selecting across blocks, scrolling by keys, copying."""

from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QCursor, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from desktop.conversation.entities import Role
from desktop.ui.markdown.html_writer import Link
from desktop.ui.popup import round_corners
from desktop.ui.transcript.blocks.rich_text import RichText
from desktop.ui.transcript.column import Column
from desktop.ui.transcript.selection import Selection

STEP = 40
TAB_REASONS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class Interaction(QObject):
    """Hears of the events of all blocks' texts, of the focus of their controls, and of the view's own events.

    Signals:
        copy_requested: carries the selected text, or the address of a link.
        message_copy_requested: carries the id of a message.
        sent_requested: carries the id of an answer; what was sent for it is to be shown.
        end_requested: the End key.
        message_step_requested: -1 for the message before, 1 for the next one.
    """

    copy_requested = Signal(str)
    message_copy_requested = Signal(str)
    sent_requested = Signal(str)
    end_requested = Signal()
    message_step_requested = Signal(int)

    def __init__(self, view: QAbstractScrollArea, column: Column, selection: Selection) -> None:
        super().__init__(view)
        self._view = view
        self._column = column
        self._selection = selection
        self._edge_scroll = QTimer(self, interval=30)
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
        """Offer to copy the selection, the link under the mouse, or the whole message."""
        message_id = self._message_at(event.globalPos())
        if message_id is None:
            return
        menu = QMenu(self._view)
        round_corners(menu)
        menu.setObjectName("transcript-menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selected = self._selection.text()
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(bool(selected))
        copy.triggered.connect(lambda: self.copy_requested.emit(selected))
        link = self._link_at(event.globalPos())
        if link is not None:
            address = menu.addAction(self.tr("Copy link address"))
            address.triggered.connect(lambda: self.copy_requested.emit(link.target))
        whole = menu.addAction(self.tr("Copy message"))
        whole.triggered.connect(lambda: self.message_copy_requested.emit(message_id))
        if self._is_answer(message_id):
            sent = menu.addAction(self.tr("What was sent"))
            sent.triggered.connect(lambda: self.sent_requested.emit(message_id))
        menu.popup(event.globalPos())

    def _link_at(self, position: QPoint) -> Link | None:
        child = self._view.viewport().childAt(self._view.viewport().mapFromGlobal(position))
        text = child.parentWidget() if child is not None else None
        return text.link_at(text.viewport().mapFromGlobal(position)) if isinstance(text, RichText) else None

    def _is_answer(self, message_id: str) -> bool:
        rows = (row for index, row in self._column.live_rows() if self._column.id_of(index) == message_id)
        return any(row.state.role is Role.ASSISTANT for row in rows)

    def _message_at(self, position: QPoint) -> str | None:
        y = self._view.viewport().mapFromGlobal(position).y()
        for index, row in self._column.live_rows():
            if row.widget is not None and row.widget.y() <= y < row.widget.y() + row.widget.height():
                return self._column.id_of(index)
        return None

    # -- keys -----------------------------------------------------------------------------------------------------

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Copy or scroll; True when the key was one for that."""
        if event.matches(QKeySequence.StandardKey.Copy):
            text = self._selection.text()
            if text:
                self.copy_requested.emit(text)
            return bool(text)
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
