"""What stands in an empty thread: a greeting, a few examples to click, and who answers."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop.ui.controls import ElidedButton
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 520
"""At the usual font size."""


class ExampleButton(ElidedButton):
    frame = 32


class EmptyState(QWidget):
    """``example_requested`` carries the text of the example that was clicked."""

    example_requested = Signal(str)

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_scripted = False
        self._is_temporary = False
        self.setObjectName("empty-state")
        self._icon = QLabel(self)
        self._title = QLabel(self)
        self._title.setObjectName("greeting-title")
        self._hint = QLabel(self)
        self._hint.setObjectName("greeting-hint")
        self._hint.setProperty("role", "muted")
        self._scripted = QLabel(self)
        self._scripted.setObjectName("scripted-notice")
        self._scripted.setProperty("role", "muted")
        self._examples = [ExampleButton(self) for _ in range(4)]
        self._layout = layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        for label in (self._icon, self._title, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(label)
        self._title.setWordWrap(True)
        self._hint.setWordWrap(True)
        layout.addSpacing(14)
        for button in self._examples:
            button.setObjectName("example-prompt")
            button.clicked.connect(lambda _=False, b=button: self.example_requested.emit(b.full_text))
            layout.addWidget(button)
        self._scripted.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._scripted.setWordWrap(True)
        layout.addSpacing(8)
        layout.addWidget(self._scripted)
        self.restyle()
        self.retranslate()

    def set_scripted(self, is_scripted: bool) -> None:
        """Say that the built-in demo model answers, and offer what it has in its script; any other can do anything."""
        self._is_scripted = is_scripted
        self._scripted.setVisible(is_scripted and not self._is_temporary)
        for button, example in zip(
            self._examples, self._scripted_words() if is_scripted else self._words(), strict=True
        ):
            button.set_full_text(example)
            button.setToolTip(example)
            button.setAccessibleName(self.tr("Example: {text}").format(text=example))

    def set_temporary(self, is_temporary: bool) -> None:
        """Say what a temporary chat is, in place of the greeting and its examples."""
        self._is_temporary = is_temporary
        self.restyle()
        self.retranslate()

    def restyle(self) -> None:
        size = self._theme.px(36)
        name, colour = ("message-circle-dashed", "muted") if self._is_temporary else ("sparkles", "accent")
        self._icon.setPixmap(self._theme.icon(name, colour, size).pixmap(QSize(size, size)))
        title_font = strong(self._theme.ui_font())
        title_font.setPointSizeF(title_font.pointSizeF() * 1.7)
        self._title.setFont(title_font)

    def retranslate(self) -> None:
        if self._is_temporary:
            self._title.setText(self.tr("Temporary chat"))
            hint = self.tr(
                "It is told nothing of your other chats, and nothing of it is remembered. When you leave it, all of it is"
                " removed from this computer for good. What the model is sent is in the hands of whoever runs it."
            )
        else:
            self._title.setText(self.tr("What can I do for you?"))
            hint = self.tr("Your chats stay on this computer, except what is sent to the model.")
        self._hint.setText(hint)
        self._scripted.setText(
            self.tr("The demo model answers from a script: no key, no network. Choose a real model at the top.")
        )
        self.set_scripted(self._is_scripted)

    def _scripted_words(self) -> Sequence[str]:
        return (
            self.tr("What can you do with the tools you have?"),
            self.tr("What day is it, and how is the weather in Kyoto?"),
            self.tr("How much space is left on my disk?"),
            self.tr("Ask me something with a form"),
        )

    def _words(self) -> Sequence[str]:
        return (
            self.tr("What can you do with the tools you have?"),
            self.tr("Explain to me in simple words how a heat pump works"),
            self.tr("How much space is left on my disk?"),
            self.tr("Write a short, friendly message that declines an invitation"),
        )

    def fit(self, area: QWidget) -> None:
        """Centre in ``area``; where that is low, leave out what can be missed most easily."""
        width = min(self._theme.px(WIDTH), area.width() - 24)
        scripted = [self._scripted] if self._is_scripted else []
        can_be_missed = [self._icon, *self._examples[:1:-1], self._hint, *self._examples[1::-1], *scripted]
        if self._is_temporary:
            for part in (*self._examples, self._scripted):
                part.hide()
            can_be_missed = [self._icon, self._hint]
        for part in can_be_missed:
            part.show()
        for part in can_be_missed:
            self._layout.invalidate()
            if self._layout.heightForWidth(width) <= area.height():
                break
            part.hide()
        self._layout.invalidate()
        height = min(self._layout.heightForWidth(width), area.height())
        self.setGeometry((area.width() - width) // 2, max(0, (area.height() - height) * 2 // 5), width, height)
