"""Reads the schema of a server's question into flat fields, and refuses what a form cannot ask honestly."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from desktop.ui.state.secret_words import looks_secret

FIELD_LIMIT = 50
CHOICE_LIMIT = 500
TEXT_LIMIT = 200_000
"""Characters of all names, titles, descriptions, choices and defaults of one form."""
_DIGIT_LIMIT = 300
_LONG_TEXT = 200
_LONG_DEFAULT = 80
_FORMATS = ("email", "uri", "date", "date-time")


class FieldKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CHOICES = "choices"


class SchemaError(ValueError):
    """The schema is not one that a form may ask. ``reason`` is for the log; the answer to the server is cancel."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class FieldChoice:
    """One entry of a selection: the value that is sent and the words that are shown."""

    value: Any
    label: str


@dataclass(frozen=True, kw_only=True)
class FormField:
    """One question. ``name`` is the key exactly as the server wrote it; all texts are untrusted."""

    name: str
    kind: FieldKind
    title: str
    description: str = ""
    required: bool = False
    format: str = ""
    minimum: float | int | None = None
    maximum: float | int | None = None
    exclusive_minimum: bool = False
    exclusive_maximum: bool = False
    min_length: int = 0
    """Least length of a text, or least number of choices."""
    max_length: int | None = None
    choices: tuple[FieldChoice, ...] = ()
    has_default: bool = False
    default: Any = None
    secret: bool = False
    """True when its name, title or description sounds like a password, key, card, or the like."""

    @property
    def multiline(self) -> bool:
        """Whether the text deserves more than one line."""
        default = self.default if isinstance(self.default, str) else ""
        return self.kind is FieldKind.TEXT and (
            max(self.max_length or 0, self.min_length) >= _LONG_TEXT
            or len(default) > _LONG_DEFAULT
            or any(c in default for c in "\n\r\u2028\u2029")
        )


@dataclass(frozen=True)
class FormSchema:
    """All fields in the server's order; none is a form too: it has just its buttons."""

    fields: tuple[FormField, ...]

    @property
    def has_secrets(self) -> bool:
        return any(field.secret for field in self.fields)


def parse_schema(schema: Mapping[str, Any]) -> FormSchema:
    """Return the fields of ``schema``.

    Raises ``SchemaError`` for nested values, too many fields, bounds that contradict each other, and whatever else
    the protocol does not allow in a form. Patterns are ignored: they are the server's own to check.
    """
    properties = schema.get("properties", {})
    if schema.get("type", "object") != "object" or not isinstance(properties, Mapping):
        raise SchemaError("the schema does not describe an object")
    if len(properties) > FIELD_LIMIT:
        raise SchemaError(f"{len(properties)} fields, the limit is {FIELD_LIMIT}")
    required = schema.get("required", [])
    if not isinstance(required, Sequence) or isinstance(required, str) or not all(isinstance(n, str) for n in required):
        raise SchemaError("'required' is not a list of names")
    missing = [name for name in required if name not in properties]
    if missing:
        raise SchemaError(f"required fields are not described: {missing[:5]!r}")
    fields = tuple(
        _parse_field(name, _resolve(definition, schema), name in required) for name, definition in properties.items()
    )
    size = sum(len(f.name) + len(f.title) + len(f.description) + _value_size(f) for f in fields)
    if size > TEXT_LIMIT:
        raise SchemaError(f"{size} characters of text, the limit is {TEXT_LIMIT}")
    return FormSchema(fields)


def _value_size(field: FormField) -> int:
    default = len(field.default) if isinstance(field.default, str) else 0
    return default + sum(len(c.label) + len(str(c.value)) for c in field.choices)


