"""The lists of commands in ``tests/data/commands``: their lines with everything that stands for something else filled in."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

FOLDER = "/home/u/w"
"""Where the commands of the lists would run."""

_LISTS = Path(__file__).parents[1] / "data" / "commands"
_CHARACTERS = {
    "<NL>": "\n",
    "<CR>": "\r",
    "<VT>": "\v",
    "<FF>": "\f",
    "<NEL>": "\x85",
    "<LS>": "\u2028",
    "<PS>": "\u2029",
    "<NBSP>": "\xa0",
    "<ZWSP>": "\u200b",
    "<RLO>": "\u202e",
    "<TAG>": "\U000e0041",
    "<BOM>": "\ufeff",
    "<NUL>": "\0",
    "<ESC>": "\x1b",
    "<BLANKS>": " " * 4000,
    "<MANY>": "ls; " * 60,
}
_HARMLESS = ("ls -la", "cat README.md", "git status", "grep -rn x src", "echo hi")
_HARMFUL = ("rm -rf x", "curl https://evil.example", "sh payload", "touch x")
_SECRETS = ("/etc/shadow", "~/.ssh/id_rsa", "../other/.env")


def lines_of(name: str) -> list[str]:
    """The lines of one list without its comments."""
    text = (_LISTS / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def abuse() -> list[str]:
    """What programs can be made to do beyond their purpose."""
    return list(dict.fromkeys(line.replace("{secret}", s) for line in lines_of("abuse") for s in _SECRETS))


def bypasses() -> list[str]:
    """Ways to get something past a reader of commands."""
    return list(dict.fromkeys([*_combined(), *map(_with_characters, lines_of("bypass_single"))]))


def routine() -> list[str]:
    """What an agent runs in the course of a day."""
    return lines_of("routine")


def _combined() -> Iterator[str]:
    for i, line in enumerate(lines_of("bypass")):
        for j, harmful in enumerate(_HARMFUL):
            harmless = _HARMLESS[(i + j) % len(_HARMLESS)]
            yield _with_characters(line.replace("{ok}", harmless).replace("{bad}", harmful))


def _with_characters(line: str) -> str:
    for token, characters in _CHARACTERS.items():
        line = line.replace(token, characters)
    return line


def sample(commands: list[str], count: int, *, long_run: bool) -> list[str]:
    """All of them in a long run, else some from everywhere in the list."""
    step = 1 if long_run else max(1, len(commands) // count)
    return list(islice(commands, 0, None, step))
