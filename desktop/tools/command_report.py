"""Reads what the bundled command server reports of a command: how it ended, and what it wrote to its two outputs."""

import re
from dataclasses import dataclass

_ENDING = (
    r"(?P<ending>Exit code: (?P<code>\d+)"
    r"|Ended by signal \d+ \([^)\n]+\)"
    r"|The command timed out after \S+ seconds and was stopped\.)"
)
_REPORT = re.compile(
    _ENDING + r"(?:\n(?P<set_aside>\[(?:Set aside|Do not trust)[^\n]*\](?:\n\[Do not trust[^\n]*\])?))?"
    r"(?:\n(?P<leftovers>\[\d+ process\(es\) that it had left running were ended\.\]))?"
    r"(?:\n\(no output\)|(?:\nstdout:\n(?P<stdout>.*?))?(?:\nstderr:\n(?P<stderr>.*))?)",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class CommandReport:
    """A report in its parts; an output to which nothing was written is None.

    Where the first output contains a line like the label of the second, the rest of it is taken for the second.
    """

    ending: str
    """In the server's words, by the system's word alone."""
    exit_code: int | None
    """None for a command that was stopped."""
    set_aside: str
    """In the server's words, what of a new repository was set aside; mostly empty. It names files."""
    leftovers: str
    """In the server's words, that processes were left running; mostly empty."""
    stdout: str | None
    stderr: str | None


def read_command_report(text: str) -> CommandReport | None:
    """Return the report in ``text``; None for a refusal and whatever else is none."""
    found = _REPORT.fullmatch(text)
    if found is None:
        return None
    code = found["code"]
    return CommandReport(
        ending=found["ending"],
        exit_code=None if code is None else int(code),
        set_aside=found["set_aside"] or "",
        leftovers=found["leftovers"] or "",
        stdout=found["stdout"],
        stderr=found["stderr"],
    )
