"""A code block: its language; buttons to wrap long lines, to save and to copy it; and the code with a bar of its own."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from desktop.ui.controls import ElidedLabel, describe
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
        self._code_language = ""
        self.setObjectName("code-block")
        self._language = ElidedLabel(self)
        self._language.setObjectName("code-language")
        self._language.setProperty("role", "small")
        self._wrap = self._small("wrap-code", "text-wrap")
        self._wrap.setCheckable(True)
        self._wrap.clicked.connect(self._choose_wrapping)
        self._save = self._small("save-code", "download")
        self._save.clicked.connect(lambda: context.actions.code_save_requested.emit(self._text, self._code_language))
        self._copy = CopyButton(context.theme, self, grows_left=True)
        self._copy.setObjectName("copy-code")
        self._copy.clicked.connect(lambda: context.actions.copy_requested.emit(self._text))
        self._view = CodeView(context, self, most_lines=MOST_LINES)
        self._view.setObjectName("code-text")
        self._copy.width_changed.connect(self._place)

    def _small(self, name: str, icon: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setProperty("role", "small")
        button.setCursor(Qt.CursorShape.ArrowCursor)
        self._context.theme.set_icon(button, icon, "muted", 14)
        return button

    def set_block(self, block: Block) -> None:
        assert isinstance(block, CodeBlock)
        segment = block.segment
        language = segment.language if isinstance(segment, CodeSegment) else ""
        is_growing = isinstance(segment, CodeSegment) and not segment.is_closed
        self._text, self._code_language = segment.text, language.lower()
        shown = self.tr("text") if language in ("", "text") else readable(language)[:40]
        self._language.set_full_text(shown)
        self._copy.set_name(self.tr("Copy code"))
        self._view.setAccessibleName(self.tr("Code, {language}").format(language=shown))
        describe(self._wrap, self.tr("Wrap long lines"))
        describe(self._save, self.tr("Save code as a file"))
        wraps = self._context.code_wrapping.wraps(self._code_language, segment.text)
        self._wrap.setChecked(wraps)
        self._view.set_wrapped(wraps)
        self._view.show_code(segment.text, language.lower(), is_growing=is_growing)

    def _choose_wrapping(self, wraps: bool) -> None:
        self._context.code_wrapping.set_wraps(self._code_language, self._text, wraps)
        self._view.set_wrapped(wraps)
        self._context.actions.wrapping_chosen.emit(wraps)
        self._context.actions.height_changed.emit(self)

    def height_for(self, width: int) -> int:
        return self._header_height + self._view.height_for(width - 2 * PADDING - 2) + PADDING

    @property
    def _header_height(self) -> int:
        return max(self._context.look.sizes.px(HEADER), self._copy.sizeHint().height() + 8)

    def text_widget(self) -> TextWidget | None:
        return self._view

    def focus_widgets(self) -> list[QWidget]:
        return [self._wrap, self._save, self._copy]

    def restyle(self) -> None:
        self._copy.restyle()
        self._view.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _place(self) -> None:
        width, height, header = self.width(), self.height(), self._header_height
        right = width - 6
        for button in (self._copy, self._save, self._wrap):
            right -= button.sizeHint().width()
            button.setGeometry(right, 4, button.sizeHint().width(), header - 8)
            right -= 2
        self._language.setGeometry(PADDING + 4, 4, max(0, right - PADDING - 8), header - 8)
        self._view.setGeometry(PADDING, header, width - 2 * PADDING, height - header - PADDING)
