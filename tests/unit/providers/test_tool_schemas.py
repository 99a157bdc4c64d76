"""Schemas of tools: whatever a server lists, each endpoint takes what is sent of it, and calls stay right."""

import json
from random import Random
from typing import Any

import pytest

from desktop.core.language_model import ModelRequest, ToolSpec, UserMessage
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import traits_of
from desktop.providers.refusals import Without
from desktop.providers.schema_dialects import gemini_schema, grammar_schema
from desktop.providers.tool_schemas import MAX_SCHEMA_CHARS, UnfitSchemaError, adapted_schema
from desktop.tools.schema_check import schema_problem
from tests.support.hostile_requests import NAMES, TEXTS, schema
from tests.support.strict_messages import problem_of

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


# -- the root ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "sent"),
    [
        ({}, NOTHING),
        ({"type": "object"}, NOTHING),
        ({"type": "object", "properties": None}, NOTHING),
        ({"type": "array", "items": {}}, NOTHING),
        ({"$schema": "s", "$id": "i", "properties": {"a": {"$schema": "s"}}}, of(a={})),
        ({**of(a={"enum": ["x"]}), "required": ["a"]}, {**of(a={"enum": ["x"]}), "required": ["a"]}),
        ({**of(a={}), "required": ["a", "a", "b", 3]}, {**of(a={}, b={}), "required": ["a", "b"]}),
        (of(**{"$ref": {"type": "string"}}), of(**{"$ref": {"type": "string"}})),
    ],
)
def test_the_root_is_an_object_with_properties(listed: dict[str, Any], sent: dict[str, Any]) -> None:
    assert adapted_schema(listed) == sent


def test_choices_at_the_root_become_one_object() -> None:
    """OpenAI and Anthropic refuse them there."""
    one, two = of(a={"type": "string"}, b={"type": "string"}), of(a={"type": "integer"}, c={"type": "string"})
    either = adapted_schema({"anyOf": [{**one, "required": ["a", "b"]}, {**two, "required": ["a"]}]})
    assert either == {
        **of(a={"anyOf": [{"type": "string"}, {"type": "integer"}]}, b={"type": "string"}, c={"type": "string"}),
        "required": ["a"],
    }
    both = adapted_schema({"type": "object", "allOf": [{**one, "required": ["b"]}, {**of(d={}), "required": ["d"]}]})
    assert both == {**of(a={"type": "string"}, b={"type": "string"}, d={}), "required": ["b", "d"]}


# -- references -------------------------------------------------------------------------------------------------


def test_references_are_put_in_place() -> None:
    point = {"type": "object", "properties": {"x": {"$ref": "#/definitions/a~1b%20c"}}}
    listed = {
        **of(p={"$ref": "#/$defs/point", "description": "where"}),
        "$defs": {"point": point},
        "definitions": {"a/b c": {"type": "number"}},
    }
    assert adapted_schema(listed) == of(p={**of(x={"type": "number"}), "description": "where"})


def test_a_schema_that_contains_itself_ends() -> None:
    node = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}
    sent = json.dumps(adapted_schema({**of(root={"$ref": "#/$defs/node"}), "$defs": {"node": node}}))
    assert "$ref" not in sent
    assert 2 <= sent.count("children") <= 4
    assert "$ref" not in json.dumps(adapted_schema(of(parent={"$ref": "#"})))
    assert adapted_schema({**of(a={"$ref": "#/$defs/a"}), "$defs": {"a": {"$ref": "#/$defs/a"}}}) == of(a={})


@pytest.mark.parametrize("reference", ["#/nowhere", "other.json", "https://x.example/s#/a", "#gone", 3])
def test_references_that_lead_nowhere_allow_anything(reference: object) -> None:
    assert adapted_schema(of(a={"$ref": reference, "description": "d"})) == of(a={"description": "d"})


def test_references_that_multiply_do_not_fill_the_memory() -> None:
    definitions = {f"d{i}": of(**{f"p{n}": {"$ref": f"#/$defs/d{i + 1}"} for n in range(10)}) for i in range(20)}
    sent = adapted_schema({**of(a={"$ref": "#/$defs/d0"}), "$defs": definitions})
    assert len(json.dumps(sent)) <= MAX_SCHEMA_CHARS


def test_a_schema_that_is_too_large_loses_its_words_and_its_depth_before_it_is_left_out() -> None:
    wordy = of(**{f"p{i}": {"type": "string", "description": "word " * 200} for i in range(100)})
    sent = adapted_schema(wordy)
    assert set(sent["properties"]) == set(wordy["properties"])
    assert len(json.dumps(sent)) <= MAX_SCHEMA_CHARS
    with pytest.raises(UnfitSchemaError):
        adapted_schema(of(**{f"property_number_{i}": {"type": "string"} for i in range(2_000)}))


# -- single keywords --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "sent"),
    [
        (True, {}),
        ({"type": "int"}, {"type": "integer"}),
        ({"type": "STRING"}, {"type": "string"}),
        ({"type": "any"}, {}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": []}, {}),
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"type": "array", "items": [{"type": "string"}, {"type": "string"}]}, {"type": "array", "items": {"type": "string"}}),
        ({"prefixItems": [{"type": "string"}, {}]}, {"items": {"anyOf": [{"type": "string"}, {}]}}),
        ({"enum": []}, {}),
        ({"enum": [1, 1, 2]}, {"enum": [1, 2]}),
        ({"enum": "a"}, {}),
        ({"pattern": "^(?<!x)y$"}, {"pattern": "^(?<!x)y$"}),
        ({"pattern": "["}, {}),
        ({"pattern": "\\p{L}"}, {}),
        ({"exclusiveMinimum": True, "minimum": 3}, {"exclusiveMinimum": 3}),
        ({"exclusiveMinimum": False, "minimum": 3}, {"minimum": 3}),
        ({"minimum": "3", "minLength": -1, "multipleOf": 0}, {}),
        ({"type": "string", "x-order": 1, "discriminator": {}, "strict": True, "id": "i"}, {"type": "string"}),
        ({"description": 3, "title": " "}, {}),
        ({"default": float("nan")}, {"default": None}),
    ],
)  # fmt: skip
def test_keywords(listed: Any, sent: Any) -> None:
    assert adapted_schema(of(a=listed)) == of(a=sent)


