"""Which of several answers this is, at the head of an answer: to the one before, to the next, and all side by side."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.ui.controls import describe, set_enabled
from desktop.ui.transcript.context import BlockContext

ICON = 14


class AnswerSwitch(QWidget):
    """Not there for an only answer. Its buttons are found again by ``focus_step`` after another answer was shown."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.message_id = message_id
        self.setObjectName("answer-switch")
        actions = context.actions
        self._before = self._button("answer-before", lambda: actions.answer_step_requested.emit(message_id, -1))
        self._after = self._button("answer-after", lambda: actions.answer_step_requested.emit(message_id, 1))
        self._beside = self._button("answers-beside", lambda: actions.comparison_requested.emit(message_id))
        self._label = QLabel(self)
        self._label.setObjectName("answer-number")
        self._label.setProperty("role", "small")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for widget in (self._before, self._label, self._after):
            layout.addWidget(widget)
        layout.addSpacing(4)
        layout.addWidget(self._beside)
        self.restyle()
        self.hide()

    def _button(self, name: str, act: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setProperty("role", "small")
        button.clicked.connect(act)
        button.installEventFilter(self._context.focus_filter)  # it may come later than the row
        return button

    def show_place(self, number: int, count: int) -> None:
        """Show answer ``number`` of ``count``."""
        self.setVisible(count > 1)
        self._label.setText(self.tr("%1 of %2").replace("%1", str(number)).replace("%2", str(count)))
        set_enabled(self._before, number > 1)
        set_enabled(self._after, number < count)
        describe(self._before, self.tr("Previous answer"))
        describe(self._after, self.tr("Next answer"))
        describe(self._beside, self.tr("Show the answers side by side"))
        self._beside.setText(" " + self.tr("Side by side"))

    def fit(self, room: int) -> int:
        """Take the words of the last button away where there is no ``room``; returns the width."""
        style = Qt.ToolButtonStyle
        self._beside.setToolButtonStyle(style.ToolButtonTextBesideIcon)
        if self._row.totalSizeHint().width() > room:
            self._beside.setToolButtonStyle(style.ToolButtonIconOnly)
        return self._row.totalSizeHint().width()

    def focus_step(self, step: int) -> None:
        """Put the focus on the button for this step, or on the other one where that does nothing any more."""
        wanted, other = (self._before, self._after) if step < 0 else (self._after, self._before)
        (wanted if wanted.isEnabled() else other).setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_widgets(self) -> list[QWidget]:
        return [] if self.isHidden() else [self._before, self._after, self._beside]

    def restyle(self) -> None:
        size = self._context.look.sizes.px(ICON)
        icons = ((self._before, "chevron-left"), (self._after, "chevron-right"), (self._beside, "columns-2"))
        for button, icon in icons:
            button.setIconSize(QSize(size, size))
            button.setIcon(self._context.theme.icon(icon, "muted", size))
