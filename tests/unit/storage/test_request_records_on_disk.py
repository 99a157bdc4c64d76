"""Records of requests on disk: each text once, gone with what it quotes, bounded, and never half written."""

import dataclasses
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.conversation.entities import Message, RecalledRef, RecallPart
from desktop.conversation.request_records import (
    LeftOut,
    LeftOutKind,
    Outcome,
    Piece,
    PieceKind,
    RequestRecord,
    SentMessage,
)
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.language_model import Sampling, Usage
from desktop.core.thinking_effort import ThinkingEffort
from desktop.core.token_count import TOKENS_OF_MESSAGE
from desktop.storage import purge, request_texts
from desktop.storage.sqlite_requests import SqliteRequestRecords
from desktop.storage.store import Store
from tests.support.memory_items import item
from tests.support.stores import opened, say

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SECRET = "the magpie sleeps in the lighthouse"


def piece(kind: PieceKind, text: str, *quotes: str) -> Piece:
    return Piece(
        kind=kind, text=text, size=len(text.encode(errors="surrogatepass")), tokens=len(text) // 4, quotes=quotes
    )


def record(answer: Message, *pieces: Piece, at: datetime = NOW) -> RequestRecord:
    return RequestRecord(
        id=new_id(),
        thread_id=answer.thread_id,
        message_id=answer.id,
        step=0,
        sent_at=at,
        model="m",
        messages=(
            SentMessage(role="system", pieces=(piece(PieceKind.INSTRUCTIONS, "Be careful. " * 50),)),
            SentMessage(role="user", pieces=pieces, origins=(answer.parent_id or "",)),
        ),
        tools=(piece(PieceKind.TOOL, '{"name": "look"}'),),
    )


async def answer_in(store: Store, text: str = "hi") -> Message:
    thread = await store.threads.create_thread()
    return await say(store, thread.id, text, "an answer")


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def count(connection: sqlite3.Connection, table: str) -> int:
    return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


async def texts(store: Store, answer: Message) -> list[str | None]:
    return [p.text for r in await store.requests.of_answer(answer.id) for p in r.messages[1].pieces]


async def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        image = Piece(kind=PieceKind.IMAGE, name="a.png", detail="image/png sha256:0", size=5, tokens=1100)
        written = dataclasses.replace(
            record(answer, piece(PieceKind.TEXT, "half \ud800 a pair, \0, 中文"), image),
            sampling=Sampling(temperature=0.5, top_p=0.9),
            thinking=ThinkingEffort.LOW,
            goes_on=True,
            recall=RecallPart(
                found=(RecalledRef(kind="fact", id="f", score=0.5, words=0.25, meaning=None),),
                standing=("w",),
                no_room=(RecalledRef(kind="message", id="m", score=0.25, words=0.5, meaning=1.0),),
                standing_no_room=("v",),
            ),
            left_out=(LeftOut(kind=LeftOutKind.TOOL, count=1, names=("x",)),),
            http=(piece(PieceKind.BODY, '{"model": "m"}', "elsewhere:1", "elsewhere:2"),),
        )
        outcome = Outcome(
            finish="stop",
            usage=Usage(input_tokens=7),
            seconds=1.5,
            remarks=(LeftOut(kind=LeftOutKind.REMARK, names=("without_tools",), params={"detail": "d"}),),
        )
        await store.requests.add(written)
        await store.requests.finish(written.id, outcome)
        (read,) = await store.requests.of_answer(answer.id)
        assert read == dataclasses.replace(written, outcome=outcome)
        assert await store.requests.answers_of(answer.thread_id) == (answer.id,)
        assert await store.requests.of_answer("unknown") == ()


