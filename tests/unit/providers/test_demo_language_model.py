"""The demo model: what it recognises, that it calls only what is offered, and that every turn ends."""

import json
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.assembler import ToolCallAssembler
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    ModelRequest,
    RequestMessage,
    RequestToolCall,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.providers.demo_language_model import DemoLanguageModel
from desktop.servers.shell import Shell

NAMES = ("get_weather", "get_date", "calculate", "execute_command_local", "ask_user")
FILES, DISK_SPACE = ("dir", "dir") if sys.platform == "win32" else ("ls -la", "df -h .")
TOOLS = tuple(ToolSpec(name=f"command__{name}", description="", parameters={}) for name in NAMES)


async def step(messages: list[RequestMessage], tools: tuple[ToolSpec, ...] = TOOLS) -> AssistantMessage:
    text = thinking = ""
    assembler = ToolCallAssembler({tool.name for tool in tools})
    ends: list[StreamEnd] = []
    async with aclosing(
        DemoLanguageModel(pace_seconds=0).stream(ModelRequest(messages=tuple(messages), tools=tools))
    ) as chunks:
        async for chunk in chunks:
            assert not ends
            match chunk:
                case TextDelta():
                    text += chunk.text
                case ThinkingDelta():
                    thinking += chunk.text
                case ToolCallDelta():
                    assembler.add(chunk)
                case StreamEnd():
                    ends.append(chunk)
    used = {call.call_id for m in messages if isinstance(m, AssistantMessage) for call in m.tool_calls}
    calls = assembler.calls(used)
    assert ends == [StreamEnd(reason=FinishReason.TOOL_CALLS if calls else FinishReason.STOP)]
    return AssistantMessage(
        text=text,
        thinking=thinking,
        tool_calls=tuple(RequestToolCall(call_id=c.call_id, name=c.name, arguments=c.arguments) for c in calls),
    )


async def turn(
    message: str, results: dict[str, str] | None = None, tools: tuple[ToolSpec, ...] = TOOLS
) -> list[AssistantMessage]:
    """Play a whole turn with these results of the tools; returns its steps."""
    messages: list[RequestMessage] = [UserMessage(text=message)]
    steps: list[AssistantMessage] = []
    for _ in range(10):
        answer = await step(messages, tools)
        steps.append(answer)
        messages.append(answer)
        if not answer.tool_calls:
            return steps
        for call in answer.tool_calls:
            bare = call.name.rpartition("__")[2]
            messages.append(
                ToolMessage(call_id=call.call_id, name=call.name, text=(results or {}).get(bare, f"result of {bare}"))
            )
    raise AssertionError("the turn does not end")


def calls_of(answer: AssistantMessage) -> list[tuple[str, Any]]:
    return [(call.name.rpartition("__")[2], json.loads(call.arguments)) for call in answer.tool_calls]


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        ("What's the weather in Paris?", [("get_weather", {"city": "Paris"})]),
        ("weather in New York today", [("get_weather", {"city": "New York"})]),
        ("今天北京的天气怎么样？", [("get_weather", {"city": "北京"})]),
        ("请问帮我查一下杭州天气", [("get_weather", {"city": "杭州"})]),
        ("What date is it?", [("get_date", {})]),
        ("今天几号", [("get_date", {})]),
        ("Calculate (3 + 4) * 5", [("calculate", {"expression": "(3 + 4) * 5"})]),
        ("what is 12*7?", [("calculate", {"expression": "12*7"})]),
        ("计算 3.5×(2+1)", [("calculate", {"expression": "3.5×(2+1)"})]),
        ("Run `rm -rf build`", [("execute_command_local", {"command": "rm -rf build", "is_need_user_check": True})]),
        ("运行 `echo 你好`", [("execute_command_local", {"command": "echo 你好", "is_need_user_check": True})]),
        (
            "run `echo one` and then `echo two`",
            [
                ("execute_command_local", {"command": "echo one", "is_need_user_check": True}),
                ("execute_command_local", {"command": "echo two", "is_need_user_check": True}),
            ],
        ),
        ("执行一个命令", [("execute_command_local", {"command": "echo 你好", "is_need_user_check": True})]),
        (
            "How much space is left on my disk?",
            [("execute_command_local", {"command": DISK_SPACE, "is_need_user_check": True})],
        ),
        ("我的磁盘还剩多少空间？", [("execute_command_local", {"command": DISK_SPACE, "is_need_user_check": True})]),
        ("Show me the files in my folder", [("execute_command_local", {"command": FILES, "is_need_user_check": True})]),
        ("看看文件夹里有哪些文件", [("execute_command_local", {"command": FILES, "is_need_user_check": True})]),
        ("How much does a space suit cost?", []),
        (
            "Ask me to choose between red, green and blue",
            [("ask_user", {"question": "Which one would you like?", "choices": ["red", "green", "blue"]})],
        ),
        ("让我选择：红色、绿色", [("ask_user", {"question": "你想选哪一个？", "choices": ["红色", "绿色"]})]),
        ("date and weather in Rome", [("get_date", {}), ("get_weather", {"city": "Rome"})]),
        ("Tell me about 2026-11-03", []),
        ("Why is my format `a+b` wrong?", []),
        ("hello", []),
    ],
)
async def test_what_it_calls(message: str, calls: list[tuple[str, Any]]) -> None:
    assert calls_of((await turn(message))[0]) == calls


