"""Names, hashes and bounds of listed tools, without any server."""

import dataclasses
import re
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from desktop.mcp_client.config import server_ids
from desktop.mcp_client.listing import alias, definition_hash, describe_all
from desktop.mcp_client.wire import check_schema
from desktop.tools.entities import ServerConfig, Transport

CONFIG = ServerConfig(id="files", transport=Transport.STDIO, command="x")
TOOL: dict[str, Any] = {
    "name": "read",
    "title": "Read",
    "description": "Reads a file",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "enum": ["a", "b"], "default": "a"}}},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


def test_ordinary_names_stay_readable() -> None:
    assert alias("files", "read_file") == "files__read_file"
    assert alias("files", "read-file") == "files__read-file"


def test_altered_names_carry_a_hash() -> None:
    names = {alias("files", name) for name in ("read.file", "read file", "read/file", "read_file", "read__file")}
    assert len(names) == 5
    assert all(name.startswith("files__read_file") for name in names)


@given(st.text(max_size=200), st.text(max_size=40) | st.from_regex(r"[A-Za-z0-9-]{1,32}", fullmatch=True))
def test_every_name_fits(tool: str, server: str) -> None:
    short = alias(server, tool)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", short)
    assert short == alias(server, tool)


def test_a_name_of_another_tool_cannot_be_guessed_from_its_hash() -> None:
    hashed = alias("files", "读取")
    assert alias("files", hashed.partition("__")[2]) != hashed


_NAMES = (
    st.text(min_size=1, max_size=90) | st.text("读写文件天气", min_size=1, max_size=4) | st.text("ab_-.", min_size=1)
)


@given(st.lists(st.tuples(_NAMES, _NAMES), max_size=40, unique=True), st.randoms())
def test_aliases_of_all_servers_differ_and_do_not_depend_on_the_order(
    names: list[tuple[str, str]], random: Random
) -> None:
    ids = server_ids(dict.fromkeys(server for server, _ in names))
    assert len({alias(ids[server], tool) for server, tool in names}) == len(names)
    servers = {server: [tool for of, tool in names if of == server] for server in ids}
    aliases = _aliases_by_tool(servers, ids)
    for tools in servers.values():
        random.shuffle(tools)
    assert _aliases_by_tool(servers, ids) == aliases
    assert {(server, tool) for server, tool in aliases.values()} == set(names)


def _aliases_by_tool(servers: dict[str, list[str]], ids: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {
        described.alias: (server, described.name)
        for server, tools in servers.items()
        for described in describe_all(
            dataclasses.replace(CONFIG, id=ids[server]), [{**TOOL, "name": tool} for tool in tools]
        )
    }


@given(st.lists(st.text(min_size=1, max_size=90), max_size=30))
def test_descriptors_have_unique_aliases_that_lead_back(names: list[str]) -> None:
    described = describe_all(CONFIG, [{**TOOL, "name": name} for name in names])
    assert [tool.name for tool in described] == list(dict.fromkeys(names))
    assert len({tool.alias for tool in described}) == len(described)


def test_the_hash_covers_everything_that_was_judged() -> None:
    original = definition_hash(CONFIG, TOOL)
    schema = TOOL["inputSchema"]
    path = schema["properties"]["path"]
    changes: list[dict[str, Any]] = [
        {"name": "read2"},
        {"title": "Read it"},
        {"description": "Reads a file."},
        {"outputSchema": {"type": "object", "properties": {}}},
        {"annotations": {"readOnlyHint": False}},
        {"annotations": None},
        {"inputSchema": {**schema, "properties": {"path": {**path, "enum": ["a", "c"]}}}},
        {"inputSchema": {**schema, "properties": {"path": {**path, "default": "b"}}}},
        {"inputSchema": {**schema, "properties": {"file": path}}},
    ]
    hashes = {definition_hash(CONFIG, {**TOOL, **change}) for change in changes}
    assert len(hashes) == len(changes)
    assert original not in hashes
    assert definition_hash(CONFIG, {**TOOL, "_meta": {"x": 1}}) == original


def test_the_hash_covers_which_program_or_address_the_server_is() -> None:
    changes: list[dict[str, Any]] = [
        {"command": "y"},
        {"args": ("--all",)},
        {"cwd": "/elsewhere"},
        {"env": {"NAME": "value"}},
        {"transport": Transport.HTTP, "url": "https://example.com/mcp"},
    ]
    hashes = {definition_hash(dataclasses.replace(CONFIG, **change), TOOL) for change in changes}
    assert len(hashes) == len(changes)
    assert definition_hash(CONFIG, TOOL) not in hashes
    one, other = ({"NAME": value} for value in ("one", "other"))
    assert definition_hash(dataclasses.replace(CONFIG, env=one), TOOL) == definition_hash(
        dataclasses.replace(CONFIG, env=other), TOOL
    )


def test_titles_come_from_where_servers_put_them() -> None:
    def title(**change: Any) -> str:
        return describe_all(CONFIG, [{**TOOL, **change}])[0].title

    assert title() == "Read"
    assert title(title=None, annotations={"title": "From annotations"}) == "From annotations"
    assert title(title=None) == "read"
    assert len(title(title="x" * 10_000)) < 300


def test_recursive_schemas_of_trees_are_fine() -> None:
    node = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}
    check_schema({"type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}})
    check_schema({"type": "object", "properties": {"parent": {"$ref": "#"}}})
