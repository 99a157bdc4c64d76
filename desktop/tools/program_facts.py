"""What one program with its arguments does, and which other commands it is told to run."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop.tools import findings as names
from desktop.tools import program_tables as tables
from desktop.tools.entities import Finding
from desktop.tools.findings import finding
from desktop.tools.program_rules import RULES, interpreter_facts
from desktop.tools.shell_syntax import Word


@dataclass(frozen=True)
class Inner:
    """Another command that the program runs: words, or text for a shell (None: not known before it runs)."""

    words: tuple[Word, ...] = ()
    code: str | None = None
    is_code: bool = False


MAX_INNER = 10

_SETS = (
    (names.DELETES, True, tables.DELETING),
    (names.WRITES, False, tables.WRITING),
    (names.NETWORK, False, tables.NETWORK),
    (names.PRIVILEGE, True, tables.PRIVILEGE | tables.SYSTEM_ENDING),
    (names.ENDS_PROCESSES, False, tables.PROCESS_ENDING | tables.SYSTEM_ENDING),
    (names.STARTS_OTHERS, False, tables.STARTING_OTHERS | {"xargs", "parallel"}),
    (names.BACKGROUND, False, tables.BACKGROUND),
    (names.ENDLESS, False, tables.ENDLESS),
)


def program_name(literal: str) -> str:
    """The name by which the tables know a program: without folder, version and ``.exe``, in lower case."""
    name = re.split(r"[/\\]", literal)[-1].lower().removesuffix(".exe")
    plain = re.sub(r"[\d.]+$", "", name)
    return plain if plain in tables.INTERPRETERS or plain in {"pip"} else name


def facts_of(name: str, arguments: Sequence[Word], *, reads_pipe: bool) -> Iterator[Finding]:
    """Yield what the tables and rules say of program ``name``."""
    values = [word.literal if word.literal is not None else word.raw for word in arguments]
    for code, severe, members in _SETS:
        if name in members:
            yield finding(code, severe=severe)
    if (rule := RULES.get(name)) is not None:
        yield from rule(name, values, reads_pipe)
    elif name in tables.INTERPRETERS:
        yield from interpreter_facts(name, values, reads_pipe)


def inner_commands(name: str, arguments: Sequence[Word]) -> Iterator[Inner]:
    """Yield the commands that program ``name`` is told to run by its arguments."""
    if name in tables.SHELLS or name == "su":
        yield from _shell_code(arguments)
    elif name in {"eval", "trap", "watch", "parallel"} and arguments:
        words = arguments[:1] if name == "trap" else arguments
        parts = [word.literal for word in words]
        yield Inner(code=None if None in parts else " ".join(part or "" for part in parts), is_code=True)
    elif name == "find":
        yield from _find_commands(arguments)
    elif name == "alias":
        for word in arguments:
            if word.literal is None or "=" in word.literal:
                yield Inner(code=None if word.literal is None else word.literal.partition("=")[2], is_code=True)
    elif name in tables.WRAPPERS:
        yield from _wrapped(name, arguments)


def _wrapped(name: str, arguments: Sequence[Word]) -> Iterator[Inner]:
    valued, leading = tables.WRAPPERS[name]
    rest = list(arguments)
    while rest:
        value = rest[0].literal
        if value is None:
            break
        if name == "env" and (value in {"-S", "--split-string"} or value.startswith(("-S", "--split-string="))):
            attached = value.removeprefix("--split-string=").removeprefix("-S")
            code = attached or (rest[1].literal if len(rest) > 1 else None)
            yield Inner(code=code, is_code=True)
            return
        if value == "--":
            rest = rest[1:]
            break
        if value in valued:
            rest = rest[2:]
        elif value.startswith("-") or (name in {"env", "sudo", "doas"} and re.match(r"\w+=", value)):
            rest = rest[1:]
        else:
            break
    rest = rest[leading:]
    if rest:
        yield Inner(words=tuple(rest))


def _shell_code(arguments: Sequence[Word]) -> Iterator[Inner]:
    for i, word in enumerate(arguments):
        if word.literal is not None and re.fullmatch(r"-[a-zA-Z]*c|--command", word.literal):
            yield Inner(code=arguments[i + 1].literal if i + 1 < len(arguments) else None, is_code=True)
            return


def _find_commands(arguments: Sequence[Word]) -> Iterator[Inner]:
    starts = [i + 1 for i, word in enumerate(arguments) if word.literal in {"-exec", "-execdir", "-ok", "-okdir"}]
    for start in starts[:MAX_INNER]:
        end = next((j for j in range(start, len(arguments)) if arguments[j].literal in {";", "+"}), len(arguments))
        if end > start:
            yield Inner(words=tuple(arguments[start:end]))
    if len(starts) > MAX_INNER:
        yield Inner(is_code=True)
