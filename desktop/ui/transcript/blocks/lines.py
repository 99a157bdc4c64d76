"""The small blocks around an answer: who speaks, its figures, and the offer to show all of it."""

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop.core.language_model import Usage
from desktop.ui.state.row_blocks import Block, FooterBlock, HeaderBlock, MoreBlock
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
    """The sparkles and the name of the model. It begins in the gutter, left of the text."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._icon = QLabel(self)
        self._name = QLabel(self)
        self._name.setObjectName("answer-author")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self.restyle()

    def set_block(self, block: Block) -> None:
        assert isinstance(block, HeaderBlock)
        self._name.setText(model_name(block.model) or self.tr("Assistant"))

    def height_for(self, width: int) -> int:
        return self.px(24)

    def restyle(self) -> None:
        size = min(self.px(18), GUTTER - 6)
        self._icon.setPixmap(self._context.theme.icon("sparkles", "accent", size).pixmap(QSize(size, size)))
        self._icon.setGeometry(0, (self.px(24) - size) // 2, size, size)
        self._name.setFont(self._context.look.strong_font)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._name.setGeometry(GUTTER, 0, self.width() - GUTTER, self.height())


class MessageFooter(Line):
    """Model, tokens and time of a finished answer, and Copy for its Markdown source."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setObjectName("answer-footer")
        self._label = QLabel(self)
        self._label.setObjectName("answer-figures")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setProperty("role", "small")
        self._copy = CopyButton(context.theme, self)
        self._copy.setObjectName("copy-answer")
        self._copy.clicked.connect(lambda: context.actions.message_copy_requested.emit(message_id))

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
        if block.created_at is not None:
            local = QDateTime.fromSecsSinceEpoch(int(block.created_at.timestamp()))
            figures.append(QLocale().toString(local.time(), QLocale.FormatType.ShortFormat))
            tips.append(QLocale().toString(local, QLocale.FormatType.LongFormat))
        self._label.setText(" · ".join(figures))
        self._label.setToolTip("\n".join(tips))
        self._copy.set_name(self.tr("Copy answer"))
        self._copy.setVisible(block.may_copy)
        self._place()

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
        return max(self.px(26), self._copy.sizeHint().height() + 2)

    def focus_widgets(self) -> list[QWidget]:
        return [self._copy] if self._copy.isVisibleTo(self) else []

    def restyle(self) -> None:
        self._copy.restyle()
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _place(self) -> None:
        button = self._copy.sizeHint().width()
        text = min(self._label.sizeHint().width() + 4, self.width() - button - 4)
        height = self.height_for(self.width())
        self._label.setGeometry(0, 0, text, height)
        self._copy.setGeometry(text + 4, 1, button, height - 2)


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
