"""JSON Schema validation that a hostile schema cannot turn into endless work, files or requests."""

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import islice
from typing import Any, cast

from desktop.tools.strict_json import MAX_DEPTH

MAX_SCHEMA_CHARS = 100_000
MAX_STEPS = 10_000
"""Keyword checks for one call."""
MAX_ERRORS = 3

_APPLIED_IN_PLACE = ("allOf", "anyOf", "oneOf")
_steps_left: ContextVar[list[int]] = ContextVar("steps_left")

Keyword = Callable[[Any, Any, Any, Any], Iterable[Any] | None]


class TooMuchWork(Exception):  # noqa: N818  (a limit, not a fault)
    """A check passed its limit; nothing is known about the arguments."""


@contextmanager
def work_limit() -> Generator[None]:
    """Allow what runs inside ``MAX_STEPS`` steps together; the functions of this module are used in such a block."""
    token = _steps_left.set([MAX_STEPS])
    try:
        yield
    finally:
        _steps_left.reset(token)


def spend_step() -> None:
    """Count one step of work. Raises ``TooMuchWork`` when none is left."""
    steps = _steps_left.get()
    steps[0] -= 1
    if steps[0] < 0:
        raise TooMuchWork


def schema_problem(schema: Mapping[str, Any], *, must_be_object: bool = True) -> str | None:
    """Return why values cannot be checked against this schema, or None when they can.

    Refused are schemas that are too deep or large, that refer to something outside themselves or in a circle, and
    those that are no valid JSON Schema, or, where it ``must_be_object``, not of an object.
    """
    if (problem := _shape_problem(schema)) is not None:
        return problem
    if must_be_object and schema.get("type") != "object":
        return "its schema is not of type object"
    try:
        with work_limit():
            _check_schema(schema)
            return _reference_problem(schema)
    except TooMuchWork:
        return "its schema takes too much work"
    except RecursionError:
        return "its schema refers to itself in a circle"
    except ValueError as error:
        return f"its schema is not valid: {error}"


def first_errors(value: Any, schema: Mapping[str, Any], part: Any = None) -> list[str]:
    """Return the first few ways in which ``value`` does not fit, as texts; empty when it does.

    With ``part`` it is checked against that part of the schema. Raises ``TooMuchWork``.
    """
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    # An explicit empty registry: the default one fetches what a reference names.
    validator = _bounded_class(_is_draft7(schema))(schema, registry=Registry[Any]())
    if part is not None:
        validator = validator.evolve(schema=part)
    try:
        return [_wording(error) for error in islice(validator.iter_errors(value), MAX_ERRORS)]
    except Unresolvable:
        raise TooMuchWork from None


def fits(value: Any, part: Any, schema: Mapping[str, Any]) -> bool:
    """True when ``value`` is valid for ``part`` of ``schema``. Raises ``TooMuchWork``."""
    return not first_errors(value, schema, part)


def resolve(part: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow local references, and an ``allOf`` of one, from ``part``; what says nothing about its value is ``{}``."""
    for _ in range(MAX_DEPTH):
        node = as_mapping(part)
        if node is None:
            break
        wrapped = node.get("allOf")
        if "$ref" in node:
            part = _target(node["$ref"], schema)
        elif isinstance(wrapped, list) and len(parts := cast(list[Any], wrapped)) == 1 and "type" not in node:
            part = parts[0]
        else:
            return node
    return {}


def as_mapping(value: Any) -> Mapping[str, Any] | None:
    """The value if it is an object of JSON, else None."""
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else None


def _shape_problem(schema: Mapping[str, Any]) -> str | None:
    level: list[Any] = [schema]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            break
        if len(level) > MAX_SCHEMA_CHARS:
            return "its schema is too large"
    else:
        return f"its schema is nested deeper than {MAX_DEPTH} levels"
    try:
        size = len(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError):
        return "its schema is not JSON"
    return "its schema is too large" if size > MAX_SCHEMA_CHARS else None


def _reference_problem(root: Mapping[str, Any]) -> str | None:
    """Find references that lead out of the schema, nowhere, or back to where they are without a step into the value."""
    state: dict[int, bool] = {}  # True while a node is being walked, False when it is done

    def circular(node: Mapping[str, Any]) -> bool:
        if id(node) in state:
            return state[id(node)]
        state[id(node)] = True
        children = (as_mapping(child) for child in _in_place(node, root))
        found = any(circular(child) for child in children if child is not None)
        state[id(node)] = False
        return found

    for node in _all_nodes(root):
        if any(name in node for name in ("$dynamicRef", "$recursiveRef")):
            return "its schema uses dynamic references"
        reference = node.get("$ref")
        if isinstance(reference, str) and not isinstance(_target(reference, root), Mapping | bool):
            return f"its schema refers to {reference[:100]}, which is not in it"
    return "its schema refers to itself in a circle" if any(circular(node) for node in _all_nodes(root)) else None


def _in_place(node: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Any]:
    """The schemas that apply to the same value as ``node``."""
    if "$ref" in node:
        yield _target(node["$ref"], root)
    for keyword in _APPLIED_IN_PLACE:
        children = node.get(keyword)
        yield from cast(list[Any], children) if isinstance(children, list) else ()
    for keyword in ("not", "if", "then", "else"):
        yield node.get(keyword)
    dependent = node.get("dependentSchemas")
    yield from cast(Mapping[str, Any], dependent).values() if isinstance(dependent, Mapping) else ()


def _target(reference: Any, root: Mapping[str, Any]) -> Any:
    """What a local JSON pointer such as ``#/$defs/Node`` points at, or None."""
    if reference == "#":
        return root
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    node: Any = root
    for name in reference[2:].split("/"):
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping):
            node = cast(Mapping[str, Any], node).get(name)
        elif isinstance(node, list) and name.isascii() and name.isdigit() and int(name) < len(cast(list[Any], node)):
            node = cast(list[Any], node)[int(name)]
        else:
            return None
    return node


