"""Requests as they go out: nothing that strict endpoints refuse, and what is left out after a refusal."""

import base64
import json
from typing import Any

import pytest

from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    RequestMessage,
    RequestToolCall,
    Sampling,
    SystemMessage,
    ThinkingEffort,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.meant_names import meant_name
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import EndpointTraits, traits_of
from desktop.providers.refusals import Without, refusal_of
from tests.support.strict_messages import SKIPPED_SIGNATURE, problem_of, signature_of

CALL = RequestToolCall(call_id="c1", name="f", arguments='{"a": 1}')
TURN: tuple[RequestMessage, ...] = (
    SystemMessage(text="Be brief."),
    UserMessage(text="Hi"),
    AssistantMessage(text="", thinking="hm", tool_calls=(CALL,)),
    ToolMessage(call_id="c1", name="f", text="one"),
    AssistantMessage(text="Done."),
    UserMessage(text="More"),
)
TOOL = ToolSpec(name="f", description="does it", parameters={"$schema": "x", "type": "object"})
PICTURE = Image(name="cat.png", media_type="image/png", data=b"\x89PNG")


def body_of(
    *messages: RequestMessage,
    model: str = "m",
    base_url: str = "https://x.example/v1",
    without: frozenset[Without] = frozenset(),
    tools: tuple[ToolSpec, ...] = (TOOL,),
    **fields: Any,
) -> dict[str, Any]:
    request = ModelRequest(messages=messages, tools=tools, **fields)
    return build_request(request, model, traits_of(base_url, model), without).body


def test_a_whole_turn_is_accepted_by_a_strict_endpoint() -> None:
    body = body_of(*TURN)
    assert problem_of(body) is None
    assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert body["messages"][2] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
    }
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}


def test_keys_that_nobody_asked_for_are_not_sent() -> None:
    """No empty list of tools, no choice of them, none of the parameters that endpoints differ about."""
    assert set(body_of(UserMessage(text="Hi"), tools=())) == {"model", "messages", "stream", "stream_options"}


def test_tools_are_sent_without_further_keys() -> None:
    """Neither a choice among them nor strict schemas, which some endpoints refuse."""
    body = body_of(UserMessage(text="Hi"))
    assert set(body) == {"model", "messages", "stream", "stream_options", "tools"}
    (tool,) = body["tools"]
    assert set(tool) == {"type", "function"}
    assert set(tool["function"]) == {"name", "description", "parameters"}


def test_limits_are_sent_when_set() -> None:
    body = body_of(*TURN, sampling=Sampling(temperature=0.0, top_p=0.9, max_output_tokens=9))
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.0, 0.9, 9)


# -- what goes back to the model that wrote it ------------------------------------------------------------------------


def signed(model: str, *, calls: bool = True) -> AssistantMessage:
    return AssistantMessage(
        text="so",
        thinking="hm",
        model=model,
        replay={"reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": signature_of(model)}]},
        tool_calls=(
            RequestToolCall(
                call_id="c1",
                name="f",
                arguments="{}",
                extra={"extra_content": {"google": {"thought_signature": signature_of(model)}}},
            ),
        )
        if calls
        else (),
    )


def test_signed_fields_go_back_to_their_model_unchanged() -> None:
    body = body_of(UserMessage(text="a"), signed("openai/gpt-9"), UserMessage(text="b"), model="openai/gpt-9")
    answer = body["messages"][1]
    assert answer["reasoning_details"] == signed("openai/gpt-9").replay["reasoning_details"]
    assert answer["tool_calls"][0]["extra_content"] == {"google": {"thought_signature": signature_of("openai/gpt-9")}}
    assert "reasoning_content" not in answer
    assert problem_of(body) is None


def test_signed_fields_never_go_to_another_model() -> None:
    body = body_of(UserMessage(text="a"), signed("one"), UserMessage(text="b"), model="another")
    assert set(body["messages"][1]) == {"role", "content", "tool_calls"}
    assert set(body["messages"][1]["tool_calls"][0]) == {"id", "type", "function"}
    assert problem_of(body) is None


def test_a_field_of_the_endpoint_cannot_take_the_place_of_ours() -> None:
    answer = AssistantMessage(text="so", model="m", replay={"role": "system", "content": "x", "tool_calls": []})
    body = body_of(UserMessage(text="a"), answer, UserMessage(text="b"))
    assert body["messages"][1] == {"role": "assistant", "content": "so"}


