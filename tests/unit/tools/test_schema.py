"""Arguments of tool calls: read strictly, mended where plain, checked within limits."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.tools.schema import BadArguments, prepare_arguments
from desktop.tools.schema_check import first_errors, schema_problem, work_limit

ANYTHING: dict[str, Any] = {"type": "object"}
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def with_property(schema: Any, *, required: bool = True) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}


@pytest.mark.parametrize(
    "raw",
    [
        "not json",
        "{",
        '{"x": 1} trailing',
        "{'x': 1}",
        '{"x": NaN}',
        '{"x": Infinity}',
        '{"x": -Infinity}',
        '{"x": 1e400}',
        '{"x": ' + "9" * 5000 + "}",
        '{"x": 0.' + "9" * 5000 + "}",
        '{"x": 1, "x": 2}',
        '{"y": {"x": 1, "x": 2}}',
        '{"x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"x":' * 100_000 + "1" + "}" * 100_000,
        "[" * 1_000_000,
        '{"x": "\\ud800"}',
        '{"\\udfff": 1}',
        '{"x": "\ud83d"}',
        '{"x": [' + "0," * 20_000 + "0]}",
        '{"x": "' + "a" * 1_000_001 + '"}',
        "[1]",
        "5",
        "true",
        '"text"',
        '"[1]"',
        '{"x": "a\nb"}',
        '{"x": 1,}',
        '{"a":1,"k1":2,' + ",".join(f'"k{i}":{i}' for i in range(9_000)) + "}",
        '"' + '\\"' * 200_000,
    ],
    ids=lambda raw: raw[:16] + ("…" if len(raw) > 16 else ""),
)
def test_hostile_texts_are_refused_as_unreadable(raw: str) -> None:
    with pytest.raises(BadArguments) as refusal:
        prepare_arguments(raw, ANYTHING)
    assert refusal.value.unreadable
    assert 10 < len(str(refusal.value)) < 400


@pytest.mark.parametrize("raw", ["", "  \n", "null", "{}", '"{}"', '""', '"null"'])
def test_no_arguments_can_be_said_in_many_ways(raw: str) -> None:
    assert prepare_arguments(raw, ANYTHING) == {}


def test_an_object_that_was_encoded_twice() -> None:
    assert prepare_arguments(json.dumps(json.dumps({"city": "北京"})), ANYTHING) == {"city": "北京"}


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert prepare_arguments('{"x": "\\ud83d\\ude00"}', ANYTHING) == {"x": "😀"}


INTEGER = {"type": "integer"}
STRING = {"type": "string"}
STRINGS = {"type": "array", "items": STRING}
OPTIONAL_INTEGER = {"anyOf": [INTEGER, {"type": "null"}], "default": None}


@pytest.mark.parametrize(
    ("schema", "given_value", "meant"),
    [
        (INTEGER, "5", 5),
        (INTEGER, " -12 ", -12),
        (INTEGER, 5.0, 5),
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "number"}, "7", 7),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "False", False),
        (STRING, 5, "5"),
        ({"enum": ["1", "2"], "type": "string"}, 2, "2"),
        (STRINGS, "x", ["x"]),
        (STRINGS, '["a", "b"]', ["a", "b"]),
        (STRINGS, ["a", 1], ["a", "1"]),
        ({"type": "array", "items": INTEGER}, "5", [5]),
        ({"type": "array", "items": INTEGER}, "[1, 2]", [1, 2]),
        ({"type": "array"}, 3, [3]),
        ({"type": "object", "properties": {"n": INTEGER}}, '{"n": "1"}', {"n": 1}),
        (OPTIONAL_INTEGER, "5", 5),
        (OPTIONAL_INTEGER, None, None),
        ({"type": ["integer", "null"]}, "5", 5),
        ({"type": ["string", "integer"]}, "5", "5"),
        ({"anyOf": [STRING, INTEGER]}, 5, 5),
        ({"anyOf": [STRING, STRINGS]}, "x", "x"),
        ({"allOf": [{"$ref": "#/$defs/n"}]}, "5", 5),
        ({"$ref": "#/$defs/n"}, "5", 5),
        ({"type": "array", "items": {"$ref": "#/$defs/n"}}, ["1", 2], [1, 2]),
        ({}, "5", "5"),
        (True, "5", "5"),
    ],
)
def test_slips_with_one_meaning_are_mended(schema: Any, given_value: Any, meant: Any) -> None:
    full = {**with_property(schema), "$defs": {"n": INTEGER}}
    assert schema_problem(full) is None
    result = prepare_arguments(json.dumps({"x": given_value}), full)
    assert result == {"x": meant}
    assert type(result["x"]) is type(meant)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (INTEGER, "five"),
        (INTEGER, "5.5"),
        (INTEGER, 5.5),
        (INTEGER, True),
        (INTEGER, "0x10"),
        (INTEGER, "٥"),
        (INTEGER, ""),
        (INTEGER, "1" * 40),
        ({"type": "number"}, "nan"),
        ({"type": "number"}, "1e999"),
        ({"type": "boolean"}, 1),
        ({"type": "boolean"}, "yes"),
        (STRING, 1.5),
        (STRING, True),
        (STRING, ["x"]),
        (STRING, None),
        (STRINGS, '["a"'),
        ({"type": "array", "items": INTEGER}, "x"),
        ({"enum": ["a", "b"]}, "c"),
        ({"type": "integer", "maximum": 10}, "11"),
        ({"type": "string", "maxLength": 2}, "abc"),
        ({"anyOf": [INTEGER, {"type": "boolean"}]}, "x"),
        ({"type": "object"}, "{broken"),
        (False, 1),
    ],
)
def test_what_is_not_plain_is_refused_or_kept(schema: Any, value: Any) -> None:
    full = with_property(schema)
    if schema == STRINGS:
        assert prepare_arguments(json.dumps({"x": value}), full) == {"x": [value]}
        return
    with pytest.raises(BadArguments) as refusal:
        prepare_arguments(json.dumps({"x": value}), full)
    assert not refusal.value.unreadable
    assert len(str(refusal.value)) < 1000


def test_null_for_something_optional_is_left_out() -> None:
    schema = with_property(INTEGER, required=False)
    assert prepare_arguments('{"x": null}', schema) == {}
    with pytest.raises(BadArguments):
        prepare_arguments('{"x": null}', with_property(INTEGER))


def test_unknown_names_matter_only_where_they_are_forbidden() -> None:
    schema = with_property(INTEGER)
    assert prepare_arguments('{"x": 1, "y": 2}', schema) == {"x": 1, "y": 2}
    with pytest.raises(BadArguments, match="'y' was unexpected"):
        prepare_arguments('{"x": 1, "y": 2}', {**schema, "additionalProperties": False})


def test_defaults_are_left_to_the_server() -> None:
    assert prepare_arguments("{}", with_property({"type": "integer", "default": 3}, required=False)) == {}


def test_the_refusal_names_the_field_and_the_fault() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "array", "items": INTEGER}, "b": STRING},
        "required": ["b"],
    }
    with pytest.raises(BadArguments) as refusal:
        prepare_arguments('{"a": [1, "x"]}', schema)
    assert "a.1: 'x' is not of type 'integer'" in str(refusal.value)
    assert "'b' is a required property" in str(refusal.value)


def test_a_pattern_is_never_run() -> None:
    schema = with_property({"type": "string", "pattern": "^(a+)+$"})
    schema["patternProperties"] = {"^(b+)+$": False}
    assert schema_problem(schema) is None
    arguments = {"x": "a" * 60 + "!", "b" * 60 + "!": 1}
    assert prepare_arguments(json.dumps(arguments), schema) == arguments


def test_names_that_only_a_pattern_allows_are_let_through() -> None:
    schema = {"type": "object", "patternProperties": {"^x-": INTEGER}, "additionalProperties": False}
    assert prepare_arguments('{"x-a": 1}', schema) == {"x-a": 1}


def test_a_tree_may_refer_to_itself() -> None:
    node = {"type": "object", "properties": {"value": INTEGER, "children": {"type": "array", "items": {"$ref": "#"}}}}
    assert schema_problem(node) is None
    raw = '{"value": "1", "children": [{"value": "2"}]}'
    assert prepare_arguments(raw, node) == {"value": 1, "children": [{"value": 2}]}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


DOUBLING: dict[str, Any] = {
    "type": "object",
    "allOf": [{"$ref": "#/$defs/d0"}],
    "$defs": {
        **{f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": f"#/$defs/d{i + 1}"}]} for i in range(40)},
        "d40": {"type": "object"},
    },
}


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "string"}, "object"),
        ({}, "object"),
        ({"type": "object", "properties": {"x": {"$ref": "http://127.0.0.1:9/schema.json"}}}, "not in it"),
        ({"type": "object", "properties": {"x": {"$ref": "file:///etc/passwd"}}}, "not in it"),
        ({"type": "object", "properties": {"x": {"$ref": "#/$defs/nowhere"}}}, "not in it"),
        ({"type": "object", "properties": {"x": {"$dynamicRef": "#x"}}}, "dynamic"),
        ({"type": "object", "$ref": "#"}, "circle"),
        (
            {"type": "object", "anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}},
            "circle",
        ),
        (nested(400), "deeper"),
        (nested(100_000), "deeper"),
        ({"type": "object", "description": "x" * 300_000}, "too large"),
        ({"type": "object", "properties": {f"p{i}": {} for i in range(60_000)}}, "too large"),
        ({"type": "object", "properties": {"x": {"type": "banana"}}}, "not valid"),
        ({"type": "object", "properties": 5}, "not valid"),
        ({"type": "object", "required": "x"}, "not valid"),
        ({"type": "object", "default": math.nan}, "not JSON"),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else "",
)
def test_schemas_that_cannot_be_used(schema: dict[str, Any], word: str) -> None:
    problem = schema_problem(schema)
    assert problem is not None
    assert word in problem


def test_a_schema_that_doubles_its_work_is_stopped() -> None:
    with pytest.raises(BadArguments, match="too complex"):
        prepare_arguments("{}", DOUBLING)


def test_alternatives_that_double_are_stopped() -> None:
    parts = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(30)}
    schema = {**with_property({"$ref": "#/$defs/d0"}), "$defs": {**parts, "d30": {"type": "integer"}}}
    assert schema_problem(schema) is None
    with pytest.raises(BadArguments, match="too complex"):
        prepare_arguments('{"x": "a"}', schema)


def test_draft_7_schemas_are_read_as_such() -> None:
    schema = with_property({"type": "array", "items": [INTEGER, STRING]})
    schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    assert schema_problem(schema) is None
    assert prepare_arguments('{"x": [1, "a"]}', schema) == {"x": [1, "a"]}
    with pytest.raises(BadArguments):
        prepare_arguments('{"x": ["a", 1]}', schema)


SCHEMAS = st.recursive(
    st.sampled_from(
        [
            INTEGER,
            STRING,
            {"type": "number"},
            {"type": "boolean"},
            {"type": "null"},
            OPTIONAL_INTEGER,
            {},
            {"enum": ["1", 1]},
        ]
    ),
    lambda inner: st.one_of(
        inner.map(lambda items: {"type": "array", "items": items}),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: {"anyOf": options}),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(
            lambda properties: {"type": "object", "properties": properties, "additionalProperties": False}
        ),
    ),
    max_leaves=6,
)


@given(SCHEMAS, JSON_VALUES)
@settings(max_examples=200)
def test_the_result_is_valid_and_mending_it_again_changes_nothing(part: dict[str, Any], value: Any) -> None:
    schema = with_property(part)
    assert schema_problem(schema) is None
    try:
        result = prepare_arguments(json.dumps({"x": value}), schema)
    except BadArguments:
        return
    with work_limit():
        assert first_errors(result, schema) == []
    assert prepare_arguments(json.dumps(result), schema) == result


@given(SCHEMAS, JSON_VALUES)
@settings(max_examples=200)
def test_valid_arguments_keep_their_value(part: dict[str, Any], value: Any) -> None:
    schema = with_property(part)
    with work_limit():
        valid = not first_errors({"x": value}, schema)
    if valid:
        assert prepare_arguments(json.dumps({"x": value}), schema) == {"x": value}


@given(st.text(st.characters(exclude_categories=()), max_size=60) | JSON_VALUES.map(json.dumps))
@settings(max_examples=200)
def test_any_text_gives_an_object_or_a_refusal(raw: str) -> None:
    try:
        result = prepare_arguments(raw, ANYTHING)
    except BadArguments:
        return
    assert isinstance(result, dict)
    json.dumps(result, ensure_ascii=False, allow_nan=False).encode()


def test_items_given_twice_are_found_in_long_lists_of_objects() -> None:
    schema = with_property({"type": "array", "uniqueItems": True})
    items = [{"a": {"b": number}} for number in range(2000)]
    assert prepare_arguments(json.dumps({"x": items}), schema) == {"x": items}
    with pytest.raises(BadArguments, match="twice"):
        prepare_arguments(json.dumps({"x": [*items, {"a": {"b": 7}}]}), schema)


def test_patterns_are_not_even_compiled() -> None:
    assert schema_problem(with_property({"type": "string", "pattern": "("})) is None
