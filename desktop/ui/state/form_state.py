"""What a person entered in a server's form: from raw entries to the JSON values that are sent, or named problems."""

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from desktop.ui.state.form_schema import FieldKind, FormField, FormSchema, SchemaError, parse_schema, same_value

Entry = str | bool | int | frozenset[int] | None
"""Text of a text or number field; a tick; the index of a choice or None; the indexes of several choices."""

_DIGIT_LIMIT = 300
_EMAIL = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[^\s@<>,;:\"()\[\]\\.]+(\.[^\s@<>,;:\"()\[\]\\.]+)+")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_DATE_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})",
    re.ASCII,
)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class ProblemCode(StrEnum):
    REQUIRED = "required"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOT_A_NUMBER = "not_a_number"
    NOT_WHOLE = "not_whole"
    TOO_SMALL = "too_small"
    NOT_ABOVE = "not_above"
    TOO_LARGE = "too_large"
    NOT_BELOW = "not_below"
    BAD_EMAIL = "bad_email"
    BAD_URI = "bad_uri"
    BAD_DATE = "bad_date"
    BAD_DATE_TIME = "bad_date_time"
    TOO_FEW_CHOICES = "too_few_choices"
    TOO_MANY_CHOICES = "too_many_choices"
    UNSENDABLE = "unsendable"


@dataclass(frozen=True)
class Problem:
    """Why an entry cannot be sent; ``limit`` is the bound that it breaks, where there is one."""

    code: ProblemCode
    limit: int | float | None = None


@dataclass(frozen=True)
class FormCheck:
    """The outcome of a look at all entries: ``content`` is complete only when there are no problems (by index)."""

    content: dict[str, Any] = field(default_factory=dict[str, Any])
    problems: dict[int, Problem] = field(default_factory=dict[int, Problem])


class _Invalid(Exception):  # noqa: N818 -- control flow inside this module
    def __init__(self, code: ProblemCode, limit: int | float | None = None) -> None:
        super().__init__(code)
        self.problem = Problem(code, limit)


_ABSENT = object()


def initial_entry(form_field: FormField) -> Entry:
    """Return what the control of this field shows at first: its default, or nothing."""
    default = form_field.default if form_field.has_default else None
    match form_field.kind:
        case FieldKind.TEXT:
            return default or ""
        case FieldKind.NUMBER | FieldKind.INTEGER:
            return "" if default is None else _number_text(default, form_field.kind)
        case FieldKind.BOOLEAN:
            return bool(default)
        case FieldKind.CHOICE:
            chosen = (i for i, c in enumerate(form_field.choices) if same_value(c.value, default))
            return next(chosen, None)
        case FieldKind.CHOICES:
            return frozenset(
                i for i, c in enumerate(form_field.choices) if any(same_value(c.value, d) for d in default or ())
            )


def check_form(schema: FormSchema, entries: Mapping[int, Entry]) -> FormCheck:
    """Check every field; ``entries`` holds one entry for each index."""
    content: dict[str, Any] = {}
    problems: dict[int, Problem] = {}
    for index, form_field in enumerate(schema.fields):
        value, problem = check_field(form_field, entries[index])
        if problem is not None:
            problems[index] = problem
        elif value is not _ABSENT:
            content[form_field.name] = value
    return FormCheck(content, problems)


def check_field(form_field: FormField, entry: Entry) -> tuple[Any, Problem | None]:
    """Return the JSON value and no problem, or a problem; a value that is not to be sent is a private mark."""
    try:
        return _value(form_field, entry), None
    except _Invalid as invalid:
        return None, invalid.problem


