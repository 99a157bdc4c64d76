"""Whatever a history holds, strict endpoints accept what is made of it, and it keeps what was said."""

import dataclasses
import json
from random import Random
from typing import Any

import pytest

from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    RequestMessage,
    RequestToolCall,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import traits_of
from desktop.providers.history import (
    BEGINNING_NOTE,
    CONTINUE_NOTE,
    EMPTY_NOTE,
    NO_OUTPUT,
    NO_RESULT,
    STOPPED_NOTE,
    in_order,
    one_call_at_a_time,
    paired,
    told,
    with_call_ids,
)
from desktop.providers.refusals import Without
from tests.support.hostile_requests import ARGUMENTS, IDS, NAMES, TEXTS
from tests.support.strict_messages import problem_of, signature_of

MODELS = (
    "llama-3-8b",
    "gpt-5.5",
    "claude-opus-5",
    "gemini-3-pro",
    "gemini-2.0-flash",
    "mistral-large-latest",
    "deepseek-v4-pro",
    "deepseek-r1",
    "kimi-k2-thinking",
    "some-model",
)
TOOL = ToolSpec(name="f", description="does it", parameters={})


def call(call_id: str, name: str = "f", arguments: str = "{}") -> RequestToolCall:
    return RequestToolCall(call_id=call_id, name=name, arguments=arguments)


def answer(*calls: RequestToolCall, text: str = "", model: str = "") -> AssistantMessage:
    return AssistantMessage(text=text, tool_calls=calls, model=model)


def result(call_id: str, text: str = "done") -> ToolMessage:
    return ToolMessage(call_id=call_id, name="f", text=text)


def shape(messages: list[RequestMessage]) -> list[str]:
    """Each message as a letter, with what it says."""
    letters = {SystemMessage: "s", UserMessage: "u", AssistantMessage: "a", ToolMessage: "t"}
    return [f"{letters[type(message)]} {message.text}".strip() for message in messages]


USER = UserMessage(text="hi")


# -- calls and results ------------------------------------------------------------------------------------------


def test_a_call_without_a_result_gets_one() -> None:
    assert shape(paired([USER, answer(call("1"), call("2")), result("2")])) == ["u hi", "a", f"t {NO_RESULT}", "t done"]


def test_results_without_a_call_and_second_ones_are_left_out() -> None:
    history = [result("1"), USER, answer(call("1")), result("1", "first"), result("1", "second"), result("9")]
    assert shape(paired(history)) == ["u hi", "a", "t first"]


def test_a_late_result_goes_to_its_call() -> None:
    assert shape(paired([answer(call("1")), USER, result("1")])) == ["a", "t done", "u hi"]


def test_results_follow_the_order_of_the_calls() -> None:
    assert shape(paired([answer(call("1"), call("2")), result("2", "two"), result("1", "one")])) == [
        "a",
        "t one",
        "t two",
    ]


def test_an_id_that_was_used_before_belongs_to_the_latest_answer() -> None:
    history = [answer(call("0")), answer(call("0")), result("0", "of the second")]
    assert shape(paired(history)) == ["a", f"t {NO_RESULT}", "a", "t of the second"]


def test_two_calls_with_one_id_get_their_results_in_turn() -> None:
    history = [answer(call("0"), call("0")), result("0", "one"), result("0", "two")]
    assert shape(paired(history)) == ["a", "t one", "t two"]


def test_an_empty_result_says_so() -> None:
    assert shape(paired([answer(call("1")), result("1", " \n")])) == ["a", f"t {NO_OUTPUT}"]


# -- the order of roles ---------------------------------------------------------------------------


def test_one_system_message_stands_first() -> None:
    history = [USER, SystemMessage(text="1"), SystemMessage(text=" "), SystemMessage(text="2")]
    assert shape(in_order(history)) == ["s 1\n\n2", "u hi"]


def test_user_messages_that_follow_each_other_are_one() -> None:
    picture = Image(name="a.png", media_type="image/png", data=b"x")
    merged = in_order([USER, UserMessage(text=" ", images=(picture,)), UserMessage(text="more", images=(picture,))])
    assert merged == [UserMessage(text="hi\n\nmore", images=(picture, picture))]


