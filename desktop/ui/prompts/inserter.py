"""Puts the user's own prompts into the message: filled in, where the cursor is, and never sent."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.composer.message_edit import can_hold
from desktop.ui.presenting import Worker
from desktop.ui.prompts.filling import fill_in
from desktop.ui.services import UiServices
from desktop.ui.state.pasted_text import MOST_BYTES, byte_count


class PromptInserter(QObject):
    """``selected_text`` tells what is selected in the chat, for prompts that ask for it."""

    def __init__(self, composer: Composer, drafts: ComposerPresenter, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._composer = composer
        self._drafts = drafts
        self._services = services
        self._worker = Worker(services)
        self.selected_text: Callable[[], str] = lambda: ""

    async def prompts(self) -> Sequence[SavedPrompt]:
        """Return what there is to insert."""
        return await self._services.prompts.all()

    def insert(self, prompt: SavedPrompt) -> None:
        """Ask for what is to be filled in, then write the text where the cursor is."""
        key, chat = self._drafts.key, self._drafts.thread_key
        fill_in(
            self._composer.window(),
            prompt,
            lambda text: self._write(key, chat, prompt, text),
            selected=self.selected_text(),
        )

    def _write(self, key: str, chat: str, prompt: SavedPrompt, text: str) -> None:
        if key != self._drafts.key:  # another chat was opened meanwhile
            self._drafts.put_back(key, text)
        elif can_hold(text) and byte_count(self._composer.text) + byte_count(text) <= MOST_BYTES:
            self._composer.edit.insert_text(text)  # also a long one stands open: it is to be changed
        else:
            self._composer.insert_text(text)
        self._composer.focus_text()
        self._worker.start(self._note_use(chat, prompt), "count the use of a prompt")

    async def _note_use(self, chat: str, prompt: SavedPrompt) -> None:
        """Nothing is kept of a temporary chat, not even that."""
        thread = await self._services.conversations.get_thread(chat) if chat else None
        if thread is None or not thread.options.is_temporary:
            await self._services.prompts.note_use(prompt.id)
