"""Whatever is typed into the search is text: it never fails, and it finds the message that holds exactly that."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.entities import (
    MessageStatus,
    Part,
    ResultStatus,
    SearchHit,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.search_filters import read_search
from desktop.conversation.search_wish import SearchWish
from desktop.core.language_model import Usage
from desktop.storage import call_index, search_index
from desktop.storage.search_text import fold
from desktop.storage.store import Store
from tests.support.index_damage import Damage, damage_index, emptied, gone, overwritten, with_a_table_missing
from tests.support.stores import opened, say

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PIECES = (
    *(
        '"',
        "'",
        "*",
        "(",
        ")",
        "^",
        "-",
        "+",
        ":",
        "：",
        "{",
        "}",
        "\\",
        "%",
        "_",
        ";",
        "“",
        "”",
        "「",
        "」",
        "\0",
        "\t",
        "\n",
    ),
    *(" AND ", " OR ", " NOT ", "NEAR(", "NEAR/2", "body:", "rowid:", "col : ", "--", "/*", "'; DROP TABLE messages; "),
    *(
        "🎉",
        "👩‍👩‍👧",
        "天",
        "气",
        "日本語",
        "ไทย",
        "한국",
        "مرحبا",
        "é",
        "e\u0301",
        "ẞ",
        "ﬁ",
        "½",
        "x²",
        "\ud83d",
        "\u202e",
        "\u200b",
    ),
    *(
        "in:",
        "in",
        "from:me",
        "from:",
        "has:tool",
        "before:2026-03",
        "before:",
        "model:",
        "来自：我",
        "含:",
        "word",
        "a",
        "WORD",
        " ",
    ),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(60 if metafunc.config.getoption("long") else 4))


async def everything(store: Store, wish: SearchWish, thread_id: str = "") -> list[SearchHit]:
    hits: list[SearchHit] = []
    older: int | None = None
    for _ in range(10_000):
        page = await store.search.find(wish, older=older, thread_id=thread_id)
        hits += page.hits
        older = page.older
        if older is None:
            return hits
    raise AssertionError("the pages have no end")


async def answer(store: Store, thread_id: str, *parts: Part) -> str:
    turn = await store.threads.begin_turn(thread_id, "question", model="m")
    message = await store.threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=None, output_tokens=None),
        duration_seconds=1.0,
    )
    return message.id


def text_of(chance: random.Random) -> str:
    pieces = chance.choices(PIECES, k=chance.randint(1, 9))
    if chance.random() < 0.2:
        pieces += [chr(chance.randrange(1, 0x10FFFF)) for _ in range(4)]
    return "".join(pieces)


async def test_any_text_finds_what_holds_exactly_that(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    texts = [text_of(chance) for _ in range(60)]
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        holders: dict[str, str] = {}
        for text in texts:
            if chance.random() < 0.5:
                holders[text] = (await say(store, thread.id, "q", text)).id
            else:
                call = ToolCallPart(call_id="c", name="look", arguments="{}")
                result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=text, duration_seconds=0.0)
                holders[text] = await answer(store, thread.id, call, result, TextPart(text="done"))
        for text in texts:
            wish = read_search(text, NOW)
            hits = await everything(store, wish, thread.id)
            can_be_found = any(fold(phrase.text).strip() for phrase in wish.phrases)
            if can_be_found and not wish.filters:
                assert holders[text] in {hit.message_id for hit in hits}, (text, wish.phrases)
            for hit in hits:
                for start, end in hit.highlights:
                    assert 0 <= start < end <= len(hit.snippet)


async def test_pages_hold_every_hit_once_newest_first(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    async with opened(tmp_path) as store:
        threads = [await store.threads.create_thread(title=chance.choice(["heron", "other"])) for _ in range(40)]
        wanted: list[str] = []
        for number in range(250):
            text = chance.choice(["heron", "heron heron", "egret"])
            message = await say(store, chance.choice(threads).id, "q", f"{text} {number}")
            if "heron" in text:
                wanted.append(message.id)
        for query in ("heron", "he", "h"):
            shown = await everything(store, read_search(query, NOW))
            messages = [hit.message_id for hit in shown if hit.message_id is not None]
            assert len(set(messages)) == len(messages)
            found = list(messages)
            for thread in threads:
                inside = [hit.message_id for hit in await everything(store, read_search(query, NOW), thread.id)]
                assert inside == [key for key in reversed(wanted) if key in set(inside)]
                found += [key for key in inside if key is not None]
            assert set(found) == set(wanted)
            assert messages == [key for key in reversed(wanted) if key in set(messages)]


async def test_of_a_long_result_the_beginning_is_found_and_a_name_is_found_always(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        output = "first " + "line of output\n" * 100_000 + "last"
        await answer(
            store,
            thread.id,
            ToolCallPart(call_id="c", name="run_command", arguments='{"command": "\\u5929\\u6c14"}'),
            ToolResultPart(call_id="c", status=ResultStatus.OK, text=output, duration_seconds=0.0),
        )
        for query, count in (("first", 1), ("run_command", 1), ("天气", 1), ("last", 0)):
            assert len(await everything(store, read_search(query, NOW))) == count, query
        words = await store.database.read(
            lambda c: c.execute("SELECT sum(length(block)) FROM call_search_data").fetchone()
        )
        assert words[0] < 20_000


async def test_what_is_not_in_the_index_yet_comes_in_pieces_and_the_search_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        for number in range(700):
            await answer(store, thread.id, ToolCallPart(call_id="c", name=f"heron{number}", arguments="{}"))
        await store.database.write(call_index.INDEX.reset)
        page = await store.search.find(read_search("heron0 in:tools", NOW))
        assert page.is_building, "only two pieces before the answer"
        assert not (await store.search.find(read_search("heron600 in:tools", NOW))).is_building
        await store.database.write(call_index.INDEX.reset)
        await store.database.write(search_index.INDEX.reset)
        rounds = 0
        while await store.search.index_some():
            rounds += 1
        assert rounds >= 3
        assert len(await everything(store, read_search("heron699 in:tools", NOW))) == 1


@pytest.mark.allowed_log("the search index")
@pytest.mark.parametrize("damage", [emptied, overwritten, with_a_table_missing, gone])
async def test_a_damaged_index_of_calls_is_built_anew_and_stops_nothing(tmp_path: Path, damage: Damage) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        for number in range(60):
            await answer(store, thread.id, ToolCallPart(call_id="c", name=f"heron{number}", arguments="{}"))
    damage_index(tmp_path, "call_search", damage)
    async with opened(tmp_path) as store:
        assert store.notices == ()
        await answer(store, thread.id, ToolCallPart(call_id="c", name="egret", arguments="{}"))
        await store.search.find(read_search("heron1", NOW))
        while await store.search.index_some():
            pass
        for name in ("heron1", "egret"):
            assert len(await everything(store, read_search(f'"{name}" in:tools', NOW))) == 1
