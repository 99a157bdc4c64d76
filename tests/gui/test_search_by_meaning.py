"""The sidebar's search by meaning: below what words found, marked, never in the way, and gone with the text."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop.conversation.entities import MessageStatus, TextPart, ThreadOptions
from desktop.core.language_model import Usage
from desktop.memory.indexing import IndexingState
from desktop.ui.sidebar.result_model import HitRole, RowKind
from tests.support.scripted_embedder import ScriptedEmbedder
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


def rows(world: WindowWorld) -> list[tuple[RowKind, str]]:
    model = world.presenter.window.sidebar.results_model
    indexes = [model.index(row) for row in range(model.rowCount())]
    return [(RowKind(index.data(HitRole.KIND)), index.data()) for index in indexes]


def heading(world: WindowWorld) -> int:
    """The row of the heading; -1 while there is none."""
    kinds = [kind for kind, _ in rows(world)]
    return kinds.index(RowKind.HEADING) if RowKind.HEADING in kinds else -1


def write(world: WindowWorld, text: str) -> None:
    world.presenter.window.sidebar.search.setText(text)


def shown(world: WindowWorld, name: str) -> bool:
    label = world.presenter.window.findChild(QLabel, name)
    return label is not None and label.isVisible()


async def test_what_means_the_same_comes_below_what_has_the_words(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    embedder = ScriptedEmbedder()
    async with window_world(qapp, tmp_path, embedder=embedder) as world:
        named = await world.add_thread("My cat sleeps all day", title="Named")
        other = await world.add_thread("我家的宠物叫小黑", title="Other")
        await world.add_thread("The violin needs strings", title="Music")
        write(world, "cat")
        await until(lambda: heading(world) > 0)
        by_words, by_meaning = rows(world)[: heading(world)], rows(world)[heading(world) + 1 :]
        assert [text for kind, text in by_words if kind is RowKind.THREAD] == ["Named"]
        assert [text for kind, text in by_meaning if kind is RowKind.THREAD] == ["Other"]
        assert all("cat" not in text for kind, text in by_meaning if kind is RowKind.MESSAGE)
        assert named != other
        view = world.presenter.window.sidebar.results
        index = view.model().index(heading(world) + 2, 0)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
        await until(lambda: world.presenter.thread_id == other)


async def test_rows_that_come_later_move_nothing_and_a_heading_is_no_hit(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    embedder = ScriptedEmbedder()
    async with window_world(qapp, tmp_path, embedder=embedder) as world:
        await world.add_thread("My cat sleeps all day", title="Named")
        await world.add_thread("我家的宠物叫小黑", title="Other")
        write(world, "violin")  # so that all of it is embedded before the gate is shut
        await until(lambda: any("小黑" in text for text in embedder.embedded))
        embedder.gate.clear()
        write(world, "cat")
        await until(lambda: any(text == "Named" for _, text in rows(world)))
        view = world.presenter.window.sidebar.results
        view.go_to_first(select=True)
        before = [view.visualRect(view.model().index(row, 0)) for row in range(view.model().rowCount())]
        assert heading(world) == -1
        embedder.gate.set()
        await until(lambda: heading(world) > 0)
        assert [view.visualRect(view.model().index(row, 0)) for row in range(len(before))] == before
        assert view.currentIndex().row() == 0
        assert view.selectionModel().isSelected(view.model().index(0, 0))
        chosen: list[str] = []
        view.hit_activated.connect(lambda thread_id, _message_id: chosen.append(thread_id))
        place: QPoint = view.visualRect(view.model().index(heading(world), 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert chosen == []
        for _ in range(view.model().rowCount()):
            QTest.keyClick(view, Qt.Key.Key_Down)
            assert view.currentIndex().row() != heading(world)


async def test_another_language_is_found_where_no_word_is_and_enter_opens_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    embedder = ScriptedEmbedder()
    async with window_world(qapp, tmp_path, embedder=embedder) as world:
        other = await world.add_thread("The kitten broke a vase", title="Vase")
        write(world, "violin")
        await until(lambda: any("vase" in text for text in embedder.embedded))
        write(world, "宠物")
        QTest.keyClick(world.presenter.window.sidebar.search, Qt.Key.Key_Return)
        await until(lambda: world.presenter.thread_id == other)
        assert rows(world)[0][0] is RowKind.HEADING
        assert not shown(world, "noMatches")


async def test_progress_of_the_vectors_does_not_ask_for_each_step(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    embedder = ScriptedEmbedder()
    async with window_world(qapp, tmp_path, embedder=embedder) as world:
        await world.add_thread("The kitten broke a vase", title="Vase")
        write(world, "宠物")
        await until(lambda: heading(world) == 0)
        before = embedder.embedded.count("宠物")
        for done in range(30):
            world.memory.indexing.changed.emit(IndexingState(embedder_id=embedder.id, done=done, total=30))
        await until(lambda: embedder.embedded.count("宠物") > before)
        write(world, "violin")
        await until(lambda: "violin" in embedder.embedded)
        assert embedder.embedded.count("宠物") <= before + 2


@pytest.mark.parametrize("kind", ["nonsense", "trash", "temporary", "purged"])
async def test_what_must_not_be_found_is_not(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, kind: str
) -> None:
    embedder = ScriptedEmbedder()
    async with window_world(qapp, tmp_path, embedder=embedder) as world:
        thread_id = await world.add_thread("The kitten broke a vase", title="Vase")
        if kind != "temporary":
            write(world, "宠物")
            await until(lambda: heading(world) == 0)
            write(world, "")
        if kind == "trash":
            await world.chat.delete_thread(thread_id)
        elif kind == "purged":
            await world.chat.purge_thread(thread_id)
        elif kind == "temporary":
            await world.conversations.set_options(thread_id, ThreadOptions(is_temporary=True))
        write(world, "qxzjw" if kind == "nonsense" else "宠物们")
        await until(lambda: shown(world, "noMatches") and world.presenter.window.sidebar.results.isHidden())
        await until(lambda: "\n" not in label_text(world))
        assert rows(world) == []


def label_text(world: WindowWorld) -> str:
    label = world.presenter.window.findChild(QLabel, "noMatches")
    assert label is not None
    return label.text()


async def test_an_answer_beside_the_path_is_found_and_shown(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    embedder = ScriptedEmbedder()
    async with window_world(qapp, tmp_path, embedder=embedder) as world:
        thread_id = await world.add_thread("What broke?", title="Vase")
        first = (await world.store.threads.path(thread_id))[-1]
        turn = await world.store.threads.add_answer(first.id, model="scripted")
        beside = await world.store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text="It was the kitten")],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=1, output_tokens=1),
            duration_seconds=0.1,
        )
        assert beside.id not in {message.id for message in await world.store.threads.path(thread_id)}
        write(world, "宠物")
        await until(lambda: heading(world) == 0)
        world.presenter.window.sidebar.results_model.index(2).data(HitRole.MESSAGE_ID)
        QTest.keyClick(world.presenter.window.sidebar.search, Qt.Key.Key_Return)
        await until(lambda: world.presenter.thread_id == thread_id)
        view = world.presenter.window.sidebar.results
        index = view.model().index(2, 0)
        assert index.data(HitRole.MESSAGE_ID) == beside.id
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
        await until(lambda: world.presenter.window.transcript.has_message(beside.id))


async def test_without_vectors_only_the_tooltip_says_so(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("The kitten broke a vase", title="Vase")
        search = world.presenter.window.sidebar.search
        assert "meaning" in search.toolTip()
        write(world, "kitten")
        await until(lambda: len(rows(world)) > 0 and "meaning" not in search.toolTip())
        assert heading(world) == -1
