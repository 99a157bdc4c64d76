"""Why an answer failed, what that means, what to do, and buttons to try again or to mend the settings."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.error_words import error_words
from desktop.ui.notice_actions import action_label, actions_for
from desktop.ui.punctuation import sentences
from desktop.ui.settings.layouts import Wrapping
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
        self._title.setProperty("role", "errorTitle")
        self._detail = QLabel(self)
        self._detail.setObjectName("error-detail")
        for label in (self._title, self._detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._retry = QPushButton(self)
        self._retry.setObjectName("retry")
        self._retry.clicked.connect(context.actions.retry_requested)
        self._continue = QPushButton(self)
        self._continue.setObjectName("continue-failed")
        self._continue.clicked.connect(context.actions.continue_requested)
        self._code = ""
        self._actions: list[QPushButton] = []
        self._buttons = Wrapping(self._continue, self._retry)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        words.addLayout(self._buttons)
        words.addStretch(1)
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
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
        self._continue.setText(self.tr("Continue"))
        self._continue.setAccessibleName(self.tr("Continue this answer"))
        self._continue.setVisible(block.may_continue)
        self._show_actions(block)
        self.setAccessibleName(sentences(text.title, detail))

    def height_for(self, width: int) -> int:
        self._layout.activate()  # buttons may have come or gone just now
        return self._layout.totalHeightForWidth(width)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        return [button for button in (self._continue, self._retry, *self._actions) if button.isVisibleTo(self)]

    def _show_actions(self, block: ErrorBlock) -> None:
        """A button for each thing that helps; made once, since the code of an error never changes."""
        item = block.item
        actions = actions_for(item.code)
        if self._code != item.code:
            self._code = item.code
            for action in actions:
                button = QPushButton(self)
                button.setObjectName(f"error-{action}")
                button.clicked.connect(
                    lambda _=False, action=action: self._context.actions.error_action_requested.emit(
                        action, dict(item.params)
                    )
                )
                self._buttons.add(button)
                self._actions.append(button)
        for button, action in zip(self._actions, actions, strict=True):
            button.setText(action_label(action))
            button.setAccessibleName(button.text())
            button.setVisible(block.may_retry)  # below an older answer it may be mended by now

    def restyle(self) -> None:
        size = self._context.look.sizes.px(18)
        self._icon.setPixmap(self._context.theme.icon("circle-alert", "error", size).pixmap(QSize(size, size)))
