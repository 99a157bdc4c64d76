"""What the next message is sent with, in tokens: system, summary, the chat, tools, and the room for the answer."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QLocale, QPoint, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.popup import Popup
from desktop.ui.screen_room import placed_within, room_on_screen
from desktop.ui.state.context_meter import ContextFill
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 320


class WindowPopup(Popup):
    """Closes by itself at a click elsewhere or Escape."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("windowPopup")
        self._theme = theme
        self._fill: ContextFill | None = None
        self._heading = plain_label("", "title")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._note = plain_label("", "muted")
        self._note.setObjectName("windowNote")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(8)
        layout.addWidget(self._heading)
        layout.addLayout(self._grid)
        layout.addWidget(self._note)
        self.setFixedWidth(theme.px(WIDTH))

    def show_fill(self, fill: ContextFill) -> None:
        """Show these figures."""
        self._fill = fill
        set_plain(self._heading, self.tr("What the next message is sent with"))
        shares = fill.shares
        self._show_rows(
            [
                (self.tr("System prompt"), shares.system),
                (self.tr("Summary of the earlier part"), shares.summary),
                (self.tr("Messages of this chat"), shares.messages),
                (self.tr("What you are writing"), shares.draft),
                (self.tr("Tools"), shares.tools),
                (self.tr("Room for the answer"), shares.answer),
            ]
        )
        notes: list[str] = []
        if shares.left_out:
            notes.append(self.tr("%n older messages are not sent: there is no room for them.", "", shares.left_out))
        if fill.limit is None:
            notes.append(self.tr("How much this model can read is not known; a usual length is assumed."))
        notes.append(self.tr("All figures are tokens, counted by this app. They may be off by a few per cent."))
        set_plain(self._note, "\n".join(notes))
        self.setAccessibleName(self._heading.text())
        self.setAccessibleDescription(
            "\n".join(
                (
                    *(f"{name.text()}: {count.text()}" for name, count in self._rows if name.isVisibleTo(self)),
                    *notes,
                )
            )
        )
        self._fit()

    def show_at(self, anchor: QWidget) -> None:
        """Open above the meter, or below it where there is no room."""
        self._fit()
        room = room_on_screen(anchor)
        place = self.geometry()
        place.moveBottomRight(anchor.mapToGlobal(QPoint(anchor.width(), -6)))
        if place.top() < room.top():
            place.moveTopRight(anchor.mapToGlobal(QPoint(anchor.width(), anchor.height() + 6)))
        self.setGeometry(placed_within(place, room))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and self._fill is not None:
            self.show_fill(self._fill)

    def _show_rows(self, rows: list[tuple[str, int]]) -> None:
        while len(self._rows) < len(rows):
            name, count = plain_label(""), plain_label("", wrap=False)
            count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(name, len(self._rows), 0)
            self._grid.addWidget(count, len(self._rows), 1)
            self._rows.append((name, count))
        show: Callable[[int], str] = QLocale().toString
        for (name, count), (words, tokens) in zip(self._rows, rows, strict=True):
            set_plain(name, words)
            set_plain(count, show(tokens))
            for label in (name, count):
                label.setVisible(tokens > 0)

    def _fit(self) -> None:
        self.setFixedWidth(self._theme.px(WIDTH))
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(self.width(), max(layout.totalHeightForWidth(self.width()), layout.totalSizeHint().height()))
