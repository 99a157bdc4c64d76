"""A window with a long text as plain text, page by page, for what is too long to be rendered or stands folded."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import Words, text_of
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.code_view import LINE_CHARACTERS
from desktop.ui.transcript.blocks.copy_button import CopyButton

PAGE_CHARACTERS = 100_000
"""As much as is put into the view at once; millions would hold the window up."""


class TextDialog(ReturningDialog):
    """Opened with ``show()``; deletes itself when closed. Copy gives the text as it is, uncut."""

    def __init__(self, text: str, theme: ThemeManager, title: Words, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("full-text")
        self._title = title
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 560)
        self._text = text
        self._starts = page_starts(text)
        self._page = 0
        self._view = QPlainTextEdit(self)
        self._view.setObjectName("full-text-view")
        self._view.setTabChangesFocus(True)
        self._view.setReadOnly(True)
        self._view.setUndoRedoEnabled(False)
        self._view.setFont(theme.code_font())
        self._copy = CopyButton(theme, self)
        self._copy.setObjectName("full-text-copy")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        self._back = self._button("full-text-back", lambda: self._turn(-1))
        self._next = self._button("full-text-next", lambda: self._turn(1))
        self._place = QLabel(self)
        self._place.setObjectName("full-text-place")
        self._close = self._button("full-text-close", self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        for widget in (self._back, self._place, self._next):
            buttons.addWidget(widget)
            widget.setVisible(len(self._starts) > 1)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.addWidget(self._view, 1)
        layout.addLayout(buttons)
        self._turn(0)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        title = text_of(self._title)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._view.setAccessibleName(title)
        self._copy.set_name(self.tr("Copy the whole text"))
        for button, words in (
            (self._back, self.tr("Back")),
            (self._next, self.tr("Next")),
            (self._close, self.tr("Close")),
        ):
            button.setText(words)
            button.setAccessibleName(words)
        self._say_place()

    def _button(self, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(act)
        return button

    def _turn(self, step: int) -> None:
        """Show another page of the text."""
        self._page = min(max(self._page + step, 0), len(self._starts) - 1)
        start = self._starts[self._page]
        ends = [*self._starts[1:], len(self._text)]
        page = self._text[start : ends[self._page]]
        self._view.setPlainText(shortened_lines(readable(page), LINE_CHARACTERS))
        self._back.setEnabled(self._page > 0)
        self._next.setEnabled(self._page < len(self._starts) - 1)
        self._say_place()

    def _say_place(self) -> None:
        words = self.tr("Part %1 of %2").replace("%1", QLocale().toString(self._page + 1))
        self._place.setText(words.replace("%2", QLocale().toString(len(self._starts))))


def page_starts(text: str) -> list[int]:
    """Return where the pages of a text begin: after a line break, where there is one near the end of a page."""
    starts = [0]
    while len(text) - starts[-1] > PAGE_CHARACTERS:
        end = starts[-1] + PAGE_CHARACTERS
        line = text.rfind("\n", end - PAGE_CHARACTERS // 10, end) + 1
        starts.append(line or end)
    return starts
