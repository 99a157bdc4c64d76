"""A dialog of the settings window with a list that scrolls: a title, a few words, rows, and buttons below."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QDialogButtonBox, QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.ui.dialogs.parts import scrolled
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.endpoints.parts import words
from desktop.ui.settings.row_list import RowList
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 640, 560


class ListDialog(ReturningDialog):
    """Opened with ``open()``. A subclass adds the buttons and sets all words in ``retranslate``."""

    def __init__(self, object_name: str, parent: QWidget | None, theme: ThemeManager) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName(object_name)
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._title, self._description = words("title"), words("muted")
        self._list = RowList(f"{object_name}Rows")
        self._list.setProperty("role", "clear")
        card = QFrame()
        card.setProperty("role", "settingCard")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self._list)
        canvas = QWidget()
        canvas.setProperty("role", "clear")
        column = QVBoxLayout(canvas)
        column.setContentsMargins(0, 0, 6, 0)
        column.addWidget(card)
        column.addStretch(1)
        self.area = scrolled(canvas)
        self.buttons = QDialogButtonBox()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self._description)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.buttons)
        self.setMinimumSize(420, 320)
        self.resize(theme.px(_WIDTH), theme.px(_HEIGHT))

    def set_texts(self, title: str, description: str) -> None:
        self.setWindowTitle(title)
        self._title.setText(title)
        self._description.setText(description)

    def set_rows(self, rows: Sequence[QWidget]) -> None:
        self._list.set_rows(rows)

    def add_button(self, name: str, *, accepts: bool = False) -> QPushButton:
        """Add a button; one that ``accepts`` is the chief one."""
        button = QPushButton()
        button.setObjectName(name)
        button.setAutoDefault(False)
        if accepts:
            button.setProperty("role", "primary")
            button.setDefault(True)
        role = QDialogButtonBox.ButtonRole.AcceptRole if accepts else QDialogButtonBox.ButtonRole.RejectRole
        self.buttons.addButton(button, role)
        return button

    def retranslate(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
