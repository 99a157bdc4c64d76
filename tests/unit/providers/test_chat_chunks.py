"""From events of the wire to neutral chunks: each shape that endpoints were seen to send."""

import itertools
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.errors import ModelError
from desktop.core.language_model import (
    FinishReason,
    ModelChunk,
    StreamEnd,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    ToolCallDelta,
    Usage,
)
from desktop.providers.chat_chunks import ChatStreamReader
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.event_values import MAX_CHUNKS_OF_EVENT, values_in
from desktop.providers.sse import SseEvent
from desktop.providers.think_tags import ThinkTagSplitter

DONE = SseEvent("[DONE]")


def reader() -> ChatStreamReader:
    return ChatStreamReader(ErrorMapper(url="http://127.0.0.1/v1", model="m"))


def event(value: Any, name: str = "") -> SseEvent:
    return SseEvent(value if isinstance(value, str) else json.dumps(value), name)


def delta(finish: Any = None, **fields: Any) -> SseEvent:
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]})


def read(*events: SseEvent) -> list[ModelChunk]:
    """All chunks of a stream, its end included."""
    one = reader()
    chunks = [chunk for given_event in events for chunk in one.feed(given_event)]
    return [*chunks, *one.flush(), one.end()]


def text_of(chunks: list[ModelChunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))


def thinking_of(chunks: list[ModelChunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, ThinkingDelta))


def calls_of(chunks: list[ModelChunk]) -> list[ToolCallDelta]:
    return [chunk for chunk in chunks if isinstance(chunk, ToolCallDelta)]


def code_of(*events: SseEvent) -> str:
    with pytest.raises(ModelError) as caught:
        read(*events)
    return caught.value.code


def test_text_and_usage_in_an_extra_chunk() -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}})
    chunks = read(delta(role="assistant", content=""), delta(content="Hi"), delta("stop"), usage, DONE)
    assert chunks == [
        TextDelta(text="Hi"),
        StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=3, output_tokens=2)),
    ]


def test_of_several_usages_the_last_wins_and_null_does_not_erase() -> None:
    first = event({"choices": [{"delta": {"content": "a"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}})
    last = event(
        {"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 9}}
    )
    end = read(first, last, event({"choices": [], "usage": None}), DONE)[-1]
    assert end == StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=1, output_tokens=9))


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [None, 3, []]},
        {"choices": [{"index": 0}]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"role": None, "content": None, "tool_calls": None, "function_call": None}}]},
        {"choices": [{"delta": {"content": 5, "tool_calls": "x", "reasoning_content": 7}}]},
        {"choices": [{"index": 1, "delta": {"content": "another choice"}}]},
        {"choices": [{"delta": {"tool_calls": [None, 1, {}]}}]},
        {"choices": [{"finish_reason": ""}]},
        {"choices": [{"finish_reason": "null"}]},
        {"error": None, "choices": []},
        [],
        "text",
        None,
        3,
    ],
)
def test_chunks_without_anything_useful_are_passed_over(chunk: Any) -> None:
    assert text_of(read(event(json.dumps(chunk)), delta("stop", content="ok"), DONE)) == "ok"


def test_content_in_the_same_chunk_as_the_finish_is_kept() -> None:
    assert text_of(read(delta("stop", content="last"), DONE)) == "last"


def test_content_as_parts_is_flattened_and_thinking_kept_apart() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "yes"}, "!"]
    chunks = read(delta("stop", content=parts))
    assert (thinking_of(chunks), text_of(chunks)) == ("hm", "yes!")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_fields(field: str) -> None:
    chunks = read(delta(**{field: "hm", "content": None}), delta("stop", content="yes"))
    assert (thinking_of(chunks), text_of(chunks)) == ("hm", "yes")


def test_the_same_reasoning_in_two_fields_counts_once() -> None:
    details = [{"type": "reasoning.text", "text": "hm"}]
    assert (
        thinking_of(
            read(delta(reasoning="hm", reasoning_content="hm", reasoning_details=details), delta("stop", content="x"))
        )
        == "hm"
    )


def test_reasoning_details_alone() -> None:
    details = [{"type": "reasoning.summary", "summary": "so"}, {"type": "reasoning.encrypted", "data": "x"}]
    assert thinking_of(read(delta(content="", reasoning_details=details), delta("stop", content="x"))) == "so"


