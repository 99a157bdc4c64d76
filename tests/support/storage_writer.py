"""A program for kill tests: works on a store without end and says on stdout what it was promised, a line each.

Each line is JSON: ``asked`` names what is about to be stored, the other kinds what is on disk for certain.
"""

import asyncio
import json
import random
import sys
from pathlib import Path

from desktop.conversation.entities import MessageStatus, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.storage.store import Store, open_store
from desktop.tools.entities import CallState, Choice, Ending


def say(kind: str, **fields: object) -> None:
    sys.stdout.write(json.dumps({"kind": kind, **fields}) + "\n")
    sys.stdout.flush()


async def talk(store: Store, thread_id: str, rng: random.Random) -> None:
    question = f"question {rng.random()} 天气"
    turn = await store.threads.begin_turn(thread_id, question, model="m")
    message_id = turn.assistant_message.id
    say("sent", thread=thread_id, message=turn.user_message.id, answer=message_id, text=question)
    parts: list[TextPart | ToolCallPart | ToolResultPart] = []
    text = ""
    for _ in range(rng.randint(1, 4)):
        text += "word " * rng.randint(1, 2000)
        await store.threads.save_parts(message_id, [TextPart(text=text)])
        say("saved", message=message_id, length=len(text))
    parts.append(TextPart(text=text))
    call = ToolCallPart(call_id="c", name="command__run", arguments="{}")
    parts.append(call)
    await store.threads.save_parts(message_id, parts)
    key = f"{turn.turn_id}:c"
    await store.journal.propose(key, turn_id=turn.turn_id, thread_id=thread_id, name=call.name, arguments="{}")
    await store.journal.decide(
        key,
        state=CallState.RUNNING,
        server_id="command",
        digest="d",
        choice=Choice.ALLOW_ONCE,
        ending=Ending.ANSWERED,
        decided_by="user",
    )
    say("started", message=message_id)
    file = await store.attachments.add(text.encode(), suffix=".txt")
    item = ResultItem(kind=ItemKind.FILE, attachment_id=file, size=len(text))
    await store.journal.finish(key, status="ok", result="done", duration_seconds=0.1, items=(item,))
    say("brought", message=message_id, file=file, length=len(text))
    parts.append(ToolResultPart(call_id="c", status=ResultStatus.OK, text="done", items=(item,)))
    await store.threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=1, output_tokens=2),
        duration_seconds=1.0,
    )
    say("finished", message=message_id, text=text)


async def main(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    store = await open_store(DataPaths(folder))
    await store.threads.recover()
    say("ready")
    while True:
        thread = await store.threads.create_thread(title="thread")
        say("created", thread=thread.id)
        for _ in range(rng.randint(1, 3)):
            await talk(store, thread.id, rng)
        if rng.random() < 0.3:
            await store.threads.search("天气 quest")
        if rng.random() < 0.4:
            say("asked", what="purge", thread=thread.id)
            await store.threads.delete_thread(thread.id)
            await store.threads.purge_thread(thread.id)
            say("purged", thread=thread.id)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
