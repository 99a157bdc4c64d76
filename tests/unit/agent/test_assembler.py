"""Pieces of tool calls become whole calls, in whatever way an endpoint numbers and repeats them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.assembler import MAX_CALLS, ToolCallAssembler
from desktop.agent.call_arguments import is_cut, objects_in
from desktop.core.language_model import ToolCallDelta as Piece
from desktop.core.wire_names import wire_name
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


@pytest.mark.parametrize(
    ("arguments", "objects"),
    [
        ("", ["{}"]),
        (" \n", ["{}"]),
        ("null", ["{}"]),
        ("[]", ["{}"]),
        ('""', ["{}"]),
        ('{"a": 1}', ['{"a": 1}']),
        ('"{\\"a\\": 1}"', ['{"a": 1}']),
        (json.dumps(json.dumps('{"a": 1}')), ['{"a": 1}']),
        ('{}{"a": 1}', ['{"a": 1}']),
        ('null{"a": 1}', ['{"a": 1}']),
        ('{"a": 1} {"a": 1}', ['{"a": 1}']),
        ('{"a": 1}{"a": 2}', ['{"a": 1}', '{"a": 2}']),
        ("{}{}", ["{}"]),
        ('{"a": 1}x', ['{"a": 1}x']),
        ("[1]", ["[1]"]),
        ("not json", ["not json"]),
    ],
)
def test_arguments(arguments: str, objects: list[str]) -> None:
    assert objects_in(arguments) == objects
    assert not is_cut(arguments)


@pytest.mark.parametrize("text", ['{"a": "b \\" c", "d": [1, {"e": null}], "f": "{]"}', json.dumps('{"a": "b"}')])
def test_every_beginning_of_arguments_is_cut(text: str) -> None:
    for end in range(1, len(text)):
        assert is_cut(text[:end]) or text[end - 1] == "}", text[:end]  # such an end may be an unescaped mark's fault
    assert not is_cut(text)


def test_arguments_that_are_wrong_but_not_cut() -> None:
    for text in ('{"a": 1,}', "{'a': 1}", '{"a": "he said "no" to it"}', "a = 1", '{"a": NaN}'):
        assert not is_cut(text)
        assert objects_in(text) == [text]


def test_a_call_whose_arguments_break_off_is_not_whole() -> None:
    assembler = ToolCallAssembler(KNOWN)
    assembler.add(Piece(index=0, call_id="x", name="a__get", arguments="{}"))
    assembler.add(Piece(index=1, call_id="y", name="b__run", arguments='{"c": "rm -rf /tmp/x'))
    assert [call.is_whole for call in assembler.calls(())] == [True, False]


RENAMED = ("1st__读取", "oops tool", "a.get", "a.get.more")


@pytest.mark.parametrize("name", ["a__get", "a__get_more", *RENAMED])
@pytest.mark.parametrize("index", [0, None])
def test_a_name_cut_anywhere_is_that_of_its_tool_also_where_another_one_was_sent(name: str, index: int | None) -> None:
    sent = wire_name(name)
    cuts = [(sent[:place], sent[place:]) for place in range(1, len(sent))]
    for names in (*cuts, tuple(sent)):
        assembler = ToolCallAssembler({*KNOWN, *RENAMED})
        for piece in names:
            assembler.add(Piece(index=index, name=piece))
        assembler.add(Piece(index=index, arguments='{"q":'))
        assembler.add(Piece(index=index, name=sent, arguments="1}"))  # said again, as some do
        assert [(call.name, call.arguments) for call in assembler.calls(())] == [(name, '{"q":1}')], names


@given(
    pieces=st.lists(
        st.builds(
            Piece,
            index=st.sampled_from([None, 0, 0, 1]),
            call_id=st.sampled_from(["", "", "x", "y"]),
            name=st.sampled_from(["", "", "a__get", "b__run", "a__", "get", "other"]),
            arguments=st.sampled_from(["", "{}", '{"q"', ":1}", '{"q":2}', "null", "x"]),
            begins_call=st.booleans(),
        ),
        max_size=12,
    )
)
def test_whatever_comes_no_id_is_used_twice_and_no_name_is_made_up(pieces: list[Piece]) -> None:
    assembler = ToolCallAssembler(KNOWN)
    for piece in pieces:
        assembler.add(piece)
    calls = assembler.calls(("x",))
    ids = [call.call_id for call in calls]
    assert len(set(ids)) == len(ids)
    assert "x" not in ids
    assert all(call.name in KNOWN or any(call.name == piece.name for piece in pieces) for call in calls)
    assert not any(is_glued(call.arguments) for call in calls)


def is_glued(text: str) -> bool:
    """True for several objects one after the other, which are several calls. With anything else between it is garbage."""
    decoder, end, count = json.JSONDecoder(), 0, 0
    while text.startswith("{", end):
        try:
            _, end = decoder.raw_decode(text, end)
        except ValueError:
            return False
        count += 1
    return count > 1 and end == len(text)


def test_arguments_that_are_objects_and_garbage_stay_one_call_that_nobody_can_read() -> None:
    ((_, _, arguments),) = assemble(Piece(name="a__get", arguments="{}"), Piece(arguments="{}"), Piece(arguments=":1}"))
    assert arguments == "{}{}:1}"
    assert not is_glued(arguments)
    assert [call[2] for call in assemble(Piece(name="a__get", arguments='{"a":1}{"a":2}'))] == ['{"a":1}', '{"a":2}']


def test_a_megabyte_of_arguments_in_small_pieces_takes_no_long_time() -> None:
    assembler = ToolCallAssembler(KNOWN)
    text = json.dumps({"text": "a" * (MAX_CHARS - 100)})
    assembler.add(Piece(index=0, call_id="x", name="a__get"))
    for start in range(0, len(text), 16):
        assembler.add(Piece(index=0, arguments=text[start : start + 16]))
    assert assembler.calls(())[0].arguments == text


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


@pytest.mark.timeout(30)  # in quadratic time it takes minutes
def test_many_objects_glued_together_are_told_apart_in_a_moment() -> None:
    assembler = ToolCallAssembler({"f"})
    assembler.add(Piece(index=0, name="f", arguments="".join(f'{{"a":{n}}}' for n in range(20_000))))
    assert len(assembler.calls(())) == MAX_CALLS
