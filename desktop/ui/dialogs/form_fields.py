"""The controls of a server's form: one row for each field, with its words, its input, and its problem under it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.tools.visible_text import reveal, spans_of_revealed
from desktop.ui.controls import set_property
from desktop.ui.dialogs.parts import plain_label, prose, set_plain
from desktop.ui.dialogs.tick_marks import CalmComboBox, RadioMark, TickBox
from desktop.ui.state.form_schema import FieldKind, FormField
from desktop.ui.state.form_state import Entry, initial_entry
from desktop.ui.text_field import TextField
from desktop.ui.theme.theme_manager import ThemeManager

RADIO_LIMIT = 6
"""Up to so many choices all stand open; more go into a list that opens."""
_LINE_LIMIT = 1_000_000


class FieldRow(QWidget):
    """One field. ``entry`` is what stands in its control; ``changed`` comes with every edit."""

    changed = Signal()

    def __init__(self, field: FormField, index: int, theme: ThemeManager) -> None:
        super().__init__()
        self.field = field
        self._index = index
        self._theme = theme
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._title = reveal(field.title or field.name, keep_newlines=False) or self.tr("(without a name)")
        self._read: Callable[[], Entry]
        if field.kind is FieldKind.BOOLEAN:
            self.control = self._add_tick()
        else:
            self._add_words()
            self.control = self._add_control()
        self._note = plain_label("", "warning")
        self._note.setObjectName(f"note_{index}")
        self._problem = plain_label("", "error")
        self._problem.setObjectName(f"problem_{index}")
        self._below = QWidget()
        below = QVBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(4)
        for label in (self._note, self._problem):
            label.hide()
            below.addWidget(label)
        self._layout.addWidget(self._below)
        self.changed.connect(self._show_note)
        self._show_note()

    @property
    def entry(self) -> Entry:
        return self._read()

    def keep_room(self, height: int) -> None:
        """Keep this room below the control free for a problem, so that nothing moves when there is one."""
        self._below.setMinimumHeight(height)

    def show_problem(self, words: str) -> None:
        """Show what is wrong under the control; empty when it is right."""
        set_plain(self._problem, words)
        self._problem.setVisible(bool(words))
        self.control.setAccessibleDescription(words)
        set_property(self.control, "invalid", bool(words))

    def focus_control(self) -> None:
        target = self.control
        if not isinstance(target, QAbstractButton | QLineEdit | QPlainTextEdit | QComboBox):
            target = target.findChild(QAbstractButton) or target
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_words(self) -> None:
        mark = " *" if self.field.required else ""
        title = plain_label(self._title + mark, "label")
        title.setAccessibleName(self._spoken())
        self._layout.addWidget(title)
        self._add_description()

    def _add_description(self) -> None:
        if self.field.description.strip():
            self._layout.addWidget(prose(self.field.description, self._theme, "muted"))

    def _spoken(self) -> str:
        return self.tr("{field}, required").format(field=self._title) if self.field.required else self._title

    def _name(self, control: QWidget) -> None:
        control.setObjectName(f"field_{self._index}")
        control.setAccessibleName(self._spoken())

    def _add_control(self) -> QWidget:
        match self.field.kind:
            case FieldKind.CHOICE if len(self.field.choices) <= RADIO_LIMIT:
                return self._add_options(RadioMark)
            case FieldKind.CHOICE:
                return self._add_list()
            case FieldKind.CHOICES:
                return self._add_options(TickBox)
            case _ if self.field.multiline:
                return self._add_text_box()
            case _:
                return self._add_line()

    def _add_line(self) -> QWidget:
        line = QLineEdit()
        self._name(line)
        line.setMaxLength(_LINE_LIMIT)
        line.setPlaceholderText(self._example())
        start = str(initial_entry(self.field))
        line.setText(start)
        line.setCursorPosition(0)
        line.textChanged.connect(self.changed)
        self._read = _unless_untouched(line.text, start)
        self._layout.addWidget(line)
        return line

    def _add_text_box(self) -> QWidget:
        box = TextField("")
        self._name(box)
        box.setPlaceholderText(self._example())
        box.setFixedHeight(box.fontMetrics().lineSpacing() * 4 + 24)
        start = str(initial_entry(self.field))
        box.setPlainText(start)
        box.textChanged.connect(self.changed)
        self._read = _unless_untouched(box.toPlainText, start)
        self._layout.addWidget(box)
        return box

    def _add_list(self) -> QWidget:
        box = CalmComboBox()
        self._name(box)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(12)
        box.setMaxVisibleItems(12)
        box.addItem(self.tr("Choose…") if self.field.required else self.tr("No answer"), None)
        for index, choice in enumerate(self.field.choices):
            box.addItem(_shown(choice.label), index)
        start = initial_entry(self.field)
        box.setCurrentIndex(start + 1 if isinstance(start, int) else 0)
        box.currentIndexChanged.connect(self.changed)
        self._read = box.currentData
        self._layout.addWidget(box)
        return box

    def _add_options(self, kind: type[RadioMark] | type[TickBox]) -> QWidget:
        frame = QWidget()
        self._name(frame)
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        group = QButtonGroup(frame)
        group.setExclusive(kind is RadioMark)
        start = initial_entry(self.field)
        chosen = start if isinstance(start, frozenset) else frozenset({start})
        for index, choice in enumerate(self.field.choices):
            button = kind()
            button.setObjectName(f"field_{self._index}_option_{index}")
            button.setChecked(index in chosen)
            group.addButton(button, index)
            layout.addWidget(OptionRow(button, _shown(choice.label)))
        if kind is RadioMark and not self.field.required:
            button = kind()
            button.setObjectName(f"field_{self._index}_no_answer")
            button.setChecked(start is None)
            group.addButton(button, len(self.field.choices))
            layout.addWidget(OptionRow(button, self.tr("No answer")))
        group.idToggled.connect(lambda _id, _checked: self.changed.emit())
        self._read = self._chosen_one(group) if kind is RadioMark else self._chosen_ones(group)
        self._layout.addWidget(frame)
        return frame

    def _chosen_one(self, group: QButtonGroup) -> Callable[[], Entry]:
        def read() -> Entry:
            index = group.checkedId()
            return index if 0 <= index < len(self.field.choices) else None

        return read

    def _chosen_ones(self, group: QButtonGroup) -> Callable[[], Entry]:
        return lambda: frozenset(group.id(button) for button in group.buttons() if button.isChecked())

    def _add_tick(self) -> QWidget:
        tick = TickBox()
        tick.setChecked(bool(initial_entry(self.field)))
        tick.toggled.connect(self.changed)
        self._layout.addWidget(OptionRow(tick, self._title, "label"))
        self._name(tick)
        self._add_description()
        self._read = tick.isChecked
        return tick

    def _example(self) -> str:
        field = self.field
        if field.kind in (FieldKind.NUMBER, FieldKind.INTEGER):
            least, most = field.minimum, field.maximum
            if least is not None and most is not None:
                return self.tr("{least} to {most}").format(least=least, most=most)
            if least is not None:
                return self.tr("{least} or more").format(least=least)
            return "" if most is None else self.tr("{most} or less").format(most=most)
        return {
            "email": self.tr("name@example.com"),
            "uri": "https://example.com/",
            "date": "2026-11-30",
            "date-time": "2026-11-30T18:00:00+08:00",
        }.get(field.format, "")

    def _show_note(self) -> None:
        """Say what an input line cannot show: a default or a pasted text with characters that have no shape."""
        entry = self.entry
        tokens = ""
        if isinstance(entry, str) and len(entry) <= _LINE_LIMIT:
            revealed = reveal(entry)
            found = (revealed[s.start : s.end] for s in spans_of_revealed(revealed) if s.is_token)
            tokens = " ".join(list(dict.fromkeys(t for t in found if not t.startswith("<SPACE") and t != "<LT>"))[:8])
        set_plain(self._note, self.tr("Contains characters that cannot be seen: {tokens}").format(tokens=tokens))
        self._note.setVisible(bool(tokens))


class OptionRow(QWidget):
    """A tick or radio button with a text that wraps; a click anywhere on the row counts."""

    def __init__(self, button: QAbstractButton, text: str, role: str = "") -> None:
        super().__init__()
        self._button = button
        self.setProperty("role", "option")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.setSpacing(8)
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(plain_label(text, role), 1)
        button.setAccessibleName(text)
        button.installEventFilter(self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self.rect().contains(event.position().toPoint()) and event.button() is Qt.MouseButton.LeftButton:
            self._button.setFocus(Qt.FocusReason.MouseFocusReason)
            self._button.click()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            set_property(self, "focused", event.type() is QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)


def _shown(label: str) -> str:
    return reveal(label, keep_newlines=False) or "–"


def _unless_untouched(read: Callable[[], str], start: str) -> Callable[[], Entry]:
    """Qt's inputs change some line breaks: a default that nobody edited goes back exactly as it came."""
    shown = read()
    return lambda: start if read() == shown else read()
