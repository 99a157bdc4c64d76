"""Below an answer: that something was remembered of the message; unfolded, what, with a way to take it back or change it."""

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop.ui.controls import describe
from desktop.ui.punctuation import labelled
from desktop.ui.state.row_blocks import Block, RememberedBlock, RememberedItemBlock
from desktop.ui.transcript.blocks.fold_header import FoldHeaderText, FoldLine
from desktop.ui.transcript.blocks.lines import Line
from desktop.ui.transcript.context import BlockContext

INDENT = 24
GAP = 4


class RememberedFold(FoldLine):
    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, message_id, "remembered", parent)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, RememberedBlock)
        waits = block.waiting == block.count
        title = self.tr("%Ln memories wait for your look", "", block.count) if waits else self.tr("Memory updated")
        hint = "" if waits or block.count < 2 else self.tr("%Ln changes", "", block.count)
        text = FoldHeaderText(icon="inbox" if waits else "bookmark", icon_colour="muted", title=title, hint=hint)
        self.show_line(block.key, text, is_unfolded=block.is_unfolded)


class RememberedItem(Line):
    """One memory: its text, what it took the place of, and two buttons, which go below where there is no room beside it."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setObjectName("remembered-item")
        self._actions = context.actions
        self._item_id, self._waits = "", False
        self._text, self._words = QLabel(self), QLabel(self)
        self._words.setProperty("role", "small")
        self._text.setObjectName("remembered-text")
        self._words.setObjectName("remembered-words")
        for label in (self._text, self._words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._undo, self._edit = QPushButton(self), QPushButton(self)
        for button, name in ((self._undo, "remembered-undo"), (self._edit, "remembered-edit")):
            button.setObjectName(name)
            button.setProperty("role", "link")
        self._undo.clicked.connect(lambda: context.actions.memory_undo_requested.emit(self._item_id))
        self._edit.clicked.connect(lambda: self._second_requested().emit(self._item_id))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, RememberedItemBlock)
        line = block.line
        self._item_id, self._waits = line.item_id, line.waits
        self._text.setText(line.text)
        words: list[str] = []
        if line.replaced:
            words.append(self.tr("Instead of: %1").replace("%1", line.replaced))
        if line.waits:
            words.append(self.tr("Waits for your look, because this chat holds text that others wrote."))
        elif line.is_over:
            words.append(self.tr("Something newer took its place."))
        self._words.setText("\n".join(words))
        self._words.setVisible(bool(words))
        undo = self.tr("Refuse") if line.waits else self.tr("Forget") if line.is_over else self.tr("Undo")
        second = self.tr("Accept") if line.waits else self.tr("Edit")
        for button, word in ((self._undo, undo), (self._edit, second)):
            button.setText(word)
            describe(button, labelled(word, line.text), tooltip="")
        self._edit.setVisible(not line.is_over)
        self._place(self.width())

    def height_for(self, width: int) -> int:
        return self._place(width)

    def focus_widgets(self) -> list[QWidget]:
        return list(self._buttons())

    def restyle(self) -> None:
        self._place(self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place(self.width())

    def _second_requested(self) -> SignalInstance:
        return self._actions.memory_accept_requested if self._waits else self._actions.memory_edit_requested

    def _buttons(self) -> list[QPushButton]:
        """In reading order: to accept comes before to refuse, as in the tray of the memory page."""
        if self._edit.isHidden():
            return [self._undo]
        return [self._edit, self._undo] if self._waits else [self._undo, self._edit]

    def _place(self, width: int) -> int:
        """Put everything where it belongs at this width; return the height."""
        for widget in (self._text, self._words, self._undo, self._edit):
            widget.ensurePolished()  # else it is measured in another size than it has
        left, gap = self.px(INDENT), self.px(GAP)
        sizes = [button.sizeHint() for button in self._buttons()]
        of_buttons = sum(size.width() + gap for size in sizes)
        line = max(size.height() for size in sizes)
        room = max(40, width - left)
        beside = room - of_buttons - gap
        is_beside = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 4 <= beside or beside > self.px(420)
        text_width = beside if is_beside else room
        y, height = 0, max(self._text.heightForWidth(text_width), line if is_beside else 0)
        self._text.setGeometry(left, y, text_width, height)
        y += height
        if not self._words.isHidden():
            height = self._words.heightForWidth(text_width)
            self._words.setGeometry(left, y, text_width, height)
            y += height
        x, top = (left + text_width + gap, 0) if is_beside else (left, y)
        for button, size in zip(self._buttons(), sizes, strict=True):
            button.setGeometry(x, top, size.width(), line)
            x += size.width() + gap
        return (y if is_beside else y + line) + gap