def test_a_message_beside_a_delta_is_ignored_and_alone_it_counts() -> None:
    beside = event({"choices": [{"message": {"content": "all"}, "delta": {"content": "a"}, "finish_reason": "stop"}]})
    alone = event({"object": "chat.completion", "choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]})
    assert text_of(read(beside)) == "a"
    assert text_of(read(alone)) == "all"


def test_text_of_old_completion_servers() -> None:
    assert text_of(read(event({"choices": [{"text": "old", "finish_reason": "stop"}]}))) == "old"


def test_a_refusal_is_text_and_a_reason() -> None:
    chunks = read(delta(refusal=""), delta(refusal="No."), delta("stop"), DONE)
    assert text_of(chunks) == "No."
    assert chunks[-1] == StreamEnd(reason=FinishReason.REFUSAL)


def test_pieces_of_a_call() -> None:
    chunks = read(
        delta(tool_calls=[{"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": ""}}]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '{"a":'}}]),
        delta(tool_calls=[{"index": 0, "id": "", "function": {"name": "", "arguments": "1}"}}]),
        delta("tool_calls"),
    )
    assert calls_of(chunks) == [
        ToolCallDelta(index=0, call_id="c1", name="f"),
        ToolCallDelta(index=0, arguments='{"a":'),
        ToolCallDelta(index=0, arguments="1}"),
    ]
    assert chunks[-1] == StreamEnd(reason=FinishReason.TOOL_CALLS)


@pytest.mark.parametrize(
    ("call", "piece"),
    [
        ({"function": {"name": "f", "arguments": {"a": 1}}}, ToolCallDelta(name="f", arguments='{"a": 1}')),
        ({"id": 7, "function": {"name": "f", "arguments": None}}, ToolCallDelta(call_id="7", name="f")),
        ({"index": "1", "function": {"name": "f"}}, ToolCallDelta(index=1, name="f")),
        ({"index": None, "name": "f", "arguments": "{}"}, ToolCallDelta(name="f", arguments="{}")),
        (
            {"index": 0, "function": {"name": "f"}, "extra_content": {"google": {"thought_signature": "s"}}},
            ToolCallDelta(index=0, name="f", extra={"extra_content": {"google": {"thought_signature": "s"}}}),
        ),
        (
            {"index": 0, "function": {"name": "f", "strict": True}},
            ToolCallDelta(index=0, name="f", extra={"function": {"strict": True}}),
        ),
    ],
)
def test_shapes_of_calls(call: dict[str, Any], piece: ToolCallDelta) -> None:
    assert calls_of(read(delta("stop", tool_calls=[call]))) == [piece]


def test_one_call_that_is_no_list_and_a_legacy_function_call() -> None:
    assert calls_of(read(delta("stop", tool_calls={"function": {"name": "f"}}))) == [ToolCallDelta(name="f")]
    legacy = read(delta(function_call={"name": "f", "arguments": "{}"}), delta("function_call"))
    assert calls_of(legacy) == [ToolCallDelta(index=0, name="f", arguments="{}")]
    assert legacy[-1] == StreamEnd(reason=FinishReason.TOOL_CALLS)


CALL = {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]}


@pytest.mark.parametrize(
    ("word", "fields", "reason"),
    [
        ("stop", {"content": "x"}, FinishReason.STOP),
        ("stop", CALL, FinishReason.TOOL_CALLS),
        ("tool_calls", CALL, FinishReason.TOOL_CALLS),
        ("tool_calls", {"content": "x"}, FinishReason.STOP),
        ("end_turn", {"content": "x"}, FinishReason.STOP),
        ("something_new", CALL, FinishReason.TOOL_CALLS),
        ("length", CALL, FinishReason.LENGTH),
        ("MAX_TOKENS", {"content": "x"}, FinishReason.LENGTH),
        ("model_context_window_exceeded", {"content": "x"}, FinishReason.LENGTH),
        ("content-filter", CALL, FinishReason.CONTENT_FILTER),
        ("SAFETY", {}, FinishReason.CONTENT_FILTER),
        ("refusal", {"content": "x"}, FinishReason.REFUSAL),
    ],
)
def test_finish_reasons(word: str, fields: dict[str, Any], reason: FinishReason) -> None:
    assert read(delta(**fields), delta(word), DONE)[-1] == StreamEnd(reason=reason)


