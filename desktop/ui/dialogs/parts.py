"""Small parts that the dialogs share: plain labels, icons, boxes, a button bar that breaks into two rows."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyle,
    QWidget,
)

from desktop.tools.visible_text import reveal
from desktop.ui.controls import IconLabel, describe
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.plain_label import breakable
from desktop.ui.punctuation import labelled
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

_LABEL_LIMIT = 300
_NO_LIMIT = 16777215
_STRONG_ROLES = {"label": 1.0, "section": 0.9}
"""Labels in semi-bold, with their size in parts of the usual one."""


def plain_label(text: str, role: str = "", *, wrap: bool = True) -> QLabel:
    """Return a label that shows its text as it is; long words may break."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    if role:
        label.setProperty("role", role)
    if role in _STRONG_ROLES:
        font = strong(label.font())
        font.setPointSizeF(font.pointSizeF() * _STRONG_ROLES[role])
        label.setFont(font)
    set_plain(label, text)
    return label


def set_plain(label: QLabel, text: str) -> None:
    """Give a plain label another text."""
    label.setText(breakable(text) if label.wordWrap() else text)
    label.setAccessibleName(text)


def scrolled(content: QWidget, object_name: str = "") -> QScrollArea:
    """Return an area in which ``content`` moves up and down where it is too long; without a frame or the focus."""
    area = QScrollArea()
    area.setObjectName(object_name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


def quoted(text: str, theme: ThemeManager, *, most_lines: int = 6, role: str = "quote") -> PlainBox:
    """Return a box with a server's own words."""
    lines = display_lines(text, numbered=False)
    return PlainBox(lines, theme, role=role, least_lines=1, most_lines=most_lines)


def prose(text: str, theme: ThemeManager, role: str) -> QLabel | PlainBox:
    """Return a label for a short untrusted text, a scrolling box for a long one."""
    if len(text) <= _LABEL_LIMIT and text.count("\n") < 5:
        return plain_label(reveal(text), role)
    return quoted(text, theme, most_lines=5)


def icon_label(theme: ThemeManager, name: str, colour: str, size: int = 18) -> QLabel:
    """Return a picture without a meaning of its own for screen readers."""
    label = IconLabel(theme, name, colour, size)  # which follows the theme, also while the dialog is open
    label.setFixedSize(QSize(theme.px(size), theme.px(size)))
    return label


def dialog_button(name: str, role: str = "") -> QPushButton:
    """Return a button that Enter presses only while it has the focus, unless it is made the default one."""
    button = QPushButton()
    button.setObjectName(name)
    button.setAutoDefault(False)
    if role:
        button.setProperty("role", role)
    return button


def name_button(button: QPushButton, text: str) -> None:
    """Let a button say this, to a screen reader, too; a tip would say nothing more."""
    button.setText(text)
    describe(button, text, tooltip="")


class QuietButton(QPushButton):
    """A button that Enter never presses; the person clicks, or tabs to it and presses Space."""

    def __init__(self, text: str, name: str, role: str = "") -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setAutoDefault(False)
        self.setDefault(False)
        if role:
            self.setProperty("role", role)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        # Some desktops let Enter press the focused button.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
        else:
            super().keyPressEvent(event)


def ending(*, accept: QPushButton, cancel: QPushButton, reset: QPushButton | None = None) -> QDialogButtonBox:
    """Return the last row of a dialog, in the order that the desktop is used to; ``reset`` stands apart, at the beginning."""
    box, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
    if reset is not None:
        box.addButton(reset, role.ResetRole)
    box.addButton(cancel, role.RejectRole)
    box.addButton(accept, role.AcceptRole)
    return box


def yes_comes_first(dialog: QWidget) -> bool:
    """Whether the desktop is used to the agreeing button before the others, as in ``QDialogButtonBox``."""
    layout = QDialogButtonBox.ButtonLayout(dialog.style().styleHint(QStyle.StyleHint.SH_DialogButtonLayout))
    return layout not in (QDialogButtonBox.ButtonLayout.GnomeLayout, QDialogButtonBox.ButtonLayout.MacLayout)


class ButtonBar(QWidget):
    """Buttons in one row, the first ones at the left; in two columns where the width does not suffice."""

    def __init__(self, left: list[QPushButton], right: list[QPushButton]) -> None:
        super().__init__()
        self._left, self._right = left, right
        self._columns: int | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        for button in (*left, *right):
            button.setParent(self)
        self._arrange(one_row=True)

    def fit(self, width: int) -> None:
        """Choose the arrangement for this width."""
        buttons = [b for b in (*self._left, *self._right) if not b.isHidden()]
        needed = sum(b.sizeHint().width() + 8 for b in buttons) + 16
        self._arrange(one_row=needed <= width)

    def _arrange(self, *, one_row: bool) -> None:
        buttons = [*self._left, *self._right]
        columns = len(buttons) + 1 if one_row else 2
        if columns == self._columns:
            return
        self._columns = columns
        for button in buttons:
            self._grid.removeWidget(button)
        for column in range(len(buttons) + 1):
            self._grid.setColumnStretch(column, 0)
        if one_row:
            self._grid.setColumnStretch(len(self._left), 1)
        else:
            self._grid.setColumnStretch(0, 1)
            self._grid.setColumnStretch(1, 1)
        for index, button in enumerate(buttons):
            place = (0, index if index < len(self._left) else index + 1) if one_row else divmod(index, 2)
            self._grid.addWidget(button, *place)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.fit(self.width())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        widths = sorted((b.sizeHint().width() for b in (*self._left, *self._right)), reverse=True)
        height = self._grid.minimumSize().height()
        return QSize(sum(widths[:2]) + 8, height)


class FittingScrollArea(QScrollArea):
    """As high as what it holds, up to ``most_height`` as a wish; smaller when the window is, then it scrolls.

    ``all_seen`` comes once, when everything in ``must_see`` has been in view.
    """

    all_seen = Signal()

    def __init__(
        self, content: QWidget, *, least_height: int, most_height: int, must_see: Sequence[QWidget] = ()
    ) -> None:
        super().__init__()
        self._unseen = list(must_see)
        self._least, self._most = least_height, most_height
        self._height = least_height
        self._is_cut = False
        self._content = content
        content.setProperty("role", "clear")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)

    @property
    def wants_room(self) -> bool:
        """Whether it would show more if the dialog had more room."""
        return self._is_cut

    @property
    def all_was_seen(self) -> bool:
        """Whether everything that must be seen has been on the screen."""
        return not self._unseen

    def count_as_read(self) -> None:
        """Take everything as seen: another area with the same content has shown it."""
        self._unseen = []

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        self._look()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        super().scrollContentsBy(dx, dy)
        self._look()

    def _look(self) -> None:
        if self._unseen and self.isVisible():
            self._unseen = [widget for widget in self._unseen if not self._is_in_view(widget)]
            if not self._unseen:
                self.all_seen.emit()

    def _is_in_view(self, widget: QWidget) -> bool:
        """Whether the end of the widget is in view; its begin was, or it is higher than all the room."""
        bottom = widget.mapTo(self._content, QPoint(0, widget.height())).y() + self._content.y()
        return 0 < bottom <= self.viewport().height() + 2

    def fit(self, width: int) -> None:
        """Set the heights for this outer width."""
        for box in self._content.findChildren(PlainBox):
            box.fit(width - 16)
        inner = width - 12
        has_width = self._content.hasHeightForWidth()
        wanted = 4 + (self._content.heightForWidth(inner) if has_width else self._content.sizeHint().height())
        self._is_cut = wanted > self._most
        self._height = min(wanted, self._most)
        self.setMinimumHeight(min(wanted, self._least))
        self.setMaximumHeight(_NO_LIMIT if self._is_cut else wanted)
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.fit(self.width())


