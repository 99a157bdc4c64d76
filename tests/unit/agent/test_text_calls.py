"""Calls that a model wrote as text: found where they are all there is, and never in prose."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.text_calls import MAX_CHARS, calls_in_text
from desktop.core.wire_names import wire_name

NAMES = {"get_weather", "files__read"}
CALL = '{"name": "get_weather", "arguments": {"city": "Berlin"}}'
BERLIN = [("get_weather", {"city": "Berlin"})]


def found(text: str, names: set[str] = NAMES) -> list[tuple[str, object]]:
    return [(call.name, json.loads(call.arguments)) for call in calls_in_text(text, names)]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"\n\n  {CALL}\n",
        f"[{CALL}]",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"<function_call>{CALL}</function_call>",
        f"```json\n{CALL}\n```",
        f"```\n{CALL}\n```",
        f"```tool_call\n[{CALL}]\n```",
        f"[TOOL_CALLS] [{CALL}]",
        f"[TOOL_CALLS]{CALL}",
        '[TOOL_CALLS]get_weather{"city": "Berlin"}',
        '[TOOL_CALLS]get_weather[ARGS]{"city": "Berlin"}',
        'get_weather[ARGS]{"city": "Berlin"}',
        '<function=get_weather>{"city": "Berlin"}</function>',
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Berlin"}}<|eom_id|>',
        '{"name": "get_weather", "parameters": {"city": "Berlin"}}',
        '{"name": "functions.get_weather", "args": {"city": "Berlin"}}',
        '{"type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Berlin\\"}"}}',
        '{"type": "function", "function": "get_weather", "parameters": {"city": "Berlin"}}',
        f'{{"tool_calls": [{CALL}]}}',
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Berlin"}<|tool_call_end|><|tool_calls_section_end|>',
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
        '{"city": "Berlin"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nBerlin\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Berlin</arg_value>\n</tool_call>",
    ],
)
def test_each_form(text: str) -> None:
    assert found(text) == BERLIN


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{CALL}</tool_call>\n<tool_call>{CALL}</tool_call>",
        f"[TOOL_CALLS] [{CALL}, {CALL}]",
        f"{CALL}\n{CALL}",
        f"{CALL}; {CALL}",
    ],
)
def test_several_calls(text: str) -> None:
    assert found(text) == BERLIN * 2


def test_calls_without_arguments() -> None:
    assert found("<function=get_weather></function>") == [("get_weather", {})]
    assert found("<tool_call>get_weather</tool_call>") == [("get_weather", {})]


def test_arguments_in_tags_are_texts_or_values() -> None:
    text = '<function=files__read><parameter=n>5</parameter><parameter=list>["a"]</parameter></function>'
    assert found(text) == [("files__read", {"n": "5", "list": ["a"]})]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello",
        f"I will call it now: {CALL}",
        f"{CALL}\nThat is how it is done.",
        f"```json\n{CALL}\n```\nDone.",
        f"Here:\n```json\n{CALL}\n```",
        f"<tool_call>{CALL}</tool_call> and <tool_call>{CALL}</tool_call>",
        '{"name": "other", "arguments": {}}',
        f'[{CALL}, {{"name": "other", "arguments": {{}}}}]',
        '{"name": "get_weather"}',
        '{"name": "get_weather", "arguments": [1]}',
        '{"name": "get_weather", "arguments": {"a": NaN}}',
        '{"name": "get_weather", "arguments": {"a": 1, "a": 2}}',
        '{"name": "get_weather", "arguments": {"a": "\\ud83d"}}',
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Ber',
        '{"city": "Berlin"}',
        "[1, 2]",
        "[]",
        "```json\n[]\n```",
        "[TOOL_CALLS]",
        "get_weather",
        "get_weather()",
        "get_weather: {}",
        "<function=other>{}</function>",
        "```python\nget_weather()\n```",
    ],
)
def test_everything_else_is_text(text: str) -> None:
    assert found(text) == []


def test_without_tools_and_beyond_the_limit_nothing_is_found() -> None:
    assert found(CALL, set()) == []
    assert found(CALL + " " * MAX_CHARS) == []


MARKS = [
    "<tool_call>",
    "</tool_call>",
    "```json",
    "```",
    "[TOOL_CALLS]",
    "[ARGS]",
    "<function=get_weather>",
    "</function>",
]
MARKS += [
    "<parameter=a>",
    "</parameter>",
    "<arg_key>",
    "</arg_value>",
    "get_weather",
    CALL,
    "{",
    "}",
    "[",
    "]",
    " ",
    "\n",
    "x",
    ";",
]


@given(st.lists(st.sampled_from(MARKS), max_size=12).map("".join))
def test_whatever_is_found_is_a_tool_with_an_object(text: str) -> None:
    for name, arguments in found(text):
        assert name in NAMES
        assert isinstance(arguments, dict)
        assert "x" not in text.replace(CALL, "").replace("<function=get_weather>", "").replace("<parameter=a>x", "")


@pytest.mark.parametrize("mark", MARKS)
def test_long_nonsense_takes_no_long_time(mark: str) -> None:
    text = mark * (MAX_CHARS // len(mark) - 1)
    assert all(name in NAMES for name, _ in found(text + "x"))


def test_the_answers_in_the_small_streams_are_text() -> None:
    for path in (Path(__file__).parents[2] / "data" / "streams").glob("*.json"):
        assert found(json.loads(path.read_text("utf-8")).get("text", ""), {"get", "put"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" + "a" * 150_000,
        "<tool_call>f<arg_key>" + "</arg_key><arg_value>" * 6_000 + "</tool_call>",
        "<function=f>" + "<parameter=a>" * 10_000 + "</function>",
    ],
)
@pytest.mark.timeout(30)  # in quadratic time it takes minutes
def test_a_hostile_text_is_read_in_a_moment(text: str) -> None:
    assert calls_in_text(text, {"f"}) == ()


def test_a_tool_that_was_sent_under_another_name_is_found_under_it() -> None:
    name = "读取 文件"
    for text in (
        f'<tool_call>{{"name": "{wire_name(name)}", "arguments": {{"x": 1}}}}</tool_call>',
        f"<function={wire_name(name)}><parameter=x>1</parameter></function>",
        f'functions.{wire_name(name)}[ARGS]{{"x": 1}}',
    ):
        (call,) = calls_in_text(text, {"files__list", name})
        assert call.name == name
