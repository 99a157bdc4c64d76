"""What a server returns, from the wire to the disk and to the model: a real server, in both eras, on both transports."""

import dataclasses
from pathlib import Path

import pytest

from desktop.agent.events import RemarkEvent, ToolResultEvent
from desktop.agent.loop_guard import REPEATED
from desktop.conversation.entities import ResultStatus
from desktop.core.language_model import ModelRequest
from desktop.core.tool_content import FAILED_MARK, ItemKind, ItemProblem
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import EndpointTraits
from desktop.tools.entities import ProtocolEra
from tests.support.result_server import SVG, png
from tests.support.result_world import result_world, results_in
from tests.support.scripted_model import Step, called, said
from tests.support.strict_messages import problem_of

GIVE, TELL, POLL, STUCK = "results__give", "results__tell", "results__poll", "results__stuck"
pytestmark = pytest.mark.allowed_log("Session termination failed")


def give(what: str, call_id: str = "c", *, tool: str = GIVE) -> Step:
    return called((call_id, tool, f'{{"what": "{what}"}}'))


@pytest.mark.parametrize(
    ("way", "era"),
    [
        ("stdio", ProtocolEra.LEGACY),
        ("stdio", ProtocolEra.MODERN),
        ("http", ProtocolEra.LEGACY),
        ("http", ProtocolEra.MODERN),
    ],
    ids=["stdio-legacy", "stdio-modern", "http-legacy", "http-modern"],
)
async def test_everything_that_a_tool_can_return_is_kept(tmp_path: Path, way: str, era: ProtocolEra) -> None:
    async with result_world(tmp_path, give("everything"), said("Done."), way=way, era=era) as world:
        events = await world.ask()
        (result,) = await world.results()
        assert [event.items for event in events if isinstance(event, ToolResultEvent)] == [result.items]
        assert result.status is ResultStatus.OK
        assert result.text.split("\n") == [
            "before",
            f"[image 1: image/png, {len(png())} bytes]",
            "[image 2: image/png, its data cannot be read]",
            f"[image 3: image/svg+xml, {len(SVG)} bytes]",
            "[audio 1: audio/wav, 44 bytes]",
            "[resource memo://note]",
            "inside the note",
            "[file 1: file:///tmp/../report.pdf, application/pdf, 14 bytes]",
            "[image 4: file:///C:/run%20me.exe, image/png, 5 bytes]",
            "[link 1: the rest, https://example.invalid/rest?a=1; not opened]",
            "after",
        ]
        by_name = {(item.kind, item.number): item for item in result.items}
        claimed = by_name[ItemKind.TEXT, 1]
        assert (claimed.audience, claimed.priority) == (("user",), 0.5)
        picture = by_name[ItemKind.IMAGE, 1]
        assert (picture.width, picture.height, picture.sent_type) == (64, 48, "image/png")
        assert by_name[ItemKind.IMAGE, 2].problem is ItemProblem.NOT_BASE64
        svg, program = by_name[ItemKind.IMAGE, 3], by_name[ItemKind.IMAGE, 4]
        assert not svg.is_sendable
        assert (svg.problem, svg.file_name) == (ItemProblem.NO_PICTURE, "image-3.txt")
        assert (program.problem, program.file_name) == (ItemProblem.NO_PICTURE, "run 20me.bin")
        assert by_name[ItemKind.FILE, 1].file_name == "report.pdf"
        data = by_name[ItemKind.DATA, 1]
        assert (data.text, data.problem) == ('{"total": "many"}', ItemProblem.SCHEMA)
        for item in result.items:
            if item.attachment_id:
                path = world.attachments.original(item.attachment_id)
                assert path is not None
                assert path.stat().st_size == item.size
        path = world.attachments.original(picture.attachment_id)
        assert path is not None
        assert path.read_bytes() == png()