@pytest.mark.parametrize(
    "message", ["hi", "what can you do?", "anything else", "Show me a table and code", "write a long text"]
)
async def test_answers_admit_that_they_are_scripted(message: str) -> None:
    (answer,) = await turn(message)
    assert "script" in answer.text.lower()
    assert answer.thinking


@pytest.mark.parametrize("message", ["你好", "随便说点什么", "用表格和代码说明", "写一个长回答"])
async def test_it_answers_in_chinese_when_asked_in_chinese(message: str) -> None:
    (answer,) = await turn(message)
    assert "脚本" in answer.text or "预先写好" in answer.text


async def test_the_unknown_question_is_repeated() -> None:
    (answer,) = await turn("Why is the sky blue?")
    assert "Why is the sky blue?" in answer.text


async def test_code_and_table_when_asked_for() -> None:
    (answer,) = await turn("code and a table please")
    assert "```python" in answer.text
    assert "| --" in answer.text.replace("| :--", "| --")


async def test_the_tour_uses_every_tool_and_ends_with_a_summary() -> None:
    steps = await turn("Give me the full tour")
    assert [[name for name, _ in calls_of(answer)] for answer in steps] == [
        ["get_weather", "get_date"],
        ["calculate"],
        ["execute_command_local"],
        ["ask_user"],
        [],
    ]
    assert all(answer.thinking for answer in steps)
    for name in NAMES:
        assert f"result of {name}" in steps[-1].text


@pytest.mark.parametrize(
    ("message", "tool", "result", "words"),
    [
        ("run `ls`", "execute_command_local", "User denied command execution.", "refused"),
        ("运行 `ls`", "execute_command_local", "User denied command execution.", "拒绝"),
        ("ask me", "ask_user", "The user declined to answer.", "declined"),
        ("ask me", "ask_user", "The user cancelled the question.", "cancelled"),
        ("ask me", "ask_user", "Tea", "Tea"),
        ("run `x`", "execute_command_local", "The command could not be started: no", "could not be started: no"),
        ("run `x`", "execute_command_local", "Exit code: 0\nstdout:\nhello", "The command printed:\n\n```text\nhello"),
        ("run `x`", "execute_command_local", "Exit code: 0\n(no output)", "exit code 0 and printed nothing."),
        ("run `x`", "execute_command_local", "Exit code: 3\nstderr:\nno", "exit code 3.\n\nIt wrote as errors:"),
        ("run `x`", "execute_command_local", "Ended by signal 9 (SIGKILL)\n(no output)", "ended before it was done"),
        ("运行 `x`", "execute_command_local", "Exit code: 0\nstdout:\n好", "命令的输出：\n\n```text\n好\n```"),
        ("运行 `x`", "execute_command_local", "Exit code: 0\n(no output)", "命令结束，退出码为 0，没有输出。"),
        ("运行 `x`", "execute_command_local", "Exit code: 3\nstderr:\nno", "退出码为 3。\n\n命令的错误输出："),
        ("今天几号", "get_date", "2026-11-29 (Sunday), 20:45, UTC+08:00", "日期：2026-11-29（星期日）20:45，UTC+08:00"),
        ("计算 1/0", "calculate", "Division by zero has no value.", "算不出结果"),
        ("计算 3*4", "calculate", "12", "计算：12"),
        ("让我选择", "ask_user", "The user sent an empty answer.", "你的回答是空的。"),
    ],
)
async def test_it_says_what_the_results_say(message: str, tool: str, result: str, words: str) -> None:
    assert words in (await turn(message, {tool: result}))[-1].text


