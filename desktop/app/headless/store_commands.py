"""``threads`` and ``grants``: what is stored, looked at and changed from a shell."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from desktop.app.headless.output import say, show
from desktop.app.instance_lock import InstanceLock
from desktop.app.options import GrantsCommand, ThreadsCommand
from desktop.app.restored_library import finish_restore
from desktop.conversation.entities import Message, SearchHit, Thread
from desktop.conversation.plain_json import message_json, thread_json
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store
from desktop.storage.vector_folders import VectorFolders
from desktop.tools.entities import Grant
from desktop.tools.visible_text import reveal


async def threads(command: ThreadsCommand) -> int:
    """List, show, search, delete, restore, purge, export or import; raises ``StorageError``, also for an unknown id."""
    async with _opened(DataPaths(command.data_dir), "Threadwell threads") as store:
        match command.action:
            case "list":
                for thread in await _all_threads(store, deleted=command.in_trash):
                    line = f"{thread.id}  {thread.updated_at:%Y-%m-%d %H:%M}  {thread.title}"
                    show(thread_json(thread), line, json_wanted=command.as_json)
            case "show":
                thread = await _existing(store, command.argument, in_trash_too=True)
                for message in await store.threads.path(thread.id):
                    show(message_json(message), f"[{message.role}] {_said(message)}\n", json_wanted=command.as_json)
            case "search":
                for hit in await store.threads.search(command.argument):
                    line = f"{hit.thread_id}  {hit.thread_title}: {hit.snippet}"
                    thread = await _existing(store, hit.thread_id, in_trash_too=True)
                    show(_hit_json(hit, thread), line, json_wanted=command.as_json)
            case "export" | "import":
                from desktop.app.headless.interchange_commands import carry_out

                return await carry_out(store, command)
            case _:
                await _change_thread(store, command)
    return 0


async def grants(command: GrantsCommand) -> int:
    """List the standing permissions or revoke one; 1 when there is none with this id."""
    async with _opened(DataPaths(command.data_dir), "Threadwell grants") as store:
        if command.action == "list":
            for grant in await store.grants.list():
                where = f"in thread {grant.thread_id}" if grant.thread_id else "always"
                summary = reveal(grant.summary, keep_newlines=False)
                line = f"{grant.id}  {where}  {grant.server_id} {grant.tool_name}: {summary}"
                show(_grant_json(grant), line, json_wanted=command.as_json)
            return 0
        revoked = await store.grants.revoke(command.argument)
    if not revoked:
        say(f"There is no permission with the id {command.argument}. `grants list` shows them.")
        return 1
    show({"id": command.argument, "revoked": True}, f"revoked: {command.argument}", json_wanted=command.as_json)
    return 0


@asynccontextmanager
async def _opened(paths: DataPaths, holder: str) -> AsyncGenerator[Store, None]:
    with InstanceLock.acquire(paths.lock, holder):
        finish_restore(paths)
        store = await open_store(paths)
        try:
            await store.threads.recover()
            yield store
        finally:
            await store.close()


async def _change_thread(store: Store, command: ThreadsCommand) -> None:
    thread = await _existing(store, command.argument, in_trash_too=command.action != "delete")
    match command.action:
        case "delete":
            await store.threads.delete_thread(thread.id)
        case "restore":
            await store.threads.restore_thread(thread.id)
        case _:
            await store.threads.purge_thread(thread.id)
            if await store.passages.owes_erasing():
                # The index is made anew from the database when it is next wanted; nobody has it open now.
                await asyncio.to_thread(VectorFolders(DataPaths(command.data_dir).vectors).discard)
    done = {"delete": "deleted", "restore": "restored", "purge": "purged"}[command.action]
    show({"id": thread.id, "done": done}, f"{done}: {thread.id}", json_wanted=command.as_json)


async def _all_threads(store: Store, *, deleted: bool) -> list[Thread]:
    found: list[Thread] = []
    while page := await store.threads.list_threads(limit=500, offset=len(found), deleted=deleted):
        found.extend(page)
    return found


async def _existing(store: Store, thread_id: str, *, in_trash_too: bool) -> Thread:
    thread = await store.threads.get_thread(thread_id)
    if thread is None or (thread.deleted_at is not None and not in_trash_too):
        raise StorageError("storage.thread_missing", thread_id=thread_id)
    return thread


def _said(message: Message) -> str:
    return "\n".join(filter(None, (*(f"[file: {part.name}]" for part in message.attachments), message.text)))


def _hit_json(hit: SearchHit, thread: Thread) -> dict[str, Any]:
    message = {"role": hit.role, "text": hit.snippet, "created_at": hit.created_at.isoformat()}
    return {**thread_json(thread), **message, "thread_id": hit.thread_id, "message_id": hit.message_id}


def _grant_json(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "scope": grant.scope,
        "thread_id": grant.thread_id,
        "server": grant.server_id,
        "tool": grant.tool_name,
        "covers": "exactly this call" if grant.digest else "this tool",
        "summary": grant.summary,
        "folder": grant.folder,
        "created_at": grant.created_at.isoformat(),
        "last_used_at": grant.last_used_at.isoformat() if grant.last_used_at else None,
        "use_count": grant.use_count,
    }
