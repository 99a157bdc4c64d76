"""The usual ``mcpServers`` JSON: what is understood, and errors that name their entry."""

import json
import os
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.errors import SettingsError
from desktop.mcp_client.bundled import bundled_command_server
from desktop.mcp_client.config import (
    EntryError,
    parse_mcp_config,
    parse_mcp_servers,
    server_config,
    server_ids,
    with_secrets,
)
from desktop.tools.entities import ServerConfig, Transport
from desktop.tools.sign_in import OAuthClient

ENVIRONMENT = {"TOKEN": "t0k", "EMPTY": "", "NAME": "x"}


def _parse(value: Any) -> tuple[ServerConfig, ...]:
    text = value if isinstance(value, str) else json.dumps(value)
    return parse_mcp_config(text, source="servers.json", environment=ENVIRONMENT)


def _one(entry: Any) -> ServerConfig:
    return _parse({"mcpServers": {"it": entry}})[0]


def test_a_program_with_everything() -> None:
    entry = {
        "command": "node",
        "args": ["server.js", "--port", 8080, "${NAME}"],
        "env": {"KEY": "${TOKEN}", "N": 1},
        "cwd": "/tmp",
    }
    config = _one(entry)
    assert (config.id, config.transport, config.command) == ("it", Transport.STDIO, "node")
    assert config.args == ("server.js", "--port", "8080", "x")
    assert config.env == {"KEY": "t0k", "N": "1"}
    assert config.cwd == "/tmp"
    assert config.enabled
    assert not config.bundled
    assert "t0k" not in repr(config)


def test_an_address_with_headers() -> None:
    config = _one({"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}})
    assert (config.transport, config.url) == (Transport.HTTP, "https://example.org/mcp")
    assert config.headers == {"Authorization": "Bearer t0k"}
    assert "t0k" not in repr(config)


@pytest.mark.parametrize(
    "root",
    [
        {"mcpServers": {"a": {"command": "x"}}},
        {"servers": {"a": {"type": "stdio", "command": "x"}}, "inputs": []},
        {"a": {"command": "x"}},
        "\ufeff" + json.dumps({"mcpServers": {"a": {"command": "x"}}}),
    ],
)
def test_the_usual_roots(root: Any) -> None:
    assert [config.command for config in _parse(root)] == ["x"]


@pytest.mark.parametrize("root", [{"mcpServers": {}}, {"servers": {}}, {}])
def test_no_servers_are_fine(root: Any) -> None:
    assert _parse(root) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${env:NAME}", "x"),
        ("${EMPTY}", ""),
        ("${MISSING:-fallback}", "fallback"),
        ("${MISSING:-}", ""),
        ("${NAME:-fallback}", "x"),
        ("a${NAME}b${NAME}c", "axbxc"),
        ("$NAME", "$NAME"),
        ("$(rm -rf /)", "$(rm -rf /)"),
    ],
)
def test_variables(text: str, value: str) -> None:
    assert _one({"command": "x", "args": [text]}).args == (value,)


def test_a_server_that_is_off_needs_no_variables() -> None:
    for entry in ({"disabled": True}, {"enabled": False}):
        config = _one({"command": "x", "env": {"KEY": "${MISSING}"}, **entry})
        assert not config.enabled


def test_ids_are_ours_unique_and_never_that_of_the_bundled_server() -> None:
    names = ("My server!", "My.server!", "command", "Command", "COMMAND!", "天气", "a__b", "x" * 100)
    ids = [config.id for config in _parse({"mcpServers": {name: {"command": "x"} for name in names}})]
    patterns = ["My_server", "My_server_#", "command_#", "Command_#", "COMMAND_#", "server_#", "a_b", "x{32}"]
    assert all(
        re.fullmatch(pattern.replace("#", "[a-z2-7]{10}"), found) for pattern, found in zip(patterns, ids, strict=True)
    ), ids


@given(st.lists(st.text(min_size=1, max_size=60), unique=True, max_size=12), st.randoms())
def test_ids_belong_to_the_names_in_whatever_order_they_stand(names: list[str], random: Random) -> None:
    ids = server_ids(names)
    assert len({found.casefold() for found in ids.values()} | {"command"}) == len(names) + 1
    assert all(re.fullmatch(r"[A-Za-z0-9-](?:[A-Za-z0-9_-]{0,31})", found) for found in ids.values())
    random.shuffle(names)
    assert server_ids(names) == ids


def test_a_name_of_other_letters_has_its_id_whoever_is_beside_it() -> None:
    assert server_ids(["天气", "文件"])["天气"] == server_ids(["天气"])["天气"] != server_ids(["文件"])["文件"]


