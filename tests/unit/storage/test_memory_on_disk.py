"""What is forgotten or purged leaves no byte, the index behind recall mends itself, and stems are found."""

import hashlib
import hmac
import random
import sqlite3
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.entities import TextPart
from desktop.core.paths import DataPaths
from desktop.memory.entities import (
    MemorySource,
    Passage,
    PassageKind,
    RecallScope,
)
from desktop.memory.ports import Vector
from desktop.storage import indexes, recall_index, vector_codec
from desktop.storage.database import Database
from desktop.storage.migrations import STEPS
from desktop.storage.recall_text import dated, phrases_of, terms_of
from desktop.storage.rows import want_wipe
from desktop.storage.store import Store
from tests.support.crash.soundness import check_indexes
from tests.support.index_damage import (
    Damage,
    damage_index,
    emptied,
    gone,
    of_absurd_length,
    overwritten,
    with_a_table_missing,
    with_lengths_missing,
    without_configuration,
)
from tests.support.memory_items import item
from tests.support.stores import opened, say

FACT, MESSAGE = PassageKind.FACT, PassageKind.MESSAGE
EVERYWHERE = RecallScope()


def some_vector(generator: random.Random, size: int = 256) -> Vector:
    return struct.pack(f"<{size}f", *(generator.gauss(0, 1) for _ in range(size)))


async def embed_all(store: Store, generator: random.Random) -> dict[str, bytes]:
    """Give every passage a vector; return what of each stands in the file, by the passage's text."""
    stored: dict[str, bytes] = {}
    while passages := await store.passages.without_vector("e", 50):
        vectors: list[tuple[Passage, Vector]] = [(passage, some_vector(generator)) for passage in passages]
        stored.update((passage.text, vector_codec.to_bytes(vector)) for passage, vector in vectors)
        await store.passages.put_vectors("e", vectors)
    return stored


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def secret_word(generator: random.Random) -> str:
    return "".join(generator.choices("bcdfghjklmnpqrtvwxz", k=14))


def leaks(folder: Path, words: list[str], vectors: list[bytes]) -> list[str]:
    """Return what is still there, by any piece of it. (An index writes only how a word differs from the last.)"""
    content = bytes_in(folder).lower()
    found = [word for word in words if word[5:13].encode() in content]
    raw = bytes_in(folder)
    return found + [f"vector {place}" for place, vector in enumerate(vectors) if vector[40:56] in raw]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("long") else 2))


async def test_no_file_holds_a_byte_of_what_was_forgotten_or_purged(tmp_path: Path, seed: int) -> None:
    generator = random.Random(seed)
    secrets: list[str] = []

    def secret() -> str:
        secrets.append(secret_word(generator))
        return secrets[-1]

    async with opened(tmp_path) as store:
        kept, gone = await store.threads.create_thread(), await store.threads.create_thread()
        forgotten: list[str] = []
        for number in range(30):
            await say(store, kept.id, f"question {number}", f"answer {number} stays")
            await store.memory.add(item(f"fact {number} stays"))
            answer = await say(store, gone.id, f"{secret()} {number}", f"{secret()} {secret()}")
            quote = MemorySource(thread_id=gone.id, message_id=answer.id, quote=secret())
            await store.memory.add(item(f"Sticks to {number}", source=quote))
            forgotten.append((wrong := item(f"{secret()} {secret()}")).id)
            await store.memory.add(wrong)
        changed = item(secret())
        await store.memory.add(changed)
        stored = await embed_all(store, generator)
        of_secrets = [vector for text, vector in stored.items() if any(word in text for word in secrets)]
        assert len(leaks(tmp_path, secrets, of_secrets)) == len(secrets) + len(of_secrets), (
            "the test must be able to find it"
        )

        await store.memory.update(item("changed"))  # one that is not there: nothing happens
        await store.memory.forget([*forgotten, changed.id])
        await store.threads.purge_thread(gone.id)
        assert leaks(tmp_path, secrets, of_secrets) == [], "while open"
        assert len(await store.passages.by_words("stays", MESSAGE, 100, EVERYWHERE)) == 59, "and replies"
        assert len(await store.passages.by_words("stays", FACT, 100, EVERYWHERE)) == 30
        assert len(await store.passages.vector_keys("e")) == 60 + 60
        await store.database.write(check_indexes)
        assert await store.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]
    assert leaks(tmp_path, secrets, of_secrets) == [], "closed"


async def test_forgetting_that_was_cut_short_is_finished_at_the_next_start(tmp_path: Path) -> None:
    from desktop.storage import memory_items

    word = secret_word(random.Random(1))
    async with opened(tmp_path) as store:
        wrong = item(f"secret {word}")
        await store.memory.add(wrong)

        def forget(connection: sqlite3.Connection) -> None:  # what a process leaves that dies directly after it
            memory_items.forget(connection, [wrong.id])
            want_wipe(connection)

        await store.database.write(forget)
    async with opened(tmp_path) as store:
        await store.threads.recover()
        assert leaks(tmp_path, [word], []) == []