def test_what_can_never_be_is_not_offered() -> None:
    assert adapted_schema(of(a=False, b={})) == of(b={})


# -- the dialects -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "sent"),
    [
        ({"type": ["null", "integer"]}, {"type": "integer", "nullable": True}),
        ({"type": "integer", "exclusiveMinimum": 1, "minimum": 2, "multipleOf": 2}, {"type": "integer", "minimum": 2}),
        ({"type": "string", "format": "uri", "pattern": "^a$", "default": "a", "title": "A"}, {"type": "string"}),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        ({"type": "string", "enum": ["a", "b", None]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": ["a"]}, {"type": "string", "enum": ["a"]}),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"enum": [1, 2], "description": "n"}, {"type": "number", "description": "n One of: 1, 2."}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string", "nullable": True}),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}], "description": "x"},
         {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ({"allOf": [of(a={"type": "string"}), {"required": ["a"], "type": "object"}]},
         {**of(a={"type": "string"}), "required": ["a"]}),
        ({"type": "string", "properties": {"a": {}}}, {"type": "string"}),
        ({"type": "array", "minItems": 1, "uniqueItems": True}, {"type": "array", "items": {"type": "string"}, "minItems": 1}),
        ({"type": "object", "additionalProperties": {"type": "string"}}, NOTHING),
        ({}, {"type": "string"}),
    ],
)  # fmt: skip
def test_gemini_gets_its_few_keywords(listed: dict[str, Any], sent: dict[str, Any]) -> None:
    assert adapted_schema(of(a=listed), reduce=gemini_schema) == of(a=sent)


def test_llama_cpp_gets_what_it_can_make_a_grammar_of() -> None:
    sent = adapted_schema(
        of(
            a={"description": "anything"}, b={"type": "string", "pattern": "x"}, c={"type": "string", "pattern": "^x+$"}
        ),
        reduce=grammar_schema,
    )
    assert len(sent["properties"]["a"]["type"]) == 6
    assert sent["properties"]["b"] == {"type": "string"}
    assert sent["properties"]["c"] == {"type": "string", "pattern": "^x+$"}


def test_anthropic_gets_no_names_of_other_letters() -> None:
    listed = of(路径={"type": "string"}, path={"type": "string"})
    assert adapted_schema(listed, plain_property_names=True) == of(path={"type": "string"})
    with pytest.raises(UnfitSchemaError):
        adapted_schema({**listed, "required": ["路径"]}, plain_property_names=True)
    assert adapted_schema(listed) == listed


# -- anything ---------------------------------------------------------------------------------------------------------

ENDPOINTS = (
    ("https://api.openai.com/v1", "gpt-5.5"),
    ("https://api.anthropic.com/v1", "claude-opus-5"),
    ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash"),
    ("http://127.0.0.1:8080/v1", "llama-3-8b"),
    ("https://gateway.example/v1", "some-model"),
)


@pytest.mark.parametrize(("base_url", "model"), ENDPOINTS)
def test_whatever_servers_list_is_accepted_or_left_out_by_name(base_url: str, model: str, long_run: bool) -> None:
    for seed in (*range(300 if long_run else 60), 1061):
        random = Random(seed)
        tools = tuple(
            ToolSpec(
                name=f"{random.choice(NAMES)}{place}", description=random.choice(TEXTS) * 3, parameters=schema(random)
            )
            for place in range(random.randint(1, 5))
        )
        without = random.choice((frozenset[Without](), frozenset({Without.RICH_SCHEMAS})))
        request = ModelRequest(messages=(UserMessage(text="hi"),), tools=tools)
        built = build_request(request, model, traits_of(base_url, model), without)
        assert problem_of(json.loads(json.dumps(built.body, allow_nan=False))) is None, f"seed {seed}"
        assert len(built.body.get("tools", ())) + len(built.remarks) == len(tools)
        assert all(remark.code == "tool_left_out" for remark in built.remarks)


def test_usual_schemas_keep_what_they_say(long_run: bool) -> None:
    """What a valid schema allows, the schema that is sent allows, too: a right call is never talked out of the model."""
    from jsonschema import Draft202012Validator

    checked = 0
    for seed in range(1_000 if long_run else 300):
        random = Random(seed)
        listed = schema(random)
        if (
            not isinstance(listed, dict)
            or schema_problem(json.loads(json.dumps(listed).replace("NaN", "0"))) is not None
        ):
            continue
        listed = json.loads(json.dumps(listed).replace("NaN", "0").replace("Infinity", "0"))
        try:
            sent = adapted_schema(listed)
        except UnfitSchemaError:
            continue
        for value in ({}, {"a": 1}, {"a": "x", "b": None, "path": []}, {"文件": {"a": [1]}}, {"type": True}):
            if Draft202012Validator(listed).is_valid(value):
                checked += 1
                assert Draft202012Validator(sent).is_valid(value), f"seed {seed}: {value}"
    assert checked > 20
