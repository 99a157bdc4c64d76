"""A yes-or-no question of the app itself, before something that cannot be taken back."""

import asyncio

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from desktop.ui.dialogs.parts import ending, plain_label
from desktop.ui.dialogs.returning_dialog import ReturningDialog


async def confirm(
    parent: QWidget | None,
    *,
    title: str,
    text: str,
    confirm_label: str,
    danger: bool = True,
    details: QWidget | None = None,
) -> bool:
    """Ask, and return True only for a click on ``confirm_label``; ``details`` stands below the text.

    Enter and Escape cancel. Cancelling the awaiting task closes the dialog, and so does the end of ``parent``.
    """
    dialog = _ConfirmDialog(parent, title, text, confirm_label, danger, details)
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def settle(confirmed: bool) -> None:
        if not answer.done() and not answer.get_loop().is_closed():
            answer.set_result(confirmed)

    dialog.finished.connect(lambda code: settle(code == QDialog.DialogCode.Accepted.value))
    dialog.destroyed.connect(lambda: settle(False))
    dialog.open()
    try:
        return await answer
    finally:
        _dismiss(dialog)


def _dismiss(dialog: QDialog) -> None:
    try:
        dialog.close()
        dialog.deleteLater()
    except RuntimeError:
        return  # its parent went, and it went with it


class _ConfirmDialog(ReturningDialog):
    def __init__(
        self,
        parent: QWidget | None,
        title: str,
        text: str,
        confirm_label: str,
        danger: bool,
        details: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("confirmDialog")
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        self.setAccessibleName(f"{title} {text}")
        self.setMinimumWidth(400)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(plain_label(title, "title"))
        layout.addWidget(plain_label(text))
        if details is not None:
            self.setMinimumWidth(520)
            layout.addWidget(details)
        layout.addSpacing(8)
        cancel = QPushButton(QCoreApplication.translate("confirm", "Cancel"))
        cancel.setObjectName("confirm_no")
        cancel.setDefault(True)
        accept = QPushButton(confirm_label)
        accept.setObjectName("confirm_yes")
        accept.setAutoDefault(False)
        accept.setProperty("role", "danger" if danger else "primary")
        for button in (cancel, accept):
            button.setAccessibleName(button.text())
        buttons = ending(accept=accept, cancel=cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        cancel.setFocus()
