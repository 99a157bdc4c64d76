"""The ring beside the model: how full the context is, counted behind the window; and what answers used so far."""

import dataclasses
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QScrollArea, QToolButton, QTreeWidget, QWidget

from desktop.conversation.entities import MessageStatus, TextPart, UsageTotal
from desktop.core.costs import Cost
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import DEMO_MODEL_NAME, Usage
from desktop.core.permission_mode import PermissionMode
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.core.token_count import cached_count
from desktop.tools.entities import ServerState, ServerStatus
from desktop.ui.composer.context_meter import ContextMeter
from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
from desktop.ui.settings.usage_table import MOST_MONTHS, UsageTable
from desktop.ui.settings.window import SettingsWindow
from desktop.ui.state.context_meter import Fullness
from tests.support.scripted_gateway import tool
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
LOCAL = EndpointSettings(id="local", name="Local", base_url="http://127.0.0.1:11434/v1", model="m", models=("m", "n"))
QUESTION = "word " * 400


def prepared(folder: Path, *endpoints: EndpointSettings) -> Path:
    store = SettingsStore(folder / "settings.json")
    chosen = endpoints[0].id if endpoints else ""
    store.update(dataclasses.replace(store.settings, endpoints=endpoints, endpoint_id=chosen, welcomed=True))
    return folder


def reading(tokens: int) -> EndpointSettings:
    return dataclasses.replace(LOCAL, model_options={"m": ModelOptions(context_tokens=tokens)})


def find(parent: QWidget, kind: type[W], name: str) -> W:
    widget = parent.findChild(kind, name)
    assert widget is not None, name
    return widget


def meter_of(world: WindowWorld) -> ContextMeter:
    return find(world.presenter.window, ContextMeter, "contextMeter")


async def opened(world: WindowWorld, thread_id: str) -> None:
    """Open the chat and begin to write, which is when counting begins."""
    await world.presenter.open_thread(thread_id)
    write(world, ".")


def write(world: WindowWorld, text: str) -> None:
    find(world.presenter.window, QPlainTextEdit, "messageEdit").insertPlainText(text)


async def test_it_says_how_full_the_context_is(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, prepared(tmp_path, reading(4096))) as world:
        meter = meter_of(world)
        assert not meter.isVisible()
        await opened(world, await world.add_thread(QUESTION))
        await until(meter.isVisible)
        assert meter.fill is not None
        before = meter.fill.tokens
        assert 700 < before < 1000
        assert meter.accessibleName() == f"Context: {before * 100 // 4096} % of 4k"
        assert "4,096" in meter.toolTip()
        assert meter.colour() == "accent"
        write(world, "word " * 1000)
        await until(lambda: meter.fill is not None and meter.fill.tokens > before)
        assert 900 < meter.fill.tokens - before < 1100


@pytest.mark.parametrize(
    ("limit", "fullness", "colour", "words"),
    [
        (950, Fullness.FILLING, "warning", "when there is no more room, the oldest messages are left out"),
        (600, Fullness.FULL, "error", "the oldest messages will be left out"),
    ],
)
async def test_it_warns_in_colour_and_words(
    qapp: QApplication,
    qloop: object,
    tmp_path: Path,
    until: Until,
    limit: int,
    fullness: Fullness,
    colour: str,
    words: str,
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        world.facts.update(LOCAL.base_url, "m", context_tokens=limit)
        await opened(world, await world.add_thread(QUESTION))
        meter = meter_of(world)
        await until(meter.isVisible)
        assert meter.fill is not None
        assert (meter.fill.fullness, meter.colour()) == (fullness, colour), meter.fill
        assert words in meter.toolTip()
        assert words in meter.accessibleDescription()


async def test_counts_are_corrected_by_what_was_learned(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL), said("Good.")) as world:
        await opened(world, await world.add_thread(QUESTION))
        meter = meter_of(world)
        await until(meter.isVisible)
        assert meter.fill is not None
        plain = meter.fill.tokens
        assert (meter.fill.percent, meter.colour()) == (None, ""), "nobody says how much this model can read"
        assert f"about {plain}" in meter.accessibleName()
        world.facts.update(LOCAL.base_url, "m", token_ratio=1.5)
        write(world, "hi")
        await until(lambda: meter.fill is not None and meter.fill.tokens > 1.4 * plain)


async def test_the_tools_that_go_along_count_without_a_server_being_waited_for(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    ready = ServerStatus(server_id="files", state=ServerState.READY)
    async with window_world(qapp, prepared(tmp_path, reading(8192)), statuses=(ready,)) as world:
        await opened(world, await world.add_thread(QUESTION))
        meter = meter_of(world)
        await until(meter.isVisible)
        assert meter.fill is not None
        before = meter.fill.tokens
        world.gateway.listed["files"] = (
            tool("read", description="word " * 500),
            tool("list", description="word " * 300),
        )
        world.gateway.set_status(ready)
        await until(lambda: meter.fill is not None and meter.fill.tokens > before)
        assert 780 < meter.fill.tokens - before < 900
        assert meter.accessibleName() == f"Context: {meter.fill.tokens * 100 // 8192} % of 8k"
        thread = world.presenter.options
        thread.change(mode=PermissionMode.CHAT_ONLY)
        await until(lambda: meter.fill is not None and meter.fill.tokens == before)
        assert world.gateway.restarted == []


async def test_it_follows_the_chat_the_model_and_the_end_of_an_answer(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, reading(4096)), said("word " * 300)) as world:
        meter = meter_of(world)
        thread_id = await world.add_thread(QUESTION)
        await opened(world, thread_id)
        await until(meter.isVisible)
        assert meter.fill is not None
        before = meter.fill.tokens
        run = await world.chat.send(thread_id, "More, please.")
        await run.wait()
        await until(lambda: meter.fill is not None and meter.fill.tokens > before + 280)
        await world.presenter.open_thread(None)
        assert not meter.isVisible(), "nothing of the chat before is said of another one"
        await world.presenter.open_thread(thread_id)
        await until(meter.isVisible)
        world.book.choose("")
        await until(lambda: not meter.isVisible())


