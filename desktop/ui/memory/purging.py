"""Asks before chats are deleted for good, and what becomes of the memories that came from them."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QRadioButton, QVBoxLayout, QWidget

from desktop.core.receipt import Receipt
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.dialogs.parts import plain_label
from desktop.ui.services import UiServices


@dataclass(frozen=True)
class Agreed:
    """The user wants the chats gone, with these memories."""

    item_ids: tuple[str, ...] = ()

    async def forget(self, services: UiServices) -> Receipt:
        """Forget the memories; before their chats go, in which they are known again. Raises ``StorageError``."""
        return await services.memory.forget(self.item_ids) if self.item_ids else Receipt()


async def ask_to_purge(
    parent: QWidget, services: UiServices, thread_ids: Sequence[str], *, title: str, text: str, confirm_label: str
) -> Agreed | None:
    """Ask; None where the user thought better of it. Where memories came from the chats, that is part of the question.

    What counts in one of the chats alone goes with it, whatever is chosen.
    """
    items = await services.memory.from_threads(thread_ids)
    item_ids = tuple(item.id for item in items if item.only_thread_id not in thread_ids)
    choice = MemoriesOfChats(len(item_ids), len(thread_ids)) if item_ids else None
    if not await confirm(parent, title=title, text=text, confirm_label=confirm_label, details=choice):
        return None
    return Agreed(item_ids if choice is not None and choice.forgets else ())


class MemoriesOfChats(QWidget):
    """Keep them, unless the user chooses otherwise: what was learned may be worth more than the chat."""

    def __init__(self, count: int, chats: int) -> None:
        super().__init__()
        self.setObjectName("purgeMemories")
        self.setProperty("role", "clear")
        if chats == 1:
            words = self.tr("%n memories come from this chat.", "", count)
        else:
            words = self.tr("%n memories come from these chats.", "", count)
        self._keep, self._forget = QRadioButton(self.tr("Keep them")), QRadioButton(self.tr("Forget them too"))
        self._keep.setObjectName("purgeKeepsMemories")
        self._forget.setObjectName("purgeForgetsMemories")
        self._keep.setChecked(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(plain_label(words, "label"))
        for button in (self._keep, self._forget):
            button.setAccessibleName(f"{words} {button.text()}")
            layout.addWidget(button)
        note = self.tr("Kept memories lose the words that they quote from the chat.")
        layout.addWidget(plain_label(note, "muted"))

    @property
    def forgets(self) -> bool:
        return self._forget.isChecked()
