"""One message that waits to be sent: a quiet line with its text, and what can be done with it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.conversation.queued import QueuedMessage
from desktop.ui.controls import ElidedButton, describe, prepare_icon_button, set_enabled, set_property
from desktop.ui.state.pasted_text import split
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager

MOST_SHOWN = 300
"""Characters of the text; the line is cut at its width anyway."""
_MOVES = {int(Qt.Key.Key_Up): -1, int(Qt.Key.Key_Down): 1}


class QueueRow(QFrame):
    """Keys on its text: Enter changes it, Delete removes it, Alt with Up or Down moves it.

    Signals:
        edit_requested, remove_requested, now_requested: what they say.
        move_requested: it shall change places; carries by how many, up for negative numbers.
    """

    edit_requested = Signal()
    remove_requested = Signal()
    now_requested = Signal()
    move_requested = Signal(int)

    def __init__(self, theme: ThemeManager, message: QueuedMessage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._can_change = True
        self._is_sending = False
        self.setObjectName("queuedMessage")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._text = ElidedButton()
        self._text.setObjectName("queuedText")
        self._text.setProperty("role", "chipButton")
        self._text.clicked.connect(lambda: self._can_change and self.edit_requested.emit())
        self._text.installEventFilter(self)
        self._note = QLabel()
        self._note.setObjectName("queuedNote")
        self._note.setProperty("role", "muted")
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._up, self._edit, self._now, self._remove = (QToolButton() for _ in range(4))
        prepare_icon_button(self._up, theme, "queuedUp", "chevron-up")
        prepare_icon_button(self._edit, theme, "queuedEdit", "pencil")
        prepare_icon_button(self._now, theme, "queuedNow", "arrow-up")
        prepare_icon_button(self._remove, theme, "queuedRemove", "x")
        self._up.clicked.connect(lambda: self.move_requested.emit(-1))
        self._edit.clicked.connect(self.edit_requested)
        self._now.clicked.connect(self.now_requested)
        self._remove.clicked.connect(self.remove_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 2)
        layout.setSpacing(2)
        for widget in (self._text, self._note, self._up, self._edit, self._now, self._remove):
            layout.addWidget(widget)
        self._retranslate()

    def show_state(
        self, message: QueuedMessage, *, is_sending: bool, is_first: bool, is_changing: bool, stops: bool
    ) -> None:
        """``is_changing``: it is being changed below. ``stops``: to send it now, an answer has to be stopped."""
        self.message = message
        self._is_sending = is_sending
        self._can_change = not is_sending
        self._up.setVisible(not is_first)
        self._stops = stops
        for button in (self._up, self._edit, self._now, self._remove):
            set_enabled(button, not is_sending)
        set_property(self, "changing", is_changing)
        self._retranslate()

    _stops = False

    def focus_text(self) -> None:
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def has_focus_inside(self) -> bool:
        return self.isAncestorOf(self.window().focusWidget() or self.window())

    def focus_stops(self) -> list[QWidget]:
        return [self._text, self._up, self._edit, self._now, self._remove]

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]  # noqa: N802
        if watched is self._text and isinstance(event, QKeyEvent) and self._is_known(event):
            if event.type() == QEvent.Type.KeyPress:
                self._key_pressed(event)
            event.accept()  # else a shortcut of the window would come first
            return True
        return super().eventFilter(watched, event)

    def _is_known(self, event: QKeyEvent) -> bool:
        if event.key() in _MOVES:
            return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Enter)

    def _key_pressed(self, event: QKeyEvent) -> None:
        if (places := _MOVES.get(event.key())) is not None:
            self.move_requested.emit(places)
        elif self._can_change and event.key() == Qt.Key.Key_Delete:
            self.remove_requested.emit()
        elif self._can_change:
            self.edit_requested.emit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        composed = split(self.message.text)
        beside = len(self.message.attachments) + len(composed.pasted)
        words = " ".join(readable(composed.text[:MOST_SHOWN]).split())
        notes = [self.tr("Being sent…")] if self._is_sending else []
        if beside and words:
            notes.append(self.tr("%n files or texts", "", beside))
        self._note.setText(", ".join(notes))
        self._note.setVisible(bool(notes))
        shown = words or self.tr("%n files or texts", "", beside)
        self._text.set_full_text(shown)
        said = ", ".join([shown, *notes])
        self.setAccessibleName(self.tr("Waits: %1").replace("%1", said))
        describe(self._text, self.tr("Change: %1").replace("%1", said), tooltip=self.tr("Change this message"))
        describe(self._up, self.tr("Send before the one above: %1").replace("%1", shown), tooltip=self.tr("Move up"))
        describe(self._edit, self.tr("Change: %1").replace("%1", said), tooltip=self.tr("Change this message"))
        now = self.tr("Stop the answer and send this now") if self._stops else self.tr("Send this now")
        describe(self._now, f"{now}: {shown}", tooltip=now)
        describe(self._remove, self.tr("Remove: %1").replace("%1", shown), tooltip=self.tr("Remove this message"))
