"""Which of several messages stands in this place: to the one before, to the next, all answers side by side, the map."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.ui.controls import describe, set_enabled
from desktop.ui.transcript.context import BlockContext

ICON = 14


class AnswerSwitch(QWidget):
    """Not there for an only one. Its buttons are found again by ``focus_step`` after another one was shown.

    ``is_question``: it is about the versions of a message by the user, which do not stand side by side.
    """

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget, *, is_question: bool = False) -> None:
        super().__init__(parent)
        self._context = context
        self._is_question = is_question
        self.message_id = message_id
        kind = "question" if is_question else "answer"
        self.setObjectName(f"{kind}-switch")
        actions = context.actions
        self._before = self._button(f"{kind}-before", lambda: actions.step_requested.emit(message_id, -1))
        self._after = self._button(f"{kind}-after", lambda: actions.step_requested.emit(message_id, 1))
        self._beside = self._button("answers-beside", lambda: actions.comparison_requested.emit(message_id))
        self._map = self._button(f"{kind}-map", lambda: actions.map_requested.emit(message_id))
        self._label = QLabel(self)
        self._label.setObjectName(f"{kind}-number")
        self._label.setProperty("role", "small")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for widget in (self._before, self._label, self._after):
            layout.addWidget(widget)
        layout.addSpacing(4)
        if is_question:
            self._beside.hide()
        else:
            layout.addWidget(self._beside)
        layout.addWidget(self._map)
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
        """Show that it is ``number`` of ``count``."""
        self.setVisible(count > 1)
        self._label.setText(self.tr("%1 of %2").replace("%1", str(number)).replace("%2", str(count)))
        set_enabled(self._before, number > 1)
        set_enabled(self._after, number < count)
        if self._is_question:
            describe(self._before, self.tr("Previous version of this message"))
            describe(self._after, self.tr("Next version of this message"))
        else:
            describe(self._before, self.tr("Previous answer"))
            describe(self._after, self.tr("Next answer"))
        describe(self._beside, self.tr("Show the answers side by side"))
        describe(self._map, self.tr("Map of branches"))
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
        beside = [] if self._is_question else [self._beside]
        return [] if self.isHidden() else [self._before, self._after, *beside, self._map]

    def restyle(self) -> None:
        size = self._context.look.sizes.px(ICON)
        icons = (
            (self._before, "chevron-left"),
            (self._after, "chevron-right"),
            (self._beside, "columns-2"),
            (self._map, "git-fork"),
        )
        for button, icon in icons:
            button.setIconSize(QSize(size, size))
            button.setIcon(self._context.theme.icon(icon, "muted", size))
