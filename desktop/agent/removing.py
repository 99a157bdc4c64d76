"""The use cases of removing a message or what a tool returned: out of sight at once, back again, and gone for good."""

from collections.abc import Sequence

from desktop.agent.chat_service import ChatService
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.removals import RemovalStore, Removed
from desktop.conversation.service import ConversationService
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.memory.service import MemoryService


class MessageRemoval:
    """What is removed can be taken back until it is erased; a crash in between erases it at the next start.

    Signals:
        changed: messages or results of a thread are not shown any more, or are again; carries the thread's id.
    """

    def __init__(
        self,
        *,
        store: RemovalStore,
        chat: ChatService,
        conversations: ConversationService,
        repository: ThreadRepository,
        memory: MemoryService,
    ) -> None:
        self._store = store
        self._chat = chat
        self._conversations = conversations
        self._repository = repository
        self._memory = memory
        self._threads: dict[Removed, str] = {}
        """Where it was removed, as long as it can be taken back."""
        self.changed = Signal[str]()

    async def remove(self, removed: Removed) -> None:
        """Take it out of its chat. What writes the message, or answers it, is stopped before.

        Raises ``StorageError`` where it is not there any more, and ``ThreadwellError("run.busy")`` for a result of an
        answer that is still being written.
        """
        if not removed.call_id:
            for message in await self._repository.messages([removed.message_id]):
                for run in self._chat.runs_of(message.thread_id):
                    if message.id in (run.message_id, run.turn.user_message.id):
                        await self._chat.stop_answer(run.message_id)
        self._threads[removed] = thread_id = await self._store.remove(removed)
        await self._tell(thread_id)

    async def take_back(self, removed: Removed) -> None:
        """Show it again where it stood; nothing happens where it is erased."""
        self._threads.pop(removed, None)
        thread_id = await self._store.take_back(removed)
        if thread_id is not None:
            await self._tell(thread_id)

    async def erase(self, removed: Sequence[Removed] | None = None) -> Receipt:
        """Erase it, with None all that was removed, from the data folder and the index of vectors; return what went."""
        receipt = await self._store.erase(removed)
        if receipt.is_empty:
            return receipt
        receipt = await self._memory.follow_removal(receipt)
        # Their titles may have been made of it.
        for thread_id in {self._threads.pop(one, "") for one in removed or tuple(self._threads)} - {""}:
            await self._conversations.announce(thread_id)
        return receipt

    async def _tell(self, thread_id: str) -> None:
        await self._conversations.announce(thread_id)
        self.changed.emit(thread_id)
