"""Other programs' settings on this disk: found where they lie on each system, read within bounds, and never touched."""

import json
import os
import sys
from pathlib import Path

import pytest

from desktop.mcp_client.foreign_settings import MAX_BYTES, read_elsewhere
from desktop.tools.elsewhere import Elsewhere, ElsewhereProblem
from tests.support.leveldb_writer import write_leveldb

NPX = {"command": "npx", "args": ["-y", "x"]}
SERVERS = json.dumps({"mcpServers": {"a": NPX}})


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def found(home: Path, platform: str = "linux", **environment: str) -> dict[str, Elsewhere]:
    return {place.program: place for place in read_elsewhere(home, environment, platform=platform)}


@pytest.mark.parametrize(
    ("program", "platform", "path", "text"),
    [
        ("Claude Desktop", "linux", ".config/Claude/claude_desktop_config.json", SERVERS),
        ("Claude Desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json", SERVERS),
        ("Claude Desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json", SERVERS),
        ("Claude Code", "linux", ".claude.json", json.dumps({"mcpServers": {"a": NPX}, "projects": {}})),
        ("Cursor", "darwin", ".cursor/mcp.json", SERVERS),
        ("VS Code", "linux", ".config/Code/User/mcp.json", json.dumps({"servers": {"a": NPX}})),
        ("VS Code", "linux", ".config/Code/User/settings.json", '{"mcp": {"servers": {"a": {"command": "npx", "args": ["-y", "x"]}}}, // x\n}'),  # noqa: E501
        ("VS Code", "win32", "AppData/Roaming/Code/User/profiles/p1/mcp.json", json.dumps({"servers": {"a": NPX}})),
        ("LM Studio", "linux", ".lmstudio/mcp.json", SERVERS),
        ("Zed", "darwin", ".config/zed/settings.json", json.dumps({"context_servers": {"a": NPX}})),
        ("Codex", "linux", ".codex/config.toml", 'model = "x"\n[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "x"]\n'),
        ("Gemini CLI", "linux", ".gemini/settings.json", SERVERS),
        ("Windsurf", "linux", ".codeium/windsurf/mcp_config.json", SERVERS),
        ("Cline", "linux", ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", SERVERS),
    ],
)  # fmt: skip
def test_each_program_is_found_where_it_keeps_its_servers(
    tmp_path: Path, program: str, platform: str, path: str, text: str
) -> None:
    file = put(tmp_path / path, text)
    before = file.stat()
    place = found(tmp_path, platform)[program]
    assert (dict(place.servers), place.problem) == ({"a": NPX}, None)
    assert place.path == str(file)
    assert file.read_bytes() == text.encode()
    assert file.stat().st_mtime_ns == before.st_mtime_ns


def test_settings_without_servers_and_empty_files_are_nothing_to_tell(tmp_path: Path) -> None:
    put(tmp_path / ".gemini/settings.json", '{"theme": {"command": 1}}')
    put(tmp_path / ".claude.json", '{"projects": {"/x": {}}, "numStartups": 3}')
    put(tmp_path / ".cursor/mcp.json", "")
    put(tmp_path / ".lmstudio/mcp.json", '{"mcpServers": {}}')
    assert found(tmp_path) == {}


def test_damaged_large_and_odd_files_are_said_and_the_others_read(tmp_path: Path) -> None:
    put(tmp_path / ".cursor/mcp.json", "{broken")
    put(tmp_path / ".lmstudio/mcp.json", b"\xff\x00\xff")
    put(tmp_path / ".claude.json", b" " * (MAX_BYTES + 1))
    put(tmp_path / ".codeium/windsurf/mcp_config.json", SERVERS.encode("utf-16"))
    (tmp_path / ".config/CherryStudio/Local Storage/leveldb").mkdir(parents=True)
    if sys.platform != "win32":
        (tmp_path / ".codex").mkdir()
        os.mkfifo(tmp_path / ".codex/config.toml")  # never waited for
        (tmp_path / ".gemini").mkdir()
        (tmp_path / ".gemini/settings.json").symlink_to(tmp_path / ".gemini/settings.json")
    places = found(tmp_path)
    problems = {program: place.problem for program, place in places.items() if place.problem}
    assert problems.pop("Cursor") is ElsewhereProblem.DAMAGED
    assert problems.pop("LM Studio") is ElsewhereProblem.DAMAGED
    assert problems.pop("Claude Code") is ElsewhereProblem.TOO_LARGE
    assert problems.pop("Cherry Studio") is ElsewhereProblem.DATABASE
    assert problems.pop("Codex", ElsewhereProblem.UNREADABLE) is ElsewhereProblem.UNREADABLE
    assert set(problems) <= {"Gemini CLI"}
    assert dict(places["Windsurf"].servers) == {"a": NPX}


def test_one_file_by_two_ways_is_one_place(tmp_path: Path) -> None:
    put(tmp_path / ".lmstudio/mcp.json", SERVERS)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache/lm-studio").symlink_to(tmp_path / ".lmstudio")
    assert len(read_elsewhere(tmp_path, {}, platform="linux")) == 1


def test_the_configured_folder_counts(tmp_path: Path) -> None:
    put(tmp_path / "other/Claude/claude_desktop_config.json", SERVERS)
    assert found(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "other"))["Claude Desktop"].servers
    assert found(tmp_path, "win32", APPDATA=str(tmp_path / "other"))["Claude Desktop"].servers


