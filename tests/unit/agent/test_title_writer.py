"""Titles by the model: cleaned of reasoning and quotes, in the user's script, and none rather than a bad one."""

import asyncio

import pytest

from desktop.agent.title_writer import MAX_SAID_CHARS, clean_title, write_title
from desktop.core.errors import ModelError
from desktop.core.language_model import FinishReason, StreamEnd, TextDelta, ThinkingDelta, UserMessage
from tests.support.run_world import RunWorld
from tests.support.scripted_model import ScriptedModel, said
from tests.support.waiting import until


class PlainModel(ScriptedModel):
    """A scripted model that is not the built-in demo."""

    is_scripted = False


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("Trip to Lisbon", "Trip to Lisbon"),
        ('"Trip to Lisbon."\n', "Trip to Lisbon"),
        ("**Title: Trip to Lisbon**", "Trip to Lisbon"),
        ("# Trip to Lisbon", "Trip to Lisbon"),
        ("<think>The user wants\na name</think>\n\nTrip to Lisbon", "Trip to Lisbon"),
        ("the tags began in the prompt</think>Trip to Lisbon", "Trip to Lisbon"),
        ("<think>never closed", None),
        ("\n\n  Trip\tto   Lisbon  \nand a second line", "Trip to Lisbon"),
        ("“Trip to Lisbon”", "Trip to Lisbon"),
        ("", None),
        ("...", None),
        ("里斯本之旅", None),
        (
            "Certainly! Here is a title that names the conversation which you showed me, and why I chose it as I did",
            None,
        ),
    ],
)
def test_what_a_model_says_becomes_a_title_or_none(raw: str, title: str | None) -> None:
    assert clean_title(raw, question="Plan three days in Lisbon") == title


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("《里斯本三日游》", "里斯本三日游"),
        ("标题：里斯本三日游。", "里斯本三日游"),
        ("「用 Python 读 PDF」", "用 Python 读 PDF"),
        ("Three days in Lisbon", None),
    ],
)
def test_a_chinese_question_gets_a_chinese_title(raw: str, title: str | None) -> None:
    assert clean_title(raw, question="帮我安排里斯本三天的行程") == title


async def test_the_model_is_asked_once_without_tools_and_with_the_beginning_only() -> None:
    model = PlainModel(said('"Trip to Lisbon"'))
    title = await write_title(model, question="Plan three days in Lisbon. " * 500, answer="Day 1 " * 5000)
    assert title == "Trip to Lisbon"
    (request,) = model.requests
    assert request.tools == ()
    (user,) = (m for m in request.messages if isinstance(m, UserMessage))
    assert len(user.text) < 4000


@pytest.mark.parametrize(
    "step",
    [
        [ModelError("model.rate_limited", detail="")],
        [TextDelta(text="Trip"), ModelError("model.connection_lost", detail="")],
        said(""),
        [TextDelta(text="word " * 10_000)],
        [ThinkingDelta(text="x" * (MAX_SAID_CHARS + 1)), StreamEnd(reason=FinishReason.STOP)],
    ],
)
async def test_a_model_that_fails_or_talks_gives_none(step: list[object]) -> None:
    assert await write_title(PlainModel(step), question="Where?", answer="Here.") is None  # type: ignore[arg-type]


async def test_the_demo_model_is_not_asked() -> None:
    assert await write_title(ScriptedModel(), question="Where?", answer="Here.") is None


async def test_the_first_answer_names_the_thread_and_later_ones_do_not() -> None:
    world = RunWorld(said("Lisbon it is."), said("Trip to Lisbon"), said("Yes."))
    world.model.is_scripted = False
    titles: list[str] = []
    world.conversations.thread_changed.connect(lambda thread: titles.append(thread.title))
    await world.start("Plan three days in Lisbon for a family of five")
    await until(lambda: titles[-1:] == ["Trip to Lisbon"])
    assert any(title.startswith("Plan three days") for title in titles)
    await world.ask("And Porto?")
    assert len(world.model.requests) == 3
    assert titles[-1] == "Trip to Lisbon"


async def test_the_first_answer_names_the_thread_also_where_earlier_questions_got_none() -> None:
    refused = [ModelError("model.key_refused")]
    world = RunWorld(refused, refused, said("Lisbon it is."), said("Trip to Lisbon"), said("Yes."))
    world.model.is_scripted = False
    await world.ask("hello")
    await world.ask("hello?")
    await world.start("Plan three days in Lisbon")
    await until(lambda: len(world.model.requests) == 4)
    (thread,) = await world.repository.list_threads()
    await until(lambda: world.model.open_streams == 0)
    await world.ask("And Porto?")
    assert len(world.model.requests) == 5, "nobody is asked for a title any more"
    named = await world.repository.get_thread(thread.id)
    assert named is not None
    assert named.title == "Trip to Lisbon"


async def test_a_title_by_the_user_stays_and_a_deleted_thread_is_no_fault() -> None:
    for change in ("rename", "purge"):
        gate = asyncio.Event()
        world = RunWorld(said("Lisbon it is."), [gate, *said("Trip to Lisbon")])
        world.model.is_scripted = False
        run = await world.start("Plan three days in Lisbon")
        await until(lambda world=world: len(world.model.requests) == 2)
        if change == "rename":
            await world.conversations.rename(run.thread_id, "Mine")
        else:
            await world.chat.purge_thread(run.thread_id)
        gate.set()
        await until(lambda world=world: world.model.open_streams == 0)
        thread = await world.repository.get_thread(run.thread_id)
        assert thread is None or thread.title == "Mine"
        await world.tasks.close()
