"""Pieces of tool calls become whole calls, in whatever way an endpoint numbers and repeats them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.assembler import MAX_CALLS, ToolCallAssembler
from desktop.core.language_model import ToolCallDelta as Piece
from desktop.tools.strict_json import MAX_CHARS

KNOWN = {"a__get", "a__get_more", "b__run"}


def assemble(*pieces: Piece, used: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    assembler = ToolCallAssembler(KNOWN)
    for piece in pieces:
        assembler.add(piece)
    return [(call.call_id, call.name, call.arguments) for call in assembler.calls(used)]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param(
            [Piece(index=0, call_id="x", name="a__get", arguments='{"q"'), Piece(index=0, arguments=": 1}")],
            [("x", "a__get", '{"q": 1}')],
            id="the usual way",
        ),
        pytest.param(
            [
                Piece(index=0, call_id="x", name="a__get", arguments='{"q":1}'),
                Piece(index=1, call_id="y", name="b__run", arguments="{}"),
            ],
            [("x", "a__get", '{"q":1}'), ("y", "b__run", "{}")],
            id="two calls, each in one piece",
        ),
        pytest.param(
            [
                Piece(index=0, call_id="x", name="a__get", arguments="{}"),
                Piece(index=0, call_id="y", name="b__run", arguments="{}"),
            ],
            [("x", "a__get", "{}"), ("y", "b__run", "{}")],
            id="one index for all, the ids differ",
        ),
        pytest.param(
            [
                Piece(call_id="x", name="a__get", arguments='{"q":'),
                Piece(arguments="1}"),
                Piece(call_id="y", name="b__run", arguments='{"c":2}'),
            ],
            [("x", "a__get", '{"q":1}'), ("y", "b__run", '{"c":2}')],
            id="no index",
        ),
        pytest.param(
            [
                Piece(index=0, call_id="x", name="a__get", arguments='{"q":'),
                Piece(index=0, call_id="x", name="a__get", arguments="1}"),
            ],
            [("x", "a__get", '{"q":1}')],
            id="id and name repeated in every piece",
        ),
        pytest.param(
            [Piece(index=0, call_id="x", name="a__get"), Piece(index=0, name="_more", arguments="{}")],
            [("x", "a__get_more", "{}")],
            id="a name in two pieces",
        ),
        pytest.param(
            [
                Piece(index=0, call_id="x", name="a__get", arguments='{"q":1}'),
                Piece(index=0, arguments='{"q":1}'),
            ],
            [("x", "a__get", '{"q":1}')],
            id="the whole arguments sent twice",
        ),
        pytest.param(
            [
                Piece(index=0, call_id="x", name="a__get", arguments="{}"),
                Piece(index=0, arguments='{"q":'),
                Piece(index=0, arguments="1}"),
            ],
            [("x", "a__get", '{"q":1}')],
            id="an empty object first",
        ),
        pytest.param(
            [Piece(name="a__get", arguments='{"q":1}'), Piece(name="a__get", arguments='{"q":2}')],
            [("", "a__get", '{"q":1}'), ("", "a__get", '{"q":2}')],
            id="no ids at all",
        ),
        pytest.param([Piece(index=0, call_id="x", arguments="{}")], [], id="no name"),
        pytest.param([Piece(index=3, call_id="x", name="a__get")], [("x", "a__get", "{}")], id="a gap, no arguments"),
    ],
)
def test_pieces(pieces: list[Piece], expected: list[tuple[str, str, str]]) -> None:
    found = assemble(*pieces)
    assert [(name, arguments) for _, name, arguments in found] == [(n, a) for _, n, a in expected]
    for (call_id, _, _), (wanted, _, _) in zip(found, expected, strict=True):
        assert call_id == wanted if wanted else len(call_id) == 9


def test_an_id_that_the_thread_has_already_is_replaced() -> None:
    ((call_id, _, _),) = assemble(Piece(index=0, call_id="call_0", name="a__get"), used=("call_0",))
    assert call_id != "call_0"
    assert call_id.isalnum()


def test_unknown_fields_are_kept() -> None:
    assembler = ToolCallAssembler(KNOWN)
    assembler.add(Piece(index=0, call_id="x", name="a__get", arguments="{}"))
    assembler.add(Piece(index=0, extra={"extra_content": {"google": {"thought_signature": "s"}}}))
    assert assembler.calls(())[0].extra == {"extra_content": {"google": {"thought_signature": "s"}}}


@given(
    arguments=st.lists(
        st.dictionaries(st.text(min_size=1, max_size=5), st.one_of(st.integers(), st.text()), min_size=1),
        min_size=1,
        max_size=4,
    ),
    data=st.data(),
)
def test_any_split_gives_the_same_calls(arguments: list[dict[str, object]], data: st.DataObject) -> None:
    assembler = ToolCallAssembler(KNOWN)
    for index, value in enumerate(arguments):
        text = json.dumps(value)
        cuts = sorted(data.draw(st.lists(st.integers(1, len(text) - 1), max_size=4)))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        assembler.add(Piece(index=index, call_id=f"id{index}", name="a__get"))
        for piece in pieces:
            assembler.add(Piece(index=index, arguments=piece))
    assert [json.loads(call.arguments) for call in assembler.calls(())] == arguments


def test_an_endless_stream_of_calls_and_arguments_is_bounded() -> None:
    assembler = ToolCallAssembler(KNOWN)
    for number in range(MAX_CALLS + 50):
        assembler.add(Piece(index=number, call_id=f"c{number}", name="a__get", arguments="{}"))
    assert len(assembler.calls(())) == MAX_CALLS
    assembler = ToolCallAssembler(KNOWN)
    for _ in range(30):
        assembler.add(Piece(index=0, call_id="x", name="a__get", arguments="a" * 100_000))
    (call,) = assembler.calls(())
    assert MAX_CHARS < len(call.arguments) <= MAX_CHARS + 100_000
