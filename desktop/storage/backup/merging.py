"""The chats of an unpacked backup, one by one, for the import of chats to take in."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from desktop.conversation.interchange.ports import ChatExchange, ChatFile, ChatFileReader, Found, OpenChat, Progress
from desktop.conversation.interchange.records import ImportedChat, MessageRecord, Source
from desktop.core.errors import FileError
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store

_CHATS = "SELECT id FROM threads WHERE is_temporary = 0 AND is_purging = 0 ORDER BY updated_at, seq"
_CHUNK = 500


class BackupChats(ChatFileReader):
    """See ``conversation.interchange.ports.ChatFileReader``; what is read is the folder of an unpacked backup.

    ``here`` is asked what of a chat is missing, so that only those files are read.
    """

    def __init__(self, here: ChatExchange) -> None:
        self._here = here

    @asynccontextmanager
    async def read(self, path: Path) -> AsyncGenerator[AsyncGenerator[Found, None], None]:
        """As in the port."""
        store = await open_store(DataPaths(path))
        try:
            chats = self._chats(store)
            try:
                yield chats
            finally:
                await chats.aclose()
        finally:
            await store.close()

    async def _chats(self, store: Store) -> AsyncGenerator[Found, None]:
        ids = await store.database.read(_ids)
        if not ids:
            raise FileError("file.no_chats", name="")
        for number, thread_id in enumerate(ids):
            yield Progress(done=number, total=len(ids))
            chat = await store.exchange.open(thread_id)
            if chat is None:
                continue
            imported = await _imported(store, chat)
            yield imported
            missing = await self._here.missing(imported) if imported.files else frozenset[str]()
            wanted = {key for message in imported.messages if message.id in missing for key in message.file_ids}
            for key in sorted(wanted & imported.files):
                original = store.attachments.original(key)
                if original is not None:
                    data = await asyncio.to_thread(original.read_bytes)
                    yield ChatFile(key=key, name=original.name, data=data)


def _ids(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute(_CHATS)]


async def _imported(store: Store, chat: OpenChat) -> ImportedChat:
    messages: list[MessageRecord] = []
    for start in range(0, len(chat.numbers), _CHUNK):
        messages += await store.exchange.messages(chat, chat.numbers[start : start + _CHUNK])
    return ImportedChat(source=Source.THREADWELL, chat=chat.chat, messages=tuple(messages), files=frozenset(chat.files))
