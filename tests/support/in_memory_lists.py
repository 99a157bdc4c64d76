"""A fake of the lists of threads, beside the fake of the threads themselves; held to its promises by the contracts."""

import dataclasses
from collections.abc import Mapping, Sequence

from desktop.conversation.entities import Thread
from desktop.conversation.lists import (
    LONGEST_FOLDER_NAME,
    Folder,
    ListKind,
    PageKey,
    Place,
    ThreadListRepository,
    ThreadPage,
    list_of,
)
from desktop.core.ids import new_id
from tests.support.in_memory_threads import InMemoryThreadRepository


class InMemoryThreadLists(ThreadListRepository):
    """See ``conversation.lists.ThreadListRepository``."""

    def __init__(self, threads: InMemoryThreadRepository) -> None:
        self._threads = threads
        self._folders: dict[str, Folder] = {}

    async def page(
        self, kind: ListKind, *, folder_id: str = "", limit: int = 200, after: PageKey | None = None
    ) -> ThreadPage:
        wanted = folder_id if kind is ListKind.FOLDER else None
        found: list[tuple[PageKey, Thread]] = []
        for thread, changed, deleted in self._threads.listed():
            if list_of(thread) is not kind or (wanted is not None and thread.folder_id != wanted):
                continue
            marks = {ListKind.PINNED: thread.pinned_at, ListKind.ARCHIVE: thread.archived_at}
            moment = marks.get(kind)
            first = changed if moment is None else round(moment.timestamp() * 1_000_000)
            found.append(((deleted if kind is ListKind.TRASH else first, changed), thread))
        found.sort(key=lambda each: each[0], reverse=True)
        rows = [each for each in found if after is None or each[0] < after][: max(0, limit)]
        return ThreadPage(
            threads=tuple(thread for _, thread in rows), next=rows[-1][0] if rows and len(rows) >= limit else None
        )

    async def threads(self, thread_ids: Sequence[str]) -> tuple[Thread, ...]:
        found = [await self._threads.get_thread(thread_id) for thread_id in thread_ids]
        return tuple(thread for thread in found if thread is not None)

    async def set_places(self, places: Mapping[str, Place]) -> None:
        for thread_id, place in places.items():
            folder_id = place.folder_id if place.folder_id in self._folders else None
            self._threads.place(thread_id, dataclasses.replace(place, folder_id=folder_id))

    async def set_unread(self, thread_ids: Sequence[str], unread: bool) -> None:
        for thread_id in thread_ids:
            self._threads.set_unread(thread_id, unread)

    async def folders(self) -> tuple[Folder, ...]:
        shown = [thread for thread, *_ in self._threads.listed() if list_of(thread) is ListKind.FOLDER]
        return tuple(
            dataclasses.replace(
                folder,
                chats=sum(thread.folder_id == folder.id for thread in shown),
                unread=sum(thread.folder_id == folder.id and thread.is_unread for thread in shown),
            )
            for folder in sorted(self._folders.values(), key=lambda each: each.position)
        )

    async def create_folder(self, name: str) -> Folder:
        position = max((folder.position for folder in self._folders.values()), default=0) + 1
        folder = Folder(id=new_id(), name=_one_line(name), position=position)
        self._folders[folder.id] = folder
        return folder

    async def rename_folder(self, folder_id: str, name: str) -> None:
        self._change(folder_id, name=_one_line(name))

    async def set_folder_open(self, folder_id: str, is_open: bool) -> None:
        self._change(folder_id, is_open=is_open)

    async def move_folder(self, folder_id: str, before: str | None) -> None:
        ids = [folder.id for folder in sorted(self._folders.values(), key=lambda each: each.position)]
        if folder_id not in ids or before == folder_id:
            return
        ids.remove(folder_id)
        ids.insert(ids.index(before) if before in ids else len(ids), folder_id)
        for number, each in enumerate(ids, 1):
            self._change(each, position=number)

    async def delete_folder(self, folder_id: str) -> tuple[str, ...]:
        if self._folders.pop(folder_id, None) is None:
            return ()
        return self._threads.leave_folder(folder_id)

    async def restore_folder(self, folder: Folder, thread_ids: Sequence[str]) -> None:
        self._folders.setdefault(folder.id, dataclasses.replace(folder, chats=0, unread=0))
        for thread in await self.threads(thread_ids):
            if thread.folder_id is None:
                self._threads.place(thread.id, dataclasses.replace(Place.of(thread), folder_id=folder.id))

    def _change(self, folder_id: str, **values: str | bool | int) -> None:
        if folder_id in self._folders:
            self._folders[folder_id] = dataclasses.replace(self._folders[folder_id], **values)  # type: ignore[arg-type]


def _one_line(name: str) -> str:
    return " ".join(name.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split())[:LONGEST_FOLDER_NAME]
