"""A server in the form: command lines taken apart and put together, entries there and back, secrets noticed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.state.command_line import OpenQuoteError, join_command_line, split_command_line
from desktop.ui.state.server_draft import (
    ServerDraft,
    draft_of,
    entry_of,
    is_enabled,
    name_problem,
    switched,
    written_secrets,
)

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
    ("draft", "names"),
    [
        (ServerDraft(command_line="x", env="API_KEY=abc\nLANG=de"), ["API_KEY"]),
        (ServerDraft(command_line="x", env="API_KEY=${API_KEY}"), []),
        (ServerDraft(command_line="x", env="OTHER=ghp_0123456789abcdefghij0123456789abcdef"), ["OTHER"]),
        (ServerDraft(command_line="x --api-key s3cret --path /tmp"), ["--api-key"]),
        (ServerDraft(command_line="x --token=s3cret"), ["--token"]),
        (ServerDraft(command_line="x --token ${TOKEN}"), []),
        (ServerDraft(is_web=True, headers="Authorization: Bearer abcdef"), ["Authorization"]),
        (ServerDraft(is_web=True, headers="X-Version: 3"), []),
        (ServerDraft(command_line="x 'open"), []),
    ],
)
def test_secrets_that_were_written_out_are_noticed(draft: ServerDraft, names: list[str]) -> None:
    assert written_secrets(draft) == names
