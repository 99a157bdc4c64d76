"""Real stores for tests, closed whatever happens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from desktop.conversation.entities import Message, MessageStatus, TextPart
from desktop.core.clock import Clock, utc_now
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store


@asynccontextmanager
async def opened(folder: Path, clock: Clock = utc_now) -> AsyncIterator[Store]:
    """Open the store of a data folder for the length of a block."""
    store = await open_store(DataPaths(folder), clock)
    try:
        yield store
    finally:
        await store.close()


async def say(store: Store, thread_id: str, question: str, answer: str) -> Message:
    """Add a whole turn and return the answer."""
    turn = await store.threads.begin_turn(thread_id, question, model="m")
    return await store.threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text=answer)],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=None, output_tokens=None),
        duration_seconds=1.0,
    )
