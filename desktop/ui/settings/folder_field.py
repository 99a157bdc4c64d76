"""A folder's address that can be read and copied whole, with the buttons that go with it, and the way to choose one."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from desktop.ui.controls import announce, pass_undo_on, set_property
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog
from desktop.ui.punctuation import labelled
from desktop.ui.settings.layouts import Wrapping


class FolderField(QWidget):
    """A text field with buttons after it, or below where the width does not suffice."""

    def __init__(self, object_name: str, *buttons: str) -> None:
        super().__init__()
        self.edit = QLineEdit()
        self.edit.setObjectName(object_name)
        pass_undo_on(self.edit)
        self.edit.setMinimumWidth(180)
        self.edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.buttons = [QPushButton() for _ in buttons]
        for button, name in zip(self.buttons, buttons, strict=True):
            button.setObjectName(name)
        self._problem = QLabel()
        self._problem.setProperty("role", "error")
        self._problem.setObjectName(f"{object_name}-problem")
        self._problem.hide()
        self.setLayout(Wrapping(self.edit, *self.buttons, self._problem))
        self.setFocusProxy(self.edit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_path(self, path: str) -> None:
        """Put the address in, its beginning in sight; what was wrong with another one is forgotten."""
        self.show_problem("")
        if self.edit.text() != path:
            self.edit.setText(path)
            self.edit.setCursorPosition(0)
        self.edit.setToolTip(path)

    def show_problem(self, problem: str) -> None:
        """Say below the field what is wrong with it; empty when nothing is."""
        if problem == self._problem.text():
            return
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.edit.setAccessibleDescription(problem)
        set_property(self.edit, "invalid", bool(problem))
        if problem:
            announce(self.edit, problem)

    def set_words(self, *words: str) -> None:
        """Set the buttons' texts; a screen reader hears them with the name of the folder."""
        for button, text in zip(self.buttons, words, strict=True):
            button.setText(text)
            button.setAccessibleName(labelled(text, self.accessibleName()))
        self.updateGeometry()

    def setAccessibleName(self, name: str) -> None:  # noqa: N802
        super().setAccessibleName(name)
        self.edit.setAccessibleName(name)
        for button in self.buttons:
            button.setAccessibleName(labelled(button.text(), name))

    def make_read_only(self) -> None:
        self.edit.setReadOnly(True)
        self.edit.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class FolderDialog(ReturningFileDialog):
    """Opened with ``open()``; deletes itself when closed."""

    def __init__(self, object_name: str, parent: QWidget, title: str, start: str) -> None:
        """It begins at ``start``; where that is no folder, in the home folder."""
        super().__init__(parent, title, start if Path(start).is_dir() else str(Path.home()))
        self.setObjectName(object_name)
        self.setFileMode(self.FileMode.Directory)
        self.setOption(self.Option.ShowDirsOnly)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
