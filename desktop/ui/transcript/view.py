"""The transcript's view: a scroll area whose content is real widgets for what is near, and numbers for the rest."""

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop.conversation.entities import MessageOutline
from desktop.ui.controls import Words, announce
from desktop.ui.state.transcript_state import RowState
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.column import OVERSCAN, Column
from desktop.ui.transcript.context import BackgroundRunner, BlockContext, BlockWidget
from desktop.ui.transcript.interaction import STEP, TAB_REASONS, Interaction
from desktop.ui.transcript.interlude import Interlude
from desktop.ui.transcript.jump_button import JumpButton
from desktop.ui.transcript.marks import Marks
from desktop.ui.transcript.reading_position import ReadingPosition, position_in
from desktop.ui.transcript.restyling import Restyling
from desktop.ui.transcript.row import Row
from desktop.ui.transcript.selection import Selection
from desktop.ui.transcript.text_dialog import TextDialog
from desktop.ui.transcript.text_requests import TextRequests

END_TOLERANCE = 4
JUMP = 3
"""A move of more than so many viewports is a jump: it lands by estimates instead of measuring all between."""


class TranscriptView(QAbstractScrollArea):
    """Shows rows that it is given; knows nothing of storage or runs.

    Signals:
        example_requested: an example prompt of the empty state was clicked; carries its text.
        retry_requested: "Try again" under a failed answer.
        continue_requested: "Continue" under one that was cut off.
        error_action_requested: a button below a failed answer; an ``Action`` and the error's parameters.
        link_activated: a link was clicked; carries the address as written and the words of the link.
        bodies_needed: the ids of messages that came near and are not loaded; ``set_rows`` answers.
        copied: something was put on the clipboard; carries the text.
    """

    example_requested = Signal(str)
    retry_requested = Signal()
    continue_requested = Signal()
    error_action_requested = Signal(object, dict)
    link_activated = Signal(str, str)
    bodies_needed = Signal(list)
    copied = Signal(str)

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.context = self._context = BlockContext(theme, self)
        self._column = Column(self.viewport(), self._context)
        self._selection = Selection(self._column)
        self.marks = Marks(self, self._column, theme, self._relayout)
        self._interaction = Interaction(self, self._column, self._selection, self._context.actions)
        self._context.text_events = self._interaction
        self._context.focus_filter = self._interaction
        self._value = 0
        self._is_busy = self._lacks_overscan = self._shows_focus = False
        self.setObjectName("transcript")
        self.viewport().setAutoFillBackground(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so that scrolling copies pixels
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMinimumWidth(240)
        self.verticalScrollBar().setSingleStep(STEP)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._interlude = Interlude(theme, self.viewport())
        self._interlude.example_requested.connect(self.example_requested)
        self._jump = JumpButton(theme, self)
        self._jump.clicked.connect(self.scroll_to_end)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._after_layout)
        self._connect_actions()
        self._restyling = Restyling(self._column, self.viewport(), self._relayout)
        theme.changed.connect(self._restyle)
        self._keep_middle()
        self._retranslate()

    def _connect_actions(self) -> None:
        actions = self._context.actions
        TextRequests(self, self._column, actions, self._relayout)
        actions.fold_toggled.connect(self._toggle)
        actions.link_activated.connect(self.link_activated)
        actions.copy_requested.connect(self.copy_text)
        actions.message_copy_requested.connect(self.copy_message)
        actions.full_text_requested.connect(self._show_full_text)
        actions.retry_requested.connect(self.retry_requested)
        actions.continue_requested.connect(self.continue_requested)
        actions.error_action_requested.connect(self.error_action_requested)
        actions.file_requested.connect(self.show_text)
        actions.pasted_requested.connect(lambda text: self.show_text(text, lambda: self.tr("Pasted text")))
        self._interaction.copy_requested.connect(self.copy_text)
        self._interaction.end_requested.connect(self.scroll_to_end)
        self._interaction.message_step_requested.connect(self.go_to_message)

    # -- content --------------------------------------------------------------------------------------------------

    def set_background_runner(self, runner: BackgroundRunner) -> None:
        """Let highlighting run off the GUI thread; without a runner it runs at once."""
        self._context.highlighter.set_runner(runner)

    @property
    def message_count(self) -> int:
        return len(self._column)

    def has_message(self, message_id: str) -> bool:
        return self._column.index_of(message_id) is not None

    def show_empty(self, *, is_scripted: bool, is_temporary: bool = False) -> None:
        """Greet. ``is_scripted``: the built-in demo model would answer."""
        self.set_thread((), ())
        self._interlude.greet(is_scripted=is_scripted, is_temporary=is_temporary)

    def begin_loading(self) -> None:
        """Say that a thread is being read, if that takes longer than a moment; ends when one is shown."""
        self._interlude.wait()

    def set_scripted(self, is_scripted: bool) -> None:
        """Say in an empty thread that the demo model would answer, or no more."""
        self._interlude.set_scripted(is_scripted)

    def set_thread(
        self,
        outlines: Sequence[MessageOutline],
        rows: Sequence[RowState],
        position: ReadingPosition | None = None,
    ) -> None:
        """Show a thread of these messages, of which ``rows`` are loaded, at its end or where it was left."""
        self._interlude.end()
        self._selection.clear()
        self._column.reset(outlines)
        for row in rows:
            self._column.load(row)
        if position is not None and not position.is_at_end:
            index = self._column.index_of(position.message_id)
            if index is not None:
                self._column.sticks_to_end = False
                self._column.anchor_at(index, position.cell_index, position.y)
        self._jump.set_news(False)
        self._relayout(overscan=0)

    def surround(self, before: Sequence[MessageOutline], after: Sequence[MessageOutline] = ()) -> None:
        """Add the other messages of the thread, none of them loaded; what can be seen stays where it is."""
        self._selection.clear()
        self._column.surround(before, after)
        self._relayout()

    def set_rows(self, rows: Sequence[RowState]) -> None:
        """Show the bodies of messages that the thread has; others are ignored."""
        cell_index = self._column.anchor_cell_index()
        loaded = [row for row in rows if self._column.load(row)]
        if loaded:
            self._column.revive_anchor(cell_index)
            self._relayout()

    def update_row(self, row: RowState) -> None:
        """Show the new state of one message, as while it streams."""
        if self.has_message(row.message_id):
            self.set_rows((row,))
            self._jump.set_news(not self._column.sticks_to_end)

    def append_rows(self, rows: Sequence[RowState], *, follows: bool = True) -> None:
        """Add messages at the end and go there, or stay where something else is read."""
        self._interlude.end()
        cell_index = self._column.anchor_cell_index()
        for row in rows:
            self._column.append(row)
        self._column.revive_anchor(cell_index)
        self._column.sticks_to_end |= follows
        self._jump.set_news(not self._column.sticks_to_end)
        self._relayout()

    def reading_position(self) -> ReadingPosition | None:
        """Where the thread is read now; None for an empty one."""
        return position_in(self._column)

    def position_of(self, message_id: str) -> ReadingPosition | None:
        """Where the begin of a message is now; None where nothing of it is near."""
        if (row := self._row_of(message_id)) is None or row.widget is None:
            return None
        return ReadingPosition(message_id, 0, row.widget.y() + row.top, is_at_end=False)

    def _row_of(self, message_id: str) -> Row | None:
        index = self._column.index_of(message_id)
        return None if index is None else self._column.rows.get(index)

    def scroll_to_end(self) -> None:
        self._column.sticks_to_end = True
        self._jump.set_news(False)
        self._relayout()

    def scroll_to_message(self, message_id: str) -> None:
        """Bring the begin of a message to the top of the viewport."""
        index = self._column.index_of(message_id)
        if index is not None:
            self._column.sticks_to_end = False
            self._column.jump_to_row(index)
            self._relayout()

    def announce(self, text: str, *, assertive: bool = False) -> None:
        """Let a screen reader say ``text``."""
        announce(self, text, assertive=assertive)

    def copy_message(self, message_id: str) -> None:
        """Put the Markdown source of a message on the clipboard."""
        if (row := self._row_of(message_id)) is not None:
            self.copy_text(row.state.text)

    def selected_text(self) -> str:
        return self._selection.text()

    # -- layout ---------------------------------------------------------------------------------------------------

    def _relayout(self, overscan: int = OVERSCAN) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            self._restyling.release()
            self._layout_once(overscan)
        finally:
            self._is_busy = False
        self._lacks_overscan = not overscan
        if self._shows_focus:
            self.viewport().update()  # its frame must not scroll along
        self._selection.apply()
        self.marks.apply()
        self._place_jump_button()
        self._later.start()

    def _layout_once(self, overscan: int) -> None:
        self._column.layout(overscan)
        bar, height = self.verticalScrollBar(), self.viewport().height()
        total = self._column.total() if len(self._column) else 0
        bar.setPageStep(height)
        bar.setRange(0, max(0, total - height))
        bar.setValue(bar.maximum() if self._column.sticks_to_end else self._column.scroll_value())
        bar.setEnabled(bar.maximum() > 0)  # its room stays kept, so that no text moves aside when it is needed
        self._value = bar.value()

    def _after_layout(self) -> None:
        """What may wait until the new layout is on its way to the screen."""
        if self._restyling.is_running:
            return
        if self._lacks_overscan:
            self._relayout()
            return
        missing = self._column.missing()
        if missing:
            self.bodies_needed.emit(missing)
        for before, after in pairwise(self.focus_stops()):
            QWidget.setTabOrder(before, after)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops by now, in reading order."""
        cells = [cell for _, row in self._column.live_rows() for cell in row.cells]
        widgets = [cast(BlockWidget, cell.widget) for cell in cells if cell.widget is not None]
        return [self, *(control for widget in widgets for control in widget.focus_widgets())]

    def _scrolled(self, value: int) -> None:
        if self._is_busy:
            return
        bar = self.verticalScrollBar()
        distance = value - self._value
        at_end = value >= bar.maximum() - END_TOLERANCE
        self._column.sticks_to_end = at_end
        if at_end:
            self._jump.set_news(False)
        elif abs(distance) > JUMP * self.viewport().height():
            self._column.jump_to(value)
        else:
            self._column.move_by(distance)
        self._relayout(OVERSCAN if at_end or abs(distance) <= JUMP * self.viewport().height() else 0)

    def _toggle(self, message_id: str, key: str) -> None:
        self._column.sticks_to_end = False
        self._column.toggle(message_id, key)
        self._selection.clear()
        self._relayout()

    def _place_jump_button(self) -> None:
        bar = self.verticalScrollBar()
        self._jump.setVisible(len(self._column) > 0 and bar.maximum() - bar.value() > STEP)
        self._jump.place(self.viewport().geometry())

    def _keep_middle(self) -> None:
        """Leave as much room at the left as the bar takes at the right: the text stands over the message field."""
        self.setViewportMargins(self.verticalScrollBar().sizeHint().width(), 0, 0, 0)

    def _restyle(self) -> None:
        self._context.take_theme()
        self._restyling.begin()
        self._keep_middle()
        self._jump.refresh()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Messages"))
        self._jump.refresh()
        self._interlude.retranslate()
        for row in self._column.rows.values():
            row.retranslate()
        self._relayout()

    # -- copying --------------------------------------------------------------------------------------------------

    def copy_text(self, text: str) -> None:
        """Put ``text`` on the clipboard, as its Copy button does."""
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    def _show_full_text(self, message_id: str) -> None:
        if (row := self._row_of(message_id)) is not None:
            self.show_text(row.state.text, lambda: self.tr("Whole message"))

    def show_text(self, text: str, title: Words) -> None:
        """Show a long text in a window of its own."""
        TextDialog(text, self._theme, title, self).show()

    def go_to_message(self, direction: int) -> None:
        """Bring the next or the previous message to the top, and say how it begins."""
        if self._column.anchor is None:
            return
        index = self._column.anchor.row + direction
        if 0 <= index < len(self._column):
            self.scroll_to_message(self._column.id_of(index))
            if (row := self._column.rows.get(index)) is not None:
                self.announce(row.spoken())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._interaction.key_pressed(event):
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._interaction.mouse(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._interaction.mouse(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._interaction.mouse(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        self._interaction.open_menu(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self._shows_focus = event.reason() in TAB_REASONS
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self._shows_focus = False
        self.viewport().update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._theme.tokens.window))
        if self._shows_focus:
            painter.setPen(QPen(QColor(self._theme.tokens.focus), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        if not (self._theme.is_applying or self._restyling.is_holding):
            self._relayout(0)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._relayout()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Nothing: the column places its widgets itself."""
