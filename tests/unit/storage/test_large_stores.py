"""What a large store must not make slow says the same as the plain way, and does not go through all that is stored."""

import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop.conversation.entities import MessageStatus, Role, TextPart
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.memory.entities import PassageKind, RecallScope
from desktop.storage import chroma_collections, chroma_program, passage_words, sqlite_passages
from desktop.storage.chroma_program import ServerIndex
from desktop.storage.database import Database
from desktop.storage.message_tree import ShownPaths, on_shown_path
from desktop.storage.messages import insert_message, require_thread
from desktop.storage.rows import from_microseconds
from desktop.storage.store import Store
from tests.support.stores import opened
from tests.support.vectors import own_vector

MESSAGE = PassageKind.MESSAGE


async def say(store: Store, texts: Sequence[str]) -> str:
    """A thread with these messages below each other, all of them finished."""
    thread = await store.threads.create_thread()

    def insert(connection: sqlite3.Connection) -> None:
        number, parent = require_thread(connection, thread.id), None
        for text in texts:
            parent = insert_message(
                connection,
                message_id=new_id(),
                thread_seq=number,
                parent_seq=parent,
                role=Role.USER,
                status=MessageStatus.COMPLETE,
                parts=[TextPart(text=text)],
                moment=from_microseconds(0),
            )
        connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (parent, number))

    await store.database.write(insert)
    await store.passages.catch_up()
    return thread.id


async def embed_all(store: Store, embedder_id: str, most: int = 10_000) -> None:
    waiting = await store.passages.without_vector(embedder_id, most)
    await store.passages.put_vectors(embedder_id, [(passage, own_vector(1)) for passage in waiting])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(60 if metafunc.config.getoption("long") else 3))


async def test_whoever_remembers_which_threads_fork_sees_the_same_paths(tmp_path: Path, seed: int) -> None:
    chance, shown = random.Random(seed), ShownPaths()
    async with opened(tmp_path) as store:
        threads = [(await store.threads.create_thread()).id for _ in range(3)]
        answers: list[str] = []
        for _ in range(40):
            thread_id = chance.choice(threads)
            path = await store.threads.path(thread_id)
            step = chance.randrange(8)
            if step < 4 or not path:
                turn = await store.threads.begin_turn(thread_id, "words", model="m")
                answers.append(turn.assistant_message.id)
            elif step == 4:
                chosen = chance.random() < 0.5
                turn = await store.threads.add_answer(chance.choice(answers), model="m", chosen=chosen)
                answers.append(turn.assistant_message.id)
            elif step == 5:
                await store.threads.choose_answer(chance.choice(answers))
            elif step == 6:
                instead_of = chance.choice([message.id for message in path if message.role is Role.USER])
                turn = await store.threads.begin_turn(thread_id, "others", model="m", instead_of=instead_of)
                answers.append(turn.assistant_message.id)
            else:
                threads.append((await store.threads.branch(path[-1].id, title="branch")).id)
            if chance.random() < 0.6:  # else several changes are looked at together
                await store.database.read(lambda connection: compare(connection, shown))
        await store.database.read(lambda connection: compare(connection, shown))


def compare(connection: sqlite3.Connection, shown: ShownPaths) -> None:
    numbers = [row[0] for row in connection.execute("SELECT seq FROM messages")]
    on_path = on_shown_path(connection, numbers)
    assert shown.among(connection, numbers) == on_path
    for number in numbers[::3]:
        assert shown.among(connection, [number]) == on_path & {number}


