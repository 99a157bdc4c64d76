"""A card on the memory page: which session the open chat shares, how that is, and ways to read and to clear it."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QDateTime, QEvent, QLocale, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.memory.sessions import SessionEntry
from desktop.ui.controls import IconLabel, Words, describe, set_enabled, text_of
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.theme.theme_manager import ThemeManager

_LAST = 1e11
"""A moment that no clock shows; what comes later was written by somebody else."""


class SessionCard(QFrame):
    """Signals: ``read_requested`` and ``clear_requested``."""

    read_requested = Signal()
    clear_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("sessionCard")
        self._words: Words = ""
        self._title, self._text = plain_label(""), plain_label("", "muted")
        self._text.setObjectName("sessionCardState")
        self._read, self._clear = QPushButton(), QPushButton()
        self._read.setObjectName("readSession")
        self._clear.setObjectName("clearSession")
        words, buttons = QVBoxLayout(), QWidget()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._text)
        buttons.setLayout(Wrapping(self._read, self._clear))
        buttons.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 14, 8)
        row.setSpacing(10)
        row.addWidget(IconLabel(theme, "arrow-left-right", "muted", 18))
        row.addLayout(words, 1)
        row.addWidget(buttons)
        self._read.clicked.connect(self.read_requested)
        self._clear.clicked.connect(self.clear_requested)
        self._retranslate()

    def show_state(self, words: Words, *, can_read: bool) -> None:
        """Say how the sharing is; with ``can_read`` there is a session."""
        self._words = words
        set_enabled(self._read, can_read)
        set_enabled(self._clear, can_read)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        set_plain(self._title, self.tr("Shared session"))
        set_plain(self._text, text_of(self._words))
        self._read.setText(self.tr("Read…"))
        self._clear.setText(self.tr("Clear…"))
        describe(self._read, self.tr("Read the shared session"), tooltip="")
        describe(self._clear, self.tr("Clear the shared session"), tooltip="")


def as_text(entries: Sequence[SessionEntry], names: Mapping[str, str]) -> str:
    """Return the entries for reading, oldest first; ``names`` says who wrote them, by their roles."""
    return "\n\n".join(f"{names.get(each.role, each.role)}  {_time(each.ts)}\n{each.text}" for each in entries)


def _time(ts: float) -> str:
    if not 0 < ts < _LAST:
        return ""
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(ts)), QLocale.FormatType.ShortFormat)
