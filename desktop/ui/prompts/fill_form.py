"""The form in which the gaps of a prompt are filled in, with the text that comes of it below."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.template import Gap, KnownGap, filled, gaps_in
from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, scrolled, set_plain
from desktop.ui.dialogs.tick_marks import CalmComboBox
from desktop.ui.dialogs.writing_dialog import WritingDialog
from desktop.ui.prompts.gap_field import GapField
from desktop.ui.punctuation import labelled
from desktop.ui.screen_room import room_on_screen
from desktop.ui.state.readable import one_line, readable, shortened_lines

WIDTH, WIDTH_IN_LINES = 520, 26
"""In pixels, and with larger text in heights of a line: low screens have more room to the side."""
PREVIEW_LINES, LEAST_LINES, LITTLE_ROOM = 5, 2, 34
MOST_PREVIEW, LONGEST_LINE = 4_000, 1_000
_MOST_NAME = 200


class FillForm(WritingDialog):
    """Opened with ``open()``; deletes itself when closed. ``values`` are those of known gaps; date and time need no field.

    Signals:
        filled: the user is done; carries the text.
    """

    filled = Signal(str)

    def __init__(
        self, parent: QWidget, prompt: SavedPrompt, values: Mapping[KnownGap, str], *, accept_words: str = ""
    ) -> None:
        """``accept_words`` stand on the button, where the text is not inserted."""
        super().__init__(parent)
        self.setObjectName("fillForm")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._prompt, self._accept_words = prompt, accept_words
        gaps = gaps_in(prompt.text)
        self._given = {gap.name: values.get(gap.known, "") for gap in gaps if gap.known and needs_no_field(gap)}
        self._rows = [_GapRow(gap, values) for gap in gaps if not needs_no_field(gap)]
        self._title, self._words = plain_label("", "heading"), plain_label("", "muted")
        self._hint = plain_label("", "muted")
        self._preview_label = plain_label("", "label")
        self._preview = _Preview()
        self._cancel, self._done = dialog_button("fillCancel"), dialog_button("fillDone", "primary")
        self._done.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._done.clicked.connect(self._hand_over)
        self._arrange()
        self._connect()
        self._retranslate()
        self._show_text()
        self.ensurePolished()
        wanted = max(WIDTH, WIDTH_IN_LINES * self.fontMetrics().lineSpacing())
        self.resize(min(wanted, max(340, parent.width() - 60)), 0)
        self._rows[0].control.setFocus()

    @property
    def text(self) -> str:
        """The text of the prompt with what is filled in by now."""
        return filled(self._prompt.text, {**self._given, **{row.gap.name: row.value for row in self._rows}})

    def _connect(self) -> None:
        for number, row in enumerate(self._rows):
            row.changed.connect(self._show_text)
            following = self._rows[number + 1].control if number + 1 < len(self._rows) else None
            row.enter_pressed.connect(following.setFocus if following is not None else self._hand_over)

    def _arrange(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "clear")
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        for row in self._rows:
            rows.addWidget(row)
        rows.addStretch(1)
        self.area = scrolled(inside, "fillArea")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._words)
        layout.addSpacing(8)
        layout.addWidget(self.area, 1)
        layout.addWidget(self._hint)
        layout.addSpacing(6)
        layout.addWidget(self._preview_label)
        layout.addWidget(self._preview)
        layout.addSpacing(10)
        layout.addWidget(ending(accept=self._done, cancel=self._cancel))

    def _retranslate(self) -> None:
        name = one_line(self._prompt.name, _MOST_NAME)
        self.setWindowTitle(name)
        self.setAccessibleName(name)
        set_plain(self._title, name)
        set_plain(self._words, one_line(self._prompt.description, 2 * _MOST_NAME))
        self._words.setVisible(bool(self._prompt.description))
        set_plain(self._hint, self.tr("Enter goes on, Shift+Enter begins a new line."))
        self._hint.setVisible(any(isinstance(row.control, GapField) for row in self._rows))
        set_plain(self._preview_label, self.tr("Preview"))
        self._preview.setAccessibleName(self.tr("Preview"))
        name_button(self._cancel, self.tr("Cancel"))
        name_button(self._done, self._accept_words or self.tr("Insert"))
        for row in self._rows:
            row.retranslate()

    def _show_text(self) -> None:
        self._preview.show_text(self.text)

    def _hand_over(self) -> None:
        text = self.text
        self.accept()
        self.filled.emit(text)


def needs_no_field(gap: Gap) -> bool:
    """Tell whether a gap is filled in without being asked for."""
    return gap.known in (KnownGap.DATE, KnownGap.TIME)


class _GapRow(QWidget):
    """The name of a gap, and below it a field or a list of choices."""

    changed = Signal()
    enter_pressed = Signal()

    def __init__(self, gap: Gap, values: Mapping[KnownGap, str]) -> None:
        super().__init__()
        self.gap = gap
        self._label = plain_label("", "label")
        self._paste: QPushButton | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 2)
        layout.setSpacing(3)
        layout.addWidget(self._label)
        self.control: QComboBox | GapField
        if gap.choices:
            box = self.control = CalmComboBox()
            box.setObjectName(f"gap-{gap.name}")
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            for choice in gap.choices:
                box.addItem(one_line(choice, _MOST_NAME), choice)
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        else:
            field = self.control = GapField(f"gap-{gap.name}")
            known = gap.known
            field.setPlainText(values.get(known, "") if known is not None else gap.value)
            field.moveCursor(QTextCursor.MoveOperation.End)
            field.textChanged.connect(self.changed)
            field.enter_pressed.connect(self.enter_pressed)
        layout.addWidget(self.control)
        if gap.known is KnownGap.CLIPBOARD:
            self._paste = dialog_button(f"paste-{gap.name}")
            self._paste.clicked.connect(self._take_clipboard)
            layout.addWidget(self._paste, 0, Qt.AlignmentFlag.AlignLeft)
        self.retranslate()

    @property
    def value(self) -> str:
        if isinstance(self.control, QComboBox):
            return str(self.control.currentData())
        return self.control.toPlainText()

    def _take_clipboard(self) -> None:
        """Only now, when the user wants it there, is the clipboard read."""
        if isinstance(self.control, GapField):
            self.control.take(QGuiApplication.clipboard().text())
            self.control.setFocus()

    def retranslate(self) -> None:
        words = {
            KnownGap.CLIPBOARD: self.tr("Text from the clipboard"),
            KnownGap.SELECTION: self.tr("Selected text"),
        }
        name = one_line(self.gap.name, _MOST_NAME)
        if self.gap.known is not None:
            name = words.get(self.gap.known, name)
        set_plain(self._label, name)
        self.control.setAccessibleName(name)
        if self._paste is not None:
            text = self.tr("Paste the clipboard")
            self._paste.setText(text)
            describe(self._paste, labelled(name, text), tooltip="")


class _Preview(QPlainTextEdit):
    """The beginning of the text as it would stand in the message; what could deceive is made visible."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("fillPreview")
        self.setProperty("role", "quote")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Show this, and stay where it is scrolled to."""
        bar = self.verticalScrollBar()
        place = bar.value()
        cut = text if len(text) <= MOST_PREVIEW else f"{text[:MOST_PREVIEW]}…"
        self.setPlainText(readable(shortened_lines(cut, LONGEST_LINE)))
        bar.setValue(min(place, bar.maximum()))

    def sizeHint(self) -> QSize:  # noqa: N802
        spacing = self.fontMetrics().lineSpacing()
        has_room = room_on_screen(self).height() >= LITTLE_ROOM * spacing
        return QSize(super().sizeHint().width(), spacing * (PREVIEW_LINES if has_room else LEAST_LINES) + 20)
