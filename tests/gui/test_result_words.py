"""What the app itself says in results is shown in the language of the window; what others said stays as it came."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop.agent.loop_guard import REPEATED
from desktop.core.error_texts import english
from desktop.core.errors import ToolError
from desktop.core.sandbox_problems import PROBLEMS, SandboxProblem
from desktop.servers.calculator import CalculationError, calculate
from desktop.servers.command import NOT_HELD, create_server, weather_line
from desktop.servers.shell import CommandOutcome
from desktop.storage.messages import INTERRUPTED_TEXT, UNKNOWN_TEXT
from desktop.tools import call_report, pins, service
from desktop.tools.server_remarks import Remark
from desktop.ui.error_words import error_words
from desktop.ui.result_words import result_words
from tests.support.marked_language import marked_language

SHELL = "execute_command_local"
OF_THE_HOST = (
    call_report.COMMAND_REFUSED,
    f"{call_report.COMMAND_REFUSED} The user says: 不要\n删除",
    call_report.CALL_REFUSED,
    f"{call_report.CALL_REFUSED} The user says: {{no}}",
    call_report.INTERRUPTED,
    call_report.NOT_AS_DECIDED,
    *call_report.REFUSED_BY_RULE.values(),
    pins.HELD,
    service.FOLDER_CHANGED,
    INTERRUPTED_TEXT,
    UNKNOWN_TEXT,
    "(no output)",
    "Interrupted: the answer ended before this tool finished.",
    "Not run: the step limit of this answer was reached.",
    "Not run: more than 64 calls in one step are not accepted.",
    "The tool call failed (ValueError).",
    REPEATED,
    'There is no tool called "x". No tools can be called now.',
    'There is no tool called "x". The tools are: a__b, c__d.',
)


@pytest.fixture
def marked(qapp: QApplication) -> Iterator[None]:
    with marked_language(qapp):
        yield


def calculation_errors() -> list[str]:
    """What the calculator says when it has no value to give."""
    wrong = ("", "1" * 1_001, "-" * 500 + "1", "what now?", "foo(1)", "1/0", "2^99999", "1e999", "True", "[1]")
    wrong += ("sqrt(-1)", "(-8)^0.5", "factorial(1.5)", "factorial(9999)", "round(1, 999)", "9^9999", "log(-1)")
    wrong += ("exp(1000)", "exp(999)*exp(999)", "factorial(3000)*factorial(3000)")
    texts: list[str] = []
    for expression in wrong:
        with pytest.raises(CalculationError) as caught:
            calculate(expression)
        texts.append(str(caught.value))
    return texts


@pytest.mark.parametrize("text", calculation_errors())
def test_what_the_calculator_cannot_do_is_said_in_the_language(qapp: QApplication, text: str) -> None:
    assert result_words("command", "calculate", text) == text
    with marked_language(qapp):
        assert result_words("command", "calculate", text) == f"«{text}"
        assert result_words("files", "calculate", text) == text, "another server says what it wants"


@pytest.mark.parametrize("text", OF_THE_HOST)
def test_what_the_host_says_is_in_the_language_for_every_server(qapp: QApplication, text: str) -> None:
    assert result_words("files", "read", text) == text
    with marked_language(qapp):
        assert result_words("files", "read", text) == f"«{text}"
        assert result_words("command", SHELL, text) == f"«{text}"


@pytest.mark.parametrize(
    "error",
    [
        ToolError("tool.timeout", seconds="30"),
        ToolError("tool.server_gone", server="files", detail="It is not configured."),
        ToolError("tool.failed", detail="files: no such file."),
    ],
    ids=lambda error: error.code,
)
def test_a_call_that_brought_no_result_says_why_in_the_language(qapp: QApplication, error: ToolError) -> None:
    title, detail = english(error.code, error.params)
    text = f"{title.rstrip('.')}. {detail.rstrip('.')}."
    assert result_words("files", "read", text) == text
    with marked_language(qapp):
        assert result_words("files", "read", text).count("«") >= 2


def test_why_no_sandbox_was_made_is_in_the_language(marked: None) -> None:
    assert result_words("command", SHELL, f"{NOT_HELD} {PROBLEMS['no_bash']}") == f"«{NOT_HELD} «{PROBLEMS['no_bash']}"
    gone = SandboxProblem("gone", "/x").english
    assert result_words("files", "run", f"Not run: {gone}") == f"«Not run: «{gone}"
    assert result_words("files", "run", "Not run: because") == "Not run: because"


def test_a_remark_on_the_server_is_in_the_language(marked: None) -> None:
    ended = Remark("exit_code", "3").english
    assert error_words("tool.server_gone", {"server": "files", "detail": f"{ended}\nits own"}).detail == (
        f"«files: «{ended}\nits own"
    )


@pytest.mark.parametrize("code", [0, 3, -9, -99, None])
@pytest.mark.parametrize(("stdout", "stderr"), [("", ""), ("出\n{x}", ""), ("", "err"), ("out", "err")])
@pytest.mark.parametrize("leftovers", [0, 2])
def test_the_labels_of_a_commands_report_are_in_the_language(
    qapp: QApplication, code: int | None, stdout: str, stderr: str, leftovers: int
) -> None:
    outcome = CommandOutcome(exit_code=code, stdout=stdout, stderr=stderr, timeout_seconds=2.5, leftovers=leftovers)
    text = outcome.text()
    assert result_words("command", SHELL, text) == text
    with marked_language(qapp):
        lines = result_words("command", SHELL, text).splitlines()
        assert [line for line in lines if not line.startswith("«")] == [*stdout.splitlines(), *stderr.splitlines()]
        assert [line.removeprefix("«") for line in lines] == text.splitlines()
        assert result_words("files", SHELL, text) == text


@pytest.mark.allowed_log("Error calling tool")
async def test_everything_that_the_built_in_server_says_is_known(tmp_path: Path, marked: None) -> None:
    server, shell = create_server(tmp_path)

    async def answer(_message: str, _kind: Any, _params: Any, _context: Any) -> Any:
        from fastmcp.client.elicitation import ElicitResult

        return ElicitResult(action=actions.pop(0), content=content)  # type: ignore[arg-type]

    actions, content = ["decline", "cancel", "accept"], {"answer": ""}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_date", {}),
        ("get_weather", {"city": "Berlin"}),
        *[("ask_user", {"question": "?"})] * 3,
        ("ask_user", {"question": "?", "choices": [str(number) for number in range(51)]}),
        (SHELL, {"command": " "}),
        (SHELL, {"command": "x" * 30_001}),
        (SHELL, {"command": "a\0b"}),
        (SHELL, {"command": "ls", "timeout": 0}),
        *[("fetch_page", {"url": url}) for url in ("ftp://x", "x" * 9_000, "http://me:word@x/", "http://127.0.0.1/")],
    ]
    async with Client(server, mode="legacy", elicitation_handler=answer) as client:
        for name, arguments in calls:
            result = await client.call_tool_mcp(name, arguments)
            (block,) = result.content
            assert block.type == "text"
            assert result_words("command", name, block.text).startswith("«"), block.text
    await shell.end_all()


def test_the_weekday_is_said_in_the_language(qapp: QApplication) -> None:
    before = QLocale()
    line = f"{datetime(2026, 11, 29):%Y-%m-%d} (Sunday), 20:45, UTC+08:00"
    try:
        QLocale.setDefault(QLocale("zh_CN"))
        assert result_words("command", "get_date", line) == "2026-11-29 (星期日), 20:45, UTC+08:00"
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("calculate", "35"),
        ("get_weather", weather_line("北京")),
        ("ask_user", "咖啡 {x}"),
        (SHELL, "It said Exit code: 0"),
        ("get_date", "2026-11-29 (Someday), 20:45, UTC+08:00 and more"),
    ],
)
def test_all_else_stays_as_it_came(marked: None, tool: str, text: str) -> None:
    assert result_words("command", tool, text) == text


def test_a_long_text_is_not_searched(marked: None) -> None:
    text = "“" + "x" * 100_000 + "” is not an arithmetic expression."
    assert result_words("command", "calculate", text) == text
