"""The store of a data folder: its repositories on one database."""

from dataclasses import dataclass

from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage.attachments import FolderAttachments
from desktop.storage.chat_exchange import SqliteChatExchange
from desktop.storage.database import Database
from desktop.storage.sqlite_assistants import SqliteAssistantStore
from desktop.storage.sqlite_documents import SqliteDocumentRepository
from desktop.storage.sqlite_ledger import SqliteTaintRepository, SqliteToolLedger
from desktop.storage.sqlite_lists import SqliteThreadLists
from desktop.storage.sqlite_memory import SqliteMemoryRepository
from desktop.storage.sqlite_passages import SqlitePassageStore
from desktop.storage.sqlite_pins import SqlitePinRepository
from desktop.storage.sqlite_prompts import SqlitePromptRepository
from desktop.storage.sqlite_queue import SqliteQueue, SqliteReadingPlaces
from desktop.storage.sqlite_readings import SqliteReadings
from desktop.storage.sqlite_removals import SqliteRemovals
from desktop.storage.sqlite_requests import SqliteRequestRecords
from desktop.storage.sqlite_search import SqliteChatSearch
from desktop.storage.sqlite_sessions import SqliteSessionLedger
from desktop.storage.sqlite_summaries import SqliteSummaryRepository
from desktop.storage.sqlite_threads import SqliteThreadRepository
from desktop.storage.sqlite_titles import SqliteTitles
from desktop.storage.sqlite_tools import SqliteGrantRepository, SqliteToolJournal
from desktop.storage.usage import StoredData


@dataclass(frozen=True)
class Store:
    """Open repositories. ``close`` them when everything that uses them has ended."""

    threads: SqliteThreadRepository
    lists: SqliteThreadLists
    """In which list each thread stands."""
    search: SqliteChatSearch
    attachments: FolderAttachments
    journal: SqliteToolJournal
    grants: SqliteGrantRepository
    taints: SqliteTaintRepository
    pins: SqlitePinRepository
    ledger: SqliteToolLedger
    memory: SqliteMemoryRepository
    readings: SqliteReadings
    passages: SqlitePassageStore
    documents: SqliteDocumentRepository
    requests: SqliteRequestRecords
    summaries: SqliteSummaryRepository
    removals: SqliteRemovals
    """Messages and results that are removed by themselves."""
    queue: SqliteQueue
    """Messages that wait until an answer has ended."""
    places: SqliteReadingPlaces
    """Where each chat is read."""
    prompts: SqlitePromptRepository
    """The library of prompts."""
    assistants: SqliteAssistantStore
    """The library of assistants."""
    sessions: SqliteSessionLedger
    """What of chats was put into shared sessions."""
    titles: SqliteTitles
    """Threads by their titles."""
    exchange: SqliteChatExchange
    """Whole chats, out and in."""
    notices: tuple[StorageError, ...]
    """What the user should hear about the opening: ``storage.damaged`` when a database was set aside."""
    database: Database
    data: StoredData

    async def close(self) -> None:
        """Finish what was asked for and close the file; calls after this raise ``StorageError``."""
        await self.database.close()


async def open_store(paths: DataPaths, clock: Clock = utc_now) -> Store:
    """Open the data folder's database, made or migrated where needed; hold the folder's instance lock before.

    Raises ``StorageError``: ``storage.unwritable``, ``storage.newer`` (the file is left as it was), ``storage.full``.
    """
    database = await Database.open(paths, clock=clock)
    threads = SqliteThreadRepository(database, clock=clock)
    return Store(
        threads=threads,
        lists=SqliteThreadLists(database),
        search=SqliteChatSearch(database),
        attachments=FolderAttachments(paths, database, clock=clock),
        journal=SqliteToolJournal(database, clock=clock),
        grants=SqliteGrantRepository(database, clock=clock),
        taints=SqliteTaintRepository(database),
        pins=SqlitePinRepository(database),
        ledger=SqliteToolLedger(database),
        memory=SqliteMemoryRepository(database, clock=clock),
        readings=SqliteReadings(database, clock=clock),
        passages=SqlitePassageStore(database),
        documents=SqliteDocumentRepository(database, clock=clock),
        requests=SqliteRequestRecords(database, clock=clock),
        summaries=SqliteSummaryRepository(database),
        removals=SqliteRemovals(database, clock=clock),
        queue=SqliteQueue(database),
        places=SqliteReadingPlaces(database),
        prompts=SqlitePromptRepository(database),
        assistants=SqliteAssistantStore(database),
        sessions=SqliteSessionLedger(database),
        titles=SqliteTitles(database),
        exchange=SqliteChatExchange(database, threads, clock=clock),
        notices=database.notices,
        database=database,
        data=StoredData(paths, database),
    )
