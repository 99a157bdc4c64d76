"""The place where somebody reads: nothing moves it but the reader, and it is there again on return and after a restart."""

import asyncio
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from desktop.conversation.entities import Message, MessageStatus, Role, TextPart
from desktop.conversation.queued import ReadingPlace
from desktop.core.settings import AppearanceSettings, SettingsStore
from desktop.ui.state.transcript_state import RowState, TextItem, row_from_message
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.scripted_model import said
from tests.support.transcript_world import ViewWorld, child, conversation, message, presenter_world
from tests.support.waiting import until


@pytest.fixture
def world(qapp: QApplication) -> Iterator[ViewWorld]:
    made = ViewWorld(qapp)
    yield made
    made.close()


def settings(folder: Path) -> SettingsStore:
    return SettingsStore(folder / "settings.json")


def long_conversation(count: int = 60) -> list[Message]:
    texts = [f"Question {n}" if n % 2 == 0 else f"**Answer {n}**\n\n" + "Some words. " * 90 for n in range(count)]
    return conversation(*texts)


def streaming(text: str, message_id: str) -> RowState:
    item = TextItem(text=text, is_open=True)
    return RowState(message_id=message_id, role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=(item,))


def seen(world: ViewWorld) -> dict[str, int]:
    """The messages that can be seen, with the places of their blocks."""
    view = world.view
    tops: dict[str, int] = {}
    for row in world.rows():
        for block in (each for each in row.children() if isinstance(each, QWidget) and each.isVisible()):
            top = block.mapTo(view.viewport(), QPoint(0, 0)).y()
            if top + block.height() > 0 and top < view.viewport().height():
                tops[f"{row.accessibleName()[:24]} {len(tops)}"] = top
    return tops


def read_in_the_middle(world: ViewWorld, by: int = 900) -> dict[str, int]:
    bar = world.view.verticalScrollBar()
    bar.setValue(bar.maximum() - by)
    world.settle()
    place = seen(world)
    assert place
    return place


def jump_button(world: ViewWorld) -> QToolButton:
    return child(world.view, QToolButton, "jump-to-end")


def test_nothing_moves_while_an_answer_streams_below_ends_and_another_begins(world: ViewWorld) -> None:
    messages = long_conversation()
    world.show(messages)
    last = messages[-1].id
    place = read_in_the_middle(world)
    for length in range(1, 60):
        world.view.update_row(streaming("Words that come. " * length * 3, last))
        assert seen(world) == place
    world.view.update_row(dataclasses.replace(row_from_message(messages[-1]), status=MessageStatus.FAILED))
    world.settle()
    assert seen(world) == place
    question, answer = message(90, Role.USER, TextPart(text="What waited")), streaming("And", "m91")
    world.view.append_rows([row_from_message(question), answer], follows=False)
    world.settle()
    assert seen(world) == place
    for length in range(1, 40):
        world.view.update_row(streaming("And so on. " * length, "m91"))
        assert seen(world) == place
    assert jump_button(world).isVisible()
    assert jump_button(world).accessibleName() == "New text below. Go to the end"
    jump_button(world).click()
    bar = world.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert not jump_button(world).isVisible()


def test_who_reads_at_the_end_is_taken_along_by_what_waited(world: ViewWorld) -> None:
    world.show(long_conversation())
    question = message(90, Role.USER, TextPart(text="What waited"))
    world.view.append_rows([row_from_message(question), streaming("And " * 300, "m91")], follows=False)
    bar = world.view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0


def test_nothing_moves_when_a_message_above_grows_or_shrinks(world: ViewWorld) -> None:
    messages = long_conversation()
    world.show(messages)
    place = read_in_the_middle(world, by=1500)
    first = next(iter(world.rows())).accessibleName()
    above = [m for m in messages if m.role is Role.ASSISTANT and first not in m.text][-12:-6]
    for each in above:
        longer = dataclasses.replace(each, parts=(TextPart(text=each.text + "\n\nMore of it. " * 60),))
        world.view.set_rows([row_from_message(longer)])
        world.settle()
        assert seen(world) == place
        world.view.set_rows([row_from_message(each)])
        world.settle()
        assert seen(world) == place


