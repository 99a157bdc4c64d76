"""What the record says of one call: what was to run, who decided why, and how it ended."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.tools.entities import CallState, Choice, Ending, Finding


class LedgerVerdict(StrEnum):
    """What became of a call in the end, by whomever."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    """It named no tool or had wrong arguments, its question is open, or it was stopped before an answer."""


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """One call. Names, arguments and results are untrusted."""

    number: int
    """Its place in the record: later calls have higher numbers."""
    call_id: str
    thread_id: str
    thread_title: str
    server_id: str
    """Empty for a call that named no tool."""
    name: str
    """The name that the model called."""
    arguments: str
    """As the model wrote them."""
    state: CallState
    reason: str
    """By which rule it was asked or decided: a word of ``policy.Reason``; empty where it came to no decision."""
    decided_by: str
    """``user``, ``grant:ID``, ``policy`` or ``headless``; empty while nothing is decided."""
    choice: Choice | None
    ending: Ending | None
    shown_seconds: float
    noticed: tuple[Finding, ...]
    sandbox: str
    status: str
    """How it ended: a word of ``ReportStatus``; empty while it runs."""
    result: str
    """Its beginning."""
    duration_seconds: float
    proposed_at: datetime
    decided_at: datetime | None
    finished_at: datetime | None
    verdict: LedgerVerdict