def row(*widgets: QWidget, spacing: int = 8, stretch_last: bool = False) -> QHBoxLayout:
    """Return the widgets side by side, aligned at the top."""
    layout = QHBoxLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
    if stretch_last:
        layout.setStretch(len(widgets) - 1, 1)
    return layout


def notice_row(theme: ThemeManager, text: str, severity: str) -> QFrame:
    """Return a boxed line with an icon; ``severity`` is ``note``, ``finding`` or ``severe``."""
    icon, colour = {
        "note": ("info", "muted"),
        "finding": ("triangle-alert", "warning"),
        "severe": ("octagon-alert", "error"),
    }[severity]
    frame = QFrame()
    frame.setProperty("role", severity)
    layout = QHBoxLayout(frame)
    layout.setContentsMargins(10, 7, 10, 7)
    layout.addLayout(row(icon_label(theme, icon, colour), plain_label(text, "text"), stretch_last=True))
    return frame


def fact_grid(facts: list[tuple[str, str, str]]) -> QWidget:
    """Return captions with their values; each is a name for tests, a caption and a value."""
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(2, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, widget.fontMetrics().averageCharWidth() * 12)  # grids below each other line up
    for index, (name, caption, value) in enumerate(facts):
        label = plain_label(caption, "muted", wrap=False)
        shown = plain_label(value)
        shown.setObjectName(f"fact_{name}")
        shown.setAccessibleName(labelled(caption, value))
        grid.addWidget(label, index, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(shown, index, 1)
    return widget
