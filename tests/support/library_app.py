"""A library as the app opens it, with its backups: what was decided before the start is carried out first."""

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop.app.backup_merging import Library
from desktop.app.backups import Backups
from desktop.app.restored_library import finish_restore
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.list_service import ListService
from desktop.conversation.prompts.library import PromptLibrary
from desktop.conversation.service import ConversationService
from desktop.core.clock import Clock, utc_now
from desktop.core.paths import DataPaths
from desktop.core.secrets import SecretStore
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.document_service import DocumentService
from desktop.memory.service import MemoryService
from desktop.storage.store import Store, open_store
from tests.support.document_service import document_service
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.memory_service import memory_service
from tests.support.stores import say


@dataclass
class LibraryApp:
    store: Store
    backups: Backups
    settings: SettingsStore
    conversations: ConversationService
    memory: MemoryService
    secrets: SecretStore
    lists: ListService
    prompts: PromptLibrary
    assistants: AssistantLibrary
    documents: DocumentService

    async def chat(self, text: str, *, turns: int = 1) -> str:
        """Store a chat and return its id."""
        thread = await self.store.threads.create_thread()
        for number in range(turns):
            await say(self.store, thread.id, f"{text} {number}", f"An answer to {text} {number}. " + "Words. " * 20)
        return thread.id

    async def chats(self) -> set[str]:
        """Return the ids of all chats, without the Trash."""
        found: set[str] = set()
        while page := await self.store.threads.list_threads(limit=500, offset=len(found)):
            found |= {thread.id for thread in page}
        return found

    def change(self, **values: object) -> None:
        """Change the settings of backups."""
        settings = self.settings.settings
        self.settings.update(
            dataclasses.replace(settings, backup=dataclasses.replace(settings.backup, **values))  # pyright: ignore[reportArgumentType]
        )


@asynccontextmanager
async def library_app(
    folder: Path, backups: Path | None = None, *, clock: Clock = utc_now, secrets: SecretStore | None = None
) -> AsyncIterator[LibraryApp]:
    """Open the library in ``folder``; its backups go to ``backups``."""
    paths = DataPaths(folder)
    finish_restore(paths)
    store = await open_store(paths, clock)
    settings = SettingsStore(paths.settings)
    tasks = TaskSupervisor()
    keys = secrets or InMemorySecrets()
    conversations = ConversationService(store.threads)
    memory = memory_service(store.memory, store.passages, tasks)
    lists, prompts = ListService(store.lists, conversations), PromptLibrary(store.prompts)
    documents = document_service(store.documents, memory.indexing, tasks, folder)
    assistants = AssistantLibrary(store.assistants)
    await assistants.load()
    library = Library(
        store=store,
        conversations=conversations,
        lists=lists,
        prompts=prompts,
        assistants=assistants,
        memory=memory,
        documents=documents,
    )
    service = Backups(library=library, settings=settings, secrets=keys, clock=clock)
    app = LibraryApp(store, service, settings, conversations, memory, keys, lists, prompts, assistants, documents)
    app.change(folder=str(backups or folder.parent / "backups"))
    try:
        await store.threads.recover()
        yield app
    finally:
        await documents.close()
        await memory.indexing.close()
        await tasks.close()
        await store.close()