def test_of_two_finish_reasons_the_graver_counts() -> None:
    assert read(delta("length", content="x"), delta("stop"), DONE)[-1] == StreamEnd(reason=FinishReason.LENGTH)


@pytest.mark.parametrize("word", ["error", "network_error", "insufficient_system_resource"])
def test_failure_as_a_finish_reason(word: str) -> None:
    assert code_of(delta(content="x"), delta(word), DONE) == "model.server_error"


def test_ends_without_a_finish_reason() -> None:
    assert read(delta(content="x"), DONE)[-1] == StreamEnd(reason=FinishReason.STOP)
    assert read(delta(**CALL), DONE)[-1] == StreamEnd(reason=FinishReason.TOOL_CALLS)
    assert code_of(delta(content="x")) == "model.ended_early"
    assert code_of(delta(**CALL)) == "model.ended_early"
    assert code_of(delta(reasoning="x"), DONE) == "model.ended_early"
    assert code_of(delta(role="assistant"), DONE) == "model.empty"
    assert code_of() == "model.empty"


def test_a_proper_end_without_any_answer_is_empty() -> None:
    assert code_of(delta(role="assistant", content=""), delta("stop"), DONE) == "model.empty"
    assert code_of(delta(content=" \n"), delta("tool_calls"), DONE) == "model.empty"
    assert read(delta(reasoning="only thoughts"), delta("stop"))[-1] == StreamEnd(reason=FinishReason.STOP)


def test_nothing_after_done_counts() -> None:
    assert (
        text_of(read(delta("stop", content="a"), DONE, delta(content="b"), event({"error": {"message": "x"}}))) == "a"
    )


@pytest.mark.parametrize(
    ("bad", "detail"),
    [
        (event({"error": {"message": "boom", "code": 500}}), "boom"),
        (event({"error": "boom"}), "boom"),
        (
            event({"error": {"message": "boom"}, "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
            "boom",
        ),
        (event({"object": "error", "message": "boom", "code": 400}), "boom"),
        (event({"message": "boom", "code": "x"}), "boom"),
        (event({"code": 500, "msg": "boom"}), "boom"),
        (event({"detail": "boom"}), "boom"),
        (event({"message": "boom"}, "error"), "boom"),
        (event("boom", "error"), "boom"),
        (event('{"code": 500, "message": "boom"}', "error"), "boom"),
    ],
)
def test_errors_in_the_stream(bad: SseEvent, detail: str) -> None:
    one = reader()
    assert one.feed(delta(content="kept")) == [TextDelta(text="kept")]
    with pytest.raises(ModelError) as caught:
        one.feed(bad)
    assert caught.value.params["detail"] in (detail, detail + ".")
    assert caught.value.code in ("model.server_error", "model.rejected")


def test_text_beside_an_error_says_nothing_about_its_kind_and_is_kept() -> None:
    choices = [{"delta": {"content": "rate limit, quota exceeded"}, "finish_reason": "error"}]
    one = reader()
    with pytest.raises(ModelError) as caught:
        one.feed(event({"error": {"message": "boom", "code": 500}, "choices": choices}))
    assert caught.value.code == "model.server_error"
    assert one.flush() == [TextDelta(text="rate limit, quota exceeded")]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": 429, "message": "slow down"}, "model.rate_limited"),
        ({"type": "rate_limit_error", "message": "slow down"}, "model.rate_limited"),
        ({"code": "insufficient_quota", "message": "pay"}, "model.no_credit"),
        ({"code": "401", "message": "no"}, "model.unauthorized"),
        ({"message": "This model's maximum context length is 5 tokens"}, "model.context_full"),
    ],
)
def test_kinds_of_errors_in_the_stream(error: dict[str, Any], code: str) -> None:
    assert code_of(event({"error": error})) == code


def test_an_event_cut_in_two_by_a_raw_line_break_is_joined() -> None:
    whole = json.dumps({"choices": [{"delta": {"content": "joined"}}]})
    assert text_of(read(event(whole[:20]), event(whole[20:]), delta("stop"))) == "joined"


