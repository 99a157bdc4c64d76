"""A window with the summary of a chat's earlier part: to read, to edit, to pin sentences, and to have it made again."""

from PySide6.QtCore import QDateTime, QEvent, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.conversation.summaries import (
    MOST_OWN_CHARACTERS,
    MOST_PINNED,
    MOST_PINNED_CHARACTERS,
    Summary,
    clean_pinned,
)
from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import dialog_button, ending, scrolled
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.plain_label import PlainLabel
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.durations import cost_text
from desktop.ui.transcript.model_name import model_name

_PARAGRAPH = "\u2029"
LEAST_LINES, LEAST_PINS, ROOM_AROUND = 5, 2, 22
"""Lines of either text that are in sight, however large they are: the window scrolls where it has no room for both."""


class _Field(QPlainTextEdit):
    """Asks for no more than its least height: what there is above that is shared out."""

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self.minimumHeight())


class SummaryDialog(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        saved: carries the text, what is pinned, and whether the chat is to be sent with the summary.
        made_again: the summary is to be made anew.
    """

    saved = Signal(str, tuple, bool)
    made_again = Signal()

    def __init__(self, summary: Summary, theme: ThemeManager, parent: QWidget, *, is_off: bool) -> None:
        super().__init__(parent)
        self.setObjectName("summaryDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(theme.px(680), theme.px(620))
        self._shown = readable(summary.whole)
        self._shown_pins = [readable(sentence) for sentence in summary.pinned]
        self._summary = summary
        self._came_too_late = False
        self._title = PlainLabel(role="title", object_name="summaryTitle")
        self._about = PlainLabel(role="muted", object_name="summaryAbout")
        self._text = self._edit("summaryText", self._shown, LEAST_LINES)
        self._figures = PlainLabel(role="small", object_name="summaryFigures")
        self._pins_label = PlainLabel(object_name="summaryPinsLabel")
        self._pin = dialog_button("summaryPin")
        self._pin.setEnabled(False)
        self._pins = self._edit("summaryPins", "\n".join(self._shown_pins), LEAST_PINS)
        self._pins_label.setBuddy(self._pins)
        self._problem = PlainLabel(role="error", object_name="summaryProblem")
        self._used = QCheckBox()
        self._used.setObjectName("summaryUsed")
        self._used.setChecked(not is_off)
        self._again, self._cancel = dialog_button("summaryAgain"), dialog_button("summaryCancel")
        self._save = dialog_button("summarySave", "primary")
        self._arrange()
        self._pin.clicked.connect(self._pin_selection)
        self._again.clicked.connect(self._make_again)
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self._accept)
        self._text.selectionChanged.connect(self._selection_changed)
        self._text.textChanged.connect(self._edited)
        self._pins.textChanged.connect(self._edited)
        self._retranslate()
        self._text.setFocus()

    def show_changed(self) -> None:
        """Say that the summary is another meanwhile, so that nothing was stored; the user's words stay here."""
        self._came_too_late = True
        self._judge()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        pin_line = QHBoxLayout()
        pin_line.addWidget(self._pins_label, 1)
        pin_line.addWidget(self._pin)
        content = QWidget()
        content.setProperty("role", "clear")
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(self._about)
        inner.addWidget(self._text, 3)
        inner.addWidget(self._figures)
        inner.addLayout(pin_line)
        inner.addWidget(self._pins, 1)
        inner.addWidget(self._problem)
        inner.addWidget(self._used)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(scrolled(content, "summaryArea"), 1)
        layout.addWidget(ending(accept=self._save, cancel=self._cancel, reset=self._again))

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Summary"))
        self.setAccessibleName(self.tr("Summary of the earlier part of this chat"))
        self._title.setText(self.accessibleName())
        self._about.setText(
            self.tr(
                "The model is sent this in place of the messages above. They stay on this computer as they were. What you"
                " change here is kept when later messages are added."
            )
        )
        self._text.setAccessibleName(self.tr("The summary"))
        self._figures.setText(self._figure_words())
        self._figures.setToolTip(self.tr("Who made it and when, and what that took"))
        self._pins_label.setText(self.tr("Always sent word for word, one on each line:"))
        self._pins.setAccessibleName(self.tr("Sentences that are always sent"))
        self._used.setText(self.tr("Send this chat with its summary"))
        describe(self._used, self._used.text())
        for button, words in (
            (self._pin, self.tr("Pin what is selected")),
            (self._again, self.tr("Make it again")),
            (self._cancel, self.tr("Cancel")),
            (self._save, self.tr("Save")),
        ):
            button.setText(words)
            button.setAccessibleName(words)
        self._again.setToolTip(
            self.tr("Has the model read the messages again. Your changes above go, what is pinned stays.")
        )
        self._judge()

    def _figure_words(self) -> str:
        summary = self._summary
        moment = QDateTime.fromSecsSinceEpoch(int(summary.updated_at.timestamp()))
        words = [model_name(summary.model)] if summary.model else []
        words.append(QLocale().toString(moment, QLocale.FormatType.ShortFormat))
        if tokens := (summary.usage.input_tokens or 0) + (summary.usage.output_tokens or 0):
            words.append(self.tr("%Ln tokens", "", tokens))
        if summary.cost is not None:
            words.append(cost_text(summary.cost))
        return " · ".join(words)

    def _edit(self, name: str, text: str, lines: int) -> QPlainTextEdit:
        edit = _Field(text)
        edit.setObjectName(name)
        edit.setProperty("role", "field")
        edit.setTabChangesFocus(True)
        edit.setMinimumHeight(lines * edit.fontMetrics().lineSpacing() + ROOM_AROUND)
        return edit

    def _selection_changed(self) -> None:
        self._pin.setEnabled(bool(self._text.textCursor().selectedText().strip()))

    def _pin_selection(self) -> None:
        chosen = " ".join(self._text.textCursor().selectedText().replace(_PARAGRAPH, " ").split())
        if chosen:
            lines = [line for line in self._pins.toPlainText().split("\n") if line.strip()]
            self._pins.setPlainText("\n".join(dict.fromkeys((*lines, chosen))))

    def _edited(self) -> None:
        self._came_too_late = False
        self._judge()

    def _judge(self) -> None:
        """Say what stands in the way of saving."""
        problem = self._problem_words()
        self._save.setEnabled(not problem)
        if self._came_too_late:
            problem = self.tr(
                "The summary was changed meanwhile, so this was not saved. Copy what you need and open it again."
            )
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    def _problem_words(self) -> str:
        number, text = QLocale().toString, self._text.toPlainText()
        pins = [line for each in self._pins.toPlainText().split("\n") if (line := " ".join(each.split()))]
        if len(text) > MOST_OWN_CHARACTERS and text != self._shown:
            return self.tr("A summary may have %1 characters.").replace("%1", number(MOST_OWN_CHARACTERS))
        if len(pins) > MOST_PINNED or any(len(line) > MOST_PINNED_CHARACTERS for line in pins):
            words = self.tr("%1 sentences of %2 characters can be pinned.")
            return words.replace("%1", number(MOST_PINNED)).replace("%2", number(MOST_PINNED_CHARACTERS))
        return ""

    def _accept(self) -> None:
        # What was made readable to be shown is stored as it was, unless somebody changed it.
        text, pins = self._text.toPlainText(), self._pins.toPlainText()
        if text == self._shown:
            text = self._summary.whole
        pinned = self._summary.pinned if pins.split("\n") == self._shown_pins else clean_pinned(pins.split("\n"))
        self.saved.emit(text, pinned, self._used.isChecked())

    def _make_again(self) -> None:
        self.made_again.emit()
        self.accept()
