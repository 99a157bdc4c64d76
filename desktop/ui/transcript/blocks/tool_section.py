"""A text in a tool card: a label, buttons to copy it and to see all of it, and its beginning below."""

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop.ui.transcript.blocks.code_view import CodeView
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.context import BlockContext

MOST_LINES = 14
SHOWN_CHARACTERS = 20_000
LABEL, FRAME = 26, 10


class SectionText(NamedTuple):
    title: str
    text: str
    language: str = ""
    whole_length: int = 0
    """Of a text that was cut before it came here: how long it was."""
    is_prose: bool = False
    """Its lines are wrapped."""


class ToolSection:
    """Not a widget itself: the card places what belongs to it."""

    def __init__(self, context: BlockContext, card: QWidget) -> None:
        self._text = SectionText("", "")
        self._context = context
        self._label = QLabel(card)
        self._label.setProperty("role", "small")
        self._copy = CopyButton(context.theme, card, grows_left=True)
        self._copy.clicked.connect(lambda: context.actions.copy_requested.emit(self._text.text))
        self._all = QToolButton(card)
        self._all.setObjectName("tool-show-all")
        self._all.setProperty("role", "small")
        self._all.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._all.clicked.connect(lambda: context.actions.file_requested.emit(self._text.text, self._text.title))
        self._view = CodeView(context, card, most_lines=MOST_LINES)
        self._view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._widgets = (self._label, self._all, self._copy, self._view)
        for widget in self._widgets:
            widget.show()

    def show_text(self, text: SectionText) -> None:
        self._text = text
        self._label.setText(text.title)
        self._view.setAccessibleName(text.title)
        self._copy.set_name(QCoreApplication.translate("ToolCard", "Copy: {what}").format(what=text.title))
        self._all.setText(QCoreApplication.translate("ToolCard", "Show all"))
        self._all.setAccessibleName(QCoreApplication.translate("ToolCard", "Show all: {what}").format(what=text.title))
        self._all.setVisible(self._has_more)
        shown = text.text[:SHOWN_CHARACTERS]
        if more := max(len(text.text), text.whole_length) - len(shown):
            shown += "\n" + QCoreApplication.translate("ToolCard", "… and %Ln more characters", "", more)
        self._view.set_wrapped(text.is_prose)
        self._view.show_code(shown or "—", text.language)

    @property
    def _has_more(self) -> bool:
        """There is more of it here; of a text that was cut before, a line below has all."""
        return len(self._text.text) > SHOWN_CHARACTERS and not self._text.whole_length

    @property
    def view(self) -> CodeView:
        """Where the text stands."""
        return self._view

    def buttons(self) -> list[QWidget]:
        return [self._all, self._copy] if self._has_more else [self._copy]

    @property
    def _label_height(self) -> int:
        return max(self._context.look.sizes.px(LABEL), self._copy.sizeHint().height() + 2)

    def height_for(self, width: int) -> int:
        # Wrapped, the view is laid out as wide as it is placed, with its own frame inside.
        inner = width if self._text.is_prose else width - 2 * FRAME
        return self._label_height + self._view.height_for(inner) + FRAME

    def place(self, x: int, y: int, width: int) -> int:
        """Set the geometry; returns the height used."""
        label, right = self._label_height, x + width
        for button in (self._copy, self._all):
            if button is self._copy or self._has_more:
                wide = button.sizeHint().width()
                right -= wide
                button.setGeometry(right, y + 1, wide, label - 2)
        self._label.setGeometry(x + 2, y, right - x - 2, label)
        height = self.height_for(width)
        self._view.setGeometry(x, y + label, width, height - label)
        return height

    def restyle(self) -> None:
        self._copy.restyle()
        self._view.restyle()

    def drop(self) -> None:
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()


def language_of(text: str) -> str:
    """Return by what a text is coloured."""
    return "json" if text.lstrip()[:1] in ("{", "[") else ""
