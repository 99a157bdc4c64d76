"""What the app takes for the words of a plain command are the words that a real shell hands to its programs."""

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from desktop.tools.harmless import judge
from desktop.tools.plain_words import split_plainly
from tests.support.command_lists import FOLDER, routine, sample

BASH = shutil.which("bash")
_BUILT_IN = {"cd", "echo", "printf", "pwd", "test", "type", "command", "true", "false", ":"}
_RECORDER = """#!/bin/sh
{ printf '%s\\0' "${0##*/}" "$@"; printf '\\n\\0'; } >> "$RECORD.$$"
"""


@pytest.mark.skipif(BASH is None, reason="needs bash")
def test_programs_get_the_words_that_were_judged(tmp_path: Path, long_run: bool) -> None:
    harmless = [command for command in routine() if judge(command, FOLDER).is_harmless and "/usr/bin" not in command]
    assert len(harmless) > 150
    commands = sample([*harmless, *_ODD], 30, long_run=long_run)
    for number, command in enumerate(commands):
        assert judge(command, FOLDER).is_harmless, command
        assert _seen_by_bash(command, tmp_path / str(number)) == _seen_by_us(command), command


_ODD = [
    "grep \"a 'b' c\" x",
    "grep 'a \"b\" c' x",
    "grep a\\ b x",
    'grep "a\\"b\\\\c\\d" x',
    "grep ''x'' \"\"y",
    "ls a'b c'd",
    "ls  -l\tx ;ls y&&ls z",
    "wc -l<x",
    "grep \\$HOME x",
    "grep '$HOME `id` $(id)' x",
    'grep "a;b|c&d" x',
    "ls x 2>/dev/null|wc -l",
    "grep a=b --color=never x",
    "find . \\( -name a -o -name 'b c' \\) ! -empty",
]


def _seen_by_us(command: str) -> Counter[tuple[str, ...]]:
    return Counter(tuple(each.texts) for each in split_plainly(command) if each.texts[0] not in _BUILT_IN)


def _seen_by_bash(command: str, folder: Path) -> Counter[tuple[str, ...]]:
    """Run it with programs that only note down what they get, without looking for files that match patterns."""
    programs, record = folder / "programs", folder / "record"
    programs.mkdir(parents=True)
    for each in split_plainly(command):
        program = programs / each.texts[0]
        if each.texts[0] not in _BUILT_IN and not program.exists():
            program.write_text(_RECORDER)
            program.chmod(0o755)
    for name in ("src", "docs", "tests"):
        (folder / name).mkdir()
    for each in split_plainly(command):
        for source in each.fed_from:
            (folder / source.text).parent.mkdir(parents=True, exist_ok=True)
            (folder / source.text).touch()
    subprocess.run(
        [BASH or "bash", "--noprofile", "--norc", "-f", "-c", command.replace("||", ";").replace("&&", ";")],
        cwd=folder,
        env={"PATH": str(programs), "RECORD": str(record), "LC_ALL": os.environ.get("LC_ALL", "C.UTF-8")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=30,
        check=False,
    )
    calls: Counter[tuple[str, ...]] = Counter()
    for noted in folder.glob("record.*"):
        for call in noted.read_bytes().decode().split("\0\n\0"):
            if call:
                calls[tuple(call.split("\0"))] += 1
    return calls
