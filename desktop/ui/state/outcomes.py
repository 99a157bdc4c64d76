"""How what was asked in a chat ended: an answer that failed beside one that did not is no failure of the chat."""

from enum import StrEnum

from desktop.agent.events import DoneEvent, DoneReason
from desktop.agent.run import Run


class Outcome(StrEnum):
    READY = "ready"
    STOPPED = "stopped"
    FAILED = "failed"


class Outcomes:
    """Counts the ends of runs, by the message that they answered."""

    def __init__(self) -> None:
        self._of_thread: dict[str, tuple[str, Outcome]] = {}

    def note(self, run: Run) -> Outcome:
        """Take the end of a run, and return how its message is answered by now: the best of its answers counts."""
        question_id, end = run.turn.user_message.id, _end_of(run)
        before = self._of_thread.get(run.thread_id)
        if before is not None and before[0] == question_id:
            order = list(Outcome)
            end = min(end, before[1], key=order.index)
        self._of_thread[run.thread_id] = (question_id, end)
        return end


def _end_of(run: Run) -> Outcome:
    if not isinstance(run.terminal, DoneEvent):
        return Outcome.FAILED
    return Outcome.STOPPED if run.terminal.reason is DoneReason.STOPPED else Outcome.READY
