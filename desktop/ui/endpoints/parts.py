"""Small parts of the endpoint forms: plain words, a field with its label and its problem, a list box one can type into."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import set_property
from desktop.ui.plain_label import PlainLabel
from desktop.ui.state.readable import readable

MOST_SHOWN = 300
"""Characters of a text that a server or an endpoint wrote."""


def words(role: str = "", name: str = "") -> QLabel:
    """Return a label for plain text that wraps."""
    return PlainLabel(role=role, object_name=name)


def shown(text: str) -> str:
    """Return an untrusted text for one label: bounded, and with what could deceive made visible."""
    text = readable(text)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"


class Field(QWidget):
    """A control below its label, with a hint that gives way to what is wrong."""

    def __init__(self, control: QWidget, beside: Sequence[QWidget] = (), *, keeps_room: bool = False) -> None:
        """``keeps_room`` for a hint that comes by itself: what stands below must not move under the mouse."""
        super().__init__()
        self._keeps_room = keeps_room
        self._control = control
        self._hint_text = ""
        self._label = words("fieldLabel")
        self._label.setBuddy(control)
        self._hint = words("muted")
        self._hint.setVisible(keeps_room)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(control, 1)
        for widget in beside:
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._label)
        layout.addLayout(row)
        layout.addWidget(self._hint)

    @property
    def problem(self) -> str:
        """What is wrong, as it is shown."""
        return self._hint.text() if self._hint.property("role") == "error" else ""

    def set_label(self, text: str) -> None:
        self._label.setText(text)
        self._control.setAccessibleName(text)

    @property
    def hint(self) -> str:
        return self._hint_text

    def set_hint(self, text: str) -> None:
        self._hint_text = text
        self.show_problem("")

    def show_problem(self, text: str) -> None:
        """Say what is wrong; empty when it is right, then the hint stands there."""
        set_property(self._hint, "role", "error" if text else "muted")
        set_property(self._control, "invalid", bool(text))
        self._hint.setText(text or self._hint_text)
        self._hint.setVisible(self._keeps_room or bool(text or self._hint_text))
        self._control.setAccessibleDescription(text or self._hint_text)


class ModelBox(QComboBox):
    """A list of models in which one can also type; the wheel does not change it."""

    chosen = Signal()
    """Another model was typed or picked by the user."""

    def __init__(self, *, editable: bool = True) -> None:
        super().__init__()
        self.setProperty("role", "models")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setMaxVisibleItems(14)
        self.setEditable(editable)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = self.completer()
        if isinstance(completer, QCompleter):
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.activated.connect(lambda _index: self.chosen.emit())
        if (edit := self.lineEdit()) is not None:
            edit.textEdited.connect(lambda _text: self.chosen.emit())

    @property
    def chosen_model(self) -> str:
        return self.currentText().strip()

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self.itemText(index) for index in range(self.count()))

    def set_models(self, models: Sequence[str], model: str) -> None:
        """Offer ``models`` and show ``model``, which need not be one of them."""
        self.clear()
        self.addItems(list(models))
        self.setCurrentIndex(self.findText(model, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive))
        if self.isEditable():
            self.setEditText(model)
            edit = self.lineEdit()
            if edit is not None:
                edit.setCursorPosition(0)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


class Disclosure(QToolButton):
    """Shows and hides ``content``; a screen reader hears whether it is open."""

    def __init__(self, name: str, content: QWidget) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "disclosure")
        self.setCheckable(True)
        self.setArrowType(Qt.ArrowType.RightArrow)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._content = content
        content.hide()
        self.toggled.connect(self._show)
        # What a click opened must be seen; its place is known once the page was laid out anew.
        self.clicked.connect(lambda is_open: QTimer.singleShot(0, self, self._bring_into_view) if is_open else None)

    def _show(self, is_open: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self._content.setVisible(is_open)

    def _bring_into_view(self) -> None:
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and self.isChecked():
            scroll_to(above, self._content)


class LinkButton(QPushButton):
    """A button that looks like a link."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)


def scroll_to(area: QScrollArea, widget: QWidget) -> None:
    """Show the whole of ``widget``, or its beginning where it is higher than the area."""
    canvas = area.widget()
    if canvas is None:
        return
    place = QRect(widget.mapTo(canvas, widget.rect().topLeft()), widget.size())
    bar, height = area.verticalScrollBar(), area.viewport().height()
    if place.bottom() + 16 > bar.value() + height:
        bar.setValue(min(place.top() - 16, place.bottom() + 16 - height))
