"""Above the message field: the messages that wait to be sent, why they wait, and what can be done about it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.agent.queue_state import Pause, Queue
from desktop.ui.composer.chip_list import ChipList
from desktop.ui.composer.queue_editor import QueueEditor
from desktop.ui.composer.queue_row import QueueRow
from desktop.ui.controls import SMALL_ICON, IconLabel, announce, describe, set_property
from desktop.ui.settings.layouts import WordsAndControl
from desktop.ui.theme.theme_manager import ThemeManager


class QueuePanel(QFrame):
    """Hidden while nothing waits. ``editor`` is in sight while one of them is changed.

    Signals:
        edit_requested, remove_requested, now_requested: carry the message's id.
        move_requested: carries the message's id and by how many places.
        go_on_requested: what waits is to be sent. discard_requested: all of it is to be removed.
        left: the focus was in it when its place went.
        focus_stops_changed: Tab stops elsewhere now.
    """

    edit_requested = Signal(str)
    remove_requested = Signal(str)
    now_requested = Signal(str)
    move_requested = Signal(str, int)
    go_on_requested = Signal()
    discard_requested = Signal()
    left = Signal()
    focus_stops_changed = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._queue = Queue()
        self._answers = False
        self._rows: dict[str, QueueRow] = {}
        self.setObjectName("queuePanel")
        self._words = QLabel()
        self._words.setObjectName("queueWords")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.go_on_button = QPushButton()
        self.go_on_button.setObjectName("queueGoOn")
        self.go_on_button.clicked.connect(self.go_on_requested)
        self.discard_button = QPushButton()
        self.discard_button.setObjectName("queueDiscard")
        self.discard_button.clicked.connect(self.discard_requested)
        for button in (self.go_on_button, self.discard_button):
            button.setProperty("role", "link")
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(8)
        buttons.addWidget(self.go_on_button)
        buttons.addWidget(self.discard_button)
        why = QWidget()
        said = QHBoxLayout(why)
        said.setContentsMargins(0, 0, 0, 0)
        said.setSpacing(8)
        said.addWidget(IconLabel(theme, "list-end", "muted", SMALL_ICON), 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(self._words, 1)
        self._list = ChipList[QueueRow]("queuedMessages")
        self.editor = QueueEditor(theme)
        self.editor.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 8, 8)
        layout.setSpacing(4)
        layout.addLayout(WordsAndControl(why, self._buttons))
        layout.addWidget(self._list)
        layout.addWidget(self.editor)
        self.hide()
        self._retranslate()

    @property
    def rows(self) -> list[QueueRow]:
        """From top to bottom."""
        return [self._rows[message.id] for message in self._queue.messages]

    @property
    def words(self) -> str:
        """What stands above the messages."""
        return self._words.text()

    def show_queue(self, queue: Queue, *, answers: bool) -> None:
        """``answers``: something in the chat answers at this moment."""
        was_paused, self._queue, self._answers = self._queue.pause, queue, answers
        gone = [row for message_id, row in self._rows.items() if message_id not in {m.id for m in queue.messages}]
        lost = next((list(self._rows.values()).index(row) for row in gone if row.has_focus_inside), None)
        head_had_focus = any(button.hasFocus() for button in (self.go_on_button, self.discard_button))
        self._rows = {m.id: self._rows.get(m.id) or self._make_row(m.id) for m in queue.messages}
        for place, message in enumerate(queue.messages):
            self._rows[message.id].show_state(
                message,
                is_sending=message.id == queue.sending,
                is_first=place == 0,
                is_changing=message.id == queue.held,
                stops=answers,
            )
        self._list.show_chips(self.rows)
        self._retranslate()
        if lost is not None and self.rows:
            self.rows[min(lost, len(self.rows) - 1)].focus_text()
        elif lost is not None or (head_had_focus and (not self.rows or queue.pause is None)):
            self.left.emit()
        self.setVisible(bool(self.rows))
        self.focus_stops_changed.emit()
        if queue.pause is not None and was_paused is None:
            announce(self._words, self._words.text())

    def show_editor(self, text: str | None, *, has_files: bool = False) -> None:
        """Let this text be changed; None ends that."""
        if text is None:
            if self.editor.isAncestorOf(self.window().focusWidget() or self.window()):
                self.left.emit()
            self.editor.hide()
        else:
            self.editor.show()
            self.editor.begin(text, has_files=has_files)
        self.focus_stops_changed.emit()

    def focus_row(self, message_id: str) -> None:
        if (row := self._rows.get(message_id)) is not None:
            row.focus_text()

    def focus_stops(self) -> list[QWidget]:
        rows = [stop for row in self.rows for stop in row.focus_stops()]
        editor = self.editor.focus_stops() if not self.editor.isHidden() else []
        return [self.go_on_button, self.discard_button, *rows, *editor]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _make_row(self, message_id: str) -> QueueRow:
        message = next(message for message in self._queue.messages if message.id == message_id)
        row = QueueRow(self._theme, message)
        row.edit_requested.connect(lambda: self.edit_requested.emit(message_id))
        row.remove_requested.connect(lambda: self.remove_requested.emit(message_id))
        row.now_requested.connect(lambda: self.now_requested.emit(message_id))
        row.move_requested.connect(lambda places: self.move_requested.emit(message_id, places))
        return row

    def _retranslate(self) -> None:
        pause = self._queue.pause
        self._words.setText(self._reason())
        set_property(self._words, "role", "muted" if pause is None else "warning")
        self.go_on_button.setVisible(pause is not None)
        is_kept = pause is Pause.KEPT
        self.go_on_button.setText(self.tr("Send") if is_kept else self.tr("Go on"))
        describe(self.go_on_button, self.tr("Send what waits, one after the other"))
        self.discard_button.setVisible(pause is not None)
        self.discard_button.setText(self.tr("Discard"))
        describe(self.discard_button, self.tr("Remove all that waits"))

    def _reason(self) -> str:
        count = len(self._queue.messages)
        match self._queue.pause:
            case Pause.KEPT:
                return self.tr("%n messages were not sent yet.", "", count)
            case Pause.STOPPED:
                return self.tr("You stopped the answer. %n messages wait.", "", count)
            case Pause.FAILED:
                return self.tr("The answer failed. %n messages wait.", "", count)
            case Pause.CUT_OFF:
                return self.tr("The answer is not complete. %n messages wait.", "", count)
            case Pause.UNSENT:
                return self.tr("The next message could not be sent. %n messages wait.", "", count)
            case None if self._queue.held and not self._answers and not self._queue.sending:
                return self.tr("%n messages wait until you have changed yours.", "", count)
            case None:
                return self.tr("%n messages are sent when the answer is done.", "", count)
