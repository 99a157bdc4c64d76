"""The scripted endpoint itself: what it refuses, and that it works as a program. A test tool that lies is worse than none."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.support.endpoint import LoopbackEndpoint, call, status, text
from tests.support.strict_messages import problem_of

ROOT = Path(__file__).parents[3]


def assistant(*ids: str, content: str | None = None) -> dict[str, Any]:
    calls = [{"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ids]
    return {"role": "assistant", "content": content, **({"tool_calls": calls} if calls else {})}


def tool(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "r"}


USER = {"role": "user", "content": "hi"}
SYSTEM = {"role": "system", "content": "be"}
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}},
}


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [SYSTEM, USER],
        [USER, assistant("a"), tool("a")],
        [USER, assistant("a", "b"), tool("b"), tool("a"), assistant(content="x"), USER],
        [USER, assistant("a"), tool("a"), assistant("b"), tool("b")],
    ],
)
def test_good_histories_are_accepted(messages: list[Any]) -> None:
    assert problem_of({"model": "m", "messages": messages, "tools": [TOOL]}) is None


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "empty"),
        ([SYSTEM], "begin with a user"),
        ([USER, USER], "alternate"),
        ([USER, assistant(content="x"), assistant(content="y"), USER], "alternate"),
        ([USER, SYSTEM], "only the first"),
        ([assistant(content="x"), USER], "begin with a user"),
        ([USER, assistant(content="x")], "the last message"),
        ([USER, assistant("a")], "no result"),
        ([USER, assistant("a", "b"), tool("a"), USER], "Unexpected role|must be followed"),
        ([USER, assistant("a"), USER], "must be followed"),
        ([USER, tool("a")], "must be a response"),
        ([USER, assistant("a"), tool("a"), tool("a")], "must be a response"),
        ([USER, assistant("a"), tool("a"), USER], "Unexpected role"),
        ([USER, assistant("a"), tool("a"), assistant("a"), tool("a")], "used twice"),
        ([USER, assistant("a", "a"), tool("a"), tool("a")], "used twice"),
        ([USER, assistant(content=""), USER], "empty"),
        ([USER, assistant(), USER], "must be a string"),
        ([{"role": "user", "content": ""}], "empty"),
        ([{"role": "user", "content": ["x"]}], "unsupported content"),
        ([USER, {"role": "developer", "content": "x"}], "role is"),
    ],
)
def test_bad_histories_are_refused(messages: list[Any], words: str) -> None:
    problem = problem_of({"model": "m", "messages": messages, "tools": [TOOL]})
    assert problem is not None
    assert any(word in problem for word in words.split("|"))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "a b"},
        {"description": ""},
        {"parameters": {"type": "array"}},
        {"parameters": {"type": "object"}},
        {"parameters": {"type": "object", "properties": {}, "$schema": "s"}},
        {"strict": True},
    ],
)
def test_bad_tools_are_refused(change: dict[str, Any]) -> None:
    bad = {**TOOL, "function": {**TOOL["function"], **change}}
    for tools in ([bad], [TOOL, {**bad, "function": {**bad["function"], "name": change.get("name", "g")}}], []):
        assert problem_of({"model": "m", "messages": [USER], "tools": tools}) is not None
    assert problem_of({"model": "m", "messages": [USER], "tools": [TOOL, TOOL]}) is not None


def post(base_url: str, messages: list[Any]) -> tuple[int, str]:
    body = json.dumps({"model": "m", "messages": messages, "tools": [TOOL]}).encode()
    request = urllib.request.Request(base_url + "/chat/completions", body, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_scripted_answers_in_order_then_an_error() -> None:
    with LoopbackEndpoint([[text("one")], [call("f", {"a": 1}, pieces=2)], [status(429, {"x": 1})]]) as endpoint:
        first, second, third, fourth = (post(endpoint.base_url, [USER]) for _ in range(4))
        bad = post(endpoint.base_url, [tool("a"), USER])
        problems = endpoint.problems
    assert first[0] == 200
    assert '"content": "one"' in first[1]
    assert first[1].endswith("data: [DONE]\n\n")
    assert '"finish_reason": "tool_calls"' in second[1]
    assert (third[0], fourth[0], bad[0]) == (429, 500, 400)
    assert len(problems) == 1


def test_the_program_plays_rules_and_records(tmp_path: Path) -> None:
    rules = [
        {"match": "weather", "tool_results": 0, "steps": [{"call": {"name": "f", "arguments": {"city": "Rome"}}}]},
        {"match": "weather", "steps": [{"text": "It said: "}, {"echo": "tool_results"}]},
        {"steps": [{"echo": "last_user"}]},
    ]
    script, record = tmp_path / "script.json", tmp_path / "record.jsonl"
    script.write_text(json.dumps({"rules": rules}), "utf-8")
    command = [sys.executable, "-m", "tests.support.endpoint", "--script", str(script), "--record", str(record)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        base_url = process.stdout.readline().strip()
        asked = {"role": "user", "content": "weather?"}
        answers = [
            post(base_url, [asked])[1],
            post(base_url, [asked, assistant("a"), {**tool("a"), "content": "sun"}])[1],
            post(base_url, [{"role": "user", "content": "你好"}])[1],
        ]
        process.stdin.close()
        assert process.wait(20) == 0
    assert '"name": "f"' in answers[0]
    assert "It said: " in answers[1]
    assert "sun" in answers[1]
    assert "你好" in answers[2]
    entries = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    assert [entry["body"]["messages"][-1]["content"] for entry in entries] == ["weather?", "sun", "你好"]
    assert [entry["problem"] for entry in entries] == [None, None, None]
