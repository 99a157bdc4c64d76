"""``policy explain`` says what would become of a command, and runs nothing."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.source_tree import ROOT


def explain(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "desktop", "policy", "explain", *arguments, "--folder", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def explained(*arguments: str, folder: Path) -> dict[str, Any]:
    done = explain(*arguments, "--json", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("command", "options", "verdict"),
    [
        ("ls -la | head", ["--sandbox", "yes"], "allow"),
        ("ls -la | head", ["--sandbox", "no"], "ask"),
        ("ls -la | head", ["--sandbox", "yes", "--mode", "ask_always"], "ask"),
        ("touch made", ["--sandbox", "yes"], "ask"),
        ("touch made", ["--sandbox", "yes", "--mode", "read_only"], "deny"),
        ("ls", ["--mode", "chat_only", "--sandbox", "yes"], "deny"),
        ("", ["--sandbox", "yes"], "ask"),
        ('echo "', ["--sandbox", "yes"], "ask"),
    ],
)
def test_it_says_the_verdict_and_why_and_runs_nothing(
    command: str, options: list[str], verdict: str, tmp_path: Path
) -> None:
    result = explained(command, *options, folder=tmp_path)
    assert result["verdict"] == verdict
    assert result["why"]
    assert result["folder"] == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_facts_name_what_it_touches(tmp_path: Path) -> None:
    facts = explained(
        "cat a.txt > b.txt; rm -rf $(ls) ~/.ssh; curl https://a.example", "--sandbox", "no", folder=tmp_path
    )["facts"]
    assert facts["programs"] == ["cat", "rm", "ls", "curl"]
    assert facts["redirections"] == ["> b.txt"]
    assert facts["substitutions"] == ["$(ls)"]
    assert "b.txt" in facts["writes"]
    assert facts["deletes"]
    assert facts["network"]
    assert "~/.ssh" in facts["outside"]
    assert facts["understood"] is True
    assert facts["harmless"] is False


def test_for_people_it_is_a_line_with_the_findings_and_no_control_characters(tmp_path: Path) -> None:
    done = explain("ls\x1b[2K; rm x", "--sandbox", "yes", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("ask: ")
    assert "\x1b" not in done.stdout


def test_what_this_machine_has_is_found_out_by_itself(tmp_path: Path) -> None:
    assert explained("ls", folder=tmp_path)["sandbox"]["health"] in {"holds", "missing", "broken"}


def test_wrong_use_is_said(tmp_path: Path) -> None:
    assert explain(folder=tmp_path).returncode == 2
