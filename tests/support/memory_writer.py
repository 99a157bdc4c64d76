"""A program for kill tests: remembers, forgets, purges and rebuilds without end: ``FOLDER SEED``.

It says on stdout what is about to be done and what is done for certain, a line of JSON each.
"""

import asyncio
import json
import random
import sys
from pathlib import Path

from desktop.core.errors import RecallError
from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.recall import RecallService
from desktop.memory.service import MemoryService
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.store import Store, open_store
from tests.support.chance_embedder import ChanceEmbedder
from tests.support.memory_items import item
from tests.support.sentinels import Sentinels
from tests.support.stores import say as talk


def say(kind: str, **fields: object) -> None:
    sys.stdout.write(json.dumps({"kind": kind, **fields}) + "\n")
    sys.stdout.flush()


def text_of(number: int) -> str:
    """What the item, or the question of the thread, with this number says."""
    return f"The word is {Sentinels(0).again(number)}."


async def main(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    store = await open_store(DataPaths(folder))
    index = ChromaVectorIndex(DataPaths(folder).vectors)
    indexing = MemoryIndexing(store.passages, index, TaskSupervisor(), embedder=ChanceEmbedder())
    service = MemoryService(
        items=store.memory,
        passages=store.passages,
        indexing=indexing,
        recall=RecallService(store.passages, indexing),
    )
    await indexing.catch_up()
    say("ready")
    for number in range(1_000 * seed, 1_000 * seed + 1_000):
        await _step(store, indexing, service, chance, number)


async def _step(
    store: Store, indexing: MemoryIndexing, service: MemoryService, chance: random.Random, number: int
) -> None:
    match chance.choice(("insert", "insert", "talk", "forget", "purge", "rebuild")):
        case "insert":
            known = item(text_of(number))
            await service.add([known])
            say("known", number=number, item=known.id)
            await indexing.catch_up()
        case "talk":
            thread = await store.threads.create_thread()
            await talk(store, thread.id, text_of(number), "An answer.")
            say("said", number=number, thread=thread.id)
            await indexing.catch_up()
        case "forget":
            for known in chance.sample(await service.search(), 1) if await service.search() else ():
                say("asked", item=known.id)
                receipt = await service.forget([known.id])
                say("waits" if receipt.waits else "gone", item=known.id)
        case "purge":
            for thread in await store.threads.list_threads(limit=1):
                say("asked", thread=thread.id)
                await store.threads.purge_thread(thread.id)
                await indexing.follow()
                say("gone", thread=thread.id)
        case _:
            indexing.report(RecallError("memory.index_broken", detail="to be made anew"))
            await indexing.catch_up()
            say("rebuilt")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
