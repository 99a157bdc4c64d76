"""Checks a call's arguments against the tool's schema, mending what is unambiguous, before anybody is asked.

Nothing a server says costs more than a bounded amount of work: no pattern is ever run, nothing is fetched, and depth,
size and steps have limits. Every refusal is a short text that a model can act upon.
"""

from collections.abc import Mapping
from typing import Any, cast

from desktop.tools.argument_mending import mend
from desktop.tools.schema_check import TooMuchWork, first_errors, work_limit
from desktop.tools.strict_json import UnreadableJson, read_json


class BadArguments(Exception):  # noqa: N818  (a refusal, worded for the model)
    """The arguments cannot be used; the text says why. ``unreadable`` when they are no JSON object at all."""

    def __init__(self, text: str, *, unreadable: bool = False) -> None:
        super().__init__(text)
        self.unreadable = unreadable


def prepare_arguments(raw: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments in the JSON text ``raw``, mended and valid for ``schema``. Raises ``BadArguments``.

    Empty text and ``null`` stand for no arguments. An object that was encoded twice is decoded twice. Defaults are
    left to the server.
    """
    try:
        arguments = _read_object(raw)
    except UnreadableJson as error:
        raise BadArguments(f"The arguments cannot be used: {error}.", unreadable=True) from None
    try:
        with work_limit():
            mended = mend(arguments, schema)
            errors = first_errors(mended, schema)
    except (TooMuchWork, RecursionError):
        raise BadArguments("The arguments are too complex to be checked. Send simpler ones.") from None
    if errors:
        raise BadArguments("The arguments do not fit the tool: " + "; ".join(errors) + ".")
    return cast(dict[str, Any], mended)


def _read_object(raw: str) -> dict[str, Any]:
    value = read_json(raw) if raw.strip() else None
    if isinstance(value, str):
        value = read_json(value) if value.strip() else None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnreadableJson("they must be one JSON object")
    return cast(dict[str, Any], value)
