"""A program that writes into an index of vectors, says what is done, and is killed by a test: ``FOLDER put|erase``."""

import asyncio
import itertools
import os
import sys
from pathlib import Path

from desktop.storage.chroma_vector_index import ChromaVectorIndex
from tests.support.vectors import DIMENSIONS, own_vector

REMOVED = [f"message:{n}" for n in range(0, 300, 3)]


def say(word: str) -> None:
    os.write(1, f"{word}\n".encode())


async def main(folder: str, what: str) -> None:
    index = ChromaVectorIndex(Path(folder))
    await index.open("an embedder", DIMENSIONS)
    if what == "put":
        for n in itertools.count():
            await index.put({f"message:{n}": own_vector(n)})
            say(f"message:{n}")
    await index.put({f"message:{n}": own_vector(n) for n in range(300)})
    await index.remove(REMOVED)
    say("removed")
    await index.erase()
    say("erased")
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
