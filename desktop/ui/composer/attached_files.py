"""The files that go with the message: their chips above the text field, and the button that adds some."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.ui.controls import describe, prepare_icon_button
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import AttachmentPart
    from desktop.ui.composer.attached_chip import AttachedChip
    from desktop.ui.composer.chip_list import ChipList


class AttachedFiles(QObject):
    """``place`` puts the chips where they belong; they are made with the first file.

    Signals:
        given: files shall be attached; carries their paths (``list[Path]``).
        picture_given: a picture without a file; carries its bytes or a ``QImage``.
        choice_requested: the user wants to choose files.
        view_requested, remove_requested: of the file with this key.
        changed: which files there are, or whether they have been read.
        left: a chip went that had the focus.
    """

    given = Signal(list)
    picture_given = Signal(object)
    choice_requested = Signal()
    view_requested = Signal(str)
    remove_requested = Signal(str)
    changed = Signal()
    left = Signal()

    def __init__(self, theme: ThemeManager, place: Callable[[QWidget], object], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place = place
        self._list: ChipList | None = None
        self._shown: dict[str, AttachedChip] = {}
        self._is_blind = False
        self.button = QToolButton(parent)
        prepare_icon_button(self.button, theme, "attachButton", "paperclip")
        self.button.clicked.connect(self.choice_requested)

    @property
    def is_empty(self) -> bool:
        return not self._shown

    @property
    def is_reading(self) -> bool:
        return any(chip.is_reading for chip in self._shown.values())

    def texts(self) -> list[str]:
        """What is sent of the files as text."""
        return [chip.part.text for chip in self._shown.values() if chip.part is not None and chip.part.text]

    def names(self) -> list[str]:
        return [chip.accessibleName() for chip in self._shown.values()]

    def focus_stops(self) -> list[QWidget]:
        return [stop for chip in self._shown.values() for stop in chip.focus_stops()]

    def show_files(self, files: dict[str, str]) -> None:
        """Show files by key and name; those that are shown already stay the same chips."""
        if list(files) == list(self._shown):
            return
        had_focus = [key for key in self._shown if key not in files and self._has_focus(self._shown[key])]
        self._shown = {key: self._shown.get(key) or self._make(key, name) for key, name in files.items()}
        if had_focus:
            self.left.emit()
        self._shown_list().show_chips(list(self._shown.values()))
        self.changed.emit()

    def show_part(self, key: str, part: "AttachmentPart") -> None:
        """The file with this key was read."""
        if (chip := self._shown.get(key)) is not None:
            chip.show_part(part)
            self.changed.emit()

    def show_thumbnail(self, key: str, picture: QPixmap) -> None:
        if (chip := self._shown.get(key)) is not None:
            chip.show_thumbnail(picture)

    def set_blind(self, is_blind: bool) -> None:
        """Say beside images that the model in use does not see them, or no more."""
        self._is_blind = is_blind
        for chip in self._shown.values():
            chip.set_blind(is_blind)

    def retranslate(self) -> None:
        describe(self.button, self.tr("Attach files"), tooltip=self.tr("Attach images, text files or PDFs"))

    def _make(self, key: str, name: str) -> "AttachedChip":
        from desktop.ui.composer.attached_chip import AttachedChip

        chip = AttachedChip(self._theme, name)
        chip.set_blind(self._is_blind)
        chip.view_requested.connect(lambda: self.view_requested.emit(key))
        chip.remove_requested.connect(lambda: self.remove_requested.emit(key))
        return chip

    def _shown_list(self) -> "ChipList":
        if self._list is None:
            from desktop.ui.composer.chip_list import ChipList

            self._list = ChipList("attachedFiles")
            self._place(self._list)
        return self._list

    @staticmethod
    def _has_focus(chip: QWidget) -> bool:
        focused = chip.window().focusWidget()
        return focused is not None and (focused is chip or chip.isAncestorOf(focused))
