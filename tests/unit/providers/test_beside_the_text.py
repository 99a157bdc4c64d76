"""What stands beside the text of an answer: sources, token counts, reasoning to be sent back; and their limits."""

from typing import Any

import pytest

from desktop.core.language_model import Source, Usage
from desktop.providers.finish_reasons import Finish, finish_of
from desktop.providers.replay_fields import MAX_CHARS, ReplayFields
from desktop.providers.sources import MAX_SOURCES, SourceCollector
from desktop.providers.usage_fields import usage_of, with_later

ONE, TWO = Source(url="https://one.example/", title="One"), Source(url="https://two.example/")


@pytest.mark.parametrize(
    "holder",
    [
        {"citations": ["https://two.example/"], "search_results": [{"url": "https://one.example/", "title": "One"}]},
        {
            "annotations": [
                {"url_citation": {"url": "https://one.example/", "title": "One"}},
                {"url": "https://two.example/"},
            ]
        },
        {
            "web_search": [
                {"link": "https://one.example/", "title": " One\n"},
                {"link": "https://two.example/", "title": 5},
            ]
        },
        {
            "search_info": {
                "search_results": [
                    {"url": "https://one.example/", "site_name": "One"},
                    {"url": " https://two.example/ "},
                ]
            }
        },
        {
            "executed_tools": [
                {"search_results": {"results": [{"url": "https://one.example/", "title": "One"}]}},
                {"search_results": ["https://two.example/"]},
            ]
        },
    ],
)
def test_sources(holder: dict[str, Any]) -> None:
    collector = SourceCollector()
    assert collector.new_in({}, holder, {}) == (ONE, TWO)
    assert collector.new_in(holder) == ()


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        "",
        "no address",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://a b",
        "https://" + "a" * 3000,
        [[[[[[["https://one.example/"]]]]]]],
        {"content": "https://one.example/"},
        {"url": {"url": "https://one.example/"}},
    ],
)
def test_what_is_no_source(value: Any) -> None:
    assert SourceCollector().new_in({"citations": value}) == ()


def test_sources_are_bounded() -> None:
    many = [{"url": f"https://{number}.example/", "title": "t" * 1000} for number in range(2 * MAX_SOURCES)]
    collector = SourceCollector()
    found = [*collector.new_in({"citations": many[:150]}), *collector.new_in({"citations": many[150:]})]
    assert len(found) == MAX_SOURCES
    assert all(len(source.title) == 300 for source in found)


@pytest.mark.parametrize(
    "value", [None, [], "x", {"prompt_tokens": None}, {"prompt_tokens": True}, {"prompt_tokens": "5"}]
)
def test_what_is_no_count(value: Any) -> None:
    assert usage_of(value) == Usage()


def test_later_counts_win_and_empty_ones_do_not() -> None:
    first = Usage(input_tokens=5, output_tokens=1, thinking_tokens=3)
    later = with_later(first, Usage(input_tokens=0, output_tokens=9, cached_input_tokens=0))
    assert later == Usage(input_tokens=5, output_tokens=9, cached_input_tokens=0, thinking_tokens=3)


def replayed(*deltas: dict[str, Any]) -> dict[str, Any]:
    fields = ReplayFields()
    for delta in deltas:
        fields.take(delta)
    return fields.fields()


def test_parts_that_came_whole_are_sent_back_unchanged() -> None:
    details = [
        {"type": "reasoning.text", "text": "a", "signature": None, "id": None, "format": "x"},
        {"type": "reasoning.text", "text": "b", "signature": "s"},
        {"type": "reasoning.encrypted", "data": "xyz", "index": 3},
    ]
    assert replayed({"reasoning_details": details}) == {"reasoning_details": details}


def test_pieces_of_parts_are_joined_by_index_and_type() -> None:
    pieces = [
        {"type": "reasoning.text", "index": 0, "text": "a"},
        {"type": "reasoning.summary", "index": 0, "summary": "so "},
        {"type": "reasoning.text", "index": 1, "text": "x"},
        {"type": "reasoning.text", "index": 0, "text": "b", "signature": None},
        {"type": "reasoning.summary", "index": 0, "summary": "be it"},
        {"type": "reasoning.text", "index": 0, "signature": "s"},
        {"type": "reasoning.encrypted", "index": 2, "data": "d1"},
        {"type": "reasoning.encrypted", "index": 2, "data": "d2"},
        {"type": "reasoning.encrypted", "index": 2, "data": "d2"},
    ]
    assert replayed(*({"reasoning_details": [piece]} for piece in pieces)) == {
        "reasoning_details": [
            {"type": "reasoning.text", "index": 0, "text": "ab", "signature": "s"},
            {"type": "reasoning.summary", "index": 0, "summary": "so be it"},
            {"type": "reasoning.text", "index": 1, "text": "x"},
            {"type": "reasoning.encrypted", "index": 2, "data": "d1"},
            {"type": "reasoning.encrypted", "index": 2, "data": "d2"},
        ]
    }


def test_blocks_without_an_index_end_with_their_signature() -> None:
    pieces = [{"thinking": "a"}, {"thinking": "b"}, {"signature": "s"}, {"thinking": "c"}]
    found = replayed(*({"thinking_blocks": [{"type": "thinking", **piece}]} for piece in pieces))
    assert found == {
        "thinking_blocks": [
            {"type": "thinking", "thinking": "ab", "signature": "s"},
            {"type": "thinking", "thinking": "c"},
        ]
    }


def test_what_cannot_be_kept_whole_is_not_sent_back() -> None:
    assert (
        replayed(*[{"reasoning_details": [{"index": 0, "text": "a" * 1_000_000}]}] * (MAX_CHARS // 1_000_000 + 1)) == {}
    )
    assert replayed({"reasoning_details": [None, 5]}, {"reasoning_details": "x"}, {}) == {}


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        (None, Finish.NONE),
        (5, Finish.NONE),
        ("", Finish.NONE),
        ("NULL", Finish.NONE),
        ("stop", Finish.STOP),
        ("STOP_SEQUENCE", Finish.STOP),
        ("eos", Finish.STOP),
        ("toolCalls", Finish.TOOL_CALLS),
        ("tool-calls", Finish.TOOL_CALLS),
        ("maxTokens", Finish.LENGTH),
        ("ContentFilter", Finish.CONTENT_FILTER),
        ("content_filter: PROHIBITED_CONTENT", Finish.CONTENT_FILTER),
        ("function_call_filter: MALFORMED_FUNCTION_CALL", Finish.FAILED),
        ("abort", Finish.FAILED),
    ],
)
def test_words_for_the_end(word: Any, finish: Finish) -> None:
    assert finish_of(word) is finish