def default_content(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the answer made of the defaults alone, or None where a required field has none that is valid."""
    try:
        form = parse_schema(schema)
    except SchemaError:
        return None
    content: dict[str, Any] = {}
    for form_field in form.fields:
        if not form_field.has_default:
            if form_field.required:
                return None
            continue
        value, problem = check_field(form_field, initial_entry(form_field))
        if problem is not None:
            return None
        if value is not _ABSENT:
            content[form_field.name] = value
    return content


def _value(form_field: FormField, entry: Entry) -> Any:
    match form_field.kind:
        case FieldKind.TEXT:
            return _text_value(form_field, str(entry))
        case FieldKind.NUMBER | FieldKind.INTEGER:
            return _number_value(form_field, str(entry))
        case FieldKind.BOOLEAN:
            return bool(entry)
        case FieldKind.CHOICE:
            if isinstance(entry, int) and not isinstance(entry, bool):
                return form_field.choices[entry].value
            return _nothing(form_field)
        case FieldKind.CHOICES:
            return _chosen_values(form_field, entry if isinstance(entry, frozenset) else frozenset())


def _nothing(form_field: FormField) -> Any:
    if form_field.required:
        raise _Invalid(ProblemCode.REQUIRED)
    return _ABSENT


def _text_value(form_field: FormField, text: str) -> Any:
    if not text:
        # An empty text is an answer only where the server's own default is one, or was taken away on purpose.
        may_be_empty = form_field.has_default and not form_field.min_length and not form_field.format
        if may_be_empty and (not form_field.required or form_field.default == ""):
            return text
        return _nothing(form_field)
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise _Invalid(ProblemCode.UNSENDABLE)
    if form_field.format:
        return _formatted(form_field, text.strip())
    return _within_length(form_field, text)


def _within_length(form_field: FormField, text: str) -> str:
    if len(text) < form_field.min_length:
        raise _Invalid(ProblemCode.TOO_SHORT, form_field.min_length)
    if form_field.max_length is not None and len(text) > form_field.max_length:
        raise _Invalid(ProblemCode.TOO_LONG, form_field.max_length)
    return text


def _formatted(form_field: FormField, text: str) -> str:
    checks = {
        "email": (_is_email, ProblemCode.BAD_EMAIL),
        "uri": (_is_uri, ProblemCode.BAD_URI),
        "date": (_is_date, ProblemCode.BAD_DATE),
        "date-time": (_is_date_time, ProblemCode.BAD_DATE_TIME),
    }
    is_valid, code = checks[form_field.format]
    if not is_valid(text):
        raise _Invalid(code)
    return _within_length(form_field, text)


def _is_email(text: str) -> bool:
    return len(text) <= 320 and _EMAIL.fullmatch(text) is not None


def _is_uri(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return False
    if any(c.isspace() or unicodedata.category(c) == "Cc" for c in text):
        return False
    return bool(parts.scheme) and bool(parts.netloc or (parts.path and parts.scheme not in ("http", "https")))


def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _is_date_time(text: str) -> bool:
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        return False
    day, clock, _, zone = match.groups()
    try:
        datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone in 'Zz' else zone}")
    except ValueError:
        return False
    return True


def _number_text(value: int | float, kind: FieldKind) -> str:
    if kind is FieldKind.INTEGER:
        value = int(value)
    return repr(value)


def _plain_number(text: str) -> str:
    """Fold what a Chinese input method writes (１２．５, －3) and blanks around."""
    return unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("。", ".").strip()


def _number_value(form_field: FormField, text: str) -> Any:
    plain = _plain_number(text)
    if not plain:
        return _nothing(form_field)
    if len(plain) > _DIGIT_LIMIT:
        raise _Invalid(ProblemCode.TOO_LONG, _DIGIT_LIMIT)
    value: int | float
    if _WHOLE.fullmatch(plain):
        value = int(plain)
    elif _DECIMAL.fullmatch(plain):
        if form_field.kind is FieldKind.INTEGER:
            raise _Invalid(ProblemCode.NOT_WHOLE)
        value = float(plain)
        if not math.isfinite(value):
            raise _Invalid(ProblemCode.NOT_A_NUMBER)
    else:
        raise _Invalid(ProblemCode.NOT_WHOLE if form_field.kind is FieldKind.INTEGER else ProblemCode.NOT_A_NUMBER)
    return _within_range(form_field, value)


def _within_range(form_field: FormField, value: int | float) -> int | float:
    least, most = form_field.minimum, form_field.maximum
    if least is not None and (value < least or (form_field.exclusive_minimum and value == least)):
        raise _Invalid(ProblemCode.NOT_ABOVE if form_field.exclusive_minimum else ProblemCode.TOO_SMALL, least)
    if most is not None and (value > most or (form_field.exclusive_maximum and value == most)):
        raise _Invalid(ProblemCode.NOT_BELOW if form_field.exclusive_maximum else ProblemCode.TOO_LARGE, most)
    return value


def _chosen_values(form_field: FormField, chosen: frozenset[int]) -> Any:
    if not chosen and not form_field.required and (form_field.min_length or not form_field.has_default):
        return _ABSENT
    if len(chosen) < form_field.min_length:
        raise _Invalid(ProblemCode.TOO_FEW_CHOICES, form_field.min_length)
    if form_field.max_length is not None and len(chosen) > form_field.max_length:
        raise _Invalid(ProblemCode.TOO_MANY_CHOICES, form_field.max_length)
    return [form_field.choices[index].value for index in sorted(chosen)]
