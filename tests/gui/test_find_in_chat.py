"""Finding words in a chat with Ctrl+F: in every part of its messages, also of those that are not drawn, and in what is folded."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QTextEdit, QToolButton, QWidget

from desktop.conversation.entities import (
    MessageStatus,
    Part,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import TextDelta, Usage
from desktop.ui.transcript.find_bar import FindBar
from desktop.ui.transcript.row import RowWidget
from tests.support.scripted_model import said
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

K = Qt.Key


async def say(world: WindowWorld, thread_id: str, question: str, *parts: Part) -> str:
    """Add a round; returns the id of the answer."""
    threads = world.store.threads
    turn = await threads.begin_turn(thread_id, question, model="m")
    answer = await threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(output_tokens=1),
        duration_seconds=1.0,
    )
    return answer.id


async def chat(world: WindowWorld, *rounds: tuple[str, Sequence[Part]]) -> str:
    thread = await world.store.threads.create_thread(title="A chat")
    for question, parts in rounds:
        await say(world, thread.id, question, *parts)
    await world.presenter.open_thread(thread.id)
    await until(lambda: world.presenter.transcript.is_loaded)
    return thread.id


def bar(world: WindowWorld) -> FindBar:
    found = world.presenter.features.find.bar
    assert found is not None, "the bar is open"
    return found


def count(world: WindowWorld) -> str:
    label = bar(world).findChild(QLabel, "findCount")
    assert isinstance(label, QLabel)
    return label.text()


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    target = QApplication.focusWidget() or QApplication.activeWindow()
    assert target is not None
    QTest.keyClick(target, key, modifiers)


async def find(world: WindowWorld, words: str) -> None:
    if world.presenter.features.find.bar is None:
        world.presenter.features.find.open()
    bar(world).field.setText(words)
    QTest.keyClick(bar(world).field, K.Key_Return)  # at once, without waiting for more to be typed
    await until(lambda: count(world) not in ("", "Searching…") and not count(world).endswith("…"))


def marks(world: WindowWorld, colour: str) -> list[str]:
    """The texts that stand on this colour, in the messages in sight from the top."""
    view = world.presenter.window.transcript.viewport()
    texts: list[tuple[int, int, str]] = []
    for widget in [*view.findChildren(QTextEdit), *view.findChildren(QPlainTextEdit)]:
        if not widget.isVisible():
            continue
        for selection in widget.extraSelections():
            if selection.format.background().color() == QColor(colour):
                rect = widget.cursorRect(selection.cursor)
                place = widget.viewport().mapTo(view, rect.topLeft())
                texts.append((place.y(), place.x(), selection.cursor.selectedText()))
    return [text for *_, text in sorted(texts)]


def found(world: WindowWorld) -> list[str]:
    return marks(world, world.theme.tokens.found)


def current(world: WindowWorld) -> list[str]:
    return marks(world, world.theme.tokens.found_now)


def current_y(world: WindowWorld) -> int:
    view = world.presenter.window.transcript.viewport()
    for widget in [*view.findChildren(QTextEdit), *view.findChildren(QPlainTextEdit)]:
        if widget.visibleRegion().isEmpty():
            continue
        for selection in widget.extraSelections():
            if selection.format.background().color() == QColor(world.theme.tokens.found_now):
                return widget.viewport().mapTo(view, widget.cursorRect(selection.cursor).topLeft()).y()
    return -1


def is_in_sight(world: WindowWorld) -> bool:
    return bool(current(world)) and 0 <= current_y(world) < world.presenter.window.transcript.viewport().height()


ROUNDS = (
    ("Where do apples grow?", [TextPart(text="An **Apple** tree wants sun. APPLES, and `apple juice`.")]),
    ("苹果在哪里生长？", [TextPart(text="苹果树需要阳光。\n\n| 树 | 果 |\n| --- | --- |\n| 苹果树 | 苹果 |")]),
)


async def test_all_places_are_counted_and_marked_and_the_keys_go_round(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await chat(world, *ROUNDS)
        await until(world.presenter.window.isActiveWindow)
        press(K.Key_F, Qt.KeyboardModifier.ControlModifier)
        await find(world, "apple")
        assert count(world) == "1 of 4"
        assert current(world) == ["apple"]
        assert found(world) == ["Apple", "APPLE", "apple"]
        for expected in ("2 of 4", "3 of 4", "4 of 4", "1 of 4"):
            press(K.Key_Return)
            await until(lambda e=expected: count(world) == e)
        press(K.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        await until(lambda: count(world) == "4 of 4")
        press(K.Key_F3)
        await until(lambda: count(world) == "1 of 4")
        press(K.Key_F3, Qt.KeyboardModifier.ShiftModifier)
        await until(lambda: count(world) == "4 of 4" and current(world) == ["apple"])
        await find(world, "苹果")
        assert count(world) == "1 of 4"
        await find(world, "ＡＰＰＬＥ　ｔｒｅｅ")
        assert count(world) == "1 of 1"
        await until(lambda: current(world) == ["Apple tree"])
        await find(world, "pears")
        assert count(world) == "Not found"
        assert found(world) == current(world) == []


async def test_what_is_folded_is_found_and_opened(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    long_question = "\n".join(f"line {number}" for number in range(60)) + "\nthe walrus at the end"

    async with window_world(qapp, tmp_path) as world:
        call = ToolCallPart(call_id="1", name="files__read", arguments='{"path": "walrus.txt"}')
        result = ToolResultPart(
            call_id="1", status=ResultStatus.OK, text="\n".join([*["nothing"] * 40, "A walrus 🦭 and a walrus"])
        )
        answer = [
            ThinkingPart(text="Is it a *walrus*?"), call, result, TextPart(text="It is a walrus.", step=1)
        ]  # fmt: skip
        await chat(world, (long_question, answer))
        await find(world, "walrus")
        assert count(world).endswith("of 6"), "question, reasoning, arguments, result twice, answer"
        seen: list[str] = []
        for _ in range(6):
            await until(lambda: is_in_sight(world))
            seen.append(count(world))
            before = count(world)
            QTest.keyClick(bar(world).field, K.Key_Return)
            await until(lambda b=before: count(world) != b)
        assert sorted(seen) == [f"{number} of 6" for number in range(1, 7)]
        bar(world).closed.emit()
        assert marks(world, world.theme.tokens.found) == marks(world, world.theme.tokens.found_now) == []


async def test_escape_closes_it_and_gives_the_focus_back_and_leaves_no_mark(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await chat(world, *ROUNDS)
        world.presenter.window.activateWindow()
        world.presenter.window.composer.focus_text()
        before = QApplication.focusWidget()
        await find(world, "apple")
        assert QApplication.focusWidget() is bar(world).field
        press(K.Key_Escape)
        assert world.presenter.features.find.bar is None
        assert QApplication.focusWidget() is before
        assert found(world) == current(world) == []
        press(K.Key_F3)
        await until(lambda: count(world).endswith("of 4"))
        assert bar(world).field.text() == "apple"
        other = await world.add_thread("Another chat with an apple")
        await world.presenter.open_thread(other)
        await until(lambda: world.presenter.features.find.bar is None)
        assert found(world) == []


@pytest.mark.timeout(330)  # ten thousand messages are written first
async def test_a_place_far_away_in_a_long_chat_is_gone_to_exactly(
    qapp: QApplication, tmp_path: Path, long_run: bool
) -> None:
    rounds = 5_000 if long_run else 400

    async with window_world(qapp, tmp_path) as world:
        needles = (3, rounds // 2, rounds - 2)
        await chat(
            world,
            *(
                (f"Question {n}", [TextPart(text="word " * 60 + ("needle " if n in needles else "") + "word " * 9)])
                for n in range(rounds)
            ),
        )
        await until(lambda: world.presenter.window.transcript.message_count == 2 * rounds)
        await find(world, "NEEDLE")
        assert count(world).endswith("of 3")
        shown: set[str] = set()
        for _ in range(3):
            await until(lambda: is_in_sight(world))
            rows = world.presenter.window.transcript.viewport().findChildren(RowWidget)
            assert len(rows) < 60, "what is not near is not drawn"
            shown.add(count(world))
            before = count(world)
            QTest.keyClick(bar(world).field, K.Key_Return)
            await until(lambda b=before: count(world) != b)
        assert shown == {"1 of 3", "2 of 3", "3 of 3"}


async def test_what_an_answer_says_meanwhile_is_found(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    hold = asyncio.Event()
    step = [TextDelta(text="A melon. "), hold, *said("Two melons.")]
    async with window_world(qapp, tmp_path, step) as world:
        await chat(world, *ROUNDS)
        thread_id = world.presenter.thread_id
        assert thread_id is not None
        run = await world.chat.send(thread_id, "Name fruits")
        await until(lambda: world.presenter.window.transcript.message_count == 6)
        await until(lambda: "A melon" in repr(world.presenter.transcript.followed_row))
        await find(world, "melon")
        assert count(world) == "1 of 1"
        hold.set()
        await run.wait_over()
        await until(lambda: count(world) == "1 of 2")


async def test_words_can_be_marked_for_a_while_after_a_jump(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await chat(world, *ROUNDS, *((f"Question {n}", [TextPart(text="word " * 80)]) for n in range(60)))
        first = (await world.store.threads.path(thread_id))[1]
        view = world.presenter.window.transcript
        view.marks.mark_for_a_while(first.id, ["tree", "sun"])
        await world.presenter.open_thread(thread_id, first.id)
        await until(lambda: found(world) == ["tree", "sun"])
        view.marks.clear()
        assert found(world) == []


async def test_the_bar_fits_a_narrow_window_and_is_named(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        await chat(world, *ROUNDS)
        world.presenter.window.resize(700, 500)
        await find(world, "apple")
        view = world.presenter.window.transcript
        shown = bar(world).geometry()
        assert world.presenter.window.right_side.rect().contains(shown)
        assert not shown.intersects(view.geometry())
        assert all(
            bar(world).rect().contains(each.geometry())
            for each in bar(world).findChildren(QToolButton)
            if each.parent() is bar(world)
        )
        named = [each for each in bar(world).findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert all(each.accessibleName() for each in named)
