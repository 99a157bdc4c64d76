"""The SSE parser: every framing that endpoints were seen to use, and independence of how the bytes are cut."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.providers.sse import OVERSIZED, SseEvent, SseParser


def parse(data: bytes, *, max_line_bytes: int = 1 << 20) -> list[SseEvent]:
    parser = SseParser(max_line_bytes=max_line_bytes)
    return parser.feed(data) + parser.finish()


def datas(data: bytes) -> list[str]:
    return [event.data for event in parse(data)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_each_line_end_separates_events(end: bytes) -> None:
    assert datas(b"data: 1" + end + end + b"data: 2" + end + end) == ["1", "2"]


def test_a_bom_before_the_first_event_is_dropped() -> None:
    assert datas(b"\xef\xbb\xbfdata: {}\n\n") == ["{}"]


def test_the_last_event_needs_no_blank_line_and_no_line_end() -> None:
    assert datas(b"data: 1\n\ndata: 2") == ["1", "2"]


def test_events_without_blank_lines_between_them_are_told_apart() -> None:
    assert datas(b'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n') == ['{"a":1}', '{"b":2}', "[DONE]"]


def test_json_over_several_data_lines_stays_one_event() -> None:
    (data,) = datas(b'data: {"a": [\ndata: {"b": 1}\ndata: ]\ndata: }\n\n')
    assert json.loads(data) == {"a": [{"b": 1}]}


def test_done_is_reported_before_its_blank_line() -> None:
    assert SseParser().feed(b"data: [DONE]\n") == [SseEvent("[DONE]")]


def test_done_without_a_field_is_reported() -> None:
    assert datas(b"data: {}\n[DONE]\n") == ["{}", "[DONE]"]


def test_comments_ids_retries_and_empty_events_yield_nothing() -> None:
    assert parse(b": ping\n\nid: 7\n\nretry: 10\n\ndata:\n\ndata: \n\nevent: ping\n\n:\n") == []


def test_a_missing_space_after_the_colon_is_accepted_and_only_one_is_removed() -> None:
    assert datas(b"data:{}\n\ndata:  x\n\n") == ["{}", " x"]


def test_event_names_belong_to_their_event_only() -> None:
    assert parse(b"event: error\ndata: {}\n\ndata: 1\n\n") == [SseEvent("{}", "error"), SseEvent("1")]


def test_an_event_name_after_the_data_counts() -> None:
    assert parse(b"data: {}\nevent: error\n\n") == [SseEvent("{}", "error")]


def test_without_blank_lines_a_name_belongs_to_the_data_after_it() -> None:
    assert parse(b'data: {"a":1}\nevent: error\ndata: {"b":2}\n') == [SseEvent('{"a":1}'), SseEvent('{"b":2}', "error")]


def test_an_error_line_is_an_error_event() -> None:
    assert parse(b'data: {}\n\nerror: {"code":500}\n') == [SseEvent("{}"), SseEvent('{"code":500}', "error")]


def test_json_objects_on_lines_of_their_own_are_events() -> None:
    assert datas(b'{"a":1}\n{"b":2}\n') == ['{"a":1}', '{"b":2}']


def test_a_json_document_over_several_lines_is_no_event() -> None:
    assert datas(b'{\n  "error": {\n    "message": "no"\n  }\n}\n') == []


def test_a_name_before_a_bare_line_belongs_to_it() -> None:
    assert parse(b'event: error\n{"message":"no"}\n') == [SseEvent('{"message":"no"}', "error")]
    assert parse(b'event: ping\nerror: {"code":500}\n') == [SseEvent('{"code":500}', "error")]


def test_an_error_event_counts_without_data() -> None:
    assert parse(b"event: error\n\n") == [SseEvent("", "error")]
    assert parse(b"event: Error\ndata:\n\n") == [SseEvent("", "error")]


def test_what_is_no_json_does_not_spoil_its_neighbours_without_blank_lines() -> None:
    assert datas(b'data: ping\ndata: {"a":1}\ndata: ping\ndata: {"b":2}\n') == ["ping", '{"a":1}', "ping", '{"b":2}']


def test_a_field_name_that_is_written_again_is_dropped() -> None:
    assert datas(b"data: data: {}\n\ndata:data:data: [DONE]\n\n") == ["{}", "[DONE]"]


@pytest.mark.parametrize(
    "piece", [b"data: ", b"data: {\n", b"data:  {}\n", b"event: e\n", b"\xef\xbb\xbf", b"\r", b"{}\n"]
)
def test_much_of_anything_takes_no_long_time(piece: bytes) -> None:
    parse(piece * (200_000 // len(piece)))


def test_invalid_utf8_is_replaced_and_loses_nothing_else() -> None:
    assert datas(b"data: a\xff\xfeb\n\ndata: \xe4\xbd\n\n") == ["a��b", "�"]


def test_an_oversized_line_is_dropped_and_said_so() -> None:
    stream = b"data: 1\n\ndata: " + b"x" * 200 + b"\n\ndata: 2\n\n"
    assert parse(stream, max_line_bytes=100) == [SseEvent("1"), SseEvent("", OVERSIZED), SseEvent("2")]


def test_an_event_of_many_lines_is_limited_too() -> None:
    events = parse(b"data: 0123456789\n" * 20 + b"\n", max_line_bytes=100)
    assert SseEvent("", OVERSIZED) in events
    assert all(len(event.data) <= 100 for event in events)


def test_a_line_of_many_megabytes_in_small_pieces_arrives_whole() -> None:
    parser = SseParser()
    line = b'data: {"t":"' + b"x" * 8_000_000 + b'"}\n\n'
    events = [event for start in range(0, len(line), 1024) for event in parser.feed(line[start : start + 1024])]
    assert [len(event.data) for event in events] == [len(line) - 8]


_LINES = st.sampled_from(
    [
        b'data: {"a":1}',
        b'data: {"\xe4\xbd\xa0":"\xf0\x9f\x98\x80"}',
        b"data: [DONE]",
        b"data:",
        b"data",
        b"data: bad \xff\xe4",
        b"event: error",
        b"event:",
        b"error: {}",
        b'{"ndjson":true}',
        b"{",
        b": comment",
        b"id: 1",
        b"\xef\xbb\xbfdata: {}",
        b"data: " + b"y" * 90,
        b"",
        b"",
    ]
)
_STREAMS = st.lists(st.tuples(_LINES, st.sampled_from([b"\n", b"\r\n", b"\r", b"\r\r\n"])), max_size=20).map(
    lambda lines: b"".join(line + end for line, end in lines)
) | st.binary(max_size=200)


@given(stream=_STREAMS, cuts=st.lists(st.integers(0, 400), max_size=12))
def test_any_split_of_the_bytes_gives_the_same_events(stream: bytes, cuts: list[int]) -> None:
    whole = parse(stream, max_line_bytes=80)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut <= len(stream))})
    parser = SseParser(max_line_bytes=80)
    pieces = [stream[a:b] for a, b in itertools.pairwise(places)]
    assert [event for piece in pieces for event in parser.feed(piece)] + parser.finish() == whole


@given(stream=_STREAMS)
def test_single_bytes_give_the_same_events(stream: bytes) -> None:
    parser = SseParser(max_line_bytes=80)
    events = [event for byte in stream for event in parser.feed(bytes([byte]))]
    assert events + parser.finish() == parse(stream, max_line_bytes=80)


@pytest.mark.parametrize(
    "lines", [b'data: {"a":1}\n', b'data: {"a":1}', b'{"a":1}', b"data: [DONE]", b'data: {"a":\ndata: 1}']
)
def test_after_a_pause_an_event_counts_that_only_lacks_its_end(lines: bytes) -> None:
    parser = SseParser()
    assert parser.feed(lines) == []
    assert parser.may_settle
    (found,) = parser.settle()
    assert found.data == "[DONE]" or json.loads(found.data) == {"a": 1}
    assert not parser.may_settle
    assert parser.settle() == []
    assert parser.feed(b'\n\ndata: {"b":2}\n\n') == [SseEvent('{"b":2}')], "nothing is read twice, nothing is lost"


@pytest.mark.parametrize(
    "lines", [b"", b'data: {"a"', b'data: {"a": {}', b"data: ping", b": comment", b"event: error", b"data: 1\n"]
)
def test_a_pause_in_the_middle_of_an_event_ends_nothing(lines: bytes) -> None:
    parser = SseParser()
    parser.feed(lines)
    assert parser.settle() == []


@given(stream=_STREAMS)
def test_whoever_waits_only_where_it_may_settle_misses_nothing(stream: bytes) -> None:
    for end in range(len(stream) + 1):
        parser = SseParser()
        parser.feed(stream[:end])
        may_settle = parser.may_settle
        assert may_settle or parser.settle() == [], stream[:end]


@pytest.mark.parametrize("end", ["", " " * 100, "\u3000", "\r", "\n: comment", "\nevent: x"])
def test_an_event_may_settle_whatever_stands_behind_it(end: str) -> None:
    parser = SseParser()
    parser.feed(f'data: {{"a":1}}{end}'.encode())
    assert parser.may_settle


def test_a_pause_after_a_whole_event_and_within_the_next_one_ends_the_first() -> None:
    parser = SseParser()
    parser.feed(b'data: {"a":1}\ndata: {"b"')
    assert parser.settle() == [SseEvent('{"a":1}')]
    assert parser.feed(b":2}\n\n") == [SseEvent('{"b":2}')]


@given(st.data())
def test_pauses_anywhere_change_nothing(data: st.DataObject) -> None:
    stream = b'data: {"a":"1}"}\n\ndata: {"b":{}}\ndata: {"c":\ndata: [3]}\n\nevent: error\ndata: {"d":4}\n\ndata: [DONE]\n\n'
    cuts = sorted(data.draw(st.sets(st.integers(1, len(stream) - 1), max_size=20)))
    parser, found = SseParser(), list[SseEvent]()
    for start, end in itertools.pairwise([0, *cuts, len(stream)]):
        found += [*parser.feed(stream[start:end]), *parser.settle()]
    assert found + parser.finish() == parse(stream)
