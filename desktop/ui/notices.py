"""Messages of the window that stand in no one's way: the notice bar above the transcript."""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import IconLabel, Words, announce, describe, prepare_icon_button, text_of
from desktop.ui.plain_label import PlainLabel
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager

MAX_NOTICES = 3
MOST_KEPT = 50
MOST_CHARACTERS = 1_200
"""Of a detail, which may quote whatever an endpoint or a server answered."""
GAP = 10
MARGIN = 16
MOST_OF_WINDOW, MOST_FOR_ONE = 0.4, 0.7
"""How much of the window's height messages may take; the newest one is shown in any case."""


class NoticeAction(NamedTuple):
    """A button of a notice: its words, and what it does."""

    label: Words
    act: Callable[[], object]


class Notice(QFrame):
    """One message: what happened, what it means and what to do, with buttons for that. All its text is plain."""

    def __init__(
        self,
        theme: ThemeManager,
        title: Words,
        detail: Words,
        *,
        is_error: bool,
        actions: Sequence[NoticeAction],
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.setProperty("kind", "error" if is_error else "info")
        self.is_error = is_error
        self._title, self._detail_words = title, detail
        self._actions = tuple(actions)
        self._times = 1
        icon = IconLabel(theme, *(("circle-alert", "error") if is_error else ("info", "accent")), 18)
        self._heading = plain_message("", "noticeTitle")
        self._heading.setProperty("role", "errorTitle" if is_error else "strong")
        self._detail = plain_message("", "noticeDetail")
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._heading)
        texts.addWidget(self._detail)
        self._buttons = [self._button(number, action) for number, action in enumerate(self._actions)]
        if self._buttons:
            row = QHBoxLayout()
            row.setContentsMargins(0, 5, 0, 0)
            row.setSpacing(8)
            for button in self._buttons:
                row.addWidget(button)
            row.addStretch(1)
            texts.addLayout(row)
        self._close = QToolButton()
        prepare_icon_button(self._close, theme, "noticeClose", "x")
        self._close.clicked.connect(close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 10, 8, 10)
        layout.setSpacing(10)
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.retranslate()

    @property
    def key(self) -> tuple[str, str]:
        """Title and detail, in the language shown."""
        return text_of(self._title), text_of(self._detail_words)

    def focus_stops(self) -> list[QWidget]:
        return [*self._buttons, self._close]

    def repeat(self) -> None:
        """The same happened again: count it."""
        self._times += 1
        self.retranslate()

    def spoken(self) -> str:
        """What a screen reader is told."""
        return ". ".join(part.strip().rstrip(".") for part in self.key if part) + "."

    def _button(self, number: int, action: NoticeAction) -> QPushButton:
        button = QPushButton()
        button.setObjectName(f"noticeAction-{number}")
        button.setAutoDefault(False)
        button.clicked.connect(lambda: action.act())
        return button

    def set_cut(self, is_cut: bool) -> None:
        """Where not all of the words have room, the mouse over them tells them."""
        self._detail.setToolTip(f"<qt>{escape(self._detail.text(), quote=False)}</qt>" if is_cut else "")

    def retranslate(self) -> None:
        title, detail = self.key
        if self._times > 1:
            title = self.tr("%1 (%2 times)").replace("%2", str(self._times)).replace("%1", title)
        self._heading.setText(title)
        self._detail.setText(_shortened(detail))
        self._detail.setVisible(bool(detail))
        for button, action in zip(self._buttons, self._actions, strict=True):
            button.setText(text_of(action.label))
            button.setAccessibleName(button.text())
        self.setAccessibleName(title)
        self.setAccessibleDescription(_shortened(detail))
        describe(self._close, self.tr("Close this message"), shortcut="Esc")


