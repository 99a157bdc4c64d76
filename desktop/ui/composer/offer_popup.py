"""The list above the message: the user's and servers' prompts after ``/``, resources after ``@``. The keys stay in the text."""

from collections.abc import Sequence
from functools import reduce

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import announce
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.punctuation import sentences
from desktop.ui.sidebar.row_painting import RowState, paint_background, paint_line, smaller
from desktop.ui.state.offer_rows import OfferKind, OfferRow
from desktop.ui.state.readable import readable
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

MOST_SHOWN = 6
GAP = 6
_PADDING_X, _PADDING_Y, _LINE_GAP = 10, 5, 3
_MOST_CHARS = 300


class OfferPopup(QFrame):
    """Stands above ``below`` as wide as that, without ever taking the focus. ``chosen`` carries the ``OfferRow``."""

    chosen = Signal(object)

    def __init__(self, theme: ThemeManager, area: QWidget, below: QWidget) -> None:
        super().__init__(area)
        self._theme = theme
        self._area, self._below = area, below
        self._rows: Sequence[OfferRow] = ()
        self._kind = OfferKind.PROMPT
        self.setObjectName("offerPopup")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._heading = plain_label("", "muted", wrap=False)
        self._heading.setObjectName("offerHeading")
        self.list = QListWidget()
        self.list.setObjectName("offerList")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_OfferDelegate(theme, self.list))
        self.list.itemClicked.connect(lambda item: self.chosen.emit(self._rows[self.list.row(item)]))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 8, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self._heading)
        layout.addWidget(self.list)
        self._layout = layout
        below.installEventFilter(self)
        area.installEventFilter(self)
        theme.changed.connect(self._place)
        self.hide()

    def show_rows(self, kind: OfferKind, rows: Sequence[OfferRow]) -> None:
        """Show these, at first the first one chosen, unless they are those that are shown; hides itself where there are none."""
        if list(rows) == list(self._rows) and kind is self._kind and self.isVisible():
            return
        chosen = self._chosen_among(rows) if kind is self._kind and self.isVisible() else 0
        self._kind, self._rows = kind, rows
        self.list.clear()
        for row in rows:
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, row)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, _spoken(row))
            self.list.addItem(item)
        self._retranslate()
        if not rows:
            self.hide()
            return
        self.list.setCurrentRow(chosen)
        self._place()
        self.show()
        self.raise_()
        self._tell()

    def move_by(self, rows: int) -> None:
        """Choose another row; beyond an end the other one follows."""
        count, now = len(self._rows), self.list.currentRow()
        if abs(rows) == 1:
            self.list.setCurrentRow((now + rows) % count)
        else:
            self.list.setCurrentRow(max(0, min(count - 1, now + rows)))
        self._tell()

    def choose(self) -> None:
        """Take the row that is chosen."""
        if 0 <= (place := self.list.currentRow()) < len(self._rows):
            self.chosen.emit(self._rows[place])

    def _chosen_among(self, rows: Sequence[OfferRow]) -> int:
        """Where the chosen row stands when others come to it; the first one where some went, since something was typed."""
        place = self.list.currentRow()
        if not 0 <= place < len(self._rows) or not set(self._rows) <= set(rows):
            return 0
        return list(rows).index(self._rows[place])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._place()
        elif event.type() == QEvent.Type.Hide and watched is self._below:
            self.hide()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        if self._kind is OfferKind.PROMPT:
            words = self.tr("Prompts")
        else:
            words = self.tr("What your tool servers hold: it is read when you choose it")
        set_plain(self._heading, words)
        self.list.setAccessibleName(words)

    def _tell(self) -> None:
        announce(self.list, _spoken(self._rows[self.list.currentRow()]))

    def _place(self) -> None:
        if not self._rows:
            return
        margins = self._layout.contentsMargins()
        self._heading.ensurePolished()
        around = margins.top() + margins.bottom() + self._layout.spacing() + self._heading.sizeHint().height()
        corner = self._below.mapTo(self._area, QPoint(0, 0))
        room = corner.y() - 2 * GAP - around
        row = self.list.sizeHintForRow(0)
        height = min(len(self._rows), MOST_SHOWN, max(1, room // max(row, 1))) * row
        self.list.setFixedHeight(height)
        self.setGeometry(corner.x(), corner.y() - GAP - around - height, self._below.width(), around + height)


def source_words(row: OfferRow) -> str:
    """Return where a row comes from: the name of a server, or that it is one of the user's own."""
    return readable(row.source) or QCoreApplication.translate("OfferPopup", "Your prompts")


def _spoken(row: OfferRow) -> str:
    said = map(_one_line, (row.title, source_words(row), row.hint))
    return reduce(sentences, filter(None, said))


class _OfferDelegate(QStyledItemDelegate):
    """Title and source in one line, what it is for or where it stands in the next."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802
        font = self._theme.ui_font()
        lines = QFontMetricsF(strong(font)).height() + QFontMetricsF(smaller(font)).height()
        room = self._theme.sizes.room
        return QSize(100, round(lines + 2 * room(_PADDING_Y) + room(_LINE_GAP)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        tokens, font = self._theme.tokens, self._theme.ui_font()
        rect = option.rect
        paint_background(painter, rect, tokens, RowState.of(option))
        padding = self._theme.sizes.room(_PADDING_Y)
        inner = QRectF(rect).adjusted(_PADDING_X, padding, -_PADDING_X, -padding)
        title, small = strong(font), smaller(font)
        first = QRectF(inner.left(), inner.top(), inner.width(), QFontMetricsF(title).height())
        source = source_words(row)
        width = min(QFontMetricsF(small).horizontalAdvance(source) + 2, inner.width() / 3)
        paint_line(painter, first.adjusted(0, 0, -width - 12, 0), _one_line(row.title), title, tokens.text)
        paint_line(painter, first.adjusted(first.width() - width, 0, 0, 0), source, small, tokens.muted)
        below = first.bottom() + self._theme.sizes.room(_LINE_GAP)
        second = QRectF(inner.left(), below, inner.width(), QFontMetricsF(small).height())
        paint_line(painter, second, _one_line(row.hint), small, tokens.muted)
        painter.restore()


def _one_line(text: str) -> str:
    return readable(" ".join(text[:_MOST_CHARS].split()))
