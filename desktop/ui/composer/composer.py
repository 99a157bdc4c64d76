"""The frame in which a message is written: the text field, a hint, and the button that sends or stops."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.composer.message_edit import MessageEdit
from desktop.ui.controls import announce, describe
from desktop.ui.theme.theme_manager import ThemeManager

MAX_WIDTH = 800


class Composer(QWidget):
    """Emits ``send_requested`` (never with blank text), ``stop_requested`` and ``text_edited``.

    While an answer runs one can write on; Enter then keeps the text and says why.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    text_edited = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerArea")
        self._theme = theme
        self._running = False
        self._sending = False
        self._setting_text = False
        self.edit = MessageEdit()
        self.edit.send_requested.connect(self._enter_pressed)
        self.edit.stop_requested.connect(self._escape_pressed)
        self.edit.textChanged.connect(self._text_changed)
        self.edit.installEventFilter(self)
        self._hint = QLabel()
        self._hint.setObjectName("composerHint")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        self.button = QPushButton()
        self.button.setObjectName("sendButton")
        self.button.setProperty("role", "primary")
        self.button.setIconSize(QSize(18, 18))
        self.button.clicked.connect(self._button_clicked)
        self._frame = QFrame()
        self._frame.setObjectName("composer")
        self._frame.setMaximumWidth(MAX_WIDTH)
        self._frame.setCursor(Qt.CursorShape.IBeamCursor)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        self._arrange()
        self._retranslate()
        self._update()

    @property
    def text(self) -> str:
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace the text without telling that it was edited."""
        self._setting_text = True
        self.edit.set_text(text)
        self._setting_text = False
        self._update()

    def take_sent(self, sent: str) -> None:
        """Remove the text that was sent; what was typed meanwhile stays."""
        rest = self.text.removeprefix(sent)
        self.set_text("" if not rest.strip() else rest)

    def set_running(self, running: bool) -> None:
        """Show Stop while the thread answers, Send otherwise."""
        self._running = running
        self._hint.clear()
        self._update()

    def set_sending(self, sending: bool) -> None:
        """While a message is being stored no second one can be sent."""
        self._sending = sending
        self._update()

    def focus_text(self) -> None:
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Draw the focus ring around the frame, in which the text field lies without a border of its own."""
        if watched is self.edit and isinstance(event, QFocusEvent):
            self._frame.setProperty("focused", event.gotFocus())
            self._frame.style().unpolish(self._frame)
            self._frame.style().polish(self._frame)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._frame.geometry().contains(event.position().toPoint()):
            self.edit.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._update()

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._hint, 1)
        row.addWidget(self.button)
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(14, 10, 10, 9)
        inside.setSpacing(4)
        inside.addWidget(self.edit)
        inside.addLayout(row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 6, 24, 18)
        layout.addStretch(1)
        layout.addWidget(self._frame, 1000)
        layout.addStretch(1)

    def _retranslate(self) -> None:
        self.edit.setPlaceholderText(self.tr("Message — Enter to send, Shift+Enter for a new line"))
        self.edit.setAccessibleName(self.tr("Message"))

    def _update(self) -> None:
        if self._running:
            self._theme.set_icon(self.button, "square", "on_accent", 16)
            describe(self.button, self.tr("Stop"), shortcut="Esc", tooltip=self.tr("Stop the answer"))
            self.button.setEnabled(True)
        else:
            self.button.setEnabled(bool(self.text.strip()) and not self._sending)
            self._theme.set_icon(self.button, "arrow-up", "on_accent" if self.button.isEnabled() else "muted", 18)
            describe(self.button, self.tr("Send"), shortcut="Return", tooltip=self.tr("Send the message"))

    def _text_changed(self) -> None:
        self._update()
        if not self._setting_text:
            self.text_edited.emit()

    def _enter_pressed(self) -> None:
        if not self.text.strip() or self._sending:
            return
        if self._running:
            hint = self.tr("Still answering. Your text stays here: send it when the answer is done.")
            self._hint.setText(hint)
            announce(self._hint, hint)
            return
        self.send_requested.emit(self.text)

    def _escape_pressed(self) -> None:
        if self._running:
            self.stop_requested.emit()

    def _button_clicked(self) -> None:
        if self._running:
            self.stop_requested.emit()
        else:
            self._enter_pressed()
        self.edit.setFocus()
