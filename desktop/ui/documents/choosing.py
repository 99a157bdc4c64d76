"""Asks for the files, or the folder, that are to become documents."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.dialogs.returning_dialog import ReturningFileDialog


def choose_paths(
    parent: QWidget, title: str, begin: str, chosen: Callable[[Sequence[Path]], object], *, folders: bool
) -> ReturningFileDialog:
    """Open the choice in the folder ``begin``, and return it; ``chosen`` gets what the user chose."""
    dialog = ReturningFileDialog(parent, title, begin)
    modes = ReturningFileDialog.FileMode
    dialog.setFileMode(modes.Directory if folders else modes.ExistingFiles)
    if folders:
        dialog.setOption(ReturningFileDialog.Option.ShowDirsOnly, on=True)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: chosen([Path(name) for name in names]))
    dialog.open()
    return dialog