@pytest.mark.parametrize(
    ("message", "result", "beginning"),
    [
        ("What date is it?", "2026-11-29 (Sunday), 20:45, UTC+08:00", "The date: 2026-11-29"),
        ("What is the weather in Paris?", "Paris: sunny", "The weather: Paris: sunny"),
        ("Calculate 3*4", "12", "The calculation: 12"),
        ("Run `ls`", "User denied command execution.", "You refused"),
        ("Run `ls`", "Exit code: 0\nstdout:\na b", "The command printed:\n\n```text\na b"),
        ("Ask me", "Tea", "Your answer: Tea"),
        ("Why is the sky blue?", "", "> Why is the sky blue?"),
        ("Show a table", "", "Four planets"),
        ("随便说点什么", "", "> 随便说点什么"),
        ("你好", "", "在这里可以试用"),
        ("hello", "", "You can try"),
    ],
)
async def test_an_answer_begins_with_what_there_is_to_say(message: str, result: str, beginning: str) -> None:
    """The list of chats shows just that of each."""
    steps = await turn(message, dict.fromkeys(NAMES, result))
    assert "".join(answer.text for answer in steps).startswith(beginning)


@pytest.mark.parametrize("message", ["What files are there?", "How much space is left on my disk?"])
async def test_the_commands_of_its_own_print_something_in_an_empty_folder(tmp_path: Path, message: str) -> None:
    ((_, arguments),) = calls_of((await turn(message))[0])
    outcome = await Shell(tmp_path).run(arguments["command"], timeout_seconds=30)
    assert outcome.exit_code == 0
    assert outcome.stdout.strip()
    assert not outcome.stderr


async def test_output_with_fences_stays_inside_its_fence() -> None:
    answer = (await turn("run `x`", {"execute_command_local": "```\nboo\n```"}))[-1]
    assert "````text\n```\nboo\n```\n````" in answer.text


async def test_tools_that_are_not_offered_are_not_called_and_it_says_so() -> None:
    (answer,) = await turn("weather in Paris and run `ls`", tools=())
    assert "`get_weather`, `execute_command_local`" in answer.text


async def test_a_question_that_was_stopped_is_not_answered_again() -> None:
    answer = await step([UserMessage(text="Run `rm x`\n\nhello")])
    assert not answer.tool_calls


async def test_only_the_last_question_counts() -> None:
    earlier = await turn("What date is it?")
    answer = await step([UserMessage(text="What date is it?"), *earlier[-1:], UserMessage(text="hello")])
    assert not answer.tool_calls


_WORDS = st.sampled_from(
    [
        "weather",
        "in",
        "Paris",
        "date",
        "calculate",
        "1+1",
        "run",
        "`ls`",
        "ask me",
        "demo",
        "天气",
        "演示",
        "选择",
        "、",
        "(",
        "``",
        "\n\n",
        "长",
        "code",
    ]
)


@given(words=st.lists(_WORDS, max_size=12), tools=st.lists(st.sampled_from(TOOLS), unique_by=lambda tool: tool.name))
async def test_every_turn_ends(words: list[str], tools: list[ToolSpec]) -> None:
    steps = await turn(" ".join(words), tools=tuple(tools))
    assert steps[-1].text.strip()
    assert {call.name for answer in steps for call in answer.tool_calls} <= {tool.name for tool in tools}