class NoticeArea(QWidget):
    """The one place for messages of the window, above the transcript: the newest three, the others as a number.

    The same message is shown once while it is there, and counted. Escape closes the one that has the focus.

    Signals:
        changed: other notices are shown now.
        left: the notice that had the focus is gone; the focus should go back to where the user writes.
    """

    changed = Signal()
    left = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeArea")
        self._theme = theme
        self._notices: list[Notice] = []
        self._more = QWidget()
        self._more_text = plain_message("", "noticesMore")
        self._more_text.setProperty("role", "muted")
        self._close_all = QPushButton()
        self._close_all.setObjectName("noticesCloseAll")
        self._close_all.setProperty("role", "link")
        self._close_all.clicked.connect(self.clear)
        row = QHBoxLayout(self._more)
        row.setContentsMargins(14, 0, 8, 0)
        row.addWidget(self._more_text, 1)
        row.addWidget(self._close_all)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(MARGIN, 10, MARGIN, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._more)
        self.hide()

    def show_notice(
        self, title: Words, detail: Words, *, is_error: bool = True, actions: Sequence[NoticeAction] = ()
    ) -> Callable[[], None]:
        """Add a message; one that stands there already is counted instead. Returns what takes it back."""
        key = text_of(title), text_of(detail)
        notice = next((each for each in self._notices if each.key == key), None)
        if notice is not None:
            notice.repeat()
        else:
            if len(self._notices) == MOST_KEPT:
                self._remove(self._notices[0])
            notice = self._make(title, detail, is_error, actions)
            self._notices.append(notice)
            self._layout.insertWidget(self._layout.count() - 1, notice)
            self._show()
        announce(notice, notice.spoken(), assertive=is_error)
        return lambda: self._remove(notice)

    @property
    def titles(self) -> list[str]:
        """The titles of all messages that were not closed."""
        return [notice.key[0] for notice in self._notices]

    @property
    def shown(self) -> list[Notice]:
        """The messages that can be seen, oldest first: the newest, as many as a low window has room for."""
        room = self.window().height() * MOST_OF_WINDOW
        shown: list[Notice] = []
        for notice in reversed(self._notices[-MAX_NOTICES:]):
            room -= notice.heightForWidth(self.width() - 2 * MARGIN) + GAP
            if shown and room < 0:
                break
            shown.insert(0, notice)
        return shown

    def fit(self) -> None:
        """Take another size of the window into account."""
        if self._notices:
            self._show()

    def clear(self) -> None:
        for notice in list(self._notices):
            self._remove(notice)

    def close_newest(self) -> None:
        if self._notices:
            self._remove(self._notices[-1])

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        stops = [stop for notice in self.shown for stop in notice.focus_stops()]
        return [*stops, self._close_all]

    def focus_first(self, reason: Qt.FocusReason) -> None:
        """Go to the newest message: to its first button."""
        if self._notices:
            self._notices[-1].focus_stops()[0].setFocus(reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            focused = QApplication.focusWidget()
            for notice in self.shown:
                if focused is not None and notice.isAncestorOf(focused):
                    self._remove(notice)
                    return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Also where the window stays as it is and the sidebar folds."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            for notice in self._notices:
                notice.retranslate()
            self._show()

    def _make(self, title: Words, detail: Words, is_error: bool, actions: Sequence[NoticeAction]) -> Notice:
        notice = Notice(
            self._theme, title, detail, is_error=is_error, actions=actions, close=lambda: self._remove(notice)
        )
        return notice

    def _remove(self, notice: Notice) -> None:
        if notice not in self._notices:
            return
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self._notices.remove(notice)
        self._layout.removeWidget(notice)
        self._show()
        if had_focus and self._notices:
            self.focus_first(Qt.FocusReason.OtherFocusReason)
        elif had_focus:
            self.left.emit()
        notice.hide()
        notice.deleteLater()

    def _show(self) -> None:
        shown = self.shown
        most = int(self.window().height() * MOST_FOR_ONE)
        for notice in self._notices:
            # A low window takes the room from the transcript; the layout would squeeze the words that wrap.
            wanted = notice.heightForWidth(self.width() - 2 * MARGIN)
            notice.setMinimumHeight(min(wanted, most))
            notice.set_cut(wanted > most)
            notice.setVisible(notice in shown)
        self._more.setVisible(len(self._notices) > len(shown))
        self._describe_more()
        self.setVisible(bool(self._notices))
        self.changed.emit()

    def _describe_more(self) -> None:
        hidden = len(self._notices) - len(self.shown)
        self._more_text.setText(self.tr("%n more messages", "", hidden))
        self._close_all.setText(self.tr("Close all"))
        describe(self._close_all, self.tr("Close all messages"))


def _shortened(detail: str) -> str:
    text = readable(detail)
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"


def plain_message(text: str, object_name: str) -> QLabel:
    """Return a label whose text may come from anywhere: plain, in lines, and to be selected."""
    label = PlainLabel(text, object_name=object_name)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
