"""A small editor below the messages that wait, in which one of them is changed."""

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.composer.key_guard import MOST_WATCHED, KeyGuard
from desktop.ui.composer.message_edit import MessageEdit, can_hold
from desktop.ui.controls import announce, describe, set_enabled
from desktop.ui.shortcuts import keys_of
from desktop.ui.state.pasted_text import MOST_BYTES, Composed, byte_count, joined, split
from desktop.ui.theme.theme_manager import ThemeManager

SAVE_DELAY_MS = 700


class QueueEditor(QFrame):
    """Long texts that were pasted go along as they are; what looks like a key is held back as in the message field.

    Signals:
        saved: the change is done; carries the text as it is sent.
        written: it goes on; carries what stands there by now, without anything that looks like a key.
        left: the change is given up.
    """

    saved = Signal(str)
    written = Signal(str)
    left = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("queueEditor")
        self._pasted: tuple[str, ...] = ()
        self._has_files = False
        self._is_setting = False
        self.edit = MessageEdit()
        self.edit.setObjectName("queueEdit")
        self.edit.send_requested.connect(self._save)
        self.edit.stop_requested.connect(self.left)
        self.edit.textChanged.connect(self._changed)
        self.edit.long_text_pasted.connect(self._long_text_pasted)
        self.edit.files_pasted.connect(lambda _paths: self._say_no_files())
        self.edit.picture_pasted.connect(lambda _picture: self._say_no_files())
        self._guard = KeyGuard(theme, self._place_warning, self)
        self._guard.send_requested.connect(self._save)
        self._guard.left.connect(self.edit.setFocus)
        self._hint = QLabel()
        self._hint.setObjectName("queueEditHint")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        self.cancel_button = QPushButton()
        self.cancel_button.setObjectName("queueEditCancel")
        self.cancel_button.clicked.connect(self.left)
        self.save_button = QPushButton()
        self.save_button.setObjectName("queueEditSave")
        self.save_button.setProperty("role", "primary")
        self.save_button.clicked.connect(self._save)
        self._later = QTimer(self, singleShot=True, interval=SAVE_DELAY_MS)
        self._later.timeout.connect(self.write)
        row = QHBoxLayout()
        row.addWidget(self._hint, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.save_button)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(10, 6, 8, 8)
        self._rows.setSpacing(6)
        self._rows.addWidget(self.edit)
        self._rows.addLayout(row)
        self._retranslate()

    def begin(self, text: str, *, has_files: bool) -> None:
        """Let the user change this text."""
        composed = split(text)
        if not can_hold(composed.text):  # a monstrous line: it goes along as it is
            composed = Composed("", (composed.text, *composed.pasted))
        self._pasted, self._has_files = composed.pasted, has_files
        self._is_setting = True
        self.edit.set_text(composed.text)
        self._is_setting = False
        self._show_state()
        self.edit.setFocus()

    def write(self) -> None:
        """Pass on what stands there now, unless it holds what nobody may keep, or nothing."""
        self._later.stop()
        text = self._text
        if self._can_save and len(text) <= MOST_WATCHED:
            from desktop.core.keys_in_text import without_keys

            self.written.emit(without_keys(text))

    def focus_stops(self) -> list[QWidget]:
        return [*self._guard.focus_stops(), self.edit, self.cancel_button, self.save_button]

    @property
    def _text(self) -> str:
        return joined(Composed(self.edit.toPlainText().strip("\n").rstrip(), self._pasted))

    @property
    def _can_save(self) -> bool:
        return bool(self.edit.toPlainText().strip() or self._pasted or self._has_files)

    def _save(self) -> None:
        text = self._text
        if not self._can_save:
            return
        if byte_count(text) > MOST_BYTES:
            self._say(self.tr("This message is too long. Shorten it, or send it in parts."))
        elif not self._guard.holds_back(text):
            self._later.stop()
            self.saved.emit(text)

    def _changed(self) -> None:
        if not self._is_setting:
            self._show_state()
            self._guard.look(self._text)
            self._later.start()

    def _long_text_pasted(self, text: str) -> None:
        self._pasted = (*self._pasted, text)
        self._changed()

    def _say_no_files(self) -> None:
        self._say(self.tr("Files go with a new message: attach them below."))

    def _say(self, words: str) -> None:
        self._hint.setText(words)
        announce(self.edit, words, assertive=True)

    def _show_state(self) -> None:
        self._hint.setText(self.tr("%n pasted texts go along", "", len(self._pasted)) if self._pasted else "")
        set_enabled(self.save_button, self._can_save)

    def _place_warning(self, warning: QWidget) -> None:
        self._rows.insertWidget(0, warning)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self.edit.setAccessibleName(self.tr("Change the message that waits"))
        self.save_button.setText(self.tr("Save"))
        describe(self.save_button, self.tr("Save the change"), shortcut=keys_of("send"))
        self.cancel_button.setText(self.tr("Cancel"))
        describe(self.cancel_button, self.tr("Give up the change"), shortcut=keys_of("stop"))
        self._show_state()
