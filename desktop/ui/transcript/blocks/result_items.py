"""What a tool returned beside its text: images as small pictures, everything else as lines with what can be done."""

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.core.safe_files import OPENABLE, READABLE
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.ui.controls import ElidedButton, ElidedLabel
from desktop.ui.result_item_words import ICONS, item_remarks, item_title, item_words
from desktop.ui.state.readable import readable
from desktop.ui.transcript.blocks.attachments import ImageTile
from desktop.ui.transcript.context import BlockContext

LINE, GAP, ICON = 28, 6, 16
LINK_INSET = 8
"""Of a link's text within its button, whose frame shows the focus."""
MOST_SHOWN = 30
"""Rows of one result; the rest is named by its number."""


class ResultItems(QWidget):
    """The items of one result. Their words are the server's, which the line above them says."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("result-items")
        self._context = context
        self._items: tuple[ResultItem, ...] = ()
        self._server = ""
        self._head = _note(self)
        self._head.setObjectName("result-claims")
        self._rest = _note(self)
        self._rest.setObjectName("result-rest")
        self._rows: list[_ItemRow] = []
        self.show()

    def show_items(self, items: Sequence[ResultItem], server: str) -> None:
        self._server = server
        if tuple(items) != self._items:
            self._items = tuple(items)
            for row in self._rows:
                row.hide()
                row.deleteLater()
            self._rows = [_ItemRow(self._context, item, self) for item in self._items[:MOST_SHOWN]]
            for before, after in zip(self._rows, self._rows[1:], strict=False):
                QWidget.setTabOrder(before, after)
        words = self.tr("Sent by “%1”. Names, types and addresses are its own words; nothing was opened or checked.")
        self._head.setText(words.replace("%1", readable(server) or "?"))
        left = len(self._items) - len(self._rows)
        self._rest.setText(self.tr("… and %Ln more", "", left) if left else "")
        self._rest.setVisible(bool(left))
        for row in self._rows:
            row.retranslate()
        self._place(self.width())

    def height_for(self, width: int) -> int:
        return self._place(width)

    def focus_widgets(self) -> list[QWidget]:
        return [widget for row in self._rows for widget in row.focus_widgets()]

    def restyle(self) -> None:
        for row in self._rows:
            row.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place(self.width())

    def _place(self, width: int) -> int:
        y = self._head.heightForWidth(max(width, 1)) + GAP
        self._head.setGeometry(0, 0, width, y)
        for row in self._rows:
            height = row.height_for(width)
            row.setGeometry(0, y, width, height)
            y += height + GAP
        if self._rest.text():
            height = self._rest.heightForWidth(max(width, 1))
            self._rest.setGeometry(0, y, width, height)
            y += height + GAP
        return y


class _ItemRow(QWidget):
    """An icon, what the item is, what can be done with it; below, what is to be said of it; an image above all."""

    def __init__(self, context: BlockContext, item: ResultItem, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._item = item
        self._tile = ImageTile(context, self) if item.kind is ItemKind.IMAGE and item.width else None
        self._icon = QLabel(self)
        self._link = ElidedButton(self) if item.kind is ItemKind.LINK else None
        self._name = ElidedLabel(self)
        self._note = _note(self)
        self._note.setProperty("role", "error" if item.problem is not None else "small")
        self._verbs = {verb: self._button(verb) for verb in _verbs(item)}
        if self._link is not None:
            self._link.setObjectName("result-link")
            self._link.setProperty("role", "link")
            self._link.setCursor(Qt.CursorShape.PointingHandCursor)
            self._link.clicked.connect(lambda: context.actions.link_activated.emit(item.uri, readable(item.name)))
        if self._tile is not None:
            self._tile.show_part(_as_attachment(item))
        self.restyle()
        self.show()

    def _button(self, verb: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"result-{verb}")
        button.setProperty("role", "small")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self._context.actions.item_requested.emit(self._item, verb))
        return button

    def retranslate(self) -> None:
        words = item_words(self._item)
        self._name.set_full_text(words)
        self._name.setToolTip(words)
        if self._link is not None:
            self._link.set_full_text(words)
            self._link.setToolTip(readable(self._item.uri))
        self._note.setText("\n".join(item_remarks(self._item)))
        for verb, button in self._verbs.items():
            label = {"open": self.tr("Open"), "show": self.tr("Show"), "save": self.tr("Save as…")}[verb]
            button.setText(label)
            button.setAccessibleName(f"{label}: {item_title(self._item)}")

    def focus_widgets(self) -> list[QWidget]:
        found: list[QWidget | None] = [self._tile, self._link, *self._verbs.values()]
        return [widget for widget in found if widget is not None]

    def restyle(self) -> None:
        size = self._px(ICON)
        self._icon.setPixmap(self._context.theme.icon(ICONS[self._item.kind], "muted", size).pixmap(size, size))
        if self._tile is not None:
            self._tile.update()

    def height_for(self, width: int) -> int:
        return self._place(width)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place(self.width())

    def _px(self, length: int) -> int:
        return self._context.look.sizes.px(length)

    def _place(self, width: int) -> int:
        y = 0
        if self._tile is not None:
            self._tile.setGeometry(0, 0, min(self._tile.width_of(), width), self._tile.height_of())
            y = self._tile.height_of() + GAP
        line = max(self._px(LINE), *(b.sizeHint().height() for b in self._verbs.values()), 0)
        right = width
        for button in reversed(self._verbs.values()):
            wide = button.sizeHint().width()
            right -= wide
            button.setGeometry(right, y, wide, line)
            right -= 4
        left = self._px(ICON) + 8
        self._icon.setGeometry(0, y, left, line)
        name = self._link if self._link is not None else self._name
        self._name.setVisible(self._link is None)
        if self._link is not None:
            line = max(line, self._link.sizeHint().height())
        inset = 0 if self._link is None else LINK_INSET
        name.setGeometry(left - inset, y, max(right - left, 40) + inset, line)
        y += line
        self._note.setVisible(bool(self._note.text()))
        if self._note.text():
            height = self._note.heightForWidth(max(width - left, 1))
            self._note.setGeometry(left, y, width - left, height)
            y += height
        return y


def _verbs(item: ResultItem) -> list[str]:
    """What can be done with an item. What a system might run can be saved, but never opened from here."""
    if item.kind is ItemKind.DATA and item.text:
        return ["show"]
    if not item.attachment_id:
        return []
    suffix = PurePath(item.file_name).suffix
    first = ["show"] if suffix in READABLE else ["open"] if suffix in OPENABLE else []
    return [*first, "save"]


def _as_attachment(item: ResultItem) -> AttachmentPart:
    return AttachmentPart(
        attachment_id=item.attachment_id,
        name=item.name or item.file_name,
        kind=AttachmentKind.IMAGE,
        size=item.size,
        media_type=item.sent_type,
        sent_size=item.sent_size,
        width=item.width,
        height=item.height,
    )


def _note(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", "small")
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label
