"""The search of the sidebar as a person uses it: filters, tool calls, notes of memory, unfolding, and the way from hit to hit."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit, QToolButton

from desktop.conversation.entities import MessageStatus, Part, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.conversation.lists import Place
from desktop.conversation.search_filters import read_search
from desktop.conversation.summaries import Summary, SummaryState
from desktop.core.clock import utc_now
from desktop.core.language_model import Usage
from desktop.memory.entities import MemoryKind
from desktop.storage.store import Store
from desktop.ui.shortcuts import sequences
from desktop.ui.sidebar import search_presenter
from desktop.ui.sidebar.filter_words import filter_list
from desktop.ui.sidebar.result_model import HitRole, RowKind
from desktop.ui.transcript.blocks.tool_card import ToolCard
from tests.support.app_language import app_language
from tests.support.scripted_embedder import ScriptedEmbedder
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


def rows(world: WindowWorld) -> list[tuple[RowKind, str]]:
    model = world.presenter.window.sidebar.results_model
    indexes = [model.index(row) for row in range(model.rowCount())]
    return [(RowKind(index.data(HitRole.KIND)), index.data()) for index in indexes]


def kinds(world: WindowWorld) -> list[RowKind]:
    return [kind for kind, _ in rows(world)]


def write(world: WindowWorld, text: str) -> None:
    field = world.presenter.window.sidebar.search
    field.setFocus()
    field.clear()
    QTest.keyClicks(field, text)


async def add(world: WindowWorld, thread_id: str, question: str, *parts: Part) -> str:
    turn = await world.store.threads.begin_turn(thread_id, question, model="m")
    message = await world.store.threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=None, output_tokens=None),
        duration_seconds=1.0,
    )
    return message.id


def call(key: str, name: str, arguments: str, result: str) -> tuple[Part, Part]:
    return (
        ToolCallPart(call_id=key, name=name, arguments=arguments),
        ToolResultPart(call_id=key, status=ResultStatus.OK, text=result, duration_seconds=0.1),
    )


def press(world: WindowWorld, shortcut_id: str) -> None:
    QTest.keySequence(world.presenter.window, sequences(shortcut_id)[0])


def click_row(world: WindowWorld, row: int) -> None:
    view = world.presenter.window.sidebar.results
    index = view.model().index(row, 0)
    view.scrollTo(index)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())


async def test_a_hit_in_a_tool_result_leads_to_its_card_which_is_opened_with_the_words_marked(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("nothing here", title="Files")
        await add(
            world,
            thread_id,
            "look",
            *call("a", "list_folder", '{"path": "/"}', "one"),
            *call("b", "read_file", '{"path": "x"}', "# Birds\nthe pelican stands"),
            TextPart(text="done"),
        )
        for number in range(30):
            await add(world, thread_id, f"later {number}", TextPart(text="word " * 400))
        write(world, "pelican")
        await until(lambda: RowKind.CALL in kinds(world))
        click_row(world, kinds(world).index(RowKind.CALL))
        transcript = world.presenter.window.transcript

        def marked() -> list[str]:
            edits = [edit for card in transcript.findChildren(ToolCard) for edit in card.text_widgets()]
            return [
                selection.cursor.selectedText()
                for edit in edits
                if edit.isVisible()
                for selection in edit.extraSelections()
            ]

        await until(lambda: "pelican" in marked())
        cards = [card for card in transcript.findChildren(ToolCard) if card.isVisible()]
        assert sum(bool(card.text_widgets()) for card in cards) == 1, "the other call stays folded"
        open_card = next(card for card in cards if card.text_widgets())
        assert [edit.verticalScrollBar().value() for edit in open_card.text_widgets()] == [0, 0], "no line is hidden"
        top = open_card.mapTo(transcript.viewport(), open_card.rect().topLeft()).y()
        assert -open_card.height() < top < transcript.viewport().height()


async def test_a_message_far_up_is_brought_into_view_with_the_words_marked(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("start", title="Long")
        for number in range(120):
            text = (
                "words before. " * 150 + "the egret waits" + " words after" * 20 if number == 40 else f"answer {number}"
            )
            await add(world, thread_id, f"q {number}", TextPart(text=text))
        write(world, "egret")
        await until(lambda: RowKind.MESSAGE in kinds(world))
        QTest.keyClick(world.presenter.window.sidebar.search, Qt.Key.Key_Return)
        QTest.keyClick(world.presenter.window.sidebar.search, Qt.Key.Key_Down)
        click_row(world, kinds(world).index(RowKind.MESSAGE))
        transcript = world.presenter.window.transcript

        def places() -> list[int]:
            return [
                edit.mapTo(transcript.viewport(), edit.cursorRect(selection.cursor).topLeft()).y()
                for edit in transcript.findChildren(QTextEdit)
                for selection in edit.extraSelections()
                if selection.cursor.selectedText() == "egret"
            ]

        await until(lambda: any(0 <= y < transcript.viewport().height() for y in places()))


async def test_filters_are_shown_as_understood_and_can_be_taken_away(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("heron asked", title="One heron")
        write(world, "heron from:me foo:bar")
        chips = world.presenter.window.sidebar.search_box.chips
        await until(lambda: chips.isVisible())
        buttons = [button for button in chips.findChildren(QToolButton) if button.isVisible()]
        assert [button.text() for button in buttons] == ["From me"], "what is no filter is text"
        await until(lambda: rows(world) == [])
        QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
        assert world.presenter.window.sidebar.search.text() == "heron foo:bar"
        write(world, "heron from:me")
        await until(lambda: kinds(world) == [RowKind.THREAD, RowKind.MESSAGE])
        QTest.keyClick(world.presenter.window.sidebar.search, Qt.Key.Key_Escape)
        assert not chips.isVisible()


async def test_the_button_lists_the_filters_and_puts_the_chosen_one_into_the_text(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("heron asked", title="One")
        box = world.presenter.window.sidebar.search_box
        write(world, "heron")
        menu = box.help_menu()
        texts = [action.text() for action in menu.actions() if not action.isSeparator()]
        assert any(text.startswith("has:tool\t") for text in texts)
        next(action for action in menu.actions() if action.text().startswith("from:me\t")).trigger()
        assert box.field.text().strip() == "heron from:me"
        assert box.field.hasFocus()
        next(action for action in menu.actions() if action.text().startswith("before:")).trigger()
        assert box.field.selectedText() == f"{datetime.now().astimezone():%Y-%m}", "to be overwritten"
        menu.deleteLater()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_filter_of_the_list_is_one_in_each_language(qapp: QApplication, language: str) -> None:
    with app_language(qapp, language):
        now = datetime.now().astimezone()
        for line in itertools.chain(*filter_list(now)):
            wish = read_search(f"heron {line.text}", now, folders={line.example.strip('"'): "f"})
            assert len(wish.filters) == 1, line.text
            assert wish.text == "heron"


async def test_further_hits_of_a_chat_are_unfolded_and_the_keys_go_from_hit_to_hit(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        first = await world.add_thread("heron zero", title="First")
        for number in range(5):
            await add(world, first, f"heron {number}", TextPart(text="yes"))
        second = await world.add_thread("heron again", title="Second")
        write(world, "heron")
        await until(lambda: RowKind.MORE in kinds(world))
        assert [text for kind, text in rows(world) if kind is RowKind.MORE] == ["4 more in this chat"]
        view = world.presenter.window.sidebar.results
        seen: list[str] = []
        view.hit_activated.connect(lambda thread_id, _: seen.append(thread_id))
        shown: list[str] = []
        for _ in range(9):
            before = len(seen)
            press(world, "next_found")
            await until(lambda before=before: len(seen) > before)
            shown.append(view.currentIndex().data())
        assert RowKind.MORE not in kinds(world)
        assert len(set(shown)) == 9, "each hit once"
        assert seen[:2] == [second, second]
        assert set(seen[2:]) == {first}
        await until(lambda: world.presenter.thread_id == first)
        press(world, "previous_found")
        assert view.currentIndex().data() == shown[-2]
        assert world.presenter.window.sidebar.search.text() == "heron", "the search stays"


async def test_archived_chats_and_those_in_the_trash_are_marked_and_lead_to_where_they_are(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        keys = [await world.add_thread("the dunlin here", title=title) for title in ("Plain", "Away", "Gone")]
        moment = datetime.now().astimezone()
        await world.store.lists.set_places({keys[1]: Place(archived_at=moment)})
        await world.store.threads.delete_thread(keys[2])

        def marks() -> dict[str, tuple[str | None, str]]:
            model = world.presenter.window.sidebar.results_model
            indexes = [model.index(row) for row in range(model.rowCount())]
            return {
                index.data(): (
                    (index.data(HitRole.SHELF) or (None, None))[1],
                    index.data(Qt.ItemDataRole.AccessibleTextRole),
                )
                for index in indexes
                if index.data(HitRole.KIND) == RowKind.THREAD
            }

        write(world, "dunlin")
        await until(lambda: len(marks()) == 2)
        assert marks() == {"Away": ("Archived", "Archived chat: Away"), "Plain": (None, "Chat: Plain")}
        row = next(row for row, (_, text) in enumerate(rows(world)) if text == "Away")
        click_row(world, row + 1)
        await until(lambda: world.presenter.transcript.thread_id == keys[1])
        assert world.presenter.window.transcript.isVisible()
        write(world, "dunlin in:trash")
        await until(lambda: marks() == {"Gone": ("In Trash", "Chat in the Trash: Gone")})
        click_row(world, 0)
        await until(lambda: world.presenter.window.sidebar.is_trash_shown)


async def test_a_summary_of_an_archived_chat_says_so_and_shows_no_dashes(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        store, model = world.store, world.presenter.window.sidebar.results.model()
        for title in ("In the list", "Put away"):
            thread = await store.threads.create_thread(title=title)
            answer_id = await add(world, thread.id, "Go on")
            text = f"- Roof: Weidner - {title}\n- Walrus"
            moment = utc_now()
            made = Summary(
                id=title, thread_id=thread.id, until_id=answer_id, text=text, created_at=moment, updated_at=moment
            )
            await store.summaries.put(made, SummaryState())
        await store.lists.set_places({thread.id: Place(archived_at=moment)})
        write(world, "walrus")
        await until(lambda: kinds(world).count(RowKind.SUMMARY) == 2)
        found = [model.index(row, 0) for row, kind in enumerate(kinds(world)) if kind is RowKind.SUMMARY]
        spoken = Qt.ItemDataRole.AccessibleTextRole
        assert [index.data(spoken) for index in found] == [
            "Summary of an archived chat: Roof: Weidner · Put away · Walrus",
            "Summary: Roof: Weidner · In the list · Walrus",
        ]
        assert [bool(index.data(HitRole.SHELF)) for index in found] == [True, False]
        marked = [str(index.data())[start:end] for index in found for start, end in index.data(HitRole.HIGHLIGHTS)]
        assert marked == ["Walrus", "Walrus"]


async def test_what_is_remembered_is_found_and_leads_to_the_memory_page(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("something else", title="Other")
        await world.memory.write("The heron is called Gustav", MemoryKind.FACT)
        write(world, "gustav")
        await until(lambda: RowKind.ITEM in kinds(world))
        assert kinds(world)[0] is RowKind.HEADING
        click_row(world, kinds(world).index(RowKind.ITEM))
        await until(lambda: world.presenter.memory.page is not None)
        page = world.presenter.memory.page
        assert page is not None
        await until(lambda: page.model.rowCount() == 1)
        assert page.search.text() == "gustav"


async def test_the_newest_key_wins_and_nothing_of_an_older_search_is_shown(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("heron", title="A")
        await world.add_thread("egret", title="B")
        sidebar = world.presenter.window.sidebar
        for text in ("h", "he", "her", "e", "eg", "egret"):
            sidebar.search_changed.emit(text)
        sidebar.search.setText("egret")
        await until(lambda: any(text == "B" for _, text in rows(world)))
        assert all(text != "A" for _, text in rows(world))


async def test_what_is_found_by_its_meaning_keeps_to_the_filters(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, embedder=ScriptedEmbedder()) as world:
        await world.add_thread("我家的宠物叫小黑", title="Other")
        write(world, "cat")
        await until(lambda: kinds(world).count(RowKind.MESSAGE) == 2)
        write(world, "cat from:me")
        await until(lambda: [text for kind, text in rows(world) if kind is RowKind.MESSAGE] == ["我家的宠物叫小黑"])
        write(world, "cat from:me before:2000")
        await until(lambda: rows(world) == [])


async def test_nothing_is_made_ready_any_more_while_the_window_goes(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = Store.close

    async def close_slowly(store: Store) -> None:
        await close(store)
        await asyncio.sleep(1)  # meanwhile the time comes

    monkeypatch.setattr(search_presenter, "BUILD_DELAY_MS", 600)
    monkeypatch.setattr(Store, "close", close_slowly)
    async with window_world(qapp, tmp_path) as world:
        pass
    assert world.errors == []
