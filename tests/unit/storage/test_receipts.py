"""A receipt counts what was really there: rows before, none after."""

import sqlite3
from dataclasses import fields, replace
from pathlib import Path

from desktop.core.receipt import Receipt
from desktop.memory.embedding import passage_vectors
from desktop.memory.entities import MemorySource, PassageKind
from desktop.storage.store import Store
from tests.support.memory_items import item
from tests.support.scripted_embedder import ScriptedEmbedder
from tests.support.stores import opened, say

COUNTED = {
    "items": "SELECT count(*) FROM memory_items",
    "messages": "SELECT count(*) FROM messages",
    "chats": "SELECT count(*) FROM threads",
    "quotes": "SELECT count(*) FROM memory_items WHERE quote <> ''",
    "vectors": "SELECT (SELECT count(*) FROM item_vectors) + (SELECT count(*) FROM message_vectors)",
    "words": "SELECT (SELECT count(*) FROM messages WHERE is_indexed = 1)"
    " + (SELECT count(*) FROM messages WHERE is_recallable = 1)"
    " + (SELECT count(*) FROM memory_items WHERE is_recallable = 1)",
}


async def counts(store: Store) -> dict[str, int]:
    def count(connection: sqlite3.Connection) -> dict[str, int]:
        return {name: connection.execute(sql).fetchone()[0] for name, sql in COUNTED.items()}

    return await store.database.read(count)


async def embed_all(store: Store) -> None:
    embedder = ScriptedEmbedder()
    while passages := await store.passages.without_vector(embedder.id, 100):
        vectors = await passage_vectors(embedder, passages)
        await store.passages.put_vectors(embedder.id, list(zip(passages, vectors, strict=True)))


def as_counts(receipt: Receipt) -> dict[str, int]:
    return {name: getattr(receipt, name) for name in COUNTED}


def test_receipts_add_up() -> None:
    both = Receipt(items=1, words=2) + Receipt(items=3, chats=1, waits=True)
    assert both == Receipt(items=4, words=2, chats=1, waits=True)
    one = Receipt(server="http://one:1")
    assert (one + Receipt(server="http://two:2")).server == (Receipt() + one).server == "http://one:1"
    assert Receipt(waits=True, server="http://one:1").is_empty
    counts = [each.name for each in fields(Receipt) if each.name not in ("waits", "server")]
    assert not any(replace(Receipt(), **{name: 1}).is_empty for name in counts)


async def test_forgetting_counts_what_goes(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        answer = await say(store, thread.id, "my cat is called Momo", "nice")
        source = MemorySource(thread_id=thread.id, message_id=answer.id, quote="my cat is called Momo")
        gone = [item("Has a cat", source=source), item("Likes tea")]
        for one in (*gone, item("Stays")):
            await store.memory.add(one)
        await embed_all(store)
        before = await counts(store)
        receipt = await store.memory.forget([*(one.id for one in gone), "unknown"])
        after = await counts(store)
        assert as_counts(receipt) == {name: before[name] - after[name] for name in COUNTED}
        assert (receipt.items, receipt.quotes, receipt.words, receipt.vectors) == (2, 1, 2, 2)
        assert not receipt.waits
        assert (await store.memory.forget([gone[0].id])).is_empty


async def test_a_purge_counts_what_goes(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        kept, gone = await store.threads.create_thread(), await store.threads.create_thread()
        await say(store, kept.id, "hello", "stays")
        answer = await say(store, gone.id, "my cat is called Momo", "nice")
        source = MemorySource(thread_id=gone.id, message_id=answer.id, quote="my cat is called Momo")
        await store.memory.add(item("Has a cat", source=source))
        await store.memory.add(item("Only here", only_thread_id=gone.id, source=source))
        await embed_all(store)
        before = await counts(store)
        receipt = await store.threads.purge_thread(gone.id)
        after = await counts(store)
        assert as_counts(receipt) == {name: before[name] - after[name] for name in COUNTED}
        assert (receipt.chats, receipt.messages, receipt.items, receipt.quotes) == (1, 2, 1, 2)
        assert await store.passages.count(PassageKind.MESSAGE) == 2


async def test_what_came_from_threads_is_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        source = MemorySource(thread_id=thread.id, message_id="m", quote="q")
        both = item("Both", source=source, only_thread_id=thread.id)
        mine = [both, item("From it", source=source), item("Only in it", only_thread_id=thread.id)]
        for one in (*mine, item("Elsewhere")):
            await store.memory.add(one)
        found = await store.memory.from_threads([thread.id, "unknown"])
        assert sorted(one.text for one in found) == ["Both", "From it", "Only in it"]
        assert await store.memory.from_threads([]) == ()
