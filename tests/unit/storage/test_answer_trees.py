"""Random trees of answers: SQLite and the fake show the same paths, whatever is begun, chosen, killed and gone on with."""

import random
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from desktop.conversation.entities import AskedModel, Message, MessageStatus, Role, StartedTurn, TextPart, ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.core.errors import StorageError
from desktop.core.language_model import Usage
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.stores import opened, say

Step = Callable[["Tree"], Awaitable[None]]


class Tree:
    """One thread of one store. Messages go by the order in which they began: their ids differ from store to store."""

    def __init__(self, threads: ThreadRepository, thread_id: str) -> None:
        self.threads = threads
        self.thread_id = thread_id
        self.ids: list[str] = []
        self.turns: dict[str, StartedTurn] = {}

    def _known(self, turn: StartedTurn) -> None:
        for message in (turn.user_message, turn.assistant_message):
            if message.id not in self.ids:
                self.ids.append(message.id)
        self.turns[turn.assistant_message.id] = turn

    async def begin(self, words: str) -> None:
        self._known(await self.threads.begin_turn(self.thread_id, words, model="m"))

    async def add(self, place: int, chosen: bool) -> None:
        self._known(await self.threads.add_answer(self.ids[place], model="m", chosen=chosen))

    async def choose(self, place: int) -> None:
        await self.threads.choose_answer(self.ids[place])

    async def finish(self, place: int, status: MessageStatus) -> None:
        if (turn := self.turns.get(self.ids[place])) is not None:
            await self.threads.finish_turn(
                turn.turn_id,
                parts=[TextPart(text=f"said {place}")],
                status=status,
                reason="x",
                usage=Usage(input_tokens=1),
                duration_seconds=1.0,
            )

    async def reopen(self, place: int) -> None:
        await self.threads.reopen_turn(self.ids[place], model="n", parts=[])

    async def recover(self) -> None:
        await self.threads.recover()

    async def shape(self) -> object:
        """All that can be seen of the tree, in places instead of ids."""
        place = {message_id: number for number, message_id in enumerate(self.ids)}

        def facts(message: Message) -> tuple[object, ...]:
            parent = None if message.parent_id is None else place[message.parent_id]
            beside = message.answer_number, message.answer_count
            return place[message.id], parent, message.role, message.status, message.text, *beside

        path = await self.threads.path(self.thread_id)
        outline = await self.threads.outline(self.thread_id)
        assert [(row.id, row.answer_number, row.answer_count, row.status) for row in outline] == [
            (message.id, message.answer_number, message.answer_count, message.status) for message in path
        ]
        thread = await self.threads.get_thread(self.thread_id)
        assert thread is not None
        assert thread.tip == (path[-1].id if path else None)
        assert [None, *(message.id for message in path)][: len(path)] == [message.parent_id for message in path]
        every = await self.threads.messages(self.ids)
        assert len(every) == len(self.ids), "no message is lost"
        answers = [[place[m.id] for m in await self.threads.answers(message_id)] for message_id in self.ids]
        ways = [[place[m.id] for m in await self.threads.path(self.thread_id, until=i, last=3)] for i in self.ids]
        return [facts(m) for m in path], [facts(m) for m in every], answers, ways, thread.snippet


def random_step(chance: random.Random, known: int) -> Step:
    place, chosen = chance.randrange(max(known, 1)), chance.random() < 0.5
    status = chance.choice((MessageStatus.COMPLETE, MessageStatus.STOPPED, MessageStatus.FAILED))
    if not known:
        return lambda tree: tree.begin("the first")
    steps: tuple[Step, ...] = (
        lambda tree: tree.begin(f"message {known}"),
        lambda tree: tree.add(place, chosen),
        lambda tree: tree.add(place, chosen),
        lambda tree: tree.choose(place),
        lambda tree: tree.choose(place),
        lambda tree: tree.finish(place, status),
        lambda tree: tree.finish(place, status),
        lambda tree: tree.reopen(place),
        lambda tree: tree.recover(),
    )
    return chance.choice(steps)


async def outcome(tree: Tree, step: Step) -> str:
    try:
        await step(tree)
    except StorageError as error:
        return error.code
    return ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(100 if metafunc.config.getoption("long") else 6))


