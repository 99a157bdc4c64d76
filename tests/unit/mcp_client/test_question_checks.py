"""The rules for forms and addresses that servers send, without any server."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.mcp_client.elicitation import (
    REFUSED_MARK,
    RefusedQuestionError,
    checked_schema,
    checked_url,
    disarm,
)


def _form(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


GOOD_FIELDS: list[dict[str, Any]] = [
    {"type": "string", "title": "T", "description": "D", "format": "email", "minLength": 1, "maxLength": 5},
    {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"], "default": "a"},
    {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
    {"enum": ["a"]},
    {"type": "number", "minimum": 0, "maximum": 1.5, "default": 0.5},
    {"type": "integer", "minimum": 1, "maximum": 1},
    {"type": "boolean", "default": True},
    {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 0, "maxItems": 2},
    {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}},
]
BAD_FIELDS: list[Any] = [
    {"type": "object", "properties": {}},
    {"type": "banana"},
    {"type": ["string", "null"]},
    {"$ref": "#/$defs/x"},
    {"type": "array"},
    {"type": "array", "items": {"type": "object"}},
    {"type": "array", "items": {"type": "string"}},
    {"type": "string", "minLength": 3, "maxLength": 2},
    {"type": "number", "minimum": 2, "maximum": 1},
    {"type": "number", "minimum": "0"},
    {"type": "array", "items": {"enum": ["a"]}, "minItems": 2, "maxItems": 1},
    {"type": "string", "enum": []},
    {"type": "string", "enum": "abc"},
    {"type": "string", "enum": [{"a": 1}]},
    {"type": "string", "enum": [str(number) for number in range(501)]},
    {"type": "string", "oneOf": [{"title": "A"}]},
    {"type": "string", "properties": {"a": {"type": "string"}}},
    "string",
    None,
]


@pytest.mark.parametrize("field", GOOD_FIELDS)
def test_every_kind_of_field_passes_unchanged(field: dict[str, Any]) -> None:
    checked = checked_schema(_form(f=field))["properties"]["f"]
    assert checked == {"type": "string", **field}


@pytest.mark.parametrize("field", BAD_FIELDS)
def test_other_fields_are_refused(field: Any) -> None:
    with pytest.raises(RefusedQuestionError):
        checked_schema(_form(f=field))


@pytest.mark.parametrize(
    "schema",
    [
        None,
        [],
        {"type": "array"},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {}, "required": ["missing"]},
        {"type": "object", "properties": {}, "required": "x"},
        _form(**{f"f{number}": {"type": "string"} for number in range(51)}),
        {"type": "object", "properties": {}, REFUSED_MARK: "why"},
    ],
)
def test_malformed_forms_are_refused(schema: Any) -> None:
    with pytest.raises(RefusedQuestionError):
        checked_schema(schema)


def test_an_empty_form_and_fifty_fields_are_fine() -> None:
    assert checked_schema({"type": "object", "properties": {}})["properties"] == {}
    assert len(checked_schema(_form(**{f"f{number}": {"type": "string"} for number in range(50)}))["properties"]) == 50


def test_patterns_are_dropped_and_unknown_keywords_at_the_root_too() -> None:
    checked = checked_schema(
        {**_form(f={"type": "string", "pattern": "^(a+)+$"}), "patternProperties": {"^(a+)+$": {}}}
    )
    assert checked == {"type": "object", "properties": {"f": {"type": "string"}}, "required": []}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["type", "properties", "items", "enum", "required", "x"]), inner, max_size=5
            )
        ),
        max_leaves=20,
    )
)
def test_any_schema_is_either_checked_or_refused_never_an_accident(schema: Any) -> None:
    try:
        checked = checked_schema(schema)
    except RefusedQuestionError:
        return
    assert checked == checked_schema(checked)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org:8443/a?b=c#d",
        "http://127.0.0.1:8080/x",
        "http://localhost/x",
        "http://[::1]/x",
        "https://xn--bcher-kva.example/",
    ],
)
def test_good_addresses_pass(url: str) -> None:
    assert checked_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "vbscript:x"),
        *("https://bank.example@evil.example/", "https://user:pass@evil.example/", "https://", "//example.org"),
        *("https://exa\nmple.org", "https://example.org/\x00", "https://example.org/a b", "-https://example.org"),
        *("https:\\\\example.org", "", "x" * 10_000, "https://[::1", "https://example.org:99999/", None, 7),
        *("smb://server/share", "HTTPS ://example.org", "https://example.org/\u0085", "http://127.0.0.1.evil.example/"),
    ],
)
def test_other_addresses_are_refused(url: Any) -> None:
    with pytest.raises(RefusedQuestionError):
        checked_url(url)


def test_disarming_marks_what_the_sdk_should_not_parse() -> None:
    params = {"message": "m" * 2_000_000, "requestedSchema": _form(f={"type": "object"})}
    disarm(params)
    assert params["requestedSchema"]["properties"] == {}
    assert "f" in params["requestedSchema"][REFUSED_MARK]
    assert len(params["message"]) < 1_100_000
    with pytest.raises(RefusedQuestionError, match="kind that forms cannot have"):
        checked_schema(params["requestedSchema"])
    disarm(None)
    disarm(["not", "an", "object"])


def test_nothing_of_a_servers_choosing_is_run_or_fetched() -> None:
    slow = {"pattern": "^(a+)+$", "$ref": "http://127.0.0.1:9/x", "allOf": [{"pattern": "^(a+)+$"}], "not": {}}
    option = {"const": "a", "title": "A", **slow}
    checked = checked_schema(
        {
            **_form(
                text={"type": "string", **slow},
                one={"type": "string", "oneOf": [option]},
                some={"type": "array", "items": {"type": "string", "enum": ["a"], **slow}},
                titled={"type": "array", "items": {"anyOf": [option], **slow}},
            ),
            **slow,
        }
    )
    words = json.dumps(checked)
    assert not [name for name in slow if f'"{name}"' in words]
    assert checked["properties"]["titled"]["items"] == {"anyOf": [{"const": "a", "title": "A"}]}
