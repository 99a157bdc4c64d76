"""Why a command cannot be held in a sandbox, or cannot run in a folder: names, and their words in English.

The UI translates the words (context ``sandbox``) and fills ``{detail}``, which is a path or what a program said.
"""

from collections.abc import Mapping
from typing import NamedTuple

from desktop.core.error_text import QT_TRANSLATE_NOOP

PROBLEMS: Mapping[str, str] = {
    "none": QT_TRANSLATE_NOOP("sandbox", "This system has no sandbox."),
    "only_on_linux": QT_TRANSLATE_NOOP("sandbox", "There is a sandbox for commands only on Linux."),
    "not_installed": QT_TRANSLATE_NOOP("sandbox", "The program bubblewrap is not installed."),
    "not_the_systems": QT_TRANSLATE_NOOP("sandbox", "{detail} could be changed by others than the system."),
    "unknown_machine": QT_TRANSLATE_NOOP("sandbox", "There is no sandbox for this kind of processor ({detail})."),
    "no_bash": QT_TRANSLATE_NOOP("sandbox", "The program bash is not installed."),
    "does_not_start": QT_TRANSLATE_NOOP("sandbox", "The sandbox does not start: {detail}"),
    "leaks": QT_TRANSLATE_NOOP("sandbox", "A trial showed that the sandbox does not hold: {detail}"),
    "not_absolute": QT_TRANSLATE_NOOP("sandbox", "“{detail}” does not say which folder is meant."),
    "gone": QT_TRANSLATE_NOOP("sandbox", "The folder {detail} does not exist."),
    "not_yours": QT_TRANSLATE_NOOP("sandbox", "The folder {detail} belongs to somebody else."),
    "is_link": QT_TRANSLATE_NOOP("sandbox", "{detail} is a link that leads elsewhere."),
    "too_much": QT_TRANSLATE_NOOP("sandbox", "{detail} holds more than a command should be able to change."),
    "holds_data": QT_TRANSLATE_NOOP("sandbox", "The data of Threadwell lies in {detail}."),
    "holds_programs": QT_TRANSLATE_NOOP("sandbox", "{detail} holds programs that are run without a sandbox."),
    "too_many_repositories": QT_TRANSLATE_NOOP("sandbox", "{detail} holds too many repositories to protect each."),
    "too_many_files": QT_TRANSLATE_NOOP(
        "sandbox", "{detail} holds too many files to look through before each command."
    ),
}


class SandboxProblem(NamedTuple):
    """``code`` is a name of ``PROBLEMS``."""

    code: str
    detail: str = ""

    @property
    def english(self) -> str:
        return PROBLEMS[self.code].replace("{detail}", self.detail)


class SandboxError(OSError):
    """No sandbox was made, so nothing was run."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.problem = SandboxProblem(code, detail)
        super().__init__(self.problem.english)
