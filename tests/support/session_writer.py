"""A program that writes to one session of the memory server's store, and says on stdout what was acknowledged.

    python -m tests.support.session_writer PLACE NAME COUNT

PLACE is a file or a ``redis://`` address. Each of COUNT entries goes to two sessions: ``all``, which keeps every one, and
``last``, which keeps 50. Now and then a session of its own is cleared.
"""

import asyncio
import sys
from pathlib import Path

from desktop.servers.memory.redis_store import RedisStore
from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.store import MemoryStore, Session

ALL, LAST = Session("all"), Session("last")
KEPT = 50


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def write(place: str, name: str, count: int) -> None:
    store: MemoryStore = RedisStore(place) if place.startswith("redis") else SqliteStore(Path(place))
    await store.open()
    say("open")
    sys.stdin.readline()  # all begin together
    for number in range(count):
        text = f"{name} {number}"
        await store.append(ALL, "note", text, max_items=1_000_000, ttl_s=3_600)
        await store.append(LAST, "note", text, max_items=KEPT, ttl_s=3_600)
        await store.put(ALL, name, str(number), ttl_s=3_600, max_keys=100)
        say(str(number))
        if number % 10 == 0:
            assert await store.get(ALL, name, ttl_s=3_600) == str(number)
            assert len(await store.recent(LAST, 100, ttl_s=3_600)) <= KEPT
        if number % 50 == 20:  # a file is made anew then, in the middle of what the other writes
            own = Session(name)
            await store.append(own, "note", text, max_items=10, ttl_s=3_600)
            await store.clear(own)
            await store.sweep()
            assert await store.recent(own, 10, ttl_s=3_600) == []
    await store.close()


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], sys.argv[2], int(sys.argv[3])))