def test_an_answer_that_stopped_after_a_tool_is_closed_before_the_next_question() -> None:
    history = paired([USER, answer(call("1")), UserMessage(text="next")])
    assert shape(in_order(history)) == ["u hi", "a", f"t {NO_RESULT}", f"a {STOPPED_NOTE}", "u next"]


def test_an_answer_that_stopped_before_its_first_word_leaves_joined_questions() -> None:
    assert shape(in_order([USER, answer(), answer(text=" "), UserMessage(text="next")])) == ["u hi\n\nnext"]


def test_answers_that_follow_each_other_are_one() -> None:
    history = [USER, answer(text="one"), answer(call("1"), text="two"), result("1"), answer(text="three"), USER]
    assert shape(in_order(history)) == ["u hi", "a one\n\ntwo", "t done", "a three", "u hi"]


def test_a_history_without_its_beginning_or_its_end_is_completed() -> None:
    assert shape(in_order([answer(text="so")])) == [f"u {BEGINNING_NOTE}", "a so", f"u {CONTINUE_NOTE}"]
    assert shape(in_order([])) == [f"u {EMPTY_NOTE}"]
    assert shape(in_order([SystemMessage(text="x"), UserMessage(text=" ")])) == ["s x", f"u {EMPTY_NOTE}"]


# -- ids ---------------------------------------------------------------------------------------------------


def ids(messages: list[RequestMessage]) -> list[str]:
    found: list[str] = []
    for message in messages:
        if isinstance(message, AssistantMessage):
            found += [made.call_id for made in message.tool_calls]
        elif isinstance(message, ToolMessage):
            assert message.call_id in found
    return found


def history_of(*call_ids: str, model: str = "") -> list[RequestMessage]:
    return paired([USER, *(answer(call(call_id), model=model) for call_id in call_ids)])


def test_ids_of_the_same_model_stay_where_they_are_plain_and_unique() -> None:
    assert ids(with_call_ids(history_of("call_1", "toolu_2", model="m"), "m")) == ["call_1", "toolu_2"]
    assert ids(with_call_ids(history_of("functions.f:0", model="m"), "m", long=True)) == ["functions.f:0"]


@pytest.mark.parametrize("given", ["functions.f:0", "", "编号", "x" * 41, "a b"])
def test_odd_ids_become_nine_letters_and_digits(given: str) -> None:
    (new,) = ids(with_call_ids(history_of(given), "m"))
    assert new.isascii()
    assert new.isalnum()
    assert len(new) == 9


def test_ids_that_come_again_become_different_ones() -> None:
    new = ids(with_call_ids(history_of("0", "0", "0"), "m"))
    assert new[0] == "0"
    assert len(set(new)) == 3


def test_another_model_gets_the_form_that_everyone_takes() -> None:
    assert all(len(new) == 9 for new in ids(with_call_ids(history_of("call_1", "call_2", model="a"), "b")))
    assert ids(with_call_ids(history_of("abcDEF123", model="a"), "b")) == ["abcDEF123"]
    assert ids(with_call_ids(history_of("abcDEF123", "call_1", model="m"), "m", short=True))[0] == "abcDEF123"


def test_new_ids_stay_when_the_history_grows() -> None:
    short = ids(with_call_ids(history_of("0", "x y", "0", model="a"), "m"))
    longer = ids(with_call_ids(history_of("0", "x y", "0", "0", "z", model="a"), "m"))
    assert longer[:3] == short


# -- for endpoints that take less -------------------------------------------------------------------------------------


def test_calls_are_told_in_the_answer() -> None:
    history = paired([USER, answer(call("1"), call("2"), text="so"), result("1")])
    assert shape(told(history)) == [
        "u hi",
        f"a so\n\n[Used the tool f with {{}}. Result: done]\n\n[Used the tool f with {{}}. Result: {NO_RESULT}]",
    ]


def test_calls_one_at_a_time_keep_text_and_fields_at_the_first() -> None:
    first = dataclasses.replace(answer(call("1"), call("2"), text="so"), thinking="hm", replay={"a": 1})
    assert one_call_at_a_time(paired([first])) == [
        dataclasses.replace(first, tool_calls=(call("1"),)),
        ToolMessage(call_id="1", name="f", text=NO_RESULT),
        answer(call("2")),
        ToolMessage(call_id="2", name="f", text=NO_RESULT),
    ]


