"""Small streams, one for each way in which endpoints deviate, each with the right value beside it in ``tests/data``."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.language_model import Usage
from tests.support.stream_replay import Replayed, in_pieces, in_random_pieces, replay

FOLDER = Path(__file__).parents[2] / "data" / "streams"
STREAMS = sorted(FOLDER.glob("*.sse"))


def expected(path: Path) -> dict[str, Any]:
    return json.loads(path.with_suffix(".json").read_text("utf-8"))


def tools_of(wanted: dict[str, Any]) -> list[str]:
    return wanted.get("tools", sorted({name for name, *_ in wanted.get("calls", [])}))


def check(received: Replayed, wanted: dict[str, Any]) -> None:
    assert received.text == wanted.get("text", "")
    assert received.thinking == wanted.get("thinking", "")
    assert received.code == wanted.get("error", "")
    if "detail" in wanted:
        assert received.error is not None
        assert received.error.params["detail"] == wanted["detail"]
    assert [[source.url, source.title] for source in received.sources] == wanted.get("sources", [])
    assert (received.end.reason if received.end else None) == wanted.get("end")
    if received.end is None:
        assert received.runnable == []
        return
    assert received.end.usage == Usage(**wanted.get("usage", {}))
    assert received.end.replay == wanted.get("replay", {})
    calls = [(call.name, json.loads(call.arguments) if call.is_whole else None, call.extra) for call in received.calls]
    assert calls == [(name, arguments, *(extra or [{}])) for name, arguments, *extra in wanted.get("calls", [])]
    assert len({call.call_id for call in received.calls}) == len(calls)


def test_there_is_a_value_for_each_stream() -> None:
    assert len(STREAMS) > 100
    assert {path.stem for path in FOLDER.iterdir()} == {path.stem for path in STREAMS}


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_the_right_value_however_the_bytes_are_split(path: Path, long_run: bool) -> None:
    wanted, body = expected(path), path.read_bytes()
    for pieces in (
        [body],
        in_pieces(body, 1),
        in_pieces(body, 2),
        *(in_random_pieces(body, seed) for seed in range(50 if long_run else 3)),
    ):
        check(replay(pieces, tools_of(wanted)), wanted)


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_no_cut_makes_a_call_run_that_is_not_there(path: Path, long_run: bool) -> None:
    wanted, body = expected(path), path.read_bytes()
    whole = replay([body], tools_of(wanted))
    for cut in range(0, len(body), 1 if long_run else 5):
        part = replay([body[:cut]], tools_of(wanted))
        assert all(call in whole.runnable for call in part.runnable), cut
        if not part.end:
            assert part.runnable == []


GARBAGE = st.sampled_from(
    [
        b": comment\n\n",
        b"data: ping\n\n",
        b"data:\n\n",
        b"event: ping\ndata: {}\n\n",
        b"id: 1\n\n",
        b"\n\n\n",
        b"nonsense\n\n",
        b"data: 17\n\n",
        b"data: null\n\n",
        b"data: []\n\n",
        b'data: {"choices":[]}\n\n',
        b"<html>\n\n",
        b"\xef\xbb\xbf\n\n",
    ]
) | st.binary(max_size=20).map(lambda data: b": " + data.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n\n")
PLAIN = [path for path in STREAMS if b"\n\n" in path.read_bytes() and b"\r" not in path.read_bytes()]


@given(path=st.sampled_from(PLAIN), garbage=st.lists(GARBAGE, min_size=1, max_size=6), data=st.data())
def test_garbage_between_the_events_changes_nothing(path: Path, garbage: list[bytes], data: st.DataObject) -> None:
    wanted, body = expected(path), path.read_bytes()
    events = body.split(b"\n\n")
    if path.stem in ("event_cut_by_a_raw_line_break", "ndjson"):
        return
    for piece in garbage:
        place = data.draw(st.integers(0, len(events) - 1))
        events[place] = piece + events[place]
    noisy = b"\n\n".join(events)
    seed = data.draw(st.integers(0, 1000))
    check(replay(in_random_pieces(noisy, seed), tools_of(wanted)), wanted)
