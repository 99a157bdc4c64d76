"""A program for kill tests: says things, lets them be read for facts, forgets some, and tells on stdout what is certain."""

import asyncio
import json
import random
import sys
from pathlib import Path

from tests.support.reading_world import ReadingModel, ReadingWorld, found, reading_world


def tell(kind: str, text: str) -> None:
    sys.stdout.write(json.dumps({"kind": kind, "text": text}) + "\n")
    sys.stdout.flush()


async def step(world: ReadingWorld, chance: random.Random) -> None:
    assert isinstance(world.model, ReadingModel)
    word = "".join(chance.choices("bcdfghjklmnpqrtvwxz", k=12))
    text = f"I collect {word}"
    chat = str(chance.randint(1, 3))
    tell("asked", text)
    await world.say(f"{text}, you know. Remember that {word} is rare", chat=chat)
    tell("said", word)
    if chance.random() < 0.7:
        unread = await world.store.readings.unread_threads()
        # One request for each chat: it finds what the newest message says, and rules what all say.
        world.model.script(*(found({"quote": text, "text": text}) for _ in unread))
        await world.read()
    items = await world.items()
    if items and chance.random() < 0.3:
        item = chance.choice(items)
        tell("forgetting", item.text)
        await world.memory.forget([item.id])
        tell("forgotten", item.text)


async def main(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    async with reading_world(folder, ReadingModel()) as world:
        await world.store.threads.recover()
        for thread in await world.store.threads.list_threads():
            world.threads[str(len(world.threads) + 1)] = thread.id
        tell("ready", "")
        while True:
            await step(world, chance)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