async def test_a_model_that_sees_gets_the_pictures_and_any_other_is_told(tmp_path: Path) -> None:
    async with result_world(tmp_path, give("two_pictures", tool=TELL), said("Red."), said("And now?")) as world:
        await world.ask("Draw")
        await world.ask("Again?")
        first, second, third = world.model.requests
        assert results_in(first) == []
        for request in (second, third):
            (result,) = results_in(request)
            assert [image.name for image in result.images] == ["image 1", "image 2"]
            for model in ("gpt-5", "mistral-large", "claude-5", "llama"):
                body = build_request(_with_tools(request, first), model).body
                assert problem_of(body) is None
                assert str(body).count("data:image/png;base64,") == 2
                seen = next(m for m in body["messages"] if isinstance(m["content"], list))
                assert "From the result of the tool results__tell" in seen["content"][0]["text"]
        blind = build_request(_with_tools(third, first), "llama", EndpointTraits(sees_images=False)).body
        assert problem_of(blind) is None
        assert "base64" not in str(blind)
        assert "You cannot see images" in str(blind)


def _with_tools(request: ModelRequest, first: ModelRequest) -> ModelRequest:
    return dataclasses.replace(request, tools=first.tools)


async def test_an_error_of_a_tool_reaches_the_model_as_one(tmp_path: Path) -> None:
    async with result_world(tmp_path, give("error", tool=TELL), said("It is full.")) as world:
        await world.ask()
        (result,) = await world.results()
        assert (result.status, result.text) == (ResultStatus.ERROR, "the disk is full")
        (sent,) = results_in(world.model.requests[-1])
        assert sent.text == f"{FAILED_MARK}\nthe disk is full"


async def test_structured_content_is_told_once(tmp_path: Path) -> None:
    async with result_world(
        tmp_path, give("data", "a"), give("said_data", "b"), give("picture"), said("812.")
    ) as world:
        await world.ask()
        alone, said_too, missing = await world.results()
        assert [(item.kind, item.detail) for item in missing.items[1:]] == [(ItemKind.DATA, "it is missing")]
        assert "does not fit the tool's own output schema" in results_in(world.model.requests[-1])[-1].text
        assert (alone.text, alone.items) == ('{"total": 812}', ())
        assert (said_too.text, said_too.items) == ('{"total": 812}', ())


@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_a_result_of_20_megabytes_is_kept_whole_and_sent_in_part(tmp_path: Path, way: str) -> None:
    async with result_world(tmp_path, give("large", tool=TELL), said("Long."), way=way, room=6_000) as world:
        events = await world.ask()
        (result,) = await world.results()
        assert result.status is ResultStatus.OK
        assert len(result.text) < 201_000
        (whole,) = result.items
        assert (whole.kind, whole.length) == (ItemKind.WHOLE, 20_000_011)
        path = world.attachments.original(whole.attachment_id)
        assert path is not None
        assert path.stat().st_size == 20_000_011
        (sent,) = results_in(world.model.requests[-1])
        assert len(sent.text) < 6_500
        assert sent.text.startswith("first x")
        assert "19994011 characters left out" in sent.text
        assert " last\n" in sent.text
        assert "The whole result has 20000011 characters" in sent.text
        assert [event.code for event in events if isinstance(event, RemarkEvent)] == ["result_cut"]


async def test_a_call_that_brings_nothing_new_is_stopped_and_the_answer_ends_in_words(tmp_path: Path) -> None:
    steps = [called((f"c{n}", STUCK, '{"name": "a"}')) for n in range(4)]
    async with result_world(tmp_path, *steps, said("It does not move.")) as world:
        events = await world.ask()
        results = await world.results()
        assert [result.text for result in results] == ["a waiting"] * 3 + [REPEATED]
        assert results[-1].status is ResultStatus.ERROR
        assert [event.code for event in events if isinstance(event, RemarkEvent)] == ["repeated_call"]
        assert world.model.requests[-1].tools == ()
        assert (await world.answer()).text == "It does not move."


async def test_a_state_that_changes_may_be_asked_for_as_often_as_needed(tmp_path: Path) -> None:
    steps = [called((f"c{n}", POLL, "{}")) for n in range(9)]
    async with result_world(tmp_path, *steps, said("Done.")) as world:
        await world.ask()
        assert (await world.results())[-1].text == "9 of 9 are done"