def test_loopback_needs_no_encryption_and_others_must_say_so() -> None:
    assert _one({"url": "http://127.0.0.1:8001/mcp"}).url == "http://127.0.0.1:8001/mcp"
    assert _one({"url": "http://192.168.1.5/mcp", "allowInsecure": True}).url == "http://192.168.1.5/mcp"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("npx", "not an object"),
        (None, "not an object"),
        ({}, "neither a “command” nor a “url”"),
        ({"command": ""}, "neither"),
        ({"command": 7}, "“command” is not text"),
        ({"command": "x\0y"}, "NUL"),
        ({"command": "x", "args": "a b"}, "“args” is not a list"),
        ({"command": "x", "args": [["a"]]}, "is not text"),
        ({"command": "x", "args": [True]}, "is not text"),
        ({"command": "x", "args": ["a\0"]}, "NUL"),
        ({"command": "x", "env": ["A=b"]}, "“env” is not an object"),
        ({"command": "x", "env": {"A": ["b"]}}, "“env.A” is not text"),
        ({"command": "x", "env": {"A=B": "c"}}, "not allowed"),
        ({"command": "x", "env": {"A": "${MISSING}"}}, "variable MISSING is not set"),
        ({"command": "x", "args": ["${command:key}"]}, "“${command:key}” cannot be filled in"),
        ({"command": "x", "protocol": "v9"}, "“v9” is not known"),
        ({"command": "x", "args": ["${}"]}, "cannot be filled in"),
        ({"command": "x", "disabled": "yes"}, "“disabled” is neither true nor false"),
        ({"command": "x", "cwd": 3}, "“cwd” is not text"),
        ({"type": "carrier pigeon", "command": "x"}, "“carrier pigeon” is not known"),
        ({"url": "ftp://example.org"}, "does not start with"),
        ({"url": "example.org/mcp"}, "does not start with"),
        ({"url": "https://[::1"}, "malformed"),
        ({"url": "https://user:pass@example.org/"}, "user name"),
        ({"url": "http://example.org/mcp"}, "not encrypted"),
        ({"url": "https://example.org", "headers": {"A": "b\r\nEvil: c"}}, "not allowed"),
        ({"type": "http", "command": "x"}, "does not start with"),
    ],
)
def test_mistakes_name_file_and_entry(entry: Any, reason: str) -> None:
    with pytest.raises(SettingsError) as caught:
        _one(entry)
    assert caught.value.code == "settings.mcp_config"
    assert caught.value.params["path"] == "servers.json"
    assert "server “it”" in str(caught.value.params["detail"])
    assert reason in str(caught.value.params["detail"])


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"mcpServers": []}', "[" * 100_000])
def test_files_that_are_no_configuration(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        _parse(text)
    assert caught.value.code == "settings.mcp_config"


def test_too_many_servers_are_refused() -> None:
    with pytest.raises(SettingsError):
        parse_mcp_servers({str(n): {"command": "x"} for n in range(101)}, source="s", environment={})


def test_the_bundled_server_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = bundled_command_server(tmp_path / "work")
    assert config.bundled
    assert config.command == sys.executable
    assert (Path(config.cwd) / "desktop" / "__main__.py").is_file()
    assert config.args[-2:] == ("--folder", os.path.join(tmp_path, "work"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert bundled_command_server(tmp_path).args[:2] == ("mcp-server", "command")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ['"' + '\\"' * 500_000, "/*" * 500_000, '{"a' * 300_000, "," * 900_000 + '"'])
def test_text_that_is_no_json_is_refused_at_once(text: str) -> None:
    with pytest.raises(SettingsError, match="It is not JSON"):
        _parse(text)


def test_what_settings_could_not_write_down_is_refused() -> None:
    deep: Any = 1
    for _ in range(80):
        deep = [deep]
    with pytest.raises(SettingsError, match="levels deep"):
        _one({"command": "x", "more": deep})


def test_a_client_for_signing_in_is_read_and_its_secret_put_in_at_the_start_only() -> None:
    oauth = {"clientId": "${WHO}", "clientSecret": "${input:s}", "callbackPort": 8765}
    entry = {"url": "https://a.example/mcp", "oauth": oauth, "inputs": {"s": {"password": True, "kept": "a:s:1"}}}
    (config,) = parse_mcp_servers({"a": entry, "b": {"command": "x"}}, source="", environment={"WHO": "me"})[:1]
    assert config.sign_in
    assert config.oauth == OAuthClient(client_id="me", client_secret="${input:s}", port=8765)
    assert with_secrets(config, {"s": "s3cret"}).oauth == OAuthClient(client_id="me", client_secret="s3cret", port=8765)


@pytest.mark.parametrize(
    ("oauth", "code"),
    [
        ("yes", "map_no_object"),
        ({"clientId": 7}, "field_no_text"),
        ({"clientSecret": "s"}, "oauth_unusable"),
        ({"clientId": "a\nb"}, "oauth_unusable"),
        ({"clientId": "a", "callbackPort": 70_000}, "oauth_unusable"),
        ({"clientId": "a", "callbackPort": True}, "oauth_unusable"),
    ],
    ids=["no-object", "no-text", "secret-alone", "line-break", "port", "no-port"],
)
def test_a_client_that_cannot_be_used_is_named(oauth: object, code: str) -> None:
    with pytest.raises(EntryError) as caught:
        server_config("a", {"url": "https://a.example/mcp", "oauth": oauth}, {})
    assert caught.value.code == code