async def test_nothing_is_counted_for_the_demo_model(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path), said("Good.")) as world:
        thread_id = await world.add_thread(QUESTION)
        await world.presenter.open_thread(thread_id)
        write(world, "hello")
        run = await world.chat.send(thread_id, "More, please.")
        await run.wait()
        await until(lambda: not world.presenter.context.is_busy)
        assert meter_of(world).fill is None


async def test_a_chat_that_is_only_read_shows_a_guess_which_needs_no_tokenizer(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    cached_count.cache_clear()  # what has been counted once would be known without the tokenizer
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        meter = meter_of(world)
        assert not world.presenter.context.is_busy, "a new chat holds nothing"
        for thread_id in (await world.add_thread(QUESTION), await world.add_thread("word " * 800)):
            await world.presenter.open_thread(thread_id)
            await until(meter.isVisible)
            await until(lambda: not world.presenter.context.is_busy)
        assert meter.fill is not None
        assert cached_count.cache_info().currsize == 0, "nothing was counted"
        guessed = meter.fill.tokens
        assert 1500 < guessed < 2300, "the question and an answer, 800 words each"
        write(world, "hello")
        await until(
            lambda: (
                cached_count.cache_info().currsize and meter.fill is not None and meter.fill.tokens not in (0, guessed)
            )
        )


# -- totals


async def answered(
    world: WindowWorld, model: str, usage: Usage, cost: Cost | None = None, thread_id: str | None = None
) -> str:
    threads = world.store.threads
    if thread_id is None:
        thread_id = (await threads.create_thread()).id
    turn = await threads.begin_turn(thread_id, "Q", model=model)
    await threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text="A")],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=usage,
        duration_seconds=1.0,
        cost=cost,
    )
    return thread_id


def rows(table: QTreeWidget) -> list[list[str]]:
    items = [table.topLevelItem(number) for number in range(table.topLevelItemCount())]
    return [[item.text(column) for column in range(6)] for item in items if item is not None]


async def test_the_options_of_a_chat_say_what_it_used(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        dollars = Cost(amount=0.06, currency="$")
        thread_id = await answered(world, "m", Usage(input_tokens=12_000, output_tokens=600), dollars)
        await answered(world, "m", Usage(input_tokens=345, output_tokens=78), dollars, thread_id)
        await answered(world, "m", Usage(input_tokens=9, output_tokens=9))
        await world.presenter.open_thread(thread_id)
        button = find(world.presenter.window, QToolButton, "chatOptions")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, button.rect().center())
        dialog = find(world.presenter.window, ThreadOptionsDialog, "threadOptions")
        line = find(dialog, QLabel, "threadUsage")
        await until(line.isVisible)
        assert line.text() == "This chat so far: 12,345 tokens read, 678 written, $0.12"
        dialog.reject()


async def test_the_data_page_lists_usage_by_month(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        world.presenter.open_settings("data")
        window = world.presenter.settings_window
        assert isinstance(window, SettingsWindow)
        none, table = find(window, QLabel, "noUsage"), find(window, QTreeWidget, "usageTable")
        await until(none.isVisible)
        assert not table.isVisible()
        await answered(world, DEMO_MODEL_NAME, Usage())
        await answered(world, "m", Usage(input_tokens=1234, output_tokens=50), Cost(amount=0.5, currency="$"))
        await answered(world, "m", Usage())  # as of an answer that failed: no line of its own
        await answered(world, "m", Usage(input_tokens=6, output_tokens=1), Cost(amount=2, currency="CNY"))
        thread_id = await answered(world, "n", Usage(input_tokens=5, output_tokens=6))
        await world.conversations.suggest_title(thread_id, "told")
        await until(table.isVisible)
        assert [row[1:] for row in rows(table)] == [
            ["m", "3", "1,240", "51", "$0.50 + 2.00 CNY"],
            ["n", "1", "5", "6", "–"],
        ]
        assert rows(table)[0][0]
        assert rows(table)[1][0] == "", "a month is named once"
        assert "deleted for good" in find(window, QLabel, "usageWords").text()
        await world.conversations.delete(thread_id)
        await world.conversations.purge(thread_id)
        await until(lambda: len(rows(table)) == 1)


async def test_at_most_two_years_are_listed_and_every_line_is_seen(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    months = [f"{year}-{month:02}" for year in (2026, 2025, 2024) for month in range(12, 0, -1)]
    totals = [
        UsageTotal(
            month=month, model=f"vendor/{'long-' * 20}model", answers=1, input_tokens=7, output_tokens=8, cost=None
        )
        for month in months
    ]
    async with window_world(qapp, prepared(tmp_path, LOCAL)):
        area, usage = QScrollArea(), UsageTable()
        area.setWidget(usage)
        area.setWidgetResizable(True)
        usage.show_totals(totals)
        table = find(usage, QTreeWidget, "usageTable")
        assert [row[0] for row in rows(table)][:2] == ["Dec 2026", "Nov 2026"]
        assert len(rows(table)) == MOST_MONTHS
        for width in (900, 300):
            area.resize(width, 400)
            area.show()
            last = table.topLevelItem(MOST_MONTHS - 1)
            assert last is not None
            await until(lambda width=width: abs(table.width() - width) < 60)
            await until(lambda last=last: table.visualItemRect(last).bottom() <= table.viewport().rect().bottom() + 1)
        area.hide()
        area.deleteLater()
