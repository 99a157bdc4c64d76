"""A window with the summary of a chat's earlier part: to read, to edit, to pin sentences, and to have it made again."""

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.conversation.summaries import (
    MOST_OWN_CHARACTERS,
    MOST_PINNED,
    MOST_PINNED_CHARACTERS,
    Summary,
    clean_pinned,
)
from desktop.core.language_model import Usage
from desktop.ui.controls import describe
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.durations import cost_text
from desktop.ui.transcript.model_name import model_name

_PARAGRAPH = "\u2029"


class SummaryDialog(ReturningDialog):
    """Opened with ``show()``; deletes itself when closed.

    Signals:
        saved: carries the text, what is pinned, and whether the chat is to be sent with the summary.
        made_again: the summary is to be made anew.
    """

    saved = Signal(str, tuple, bool)
    made_again = Signal()

    def __init__(self, summary: Summary, theme: ThemeManager, parent: QWidget, *, is_off: bool) -> None:
        super().__init__(parent)
        self.setObjectName("summaryDialog")
        self.setWindowTitle(self.tr("Summary"))
        self.setAccessibleName(self.tr("Summary of the earlier part of this chat"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.px(680), theme.px(620))
        self._shown = readable(summary.whole)
        self._shown_pins = [readable(sentence) for sentence in summary.pinned]
        self._summary = summary
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        layout.addWidget(self._label(self.tr("Summary of the earlier part of this chat"), "title", "summaryTitle"))
        about = self.tr(
            "The model is sent this in place of the messages above. They stay on this computer as they were. What you change"
            " here is kept when later messages are added."
        )
        layout.addWidget(self._label(about, "muted", "summaryAbout"))
        self._text = self._edit("summaryText", self.tr("The summary"), self._shown)
        layout.addWidget(self._text, 3)
        layout.addWidget(self._figures(summary))
        pin_line = QHBoxLayout()
        pins = self._label(self.tr("Always sent word for word, one on each line:"), "", "summaryPinsLabel")
        pin_line.addWidget(pins, 1)
        self._pin = self._button("summaryPin", self.tr("Pin what is selected"))
        self._pin.setEnabled(False)
        self._pin.clicked.connect(self._pin_selection)
        pin_line.addWidget(self._pin)
        layout.addLayout(pin_line)
        self._pins = self._edit("summaryPins", self.tr("Sentences that are always sent"), "\n".join(self._shown_pins))
        pins.setBuddy(self._pins)
        layout.addWidget(self._pins, 1)
        self._problem = self._label("", "error", "summaryProblem")
        self._problem.hide()
        layout.addWidget(self._problem)
        self._used = QCheckBox(self.tr("Send this chat with its summary"))
        self._used.setObjectName("summaryUsed")
        describe(self._used, self._used.text())
        self._used.setChecked(not is_off)
        layout.addWidget(self._used)
        layout.addLayout(self._buttons())
        self._text.selectionChanged.connect(self._selection_changed)
        self._text.textChanged.connect(self._check)
        self._pins.textChanged.connect(self._check)
        self._text.setFocus()

    def show_changed(self) -> None:
        """Say that the summary is another meanwhile, so that nothing was stored; the user's words stay here."""
        self._tell(
            self.tr("The summary was changed meanwhile, so this was not saved. Copy what you need and open it again.")
        )

    def _figures(self, summary: Summary) -> QLabel:
        words = [self._date(summary.updated_at)]
        if summary.model:
            words.insert(0, model_name(summary.model))
        words += self._usage(summary.usage)
        if summary.cost is not None:
            words.append(cost_text(summary.cost))
        label = self._label(" · ".join(words), "small", "summaryFigures")
        label.setToolTip(self.tr("Who made it and when, and what that took"))
        return label

    def _usage(self, usage: Usage) -> list[str]:
        tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
        return [self.tr("%Ln tokens", "", tokens)] if tokens else []

    @staticmethod
    def _date(moment: datetime) -> str:
        local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
        return QLocale().toString(local, QLocale.FormatType.ShortFormat)

    def _label(self, text: str, role: str, name: str) -> QLabel:
        label = QLabel(text, self)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        if role:
            label.setProperty("role", role)
        return label

    def _edit(self, name: str, words: str, text: str) -> QPlainTextEdit:
        edit = QPlainTextEdit(text, self)
        edit.setObjectName(name)
        edit.setProperty("role", "field")
        edit.setTabChangesFocus(True)
        edit.setAccessibleName(words)
        edit.setMinimumHeight(60)
        return edit

    def _button(self, name: str, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setAutoDefault(False)
        return button

    def _buttons(self) -> QHBoxLayout:
        again = self._button("summaryAgain", self.tr("Make it again"))
        again.setToolTip(self.tr("Has the model read the messages again. Your changes above go, what is pinned stays."))
        again.clicked.connect(self._make_again)
        cancel = self._button("summaryCancel", self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self._save = self._button("summarySave", self.tr("Save"))
        self._save.setProperty("role", "primary")
        self._save.clicked.connect(self._accept)
        line = QHBoxLayout()
        line.addWidget(again)
        line.addStretch(1)
        line.addWidget(cancel)
        line.addWidget(self._save)
        return line

    def _selection_changed(self) -> None:
        self._pin.setEnabled(bool(self._text.textCursor().selectedText().strip()))

    def _pin_selection(self) -> None:
        chosen = " ".join(self._text.textCursor().selectedText().replace(_PARAGRAPH, " ").split())
        if chosen:
            lines = [line for line in self._pins.toPlainText().split("\n") if line.strip()]
            self._pins.setPlainText("\n".join(dict.fromkeys((*lines, chosen))))

    def _check(self) -> None:
        lines = [" ".join(line.split()) for line in self._pins.toPlainText().split("\n")]
        pins = [line for line in lines if line]
        if len(self._text.toPlainText()) > MOST_OWN_CHARACTERS:
            most = QLocale().toString(MOST_OWN_CHARACTERS)
            self._tell(self.tr("A summary may have %1 characters.").replace("%1", most))
        elif len(pins) > MOST_PINNED or any(len(line) > MOST_PINNED_CHARACTERS for line in pins):
            words = self.tr("%1 sentences of %2 characters can be pinned.")
            self._tell(
                words.replace("%1", QLocale().toString(MOST_PINNED)).replace(
                    "%2", QLocale().toString(MOST_PINNED_CHARACTERS)
                )
            )
        else:
            self._problem.hide()
            self._save.setEnabled(True)
            return
        self._save.setEnabled(False)

    def _tell(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.show()

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
