"""The keys of one action: pressed anew, taken from another action, taken away, or the usual ones again."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from desktop.core.shortcut_settings import MOST_KEYS
from desktop.ui.controls import announce, describe, set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, plain_label, set_plain
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.key_names import first_keys, native_text
from desktop.ui.keyboard.recorder import KeyRecorder
from desktop.ui.keyboard.rules import Refusal, owners, refusal, takes_enter
from desktop.ui.punctuation import sentences
from desktop.ui.shortcuts import Shortcut, sequences, translated, usual_sequences

WIDTH = 460


class KeysDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed. ``chosen`` carries all keys that the action is to have."""

    chosen = Signal(list)

    def __init__(self, parent: QWidget, shortcut: Shortcut) -> None:
        super().__init__(parent)
        self.setObjectName("keysDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._shortcut = shortcut
        self._pressed: list[QKeySequence] = []
        self._title = plain_label("", "heading")
        self._recorder = KeyRecorder(takes_enter=takes_enter(shortcut))
        self._words = plain_label("", "muted")
        self._words.setObjectName("keysWords")
        self._problem = plain_label("", "error")
        self._problem.setObjectName("keysProblem")
        self._beside = QCheckBox()
        self._beside.setObjectName("keysBeside")
        self._remove, self._usual = dialog_button("keysRemove"), dialog_button("keysUsual")
        self._cancel, self._take = dialog_button("keysCancel"), dialog_button("keysTake", "primary")
        self._arrange()
        self._recorder.recorded.connect(self._record)
        self._recorder.finished.connect(self._finish)
        self._beside.toggled.connect(lambda: self._recorder.setFocus())
        self._remove.clicked.connect(lambda: self._choose([]))
        self._usual.clicked.connect(lambda: self._propose(usual_sequences(shortcut.id)))
        self._cancel.clicked.connect(self.reject)
        self._take.clicked.connect(self._finish)
        self._retranslate()
        self.resize(min(WIDTH, max(320, parent.width() - 40)), 0)
        self._recorder.setFocus()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        others = QHBoxLayout()
        others.addWidget(self._remove)
        others.addWidget(self._usual)
        others.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        for widget in (self._title, self._words, self._recorder, self._problem, self._beside):
            layout.addWidget(widget)
        layout.addLayout(others)
        layout.addSpacing(8)
        layout.addWidget(ending(accept=self._take, cancel=self._cancel))

    def _record(self, keys: QKeyCombination) -> None:
        self._propose([QKeySequence(keys)])

    def _propose(self, keys: Sequence[QKeySequence]) -> None:
        self._pressed = list(keys)
        self._retranslate()
        problem = self._problem.text() or self._take.text()
        announce(self._recorder, sentences(self._recorder.text(), problem), assertive=bool(self._problem.text()))

    def _finish(self) -> None:
        """Take what was pressed, if it can be taken."""
        if self._pressed and not self._refused():
            kept = sequences(self._shortcut.id) if self._beside.isChecked() and self._beside.isEnabled() else []
            self._choose([*kept, *self._pressed])

    def _choose(self, keys: Sequence[QKeySequence]) -> None:
        self.chosen.emit(list(keys))
        self.accept()

    def _refused(self) -> str:
        """Why the pressed keys cannot be taken; empty where they can."""
        for keys in self._pressed:
            reason = refusal(self._shortcut, first_keys(keys))
            if reason is not None:
                return self._words_of(reason).replace("%1", native_text(keys))
            fixed = next((each for each in owners(self._shortcut, keys) if each.is_fixed), None)
            if fixed is not None:
                words = self.tr("%1 belongs to “%2”, which always has these keys.")
                return words.replace("%2", translated(fixed.name)).replace("%1", native_text(keys))
        return ""

    def _words_of(self, reason: Refusal) -> str:
        if reason is Refusal.LEADS:
            return self.tr("%1 leads through every window. Press it together with Ctrl, or use other keys.")
        if reason is Refusal.TYPES:
            return self.tr("%1 types or changes text. Press it together with Ctrl, or use a function key such as F8.")
        if reason is Refusal.EDITS:
            return self.tr("%1 is needed in text fields. Use other keys.")
        return self.tr("%1 belongs to the system, which may not let it through. Use other keys.")

    def _taken_from(self) -> str:
        """Which actions would lose the pressed keys, in words; empty where none has them."""
        for keys in self._pressed:
            owner = next(owners(self._shortcut, keys), None)
            if owner is not None:
                words = self.tr("%1 belongs to “%2”. Taken from there, it does this instead.")
                return words.replace("%2", translated(owner.name)).replace("%1", native_text(keys))
        return ""

    def _retranslate(self) -> None:
        name, has = translated(self._shortcut.name), sequences(self._shortcut.id)
        title = self.tr("Keys of “%1”").replace("%1", name)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        shown = ", ".join(map(native_text, has))
        now = self.tr("Now: %1").replace("%1", shown) if shown else self.tr("It has no keys now")
        set_plain(self._words, sentences(now, self.tr("Press the new keys.")))
        refused = self._refused()
        taken = "" if refused else self._taken_from()
        self._recorder.setText(", ".join(map(native_text, self._pressed)))
        self._recorder.setPlaceholderText(self.tr("Press the new keys"))
        self._recorder.setAccessibleName(self.tr("New keys"))
        set_plain(self._problem, refused or taken)
        self._problem.setVisible(bool(refused or taken))
        self._beside.setText(self.tr("Keep the keys that it has, too"))
        self._beside.setVisible(0 < len(has) < MOST_KEYS)
        take = self.tr("Take it from there") if taken else self.tr("Use these keys")
        usual = ", ".join(map(native_text, usual_sequences(self._shortcut.id)[:2]))
        for button, text in (
            (self._cancel, self.tr("Cancel")),
            (self._take, take),
            (self._remove, self.tr("No keys")),
            (self._usual, self.tr("Usual keys: %1").replace("%1", usual)),
        ):
            button.setText(text)
            describe(button, text, tooltip="")
        self._remove.setVisible(bool(has))
        self._usual.setVisible(bool(usual) and has != usual_sequences(self._shortcut.id))
        set_enabled(self._take, bool(self._pressed) and not refused)
