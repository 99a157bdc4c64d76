"""One answer among several side by side: whose it is and what it is at, the answer itself, and what can be done with it."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.conversation.entities import MessageStatus
from desktop.ui.controls import ElidedLabel, IconLabel, hand_focus, set_property
from desktop.ui.state.answer_progress import Progress, progress_of
from desktop.ui.state.transcript_state import RowState
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.durations import duration_text
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon
from desktop.ui.transcript.model_name import model_name
from desktop.ui.transcript.view import TranscriptView

_ICONS = {
    Progress.DONE: "check",
    Progress.STOPPED: "circle-stop",
    Progress.FAILED: "circle-alert",
    Progress.WAITING_FOR_USER: "circle-question-mark",
}
FOOT_MARGINS = (12, 8, 12, 10)


class _ColumnView(TranscriptView):
    """Begins at the left edge, and stays at the begin of the answer, which is read from there."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setObjectName("column-transcript")

    def show_first(self, row: RowState) -> None:
        self.append_rows((row,))
        self.scroll_to_message(row.message_id)

    def _keep_middle(self) -> None:
        self.setViewportMargins(0, 0, 0, 0)

    def _place_jump_button(self) -> None:
        """None: over so little text it would hide what is read."""


class AnswerColumn(QFrame):
    """Its ``view`` is a transcript of one message.

    Signals:
        use_requested: the chat shall go on with this answer.
        stop_requested: it shall be written no further.
    """

    use_requested = Signal()
    stop_requested = Signal()

    def __init__(self, theme: ThemeManager, row: RowState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("answer-column")
        self.message_id = row.message_id
        self._theme = theme
        self._row = row
        self._number, self._count, self._is_chosen = 1, 1, False
        self._is_low = False
        self._name = ElidedLabel()
        self._name.setObjectName("column-model")
        self._name.setProperty("role", "strong")
        self._chosen_icon = IconLabel(theme, "message-square", "accent", 14)
        self._chosen_icon.setObjectName("column-chosen")
        self._icon = StateIcon(theme, 14, self)
        self._state = QLabel()
        self._state.setObjectName("column-state")
        self._state.setProperty("role", "small")
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        self.view = _ColumnView(theme, self)
        self._chosen = ElidedLabel()
        self._chosen.setObjectName("column-in-chat")
        self._chosen.setProperty("role", "small")
        self._stop = QPushButton()
        self._stop.setObjectName("column-stop")
        self._stop.clicked.connect(self.stop_requested)
        theme.set_icon(self._stop, "square", "text", 12)
        self._use = QPushButton()
        self._use.setObjectName("column-use")
        self._use.clicked.connect(self.use_requested)
        self._arrange()
        self._take_sizes()
        theme.changed.connect(self._take_sizes)
        self.view.show_first(row)
        self._show_state()

    @property
    def row(self) -> RowState:
        """The answer as it is shown."""
        return self._row

    @property
    def progress(self) -> Progress:
        return progress_of(self._row)

    def show_row(self, row: RowState) -> None:
        """Show the answer as it is now."""
        self._row = row
        self.view.update_row(row)
        self._show_state()

    def show_place(self, number: int, count: int, *, is_chosen: bool) -> None:
        """Say which of the answers this is, and whether it is the one that stands in the chat."""
        self._number, self._count, self._is_chosen = number, count, is_chosen
        self._show_state()

    def set_low(self, is_low: bool) -> None:
        """Put what stands below the answer into its head, for a window so low that there is no room for both."""
        if is_low != self._is_low:
            self._is_low = is_low
            parent, old = (self._head, self._column) if is_low else (self._column, self._head)
            old.removeItem(self._foot)
            self._foot.setParent(None)
            parent.addLayout(self._foot)
            self._foot.setContentsMargins(*((6, 0, 0, 0) if is_low else FOOT_MARGINS))
            self._show_state()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [*self.view.focus_stops(), self._stop, self._use]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._show_state()

    def state_words(self) -> str:
        """What the answer is at, in a word or two."""
        progress = self.progress
        if progress is Progress.DONE:
            seconds = self._row.duration_seconds
            return duration_text(seconds) if seconds is not None and seconds >= 0.05 else self.tr("Done")
        return {
            Progress.WAITING: self.tr("Waiting…"),
            Progress.THINKING: self.tr("Thinking…"),
            Progress.WRITING: self.tr("Writing…"),
            Progress.USING_TOOLS: self.tr("Using tools…"),
            Progress.WAITING_FOR_USER: self.tr("Waits for you"),
            Progress.STOPPED: self.tr("Stopped"),
            Progress.FAILED: self.tr("Failed"),
        }[progress]

    def model_words(self) -> str:
        """Whose answer it is."""
        return model_name(self._row.model) or self.tr("Assistant")

    def _show_state(self) -> None:
        words, model, progress = self.state_words(), self.model_words(), self.progress
        self._name.set_full_text(model)
        self._name.setToolTip(model)
        self._state.setText(words)
        self._icon.show_icon(_ICONS.get(progress, SPINNING))
        is_running = self._row.is_streaming
        if not is_running:
            hand_focus(self._stop, self._use if self._may_use else self.view)
        self._stop.setVisible(is_running)
        self._stop.setText(" " + self.tr("Stop"))
        self._use.setVisible(self._may_use)
        self._use.setText(self.tr("Use this answer"))
        self._use.setAccessibleName(self.tr("Use the answer from %1").replace("%1", model))
        self._stop.setAccessibleName(self.tr("Stop the answer from %1").replace("%1", model))
        self._chosen.set_full_text(self.tr("In the chat"))
        self._chosen.setVisible(self._is_chosen and not self._is_low)
        self._state.setVisible(not self._is_low)
        self._chosen_icon.setVisible(self._is_chosen)
        set_property(self, "chosen", self._is_chosen)
        self._name_all(model, words)

    @property
    def _may_use(self) -> bool:
        """A chat can go on with it and does not yet; one that failed before its first word is nothing to go on with."""
        is_something = self._row.status is not MessageStatus.FAILED or bool(self._row.text.strip())
        return is_something and not self._is_chosen

    def _name_all(self, model: str, words: str) -> None:
        place = self.tr("Answer %1 of %2").replace("%1", str(self._number)).replace("%2", str(self._count))
        name = self.tr("%1, from %2, %3").replace("%3", words).replace("%2", model).replace("%1", place)
        if self._is_chosen:
            name = self.tr("%1, in the chat").replace("%1", name)
        self.setAccessibleName(name)
        self.view.setAccessibleName(name)

    def _take_sizes(self) -> None:
        self._icon.setFixedSize(QSize(self._theme.px(14), self._theme.px(18)))

    def _arrange(self) -> None:
        self._head = head = QHBoxLayout()
        head.setContentsMargins(14, 8, 14, 0)
        head.setSpacing(6)
        head.addWidget(self._name, 1)
        head.addWidget(self._icon)
        head.addWidget(self._state)
        self._foot = foot = QHBoxLayout()
        foot.setContentsMargins(*FOOT_MARGINS)
        foot.setSpacing(6)
        foot.addWidget(self._chosen_icon)
        foot.addWidget(self._chosen, 1)
        foot.addStretch()
        foot.addWidget(self._stop)
        foot.addWidget(self._use)
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.view, 1)
        layout.addLayout(foot)
