"""Checks what a tool returned against the schema that the tool itself gives for it; a mismatch is told, never fatal."""

from collections.abc import Mapping
from typing import Any

from desktop.core.tool_content import ItemProblem
from desktop.tools.schema_check import TooMuchWork, first_errors, schema_problem, work_limit

LONGEST_DETAIL = 400


def structured_problem(value: Any, schema: Mapping[str, Any]) -> tuple[ItemProblem, str] | None:
    """Return what is wrong with structured content, and in which way; None when it fits.

    No pattern is ever run and the work is bounded, so that a hostile schema gains nothing; it may take some tenths
    of a second, for which reason it is called off the GUI thread.
    """
    if schema_problem(schema, must_be_object=False) is not None:
        return ItemProblem.NOT_CHECKED, ""
    try:
        with work_limit():
            errors = first_errors(value, schema)
    except (TooMuchWork, RecursionError):
        return ItemProblem.NOT_CHECKED, ""
    return (ItemProblem.SCHEMA, "; ".join(errors)[:LONGEST_DETAIL]) if errors else None