async def test_a_path_is_gone_along_only_where_a_thread_forks(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await say(store, ["one", "two", "three"])
        plain = await store.database.read(lambda c: walks(c, ShownPaths()))
        await store.database.write(lambda c: c.execute("UPDATE threads SET tip = (SELECT min(seq) FROM messages)"))
        await store.database.read(lambda c: compare(c, ShownPaths()))  # what is below the tip is not shown
        await store.database.write(lambda c: c.execute("UPDATE threads SET tip = (SELECT max(seq) FROM messages)"))
        thread = await store.threads.create_thread()
        turn = await store.threads.begin_turn(thread.id, "question", model="m")
        await finish(store, turn.turn_id)
        answer = await store.threads.add_answer(turn.assistant_message.id, model="m", chosen=True)
        await finish(store, answer.turn_id)
        forked = await store.database.read(lambda c: walks(c, ShownPaths()))
    assert (plain, forked) == (0, 1)


async def finish(store: Store, turn_id: str) -> None:
    await store.threads.finish_turn(
        turn_id,
        parts=[TextPart(text="answer")],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(),
        duration_seconds=1.0,
    )


def walks(connection: sqlite3.Connection, shown: ShownPaths) -> int:
    numbers = [row[0] for row in connection.execute("SELECT seq FROM messages")]
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    shown.among(connection, numbers)
    connection.set_trace_callback(None)
    return sum("RECURSIVE" in statement for statement in statements)


async def test_what_has_no_vector_is_found_without_going_through_what_has_one(tmp_path: Path) -> None:
    steps: list[int] = []
    async with opened(tmp_path) as store:
        for count in (50, 500):
            await say(store, [f"message {n}" for n in range(count)])
            await embed_all(store, "e")
            steps.append(await steps_of(store))
    assert steps[1] <= steps[0] + 100


async def steps_of(store: Store) -> int:
    """How many steps SQLite takes to see that nothing is missing."""
    taken = [0]

    def count() -> int:
        taken[0] += 1
        return 0

    await store.database.read(lambda connection: connection.set_progress_handler(count, 1))
    assert await store.passages.without_vector("e", 32) == []
    await store.database.read(lambda connection: connection.set_progress_handler(None, 1))
    return taken[0]


async def test_progress_counts_what_there_is_and_what_is_wanted(tmp_path: Path) -> None:
    chance = random.Random(4)
    async with opened(tmp_path) as store:
        for number in range(6):
            thread_id = await say(store, [f"message {number} {n}" for n in range(5)])
            await embed_all(store, chance.choice("ab"), most=chance.randrange(8))
            if number == 3:
                await store.threads.delete_thread(thread_id)
        for embedder_id in ("a", "b", "never seen"):
            done = len(await store.passages.vector_keys(embedder_id))
            missing = len(await store.passages.without_vector(embedder_id, 1_000))
            assert await store.passages.progress(embedder_id) == (done, done + missing)


async def test_all_keys_come_however_many_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path) as store:
        await say(store, [f"message {n}" for n in range(10)])
        await embed_all(store, "e")
        whole = await store.passages.vector_keys("e")
        monkeypatch.setattr(sqlite_passages, "_KEYS_AT_ONCE", 3)
        assert len(whole) == 10
        assert await store.passages.vector_keys("e") == whole


async def test_a_word_that_most_passages_hold_is_looked_for_only_where_nothing_else_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        for n in range(40):
            await say(store, [f"project {n} moved" if n % 5 else f"project {n} sailed"])

        async def found(question: str) -> int:
            return len(await store.passages.by_words(question, MESSAGE, 100, RecallScope()))

        assert await found("project sailed") == 40, "of so few every one is ranked"
        monkeypatch.setattr(passage_words, "_MANY", 5)
        assert await found("project sailed") == 8
        assert await found("project") == 40, "nothing else is asked"
        assert await found("project unheard") == 0
        assert await found("sailed moved") == 8, "what most hold tells nothing, however few words there are"


def test_the_keys_of_an_index_are_those_of_the_first_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_program, "_PAGE", 2)
    held = {f"message:{n}" for n in range(5)}
    index = ServerIndex()
    index._kept = SimpleNamespace(keys=held)  # pyright: ignore[reportAttributeAccessIssue]
    pages: list[list[str]] = []
    while page := index.keys({"after": pages[-1][-1] if pages else ""}, b"")[0]["keys"]:
        pages.append(page)
        held.add(f"message:{len(pages)}5")
    assert pages == [["message:0", "message:1"], ["message:2", "message:3"], ["message:4"]]
    assert index.keys({"after": ""}, b"")[0]["keys"] == ["message:0", "message:1"]


@pytest.mark.parametrize("before", [0, 1, 9, 10, 11, 19, 37])
def test_a_vector_is_found_in_a_file_wherever_it_stands(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy

    monkeypatch.setattr(chroma_collections, "_LOOKED_THROUGH_AT_ONCE", 10)
    chance = numpy.random.default_rng(before)
    wanted, other = chance.standard_normal((2, 8)).astype("<f4")
    file = tmp_path / "graph" / "data_level0.bin"
    file.parent.mkdir()
    around = [chance.standard_normal(size).astype("<f4") for size in (before, 13)]
    numpy.concatenate((around[0], wanted * numpy.float32(1.0000001), around[1])).tofile(file)
    assert chroma_collections._is_in(tmp_path, [other, wanted])
    assert not chroma_collections._is_in(tmp_path, [other])
    assert not chroma_collections._is_in(tmp_path, [numpy.zeros(8, "<f4")]), "of a text that could not be embedded"


async def test_the_files_are_gone_through_once_for_all_that_is_purged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wipes = 0
    wipe = Database.zero_gaps

    async def counted(database: Database) -> bool:
        nonlocal wipes
        wipes += 1
        return await wipe(database)

    monkeypatch.setattr(Database, "zero_gaps", counted)
    async with opened(tmp_path) as store:
        receipt = await store.threads.purge_thread(*[await say(store, ["secret"]) for _ in range(4)])
        assert await store.threads.search("secret") == ()
    assert (receipt.chats, receipt.messages, wipes) == (4, 4, 1)
