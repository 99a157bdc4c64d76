"""Why an answer failed, what that means, what to do, and a button to try again."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from desktop.ui.error_words import error_words
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, ErrorBlock
from desktop.ui.transcript.context import BlockContext, TextWidget

MOST_CHARACTERS = 1_200
"""Of a detail, which may quote whatever an endpoint answered."""


class ErrorNotice(QFrame):
    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("error-notice")
        self._icon = QLabel(self)
        self._title = QLabel(self)
        self._title.setObjectName("error-title")
        self._detail = QLabel(self)
        self._detail.setObjectName("error-detail")
        for label in (self._title, self._detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._retry = QPushButton(self)
        self._retry.setObjectName("retry")
        self._retry.clicked.connect(context.actions.retry_requested)
        self._layout = layout = QGridLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setHorizontalSpacing(10)
        layout.setVerticalSpacing(6)
        layout.addWidget(self._icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._title, 0, 1)
        layout.addWidget(self._detail, 1, 1)
        layout.addWidget(self._retry, 2, 1, Qt.AlignmentFlag.AlignLeft)
        layout.setColumnStretch(1, 1)
        self.restyle()

    def set_block(self, block: Block) -> None:
        assert isinstance(block, ErrorBlock)
        text = error_words(block.item.code, block.item.params)
        detail = readable(text.detail)
        if len(detail) > MOST_CHARACTERS:
            detail = detail[:MOST_CHARACTERS] + "…"
        self._title.setText(text.title)
        self._detail.setText(detail)
        self._retry.setText(self.tr("Try again"))
        self._retry.setAccessibleName(self.tr("Try again"))
        self._retry.setVisible(block.may_retry)
        self.setAccessibleName(f"{text.title}. {detail}")

    def height_for(self, width: int) -> int:
        return self._layout.totalHeightForWidth(width)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        return [self._retry] if self._retry.isVisibleTo(self) else []

    def restyle(self) -> None:
        self._icon.setPixmap(self._context.theme.icon("circle-alert", "error", 18).pixmap(QSize(18, 18)))
        self._title.setFont(self._context.look.strong_font)