async def test_both_stores_show_the_same_tree(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    async with opened(tmp_path) as store:
        other = await store.threads.create_thread()  # whose messages lie between those of the tree
        fake = InMemoryThreadRepository()
        trees = [Tree(threads, (await threads.create_thread()).id) for threads in (store.threads, fake)]
        for _ in range(25):
            step = random_step(chance, len(trees[0].ids))
            outcomes = [await outcome(tree, step) for tree in trees]
            assert outcomes[0] == outcomes[1]
            if chance.random() < 0.2:
                await say(store, other.id, "elsewhere", "elsewhere")
            real, faked = [await tree.shape() for tree in trees]
            assert real == faked
        roles = {message.role for message in await store.threads.messages(trees[0].ids)}
        assert roles == {Role.USER, Role.ASSISTANT}


async def test_a_deleted_answer_is_not_counted_and_not_shown_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        tree = Tree(store.threads, thread.id)
        await tree.begin("question")
        for _ in range(2):
            await tree.add(1, False)
        for place in (1, 2, 3):
            await tree.finish(place, MessageStatus.COMPLETE)
        await store.database.write(
            lambda connection: connection.execute("UPDATE messages SET deleted_at = 1 WHERE id = ?", (tree.ids[2],))
        )
        assert [m.id for m in await store.threads.answers(tree.ids[1])] == [tree.ids[1], tree.ids[3]]
        await store.threads.choose_answer(tree.ids[3])
        for rows in (await store.threads.outline(thread.id), await store.threads.path(thread.id)):
            assert [(row.id, row.answer_number, row.answer_count) for row in rows] == [
                (tree.ids[0], 1, 1),
                (tree.ids[3], 2, 2),
            ]
        with pytest.raises(StorageError):
            await store.threads.choose_answer(tree.ids[2])
        await store.threads.choose_answer(tree.ids[0])
        assert (await store.threads.path(thread.id))[-1].id == tree.ids[3]


async def test_a_question_below_a_question_is_no_answer_to_it(tmp_path: Path) -> None:
    """No version of this program ends a path with a question; a file may."""
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        tree = Tree(store.threads, thread.id)
        await tree.begin("question")
        await tree.add(1, False)
        await store.database.write(
            lambda connection: connection.execute(
                "UPDATE threads SET tip = (SELECT seq FROM messages WHERE id = ?)", (tree.ids[0],)
            )
        )
        await tree.begin("another")
        assert [m.id for m in await store.threads.answers(tree.ids[0])] == tree.ids[1:3]
        for rows in (await store.threads.outline(thread.id), await store.threads.path(thread.id)):
            assert [(row.answer_number, row.answer_count) for row in rows] == [(1, 1), (1, 1), (1, 1)]
        for message in await store.threads.messages(tree.ids[1:3]):
            assert message.answer_count == 2


DAMAGED = (
    "", "null", "[]", "{}", '{"ab": 1}', "[1]", '["ab"]', '[["a"]]', '[["a", "b", "c"]]', "[[1, 2]]", '[["a", null]]',
    "[" * 100_000, '[["a", "b"]', "\x00", "NaN", '"[]"',
)  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
async def test_models_beside_that_cannot_be_read_count_as_none(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as store:
        beside = (AskedModel(endpoint_id="e", model="m"),)
        chosen = ThreadOptions(endpoint_id="own", asked_beside=beside)
        thread = await store.threads.create_thread(options=chosen)
        await store.threads.save_new_thread_options(chosen)

        def damage(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE threads SET asked_beside = ?", (text,))
            connection.execute("UPDATE new_thread SET asked_beside = ?", (text,))

        await store.database.write(damage)
        found = await store.threads.get_thread(thread.id)
        assert found is not None
        for options in (found.options, await store.threads.load_new_thread_options()):
            assert options == ThreadOptions(endpoint_id="own")


async def test_the_outline_of_ten_thousand_messages_knows_who_stands_beside(tmp_path: Path, long_run: bool) -> None:
    """As with a chat of years: filled by SQL, so that the test does not take as long as the years."""
    rounds = 5_000 if long_run else 300
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()

        def fill(connection: sqlite3.Connection) -> None:
            (thread_seq,) = connection.execute("SELECT seq FROM threads WHERE id = ?", (thread.id,)).fetchone()
            rows: list[tuple[object, ...]] = []
            tip: int | None = None
            for number in range(rounds):
                user = 1_000 + number * 4
                rows.append((user, f"u{number}", thread_seq, tip, "user", "complete", 0, 0, None))
                for n, shown in ((1, 0), (2, None), (3, 0)):
                    rows.append((user + n, f"a{number}.{n}", thread_seq, user, "assistant", "complete", 0, 0, shown))
                tip = user + 2
            connection.executemany(
                "INSERT INTO messages (seq, id, thread_seq, parent_seq, role, status, created_at, updated_at,"
                " shown_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (tip, thread_seq))
            connection.execute("UPDATE sequence SET value = ?", (1_000 + rounds * 4 + 10,))

        await store.database.write(fill)
        outline = await store.threads.outline(thread.id)
        assert [(row.id, row.answer_number, row.answer_count) for row in outline] == [
            row for number in range(rounds) for row in ((f"u{number}", 1, 1), (f"a{number}.2", 2, 3))
        ]
        last = await store.threads.path(thread.id, last=3)
        assert [(m.id, m.answer_number, m.answer_count) for m in last] == [
            (row.id, row.answer_number, row.answer_count) for row in outline[-3:]
        ]
        await store.threads.choose_answer("a7.1")
        assert [m.id for m in await store.threads.path(thread.id)][-1] == "a7.1"
        await store.threads.choose_answer("a7.2")
        assert len(await store.threads.path(thread.id)) == 2 * rounds
