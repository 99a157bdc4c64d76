"""The quiet line below the last message that a summary stands for, or that is not sent any more."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QBoxLayout, QPushButton, QWidget

from desktop.conversation.summaries import SummaryProblem
from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.ui.punctuation import follow
from desktop.ui.state.row_blocks import Block, MarkBlock
from desktop.ui.state.window_mark import MarkKind, WindowMark
from desktop.ui.transcript.blocks.spinner import SPINNING
from desktop.ui.transcript.blocks.status_line import WordLine
from desktop.ui.transcript.context import BlockContext

LEAST_BESIDE = 360

_WORDS: Mapping[MarkKind, str] = {
    MarkKind.SUMMARY: QT_TRANSLATE_NOOP("SummaryLine", "Everything above is sent to the model as a summary."),
    MarkKind.OFF: QT_TRANSLATE_NOOP("SummaryLine", "There is a summary of what stands above. You switched it off."),
    MarkKind.STALE: QT_TRANSLATE_NOOP(
        "SummaryLine",
        "The summary of what stands above held something that was forgotten. It is made again after the next answer.",
    ),
    MarkKind.NOT_SENT: QT_TRANSLATE_NOOP("SummaryLine", "What stands above is not sent to the model any more."),
}
_PROBLEMS: Mapping[SummaryProblem, str] = {
    SummaryProblem.EMPTY: QT_TRANSLATE_NOOP("SummaryLine", "No summary could be made: the model wrote nothing."),
    SummaryProblem.TOO_LONG: QT_TRANSLATE_NOOP(
        "SummaryLine", "No summary could be made: what the model wrote was too long or cut off."
    ),
    SummaryProblem.FAILED: QT_TRANSLATE_NOOP("SummaryLine", "No summary could be made: asking the model failed."),
}


def mark_words(mark: WindowMark) -> str:
    """Return what the line says, in the language shown."""
    words = QCoreApplication.translate("SummaryLine", _WORDS[mark.kind])
    if mark.is_busy:
        return follow(words, QCoreApplication.translate("SummaryLine", "A summary is being made…"))
    if mark.problem is None or mark.is_off or mark.kind is MarkKind.SUMMARY:
        return words
    return follow(words, QCoreApplication.translate("SummaryLine", _PROBLEMS[mark.problem]))


class SummaryLine(WordLine):
    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, "summary", parent)
        self._layout.setAlignment(self._icon, Qt.AlignmentFlag.AlignTop)
        self._button = QPushButton(self)
        self._button.setObjectName("open-summary")
        self._button.setProperty("role", "link")
        self._button.clicked.connect(self._act)
        self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._words.setSpacing(8)
        self._layout.removeWidget(self._label)
        self._words.addWidget(self._label, 1)
        self._words.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._layout.addLayout(self._words, 1)
        self._mark = WindowMark(MarkKind.SUMMARY)

    def height_for(self, width: int) -> int:
        """The button stands below the words where these would be squeezed beside it."""
        direction, is_narrow = QBoxLayout.Direction, width < self.px(LEAST_BESIDE)
        self._words.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        return super().height_for(width)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, MarkBlock)
        mark = self._mark = block.mark
        is_sent = mark.kind in (MarkKind.SUMMARY, MarkKind.OFF)
        self._icon.show_icon(SPINNING if mark.is_busy else "scroll-text" if is_sent else "scissors")
        self._label.setText(mark_words(mark))
        if is_sent:
            text, name = self.tr("Read"), self.tr("Read the summary")
        elif mark.is_off:
            text, name = self.tr("Use summaries"), self.tr("Use summaries in this chat")
        else:
            text, name = self.tr("Make a summary"), self.tr("Make a summary of what stands above")
        self._button.setText(text)
        self._button.setAccessibleName(name)
        self._button.setVisible(is_sent or not mark.is_busy)

    def focus_widgets(self) -> list[QWidget]:
        return [self._button] if self._button.isVisibleTo(self) else []

    def _act(self) -> None:
        actions, mark = self._context.actions, self._mark
        if mark.kind in (MarkKind.SUMMARY, MarkKind.OFF):
            actions.summary_requested.emit()
        elif mark.is_off:
            actions.summaries_wanted.emit()
        else:
            actions.summary_wanted.emit()