CHERRY = ".config/CherryStudio"
CHERRY_KEY = b"_file://\x00\x01persist:cherry-studio"


def cherry_state(*servers: object) -> str:
    """As redux-persist writes it: every part is JSON in a text."""
    return json.dumps({"llm": "{}", "mcp": json.dumps({"servers": servers, "isUvInstalled": True}), "_persist": "{}"})


@pytest.mark.parametrize(("encoding", "sign"), [("latin-1", b"\x01"), ("utf-16-le", b"\x00")])
def test_the_servers_of_cherry_studio_are_read_out_of_its_database(tmp_path: Path, encoding: str, sign: bytes) -> None:
    name = "Fétch" if encoding == "latin-1" else "抓取"
    state = cherry_state(
        {
            "id": "x1",
            "name": name,
            "type": "stdio",
            "command": "uvx",
            "args": ["f"],
            "env": {"A": "1"},
            "isActive": True,
        },
        {"id": "x2", "name": "web", "type": "streamableHttp", "baseUrl": "https://x.example/mcp", "isActive": False},
        {"id": "x3", "name": "@cherry/memory", "type": "inMemory", "isActive": True},
        "nothing",
    )
    raw = json.loads(state)
    value = sign + json.dumps(raw, ensure_ascii=False).encode(encoding)
    folder = tmp_path / CHERRY / "Local Storage/leveldb"
    write_leveldb(folder, tables=[[(b"META:file://", b"1"), (CHERRY_KEY, b"\x01{}")]], log=[(CHERRY_KEY, value)])
    place = found(tmp_path)["Cherry Studio"]
    assert (place.path, place.problem) == (str(folder), None)
    assert list(place.servers) == [name, "web"]
    assert place.servers[name]["env"] == {"A": "1"}
    assert place.servers["web"]["url"] == "https://x.example/mcp"
    assert "@cherry/memory" not in place.servers


@pytest.mark.parametrize("value", [None, b"", b"\x01{}", b"\x01[]", b'\x01{"mcp": "{}"}', b'\x01{"mcp": 1}'])
def test_cherry_studio_without_servers_is_nothing_to_tell(tmp_path: Path, value: bytes | None) -> None:
    write_leveldb(tmp_path / CHERRY / "Local Storage/leveldb", log=[(CHERRY_KEY, value)])
    assert found(tmp_path) == {}


@pytest.mark.parametrize("value", [b"\x01{", b"\x07{}", b"\x00{", b'\x01{"mcp": "{"}', b"\x01" + b"[" * 100_000])
def test_a_database_of_cherry_studio_that_is_not_understood_is_said(tmp_path: Path, value: bytes) -> None:
    write_leveldb(tmp_path / CHERRY / "Local Storage/leveldb", log=[(CHERRY_KEY, value)])
    assert found(tmp_path)["Cherry Studio"].problem is ElsewhereProblem.DATABASE


def test_what_an_older_cherry_studio_has_left_is_not_taken_for_its_servers(tmp_path: Path) -> None:
    state = cherry_state({"id": "x", "name": "old", "command": "npx", "isActive": True})
    write_leveldb(tmp_path / CHERRY / "Local Storage/leveldb", log=[(CHERRY_KEY, b"\x01" + state.encode())])
    newer = put(tmp_path / CHERRY / "Data/cherrystudio.sqlite", b"SQLite format 3\0")
    place = found(tmp_path)["Cherry Studio"]
    assert (place.path, place.problem, dict(place.servers)) == (str(newer), ElsewhereProblem.DATABASE, {})
