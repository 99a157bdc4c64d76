"""The choice of a place for a file that is written, and the folder in which it begins."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.dialogs.returning_dialog import ReturningFileDialog


def downloads_folder(last: str = "") -> str:
    """Return the folder that was chosen last as long as it is there, else that of downloads, else the home folder."""
    downloads = QStandardPaths.StandardLocation.DownloadLocation
    folder = Path(last or QStandardPaths.writableLocation(downloads) or Path.home())
    return str(folder if folder.is_dir() else Path.home())


def save_dialog(parent: QWidget, title: str, folder: str, object_name: str, file_name: str) -> ReturningFileDialog:
    """Return a dialog to be opened, which emits ``fileSelected`` and deletes itself; ``file_name`` is proposed."""
    dialog = ReturningFileDialog(parent, title, folder)
    dialog.setObjectName(object_name)
    dialog.setAcceptMode(ReturningFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(ReturningFileDialog.FileMode.AnyFile)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.selectFile(file_name)
    return dialog
