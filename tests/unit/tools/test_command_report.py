"""What the bundled server reports of a command is read back in its parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.repositories import SetAside
from desktop.servers.shell import CommandOutcome
from desktop.tools.command_report import CommandReport, read_command_report

OUTPUTS = st.text(st.sampled_from("ab \n:好`"), max_size=30) | st.sampled_from(["stdout:\nx", "Exit code: 1", "{}"])


ASIDE = st.tuples(st.text(st.sampled_from("a/]\n ,."), min_size=1, max_size=9)) | st.just(()) | st.just(("a",) * 7)


@given(st.integers(-64, 255) | st.none(), OUTPUTS, OUTPUTS, st.integers(0, 3), ASIDE, ASIDE)
def test_every_report_is_read(
    code: int | None, stdout: str, stderr: str, leftovers: int, gone: tuple[str, ...], failed: tuple[str, ...]
) -> None:
    outcome = CommandOutcome(
        exit_code=code,
        stdout=stdout,
        stderr=stderr,
        timeout_seconds=2.5,
        leftovers=leftovers,
        set_aside=SetAside(gone, failed),
    )
    text = outcome.text()
    ending, *more = text.splitlines()
    aside = bool(gone) + bool(failed)
    assert read_command_report(text) == CommandReport(
        ending=ending,
        exit_code=code if code is not None and code >= 0 else None,
        set_aside="\n".join(more[:aside]),
        leftovers=more[aside] if leftovers else "",
        stdout=stdout.rstrip() if stdout else None,
        stderr=stderr.rstrip() if stderr else None,
    )


@pytest.mark.parametrize(
    "text", ["", "User denied command execution.", "Exit code: 0 and more", "stdout:\nx", "exit code: 1\n(no output)"]
)
def test_other_texts_are_no_reports(text: str) -> None:
    assert read_command_report(text) is None
