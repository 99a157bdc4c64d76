"""What is read from texts that people paste, and which servers follow from the settings and from ``--mcp-config``."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from desktop.core.errors import SettingsError
from desktop.core.settings import Settings
from desktop.mcp_client.listing import name_hash
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.tools.entities import ServerConfig, ServerEntry, ServerOrigin, Transport
from tests.support.agreed_servers import agreed

WORKSPACE = Path("/work space")


def book(*given: ServerConfig) -> ConfiguredServers:
    return ConfiguredServers(
        source="settings.json",
        environment={"SET": "v4lue"},
        workspace=lambda _settings: WORKSPACE,
        given=given,
        given_is_agreed=True,
    )


def settings(**servers: Any) -> Settings:
    return agreed(Settings(mcp_servers=servers))


def entry_named(entries: tuple[ServerEntry, ...], key: str) -> ServerEntry:
    return next(e for e in entries if e.key == key and e.origin is not ServerOrigin.BUNDLED)


FILES = {"command": "npx", "args": ["-y", "files"]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"mcpServers": {"files": FILES}}),
        json.dumps({"servers": {"files": FILES}, "inputs": []}),
        json.dumps({"files": FILES}),
        '"files": {"command": "npx", "args": ["-y", "files"]},',
        '\ufeff  {"mcpServers": {"files": {"command": "npx", "args": ["-y", "files",],},}, }',
        '// how to\n{"mcpServers": { /* one\nof many */ "files": {"command": "npx", // a runner\n "args": ["-y", "files"]}}}',
    ],
)
def test_the_usual_forms_of_pasted_servers(text: str) -> None:
    assert book().parse(text) == {"files": FILES}


def test_what_looks_like_a_comment_inside_a_text_stays() -> None:
    pasted = '{"a": {"url": "https://x.example/a//b", "headers": {"H": "1 /* 2 */, }"}},}'
    assert book().parse(pasted) == {"a": {"url": "https://x.example/a//b", "headers": {"H": "1 /* 2 */, }"}}}


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"command": "npx", "args": ["-y", "@scope/server-files@1.2", "/home"]}, "server-files"),
        ({"command": "uvx", "args": ["mcp-server-git"]}, "mcp-server-git"),
        ({"command": r"C:\Tools\weather.exe"}, "weather"),
        ({"command": "python3", "args": ["/opt/my server/run.py"]}, "run"),
        ({"command": "npx"}, "npx"),
        ({"url": "https://mcp.example.org/mcp"}, "mcp.example.org"),
        ({"url": "https://[::1"}, "server"),
    ],
)
def test_a_single_entry_is_given_a_name(entry: dict[str, Any], name: str) -> None:
    assert book().parse(json.dumps(entry)) == {name: entry}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "npx -y files",
        '{"mcpServers": []}',
        "[" * 100_000,
        '{"a": {"command": "\\ud800"}}',
        '"a',
        " " * 2_000_001,
    ],
)
def test_what_is_no_list_of_servers_is_said(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        book().parse(text)
    assert caught.value.code == "settings.mcp_config"


def test_all_servers_are_listed_also_what_is_off_or_wrong() -> None:
    given = ServerConfig(id="given", transport=Transport.STDIO, command="g")
    book_ = book(given)
    wanted = settings(
        files={**FILES, "env": {"K": "${SET}"}},
        off={"command": "x", "env": {"K": "${UNSET}"}, "disabled": True},
        unset={"command": "x", "args": ["${UNSET}"]},
        broken={"url": "ftp://x"},
        given={"command": "mine"},
    )
    entries = book_.listed(wanted)
    assert [(e.key, e.origin.value, e.id, e.enabled, e.problem) for e in entries] == [
        ("command", "bundled", "command", True, ""),
        ("files", "settings", "files", True, ""),
        ("off", "settings", "off", False, ""),
        ("unset", "settings", "", True, "variable_unset"),
        ("broken", "settings", "", True, "url_scheme"),
        ("given", "settings", "", True, "replaced"),
        ("given", "start", "given", True, ""),
    ]
    files = entry_named(entries, "files")
    assert (files.argv, dict(files.env)) == (("npx", "-y", "files"), {"K": "${SET}"})  # as written
    assert "v4lue" not in repr(entries)
    running = {config.id: config for config in book_.configs(wanted) if config.enabled}
    assert list(running) == ["command", "files", "given"]
    assert (running["files"].env, running["given"].command) == ({"K": "v4lue"}, "g")
    said = [str(problem.params["detail"]) for problem in book_.problems(wanted)]
    assert [detail.partition(":")[0] for detail in said] == ["server “unset”", "server “broken”"]


def test_the_bundled_server_can_be_switched_off() -> None:
    off = Settings(bundled_servers_off=("command",))
    assert [(e.id, e.enabled) for e in book().listed(off)] == [("command", False)]
    assert book().configs(off) == ()
    # Its name does not become free for another one.
    named = agreed(dataclasses.replace(off, mcp_servers={"command": {"command": "x"}}))
    assert [config.id for config in book().configs(named)] == ["command_" + name_hash("command")]


def test_one_too_many_is_left_out_and_said_once() -> None:
    many = settings(**{f"s{n}": {"command": "x"} for n in range(105)})
    assert len(book().configs(many)) == 101
    entries = book().listed(many)
    assert entry_named(entries, "s99").problem == ""
    assert entry_named(entries, "s100").problem == "too_many"
    assert [problem.code for problem in book().problems(many)] == ["settings.mcp_config"]


BASE = {"command": "x", "args": ["a"], "env": {"K": "v"}, "cwd": "/tmp"}


@pytest.mark.parametrize(
    "change",
    [
        {"command": "y"},
        {"args": ["a", "b"]},
        {"args": ["b"]},
        {"env": {"K": "w"}},
        {"env": {}},
        {"cwd": "/"},
        {"url": "https://x.example"},
    ],
)
def test_another_line_has_another_fingerprint(change: dict[str, Any]) -> None:
    before, after = (book().read("it", entry).fingerprint for entry in (BASE, {**BASE, **change}))
    assert before
    assert after
    assert before != after


def test_a_header_that_sends_a_variable_along_has_another_fingerprint_and_one_that_was_entered_has_not() -> None:
    base = {"url": "https://x.example/mcp"}

    def fingerprint(**headers: str) -> str:
        return book().read("it", {**base, "headers": headers}).fingerprint

    plain = fingerprint()
    assert plain == fingerprint(Authorization="Bearer one") == fingerprint(Authorization="Bearer ${input:token}")
    sent = [
        fingerprint(A="${OPENAI_API_KEY}"),
        fingerprint(A="${env:GITHUB_TOKEN}"),
        fingerprint(B="${OPENAI_API_KEY:-x}"),
    ]
    assert len({plain, *sent}) == 4


def test_a_name_or_a_switch_does_not_change_the_fingerprint() -> None:
    before = book().read("it", BASE).fingerprint
    assert book().read("other", {**BASE, "disabled": True, "timeout": 3}).fingerprint == before
    assert book().read("it", "no entry").fingerprint == ""
