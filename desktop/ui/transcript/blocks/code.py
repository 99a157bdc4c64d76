"""A code block: its language, a Copy button, and the code with a bar of its own."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from desktop.ui.markdown.segments import CodeSegment
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, CodeBlock
from desktop.ui.transcript.blocks.code_view import CodeView
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.context import BlockContext, TextWidget

MOST_LINES = 400
HEADER, PADDING = 34, 10


class CodeWidget(QFrame):
    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._text = ""
        self.setObjectName("code-block")
        self._language = QLabel(self)
        self._language.setObjectName("code-language")
        self._language.setTextFormat(Qt.TextFormat.PlainText)
        self._language.setProperty("role", "small")
        self._copy = CopyButton(context.theme, self, grows_left=True)
        self._copy.setObjectName("copy-code")
        self._copy.clicked.connect(lambda: context.actions.copy_requested.emit(self._text))
        self._view = CodeView(context, self, most_lines=MOST_LINES)
        self._view.setObjectName("code-text")

    def set_block(self, block: Block) -> None:
        assert isinstance(block, CodeBlock)
        segment = block.segment
        language = segment.language if isinstance(segment, CodeSegment) else ""
        is_growing = isinstance(segment, CodeSegment) and not segment.is_closed
        self._text = segment.text
        shown = self.tr("text") if language in ("", "text") else readable(language)[:40]
        self._language.setText(shown)
        self._copy.set_name(self.tr("Copy code"))
        self._view.setAccessibleName(self.tr("Code, {language}").format(language=shown))
        self._view.show_code(segment.text, language.lower(), is_growing=is_growing)

    def height_for(self, width: int) -> int:
        return self._header_height + self._view.height_for(width - 2 * PADDING - 2) + PADDING

    @property
    def _header_height(self) -> int:
        return max(self._context.look.sizes.px(HEADER), self._copy.sizeHint().height() + 8)

    def text_widget(self) -> TextWidget | None:
        return self._view

    def focus_widgets(self) -> list[QWidget]:
        return [self._copy]

    def restyle(self) -> None:
        self._copy.restyle()
        self._view.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        width, height, header = self.width(), self.height(), self._header_height
        button = self._copy.sizeHint().width()
        self._copy.setGeometry(width - button - 6, 4, button, header - 8)
        self._language.setGeometry(PADDING + 4, 4, max(0, width - button - 30), header - 8)
        self._view.setGeometry(PADDING, header, width - 2 * PADDING, height - header - PADDING)
