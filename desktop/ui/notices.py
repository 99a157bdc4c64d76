"""Messages of the window that stand in no one's way: the notice bar, and a toast with an action."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import IconLabel, announce, describe, prepare_icon_button
from desktop.ui.theme.theme_manager import ThemeManager

TOAST_MS = 8000
MAX_NOTICES = 3
GAP = 10


class Notice(QFrame):
    """One message with its close button. All its text is plain and can be selected."""

    def __init__(
        self, theme: ThemeManager, title: str, detail: str, *, is_error: bool, close: Callable[[], None]
    ) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.setProperty("kind", "error" if is_error else "info")
        self.key = (title, detail)
        icon = IconLabel(theme, *(("circle-alert", "error") if is_error else ("info", "accent")), 18)
        heading = _plain_label(title, "noticeTitle")
        heading.setProperty("role", "strong")
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(heading)
        if detail:
            texts.addWidget(_plain_label(detail, "noticeDetail"))
        self._close = QToolButton()
        prepare_icon_button(self._close, theme, "noticeClose", "x")
        describe(self._close, self.tr("Close this message"))
        self._close.clicked.connect(close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 10, 8, 10)
        layout.setSpacing(10)
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(title)
        self.setAccessibleDescription(detail)


class NoticeArea(QWidget):
    """Holds the notices above the transcript, newest last. The same message is shown once while it is there."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeArea")
        self._theme = theme
        self._notices: list[Notice] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 10, 16, 0)
        self._layout.setSpacing(8)
        self.hide()

    def show_notice(self, title: str, detail: str, *, is_error: bool = True) -> None:
        """Add a message, unless it stands there already; the oldest gives way to a fourth."""
        if any(notice.key == (title, detail) for notice in self._notices):
            return
        if len(self._notices) == MAX_NOTICES:
            self._remove(self._notices[0])
        notice = Notice(self._theme, title, detail, is_error=is_error, close=lambda: self._remove(notice))
        self._notices.append(notice)
        self._layout.addWidget(notice)
        self.show()
        announce(notice, f"{title}. {detail}")

    @property
    def titles(self) -> list[str]:
        """The titles of the messages shown."""
        return [notice.key[0] for notice in self._notices]

    def clear(self) -> None:
        for notice in list(self._notices):
            self._remove(notice)

    def _remove(self, notice: Notice) -> None:
        if notice in self._notices:
            self._notices.remove(notice)
            self._layout.removeWidget(notice)
            notice.hide()
            notice.deleteLater()
            self.setVisible(bool(self._notices))


class Toast(QFrame):
    """A short message at the lower edge of its parent, with one action, for some seconds or until it is closed."""

    def __init__(self, theme: ThemeManager, parent: QWidget, *, above: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("toast")
        self._area = parent
        self._above = above
        self._act: Callable[[], None] | None = None
        self._label = _plain_label("", "toastText")
        self._label.setWordWrap(False)
        self._action = QPushButton()
        self._action.setObjectName("toastAction")
        self._action.setFlat(True)
        self._action.clicked.connect(self.act)
        self._close = QToolButton()
        prepare_icon_button(self._close, theme, "toastClose", "x", "window")
        self._close.clicked.connect(self.dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.setSpacing(10)
        layout.addWidget(self._label)
        layout.addWidget(self._action)
        layout.addWidget(self._close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TOAST_MS)
        self._timer.timeout.connect(self.dismiss)
        above.installEventFilter(self)
        self.hide()

    @property
    def can_act(self) -> bool:
        return self._act is not None and self.isVisible()

    def present(self, text: str, action: str, act: Callable[[], None], *, shortcut: str = "") -> None:
        """Show ``text``; a click on ``action`` calls ``act`` and ends it. An earlier toast is replaced."""
        self._label.setText(text)
        self._action.setText(action)
        describe(self._action, action, shortcut=shortcut)
        describe(self._close, self.tr("Close this message"))
        self._act = act
        self.show()
        self.adjustSize()
        self.place()
        self.raise_()
        self._timer.start()
        announce(self, f"{text}. {action}: {shortcut}")

    def act(self) -> None:
        """Do the action once, if there is one."""
        act, self._act = self._act, None
        self.dismiss()
        if act is not None:
            act()

    def dismiss(self) -> None:
        self._timer.stop()
        self._act = None
        self.hide()

    def place(self) -> None:
        """Stand in the middle, a little above the widget that it was told not to cover."""
        bottom = self._above.geometry().top() - GAP
        self.move((self._area.width() - self.width()) // 2, bottom - self.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        """Give time to reach the button."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        if self.isVisible():
            self._timer.start()


def _plain_label(text: str, object_name: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(object_name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
