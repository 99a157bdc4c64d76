"""The palette on the screen: a panel near the top of the window, over everything, with a field and the rows below it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop.ui.controls import ElidedLabel, announce
from desktop.ui.palette.field import PaletteField
from desktop.ui.palette.row_painter import ROW, RowPainter
from desktop.ui.palette.rows import Row, Scope
from desktop.ui.punctuation import sentences
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 620
FROM_TOP, MOST_HEIGHT = 0.1, 0.7
"""In parts of the window's height."""
LEAST_FROM_EDGE = 12


class PalettePanel(QWidget):
    """Covers its window while it is open, so that a click beside the panel closes it. Only the field has the focus.

    Signals:
        typed: what stands in the field has changed.
        chosen: the ``Row`` that is to be acted on; one with an act.
        enter_pressed: Enter, also while there are no rows yet; ``choose_current`` acts on the row it stands on.
        widened: Backspace in the empty field.
        closed: it went off the screen.
    """

    typed = Signal(str)
    chosen = Signal(object)
    enter_pressed = Signal()
    widened = Signal()
    closed = Signal()

    def __init__(self, theme: ThemeManager, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._area = window
        self._scope = Scope.ALL
        self._was_moved = False
        self._former: QWidget | None = None
        self.setObjectName("palette")
        self.hide()
        self._frame = QFrame(self)
        self._frame.setObjectName("palettePanel")
        self.field = PaletteField(theme)
        self.list = QListWidget()
        self.list.setObjectName("paletteList")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setMouseTracking(True)
        self.list.setItemDelegate(RowPainter(theme, self.list))
        self.list.itemClicked.connect(self._clicked)
        self._nothing = ElidedLabel()
        self._nothing.setObjectName("paletteNothing")
        self._nothing.setProperty("role", "muted")
        self._hint = ElidedLabel()
        self._hint.setObjectName("paletteHint")
        self._hint.setProperty("role", "muted")
        layout = QVBoxLayout(self._frame)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        for widget in (self.field, self.list, self._nothing, self._hint):
            layout.addWidget(widget)
        self._layout = layout
        self.field.textChanged.connect(self._text_changed)
        self.field.moved.connect(self.move_by)
        self.field.paged.connect(self._page_by)
        self.field.accepted.connect(self.enter_pressed)
        self.field.given_up.connect(self.close_palette)
        self.field.widened.connect(self.widened)
        self.field.left.connect(self._left)
        window.installEventFilter(self)
        theme.changed.connect(self._place)
        self._retranslate()

    @property
    def rows(self) -> list[Row]:
        """What is shown."""
        return [self.list.item(place).data(ROW) for place in range(self.list.count())]

    @property
    def current(self) -> Row | None:
        """The row that Enter acts on."""
        item = self.list.currentItem()
        return item.data(ROW) if self.list.count() and item is not None else None

    def open_with(self, scope: Scope, text: str = "") -> None:
        """Show it with this in the field; the focus is in it until it is closed."""
        if not self.isVisible():
            self._former = self.window().focusWidget()
        self.list.clear()
        self._nothing.hide()
        self._was_moved = False
        self.set_scope(scope)
        with QSignalBlocker(self.field):
            self.field.setText(text)
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._text_changed(text)

    def set_scope(self, scope: Scope) -> None:
        self._scope = scope
        self._retranslate()

    def close_palette(self) -> None:
        """Take it off the screen; the focus goes back to where it was."""
        if not self.isVisible():
            return
        had_focus = self.field.hasFocus() or self.window().focusWidget() is self.field
        self.hide()
        self.list.clear()
        former, self._former = self._former, None
        if had_focus and former is not None and former.isVisible():
            former.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def show_rows(self, rows: Sequence[Row], nothing: str) -> None:
        """Show these; the row that the user went to stays the current one, else it is the first that can be chosen."""
        current = self.current
        kept = current.id if current is not None and self._was_moved else ""
        bar = self.list.verticalScrollBar().value()
        self.list.clear()
        for row in rows:
            item = QListWidgetItem()
            item.setData(ROW, row)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, _spoken(row))
            if row.act is None:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self._nothing.set_full_text(nothing)
        self._nothing.setVisible(not rows)
        self.list.setVisible(bool(rows))
        places = {row.id: place for place, row in enumerate(rows) if row.act is not None}
        self._was_moved = kept in places
        self._place()
        if places:
            self.list.setCurrentRow(places.get(kept, min(places.values())))
            if self._was_moved:
                self.list.verticalScrollBar().setValue(bar)
            else:
                self.list.scrollToTop()
        self._tell()

    def move_by(self, step: int) -> None:
        """Go to the next row that can be chosen; beyond an end the other one follows."""
        if places := self._places():
            now = self.list.currentRow()
            at = places.index(now) if now in places else -1
            self._go_to(places[(at + step) % len(places)], is_first=(at + step) % len(places) == 0)

    def choose_current(self) -> None:
        if (row := self.current) is not None and row.act is not None:
            self.chosen.emit(row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize and watched is self._area and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """A click beside the panel; on it, the panel keeps it."""
        if not self._frame.geometry().contains(event.position().toPoint()):
            self.close_palette()
        event.accept()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _text_changed(self, text: str) -> None:
        self._was_moved = False
        self.typed.emit(text)

    def _left(self) -> None:
        if self.isVisible():
            self._former = None  # somebody else has the focus now
            self.close_palette()

    def _clicked(self, item: QListWidgetItem) -> None:
        self.list.setCurrentItem(item)
        self.choose_current()

    def _page_by(self, step: int) -> None:
        if places := self._places():
            row = max(self.list.sizeHintForRow(places[0]), 1)
            at = places.index(self.list.currentRow()) if self.list.currentRow() in places else 0
            to = max(0, min(len(places) - 1, at + step * max(1, self.list.viewport().height() // row - 1)))
            self._go_to(places[to], is_first=to == 0)

    def _go_to(self, place: int, *, is_first: bool) -> None:
        self._was_moved = True
        self.list.setCurrentRow(place)
        if is_first:
            self.list.scrollToTop()  # with the heading above it
        self._tell()

    def _places(self) -> list[int]:
        return [place for place, row in enumerate(self.rows) if row.act is not None]

    def _tell(self) -> None:
        if self.isVisible():
            row = self.current
            announce(self.list, self._nothing.full_text if row is None else _spoken(row))

    def _place(self) -> None:
        """In the middle near the top, as high as its rows as far as the window has room."""
        self.setGeometry(self._area.rect())
        width = min(self._theme.px(WIDTH), self.width() - 2 * LEAST_FROM_EDGE)
        top = max(LEAST_FROM_EDGE, round(self.height() * FROM_TOP))
        most = min(round(self.height() * MOST_HEIGHT), self.height() - top - LEAST_FROM_EDGE)
        for each in (self.field, self._nothing, self._hint):
            each.ensurePolished()
        self._hint.setVisible(self._hint.sizeHint().width() <= width - 2 * LEAST_FROM_EDGE)
        shown = [each for each in (self.field, self._nothing, self._hint) if not each.isHidden()]
        margins = self._layout.contentsMargins()
        around = margins.top() + margins.bottom() + sum(each.sizeHint().height() for each in shown)
        around += self._layout.spacing() * (len(shown) - (self.list.isHidden()))
        wanted = sum(self.list.sizeHintForRow(place) for place in range(self.list.count()))
        height = max(self.list.sizeHintForRow(0), min(wanted, most - around)) if self.list.count() else 0
        self.list.setFixedHeight(height)
        self._frame.setGeometry((self.width() - width) // 2, top, width, around + height)

    def _retranslate(self) -> None:
        words = {
            Scope.ALL: self.tr("Go to a chat or run an action"),
            Scope.CHATS: self.tr("Go to a chat"),
            Scope.ACTIONS: self.tr("Run an action"),
        }[self._scope]
        self.field.setPlaceholderText(words)
        self.field.setAccessibleName(words)
        self._frame.setAccessibleName(words)
        self.list.setAccessibleName(self.tr("Chats and actions"))
        self._hint.set_full_text(self.tr("↑ ↓ choose  ·  Enter opens  ·  Esc closes  ·  > only actions"))


def _spoken(row: Row) -> str:
    said = row.text
    for each in (row.keys, row.place, row.note):
        said = sentences(said, each) if each else said
    return said