def test_one_unreadable_event_is_survived_many_are_not() -> None:
    broken = event('{"choices": [')
    assert text_of(read(broken, delta(content="a"), broken, delta("stop", content="b"))) == "ab"
    assert code_of(*[broken, delta(content="a")] * 4, delta("stop")) == "model.bad_stream"


def test_a_lost_event_makes_calls_unsafe() -> None:
    assert code_of(delta(**CALL), event('{"choices": ['), delta("tool_calls"), DONE) == "model.bad_stream"


def test_events_that_are_no_json_are_ignored() -> None:
    assert text_of(read(event("ping"), event("keep-alive", "ping"), delta("stop", content="x"))) == "x"


def test_absurd_json_is_no_crash() -> None:
    deep = '{"choices":[{"delta":{"content":' + "[" * 900 + "]" * 900 + "}}]}"
    huge = '{"choices":[{"delta":{"tool_calls":[{"index":' + "9" * 5000 + "}]}}]}"
    one = reader()
    for data in (deep, huge, "[" * 100_000, '{"a":' * 100_000):
        with suppress(ModelError):
            one.feed(event(data))


def test_halves_of_an_emoji_in_two_chunks_are_joined_and_a_lone_half_is_replaced() -> None:
    assert (
        text_of(
            read(
                event('{"choices":[{"delta":{"content":"a\\ud83d"}}]}'),
                event('{"choices":[{"delta":{"content":"\\ude00b"}}]}'),
                delta("stop"),
            )
        )
        == "a😀b"
    )
    lone = text_of(read(event('{"choices":[{"delta":{"content":"a\\ude00b"},"finish_reason":"stop"}]}')))
    assert lone == "a\ufffdb"


def split_thinking(pieces: list[str]) -> tuple[str, str]:
    splitter = ThinkTagSplitter()
    chunks = [chunk for piece in pieces for chunk in splitter.feed(piece)] + splitter.finish()
    thinking = "".join(chunk.text for chunk in chunks if isinstance(chunk, ThinkingDelta))
    return thinking, "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<think>a</think>b", ("a", "b")),
        ("\n<think>\na < b\n</think>\n\nb", ("a < b", "b")),
        ("<thinking>a</thinking>b", ("a", "b")),
        ("<think>never closed", ("never closed", "")),
        ("<think></think>b", ("", "b")),
        ("a <think>b</think>", ("", "a <think>b</think>")),
        ("<thin", ("", "<thin")),
        ("<b>bold</b>", ("", "<b>bold</b>")),
        ("<think>a</thin</think>b", ("a</thin", "b")),
        ("\n\nplain", ("", "plain")),
        ("  indented", ("", "indented")),
        ("\n    code", ("", "    code")),
        ("", ("", "")),
    ],
)
def test_think_tags_at_the_beginning_only(content: str, expected: tuple[str, str]) -> None:
    assert split_thinking([content]) == expected
    assert split_thinking(list(content)) == expected


def retold(pieces: list[str], *, has_reasoning: bool = False) -> tuple[str, str]:
    splitter, text, thinking = ThinkTagSplitter(), "", ""
    for chunk in [c for piece in pieces for c in splitter.feed(piece, has_reasoning=has_reasoning)] + splitter.finish():
        if isinstance(chunk, TextWasThinking):
            text, thinking = "", text
        elif isinstance(chunk, TextDelta):
            text += chunk.text
        else:
            thinking += chunk.text
    return thinking, text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a\n</think>\n\nb", ("a\n", "b")),
        ("a</think>b </think> c", ("a", "b </think> c")),
        ("</think>b", ("", "b")),
        ("a < b </thin", ("", "a < b </thin")),
        ("a[/THINK]b", ("a", "b")),
        ("use `</think>` so", ("", "use `</think>` so")),
        ('say "</think>" so', ("", 'say "</think>" so')),
        ("```\n</think>\n```", ("", "```\n</think>\n```")),
        ("a <think>b</think> c", ("", "a <think>b</think> c")),
        ("a</thinking>b", ("", "a</thinking>b")),
    ],
)
def test_a_closing_tag_alone_tells_that_what_was_before_it_is_reasoning(
    content: str, expected: tuple[str, str]
) -> None:
    assert retold([content]) == expected
    assert retold(list(content)) == expected


