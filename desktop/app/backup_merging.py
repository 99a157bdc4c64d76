"""Adds what an unpacked backup has and this library has not: chats as an import, memories as an import of memories."""

import asyncio
from pathlib import Path

from desktop.conversation.interchange.ports import Progress as ImportProgress
from desktop.conversation.interchange.records import ImportReport, Verdict
from desktop.conversation.interchange.service import Interchange
from desktop.conversation.service import ConversationService
from desktop.core.backups import BackupError, MergeReport, Progress, Stage, Told
from desktop.core.clock import utc_now
from desktop.core.errors import FileError
from desktop.core.paths import DataPaths
from desktop.memory import transfer
from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.memory.ports import MemoryRepository
from desktop.memory.service import MemoryService
from desktop.storage.backup.merging import BackupChats
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.store import Store, open_store

_PAGE = 2_000


async def merge_chats(
    folder: Path,
    store: Store,
    conversations: ConversationService,
    memory: MemoryService,
    report: MergeReport,
    told: Told,
) -> None:
    """Add the chats that are missing, and what others have in addition. ``report`` grows with each."""
    interchange = Interchange(
        conversations=conversations,
        repository=store.threads,
        exchange=store.exchange,
        attachments=store.attachments,
        reader=BackupChats(store.exchange),
        files=FileReaderProcess(),
        wake=memory.indexing.wake,
    )
    counted = 0

    def tell(progress: ImportProgress, so_far: ImportReport) -> None:
        nonlocal counted
        for outcome in so_far.outcomes[counted:]:
            report.chats += outcome.verdict is Verdict.IMPORTED
            report.grown += outcome.verdict in (Verdict.GREW, Verdict.BRANCHED)
            report.known += outcome.verdict is Verdict.KNOWN
            report.skipped += outcome.verdict is Verdict.SKIPPED
            report.messages += outcome.messages
        counted = len(so_far.outcomes)
        told(Progress(stage=Stage.MERGING, done=progress.done, total=progress.total))

    outcomes = ImportReport(source_name=folder.name)
    try:
        await interchange.import_file(folder, outcomes, told=tell)
    except FileError as error:
        if error.code != "file.no_chats":
            raise
    finally:
        tell(ImportProgress(done=0, total=0), outcomes)
    if outcomes.problem:
        raise BackupError(outcomes.problem, **outcomes.problem_params)
    await interchange.index()


async def merge_memories(
    folder: Path, memory: MemoryService, conversations: ConversationService, report: MergeReport
) -> None:
    """Add the memories that are not here in the same words; what was forgotten here stays forgotten."""
    store = await open_store(DataPaths(folder))
    try:
        found = await _all(store.memory)
    finally:
        await store.close()
    for start in range(0, len(found), _PAGE):
        some = found[start : start + _PAGE]
        # Judged like any file, since nobody knows who wrote it.
        text = await asyncio.to_thread(transfer.to_json, some)
        reading = await asyncio.to_thread(transfer.read, text.encode(), utc_now())
        items = [entry.item for entry in reading.entries if entry.item is not None]
        known = {transfer.normal(item.text) for item in await _known(memory)}
        wanted = {item.only_thread_id for item in items if item.only_thread_id is not None}
        chats = {chat for chat in wanted if await conversations.get_thread(chat)}
        planned = await asyncio.to_thread(
            transfer.plan, reading.entries, known=known, forgotten=await memory.forgotten(items), chats=chats
        )
        new = [one.item for one in planned if one.verdict is transfer.Verdict.NEW and one.item is not None]
        report.forgotten += sum(one.verdict is transfer.Verdict.FORGOTTEN for one in planned)
        if new:
            await memory.add(new)
            report.memories += len(new)


async def _all(items: MemoryRepository) -> list[MemoryItem]:
    found: list[MemoryItem] = []
    while some := await items.search(statuses=tuple(MemoryStatus), limit=_PAGE, offset=len(found)):
        found += some
    return found


async def _known(memory: MemoryService) -> list[MemoryItem]:
    found: list[MemoryItem] = []
    while some := await memory.search(statuses=tuple(MemoryStatus), limit=_PAGE, offset=len(found)):
        found += some
    return found
