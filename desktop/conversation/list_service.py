"""What a person does to put chats in order: pin, archive, put into folders, mark as unread; each can be taken back whole."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from desktop.conversation.entities import Thread
from desktop.conversation.lists import Folder, ListKind, PageKey, Place, ThreadListRepository, ThreadPage
from desktop.conversation.service import ConversationService
from desktop.core.clock import Clock, utc_now
from desktop.core.signal import Signal

Places = Mapping[str, Place]


@dataclass(frozen=True)
class DeletedFolder:
    """What brings a folder back: what it was, and the threads that were in it."""

    folder: Folder
    thread_ids: tuple[str, ...]


class ListService:
    """Changes where threads stand. What changes a place returns where the threads were, for ``put_back``.

    Each thread that changed is announced by ``ConversationService.thread_changed``. ``folders_changed`` carries all
    folders as they are after one was made, renamed, moved, opened, closed, deleted or brought back.
    """

    def __init__(
        self, repository: ThreadListRepository, conversations: ConversationService, *, clock: Clock = utc_now
    ) -> None:
        self._repository = repository
        self._conversations = conversations
        self._clock = clock
        self._changing = asyncio.Lock()
        self.folders_changed = Signal[tuple[Folder, ...]]()

    async def page(
        self, kind: ListKind, *, folder_id: str = "", limit: int = 200, after: PageKey | None = None
    ) -> ThreadPage:
        return await self._repository.page(kind, folder_id=folder_id, limit=limit, after=after)

    async def folders(self) -> tuple[Folder, ...]:
        return await self._repository.folders()

    # -- threads

    async def pin(self, thread_ids: Sequence[str]) -> Places:
        """Pin threads, the first one topmost. One that is pinned already stays where it is; an archived one comes back."""
        now = self._clock()
        order = {thread_id: number for number, thread_id in enumerate(reversed(thread_ids))}
        return await self._change(
            thread_ids,
            lambda thread: replace(
                Place.of(thread),
                pinned_at=thread.pinned_at or now + timedelta(microseconds=order[thread.id]),
                archived_at=None,
            ),
        )

    async def unpin(self, thread_ids: Sequence[str]) -> Places:
        return await self._change(thread_ids, lambda thread: replace(Place.of(thread), pinned_at=None))

    async def archive(self, thread_ids: Sequence[str]) -> Places:
        """Take threads out of the list; they are kept, found by a search, and come back with their next message."""
        now = self._clock()
        order = {thread_id: number for number, thread_id in enumerate(reversed(thread_ids))}
        return await self._change(
            thread_ids,
            lambda thread: replace(
                Place.of(thread), archived_at=thread.archived_at or now + timedelta(microseconds=order[thread.id])
            ),
        )

    async def unarchive(self, thread_ids: Sequence[str]) -> Places:
        return await self._change(thread_ids, lambda thread: replace(Place.of(thread), archived_at=None))

    async def move(self, thread_ids: Sequence[str], folder_id: str | None) -> Places:
        """Put threads into a folder, with None into none, where they are seen: not pinned, not archived."""
        return await self._change(thread_ids, lambda _thread: Place(folder_id=folder_id))

    async def put_back(self, places: Places) -> None:
        """Let threads stand where they stood."""
        async with self._changing:
            await self._repository.set_places(places)
        await self._announce(tuple(places))
        await self.announce_folders()

    async def mark_unread(self, thread_ids: Sequence[str], unread: bool = True) -> None:
        """Note that there is something in the threads that was not seen, or that it was."""
        await self._repository.set_unread(thread_ids, unread)
        await self._announce(thread_ids)

    # -- folders

    async def create_folder(self, name: str) -> Folder | None:
        """Make a folder; None for a blank name."""
        if not name.strip():
            return None
        folder = await self._repository.create_folder(name)
        await self.announce_folders()
        return folder

    async def rename_folder(self, folder_id: str, name: str) -> None:
        """Give a folder another name; blank is ignored."""
        if name.strip():
            await self._repository.rename_folder(folder_id, name)
            await self.announce_folders()

    async def open_folder(self, folder_id: str, is_open: bool) -> None:
        """Show or hide what is in a folder, also at the next start."""
        await self._repository.set_folder_open(folder_id, is_open)
        await self.announce_folders()

    async def move_folder(self, folder_id: str, before: str | None) -> None:
        """Put a folder before another one, with None below all."""
        await self._repository.move_folder(folder_id, before)
        await self.announce_folders()

    async def delete_folder(self, folder_id: str) -> DeletedFolder | None:
        """Delete a folder; its threads go back to the list. None where it is not there."""
        async with self._changing:
            folder = next((each for each in await self._repository.folders() if each.id == folder_id), None)
            if folder is None:
                return None
            inside = await self._repository.delete_folder(folder_id)
        await self.announce_folders()
        await self._announce(inside)
        return DeletedFolder(folder, inside)

    async def restore_folder(self, deleted: DeletedFolder) -> None:
        """Bring a folder back with the threads that were in it."""
        async with self._changing:
            await self._repository.restore_folder(deleted.folder, deleted.thread_ids)
        await self.announce_folders()
        await self._announce(deleted.thread_ids)

    async def announce_folders(self) -> None:
        """Tell everybody which folders there are, and how much is in them."""
        self.folders_changed.emit(await self._repository.folders())

    # -- inside

    async def _change(self, thread_ids: Sequence[str], place_of: Callable[[Thread], Place]) -> Places:
        async with self._changing:
            before: dict[str, Place] = {}
            after: dict[str, Place] = {}
            for thread in await self._repository.threads(thread_ids):
                if not thread.options.is_temporary and (place := place_of(thread)) != Place.of(thread):
                    before[thread.id], after[thread.id] = Place.of(thread), place
            if after:
                await self._repository.set_places(after)
        await self._announce(tuple(after))
        if any(place.folder_id is not None for place in before.values()):
            await self.announce_folders()  # nothing else tells that there is less in them
        return before

    async def _announce(self, thread_ids: Sequence[str]) -> None:
        for thread in await self._repository.threads(thread_ids):
            if thread.deleted_at is None:
                self._conversations.thread_changed.emit(thread)
