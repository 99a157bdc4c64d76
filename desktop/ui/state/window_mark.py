"""What is said below a message of what stands above it: that a summary is sent in its place, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from desktop.conversation.summaries import SummaryProblem, SummaryState


class MarkKind(StrEnum):
    SUMMARY = "summary"
    """What stands above is sent as a summary."""
    OFF = "off"
    """There is a summary of it, which the user does not want sent."""
    STALE = "stale"
    """There was one, of which something was forgotten."""
    NOT_SENT = "not_sent"
    """What stands above, to the summary if there is one, is not sent any more."""


@dataclass(frozen=True)
class WindowMark:
    kind: MarkKind
    problem: SummaryProblem | None = None
    """Why there is no summary of it."""
    is_off: bool = False
    """The user wants none."""
    is_busy: bool = False
    """One is being made."""


def marks_of(state: SummaryState, last_dropped: str | None, *, is_busy: bool) -> Mapping[str, WindowMark]:
    """Return the marks by the message below which each stands. ``last_dropped`` is the last that is sent in no form."""
    marks: dict[str, WindowMark] = {}
    if last_dropped is not None:
        marks[last_dropped] = WindowMark(MarkKind.NOT_SENT, state.problem, state.is_off, is_busy)
    if (summary := state.summary) is not None:
        kind = MarkKind.OFF if state.is_off else MarkKind.SUMMARY if state.in_use is not None else MarkKind.STALE
        marks[summary.until_id] = WindowMark(kind, state.problem, state.is_off, is_busy)
    return marks