async def test_nothing_can_be_read_from_what_is_kept_of_forgotten_items(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        wrong = item("Lives in Bonn")
        await store.memory.add(wrong)
        await store.memory.forget([wrong.id])
        rows = await store.database.read(lambda c: c.execute("SELECT digest FROM forgotten").fetchall())
        (key,) = await store.database.read(lambda c: c.execute("SELECT key FROM forgotten_key").fetchone())
    assert [len(digest) for (digest,) in rows] == [16]
    assert len(key) == 32
    assert rows[0][0] != hashlib.sha256(b"text\0lives in bonn").digest()[:16], "without the key it is no guess"
    assert rows[0][0] == hmac.digest(key, b"text\0lives in bonn", "sha256")[:16]
    async with opened(tmp_path / "another") as store:
        (other,) = await store.database.read(lambda c: c.execute("SELECT key FROM forgotten_key").fetchone())
    assert other != key


# -- the index --------------------------------------------------------------------------------------------------------

INDEX = "message_recall"


def with_a_message_that_is_gone(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"INSERT INTO {index} (rowid, body) VALUES (999999, 'zeppelin')")


def of_an_older_version(connection: sqlite3.Connection, _index: str) -> None:
    connection.execute("UPDATE meta SET value = 0 WHERE key = 'message_recall_version'")


@pytest.mark.allowed_log("the search index")
@pytest.mark.parametrize(
    "damage",
    [
        emptied,
        without_configuration,
        with_a_table_missing,
        with_lengths_missing,
        overwritten,
        of_absurd_length,
        with_a_message_that_is_gone,
        gone,
        of_an_older_version,
    ],
)
async def test_a_wrong_index_never_stops_anything_and_is_made_anew(tmp_path: Path, damage: Damage) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        for number in range(20):
            await say(store, thread.id, f"question {number}", f"zeppelin {number}")
    damage_index(tmp_path, INDEX, damage)
    async with opened(tmp_path) as store:
        assert store.notices == ()
        await say(store, thread.id, "balloon", "of course")  # whatever the index is like
        await store.passages.by_words("zeppelin", MESSAGE, 50, EVERYWHERE)
        await store.passages.catch_up()
        assert len(await store.passages.by_words("zeppelin", MESSAGE, 50, EVERYWHERE)) == 40, "and replies"
        assert len(await store.passages.by_words("balloon", MESSAGE, 50, EVERYWHERE)) == 2
        await store.threads.purge_thread(thread.id)
        assert await store.passages.by_words("zeppelin", MESSAGE, 50, EVERYWHERE) == []


async def test_messages_of_an_older_version_of_the_file_are_caught_up_with(tmp_path: Path) -> None:
    database = await Database.open(DataPaths(tmp_path), steps=STEPS[:11])
    await database.write(
        lambda connection: connection.executescript(
            "INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq) VALUES (1, 't', '', 0, 0, 1);"
            "INSERT INTO messages (seq, id, thread_seq, role, status, created_at, updated_at)"
            " VALUES (2, 'm', 1, 'user', 'complete', 0, 0);"
            "INSERT INTO parts VALUES (2, 0, 0, 'text', 'zeppelin', '');"
            "UPDATE threads SET tip = 2; UPDATE sequence SET value = 2; BEGIN;"
        )
    )
    await database.close()
    async with opened(tmp_path) as store:
        assert await store.passages.by_words("zeppelin", MESSAGE, 5, EVERYWHERE) == []
        await store.passages.catch_up()
        (hit,) = await store.passages.by_words("zeppelin", MESSAGE, 5, EVERYWHERE)
        assert hit.passage_id == "m"


async def test_what_was_said_before_follows_a_message_that_changes(tmp_path: Path) -> None:
    """A reply is indexed with the end of what it replies to: that must not stay when it changes."""
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        answer = await say(store, thread.id, "hello there", "zeppelin")
        await say(store, thread.id, "thanks a lot", "bye")
        await embed_all(store, random.Random(1))

        def change(connection: sqlite3.Connection) -> None:
            seq = connection.execute("SELECT seq FROM messages WHERE id = ?", (answer.id,)).fetchone()
            indexes.forget_messages(connection, seq, erases=False)
            connection.execute("UPDATE parts SET text = 'balloon' WHERE message_seq = ?", seq)
            recall_index.MESSAGES.index_pending(connection)

        await store.database.write(change)
        assert await store.passages.by_words("zeppelin", MESSAGE, 5, EVERYWHERE) == []
        assert len(await store.passages.by_words("balloon", MESSAGE, 5, EVERYWHERE)) == 2
        assert [p.text for p in await store.passages.without_vector("e", 9)] == ["thanks a lot", "balloon"]
        await store.database.write(check_indexes)


async def test_stems_and_days_are_found(tmp_path: Path) -> None:
    async with opened(tmp_path, lambda: datetime(2024, 5, 8, 12, tzinfo=UTC)) as store:
        thread = await store.threads.create_thread()
        answer = await say(store, thread.id, "hello there", "She was painting sunrises")
        for question in ("Who paints?", "sunrise", "What was said in May 2024?", "5月8日说了什么"):
            hits = await store.passages.by_words(question, MESSAGE, 5, EVERYWHERE)
            assert answer.id in [hit.passage_id for hit in hits], question


@pytest.mark.parametrize("question", ["What did we talk about on May 8th?", "在5月8号我们聊了什么？", "On 8 May?"])
async def test_what_was_said_on_the_day_that_is_asked_for_comes_first(tmp_path: Path, question: str) -> None:
    day = [datetime(2024, 5, 7, 12, tzinfo=UTC)]
    async with opened(tmp_path, lambda: day[0]) as store:
        for number in range(7, 12):
            day[0] = datetime(2024, 5, number, 12, tzinfo=UTC)
            thread = await store.threads.create_thread()
            await say(store, thread.id, "hello there", "May we go on? It is the 8th time.")
        ids = [hit.passage_id for hit in await store.passages.by_words(question, MESSAGE, 12, EVERYWHERE)]
        found = await store.passages.passages(MESSAGE, ids, EVERYWHERE)
        assert [found[one].at.day for one in ids[:2]] == [8, 8]


async def test_words_that_stand_side_by_side_count_for_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread, other = await store.threads.create_thread(), await store.threads.create_thread()
        apart = await say(store, thread.id, "hello", "The group wants support, and it wants tea and bread")
        together = await say(store, other.id, "hello", "The support group wants tea and bread and some more")
        hits = await store.passages.by_words("Which support group?", MESSAGE, 9, EVERYWHERE)
        assert [hit.passage_id for hit in hits] == [together.id, apart.id]
        assert [hit.shared for hit in hits] == [1.0, 1.0]


async def test_a_message_without_text_waits_for_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        turn = await store.threads.begin_turn(thread.id, "hello", model="m")
        await store.threads.save_parts(turn.assistant_message.id, [TextPart(text=" \n")])
        await store.threads.recover()
        await store.passages.catch_up()
        assert [p.text for p in await store.passages.without_vector("e", 9)] == ["hello"]


# -- the pure part ----------------------------------------------------------------------------------------------------


def test_a_question_is_asked_with_words_and_pairs_of_characters() -> None:
    assert terms_of("What is my cat's name?") == ["cat", "name"]
    assert terms_of("我的猫叫什么名字？") == ["猫 叫", "名 字"]
    assert terms_of("Redis怎么配置") == ["redis", "配 置"]
    assert terms_of("the of and 我们 什么") == []
    assert terms_of("cat cat CAT Cát") == ["cat"]
    assert len(terms_of(" ".join(f"word{number}" for number in range(500)))) == 48


def test_a_question_is_asked_with_days_and_neighbours_too() -> None:
    assert phrases_of("What did Ann's support group do on May 2nd, 2023?") == ["2 may", "support group", "2nd 2023"]
    assert phrases_of("5月2号的意大利菜") == ["2 may", "5 月", "月 2", "2 号"]
    assert phrases_of("What is my cat called?") == ["cat called"]
    assert phrases_of("the cat and the dog") == []
    assert len(phrases_of(" ".join(f"word{number}" for number in range(500)))) == 24


def test_a_day_is_that_of_the_place() -> None:
    late = datetime(2024, 5, 8, 23, 30, tzinfo=UTC)
    assert dated(late, 0) == "8 May 2024年5月8日"
    assert dated(late, 480) == "9 May 2024年5月9日"


def test_a_stored_vector_is_nearly_what_it_was() -> None:
    generator = random.Random(1)
    for _ in range(20):
        vector = some_vector(generator, 512)
        numbers = struct.unpack("<512f", vector)
        length = sum(number * number for number in numbers) ** 0.5
        back = struct.unpack("<512f", vector_codec.from_bytes(vector_codec.to_bytes(vector)))
        assert sum(number * number for number in back) == pytest.approx(1, abs=1e-5)
        assert sum(a * b / length for a, b in zip(numbers, back, strict=True)) > 0.999
    assert vector_codec.from_bytes(vector_codec.to_bytes(bytes(32))) == bytes(32)
