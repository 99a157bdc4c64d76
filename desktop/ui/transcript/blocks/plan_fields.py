"""The steps of a plan while the user may change them: a field for each, moved, removed and added by mouse or keys."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextDocument
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop.conversation.plans import MOST_STEP_CHARACTERS, MOST_STEPS, steps_from
from desktop.ui.controls import announce, describe, prepare_icon_button, set_enabled
from desktop.ui.state.readable import readable
from desktop.ui.text_field import TextField
from desktop.ui.transcript.context import BlockContext

SAVE_MS = 400
"""After a pause this long, what was typed goes to disk."""
NARROW = 360
"""Below this width only the keys move a step."""


class StepEdit(TextField):
    """The text of a step, all of it in sight: as high as it needs to be."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__("plan-step-edit")
        self.setParent(parent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setPlainText(text)
        self.textChanged.connect(self._keep_short)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """A step is one line, whatever is pasted."""
        one_line = QMimeData()
        one_line.setText(" ".join(source.text().split()))
        super().insertFromMimeData(one_line)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        self.ensurePolished()
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_ShapedFrameContents, option, self)
        around = option.rect.size() - inside.size()  # type: ignore[attr-defined]
        document = QTextDocument()
        document.setDefaultFont(self.font())
        document.setDocumentMargin(self.document().documentMargin())
        document.setPlainText(self.toPlainText() or " ")
        document.setTextWidth(max(40, width - around.width()))
        return int(document.size().height() + 0.999) + around.height()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(80, self.fontMetrics().lineSpacing())

    def _keep_short(self) -> None:
        if self.document().characterCount() - 1 <= MOST_STEP_CHARACTERS:
            return
        cursor = self.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.setPosition(MOST_STEP_CHARACTERS, cursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        words = self.tr("A step has at most %1 characters").replace("%1", self.locale().toString(MOST_STEP_CHARACTERS))
        QToolTip.showText(self.mapToGlobal(QPoint(8, 8)), words, self)
        announce(self, words)


class PlanField(QWidget):
    """One step. ``moved`` carries -1 or 1; ``below`` asks for another step after it."""

    changed = Signal()
    moved = Signal(int)
    removed = Signal()
    below = Signal()
    approved = Signal()

    def __init__(self, context: BlockContext, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._number = QLabel(self)
        self._number.setProperty("role", "muted")
        self.edit = StepEdit(text, self)
        self.edit.textChanged.connect(self.changed)
        self.edit.installEventFilter(self)
        self._up, self._down, self._remove = QToolButton(self), QToolButton(self), QToolButton(self)
        for button, name, icon in (
            (self._up, "plan-step-up", "arrow-up"),
            (self._down, "plan-step-down", "arrow-down"),
            (self._remove, "plan-step-remove", "x"),
        ):
            prepare_icon_button(button, context.theme, name, icon)
        self._up.clicked.connect(lambda: self.moved.emit(-1))
        self._down.clicked.connect(lambda: self.moved.emit(1))
        self._remove.clicked.connect(self.removed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._number)
        row.addWidget(self.edit, 1)
        for button in (self._up, self._down, self._remove):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)

    @property
    def controls(self) -> list[QWidget]:
        return [self.edit, self._up, self._down, self._remove]

    def show_place(self, number: int, *, is_first: bool, is_last: bool) -> None:
        """Name the step by its ``number`` in the plan."""
        text = self.locale().toString(number)
        self._number.setText(self.tr("%1.").replace("%1", text))
        self._number.setMinimumWidth(self._number.fontMetrics().horizontalAdvance("12. "))
        keys = self.tr("Enter adds a step below, Alt+Up and Alt+Down move this one")
        describe(self.edit, self.tr("Step %1").replace("%1", text), tooltip=keys)
        self.edit.setAccessibleDescription(keys)
        describe(self._up, self.tr("Move step %1 up").replace("%1", text))
        describe(self._down, self.tr("Move step %1 down").replace("%1", text))
        describe(self._remove, self.tr("Remove step %1").replace("%1", text))
        set_enabled(self._up, not is_first)
        set_enabled(self._down, not is_last)

    def set_narrow(self, is_narrow: bool) -> None:
        """Leave the room of two buttons to the text."""
        for button in (self._up, self._down):
            button.setVisible(not is_narrow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and self._meant(event) is not None:
            event.accept()  # else the window would act on it
            return True
        if event.type() != QEvent.Type.KeyPress or (act := self._meant(event)) is None:
            return False
        act()
        return True

    def _meant(self, event: QKeyEvent) -> Callable[[], None] | None:
        """What a key does here that it does in no other field."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.approved.emit if modifiers == Qt.KeyboardModifier.ControlModifier else self.below.emit
        if modifiers == Qt.KeyboardModifier.AltModifier and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return partial(self.moved.emit, -1 if event.key() == Qt.Key.Key_Up else 1)
        if event.key() == Qt.Key.Key_Backspace and not self.edit.toPlainText():
            return self.removed.emit
        return None


def activate(layout: QLayout | None) -> None:
    """Have a layout measured anew now: those around it keep what they know of it until the next round of events."""
    if layout is not None:
        layout.invalidate()
        layout.activate()


class PlanFields(QWidget):
    """All of them. ``edited`` comes after a pause with the texts, ``resized`` when there are more or fewer."""

    edited = Signal(object)
    resized = Signal()
    approved = Signal()

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._first = 1
        self._given: tuple[str, ...] = ()
        self._told: list[tuple[str, ...]] = []
        """What was told, in the form in which it comes back, perhaps when there is more by now."""
        self._fields: list[PlanField] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._save = QTimer(self, singleShot=True, interval=SAVE_MS)
        self._save.timeout.connect(self.flush)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(field.edit.toPlainText() for field in self._fields)

    @property
    def controls(self) -> list[QWidget]:
        return [control for field in self._fields for control in field.controls]

    @property
    def may_add(self) -> bool:
        return self._first - 1 + len(self._fields) < MOST_STEPS

    def show_steps(self, texts: Sequence[str], *, first: int) -> None:
        """Show steps numbered from ``first`` on; what the user has made of these very ones stays."""
        given = tuple(map(readable, texts))
        if given not in (self._given, *self._told):
            for field in self._fields:
                self._drop(field)
            self._fields = []
            for text in given:
                self._insert(len(self._fields), text)
        self._given, self._first = given, first
        self._number()

    def fit(self, width: int) -> None:
        """Be in order for a card of this width, before its height is measured."""
        for field in self._fields:
            field.set_narrow(width < self._context.look.sizes.px(NARROW))
            field.edit.updateGeometry()
            activate(field.layout())
        activate(self._column)

    def add(self) -> None:
        """Add an empty step at the end, and go to it."""
        self._add_at(len(self._fields))

    def flush(self) -> None:
        """Tell what was changed now."""
        self._save.stop()
        self._told.append(tuple(map(readable, steps_from(self.texts))))
        self.edited.emit(self.texts)

    def stop(self) -> None:
        """Tell nothing any more: the question is answered."""
        self._save.stop()

    def _add_at(self, place: int) -> None:
        if self.may_add:
            field = self._insert(place, "")
            self._number()
            self._changed()
            field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _insert(self, place: int, text: str) -> PlanField:
        field = PlanField(self._context, text, self)
        field.changed.connect(self._changed)
        field.moved.connect(lambda by: self._move(field, by))
        field.removed.connect(lambda: self._remove(field))
        field.below.connect(lambda: self._add_at(self._fields.index(field) + 1))
        field.approved.connect(self.approved)
        for control in field.controls:
            control.installEventFilter(self._context.focus_filter)
        self._fields.insert(place, field)
        self._column.insertWidget(place, field)
        field.show()
        return field

    def _move(self, field: PlanField, by: int) -> None:
        place = self._fields.index(field)
        if 0 <= place + by < len(self._fields):
            self._fields.insert(place + by, self._fields.pop(place))
            self._column.removeWidget(field)
            self._column.insertWidget(place + by, field)
            self._number()
            self._changed()
            field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remove(self, field: PlanField) -> None:
        if len(self._fields) == 1:
            return
        place = self._fields.index(field)
        self._fields.remove(field)
        self._drop(field)
        self._number()
        self._changed()
        self._fields[max(0, place - 1)].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop(self, field: PlanField) -> None:
        self._column.removeWidget(field)
        field.hide()
        field.deleteLater()

    def _changed(self) -> None:
        self._save.start()
        self.resized.emit()

    def _number(self) -> None:
        last = len(self._fields) - 1
        for place, field in enumerate(self._fields):
            field.show_place(self._first + place, is_first=place == 0, is_last=place == last)
