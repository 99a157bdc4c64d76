"""Finds the tool calls in an answer whose whole text is nothing but such calls, as models write them without a parser.

Pure. Prose is never searched: one word beside the calls, or one name that is no tool, and there are none.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from desktop.core.expressions import Expression
from desktop.core.meant_names import meant_name

MAX_CHARS = 200_000


@dataclass(frozen=True, kw_only=True)
class WrittenCall:
    """``name`` is that of a tool offered, ``arguments`` the text of a JSON object."""

    name: str
    arguments: str


@dataclass(frozen=True)
class _Form:
    """How one call, or a list of them, stands between marks. A name in the opening makes what follows its arguments."""

    opening: Expression
    closing: Expression
    is_closed: bool
    """It has a mark at its end."""


def _form(opening: str, closing: str = "") -> _Form:
    return _Form(Expression(rf"\s*+{opening}\s*+"), Expression(rf"\s*+{closing}\s*+"), bool(closing))


_NAME = r"(?P<name>[\w.:/-]+)"
_FORMS = (
    _form("<tool_call>", r"(?:</tool_call>|\Z)"),
    _form("<function_call>", r"(?:</function_call>|\Z)"),
    _form(r"```(?:json|tool_calls?|tool_code|function_call)?", "```"),
    _form(rf"<function={_NAME}>", "</function>"),
    _form(rf"(?:\[TOOL_CALLS\])?\s*+{_NAME}\s*+\[ARGS\]"),
    _form(rf"\[TOOL_CALLS\]\s*+{_NAME}(?=\s*+\{{)"),
    _form(r"\[TOOL_CALLS\]"),
    _form(r"(?:<\|python_tag\|>)?", r"(?:<\|eom_id\|>|<\|eot_id\|>|;)?"),
    _form(
        rf"(?:<\|tool_calls_section_begin\|>)?\s*+<\|tool_call_begin\|>\s*+{_NAME}\s*+<\|tool_call_argument_begin\|>",
        r"<\|tool_call_end\|>\s*+(?:<\|tool_calls_section_end\|>)?",
    ),
    _form(
        rf"(?:<｜tool▁calls▁begin｜>)?\s*+<｜tool▁call▁begin｜>\s*+(?:function<｜tool▁sep｜>)?{_NAME}\s*+(?:<｜tool▁sep｜>|```json)",
        r"(?:```)?\s*+<｜tool▁call▁end｜>\s*+(?:<｜tool▁calls▁end｜>)?",
    ),
)

_TAGGED = Expression(
    r"\s*+(?:<tool_call>\s*+)?<function=(?P<name>[^>\s]+)>(?P<body>.*?)</function>\s*+(?:</tool_call>)?\s*+", re.S
)
_PARAMETER = Expression(r"\s*+<parameter=(?P<name>[^>\s]+)>\n?(?P<value>.*?)\n?</parameter>\s*+", re.S)
_KEYED = Expression(r"\s*+<tool_call>\s*+(?P<name>[\w.:/-]++)\s*+(?P<body>.*?)</tool_call>\s*+", re.S)
_ARGUMENT = Expression(r"\s*+<arg_key>(?P<name>[^<]*+)</arg_key>\s*+<arg_value>(?P<value>.*?)</arg_value>\s*+", re.S)

_NAMES = ("name", "tool_name", "tool", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "tool_input", "input")


class _NoCallError(Exception):
    """The text is something else."""


def calls_in_text(text: str, names: Collection[str]) -> tuple[WrittenCall, ...]:
    """Return the calls that ``text`` consists of; none when it is anything else. ``names`` are the tools offered."""
    if not names or len(text) > MAX_CHARS or not text.strip():
        return ()
    for read in _READERS:
        try:
            calls = tuple(_known(name, arguments, names) for name, arguments in read(text))
        except (_NoCallError, ValueError, RecursionError):
            continue
        if calls:
            return calls
    return ()


def _known(name: str, arguments: Mapping[str, Any], names: Collection[str]) -> WrittenCall:
    meant = meant_name(name, names)
    if meant not in names:
        raise _NoCallError
    written = json.dumps(arguments, ensure_ascii=False)
    written.encode()  # half of a surrogate pair is a ValueError
    return WrittenCall(name=meant, arguments=written)


def _read(form: _Form, text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    place = 0
    while place < len(text):
        opening = form.opening.match(text, place)
        if opening is None:
            raise _NoCallError
        name = opening.groupdict().get("name") or ""
        value, end = _value_at(text, opening.end(), form) if not name else _arguments_at(text, opening.end(), form)
        closing = form.closing.match(text, end)
        if closing is None or closing.end() == place:
            raise _NoCallError
        yield from [(name, _object(value))] if name else _calls_of(value)
        place = closing.end()


def _value_at(text: str, place: int, form: _Form) -> tuple[Any, int]:
    if text[place : place + 1] not in ("{", "["):
        raise _NoCallError
    return _DECODER.raw_decode(text, place)


def _arguments_at(text: str, place: int, form: _Form) -> tuple[Any, int]:
    """The arguments; a call without any may have nothing between its marks."""
    if form.is_closed and form.closing.match(text, place):
        return {}, place
    return _value_at(text, place, form)


def _calls_of(value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _calls_of(item)
        return
    call = _object(value)
    if isinstance(inner := call.get("tool_calls"), list) or isinstance(inner := call.get("function"), Mapping):
        yield from _calls_of(inner)
    else:
        name = next((name for key in _NAMES if isinstance(name := call.get(key), str)), None)
        key = next((key for key in _ARGUMENTS if key in call), None)
        if name is None or key is None:
            raise _NoCallError
        arguments = call[key]
        yield name, _object(_DECODER.decode(arguments) if isinstance(arguments, str) else arguments)


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _NoCallError
    return cast(Mapping[str, Any], value)


def _read_tagged(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Calls whose arguments stand in tags of their own, as Qwen's coders and GLM write them."""
    call_tag, tag = (_KEYED, _ARGUMENT) if "<arg_key>" in text or "<function=" not in text else (_TAGGED, _PARAMETER)
    for call in _tiled(call_tag, text):
        arguments = {each["name"].strip(): _plain(each["value"]) for each in _tiled(tag, call["body"])}
        yield call["name"], arguments


def _tiled(pattern: Expression, text: str) -> Iterator[re.Match[str]]:
    """The matches that follow one another without anything between them."""
    place = 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None or match.end() == place:
            if text[place:].strip():
                raise _NoCallError
            return
        yield match
        place = match.end()


def _plain(value: str) -> Any:
    """A list or an object where the text is one; anything else stays a text, which the tool's schema may mend."""
    if value.strip()[:1] in ("{", "["):
        try:
            return _DECODER.decode(value)
        except ValueError:
            pass
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name is given twice")
    return members


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refused)
_READERS = (*(partial(_read, form) for form in _FORMS), _read_tagged)
