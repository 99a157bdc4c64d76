"""Deleted means gone: after a purge no file of the data folder holds a byte of the thread's text."""

import asyncio
import random
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.entities import (
    MessageStatus,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.storage.messages import require_thread
from desktop.storage.purge import hide_for_purge
from desktop.storage.store import Store
from desktop.tools.entities import CallState, Choice, Ending, Grant, GrantScope
from tests.support.stores import opened

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_END = 9
_RUN = re.compile(f"[a-z]{{{_END},}}")


class Sentinels:
    """Words that occur nowhere else, so that a search of the files for them means something."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.words: list[str] = []

    def __call__(self) -> str:
        word = "".join(self._random.choices(_LETTERS, k=14))
        self.words.append(word)
        return word

    def text(self, words: int) -> str:
        return " ".join(self() for _ in range(words))

    def left_in(self, folder: Path) -> set[tuple[str, str]]:
        """Return which file holds the end of which word. (The index writes only how a word differs from the last.)"""
        ends = {word[-_END:] for word in self.words}
        found: set[tuple[str, str]] = set()
        for file in folder.rglob("*"):
            if file.is_file():
                for run in _RUN.findall(file.read_bytes().lower().decode("latin-1")):
                    windows = (run[i : i + _END] for i in range(len(run) - _END + 1))
                    found.update((file.name, end) for end in windows if end in ends)
        return found


async def fill(store: Store, thread_id: str, words: Sentinels, rng: random.Random, *, turns: int) -> None:
    """Leave traces of a thread everywhere that a thread leaves traces."""
    await store.threads.rename_thread(thread_id, words(), by_user=True)
    for _ in range(turns):
        turn = await store.threads.begin_turn(thread_id, words.text(rng.randint(1, 40)), model="m")
        call = ToolCallPart(
            call_id=new_id(), name="command__run", arguments=f'{{"command": "{words()}"}}', extra={"note": words()}
        )
        text = ""
        for _ in range(rng.randint(1, 4)):  # as streamed text grows
            text += words.text(rng.randint(1, 200)) + "\n"
            await store.threads.save_parts(turn.assistant_message.id, [ThinkingPart(text=words()), TextPart(text=text)])
        key = f"{turn.turn_id}:{call.call_id}"
        await store.journal.propose(
            key, turn_id=turn.turn_id, thread_id=thread_id, name=call.name, arguments=call.arguments
        )
        await store.journal.decide(
            key,
            state=CallState.RUNNING,
            server_id="command",
            digest="d",
            choice=Choice.ALLOW_THREAD,
            ending=Ending.ANSWERED,
            decided_by="user",
        )
        output = words.text(rng.randint(1, 1500))
        await store.journal.finish(key, status="ok", result=output, duration_seconds=0.1)
        result = ToolResultPart(call_id=call.call_id, status=ResultStatus.OK, text=output)
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[ThinkingPart(text=words()), TextPart(text=text), call, result],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=None, output_tokens=None),
            duration_seconds=1.0,
        )
        await store.threads.save_draft(thread_id, words.text(30))
    await store.threads.rename_thread(thread_id, words(), by_user=True)
    for _ in range(2):
        await store.threads.set_thread_options(thread_id, ThreadOptions(system_prompt=words.text(50), model=words()))
    await store.grants.add(
        Grant(
            id=new_id(),
            scope=GrantScope.THREAD,
            thread_id=thread_id,
            server_id="command",
            tool_name="execute_command_local",
            definition_hash="v1",
            digest="d",
            summary=words(),
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(40 if metafunc.config.getoption("long") else 4))


async def test_no_file_holds_a_word_of_a_purged_thread(tmp_path: Path, seed: int) -> None:
    rng, secret, other = random.Random(seed), Sentinels(1000 + seed), Sentinels(2000 + seed)
    async with opened(tmp_path) as store:
        kept = await store.threads.create_thread()
        gone = await store.threads.create_thread()
        for _ in range(rng.randint(1, 3)):
            await fill(store, kept.id, other, rng, turns=rng.randint(0, 5))
            await fill(store, gone.id, secret, rng, turns=rng.randint(1, 6))
        await store.threads.search(secret.words[-1])
        assert secret.left_in(tmp_path), "the test must be able to find what it looks for"

        await store.threads.delete_thread(gone.id)
        await store.threads.purge_thread(gone.id)
        assert secret.left_in(tmp_path) == set(), "while open"
        for message in await store.threads.path(kept.id):
            if words := message.text.split():
                assert [hit.message_id for hit in await store.threads.search(words[0])] == [message.id]
    assert secret.left_in(tmp_path) == set(), "closed"


async def test_an_expired_trash_is_wiped_in_the_same_way(tmp_path: Path) -> None:
    words, rng = Sentinels(1), random.Random(1)
    async with opened(tmp_path) as store:
        for _ in range(3):
            thread = await store.threads.create_thread()
            await fill(store, thread.id, words, rng, turns=2)
            await store.threads.delete_thread(thread.id)
        assert await store.threads.purge_deleted_before(datetime(2100, 1, 1, tzinfo=UTC)) == 3
        assert words.left_in(tmp_path) == set()


async def test_a_purge_takes_the_copies_made_before_migrations_with_it(tmp_path: Path) -> None:
    words = Sentinels(1)
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title=words())
        (tmp_path / "backups").mkdir()
        (tmp_path / "backups" / "threadwell-version-1.db").write_text(words.words[0])
        await store.threads.purge_thread(thread.id)
        assert words.left_in(tmp_path) == set()


async def test_a_purge_that_was_cut_short_is_finished_at_the_next_start(tmp_path: Path) -> None:
    words, rng = Sentinels(1), random.Random(1)
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await fill(store, thread.id, words, rng, turns=3)
        # What a process leaves that dies directly after the first step of a purge.
        await store.database.write(
            lambda connection: hide_for_purge(
                connection, require_thread(connection, thread.id), thread.id, datetime(2026, 1, 1, tzinfo=UTC)
            )
        )
        assert await store.threads.get_thread(thread.id) is None
        assert await store.threads.list_threads(deleted=True) == ()
    async with opened(tmp_path) as store:
        assert words.left_in(tmp_path)
        await store.threads.recover()
        assert words.left_in(tmp_path) == set()


async def test_a_purge_goes_through_while_another_answer_streams(tmp_path: Path) -> None:
    words, rng = Sentinels(1), random.Random(1)
    async with opened(tmp_path) as store:
        thread, other = await store.threads.create_thread(), await store.threads.create_thread()
        await fill(store, thread.id, words, rng, turns=5)
        turn = await store.threads.begin_turn(other.id, "question", model="m")
        purged = asyncio.Event()
        saved = 0

        async def stream() -> None:
            nonlocal saved
            while not purged.is_set():
                saved += 1
                await store.threads.save_parts(turn.assistant_message.id, [TextPart(text="word " * saved)])
                assert len(await store.threads.path(other.id)) == 2

        async with asyncio.TaskGroup() as group:
            group.create_task(stream())
            await store.threads.purge_thread(thread.id)
            purged.set()
        assert words.left_in(tmp_path) == set()
        (answer,) = await store.threads.messages([turn.assistant_message.id])
        assert answer.text == "word " * saved