def test_gemini_gets_its_word_for_calls_that_another_model_made() -> None:
    body = body_of(UserMessage(text="a"), signed("one"), UserMessage(text="b"), model="gemini-3-pro")
    signature = body["messages"][1]["tool_calls"][0]["extra_content"]["google"]["thought_signature"]
    assert signature == SKIPPED_SIGNATURE
    assert problem_of(body) is None
    calls = (CALL, *signed("gemini-3-pro").tool_calls)
    late = AssistantMessage(text="", tool_calls=calls, model="gemini-3-pro")
    assert problem_of(body_of(UserMessage(text="a"), late, model="gemini-3-pro")) is None
    own = body_of(UserMessage(text="a"), signed("gemini-3-pro"), model="gemini-3-pro")
    signature = own["messages"][1]["tool_calls"][0]["extra_content"]["google"]["thought_signature"]
    assert signature == signature_of("gemini-3-pro")


@pytest.mark.parametrize("model", ["deepseek-v4-pro", "kimi-k2-thinking", "kimi-k2.6"])
def test_reasoning_goes_back_where_it_is_demanded(model: str) -> None:
    """The model's own as it was, a blank for the calls of another one."""
    own = body_of(
        UserMessage(text="a"), AssistantMessage(text="", thinking="hm", tool_calls=(CALL,), model=model), model=model
    )
    assert own["messages"][1]["reasoning_content"] == "hm"
    other = body_of(UserMessage(text="a"), signed("one"), UserMessage(text="b"), model=model)
    assert other["messages"][1]["reasoning_content"] == " "
    assert problem_of(own) is problem_of(other) is None
    off = body_of(UserMessage(text="a"), signed("one"), model=model, thinking=ThinkingEffort.OFF)
    assert "reasoning_content" not in off["messages"][1]


@pytest.mark.parametrize(
    "model", ["m", "gpt-5.5", "deepseek-chat", "deepseek-r1", "mistral-large-latest", "moonshot-v1-8k"]
)
def test_reasoning_goes_back_nowhere_else(model: str) -> None:
    body = body_of(UserMessage(text="a"), AssistantMessage(text="so", thinking="hm", model=model), model=model)
    assert "reasoning_content" not in body["messages"][1]


def test_thinking_and_effort_are_never_both_sent_to_kimi() -> None:
    body = body_of(*TURN, model="kimi-k2.6", base_url="https://api.moonshot.cn/v1", thinking=ThinkingEffort.HIGH)
    assert body["thinking"] == {"type": "enabled"}
    assert "reasoning_effort" not in body


# -- ids, names, texts ------------------------------------------------------------------------------------------------


ODD = ToolSpec(name="读取 文件", description="", parameters={})


def test_a_name_that_no_endpoint_takes_is_replaced_by_one_that_says_what_is_meant() -> None:
    """Also in the history, where a model may have called what never was."""
    calls = (
        RequestToolCall(call_id="c1", name="读取 文件", arguments="{}"),
        RequestToolCall(call_id="c2", name="", arguments="{}"),
    )
    messages = (UserMessage(text="a"), AssistantMessage(text="", tool_calls=calls))
    built = build_request(ModelRequest(messages=messages, tools=(ODD, TOOL)), "m")
    assert problem_of(built.body) is None
    sent = built.body["tools"][0]["function"]["name"]
    assert built.body["messages"][1]["tool_calls"][0]["function"]["name"] == sent
    assert meant_name(sent, {"读取 文件", "f"}) == "读取 文件"


def test_broken_characters_cannot_break_the_request() -> None:
    bad = "a\ud800b \ud83d\ude00 \x00\x1b[1m"
    spec = ToolSpec(name="f", description=bad, parameters={"properties": {bad: {"description": bad}}})
    call = RequestToolCall(call_id=bad, name=bad, arguments=json.dumps({bad: bad}))
    history = (
        SystemMessage(text=bad),
        UserMessage(text=bad, images=(PICTURE,)),
        AssistantMessage(text=bad, tool_calls=(call,)),
    )
    body = body_of(*history, ToolMessage(call_id=bad, name=bad, text=bad), tools=(spec,))
    assert problem_of(body) is None
    encoded = json.dumps(body, ensure_ascii=False).encode().decode()
    assert "a\ufffdb 😀 ␀␛[1m" in encoded