# -- arguments --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        *(
            (broken, "{}")
            for broken in ('{"a":', "", "[1]", "null", '"text"', '{"a": NaN}', '{"a":' * 100 + "1" + "}" * 100)
        ),
        ('{"a": 1}', '{"a": 1}'),
        ('{"b":2,  "a": 1}', '{"b":2,  "a": 1}'),
        ('"{\\"a\\": 1}"', '{"a": 1}'),
        ('{"a": "\\n"}', '{"a": "\\n"}'),
        ('{"路": "径"}', '{"路": "径"}'),
        ('{"a": "\\ud83d\\ude00"}', '{"a": "\\ud83d\\ude00"}'),
        ('{"a": "x\\ud83d"}', '{"a": "x\ufffd"}'),
        ('{"a": "x\\u0000"}', '{"a": "x␀"}'),
    ],
)
def test_arguments_are_a_json_object_and_stay_as_they_were_where_they_can(stored: str, sent: str) -> None:
    history = (USER, answer(call("1", arguments=stored)))
    body = build_request(ModelRequest(messages=history, tools=(TOOL,)), "m").body
    assert body["messages"][1]["tool_calls"][0]["function"]["arguments"] == sent
    assert problem_of(body) is None


# -- anything ---------------------------------------------------------------------------------------------------------


def random_history(random: Random) -> list[RequestMessage]:
    def text() -> str:
        return random.choice(TEXTS)

    def some_call() -> RequestToolCall:
        extra: dict[str, Any] = random.choice(
            ({}, {"extra_content": {"google": {"thought_signature": signature_of("x")}}})
        )
        return RequestToolCall(
            call_id=random.choice(IDS), name=random.choice(NAMES), arguments=random.choice(ARGUMENTS), extra=extra
        )

    def message() -> RequestMessage:
        picture = Image(
            name=text(), media_type=random.choice(("image/png", "image/jpeg", "image/bmp")), data=b"picture"
        )
        replay = {"reasoning_details": [{"signature": signature_of("x"), "text": text()}]}
        return random.choice(
            (
                lambda: SystemMessage(text=text()),
                lambda: UserMessage(text=text(), images=random.choice(((), (picture,)))),
                lambda: AssistantMessage(text=text(), thinking=text(), model="x", replay=random.choice(({}, replay))),
                lambda: AssistantMessage(
                    text=text(),
                    thinking=text(),
                    model="x",
                    tool_calls=tuple(some_call() for _ in range(random.randint(1, 4))),
                ),
                lambda: ToolMessage(call_id=random.choice(IDS), name=random.choice(NAMES), text=text()),
            )
        )()

    return [message() for _ in range(random.randint(0, 12))]


@pytest.mark.parametrize("model", MODELS)
def test_any_history_is_accepted(model: str, long_run: bool) -> None:
    for seed in range(250 if long_run else 50):
        random = Random(seed)
        tools = (ToolSpec(name="f", description="does it", parameters={}),) if random.random() < 0.7 else ()
        without = frozenset(name for name in Without if random.random() < 0.15 and name is not Without.HIDDEN_REASONING)
        without -= {Without.NULL_CONTENT, Without.EMPTY_CONTENT}  # "" is what this endpoint refuses
        if Without.SENT_REASONING in without and model in ("gemini-3-pro", "deepseek-v4-pro", "kimi-k2-thinking"):
            without -= {Without.SENT_REASONING}  # these demand it
        request = ModelRequest(messages=tuple(random_history(random)), tools=tools)
        base_url = "https://api.openai.com/v1" if model.startswith("gpt") else "http://127.0.0.1:8080/v1"
        body = build_request(request, model, traits_of(base_url, model), without).body
        assert problem_of(json.loads(json.dumps(body, allow_nan=False))) is None, f"seed {seed}"
        said = [m.text for m in request.messages if isinstance(m, UserMessage) and m.text == "hello"]
        assert json.dumps(body["messages"]).count("hello") >= len(said)
