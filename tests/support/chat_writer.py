"""A program for kill tests: one chat at work without end, its queue or the removal of what stands in it.

``FOLDER queue|remove SEED``. It says on stdout what is about to be done and what is done for certain, a line of JSON each.
"""

import asyncio
import json
import random
import sys
from pathlib import Path

from desktop.conversation.entities import MessageStatus, Part, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.conversation.removals import Removed
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store
from tests.support.endpoint import LoopbackEndpoint
from tests.support.queue_world import QueueWorld, by_its_words, queue_world
from tests.support.sentinels import Sentinels

_MOST_WAITING = 20


def say(kind: str, **fields: object) -> None:
    sys.stdout.write(json.dumps({"kind": kind, **fields}) + "\n")
    sys.stdout.flush()


def text_of(number: int) -> str:
    """What the message with this number says; messages are sent in the order of their numbers."""
    return f"{number:06} {Sentinels(0).again(number)}"


async def queue(folder: Path, seed: int) -> None:
    chance, number = random.Random(seed), 1_000 * seed
    with LoopbackEndpoint(by_its_words) as endpoint:
        async with queue_world(folder, endpoint) as world:
            threads = await world.store.threads.list_threads(limit=1)
            if threads:
                thread_id = threads[0].id
                await world.queue.load(thread_id)
                world.queue.go_on(thread_id)  # what the one before left
            else:
                thread_id = await world.ask(text_of(number))
            say("ready", id=thread_id)
            while True:
                if len(world.waiting(thread_id)) > _MOST_WAITING:
                    await world.at_rest(thread_id)
                for _ in range(chance.randint(1, 4)):
                    number += 1
                    await world.queue.add(thread_id, text_of(number))
                    say("message", text=text_of(number))
                if chance.random() < 0.3:
                    await take_out_last(world, thread_id)
                if chance.random() < 0.4:
                    await world.at_rest(thread_id)


async def take_out_last(world: QueueWorld, thread_id: str) -> None:
    waiting = world.queue.queue_of(thread_id).messages
    if not waiting:
        return
    last = waiting[-1]
    say("asked", text=last.text)
    before = await world.queue.remove(thread_id, [last.id])
    if last in before.messages and before.sending != last.id:
        await world.queue.forget_removed([last.id])
        say("gone", text=last.text)


async def talk(store: Store, thread_id: str, number: int) -> list[tuple[Removed, str]]:
    """Add a turn with a tool call; returns what can be removed of it, and what it says."""
    turn = await store.threads.begin_turn(thread_id, text_of(number), model="m")
    call = ToolCallPart(call_id=new_id(), name="command__run", arguments="{}")
    result = ToolResultPart(call_id=call.call_id, status=ResultStatus.OK, text=text_of(number + 1))
    parts: list[Part] = [call, result, TextPart(text=text_of(number + 2))]
    await store.threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=None, output_tokens=None),
        duration_seconds=1.0,
    )
    answer = turn.assistant_message.id
    return [
        (Removed(turn.user_message.id), text_of(number)),
        (Removed(answer, call.call_id), text_of(number + 1)),
        (Removed(answer), text_of(number + 2)),
    ]


async def remove(folder: Path, seed: int) -> None:
    chance, number = random.Random(seed), 1_000 * seed
    store = await open_store(DataPaths(folder))
    await store.threads.recover()
    say("ready")
    there: list[tuple[Removed, str]] = []
    while True:
        thread = await store.threads.create_thread()
        for _ in range(2):
            said = await talk(store, thread.id, number)
            for _, text in said:
                say("message", text=text)
            there += said
            number += len(said)
        for _ in range(chance.randint(1, 3)):
            one = chance.choice(there)
            # What goes with an answer goes with it.
            with_it = [other for other in there if other[0].message_id == one[0].message_id and not one[0].call_id]
            gone = [one, *(other for other in with_it if other != one)]
            for _, text in gone:
                say("asked", text=text)
            await store.removals.remove(one[0])
            if chance.random() < 0.25:
                await store.removals.take_back(one[0])
                for _, text in gone:
                    say("message", text=text)  # it is promised again
                continue
            for _, text in gone:
                say("hidden", text=text)
            await store.removals.erase([one[0]])
            for _, text in gone:
                say("gone", text=text)
            there = [other for other in there if other not in gone]


if __name__ == "__main__":
    work = {"queue": queue, "remove": remove}[sys.argv[2]]
    asyncio.run(work(Path(sys.argv[1]), int(sys.argv[3])))
