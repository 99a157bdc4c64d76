"""A sample of the look: a message, a line of an answer and a line of code, as they would be in a chat."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.theme.theme_manager import ThemeManager

CODE = 'greeting = "Hello, 你好"  # 3 != 4'
BUBBLE_PADDING = 32


class LookSample(QFrame):
    """Follows the theme, the sizes and the language by itself."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lookSample")
        self._theme = theme
        self._bubble = _line("sampleBubble")
        self._answer = _line("sampleAnswer")
        self._code = _line("sampleCode")
        self._code.setWordWrap(False)
        self._code.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._code.setText(CODE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 16)
        layout.setSpacing(10)
        bubble = QHBoxLayout()
        bubble.addStretch(1)
        bubble.addWidget(self._bubble, 1000)
        layout.addLayout(bubble)
        layout.addWidget(self._answer)
        layout.addWidget(self._code)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        elif event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_bubble()

    def _restyle(self) -> None:
        self._code.setFont(self._theme.code_font())
        self._fit_bubble()

    def _fit_bubble(self) -> None:
        """As wide as its text where there is room, so that the text breaks into lines only where there is none."""
        width = self._bubble.fontMetrics().horizontalAdvance(self._bubble.text())
        self._bubble.setMaximumWidth(width + BUBBLE_PADDING)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Preview"))
        self._bubble.setText(self.tr("How do I greet someone in two languages?"))
        self._fit_bubble()
        self._answer.setText(self.tr("One line of Python is enough; answers look like this in a chat."))


def _line(object_name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(object_name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
