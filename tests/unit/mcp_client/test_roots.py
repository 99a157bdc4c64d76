"""A server learns of the folder of the chat that calls it, only where that was switched on, and of no other."""

from dataclasses import replace
from pathlib import Path

import pytest

from desktop.mcp_client.config import server_config
from desktop.mcp_client.entry_shapes import in_our_shape
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.ui.state.server_draft import draft_of, entry_of
from tests.support.mcp_world import mcp_world
from tests.unit.mcp_client.test_server_content import offering


@pytest.mark.parametrize("is_on", [True, False])
async def test_only_the_folder_of_the_calling_chat_and_only_where_it_is_on(tmp_path: Path, is_on: bool) -> None:
    folders = {"one": tmp_path / "first chat", "two": tmp_path / "第二"}
    for folder in folders.values():
        folder.mkdir()
    asked: list[str] = []

    async def workspace_of(thread_id: str) -> str:
        asked.append(thread_id)
        return str(folders.get(thread_id, tmp_path / "missing"))

    config = replace(offering(), knows_folder=is_on)
    async with mcp_world([config], workspace_of=workspace_of) as world:
        texts = [(await world.call("folders", thread_id=chat)).text for chat in (*folders, "gone")]
    if is_on:
        assert texts == [folders["one"].as_uri(), folders["two"].as_uri(), "none"]
        assert set(asked) == {"one", "two", "gone"}
    else:
        assert all(text.startswith("refused") for text in texts)
        assert asked == []


def test_it_is_off_unless_the_user_says_so() -> None:
    entry = {"command": "python"}
    assert not server_config("s", entry, {}).knows_folder
    assert server_config("s", {**entry, "knowsFolder": True}, {}).knows_folder
    assert not server_config("s", {**entry, "knowsFolder": "yes"}, {}).knows_folder


def test_a_pasted_text_cannot_switch_it_on(tmp_path: Path) -> None:
    book = ConfiguredServers(source="", environment={}, workspace=lambda _settings: tmp_path)
    (entry,) = book.parse('{"mcpServers": {"a": {"command": "x", "knowsFolder": true}}}').values()
    assert not server_config("a", entry, {}).knows_folder
    assert in_our_shape({"command": "x"}) == {"command": "x"}


def test_the_form_keeps_it() -> None:
    draft = draft_of("a", {"command": "x", "knowsFolder": True})
    assert draft is not None
    assert draft.knows_folder
    assert entry_of(draft) == ({"command": "x", "knowsFolder": True}, [])
    assert entry_of(replace(draft, knows_folder=False)) == ({"command": "x"}, [])
