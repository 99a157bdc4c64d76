"""The page that stands in place of the transcript: the question, and below it a column for each answer."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTabBar, QVBoxLayout, QWidget

from desktop.ui.comparison.answer_column import AnswerColumn
from desktop.ui.controls import ElidedLabel, describe
from desktop.ui.state.answer_progress import Progress
from desktop.ui.theme.theme_manager import ThemeManager

LEAST_WIDTH = 270
"""Of a column. As many stand side by side as have room; the tabs above lead to the others."""
LOW = 230
"""Below this height the columns do without their foot."""
SPACING, MARGIN = 10, 14
QUESTION_CHARACTERS = 400
_TAB_ICONS = {Progress.DONE: "check", Progress.FAILED: "circle-alert", Progress.STOPPED: "circle-stop"}


class AnswerTabs(QTabBar):
    """Where the names need more room than there is, the longest are shortened; Qt would shorten the short ones first."""

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802
        wanted = [super(AnswerTabs, self).tabSizeHint(place) for place in range(self.count())]
        room, share = self.width(), self.width()
        for count, width in zip(range(len(wanted), 0, -1), sorted(size.width() for size in wanted), strict=True):
            share = room // count
            if width > share:
                break
            room -= width
        return QSize(min(wanted[index].width(), share), wanted[index].height())


class ComparisonPage(QWidget):
    """``left`` comes when the user wants to see the chat again."""

    left = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("comparison")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._columns: list[AnswerColumn] = []
        self._first = 0
        self._back = QPushButton()
        self._back.setObjectName("comparison-back")
        self._back.setProperty("role", "link")
        self._back.clicked.connect(self.left)
        theme.set_icon(self._back, "arrow-left", "accent", 16)
        self._question = ElidedLabel()
        self._question.setObjectName("comparison-question")
        self._question.setProperty("role", "muted")
        self._tabs = AnswerTabs()
        self._tabs.setObjectName("comparison-tabs")
        self._tabs.setExpanding(False)
        self._tabs.setDrawBase(False)
        self._tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self._tabs.setUsesScrollButtons(False)
        self._tabs.currentChanged.connect(self._bring_into_view)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(MARGIN, 4, MARGIN, 6)
        self._row.setSpacing(SPACING)
        top = QHBoxLayout()
        top.setContentsMargins(MARGIN - 6, 8, MARGIN, 4)
        top.setSpacing(8)
        top.addWidget(self._back)
        top.addWidget(self._question, 1)
        tabs = QHBoxLayout()
        tabs.setContentsMargins(MARGIN, 0, MARGIN, 2)
        tabs.addWidget(self._tabs)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addLayout(tabs)
        layout.addLayout(self._row, 1)
        theme.changed.connect(self._take_theme)
        self._retranslate()

    @property
    def columns(self) -> Sequence[AnswerColumn]:
        return self._columns

    def set_question(self, text: str) -> None:
        """Show the beginning of what was asked, on one line."""
        words = " ".join(text[:QUESTION_CHARACTERS].split())
        self._question.set_full_text(words)
        self._question.setToolTip(words)

    def insert_column(self, index: int, column: AnswerColumn) -> None:
        """Put a column in, and give it room."""
        self._columns.insert(index, column)
        self._row.insertWidget(index, column, 1)
        self._tabs.blockSignals(True)
        self._tabs.insertTab(index, column.model_words())
        self._tabs.blockSignals(False)
        self._fit()

    def remove_column(self, column: AnswerColumn) -> None:
        """Take a column away for good."""
        index = self._columns.index(column)
        focused = column.window().focusWidget()
        if focused is not None and column.isAncestorOf(focused):
            self._back.setFocus()
        del self._columns[index]
        self._row.removeWidget(column)
        column.hide()
        column.deleteLater()
        self._tabs.blockSignals(True)
        self._tabs.removeTab(index)
        self._tabs.blockSignals(False)
        self._fit()

    def show_chosen(self, message_id: str) -> None:
        """Mark the answer that stands in the chat."""
        for number, column in enumerate(self._columns, start=1):
            is_chosen = column.message_id == message_id
            column.show_place(number, len(self._columns), is_chosen=is_chosen)

    def refresh_tab(self, column: AnswerColumn) -> None:
        """Say at the tab what the answer is at, for columns that cannot be seen."""
        index = self._columns.index(column)
        words = column.model_words()
        self._tabs.setTabText(index, words.replace("&", "&&"))
        self._tabs.setTabToolTip(index, f"{words}: {column.state_words()}")
        self._tabs.setAccessibleTabName(index, f"{words}: {column.state_words()}")
        icon = _TAB_ICONS.get(column.progress, "loader-circle")
        colour = "error" if column.progress is Progress.FAILED else "muted"
        self._tabs.setTabIcon(index, self._theme.icon(icon, colour, self._theme.px(14)))

    def bring_into_view(self, message_id: str) -> None:
        """Let the column of this answer be one of those that can be seen."""
        for index, column in enumerate(self._columns):
            if column.message_id == message_id:
                self._tabs.setCurrentIndex(index)
                self._bring_into_view(index)  # also where this tab was the present one and its column had no room

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self._back, self._tabs, *(stop for column in self._columns for stop in column.focus_stops())]

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:  # noqa: N802
        """The focus goes to the answer at the left."""
        target = self._columns[self._first].view if self._columns else self._back
        target.setFocus(reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Escape leads back to the chat, from wherever nothing else uses it."""
        if event.key() == Qt.Key.Key_Escape and not event.isAutoRepeat():
            self.left.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._bring_into_view(self._tabs.currentIndex())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Answers side by side"))
        self._back.setText(" " + self.tr("Back to the chat"))
        describe(self._back, self.tr("Back to the chat"), shortcut="Esc")
        self._tabs.setAccessibleName(self.tr("Answers"))
        for column in self._columns:
            self.refresh_tab(column)

    def _take_theme(self) -> None:
        for column in self._columns:
            self.refresh_tab(column)
        self._fit()

    def _bring_into_view(self, index: int) -> None:
        room = self._room
        if 0 <= index < self._first:
            self._first = index
        elif index >= self._first + room:
            self._first = index - room + 1
        self._fit()

    @property
    def _room(self) -> int:
        """How many columns can stand side by side."""
        least = self._theme.px(LEAST_WIDTH)
        return max(1, (self.width() - 2 * MARGIN + SPACING) // (least + SPACING))

    def _fit(self) -> None:
        room, count = self._room, len(self._columns)
        self._first = max(0, min(self._first, count - room))
        self._tabs.setVisible(count > room)
        seen = range(self._first, self._first + room)
        is_low = self.height() < self._theme.px(LOW)
        for index, column in enumerate(self._columns):
            column.set_low(is_low)
            column.setVisible(index in seen)
        stops = self.focus_stops()
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)
