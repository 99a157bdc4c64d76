"""How what was asked in a chat ended, and what an answer in a column is at."""

import pytest

from desktop.agent.events import DoneEvent, DoneReason, ErrorEvent, TerminalEvent
from desktop.agent.run import Run
from desktop.conversation.entities import Message, MessageStatus, Role, StartedTurn
from desktop.core.clock import utc_now
from desktop.core.language_model import Usage, Waiting
from desktop.ui.state.answer_progress import Progress, progress_of
from desktop.ui.state.outcomes import Outcome, Outcomes
from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.transcript_state import RowItem, RowState, TextItem, ThinkingItem

HEAD = {"thread_id": "t", "message_id": "m", "seq": 0}
GOOD = DoneEvent(**HEAD, reason=DoneReason.COMPLETED, usage=Usage())
STOPPED = DoneEvent(**HEAD, reason=DoneReason.STOPPED, usage=Usage())
BAD = ErrorEvent(**HEAD, code="model.unreachable")


def ended(question: str, end: TerminalEvent) -> Run:
    def message(message_id: str, role: Role) -> Message:
        return Message(
            id=message_id,
            thread_id="t",
            parent_id=None,
            role=role,
            status=MessageStatus.COMPLETE,
            parts=(),
            created_at=utc_now(),
            updated_at=utc_now(),
        )

    turn = StartedTurn(
        turn_id="x",
        thread_id="t",
        user_message=message(question, Role.USER),
        assistant_message=message("a", Role.ASSISTANT),
    )
    run = Run(turn)
    run.publish(end)
    return run


@pytest.mark.parametrize(
    ("ends", "outcome"),
    [
        ([BAD], Outcome.FAILED),
        ([BAD, GOOD], Outcome.READY),
        ([GOOD, BAD], Outcome.READY),
        ([STOPPED, BAD], Outcome.STOPPED),
        ([BAD, BAD], Outcome.FAILED),
        ([STOPPED, GOOD, BAD], Outcome.READY),
    ],
    ids=["failed", "then-good", "beside-good", "stopped", "all-failed", "all-kinds"],
)
def test_the_best_answer_to_a_message_counts(ends: list[TerminalEvent], outcome: Outcome) -> None:
    outcomes = Outcomes()
    outcomes.note(ended("earlier", GOOD))
    found = [outcomes.note(ended("q", end)) for end in ends]
    assert found[-1] is outcome


def tool(state: ToolState) -> ToolItem:
    return ToolItem(call_id="c", name="s__t", arguments="{}", state=state)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], Progress.WAITING),
        ([ThinkingItem(text="Hm", is_open=True)], Progress.THINKING),
        ([ThinkingItem(text="Hm"), TextItem(text="So", is_open=True)], Progress.WRITING),
        ([tool(ToolState.RUNNING)], Progress.USING_TOOLS),
        ([tool(ToolState.RUNNING), tool(ToolState.WAITING_APPROVAL)], Progress.WAITING_FOR_USER),
    ],
    ids=["waiting", "thinking", "writing", "tools", "user"],
)
def test_what_a_running_answer_is_at(items: list[RowItem], expected: Progress) -> None:
    row = RowState(message_id="m", role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=tuple(items))
    assert progress_of(row) is expected


def test_what_is_waited_for_comes_before_what_was_written_and_an_end_before_all() -> None:
    items = (TextItem(text="So"),)
    waits = RowState(
        message_id="m",
        role=Role.ASSISTANT,
        status=MessageStatus.STREAMING,
        items=items,
        waiting=Waiting(code="rate_limited"),
    )
    assert progress_of(waits) is Progress.WAITING
    for status, expected in (
        (MessageStatus.COMPLETE, Progress.DONE),
        (MessageStatus.STOPPED, Progress.STOPPED),
        (MessageStatus.INTERRUPTED, Progress.STOPPED),
        (MessageStatus.FAILED, Progress.FAILED),
    ):
        assert progress_of(RowState(message_id="m", role=Role.ASSISTANT, status=status, items=items)) is expected