@pytest.mark.parametrize("size", [8, 14, 24])
def test_another_font_size_keeps_the_same_part_of_the_block_at_the_top(world: ViewWorld, size: int) -> None:
    world.show(conversation("q", "Some words of one long block. " * 900, "r", "Other words. " * 200))
    bar = world.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    world.settle()

    def part(block: QWidget) -> float:
        return -block.mapTo(world.view.viewport(), QPoint(0, 0)).y() / block.height()

    blocks = [b for row in world.rows() for b in row.children() if isinstance(b, QWidget) and b.isVisible()]
    (block,) = [each for each in blocks if 0 < part(each) < 1]
    before = part(block)
    assert 0.1 < before < 0.95
    world.theme.set_appearance(AppearanceSettings(font_size=size))
    world.settle()
    assert abs(part(block) - before) < 0.02


def test_the_height_of_the_window_moves_nothing_at_the_top(world: ViewWorld) -> None:
    world.show(long_conversation())
    read_in_the_middle(world, by=3000)
    before = world.view.reading_position()
    for height in (300, 900, 420, 600):
        world.window.resize(900, height)
        world.settle()
        assert world.view.reading_position() == before


async def test_a_chat_opens_where_it_was_read_before_the_restart(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    repository = InMemoryThreadRepository()
    async with presenter_world(qapp, settings(tmp_path), repository=repository) as world:
        long = await world.add_thread(*("words " * 40 + str(n) for n in range(200)))
        other = await world.add_thread("q", "a")
        await world.presenter.open_thread(long)
        bar = world.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 3)
        await until(lambda: world.world.rows())
        world.world.settle()
        await world.presenter.places.flush()
        place = world.view.reading_position()
    async with presenter_world(qapp, settings(tmp_path), repository=repository) as world:
        await world.presenter.open_thread(long)
        assert world.view.reading_position() == place
        await world.presenter.open_thread(other)
        assert world.view.verticalScrollBar().value() == world.view.verticalScrollBar().maximum()
        await world.presenter.open_thread(long)
        world.view.scroll_to_end()
        await world.presenter.open_thread(other)
        await until(lambda: long not in repository.places.places)
    async with presenter_world(qapp, settings(tmp_path), repository=repository) as world:
        await world.presenter.open_thread(long)
        bar = world.view.verticalScrollBar()
        assert bar.value() == bar.maximum() > 0


async def test_a_place_is_on_disk_soon_after_somebody_scrolled(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        long = await world.add_thread(*("words " * 40 + str(n) for n in range(60)))
        await world.presenter.open_thread(long)
        bar = world.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        await until(lambda: long in world.repository.places.places)


async def test_a_place_whose_message_is_gone_is_the_end(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        long = await world.add_thread(*("words " * 40 + str(n) for n in range(60)))
        await world.repository.places.save(long, ReadingPlace("gone", 2, -10))
        await world.presenter.open_thread(long)
        bar = world.view.verticalScrollBar()
        assert bar.value() == bar.maximum() > 0


async def test_a_message_that_waited_is_sent_without_moving_whoever_reads_above(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with presenter_world(qapp, settings(tmp_path), [hold, *said("First. " * 50)], said("Second. " * 50)) as world:
        thread_id = await world.add_thread(*("words " * 40 + str(n) for n in range(40)))
        await world.presenter.open_thread(thread_id)
        await world.chat.send(thread_id, "go")
        queue = world.queue
        await queue.add(thread_id, "and then")
        world.world.settle()
        place = read_in_the_middle(world.world, by=1500)
        hold.set()
        await until(lambda: not queue.takes(thread_id))
        world.world.settle()
        assert seen(world.world) == place
        assert jump_button(world.world).accessibleName().startswith("New text below")
