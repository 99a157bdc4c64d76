"""A program for kill tests: talks in a temporary thread in every way that leaves traces, says so, and waits to be killed."""

import asyncio
import dataclasses
import sys
from pathlib import Path

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    ResultStatus,
    TextPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.paths import DataPaths
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.storage.store import Store, open_store
from desktop.tools.entities import CallState, Choice, Ending
from tests.support.stores import say


async def leave_traces(store: Store, word: str) -> str:
    """Leave ``word`` wherever a thread can leave it; return the thread's id."""
    options = ThreadOptions(is_temporary=True, system_prompt=f"{word} instructions", workspace=f"/{word}")
    thread = await store.threads.create_thread(title=word, options=options)
    file = await store.attachments.add(f"{word} original".encode(), suffix=".txt")
    part = AttachmentPart(
        attachment_id=file, kind=AttachmentKind.TEXT, name=f"{word}.txt", media_type="text/plain", size=9, text=word
    )
    drafted = await store.attachments.add(f"{word} drafted".encode(), suffix=".txt")
    await store.threads.begin_turn(thread.id, f"{word} asked", model="m", attachments=[part])
    await say(store, thread.id, f"{word} asked again", f"{word} answered")
    turn = await store.threads.begin_turn(thread.id, f"{word} asked at last", model="m")
    key = f"{turn.turn_id}:c"
    await store.journal.propose(
        key, turn_id=turn.turn_id, thread_id=thread.id, name="t", arguments=f'{{"a": "{word}"}}'
    )
    await store.journal.decide(
        key,
        state=CallState.RUNNING,
        server_id="s",
        digest="d",
        choice=Choice.ALLOW_ONCE,
        ending=Ending.ANSWERED,
        decided_by="user",
        reason=word,
    )
    brought = await store.attachments.add(f"{word} brought".encode(), suffix=".txt")
    item = ResultItem(kind=ItemKind.FILE, attachment_id=brought, size=9)
    await store.journal.finish(key, status="ok", result=f"{word} result", duration_seconds=0.1, items=(item,))
    call = ToolCallPart(call_id="c", name="t", arguments=f'{{"a": "{word}"}}')
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=f"{word} result", items=(item,))
    await store.threads.save_parts(turn.assistant_message.id, [TextPart(text=f"{word} half"), call, result])
    await store.threads.save_draft(thread.id, f"{word} draft")
    await store.attachments.save_draft(thread.id, [dataclasses.replace(part, attachment_id=drafted)])
    return thread.id


async def main(folder: Path, word: str) -> None:
    store = await open_store(DataPaths(folder))
    await leave_traces(store, word)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
