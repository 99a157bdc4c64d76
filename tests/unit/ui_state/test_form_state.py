"""A server's schema becomes fields, entries become JSON values, and whatever no form may ask is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from desktop.ui.state.form_schema import FieldKind, SchemaError, parse_schema
from desktop.ui.state.form_state import (
    Entry,
    Problem,
    ProblemCode,
    check_form,
    default_content,
    initial_entry,
)


def schema(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def check_one(definition: dict[str, Any], entry: Entry, *, required: bool = False) -> Any:
    """The content of a form with this one field, or its problem."""
    form = parse_schema(schema(("x",) if required else (), x=definition))
    check = check_form(form, {0: entry})
    return check.problems.get(0) or check.content


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("definition", "kind"),
    [
        (TEXT, FieldKind.TEXT),
        ({"type": "number"}, FieldKind.NUMBER),
        ({"type": "integer"}, FieldKind.INTEGER),
        ({"type": "boolean"}, FieldKind.BOOLEAN),
        ({"type": "string", "enum": ["a", "b"]}, FieldKind.CHOICE),
        ({"enum": ["a"]}, FieldKind.CHOICE),
        ({"const": "only", "type": "string"}, FieldKind.CHOICE),
        ({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, FieldKind.CHOICE),
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, FieldKind.CHOICES),
        ({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}, FieldKind.CHOICES),
        ({"type": ["string", "null"]}, FieldKind.TEXT),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}, FieldKind.INTEGER),
    ],
)
def test_every_form_seen_on_the_wire_has_its_kind(definition: dict[str, Any], kind: FieldKind) -> None:
    assert parse_schema(schema(x=definition)).fields[0].kind is kind


def test_a_local_reference_is_followed_once() -> None:
    source = schema(c={"$ref": "#/$defs/Colour"}) | {"$defs": {"Colour": {"type": "string", "enum": ["red"]}}}
    assert [c.value for c in parse_schema(source).fields[0].choices] == ["red"]


@pytest.mark.parametrize(
    "definition",
    [
        {"type": "object", "properties": {}},
        {"type": "array", "items": {"type": "object"}},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array"},
        {"type": "banana"},
        {"$ref": "https://example.com/schema.json"},
        {"$ref": "#/$defs/missing"},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "string", "minLength": 5, "maxLength": 4},
        {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
        {"type": "integer", "minimum": "one"},
        {"type": "array", "items": {"enum": ["a"]}, "minItems": 2},
        {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 1},
        {"type": "string", "enum": []},
        {"type": "string", "enum": [{"nested": 1}]},
        "not an object",
    ],
)
def test_what_no_form_may_ask_is_refused(definition: Any) -> None:
    with pytest.raises(SchemaError):
        parse_schema(schema(x=definition))
    assert default_content(schema(x=definition)) is None


def test_too_many_fields_and_unknown_required_names_are_refused() -> None:
    with pytest.raises(SchemaError, match="limit is 50"):
        parse_schema({"type": "object", "properties": {f"f{i}": TEXT for i in range(5000)}})
    with pytest.raises(SchemaError, match="not described"):
        parse_schema(schema(("ghost",), x=TEXT))
    with pytest.raises(SchemaError, match="characters"):
        parse_schema(schema(x={"type": "string", "description": "a" * 300_000}))


def test_odd_names_are_kept_exactly() -> None:
    names = ["class", "__init__", "a-b c", "", "名前", "a\u202eb"]
    form = parse_schema({"type": "object", "properties": dict.fromkeys(names, TEXT)})
    content = check_form(form, {i: str(i) for i in range(len(names))}).content
    assert list(content) == names


def test_a_pattern_is_not_run() -> None:
    assert check_one({"type": "string", "pattern": "^(a+)+$"}, "a" * 40 + "!") == {"x": "a" * 40 + "!"}


@pytest.mark.parametrize(
    ("definition", "entry", "expected"),
    [
        (TEXT, "hello", "hello"),
        (TEXT, " kept as it is ", " kept as it is "),
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, " ５ ", 5),
        ({"type": "integer"}, "-" + "9" * 40, -int("9" * 40)),
        ({"type": "number"}, "3.5", 3.5),
        ({"type": "number"}, "3", 3),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "number"}, "－１．５", -1.5),
        ({"type": "boolean"}, False, False),
        ({"type": "boolean"}, True, True),
        ({"enum": ["a", "b"]}, 1, "b"),
        ({"type": "integer", "enum": [1, 2]}, 0, 1),
        ({"type": "string", "oneOf": [{"const": "a", "title": "Shown"}]}, 0, "a"),
        ({"type": "array", "items": {"enum": ["a", "b", "c"]}}, frozenset({2, 0}), ["a", "c"]),
        ({"type": "string", "format": "email"}, " name@example.com ", "name@example.com"),
        ({"type": "string", "format": "email"}, "名@例子.中国", "名@例子.中国"),
        ({"type": "string", "format": "uri"}, "https://example.com/a?b#c", "https://example.com/a?b#c"),
        ({"type": "string", "format": "uri"}, "mailto:a@b.c", "mailto:a@b.c"),
        ({"type": "string", "format": "date"}, "2028-02-29", "2028-02-29"),
        ({"type": "string", "format": "date-time"}, "2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z"),
        ({"type": "string", "format": "date-time"}, "2026-11-30T18:00:00.5+08:00", "2026-11-30T18:00:00.5+08:00"),
    ],
)
def test_a_good_entry_becomes_its_value(definition: dict[str, Any], entry: Entry, expected: Any) -> None:
    content = check_one(definition, entry)
    assert content == {"x": expected}
    assert type(content["x"]) is type(expected)


@pytest.mark.parametrize(
    ("definition", "entry", "problem"),
    [
        ({"type": "string", "minLength": 3}, "ab", Problem(ProblemCode.TOO_SHORT, 3)),
        ({"type": "string", "maxLength": 2}, "你好吗", Problem(ProblemCode.TOO_LONG, 2)),
        (TEXT, "half \ud83d", Problem(ProblemCode.UNSENDABLE)),
        ({"type": "integer"}, "3.5", Problem(ProblemCode.NOT_WHOLE)),
        ({"type": "integer"}, "three", Problem(ProblemCode.NOT_WHOLE)),
        ({"type": "integer"}, "9" * 5000, Problem(ProblemCode.TOO_LONG, 300)),
        ({"type": "number"}, "nan", Problem(ProblemCode.NOT_A_NUMBER)),
        ({"type": "number"}, "Infinity", Problem(ProblemCode.NOT_A_NUMBER)),
        ({"type": "number"}, "1e400", Problem(ProblemCode.NOT_A_NUMBER)),
        ({"type": "number"}, "1_000", Problem(ProblemCode.NOT_A_NUMBER)),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "0", Problem(ProblemCode.TOO_SMALL, 1)),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "10", Problem(ProblemCode.TOO_LARGE, 9)),
        ({"type": "number", "exclusiveMinimum": 0}, "0", Problem(ProblemCode.NOT_ABOVE, 0)),
        ({"type": "number", "exclusiveMaximum": 1}, "1.0", Problem(ProblemCode.NOT_BELOW, 1)),
        ({"type": "string", "format": "email"}, "name@example", Problem(ProblemCode.BAD_EMAIL)),
        ({"type": "string", "format": "uri"}, "example.com", Problem(ProblemCode.BAD_URI)),
        ({"type": "string", "format": "uri"}, "https://", Problem(ProblemCode.BAD_URI)),
        ({"type": "string", "format": "uri"}, "https://a:b/", Problem(ProblemCode.BAD_URI)),
        ({"type": "string", "format": "date"}, "2026-02-29", Problem(ProblemCode.BAD_DATE)),
        ({"type": "string", "format": "date"}, "20260228", Problem(ProblemCode.BAD_DATE)),
        ({"type": "string", "format": "date-time"}, "2026-11-30T18:00:00", Problem(ProblemCode.BAD_DATE_TIME)),
        ({"type": "string", "format": "date-time"}, "2026-11-30T25:00:00Z", Problem(ProblemCode.BAD_DATE_TIME)),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}, frozenset({}), None),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2},
            frozenset({0}),
            Problem(ProblemCode.TOO_FEW_CHOICES, 2),
        ),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 1},
            frozenset({0, 1}),
            Problem(ProblemCode.TOO_MANY_CHOICES, 1),
        ),
    ],
)
def test_a_bad_entry_has_its_problem(definition: dict[str, Any], entry: Entry, problem: Problem | None) -> None:
    assert check_one(definition, entry) == (problem or {})


def test_empty_entries_are_left_out_or_named() -> None:
    for definition in (TEXT, {"type": "integer"}, {"type": "string", "format": "date"}):
        assert check_one(definition, "") == {}
        assert check_one(definition, "", required=True) == Problem(ProblemCode.REQUIRED)
    assert check_one({"enum": ["a"]}, None) == {}
    assert check_one({"enum": ["a"]}, None, required=True) == Problem(ProblemCode.REQUIRED)


def test_a_default_that_was_taken_away_is_answered_with_nothing() -> None:
    assert check_one({"type": "string", "default": "x"}, "") == {"x": ""}
    assert check_one({"type": "string", "default": "x"}, "", required=True) == Problem(ProblemCode.REQUIRED)
    assert check_one({"type": "string", "default": ""}, "", required=True) == {"x": ""}
    assert check_one({"type": "integer", "default": 3}, "") == {}
    several = {"type": "array", "items": {"enum": ["a", "b"]}, "default": ["a"]}
    assert check_one(several, frozenset()) == {"x": []}
    assert check_one(several | {"minItems": 1}, frozenset()) == {}


def test_defaults_stand_in_their_fields_and_are_sent() -> None:
    source = schema(
        ("name",),
        name={"type": "string", "default": "two\r\nlines"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={"type": "string", "enum": ["active", "idle"], "default": "active"},
        verified={"type": "boolean", "default": True},
        several={"type": "array", "items": {"enum": ["a", "b"]}, "default": ["b"]},
        free={"type": "string"},
        agreed={"type": "boolean"},
    )
    expected = {
        "name": "two\r\nlines",
        "age": 30,
        "score": 95.5,
        "status": "active",
        "verified": True,
        "several": ["b"],
    }
    assert default_content(source) == expected
    form = parse_schema(source)
    entries = {i: initial_entry(f) for i, f in enumerate(form.fields)}
    # A person sees the tick that is not set, so it is an answer; a rule only repeats defaults.
    assert check_form(form, entries).content == expected | {"agreed": False}


def test_defaults_that_do_not_fit_are_none() -> None:
    assert default_content(schema(("x",), x=TEXT)) is None
    assert default_content(schema(("x",), x={"type": "integer", "default": "5"})) is None
    assert default_content(schema(("x",), x={"type": "integer", "default": True})) is None
    assert default_content(schema(("x",), x={"type": "string", "maxLength": 1, "default": "ab"})) is None
    assert default_content(schema(x={"type": "string", "enum": ["a"], "default": "b"})) == {}
    assert default_content({"type": "object", "properties": {}}) == {}
    assert default_content(schema(("x",), x={"type": "integer", "default": 10**5000})) is None


def test_long_texts_get_more_than_one_line() -> None:
    def lines(definition: dict[str, Any]) -> bool:
        return parse_schema(schema(x=definition)).fields[0].multiline

    assert lines({"type": "string", "maxLength": 2000})
    assert lines({"type": "string", "default": "a\nb"})
    assert lines({"type": "string", "default": "a" * 100})
    assert not lines({"type": "string", "maxLength": 50})


def test_secret_looking_fields_are_marked_but_ticks_are_not() -> None:
    form = parse_schema(
        schema(
            a={"type": "string", "title": "Your раѕѕword"},
            b={"type": "string", "description": "the one-time code, OTP"},
            apiKey={"type": "string"},
            pin={"type": "integer"},
            city={"type": "string", "format": "password"},
            token={"type": "boolean"},
            colour={"type": "string"},
        )
    )
    assert [f.name for f in form.fields if f.secret] == ["a", "b", "apiKey", "pin", "city"]
    assert form.has_secrets


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYWORDS = """type title description default enum enumNames oneOf anyOf const items minItems maxItems minLength maxLength
minimum maximum exclusiveMinimum exclusiveMaximum format $ref"""
keywords = st.sampled_from(KEYWORDS.split())
definitions = st.dictionaries(
    keywords, json_values | st.sampled_from(["string", "number", "integer", "boolean", "array"]), max_size=6
)


@given(properties=st.dictionaries(st.text(max_size=4), definitions, max_size=4), required=json_values)
def test_any_schema_is_read_or_refused_and_never_breaks(properties: dict[str, Any], required: Any) -> None:
    source = {"type": "object", "properties": properties, "required": required}
    try:
        form = parse_schema(source)
    except SchemaError:
        return
    check_form(form, {i: initial_entry(f) for i, f in enumerate(form.fields)})
    default_content(source)


bounded = st.tuples(st.integers(-50, 50), st.integers(0, 60)).map(lambda t: {"minimum": t[0], "maximum": t[0] + t[1]})
lengths = st.tuples(st.integers(0, 4), st.integers(0, 5)).map(lambda t: {"minLength": t[0], "maxLength": t[0] + t[1]})
labels = st.lists(st.text(max_size=4), min_size=1, max_size=5, unique=True)
valid_fields = st.one_of(
    lengths.map(lambda b: {"type": "string"} | b),
    bounded.map(lambda b: {"type": "integer"} | b),
    bounded.map(lambda b: {"type": "number"} | b),
    st.just({"type": "boolean"}),
    labels.map(lambda v: {"type": "string", "enum": v}),
    labels.map(lambda v: {"type": "string", "oneOf": [{"const": c, "title": c} for c in v]}),
    labels.map(lambda v: {"type": "array", "items": {"type": "string", "enum": v}, "maxItems": 2}),
)


@given(data=st.data(), properties=st.dictionaries(st.text(max_size=6), valid_fields, max_size=5))
def test_whatever_passes_the_form_passes_the_schema(data: st.DataObject, properties: dict[str, Any]) -> None:
    required = [name for name in properties if data.draw(st.booleans())]
    source = {"type": "object", "properties": properties, "required": required}
    form = parse_schema(source)
    entries: dict[int, Entry] = {}
    for index, field in enumerate(form.fields):
        choice = st.integers(0, max(len(field.choices) - 1, 0))
        entries[index] = data.draw(
            {
                FieldKind.TEXT: st.text(max_size=8),
                FieldKind.INTEGER: st.integers(-60, 120).map(str) | st.text(max_size=3),
                FieldKind.NUMBER: st.floats(-60, 120).map(repr) | st.text(max_size=3),
                FieldKind.BOOLEAN: st.booleans(),
                FieldKind.CHOICE: choice | st.none(),
                FieldKind.CHOICES: st.frozensets(choice),
            }[field.kind]
        )
    check = check_form(form, entries)
    if not check.problems:
        sent = json.loads(json.dumps(check.content))
        Draft202012Validator(source).validate(sent)
    else:
        assert set(check.problems) <= set(entries)