async def test_what_requests_repeat_is_kept_once_in_a_chat(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        for number in range(20):
            await store.requests.add(record(answer, piece(PieceKind.TEXT, f"words {number}")))
        assert await store.database.read(lambda c: (count(c, "requests"), count(c, "request_pieces"))) == (20, 22)
        assert await texts(store, answer) == [f"words {number}" for number in range(20)]


async def test_how_many_earlier_messages_were_left_out_is_counted_on_the_path(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await answer_in(store)
        await say(store, first.thread_id, "second", "answer")
        last = await say(store, first.thread_id, "third", "answer")
        await store.requests.add(record(last, piece(PieceKind.TEXT, "third")))
        (read,) = await store.requests.of_answer(last.id)
        assert read.left_out == (LeftOut(kind=LeftOutKind.WINDOW, count=4),)


async def test_no_byte_stays_of_a_record_when_its_chat_is_purged(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        kept, gone = await answer_in(store), await answer_in(store)
        await store.requests.add(record(kept, piece(PieceKind.TEXT, "what stays")))
        stored: list[bytes] = []
        for number in range(30):
            pieces = [piece(PieceKind.TEXT, f"{SECRET} {number * 7919 + place}") for place in range(30)]
            await store.requests.add(record(gone, *pieces))
        rows = await store.database.read(
            lambda c: c.execute("SELECT body, digest FROM request_pieces WHERE kind = 'text'").fetchall()
        )
        stored = [part[4:20] for body, digest in rows[1::30] for part in (body, digest)]
        await store.database.checkpoint()
        content = bytes_in(tmp_path)
        assert all(each in content for each in stored), "the test must be able to find it"
        receipt = await store.threads.purge_thread(gone.thread_id)
        assert receipt.requests == 30
        content = bytes_in(tmp_path)
        assert [each for each in stored if each in content] == []
        assert await texts(store, kept) == ["what stays"]
        assert await store.database.read(lambda c: (count(c, "requests"), count(c, "request_pieces"))) == (1, 3)


async def test_a_forgotten_item_goes_out_of_every_record_that_held_it_and_figures_stay(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        wrong, other = item(SECRET), item("Drinks tea")
        for each in (wrong, other):
            await store.memory.add(each)
        await store.requests.add(record(answer, piece(PieceKind.MEMORIES, f"memory: {SECRET}", f"fact:{wrong.id}")))
        await store.requests.add(record(answer, piece(PieceKind.MEMORIES, "memory: tea", f"fact:{other.id}")))
        await store.requests.add(record(answer, piece(PieceKind.SUMMARY, f"Once it was said:\n{SECRET.title()}.")))
        body = piece(PieceKind.BODY, '{"messages": ["' + SECRET.replace(" ", "\\\\n", 1) + '"]}')
        await store.requests.add(dataclasses.replace(record(answer, piece(PieceKind.TEXT, "hello")), http=(body,)))
        rows = await store.database.read(
            lambda c: c.execute("SELECT body, digest FROM request_pieces WHERE kind <> 'text'").fetchall()
        )
        receipt = await store.memory.forget([wrong.id])
        assert receipt.requests == 1
        assert await texts(store, answer) == [None, "memory: tea", None, "hello"]
        records = await store.requests.of_answer(answer.id)
        assert [r.messages[1].pieces[0].tokens > 0 for r in records] == [True] * 4
        assert [r.is_whole for r in records] == [False, True, False, False]
        content = bytes_in(tmp_path)
        left = [b for b, digest in rows if b[4:20] in content or digest in content]
        assert len(left) == len(rows) - 3


async def test_a_message_of_another_chat_goes_out_of_the_records_with_that_chat(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        said, answer = await answer_in(store, SECRET), await answer_in(store)
        await store.requests.add(record(answer, piece(PieceKind.MEMORIES, SECRET, f"message:{said.parent_id}")))
        await store.threads.purge_thread(said.thread_id)
        assert await texts(store, answer) == [None]


async def test_what_was_removed_while_its_request_was_under_way_is_not_written_down_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        said, answer = await answer_in(store), await answer_in(store)
        wrong = item(SECRET)
        await store.memory.add(wrong)
        late = record(answer, piece(PieceKind.MEMORIES, SECRET, f"fact:{wrong.id}"))
        later = record(answer, piece(PieceKind.MEMORIES, SECRET + "!", f"message:{said.id}"))
        await store.memory.forget([wrong.id])
        await store.threads.purge_thread(said.thread_id)
        await store.requests.add(late)
        await store.requests.add(later)
        assert await texts(store, answer) == [None, None]


async def test_nothing_is_recorded_for_an_answer_that_is_gone(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        await store.threads.purge_thread(answer.thread_id)
        with pytest.raises(StorageError):
            await store.requests.add(record(answer, piece(PieceKind.TEXT, SECRET)))
        await store.requests.finish("unknown", Outcome())
        assert await store.database.read(lambda c: count(c, "request_pieces")) == 0


async def test_of_old_and_of_too_many_records_only_sums_are_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        old, new = await answer_in(store), await answer_in(store)
        then = SqliteRequestRecords(store.database, clock=lambda: NOW - timedelta(days=91))
        gone = record(old, piece(PieceKind.TEXT, "old"), at=NOW - timedelta(days=91))
        await then.add(gone)
        await then.add(record(old, piece(PieceKind.TEXT, "not so old")))
        fresh = SqliteRequestRecords(store.database, clock=lambda: NOW)
        await fresh.add(record(new, piece(PieceKind.TEXT, "new")))
        (first, second) = await store.requests.of_answer(old.id)
        assert second.is_whole, "what it shares with the one that went stays"
        assert (first.messages, first.tools, first.http, first.is_whole, first.body) == ((), (), (), False, None)
        assert first.tokens == gone.tokens
        assert {each.kind: (each.count, each.size, each.tokens) for each in first.sums} == {
            PieceKind.INSTRUCTIONS: (1, 600, 150 + TOKENS_OF_MESSAGE),
            PieceKind.TEXT: (1, 3, TOKENS_OF_MESSAGE),
            PieceKind.TOOL: (1, 16, 4),
        }
        assert (first.step, first.model, first.sent_at) == (gone.step, gone.model, gone.sent_at)
        assert await store.database.read(lambda c: count(c, "request_pieces")) == 6, "no row is left of what went"

        small = SqliteRequestRecords(store.database, clock=lambda: NOW, most_bytes=700)
        await small.add(record(new, piece(PieceKind.TEXT, "newest")))
        (second,) = (await store.requests.of_answer(old.id))[1:]
        assert second.sums
        *others, newest = await store.requests.of_answer(new.id)
        assert (newest.is_whole, [each.is_whole for each in others]) == (True, [False])


async def test_a_long_chat_keeps_as_much_as_may_be_kept_and_sums_of_the_rest(tmp_path: Path) -> None:
    """Each request repeats those before it; without a bound, what is kept would grow with the square of their number."""
    most = 20_000
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        records = SqliteRequestRecords(store.database, clock=lambda: NOW, most_bytes=most)
        pieces: list[Piece] = []
        for number in range(150):
            pieces += [piece(PieceKind.TEXT, f"{number * 7919} said {place * 104_729}") for place in range(4)]
            await records.add(record(answer, *pieces))
        await SqliteRequestRecords(store.database, clock=lambda: NOW, most_bytes=most).add(record(answer, *pieces))

        def sizes(connection: sqlite3.Connection) -> tuple[int, int, int]:
            (largest,) = connection.execute("SELECT max(length(figures)) FROM requests WHERE has_texts = 0").fetchone()
            (whole,) = connection.execute("SELECT sum(length(figures)) FROM requests WHERE has_texts = 1").fetchone()
            rows = connection.execute("SELECT sum(length(figures) + coalesce(length(body), 0)) FROM request_pieces")
            return largest, whole, rows.fetchone()[0]

        largest, whole, kept = await store.database.read(sizes)
        assert largest < 500, "however much was sent"
        assert whole < most
        assert kept < 200 * len(pieces), "each once"
        found = await store.requests.of_answer(answer.id)
        assert [len(found), found[-1].is_whole, found[0].is_whole] == [151, True, False]
        assert [each.tokens for each in found] == sorted(each.tokens for each in found), (
            "what is said of them stays true"
        )


async def test_many_old_records_are_let_go_of_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_texts, "_MOST_PRUNED", 3)
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        then = SqliteRequestRecords(store.database, clock=lambda: NOW - timedelta(days=91))
        for number in range(7):
            await then.add(record(answer, piece(PieceKind.TEXT, str(number)), at=NOW - timedelta(days=91)))
        fresh, left = SqliteRequestRecords(store.database, clock=lambda: NOW), list[int]()
        for number in range(4):
            await fresh.add(record(answer, piece(PieceKind.TEXT, f"new {number}")))
            left.append(sum(each.is_whole for each in (await store.requests.of_answer(answer.id))[:7]))
        assert left == [4, 1, 0, 0]


async def test_a_record_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        answer = await answer_in(store)
        trigger = "CREATE TRIGGER late BEFORE INSERT ON requests BEGIN SELECT raise(ABORT, 'the power fails'); END"
        await store.database.write(lambda c: c.execute(trigger))
        with pytest.raises((StorageError, sqlite3.Error)):
            await store.requests.add(record(answer, piece(PieceKind.TEXT, "words")))
        assert await store.database.read(lambda c: count(c, "request_pieces")) == 0
        await store.database.write(lambda c: c.execute("DROP TRIGGER late"))
        await store.requests.add(record(answer, piece(PieceKind.TEXT, "words")))
    async with opened(tmp_path) as store:
        assert await texts(store, answer) == ["words"]
        assert not (await store.requests.of_answer(answer.id))[0].outcome.finish, "nobody knows how it ended"
        await purge.finish(store.database)
