"""The small blocks around an answer: who speaks, its figures, and the offer to show all of it."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from desktop.conversation.entities import RecallPart
from desktop.core.language_model import Usage
from desktop.memory.entities import Silence
from desktop.ui.controls import ElidedLabel, describe
from desktop.ui.state.row_blocks import Block, FooterBlock, HeaderBlock, MoreBlock, MoreRowsBlock
from desktop.ui.transcript.blocks.answer_switch import AnswerSwitch
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.blocks.durations import cost_text, duration_text
from desktop.ui.transcript.context import BlockContext, TextWidget
from desktop.ui.transcript.model_name import model_name
from desktop.ui.transcript.style import GUTTER


class Line(QWidget):
    """A line without selectable text."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context

    def px(self, length: int) -> int:
        return self._context.look.sizes.px(length)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        return []


class MessageHeader(Line):
    """The sparkles and the name of the model, and which of several answers this is. It begins in the gutter."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._icon = QLabel(self)
        self._name = ElidedLabel(self)
        self._name.setObjectName("answer-author")
        self._message_id = message_id
        self._switch: AnswerSwitch | None = None
        self.restyle()

    def set_block(self, block: Block) -> None:
        assert isinstance(block, HeaderBlock)
        self._name.set_full_text(model_name(block.model) or self.tr("Assistant"))
        if self._switch is None and block.count > 1:
            self._switch = AnswerSwitch(self._context, self._message_id, self)
        if self._switch is not None:
            self._switch.show_place(block.number, block.count)
        self._place()

    def height_for(self, width: int) -> int:
        return self.px(24)

    def focus_widgets(self) -> list[QWidget]:
        return [] if self._switch is None else self._switch.focus_widgets()

    def restyle(self) -> None:
        size = min(self.px(18), GUTTER - 6)
        self._icon.setPixmap(self._context.theme.icon("sparkles", "accent", size).pixmap(QSize(size, size)))
        self._icon.setGeometry(0, (self.px(24) - size) // 2, size, size)
        self._name.setFont(self._context.look.strong_font)
        if self._switch is not None:
            self._switch.restyle()
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _place(self) -> None:
        end = self.width()
        if self._switch is not None and not self._switch.isHidden():
            width = self._switch.fit(end - GUTTER - self._name.sizeHint().width() - 12)
            self._switch.setGeometry(end - width, 0, width, self.height())
            end -= width + 12
        self._name.setGeometry(GUTTER, 0, max(0, end - GUTTER), self.height())


class MessageFooter(Line):
    """Model, tokens and time of a finished answer, what it was told of earlier chats, Copy for its Markdown source, the
    ways to another answer, and to a chat that begins here.

    The buttons stand behind the figures; where there is no room for that, below them.
    """

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setObjectName("answer-footer")
        self._label = QLabel(self)
        self._label.setObjectName("answer-figures")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setProperty("role", "small")
        self._label.setWordWrap(True)
        self._recall: RecallPart | None = None
        self._created_at: datetime | None = None
        self._memories = QToolButton(self)
        self._memories.setObjectName("recalled-memories")
        self._memories.setProperty("role", "small")
        self._memories.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._memories.clicked.connect(
            lambda: context.actions.memories_requested.emit(self._recall, self._created_at, self._memories)
        )
        self._copy = CopyButton(context.theme, self)
        self._copy.setObjectName("copy-answer")
        self._copy.clicked.connect(lambda: context.actions.message_copy_requested.emit(message_id))
        self._copy.width_changed.connect(self._place)
        self._another = self._small(
            "ask-another-model", lambda: context.actions.another_model_requested.emit(message_id, self._another)
        )
        self._sent = self._small("what-was-sent", lambda: context.actions.sent_requested.emit(message_id))
        self._again = self._small("answer-again", lambda: context.actions.again_requested.emit(message_id))
        self._branch = self._small("branch-answer", lambda: context.actions.branch_requested.emit(message_id))
        self._show_icon()

    def _small(self, name: str, act: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setProperty("role", "small")
        button.clicked.connect(act)
        return button

    def set_block(self, block: Block) -> None:
        assert isinstance(block, FooterBlock)
        figures = [model_name(block.model)] if block.model else []
        tips: list[str] = []
        usage = block.usage
        if usage.output_tokens is not None:
            figures.append(self.tr("%Ln tokens", "", usage.output_tokens))
        tips.extend(self._usage_tips(usage))
        if block.cost is not None:
            figures.append(cost_text(block.cost))
            tips.append(self.tr("Cost at the prices that you entered for this model"))
        if block.seconds is not None and block.seconds >= 0.05:
            figures.append(duration_text(block.seconds))
            tips.append(self.tr("Time of work, without waiting for your answers"))
        self._created_at = block.created_at
        if block.created_at is not None:
            local = QDateTime.fromSecsSinceEpoch(int(block.created_at.timestamp()))
            figures.append(QLocale().toString(local.time(), QLocale.FormatType.ShortFormat))
            tips.append(QLocale().toString(local, QLocale.FormatType.LongFormat))
        tips.extend(self._show_recall(block.recall))
        self._label.setText(" · ".join(figures))
        self._label.setToolTip("\n".join(tips))
        self._copy.set_name(self.tr("Copy answer"))
        self._copy.setVisible(block.may_copy)
        self._another.setText(" " + self.tr("Ask another model"))
        describe(self._another, self.tr("Ask another model"))
        describe(self._again, self.tr("Answer again, by the same model"))
        describe(self._branch, self.tr("Go on from here in a new chat"))
        for button in (self._another, self._again, self._branch):
            button.setVisible(block.may_ask_another)
        tip = self.tr("What was sent to the model for this answer")
        describe(self._sent, self.tr("What was sent"), tooltip=tip)
        self._place()

    def _show_recall(self, recall: RecallPart | None) -> list[str]:
        """Offer what was recalled; return what is to be said in the tooltip where that was nothing."""
        self._recall = recall
        count = len(recall.found) + len(recall.standing) if recall is not None else 0
        self._memories.setVisible(count > 0)
        if count:
            words = self.tr("%Ln memories", "", count)
            self._memories.setText(f" {words}")
            tip = self.tr("What this answer was told of earlier chats, and why")
            describe(self._memories, words, tooltip=tip)
        if recall is None or recall.found:
            return []
        match recall.silence:
            case Silence.TOO_LATE:
                return [self.tr("No memories: looking for them took too long")]
            case Silence.OFF:
                return []
            case _:
                return [self.tr("No memories: nothing near enough to the message is known")]

    def _usage_tips(self, usage: Usage) -> list[str]:
        tips: list[str] = []
        if usage.input_tokens is not None:
            tips.append(self.tr("Read: %Ln tokens", "", usage.input_tokens))
        if usage.cached_input_tokens:
            tips.append(self.tr("of these %Ln had been read before", "", usage.cached_input_tokens))
        if usage.output_tokens is not None:
            tips.append(self.tr("Written: %Ln tokens", "", usage.output_tokens))
        if usage.thinking_tokens:
            tips.append(self.tr("of these %Ln for reasoning", "", usage.thinking_tokens))
        return tips

    def height_for(self, width: int) -> int:
        line = self._line_height
        if self._goes_below(width):
            return self._label.heightForWidth(width) + (line if self._buttons() else 0)
        return line

    def focus_widgets(self) -> list[QWidget]:
        return list(self._buttons())

    def restyle(self) -> None:
        self._copy.restyle()
        self._show_icon()
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _show_icon(self) -> None:
        size = self.px(14)
        icons = (
            (self._another, "git-compare"),
            (self._again, "refresh-cw"),
            (self._branch, "git-branch"),
            (self._sent, "scan-text"),
            (self._memories, "brain"),
        )
        for button, icon in icons:
            button.setIconSize(QSize(size, size))
            button.setIcon(self._context.theme.icon(icon, "muted", size))

    def _buttons(self) -> list[QToolButton]:
        buttons = (self._memories, self._copy, self._again, self._another, self._branch, self._sent)
        return [button for button in buttons if button.isVisibleTo(self)]

    @property
    def _line_height(self) -> int:
        return max(self.px(26), self._copy.sizeHint().height() + 2)

    @property
    def _words_width(self) -> int:
        self._label.ensurePolished()  # else it is measured in another size than it has
        return self._label.fontMetrics().horizontalAdvance(self._label.text()) + 6

    def _width_of_buttons(self, room: int) -> int:
        """What the buttons take; the second one goes without words where there is not so much ``room``."""
        style = Qt.ToolButtonStyle
        self._another.setToolButtonStyle(style.ToolButtonTextBesideIcon)
        width = sum(button.sizeHint().width() + 4 for button in self._buttons())
        if width > room:
            self._another.setToolButtonStyle(style.ToolButtonIconOnly)
            width = sum(button.sizeHint().width() + 4 for button in self._buttons())
        return width

    def _goes_below(self, width: int) -> bool:
        """Whether the buttons have no room behind the figures; they have their words as far as there is room for these."""
        room = width - self._words_width
        if self._width_of_buttons(room) <= room:
            return False
        self._width_of_buttons(width)
        return True

    def _place(self) -> None:
        line, x, y = self._line_height, self._words_width + 4, 0
        if self._goes_below(self.width()):
            y = self._label.heightForWidth(self.width())
            self._label.setGeometry(0, 0, self.width(), y)
            x = 0
        else:
            self._label.setGeometry(0, 0, self._words_width, line)
        for button in self._buttons():
            button.setGeometry(x, y + 1, button.sizeHint().width(), line - 2)
            x += button.width() + 4


class ButtonLine(Line):
    """A line that is one quiet button. A subclass says where it stands."""

    def __init__(self, context: BlockContext, object_name: str, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._button = QPushButton(self)
        self._button.setObjectName(object_name)
        self._button.setProperty("role", "link")

    def focus_widgets(self) -> list[QWidget]:
        return [self._button]

    def restyle(self) -> None:
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _set_text(self, text: str) -> None:
        self._button.setText(text)
        self._button.setAccessibleName(text)
        self._place()

    def _place(self) -> None:
        raise NotImplementedError


class MoreButton(ButtonLine):
    """Offers the whole text where it is too long to be rendered."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, "show-all-text", parent)
        self._button.clicked.connect(lambda: context.actions.full_text_requested.emit(message_id))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, MoreBlock)
        hidden = QLocale().toString(block.hidden)
        self._set_text(self.tr("Show all as text ({count} more characters)").format(count=hidden))

    def height_for(self, width: int) -> int:
        return self.px(32)

    def _place(self) -> None:
        self._button.setGeometry(0, 2, min(self.width(), self._button.sizeHint().width()), self.px(32) - 4)


class MoreRows(ButtonLine):
    """Says how many rows of a table are not drawn, and shows the whole of it as text."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, "show-all-rows", parent)
        self._source = ""
        self._button.clicked.connect(lambda: context.actions.file_requested.emit(self._source, self.tr("Whole table")))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, MoreRowsBlock)
        self._source = block.source
        self._set_text(self.tr("… and %Ln more rows. Show the whole table", "", block.rows))

    def height_for(self, width: int) -> int:
        return self.px(32)

    def _place(self) -> None:
        self._button.setGeometry(0, 2, min(self.width(), self._button.sizeHint().width()), self.px(32) - 4)