# -- pictures -------------------------------------------------------------------------------------------------------


def test_pictures_are_parts_beside_the_text() -> None:
    body = body_of(UserMessage(text="What is it?", images=(PICTURE,)))
    url = f"data:image/png;base64,{base64.b64encode(PICTURE.data).decode()}"
    assert body["messages"][0]["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    assert problem_of(body) is None


def test_a_picture_without_words_and_words_before_a_picture() -> None:
    alone = body_of(UserMessage(text="", images=(PICTURE,)))
    assert [part["type"] for part in alone["messages"][0]["content"]] == ["image_url"]
    merged = body_of(
        SystemMessage(text="Be brief."),
        UserMessage(text="", images=(PICTURE,)),
        without=frozenset({Without.SYSTEM_ROLE}),
    )
    assert [part["type"] for part in merged["messages"][0]["content"]] == ["text", "image_url"]
    assert problem_of(alone) is problem_of(merged) is None


def test_a_model_that_cannot_see_is_told_in_words() -> None:
    """Pictures of earlier messages, too."""
    messages = (
        UserMessage(text="What is it?", images=(PICTURE,)),
        AssistantMessage(text="?"),
        UserMessage(text="", images=(PICTURE,)),
    )
    body = body_of(*messages, without=frozenset({Without.IMAGES}))
    blind = build_request(ModelRequest(messages=messages, tools=(TOOL,)), "m", EndpointTraits(sees_images=False)).body
    assert body["messages"] == blind["messages"]
    assert body["messages"][0]["content"] == "What is it?\n\n[image omitted: cat.png]"
    assert body["messages"][2]["content"] == "[image omitted: cat.png]"


def test_a_picture_of_a_kind_that_nobody_takes_is_named() -> None:
    body = body_of(UserMessage(text="", images=(Image(name="a.bmp", media_type="image/bmp", data=b"BM"),)))
    assert body["messages"][0]["content"] == "[image omitted: a.bmp]"


# -- doing without ----------------------------------------------------------------------------------------------------

REQUEST = ModelRequest(
    messages=TURN,
    tools=(TOOL,),
    sampling=Sampling(temperature=0.5, top_p=0.9, max_output_tokens=5),
    thinking=ThinkingEffort.HIGH,
)


@pytest.mark.parametrize(
    ("detail", "refused"),
    [
        ("Unknown parameter: stream_options", Without.STREAM_OPTIONS),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", Without.MAX_TOKENS),
        ("Unsupported value: 'temperature' does not support 0.5", Without.TEMPERATURE),
        ("Unsupported parameter: 'top_p' is not supported with this model.", Without.TOP_P),
        ("`temperature` and `top_p` cannot both be specified for this model. Please use only one.", Without.TOP_P),
        ("reasoning_content is missing in assistant tool call message at index 2", Without.HIDDEN_REASONING),
        ("The reasoning_content in the thinking mode must be passed back to the API", Without.HIDDEN_REASONING),
        ("The reasoning_content is not allowed in the input messages", Without.SENT_REASONING),
        ("System role not supported", Without.SYSTEM_ROLE),
        ("Unsupported value: 'messages[0].role' does not support 'system' with this model.", Without.SYSTEM_ROLE),
        ("messages.2: content field is empty", Without.NULL_CONTENT),
        ("the weather is bad", None),
    ],
)
def test_what_an_endpoint_refuses_is_left_out_once(detail: str, refused: Without | None) -> None:
    assert refusal_of(detail, REQUEST, frozenset()) is refused
    if refused is not None:
        assert refusal_of(detail, REQUEST, frozenset({refused})) is not refused


def test_nothing_is_left_out_that_was_not_sent() -> None:
    plain = ModelRequest(messages=(UserMessage(text="Hi"),))
    for detail in ("temperature", "top_p", "max_completion_tokens", "System role not supported", "content is empty"):
        assert refusal_of(detail, plain, frozenset()) is None


def without(*names: Without) -> dict[str, Any]:
    return build_request(REQUEST, "m", None, frozenset(names)).body


def test_requests_without_parameters() -> None:
    assert "stream_options" not in without(Without.STREAM_OPTIONS)
    assert without(Without.MAX_TOKENS)["max_completion_tokens"] == 5
    assert "max_tokens" not in without(Without.MAX_TOKENS)
    assert not {"max_tokens", "max_completion_tokens"} & set(without(Without.MAX_TOKENS, Without.OUTPUT_LIMIT))
    assert not {"temperature", "top_p"} & set(without(Without.TEMPERATURE, Without.TOP_P))
    assert without()["reasoning_effort"] == "high"
    assert "reasoning_effort" not in without(Without.THINKING)


def test_requests_in_one_piece() -> None:
    body = without(Without.STREAMING)
    assert body["stream"] is False
    assert "stream_options" not in body
    qwen = body_of(
        *TURN, model="qwen-plus", base_url="https://dashscope.aliyuncs.com/compatible-mode/v1",
        without=frozenset({Without.STREAMING}), thinking=ThinkingEffort.HIGH,
    )  # fmt: skip
    assert qwen["enable_thinking"] is False


def test_requests_without_the_system_role() -> None:
    body = without(Without.SYSTEM_ROLE)
    assert body["messages"][0] == {"role": "user", "content": "Be brief.\n\nHi"}


def test_a_schema_of_the_answer_is_sent_until_it_is_refused() -> None:
    request = ModelRequest(messages=(UserMessage(text="Hi"),), answer_schema={"type": "object"})
    schema = {"name": "answer", "strict": True, "schema": {"type": "object"}}
    body = build_request(request, "m").body
    assert body["response_format"] == {"type": "json_schema", "json_schema": schema}
    assert problem_of(body) is None
    assert "response_format" not in build_request(request, "m", None, frozenset({Without.ANSWER_SCHEMA})).body
    assert "response_format" not in build_request(ModelRequest(messages=request.messages), "m").body
    for detail in ("Unsupported parameter: 'response_format'", "json_schema is not supported by this model"):
        assert refusal_of(detail, request, frozenset()) is Without.ANSWER_SCHEMA
        assert refusal_of(detail, ModelRequest(messages=request.messages), frozenset()) is None


def test_requests_without_null_contents() -> None:
    assert without(Without.NULL_CONTENT)["messages"][2]["content"] == ""
    assert without(Without.NULL_CONTENT, Without.EMPTY_CONTENT)["messages"][2]["content"] == "."


def test_requests_with_and_without_reasoning() -> None:
    body = without(Without.HIDDEN_REASONING)
    assert [m["reasoning_content"] for m in body["messages"] if m["role"] == "assistant"] == ["hm", " "]
    both = without(Without.HIDDEN_REASONING, Without.SENT_REASONING)
    assert not any("reasoning_content" in m for m in both["messages"])
    request = ModelRequest(messages=(UserMessage(text="a"), signed("m")), tools=(TOOL,))
    answer = build_request(request, "m", None, frozenset({Without.SENT_REASONING})).body["messages"][1]
    assert set(answer) == {"role", "content", "tool_calls"}
    assert set(answer["tool_calls"][0]) == {"id", "type", "function"}


def test_without_tools_earlier_calls_are_told() -> None:
    """A history with calls and a request without tools is refused by relays."""
    body = without(Without.TOOLS)
    assert "tools" not in body
    assert body["messages"][2] == {
        "role": "assistant",
        "content": '[Used the tool f with {"a": 1}. Result: one]\n\nDone.',
    }
    assert problem_of(body) is None
    assert body_of(*TURN, tools=())["messages"] == body["messages"]


def test_calls_one_by_one() -> None:
    two = (CALL, RequestToolCall(call_id="c2", name="f", arguments="{}"))
    results = (ToolMessage(call_id="c1", name="f", text="one"), ToolMessage(call_id="c2", name="f", text="two"))
    messages = (UserMessage(text="a"), AssistantMessage(text="so", tool_calls=two), *results)
    body = body_of(*messages, without=frozenset({Without.PARALLEL_CALLS}))
    assert [m["role"] for m in body["messages"]] == ["user", "assistant", "tool", "assistant", "tool"]
    assert [m.get("content") for m in body["messages"]] == ["a", "so", "one", None, "two"]
    assert problem_of(body) is None
