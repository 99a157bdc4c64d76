"""Where a chat says what is sent of it: below the end of its summary, and below the last message that is not sent."""

import dataclasses
from datetime import UTC, datetime

from desktop.conversation.summaries import NO_SUMMARY, Summary, SummaryProblem, SummaryState
from desktop.ui.state.window_mark import MarkKind, WindowMark, marks_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SUMMARY = Summary(id="s", thread_id="t", until_id="m5", text="a note", created_at=NOW, updated_at=NOW)


def test_nothing_is_said_while_all_is_sent() -> None:
    assert marks_of(NO_SUMMARY, None, is_busy=False) == {}


def test_the_end_of_the_summary_and_what_fell_out_after_it_are_told_apart() -> None:
    state = SummaryState(summary=SUMMARY, problem=SummaryProblem.EMPTY)
    assert marks_of(state, "m9", is_busy=True) == {
        "m5": WindowMark(MarkKind.SUMMARY, SummaryProblem.EMPTY, is_busy=True),
        "m9": WindowMark(MarkKind.NOT_SENT, SummaryProblem.EMPTY, is_busy=True),
    }


def test_a_summary_that_is_not_sent_says_why() -> None:
    off = SummaryState(summary=SUMMARY, is_off=True)
    assert marks_of(off, None, is_busy=False) == {"m5": WindowMark(MarkKind.OFF, is_off=True)}
    stale = SummaryState(summary=dataclasses.replace(SUMMARY, text="", is_stale=True))
    assert marks_of(stale, None, is_busy=False) == {"m5": WindowMark(MarkKind.STALE)}


def test_without_a_summary_only_what_fell_out_is_marked() -> None:
    state = SummaryState(problem=SummaryProblem.FAILED, is_off=True)
    assert marks_of(state, "m3", is_busy=False) == {
        "m3": WindowMark(MarkKind.NOT_SENT, SummaryProblem.FAILED, is_off=True)
    }
