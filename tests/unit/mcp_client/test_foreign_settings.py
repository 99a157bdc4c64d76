"""Other programs' settings on this disk: found where they lie on each system, read within bounds, and never touched."""

import json
import os
import sys
from pathlib import Path

import pytest

from desktop.mcp_client.foreign_settings import MAX_BYTES, read_elsewhere
from desktop.tools.elsewhere import Elsewhere, ElsewhereProblem

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
    assert problems.pop("Cherry Studio") is ElsewhereProblem.NOT_A_FILE
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
