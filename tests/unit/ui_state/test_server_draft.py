"""A server in the form: command lines taken apart and put together, entries there and back, secrets noticed."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.tools.server_inputs import inputs_of
from desktop.ui.state.command_line import OpenQuoteError, join_command_line, split_command_line
from desktop.ui.state.server_draft import (
    ServerDraft,
    draft_of,
    entry_of,
    is_enabled,
    name_problem,
    switched,
)
from desktop.ui.state.server_secrets import Sealed, sealed, with_what_was_decided, without_secrets

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(st.lists(ANY_TEXT, max_size=5), st.booleans())
def test_a_joined_command_line_is_taken_apart_into_the_same(arguments: list[str], windows: bool) -> None:
    assert split_command_line(join_command_line(arguments, windows=windows), windows=windows) == arguments


@pytest.mark.parametrize(
    ("line", "windows", "parts"),
    [
        ("npx -y  @scope/server /home/me", False, ["npx", "-y", "@scope/server", "/home/me"]),
        ("npx\n-y\n'two words'", False, ["npx", "-y", "two words"]),
        ("a # b", False, ["a", "#", "b"]),
        (r"C:\Python\python.exe -m x", True, [r"C:\Python\python.exe", "-m", "x"]),
        (r'"C:\My Files\x.exe" a', True, [r"C:\My Files\x.exe", "a"]),
        (r"a\ b", False, ["a b"]),
        ("  ", False, []),
        ("echo ; rm -rf x && y | z", False, ["echo", ";", "rm", "-rf", "x", "&&", "y", "|", "z"]),
    ],
)
def test_command_lines(line: str, windows: bool, parts: list[str]) -> None:
    assert split_command_line(line, windows=windows) == parts


def test_a_quotation_mark_without_a_partner_is_said() -> None:
    with pytest.raises(OpenQuoteError):
        split_command_line("npx 'a", windows=False)


ENTRIES: list[dict[str, Any]] = [
    {"command": "npx", "args": ["-y", "a b", ""], "env": {"KEY": "${KEY}", "X": "a=b "}, "cwd": "/tmp"},
    {"command": "x", "disabled": True, "timeout": 60, "autoApprove": ["a"]},
    {"type": "stdio", "command": "x"},
    {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${T}", "X": "a:b"}},
    {"type": "http", "url": "http://192.168.1.5/", "allowInsecure": True},
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_comes_out_of_the_form_as_it_went_in(entry: dict[str, Any]) -> None:
    draft = draft_of("it", entry)
    assert draft is not None
    assert entry_of(draft) == (entry, [])


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
LINES = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\u00a0\ufdd0\ufdd1"), max_size=9
)


@given(st.lists(LINES, min_size=1, max_size=4), st.dictionaries(NAMES, LINES, max_size=3))
def test_any_program_survives_the_form(arguments: list[str], env: dict[str, str]) -> None:
    command, *args = arguments
    entry: dict[str, Any] = {"command": command or "x"}
    entry |= {"args": args} if args else {}
    entry |= {"env": env} if env else {}
    draft = draft_of("it", entry)
    assert draft is not None
    assert entry_of(draft) == (entry, [])


@pytest.mark.parametrize(
    "entry",
    [
        7,
        {"command": 7},
        {"command": "x", "args": "a b"},
        {"command": "x", "args": [["a"]]},
        {"command": "x", "env": ["A=b"]},
        {"command": "x", "env": {"A": "two\nlines"}},
        {"command": "x", "args": ["a\u00a0b"]},
    ],
)
def test_what_the_form_cannot_hold_is_not_put_into_it(entry: Any) -> None:
    assert draft_of("it", entry) is None


def test_another_kind_drops_what_belongs_to_the_first() -> None:
    entry, problems = entry_of(ServerDraft(is_web=True, url=" https://a.example/mcp ", rest={"type": "stdio"}))
    assert (entry, problems) == ({"url": "https://a.example/mcp"}, [])
    entry, problems = entry_of(ServerDraft(command_line="x", rest={"type": "http", "timeout": 3}))
    assert (entry, problems) == ({"command": "x", "timeout": 3}, [])


@pytest.mark.parametrize(
    ("draft", "field", "code", "detail"),
    [
        (ServerDraft(command_line="  "), "command_line", "command_missing", ""),
        (ServerDraft(command_line="a 'b"), "command_line", "quote_open", ""),
        (ServerDraft(command_line="a", env="A=1\nB"), "env", "env_line", "2"),
        (ServerDraft(command_line="a", env="=1"), "env", "env_line", "1"),
        (ServerDraft(command_line="a", env="A=1\nA=2"), "env", "env_twice", "A"),
        (ServerDraft(is_web=True), "url", "url_missing", ""),
        (ServerDraft(is_web=True, url="https://x.example", headers="X y: z"), "headers", "headers_line", "1"),
    ],
)
def test_mistakes_name_their_field(draft: ServerDraft, field: str, code: str, detail: str) -> None:
    problem = entry_of(draft)[1][0]
    assert (problem.field, problem.code, problem.detail) == (field, code, detail)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_missing"),
        (" ", "name_missing"),
        ("x" * 61, "name_unusable"),
        ("a\nb", "name_unusable"),
        ("FILES", "name_taken"),
    ],
)
def test_names_that_cannot_be_used(name: str, code: str) -> None:
    problem = name_problem(name, {"files", "command"})
    assert problem is not None
    assert problem.code == code


def test_a_name_that_can_be_used() -> None:
    assert name_problem("天气 2", {"files"}) is None


def test_switching_changes_nothing_else() -> None:
    entry = {"command": "x", "enabled": False, "timeout": 3}
    assert not is_enabled(entry)
    assert switched(entry, True) == {"command": "x", "timeout": 3}
    assert switched(switched(entry, True), False) == {"command": "x", "timeout": 3, "disabled": True}


@pytest.mark.parametrize(
    ("draft", "secrets"),
    [
        (ServerDraft(command_line="x", env="API_KEY=abc\nLANG=de"), {"API_KEY": "abc"}),
        (ServerDraft(command_line="x", env="API_KEY=${API_KEY}"), {}),
        (
            ServerDraft(command_line="x", env="OTHER=ghp_0123456789abcdefghij01234567"),
            {"OTHER": "ghp_0123456789abcdefghij01234567"},
        ),
        (ServerDraft(command_line="x --api-key s3cret --path /tmp"), {"api-key": "s3cret"}),
        (ServerDraft(command_line="x --token=s3cret"), {"token": "s3cret"}),
        (ServerDraft(command_line="x --token ${TOKEN}"), {}),
        (
            ServerDraft(is_web=True, url="https://x.example", headers="Authorization: Bearer abcdef"),
            {"Authorization": "Bearer abcdef"},
        ),
        (ServerDraft(is_web=True, url="https://x.example", headers="Authorization: Bearer ${T}"), {}),
        (ServerDraft(is_web=True, url="https://x.example", headers="X-Version: 3"), {}),
        (ServerDraft(is_web=True, url="https://x.example/mcp?apiKey=s3cret&v=1"), {"apiKey": "s3cret"}),
    ],
)
def test_secrets_leave_the_entry(draft: ServerDraft, secrets: dict[str, str]) -> None:
    entry, problems = entry_of(draft)
    assert problems == []
    safe = sealed("My Server", entry)
    assert sorted(safe.secrets.values()) == sorted(secrets.values())
    assert {kept.split(":")[1] for kept in safe.secrets} == set(secrets)
    assert all(kept.startswith("My-Server:") for kept in safe.secrets)
    assert not any(value in str(safe.entry) for value in secrets.values())
    assert {item.id for item in inputs_of(safe.entry) if item.kept} == set(secrets)
    assert sealed("My Server", safe.entry) == Sealed(safe.entry, {})  # there is nothing left to be taken out


def test_what_the_user_ticked_counts_against_the_looks() -> None:
    entry = {"command": "x", "env": {"REGION": "eu", "API_KEY": "no secret at all"}}
    safe = sealed("x", entry, marked={"REGION"})
    assert list(safe.secrets.values()) == ["eu"]
    assert safe.entry["env"] == {"REGION": "${input:REGION}", "API_KEY": "no secret at all"}


def test_answers_go_where_they_belong() -> None:
    entry = {
        "command": "x",
        "args": ["${input:folder}"],
        "env": {"T": "Bearer ${input:token}"},
        "inputs": {"folder": {"password": False, "description": "Which"}},
    }
    safe = sealed("x", entry, answers={"folder": "/data", "token": "t0k", "unknown": "z"})
    assert list(safe.secrets.values()) == ["t0k"]
    assert safe.entry["inputs"]["folder"] == {"description": "Which", "password": False, "value": "/data"}
    assert set(safe.entry["inputs"]["token"]) == {"password", "kept"}
    again = sealed("x", safe.entry, answers={"token": "new"})
    assert again.entry["inputs"]["token"]["kept"] != safe.entry["inputs"]["token"]["kept"]


def test_a_text_of_an_entry_changes_no_decision_and_keeps_what_was_entered() -> None:
    before = {
        "command": "x",
        "env": {"T": "${input:T}"},
        "inputs": {"T": {"password": True, "kept": "x:T:1"}},
        "tools": {"rm": "block"},
        "chats": ["c"],
        "knowsFolder": True,
    }
    assert "kept" not in str(without_secrets(before))
    pasted = {**without_secrets(before), "args": ["y"], "tools": {"rm": "allow"}, "trusted": True, "knowsFolder": False}
    assert with_what_was_decided(pasted, before) == {**before, "args": ["y"]}


@pytest.mark.parametrize(
    ("entry", "draft"),
    [
        ({"type": "sse", "url": "https://x.example/sse"}, {"is_web": True, "is_sse": True}),
        ({"command": "x", "timeout": 90}, {"timeout": "90"}),
        ({"command": "x", "timeout": 2.5, "protocol": "modern"}, {"timeout": "2.5", "protocol": "modern"}),
        ({"command": "x", "env": {"A": "${input:A}"}, "inputs": {"A": {"password": True, "kept": "k"}}}, {}),
    ],
)
def test_options_go_into_the_form_and_come_back(entry: dict[str, Any], draft: dict[str, Any]) -> None:
    shown = draft_of("it", entry)
    assert shown is not None
    assert {name: getattr(shown, name) for name in draft} == draft
    assert entry_of(shown) == (entry, [])


@pytest.mark.parametrize("text", ["x", "0", "-1", "86401", "nan", "1e9"])
def test_time_limits_that_cannot_be_used(text: str) -> None:
    _, problems = entry_of(ServerDraft(command_line="x", timeout=text))
    assert [problem.code for problem in problems] == ["timeout_unusable"]


def test_a_client_for_signing_in_goes_to_the_form_and_back_with_its_secret_sealed() -> None:
    entry = {"url": "https://a.example/mcp", "oauth": {"clientId": "x", "clientSecret": "s3cret", "callbackPort": 8765}}
    draft = draft_of("a", entry)
    assert draft is not None
    assert (draft.client_id, draft.client_secret, draft.sign_in) == ("x", "s3cret", {"callbackPort": 8765})
    again, problems = entry_of(draft)
    assert (again, problems) == (entry, [])
    safe = sealed("a", again)
    assert "s3cret" not in str(safe.entry)
    assert list(safe.secrets.values()) == ["s3cret"]
    assert safe.entry["oauth"]["clientSecret"] == "${input:client_secret}"
    _, problems = entry_of(replace(draft, client_id=""))
    assert [(problem.field, problem.code) for problem in problems] == [("client_id", "client_id_missing")]
