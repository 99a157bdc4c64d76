"""Threads by their titles: the same ones as a look at each title finds, the newest first, and no others."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.entities import ThreadOptions
from desktop.conversation.lists import Place
from desktop.conversation.search_wish import Phrase, SearchWish
from desktop.storage.search_text import fold
from desktop.storage.store import Store
from desktop.storage.title_words import may_hold
from tests.support.stores import opened

PIECES = (
    *("Plan", "parser", "PARSER", "Café", "resumé", "naïve", "100%", "a_b", "[x]", "*", "'", '"', "😀", "Ärger", "Ω"),
    *("计划", "删除", "对话", "模型", "ＡＢＣ", "がぎ", "한국", "天气：晴", "straße", "I'm", "foo-bar", "\\", "—"),
)
QUERIES = (
    *("plan", "par", "arse", "cafe", "CAFÉ", "resume", "naive", "100", "%", "_", "a_b", "x", "*", "'", "😀", "arger"),
    *(
        "划",
        "计划",
        "删对",
        "除 计",
        "对话 plan",
        "abc",
        "か",
        "が",
        "한",
        "晴",
        "strasse",
        "foo bar",
        "bar foo",
        "ω",
        "zzz",
    ),
)


async def titled(store: Store, *titles: str) -> list[str]:
    return [(await store.threads.create_thread(title=title)).id for title in titles]


async def found(store: Store, query: str, limit: int = 50) -> list[str]:
    return [each.title for each in await store.titles.find(query, limit=limit)]


def expected(titles: list[str], query: str) -> list[str]:
    """The same by looking at every title, without any index or bound."""
    words = fold(query).split()
    newest = [title for title in reversed(titles) if all(word in fold(title) for word in words)] if words else []
    in_one_piece = [title for title in newest if " ".join(words) in " ".join(fold(title).split())]
    return in_one_piece + [title for title in newest if title not in in_one_piece]


async def test_what_is_found_says_its_folder_and_whether_it_is_archived(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        plain, filed, put_away = await titled(store, "heron 1", "heron 2", "heron 3")
        folder = await store.lists.create_folder("Birds")
        moment = datetime.now(UTC)
        await store.lists.set_places(
            {filed: Place(folder_id=folder.id), put_away: Place(folder_id=folder.id, archived_at=moment)}
        )
        for query in ("heron", ""):
            hits = {each.thread_id: (each.folder, each.is_archived) for each in await store.titles.find(query)}
            assert hits == {plain: ("", False), filed: ("Birds", False), put_away: ("Birds", True)}


@pytest.mark.parametrize("seed", range(4))
async def test_every_title_that_holds_the_words_is_found_in_its_order(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    titles = [f"{' '.join(chance.choices(PIECES, k=chance.randint(1, 4)))} {number}" for number in range(120)]
    async with opened(tmp_path) as store:
        await titled(store, *titles)
        for query in QUERIES:
            assert await found(store, query, 500) == expected(titles, query), query


async def test_what_is_marked_is_what_was_looked_for(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await titled(store, "对了，怎么删除对话", "The Café, again")
        (chat,) = await store.titles.find("对话")
        assert [chat.title[start:end] for start, end in chat.matches] == ["对话"]
        (chat,) = await store.titles.find("again cafe")
        assert [chat.title[start:end] for start, end in chat.matches] == ["Café", "again"]


async def test_nothing_typed_means_the_newest_and_signs_alone_mean_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await titled(store, "one", "", "three")
        assert await found(store, "") == ["three", "", "one"]
        assert await found(store, "  ", 2) == ["three", ""]
        assert await found(store, "%") == []
        assert await found(store, "one", 0) == []


async def test_the_trash_temporary_and_purged_threads_are_not_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        kept, deleted, purged = await titled(store, "plan kept", "plan deleted", "plan purged")
        temporary = await store.threads.create_thread(title="plan temporary", options=ThreadOptions(is_temporary=True))
        await store.threads.delete_thread(deleted)
        await store.threads.purge_thread(purged)
        for query in ("plan", ""):
            assert [each.thread_id for each in await store.titles.find(query)] == [kept]
        assert (await store.threads.get_thread(temporary.id)) is not None


async def test_titles_with_unusual_letters_are_found_by_an_index_of_their_own(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await titled(
            store, "Café crème", "ÅNGSTRÖM plan", "plan of the house", "计划 Ｐｌａｎ", "Straße", "ﬁne plans", "none"
        )
        for word, titles in (
            ("cafe", {"Café crème"}),
            ("angstrom", {"ÅNGSTRÖM plan"}),
            ("plan", {"ÅNGSTRÖM plan", "plan of the house", "计划 Ｐｌａｎ", "ﬁne plans"}),
            ("strasse", {"Straße"}),
            ("fine", {"ﬁne plans"}),
            ("计划", {"计划 Ｐｌａｎ"}),
        ):
            assert set(await found(store, word)) == titles
            page = await store.search.find(SearchWish(phrases=(Phrase(word),)))
            assert {hit.thread_title for hit in page.hits} == titles
        condition, values = may_hold("t.title", "t.seq", ("plan",))
        plan = await store.database.read(
            lambda c: c.execute(
                f"EXPLAIN QUERY PLAN SELECT t.seq FROM threads AS t WHERE {condition}", values
            ).fetchall()
        )
        assert any("unusual_titles" in row[3] for row in plan)