def _resolve(definition: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow one local reference and take 'or null' away: both only restate a flat field."""
    definition = _as_mapping(definition)
    variants = definition.get("anyOf")
    if isinstance(variants, list) and {"type": "null"} in variants:
        others = [v for v in variants if v != {"type": "null"}]
        if len(others) != 1:
            raise SchemaError("a field has several types")
        definition = {**_as_mapping(others[0]), **{k: v for k, v in definition.items() if k != "anyOf"}}
    reference = definition.get("$ref")
    if reference is None:
        return definition
    for keyword in ("$defs", "definitions"):
        prefix = f"#/{keyword}/"
        if isinstance(reference, str) and reference.startswith(prefix):
            target = _as_mapping(_as_mapping(schema.get(keyword)).get(reference[len(prefix) :]))
            if "$ref" not in target:
                return {**target, **{k: v for k, v in definition.items() if k != "$ref"}}
    raise SchemaError("a reference that is not a plain local one")


def _as_mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SchemaError("a field is not described by an object")
    return value


def _parse_field(name: str, definition: Mapping[str, Any], required: bool) -> FormField:
    kind = _kind(definition)
    title = _text(definition, "title") or name
    description = _text(definition, "description")
    common: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "title": title,
        "description": description,
        "required": required,
    }
    match kind:
        case FieldKind.TEXT:
            common |= _text_bounds(definition)
        case FieldKind.NUMBER | FieldKind.INTEGER:
            common |= _number_bounds(definition)
        case FieldKind.CHOICE:
            common["choices"] = _choices(definition)
        case FieldKind.CHOICES:
            common["choices"] = _choices(_as_mapping(definition.get("items")))
            common |= _count_bounds(definition, len(common["choices"]))
        case FieldKind.BOOLEAN:
            pass
    if kind in (FieldKind.TEXT, FieldKind.NUMBER, FieldKind.INTEGER):
        common["secret"] = definition.get("format") == "password" or looks_secret(name, title, description)
    field = FormField(**common)
    default = definition.get("default")
    if "default" in definition and _fits(default, field):
        return FormField(**common, has_default=True, default=default)
    return field


def _kind(definition: Mapping[str, Any]) -> FieldKind:
    declared = definition.get("type")
    if isinstance(declared, list):
        others = [t for t in declared if t != "null"]
        declared = others[0] if len(others) == 1 else declared
    if declared == "array":
        return FieldKind.CHOICES
    if declared in (None, "string", "number", "integer") and any(k in definition for k in ("enum", "oneOf", "const")):
        return FieldKind.CHOICE
    if isinstance(declared, str) and declared in ("string", "number", "integer", "boolean"):
        return FieldKind.TEXT if declared == "string" else FieldKind(declared)
    raise SchemaError(f"a field of type {declared!r}"[:200])


def _text(definition: Mapping[str, Any], key: str) -> str:
    value = definition.get(key, "")
    return value if isinstance(value, str) else ""


def _is_number(value: Any) -> bool:
    """A number that can be shown; whole ones of thousands of digits are Python's alone."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 10**_DIGIT_LIMIT if isinstance(value, int) else math.isfinite(value)


def _bound(definition: Mapping[str, Any], key: str) -> Any:
    value = definition.get(key)
    if value is not None and not _is_number(value):
        raise SchemaError(f"{key!r} is not a number")
    return value


def _count(definition: Mapping[str, Any], key: str) -> int | None:
    value = _bound(definition, key)
    return None if value is None else max(0, int(value))


def _text_bounds(definition: Mapping[str, Any]) -> dict[str, Any]:
    least, most = _count(definition, "minLength") or 0, _count(definition, "maxLength")
    if most is not None and least > most:
        raise SchemaError("the least length is more than the greatest")
    form = definition.get("format")
    return {"min_length": least, "max_length": most, "format": form if form in _FORMATS else ""}


def _number_bounds(definition: Mapping[str, Any]) -> dict[str, Any]:
    bounds: dict[str, Any] = {}
    for side in ("minimum", "maximum"):
        exclusive_key = f"exclusive{side.capitalize()}"
        inclusive, exclusive = _bound(definition, side), _bound(definition, exclusive_key)
        tighter = max if side == "minimum" else min
        if exclusive is not None and (inclusive is None or tighter(inclusive, exclusive) == exclusive):
            bounds |= {side: exclusive, f"exclusive_{side}": True}
        else:
            bounds[side] = inclusive
    least, most = bounds["minimum"], bounds["maximum"]
    if least is not None and most is not None:
        open_ended = bounds.get("exclusive_minimum") or bounds.get("exclusive_maximum")
        if least > most or (least == most and open_ended):
            raise SchemaError("the least value is more than the greatest")
    return bounds


def _count_bounds(definition: Mapping[str, Any], available: int) -> dict[str, Any]:
    least, most = _count(definition, "minItems") or 0, _count(definition, "maxItems")
    if least > available or (most is not None and least > most):
        raise SchemaError("more choices are asked for than there are")
    return {"min_length": least, "max_length": most}


def _choices(definition: Mapping[str, Any]) -> tuple[FieldChoice, ...]:
    values: list[Any]
    labels: list[Any]
    if "enum" in definition:
        values = definition["enum"] if isinstance(definition["enum"], list) else []
        names = definition.get("enumNames")
        labels = names if isinstance(names, list) and len(names) == len(values) else values
    else:
        entries = definition.get("oneOf", definition.get("anyOf", [definition]))
        entries = [_as_mapping(e) for e in entries] if isinstance(entries, list) else []
        if not all("const" in e for e in entries):
            raise SchemaError("a choice without a value")
        values = [e["const"] for e in entries]
        labels = [e.get("title", e["const"]) if e is not definition else e["const"] for e in entries]
    if not values or len(values) > CHOICE_LIMIT:
        raise SchemaError(f"{len(values)} choices, 1 to {CHOICE_LIMIT} are possible")
    if not all(isinstance(v, str | bool) or _is_number(v) for v in values):
        raise SchemaError("a choice that is neither text nor number")
    return tuple(
        FieldChoice(v, label if isinstance(label, str) else str(v)) for v, label in zip(values, labels, strict=True)
    )


def same_value(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; ``true`` is not ``1``."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _fits(default: Any, field: FormField) -> bool:
    """A default of another type than its field is no default."""
    match field.kind:
        case FieldKind.TEXT:
            return isinstance(default, str)
        case FieldKind.NUMBER:
            return _is_number(default)
        case FieldKind.INTEGER:
            return _is_number(default) and (isinstance(default, int) or default.is_integer())
        case FieldKind.BOOLEAN:
            return isinstance(default, bool)
        case FieldKind.CHOICE:
            return any(same_value(default, c.value) for c in field.choices)
        case FieldKind.CHOICES:
            return isinstance(default, list) and all(
                any(same_value(d, c.value) for c in field.choices) for d in default
            )
