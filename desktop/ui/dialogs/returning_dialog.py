"""A dialog after which the user is where they were before."""

from PySide6.QtWidgets import QDialog


class ReturningDialog(QDialog):
    """Gives its window the attention back, which then puts the focus where it was; not every desktop sees to that.

    Only where the dialog had it: who went to another program meanwhile is not called back.
    """

    def done(self, result: int) -> None:
        was_active = self.isActiveWindow()
        super().done(result)
        parent = self.parentWidget()
        if was_active and parent is not None:
            parent.window().activateWindow()
