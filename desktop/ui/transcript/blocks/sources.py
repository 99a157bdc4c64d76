"""The sources that an endpoint named: a line that unfolds, and a link for each, which is judged before it is opened."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.controls import ElidedButton
from desktop.ui.state.link_target import judge
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, SourceBlock, SourcesBlock
from desktop.ui.transcript.blocks.fold_header import FoldHeaderText, FoldLine
from desktop.ui.transcript.blocks.lines import Line
from desktop.ui.transcript.context import BlockContext

HEIGHT = 26


class SourcesFold(FoldLine):
    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(context, message_id, "sources", parent)

    def set_block(self, block: Block) -> None:
        assert isinstance(block, SourcesBlock)
        text = FoldHeaderText(icon="link", icon_colour="muted", title=self.tr("%Ln sources", "", block.count))
        self.show_line(block.key, text, is_unfolded=block.is_unfolded)


class SourceLine(Line):
    """One source: its number, title and host. One whose address is no web address is words only."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._url = self._label = ""
        self._button = ElidedButton(self)
        self._button.setObjectName("source")
        self._button.setProperty("role", "link")
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.clicked.connect(lambda: context.actions.link_activated.emit(self._url, self._label))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, SourceBlock)
        self._url = block.source.url
        self._label = readable(block.source.title)
        target = judge(self._url)
        where = target.host if target is not None else readable(self._url)
        words = f"{self._label} – {where}" if self._label and self._label != where else where
        self._button.set_full_text(f"{block.number}. {words}")
        self._button.setAccessibleName(words)
        self._button.setToolTip(readable(self._url))
        self._button.setEnabled(target is not None)
        self._place()

    def height_for(self, width: int) -> int:
        return max(self.px(HEIGHT), self._button.sizeHint().height())

    def focus_widgets(self) -> list[QWidget]:
        return [self._button] if self._button.isEnabled() else []

    def restyle(self) -> None:
        self._place()

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        self._place()

    def _place(self) -> None:
        indent = self.px(20)
        width = min(self.width() - indent, self._button.sizeHint().width() + 40)
        self._button.setGeometry(indent, 0, width, self.height())