def test_after_reasoning_in_a_field_a_closing_tag_alone_is_text_or_nothing() -> None:
    assert retold(["a</think>b"], has_reasoning=True) == ("", "a</think>b")
    assert retold(["\n</think>\n\nb"], has_reasoning=True) == ("", "b")


@given(
    content=st.lists(st.sampled_from(["<think>", "</think>", "<", "think", ">", "/", "a", " ", "\n"]), max_size=12).map(
        "".join
    ),
    cuts=st.lists(st.integers(0, 60), max_size=6),
)
def test_think_tags_do_not_depend_on_the_pieces(content: str, cuts: list[int]) -> None:
    places = sorted({0, len(content), *(cut for cut in cuts if cut <= len(content))})
    pieces = [content[a:b] for a, b in itertools.pairwise(places)]
    assert retold(pieces) == retold([content])


@pytest.mark.parametrize(("kind", "reason"), [("length", FinishReason.LENGTH), ("stop", FinishReason.STOP)])
def test_a_finish_reason_that_is_an_object(kind: str, reason: FinishReason) -> None:
    end = read(delta(content="hi"), delta({"type": kind, "matched": 1}), DONE)[-1]
    assert isinstance(end, StreamEnd)
    assert end.reason is reason


@pytest.mark.parametrize("words", ["[ERROR] upstream timeout", "Error: upstream timeout", " error : upstream timeout"])
def test_an_error_in_plain_words_is_no_proper_end(words: str) -> None:
    one = reader()
    one.feed(delta(content="half"))
    with pytest.raises(ModelError) as caught:
        one.feed(event(words))
    assert "upstream timeout" in str(caught.value.params["detail"])


def test_calls_in_a_list_with_gaps() -> None:
    call = {"id": "a", "function": {"name": "f", "arguments": "{}"}}
    assert [c.name for c in calls_of(read(delta("tool_calls", tool_calls={"1": call}), DONE))] == ["f"]


def test_more_chunks_in_one_event_than_can_be_read_at_once() -> None:
    many = json.dumps({"choices": []}) * (MAX_CHUNKS_OF_EVENT + 1)
    with pytest.raises(ModelError) as caught:
        reader().feed(event(many))
    assert caught.value.code == "model.bad_stream"


@pytest.mark.parametrize("rest", [" world", "\n\n| b |", "    code"])
def test_blanks_at_the_beginning_belong_to_a_text_that_goes_on(rest: str) -> None:
    one = ChatStreamReader(ErrorMapper(url="http://127.0.0.1/v1", model="m"), goes_on=True)
    pieces = [chunk for character in rest for chunk in one.feed(delta(content=character))]
    assert text_of([*pieces, *one.flush()]) == rest


@pytest.mark.parametrize("wrapper", ["provider", "data", "response"])
@pytest.mark.parametrize("outer", [{}, {"choices": None}, {"id": "1", "object": "chat.completion"}])
def test_a_completion_inside_another_object_is_read(wrapper: str, outer: dict[str, Any]) -> None:
    message = {"role": "assistant", "content": "Hello"}
    inner = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7}}
    chunks = read(event({**outer, wrapper: inner}))
    assert text_of(chunks) == "Hello"
    assert chunks[-1] == StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=7))


def test_a_chunk_without_choices_among_others_is_no_failure() -> None:
    chunks = read(delta(content="Hello"), event({"choices": None, "usage": {"prompt_tokens": 7}}), delta("stop"))
    assert text_of(chunks) == "Hello"


STRINGS = st.text(st.sampled_from('a"\\/\n\x01u0é你\U0001f600'), max_size=80)


@given(
    st.recursive(STRINGS | st.none() | st.integers() | st.floats(allow_nan=False), st.lists), st.booleans(), st.data()
)
def test_the_patient_decoder_reads_what_the_usual_one_reads(value: object, is_ascii: bool, data: st.DataObject) -> None:
    text = json.dumps({"v": value}, ensure_ascii=is_ascii)
    text = text[: data.draw(st.integers(0, len(text)) | st.just(len(text)))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("desktop.providers.event_values._SLICES", (12, 20))
        assert values_in(text, patiently=True) == values_in(text)
