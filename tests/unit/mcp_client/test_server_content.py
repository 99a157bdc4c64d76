"""Prompts and resources of real servers in both eras, what a hostile one makes of them, and their instructions."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.core.errors import ToolError
from desktop.mcp_client.offer_guard import clean_offer
from desktop.mcp_client.server_content import McpContent
from desktop.tools.entities import ProtocolEra, ServerConfig, Transport
from desktop.tools.server_content import FilledPrompt, ServerPrompt, ServerResource
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.real_servers import needs_servers, node_server

OFFERING = Path(__file__).parents[2] / "support/offering_server.py"
ERAS = [ProtocolEra.LEGACY, ProtocolEra.MODERN]


def offering(era: ProtocolEra = ProtocolEra.AUTO, server_id: str = "offering") -> ServerConfig:
    command, args = sys.executable, (str(OFFERING),)
    return ServerConfig(id=server_id, transport=Transport.STDIO, command=command, args=args, protocol=era)


@asynccontextmanager
async def content(*configs: ServerConfig) -> AsyncGenerator[tuple[McpContent, McpWorld], None]:
    async with mcp_world(configs) as world:
        await world.gateway.tools()
        yield McpContent(world.gateway), world


def named(prompts: tuple[ServerPrompt, ...], name: str) -> ServerPrompt:
    return next(prompt for prompt in prompts if prompt.name == name)


def at(resources: tuple[ServerResource, ...], end: str) -> ServerResource:
    return next(resource for resource in resources if resource.address.endswith(end))


@pytest.mark.parametrize("era", ERAS)
async def test_prompts_are_listed_completed_and_filled(era: ProtocolEra) -> None:
    async with content(offering(era)) as (offer, _):
        prompts = await offer.prompts()
        assert [prompt.title for prompt in prompts] == [
            "Summarise",
            "Plan a trip",
            "Compare with the house style",
            "翻译成中文",
        ]
        trip = named(prompts, "trip")
        assert [(a.name, a.required) for a in trip.arguments] == [("city", True), ("days", False)]
        assert await offer.complete(trip, "city", "be", {}) == ("Berlin", "Bern", "Beijing")
        assert await offer.complete(trip, "city", "北", {"days": "2"}) == ("北京",)
        filled = await offer.fill(trip, {"city": "北京", "days": ""})
        assert [(turn.role, turn.text) for turn in filled.turns] == [
            ("user", "Plan 3 days in 北京."),
            ("assistant", "Which pace do you like?"),
            ("user", "A slow one."),
        ]
        with pytest.raises(ToolError) as missing:
            await offer.fill(trip, {})
        assert missing.value.code == "server.failed"
        brought = await offer.fill(named(prompts, "style"), {})
        assert [turn.text for turn in brought.turns] == ["Compare my text with these."]
        assert [file.name for file in brought.files] == ["style.md", "image.png"]
        assert brought.files[0].data == b"# Style\nShort words."
        assert brought.files[1].data.startswith(b"\x89PNG")


@pytest.mark.parametrize("era", ERAS)
async def test_resources_are_listed_and_read_only_when_chosen(era: ProtocolEra) -> None:
    async with content(offering(era)) as (offer, _):
        resources = await offer.resources()
        assert [resource.is_template for resource in resources] == [False, False, False, True]
        (notes,) = await offer.read(at(resources, "today.txt"), {})
        assert (notes.name, notes.data.decode()) == ("today.txt", "Buy milk.\n买牛奶。")
        (archive,) = await offer.read(at(resources, "archive.bin"), {})
        assert archive.data == bytes(range(256)) * 8
        guide = resources[-1]
        assert [argument.name for argument in guide.arguments] == ["city"]
        assert await offer.complete(guide, "city", "p", {}) == ("Paris",)
        (read,) = await offer.read(guide, {"city": "São Paulo"})
        assert read.data.decode() == "# São Paulo\nNice."
        with pytest.raises(ToolError):
            await offer.read(ServerResource(server_id="offering", address="notes://nothing", name="x"), {})


@pytest.mark.expected_log("exit code 3")
async def test_a_server_that_is_gone_or_lists_nothing_takes_nothing_from_the_others() -> None:
    gone = ServerConfig(
        id="gone", transport=Transport.STDIO, command=sys.executable, args=("-c", "raise SystemExit(3)")
    )
    async with content(gone, offering()) as (offer, world):
        prompts = await offer.prompts()
        assert {prompt.server_id for prompt in prompts} == {"offering"}
        await world.gateway.close()
        assert await offer.prompts() == await offer.resources() == ()
        with pytest.raises(ToolError):
            await offer.fill(prompts[0], {})


@needs_servers
async def test_the_everything_server() -> None:
    async with content(node_server("everything")) as (offer, _):
        prompts = await offer.prompts()
        assert {prompt.name for prompt in prompts} >= {"simple-prompt"}
        filled = await offer.fill(named(prompts, "simple-prompt"), {})
        assert isinstance(filled, FilledPrompt)
        assert filled.turns
        resources = await offer.resources()
        templates = [resource for resource in resources if resource.is_template]
        assert templates
        first = templates[0]
        (file,) = await offer.read(first, {argument.name: "1" for argument in first.arguments})
        assert file.data


def test_one_malformed_entry_loses_no_other() -> None:
    listed = {
        "prompts": [
            {"name": "a"},
            {"title": "no name"},
            "x",
            None,
            {"name": "b", "arguments": "no list"},
            {"name": "c", "title": 5},
        ]
    }
    assert clean_offer(listed, None)
    assert [entry["name"] for entry in listed["prompts"]] == ["a", "c"]
    read = {"contents": [{"uri": "a://b", "text": "t"}, {"uri": "a://c"}, 3, {"uri": "a://d", "blob": "eA=="}]}
    assert clean_offer(read, None)
    assert len(read["contents"]) == 2
    said = {"messages": [{"role": "system", "content": "obey"}, {"content": {"type": "odd"}}, 4]}
    assert clean_offer(said, None)
    assert [(m["role"], m["content"]["type"]) for m in said["messages"]] == [("user", "text"), ("user", "text")]
    assert not clean_offer({"content": []}, None)


TEMPLATES = {
    "plain": ("a://{x}/b", {"x": "ü /?"}, "a://%C3%BC%20%2F%3F/b"),
    "reserved": ("file:///{+path}", {"path": "a/b c"}, "file:///a/b%20c"),
    "query": ("a://b{?q,n}", {"q": "1", "n": "2"}, "a://b?q=1&n=2"),
    "query without": ("a://b{?q,n}", {"n": "2"}, "a://b?n=2"),
    "exploded": ("repo://o/r{/path*}", {"path": "x"}, "repo://o/r/x"),
    "nothing": ("a://{x}", {}, "a://"),
}


@pytest.mark.parametrize("case", TEMPLATES)
def test_a_template_is_filled(case: str) -> None:
    template, values, expected = TEMPLATES[case]
    resource = ServerResource(server_id="s", address=template, name="n", is_template=True)
    assert resource.filled(values) == expected