def _all_nodes(node: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(node, Mapping):
        yield cast(Mapping[str, Any], node)
    for child in _children(node):
        yield from _all_nodes(child)


def _children(node: Any) -> list[Any]:
    if isinstance(node, Mapping):
        return list(cast(Mapping[str, Any], node).values())
    return cast(list[Any], node) if isinstance(node, list) else []


def _wording(error: Any) -> str:
    path = ".".join(str(step) for step in error.absolute_path)
    message = str(error.message)
    if error.validator in {"anyOf", "oneOf", "not"}:
        message = "the value fits none of the allowed forms" if error.validator != "not" else "the value is not allowed"
    message = message if len(message) <= 200 else message[:200] + "…"
    return f"{path}: {message}" if path else message


def _is_draft7(schema: Mapping[str, Any]) -> bool:
    return "draft-07" in str(schema.get("$schema", ""))


@cache
def _bounded_class(draft7: bool) -> Any:
    """The validator of JSON Schema 2020-12 (draft 7 where a schema says so) without patterns and with a step limit."""
    from jsonschema import validators

    base: Any = validators.Draft7Validator if draft7 else validators.Draft202012Validator
    keywords: dict[str, Keyword] = {name: _counted(function) for name, function in base.VALIDATORS.items()}
    # Server-chosen regular expressions may take for ever, and with them everything that asks which names they match.
    for name in ("pattern", "patternProperties", "format", "unevaluatedProperties", "unevaluatedItems"):
        keywords[name] = _ignored
    keywords["additionalProperties"] = _counted(_without_patterns(base.VALIDATORS["additionalProperties"]))
    keywords["uniqueItems"] = _counted(_unique)
    return cast(Any, validators).extend(base, keywords)


def _ignored(_validator: Any, _value: Any, _instance: Any, _schema: Any) -> Iterable[Any]:
    return ()


def _counted(function: Keyword) -> Keyword:
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterable[Any]:
        spend_step()
        return function(validator, value, instance, schema) or ()

    return check


def _without_patterns(function: Keyword) -> Keyword:
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterable[Any]:
        return () if "patternProperties" in schema else function(validator, value, instance, schema) or ()

    return check


def _unique(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Iterable[Any]:
    """The library compares all items with each other, which is quadratic; here they are looked up by their JSON."""
    from jsonschema.exceptions import ValidationError

    if not wanted or not isinstance(instance, list):
        return ()
    items = [json.dumps(item, sort_keys=True) for item in cast(list[Any], instance)]
    return () if len(set(items)) == len(items) else (ValidationError("the list holds an item twice"),)


def _check_schema(schema: Mapping[str, Any]) -> None:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import SchemaError

    try:
        # Without formats: that of ``pattern`` would compile every expression, which may take seconds.
        _bounded_class(_is_draft7(schema)).check_schema(schema, format_checker=FormatChecker(formats=()))
    except SchemaError as error:
        raise ValueError(f"{error.message}"[:200]) from None
