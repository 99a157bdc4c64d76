"""Adds what an unpacked backup has and this library has not: chats as an import, all else by the services that own it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.interchange.ports import Progress as ImportProgress
from desktop.conversation.interchange.records import ImportReport, Verdict
from desktop.conversation.interchange.service import Interchange
from desktop.conversation.list_service import ListService
from desktop.conversation.lists import Folder
from desktop.conversation.prompts.library import PromptDraft, PromptLibrary
from desktop.conversation.service import ConversationService
from desktop.core.backups import BackupError, MergeReport, Progress, Stage, Told
from desktop.core.clock import utc_now
from desktop.core.errors import FileError
from desktop.core.paths import DataPaths
from desktop.memory import transfer
from desktop.memory.document_service import DocumentService
from desktop.memory.documents import DocumentRoot
from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.memory.ports import MemoryRepository
from desktop.memory.service import MemoryService
from desktop.storage.backup.comparing import may_be_read
from desktop.storage.backup.merging import BackupChats
from desktop.storage.document_files import MOST_FILES
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.store import Store, open_store

_PAGE = 2_000
_MOST_FOLDERS = 1_000


@dataclass(frozen=True, kw_only=True)
class Library:
    """What a merge adds to: the services that own the parts of the library that is here."""

    store: Store
    conversations: ConversationService
    lists: ListService
    prompts: PromptLibrary
    assistants: AssistantLibrary
    memory: MemoryService
    documents: DocumentService


async def merge(folder: Path, library: Library, report: MergeReport, told: Told) -> None:
    """Add all that is missing; ``report`` grows with it. Nothing that is here is changed.

    Raises ``BackupError`` and ``StorageError``.
    """
    backup = await _held(folder)
    before = len(await library.lists.folders())
    try:
        await _merge_folders(backup.folders, library.lists)
        await _merge_chats(folder, library, report, told)
    finally:
        report.folders = len(await library.lists.folders()) - before
    await _merge_memories(backup.memories, library.memory, library.conversations, report)
    taken = await library.prompts.take_in(backup.prompts)
    report.prompts, report.prompts_left_out = len(taken.added), taken.left_out
    report.assistants = len((await library.assistants.take_in(backup.assistants)).added)
    report.places = await _merge_documents(backup.roots, library)


@dataclass(frozen=True)
class _Held:
    """What a backup holds beside chats."""

    folders: Sequence[Folder]
    memories: Sequence[MemoryItem]
    prompts: Sequence[PromptDraft]
    assistants: Sequence[Assistant]
    roots: Sequence[tuple[DocumentRoot, Sequence[Path]]]
    """Files and folders with documents, and the files that were seen in each."""


async def _held(folder: Path) -> _Held:
    store = await open_store(DataPaths(folder))
    try:
        prompts = [PromptDraft(one.name, one.text, one.description) for one in await store.prompts.all()]
        roots: list[tuple[DocumentRoot, Sequence[Path]]] = []
        for root in await store.documents.roots():
            seen = [document.path for document in await store.documents.documents(root.id)]
            roots.append((root, [path for path in seen if path.is_relative_to(root.path)][:MOST_FILES]))
        assistants = await store.assistants.all()
        return _Held(await store.lists.folders(), await _all(store.memory), prompts, assistants, roots)
    finally:
        await store.close()


async def _merge_folders(folders: Sequence[Folder], lists: ListService) -> None:
    """Make the folders that are not here, also empty ones, in their order; which chats stand in them comes with those."""
    here = await lists.folders()
    names, ids = {folder.name for folder in here}, {folder.id for folder in here}
    for folder in folders[:_MOST_FOLDERS]:
        if folder.name in names or folder.id in ids:  # one that has another name now is the same
            continue
        names.add(folder.name)
        made = await lists.create_folder(folder.name)
        if made is not None and not folder.is_open:
            await lists.open_folder(made.id, False)


async def _merge_documents(roots: Sequence[tuple[DocumentRoot, Sequence[Path]]], library: Library) -> int:
    """Add files and folders with documents, to be read where they are on this computer. What was read of them there is
    not taken over: nobody knows whether it stands in them."""
    wanted: list[tuple[DocumentRoot, Sequence[Path]]] = []
    for root, files in roots:
        chat = root.only_thread_id
        is_owned = chat is None or (chat != "" and await library.conversations.get_thread(chat) is not None)
        if is_owned and may_be_read(str(root.path)):
            wanted.append((root, files))
    return await library.documents.take_in(wanted)


async def _merge_chats(folder: Path, library: Library, report: MergeReport, told: Told) -> None:
    store = library.store
    interchange = Interchange(
        conversations=library.conversations,
        repository=store.threads,
        exchange=store.exchange,
        attachments=store.attachments,
        reader=BackupChats(store.exchange),
        files=FileReaderProcess(),
        wake=library.memory.indexing.wake,
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


async def _merge_memories(
    found: Sequence[MemoryItem], memory: MemoryService, conversations: ConversationService, report: MergeReport
) -> None:
    """Add the memories that are not here in the same words; what was forgotten here stays forgotten."""
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
