"""The search index is derived data: caught up with, never in the way, and rebuilt when it is wrong."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.language_model import Usage
from desktop.storage import search_index
from desktop.storage.opening import first_problem
from desktop.storage.search_text import SearchQuery, fold
from tests.support.index_damage import (
    Damage,
    damage_index,
    emptied,
    gone,
    of_absurd_length,
    overwritten,
    with_a_table_missing,
    without_configuration,
)
from tests.support.stores import opened, say

INDEX = "message_search"


async def fill(folder: Path) -> None:
    async with opened(folder) as store:
        for number in range(3):
            thread = await store.threads.create_thread(title=f"Thread {number}")
            for turn in range(30):
                await say(store, thread.id, f"question {turn} 天气", f"answer {turn} word{number}x{turn}")


def with_another_message(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"INSERT INTO {index} (rowid, body) SELECT max(seq), 'word0x0' FROM messages")


def of_an_older_version(connection: sqlite3.Connection, _index: str) -> None:
    connection.execute("UPDATE meta SET value = 0 WHERE key = 'search_version'")


@pytest.mark.allowed_log("the search index")
@pytest.mark.parametrize(
    "damage",
    [
        emptied,
        without_configuration,
        with_a_table_missing,
        overwritten,
        of_absurd_length,
        with_another_message,
        gone,
        of_an_older_version,
    ],
)
async def test_a_wrong_index_never_stops_the_start_and_is_rebuilt_by_the_next_search(
    tmp_path: Path, damage: Damage
) -> None:
    await fill(tmp_path)
    damage_index(tmp_path, INDEX, damage)
    async with opened(tmp_path) as store:
        assert store.notices == ()
        (newest, *_) = await store.threads.list_threads()
        await say(store, newest.id, "still works", "of course")  # whatever the index is like
        assert [hit.snippet for hit in await store.threads.search("word0x0")] == ["answer 0 word0x0"]
        assert len(await store.threads.search("天气", limit=100)) == 90
        assert len(await store.threads.search("of course")) == 1


@pytest.mark.allowed_log("the search index")
@pytest.mark.parametrize("damage", [emptied, overwritten, of_absurd_length, with_a_table_missing])
async def test_a_thread_can_be_purged_whatever_the_index_is_like(tmp_path: Path, damage: Damage) -> None:
    await fill(tmp_path)
    damage_index(tmp_path, INDEX, damage)
    async with opened(tmp_path) as store:
        gone = (await store.threads.search("word1x3") or await store.threads.search("Thread 1"))[0].thread_id
        await store.threads.purge_thread(gone)
        assert await store.threads.search("word1x3") == ()
        assert len(await store.threads.search("word2x3")) == 1


@pytest.mark.allowed_log("the search index")
@pytest.mark.parametrize("damage", [overwritten, of_absurd_length, with_a_table_missing])
async def test_an_answer_can_be_continued_whatever_the_index_is_like(tmp_path: Path, damage: Damage) -> None:
    await fill(tmp_path)
    damage_index(tmp_path, INDEX, damage)
    async with opened(tmp_path) as store:
        (newest, *_) = await store.threads.list_threads()
        (answer,) = await store.threads.path(newest.id, last=1)
        turn = await store.threads.reopen_turn(answer.id, model="m", parts=[TextPart(text="answer 29 and more")])
        await store.threads.finish_turn(
            turn.turn_id,
            parts=turn.assistant_message.parts,
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=None, output_tokens=None),
            duration_seconds=1.0,
        )
        assert len(await store.threads.search("29 and more")) == 1
        assert len(await store.threads.search("word1x3")) == 1


async def test_messages_stored_without_an_index_are_caught_up_with(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        for turn in range(200):
            await say(store, thread.id, f"question {turn}", f"answer {turn}")
        await store.database.write(search_index.INDEX.reset)
        assert len(await store.threads.search("answer", limit=1000)) == 200
        await store.database.write(
            lambda connection: connection.execute(
                "INSERT INTO message_search (message_search, rank) VALUES ('integrity-check', 0)"
            )
        )


def test_a_check_that_complains_of_the_index_alone_is_no_damage() -> None:
    of_index = "malformed inverted index for FTS5 table main.message_search"
    assert first_problem(["ok"]) is None
    assert first_problem([of_index]) is None
    assert first_problem([of_index, "Page 7:\nbtreeInitPage() returns error code 11"]) == (
        "Page 7: btreeInitPage() returns error code 11"
    )


# -- the pure part --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "Un Café, s'il vous plaît"),
        ("CAFÉ", "un cafe\u0301"),
        ("strasse", "Die STRAẞE"),
        ("full", "Ｆｕｌｌ width"),
        ("天", "今天"),
        ("今天", "今天气"),
        ("日本", "日本語のテキスト"),
        ("ネット", "インターネット"),
        ("한국", "한국어"),
        ("ไทย", "ภาษาไทย"),
        ("snake_ca", "a snake_case name"),
        ("don't", "I don't know"),
        ("c++", "C++ and Rust"),
        ("🎉", "done 🎉!"),
        ("soft", "so\u00adft"),
        ("3.14", "pi is 3.14159"),
        ("b a", "a b"),
        ("𠮷", "𠮷野家"),
    ],
)
def test_is_found(query: str, text: str) -> None:
    assert SearchQuery.parse(query).matches(text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("afe", "cafe"),  # the beginning of a word, not its middle
        ("know don", "known don"),  # only the last word may be a beginning
        ("气天", "天气"),
        ("a b", "a"),
        ("  ", "anything"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_is_not_found(query: str, text: str) -> None:
    assert not SearchQuery.parse(query).matches(text)


def test_the_index_and_the_pure_part_agree() -> None:
    texts = ["Un Café, 今天天气 fine", "snake_case 3.14", "日本語 text\0more", "🎉 party", "a b a", "STRAẞE", "ümlaut"]
    queries = [
        "cafe",
        "天气",
        "天 今",
        "snake",
        "snake_c",
        "3.1",
        "本",
        "more",
        "🎉",
        "b a",
        "a b",
        "strass",
        "umlau",
        "x",
    ]
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (body, content = '', tokenize = 'ascii')")
    connection.executemany(
        "INSERT INTO t (rowid, body) VALUES (?, ?)", [(i, fold(text)) for i, text in enumerate(texts)]
    )
    for text in queries:
        query = SearchQuery.parse(text)
        in_index = [row[0] for row in connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (query.to_fts(),))]
        assert in_index == [i for i, other in enumerate(texts) if query.matches(other)], text
    connection.close()


def test_a_snippet_is_one_line_around_the_match() -> None:
    text = "start\n" + "filler " * 200 + "the needle,\n\nfound " + "filler " * 200
    snippet = SearchQuery.parse("needle found").snippet(text)
    assert len(snippet.text) <= 160
    assert "\n" not in snippet.text
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert [snippet.text[start:end] for start, end in snippet.highlights] == ["needle", "found"]


@pytest.mark.parametrize(("before", "most"), [("那里还有很多其他的话", 20), ("some other words here ", 40)])
def test_the_match_stands_where_a_narrow_list_still_shows_it(before: str, most: int) -> None:
    snippet = SearchQuery.parse("needle").snippet(f"{before * 10} needle, and more")
    assert most / 2 < snippet.highlights[0][0] <= most + 2


def test_a_snippet_in_chinese_marks_the_phrase() -> None:
    text = "很长的开头。" * 100 + "北京的天气很好" + "。结尾" * 100
    snippet = SearchQuery.parse("天气").snippet(text)
    assert [snippet.text[start:end] for start, end in snippet.highlights] == ["天气"]
    assert "北京" in snippet.text
    assert len(snippet.text) <= 160


def test_highlights_that_touch_are_joined() -> None:
    snippet = SearchQuery.parse("天气 气").snippet("天气")
    assert snippet.highlights == ((0, 2),)


def test_a_pasted_page_is_no_trouble_as_a_query() -> None:
    query = SearchQuery.parse("word 天气 " * 5000)
    assert sum(map(len, query.phrases)) <= 64
    assert query.matches("天气 word")


@pytest.mark.parametrize(
    ("before", "begins"),
    [
        ("很长的开头。" * 20 + "他说（其实没有），天气预报说", "…很长的开头。他说（其实没有），天气预报说needle"),
        ("很" * 60 + "（其实没有），" + "长" * 14, "…" + "长" * 14 + "needle"),
        ("some words " * 20 + "(and these), ", "…some words some words (and these), needle"),
        ("some words " * 20 + "at last). So the ", "…So the needle"),
        ("some words " * 20, "…words some words some words some words needle"),
        ("很" * 60, "…" + "很" * 20 + "needle"),
        ("supercalifragilistic" * 4 + " ", "…upercalifragilisticsupercalifragilistic needle"),
    ],
)
def test_a_snippet_begins_with_a_sentence_a_part_of_one_or_a_word(before: str, begins: str) -> None:
    assert SearchQuery.parse("needle").snippet(f"{before}needle, and more").text == f"{begins}, and more"


@pytest.mark.parametrize("seed", range(20))
def test_a_snippet_never_begins_with_marks_of_what_was_left_out(seed: int) -> None:
    rng = Random(seed)
    for _ in range(200):
        pieces = rng.choices(["天气", "（", "），", "。", "”", "word", " ", ", ", ") ", "é", "e\u0301", "\n"], k=80)
        text = "".join(pieces) + "needle"
        snippet = SearchQuery.parse("needle").snippet(text)
        shown = snippet.text.removeprefix("…")
        if not snippet.highlights or shown == snippet.text:
            continue  # within another word, or from the beginning
        assert shown[0] not in "），。”,) \u0301", (text, snippet.text)
        assert snippet.highlights[0][0] <= 43
