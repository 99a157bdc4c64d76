"""What an answer waits for or how it ended, with a way to go on, and what is to be said about how it was made."""

import math
import time
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from desktop.core.error_text import QT_TRANSLATE_NOOP, within
from desktop.core.language_model import Waiting
from desktop.core.remark_texts import REMARK_TEXTS
from desktop.ui.error_words import detail_in_language
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, RemarkBlock, StatusBlock, StatusKind
from desktop.ui.transcript.blocks.durations import duration_text
from desktop.ui.transcript.blocks.lines import Line
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon
from desktop.ui.transcript.context import BlockContext

_STATUS: Mapping[StatusKind, tuple[str, str]] = {
    StatusKind.WORKING: (SPINNING, QT_TRANSLATE_NOOP("StatusLine", "Working…")),
    StatusKind.STARTING_TOOLS: (SPINNING, QT_TRANSLATE_NOOP("StatusLine", "Starting the tools…")),
    StatusKind.STOPPED: ("circle-stop", QT_TRANSLATE_NOOP("StatusLine", "You stopped this answer.")),
    StatusKind.INTERRUPTED: (
        "unplug",
        QT_TRANSLATE_NOOP("StatusLine", "This answer was interrupted when the program ended."),
    ),
    StatusKind.FAILED: ("circle-alert", QT_TRANSLATE_NOOP("StatusLine", "This answer failed.")),
    StatusKind.STEP_LIMIT: (
        "info",
        QT_TRANSLATE_NOOP("StatusLine", "The limit of steps for one answer was reached."),
    ),
    StatusKind.LENGTH: (
        "info",
        QT_TRANSLATE_NOOP("StatusLine", "The answer was cut off: the model's length limit was reached."),
    ),
    StatusKind.CONTENT_FILTER: (
        "info",
        QT_TRANSLATE_NOOP("StatusLine", "The provider's content filter ended this answer."),
    ),
    StatusKind.REFUSAL: ("info", QT_TRANSLATE_NOOP("StatusLine", "The model declined to answer.")),
    StatusKind.EMPTY: ("info", QT_TRANSLATE_NOOP("StatusLine", "The model gave no answer.")),
}

_WAITING: Mapping[str, str] = {
    "model_loading": QT_TRANSLATE_NOOP("StatusLine", "The model is being loaded…"),
    "prompt_reading": QT_TRANSLATE_NOOP("StatusLine", "The model is reading the chat…"),
    "rate_limited": QT_TRANSLATE_NOOP("StatusLine", "Too many requests for now. Trying again…"),
    "overloaded": QT_TRANSLATE_NOOP("StatusLine", "The provider is overloaded. Trying again…"),
    "reconnecting": QT_TRANSLATE_NOOP("StatusLine", "The connection broke. Trying again…"),
}
_COUNTDOWNS: Mapping[str, str] = {
    "rate_limited": QT_TRANSLATE_NOOP("StatusLine", "Too many requests for now. Trying again in {time}…"),
    "overloaded": QT_TRANSLATE_NOOP("StatusLine", "The provider is overloaded. Trying again in {time}…"),
    "reconnecting": QT_TRANSLATE_NOOP("StatusLine", "The connection broke. Trying again in {time}…"),
}


class WordLine(Line):
    """An icon and words that wrap, and a quiet button after them where there is something to do."""

    def __init__(self, context: BlockContext, name: str, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setObjectName(f"{name}-line")
        self._icon = StateIcon(context.theme, 16, self)
        self._label = QLabel(self)
        self._label.setObjectName(f"{name}-text")
        self._label.setProperty("role", "muted")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 2, 0, 2)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        self._layout.addWidget(self._label, 1)
        self.restyle()

    def height_for(self, width: int) -> int:
        self._layout.activate()
        return max(self.px(24), self._layout.totalHeightForWidth(width))

    def restyle(self) -> None:
        self._icon.setFixedSize(self.px(16), self.px(20))
        self._icon.update()


class StatusLine(WordLine):
    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, "status", parent)
        self._waiting: Waiting | None = None
        self._until = 0.0
        self._countdown = QTimer(self, interval=1000)
        self._countdown.timeout.connect(self._show_waiting)
        self._button = QPushButton(self)
        self._button.setObjectName("continue-answer")
        self._button.setProperty("role", "link")
        self._button.clicked.connect(context.actions.continue_requested)
        self._layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignVCenter)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, StatusBlock)
        icon, words = _STATUS[block.kind]
        self._icon.show_icon(icon)
        self._button.setText(self.tr("Continue"))
        self._button.setAccessibleName(self.tr("Continue this answer"))
        self._button.setVisible(block.may_continue)
        waiting = block.waiting
        if waiting is None:
            self._waiting = None
            self._countdown.stop()
            self._label.setText(QCoreApplication.translate("StatusLine", words))
            return
        if waiting is not self._waiting:
            self._waiting = waiting
            self._until = time.monotonic() + (waiting.seconds or 0.0)
        if waiting.code in _COUNTDOWNS and waiting.seconds:
            self._countdown.start()
        else:
            self._countdown.stop()
        self._show_waiting()

    def focus_widgets(self) -> list[QWidget]:
        return [self._button] if self._button.isVisibleTo(self) else []

    def _show_waiting(self) -> None:
        assert self._waiting is not None
        left = math.ceil(self._until - time.monotonic())
        if left > 0 and (words := _COUNTDOWNS.get(self._waiting.code)):
            text = QCoreApplication.translate("StatusLine", words).format(time=duration_text(left))
        else:
            self._countdown.stop()
            words = _WAITING.get(self._waiting.code, _STATUS[StatusKind.WORKING][1])
            text = QCoreApplication.translate("StatusLine", words)
        self._label.setText(text)


class RemarkLine(WordLine):
    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, "remark", parent)
        self._layout.setAlignment(self._icon, Qt.AlignmentFlag.AlignTop)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, RemarkBlock)
        self._icon.show_icon("info")
        self._label.setText(remark_words(block.item.code, block.item.params))


def remark_words(code: str, params: Mapping[str, str | int | float]) -> str:
    """Return the sentence of a remark in the language shown; what endpoints said in it is made readable."""
    words = QCoreApplication.translate("remarks", REMARK_TEXTS.get(code, code))
    shown = {name: readable(value) if isinstance(value, str) else value for name, value in params.items()}
    if isinstance(detail := shown.get("detail"), str):
        shown["detail"] = detail_in_language(detail)
    try:
        return words.format_map(within(words, shown))
    except (KeyError, ValueError, IndexError):
        return words
