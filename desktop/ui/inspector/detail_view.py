"""One piece of a request in full: plain text, page by page, with what was searched for marked."""

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QEvent, QLocale, Signal
from PySide6.QtGui import QColor, QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QTextEdit, QVBoxLayout, QWidget

from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import dialog_button, plain_label, set_plain
from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.text_dialog import page_starts

_LINE_CHARACTERS = 5_000
_MOST_MARKED = 200


class DetailView(QWidget):
    """Signals:
    place_requested: the message or memory that it comes from is to be shown.
    """

    place_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self._theme = theme
        self._text, self._searched = "", ""
        self._starts: list[int] = [0]
        self._page = 0
        self._title = plain_label("", "label")
        self._title.setObjectName("inspectorPieceTitle")
        self._view = QPlainTextEdit()
        self._view.setObjectName("inspectorPiece")
        self._view.setProperty("role", "code")
        self._view.setReadOnly(True)
        self._view.setTabChangesFocus(True)
        self._view.setUndoRedoEnabled(False)
        self._copy = CopyButton(theme, self)
        self._copy.setObjectName("inspectorCopyPiece")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        self._back = self._button("inspectorPageBack", lambda: self._turn(-1))
        self._next = self._button("inspectorPageNext", lambda: self._turn(1))
        self._place = QLabel()
        self._go = self._button("inspectorGoTo", self.place_requested.emit)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self._copy)
        for widget in (self._back, self._place, self._next):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        buttons.addWidget(self._go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._view, 1)
        layout.addLayout(buttons)
        for before, after in pairwise((self._view, self._copy, self._back, self._next, self._go)):
            self.setTabOrder(before, after)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def show_text(self, title: str, text: str, *, can_go: bool, searched: str = "") -> None:
        """Show all of a text from its first match on; ``can_go`` where there is a place that it comes from."""
        set_plain(self._title, title)
        self._view.setAccessibleName(title)
        self._text, self._searched = text, searched
        self._starts = page_starts(text)
        self._go.setVisible(can_go)
        found = text.casefold().find(searched.casefold()) if searched else -1
        self._page = sum(start <= found for start in self._starts) - 1 if found >= 0 else 0
        self._turn(0)

    def retranslate(self) -> None:
        self._copy.set_name(self.tr("Copy this text"))
        for button, words in (
            (self._back, self.tr("Back")),
            (self._next, self.tr("Next")),
            (self._go, self.tr("Go to where it comes from")),
        ):
            button.setText(words)
            describe(button, words, tooltip="")
        self._show_place()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _button(self, name: str, act: Callable[[], object]) -> QPushButton:
        button = dialog_button(name)
        button.clicked.connect(act)
        return button

    def _turn(self, step: int) -> None:
        self._page = min(max(self._page + step, 0), len(self._starts) - 1)
        ends = [*self._starts[1:], len(self._text)]
        page = self._text[self._starts[self._page] : ends[self._page]]
        self._view.setPlainText(shortened_lines(readable(page), _LINE_CHARACTERS))
        self._show_place()
        self._mark()

    def _show_place(self) -> None:
        is_long = len(self._starts) > 1
        for widget in (self._back, self._place, self._next):
            widget.setVisible(is_long)
        self._back.setEnabled(self._page > 0)
        self._next.setEnabled(self._page < len(self._starts) - 1)
        words = self.tr("Part %1 of %2").replace("%1", QLocale().toString(self._page + 1))
        self._place.setText(words.replace("%2", QLocale().toString(len(self._starts))))

    def _mark(self) -> None:
        """Mark what was searched for and bring the first of it into sight."""
        marks: list[QTextEdit.ExtraSelection] = []
        document = self._view.document()
        cursor = QTextCursor(document)
        style = QTextCharFormat()
        style.setBackground(QColor(self._theme.tokens.warning_background))
        style.setForeground(QColor(self._theme.tokens.warning))
        while self._searched and len(marks) < _MOST_MARKED:
            cursor = document.find(self._searched, cursor)
            if cursor.isNull():
                break
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, style
            marks.append(mark)
        self._view.setExtraSelections(marks)
        if marks:
            first = QTextCursor(marks[0].cursor)
            first.clearSelection()
            self._view.setTextCursor(first)
            self._view.ensureCursorVisible()

    def _restyle(self) -> None:
        self._view.setFont(self._theme.code_font())
        self._copy.restyle()
        self._mark()
