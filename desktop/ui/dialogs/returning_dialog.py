"""A dialog after which the user is where they were before."""

from PySide6.QtWidgets import QDialog, QFileDialog, QWidget


class ReturningDialog(QDialog):
    """Gives its window the attention back, which then puts the focus where it was; not every desktop sees to that.

    Only where the dialog had it: who went to another program meanwhile is not called back.
    """

    def done(self, result: int) -> None:
        was_active = self.isActiveWindow()
        super().done(result)
        _give_back(self, was_active)


class ReturningFileDialog(QFileDialog):
    """The same for the choice of a file or folder."""

    def done(self, result: int) -> None:
        was_active = self.isActiveWindow()
        super().done(result)
        _give_back(self, was_active)


def _give_back(dialog: QWidget, was_active: bool) -> None:
    parent = dialog.parentWidget()
    if was_active and parent is not None:
        parent.window().activateWindow()
