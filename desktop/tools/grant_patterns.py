"""Permissions for more than one exact call: which program with which options, or which arguments of a tool, never a prefix."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, cast
from urllib.parse import urlsplit

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.tools.doubt import DoubtError
from desktop.tools.path_facts import is_sensitive, is_within
from desktop.tools.plain_words import PlainCommand, split_plainly
from desktop.tools.program_tables import names_of

PARSER_VERSION = 1
"""To be raised when commands are read differently: permissions for programs that were given before then lapse."""

_PROGRAMS = names_of("mkdir touch cp mv rmdir gzip gunzip dos2unix unix2dos")
"""They do what their names say to the files that are named, and nothing else. Nothing that runs code is among them."""
_GIT_COMMANDS = names_of("add commit mv")
_MOST_EQUAL_CHARS = 80
_PATH_LIKE = re.compile(r"[/~\\]|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*:|(?:.*[/\\])?\.\.(?:[/\\]|$)")
_ONE_WORD_PLACE = re.compile(r"\.|\S*[/\\]|\S*\.[^\W\d]")
"""Of a text without blanks: a file as seen from wherever the server is, or a host, also without anything before it."""
_ODD_IN_URL = re.compile(r"[\s\\\x00-\x20\x7f]|[^\x00-\x7f]")


class ArgumentTest(StrEnum):
    UNDER_FOLDER = "under_folder"
    HOST = "host"
    EQUALS = "equals"


@dataclass(frozen=True, kw_only=True)
class ArgumentRule:
    """What one argument must be: a path under the folder ``value``, an address at that host, or exactly that text."""

    name: str
    test: ArgumentTest
    value: str


@dataclass(frozen=True, kw_only=True)
class ArgumentPattern:
    """Covers calls of one tool with no other arguments than ``names``, in which each rule holds.

    Arguments without a rule may be anything that is neither a path nor an address.
    """

    names: tuple[str, ...]
    rules: tuple[ArgumentRule, ...]

    def covers(self, arguments: Mapping[str, Any]) -> bool:
        if not self.rules or not set(arguments) <= set(self.names):
            return False
        ruled = {rule.name for rule in self.rules}
        others = [value for name, value in arguments.items() if name not in ruled]
        return all(_holds(rule, arguments.get(rule.name)) for rule in self.rules) and not any(
            _may_be_place(text) for text in _strings(others)
        )


@dataclass(frozen=True, kw_only=True)
class CommandPattern:
    """Covers one program with these options or fewer, on files within the folder it was given for."""

    program: str
    subcommand: str = ""
    flags: tuple[str, ...] = ()
    folder: str = ""

    def covers(self, command: str, folder: str) -> bool:
        if not self.program or not self.folder or folder != self.folder:
            return False
        try:
            (only,) = split_plainly(command)
            found = _pattern_of(only, folder)
        except (DoubtError, ValueError):
            return False
        return (found.program, found.subcommand) == (self.program, self.subcommand) and set(found.flags) <= set(
            self.flags
        )


GrantPattern = CommandPattern | ArgumentPattern
NOTHING = CommandPattern(program="")
"""Covers nothing: stands for what was stored and cannot be read."""


PATTERN_TEXTS: Mapping[str, str] = {
    "program": QT_TRANSLATE_NOOP("grants", "“{program}” on files in this folder"),
    "program_with_options": QT_TRANSLATE_NOOP("grants", "“{program}” with {options} on files in this folder"),
    ArgumentTest.UNDER_FOLDER: QT_TRANSLATE_NOOP("grants", "this tool within {value}"),
    ArgumentTest.HOST: QT_TRANSLATE_NOOP("grants", "this tool at {value}"),
    ArgumentTest.EQUALS: QT_TRANSLATE_NOOP("grants", "this tool where {name} is “{value}”"),
}
"""The words for a pattern; what stands in braces is untrusted: shown through ``visible_text.reveal``."""


def pattern_words(pattern: GrantPattern) -> tuple[str, Mapping[str, str]]:
    """Return the name of the words in ``PATTERN_TEXTS`` and what goes into their braces."""
    if isinstance(pattern, CommandPattern):
        program = f"{pattern.program} {pattern.subcommand}".strip()
        key = "program_with_options" if pattern.flags else "program"
        return key, {"program": program, "options": " ".join(pattern.flags)}
    rule = pattern.rules[0]
    return rule.test, {"name": rule.name, "value": rule.value}


def command_pattern(command: str, folder: str) -> CommandPattern | None:
    """Return the pattern that may be offered for a command; None where only the exact text can be allowed."""
    try:
        (only,) = split_plainly(command)
        return _pattern_of(only, folder)
    except (DoubtError, ValueError):
        return None


def argument_patterns(arguments: Mapping[str, Any]) -> tuple[ArgumentPattern, ...]:
    """Return the patterns that may be offered for a call of a tool: by folder, by host, or by one short text."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    names = tuple(sorted(arguments))
    paths = {name: value for name, value in texts.items() if os.path.isabs(value) and "\n" not in value}
    hosts = {name: host for name, value in texts.items() if (host := _host_of(value))}
    rules: list[ArgumentRule] = []
    if paths:
        folder = os.path.commonpath([os.path.dirname(os.path.normpath(path)) for path in paths.values()])
        if _is_too_much(folder):
            return ()
        rules += [ArgumentRule(name=name, test=ArgumentTest.UNDER_FOLDER, value=folder) for name in paths]
    rules += [ArgumentRule(name=name, test=ArgumentTest.HOST, value=host) for name, host in hosts.items()]
    if not rules and len(arguments) > 1:
        short = ((n, v) for n, v in texts.items() if 0 < len(v) <= _MOST_EQUAL_CHARS and v.isprintable())
        rules += [ArgumentRule(name=n, test=ArgumentTest.EQUALS, value=v) for n, v in list(short)[:1]]
    pattern = ArgumentPattern(names=names, rules=tuple(rules))
    return (pattern,) if pattern.covers(arguments) else ()


def to_json(pattern: GrantPattern) -> str:
    kind = "command" if isinstance(pattern, CommandPattern) else "arguments"
    return json.dumps({"kind": kind, **asdict(pattern)}, ensure_ascii=False)


def from_json(text: str) -> GrantPattern:
    """Return the pattern; what cannot be read covers ``NOTHING``."""
    try:
        data = cast(dict[str, Any], json.loads(text))
        if data.pop("kind") == "command":
            return CommandPattern(
                program=str(data["program"]),
                subcommand=str(data["subcommand"]),
                flags=tuple(map(str, data["flags"])),
                folder=str(data["folder"]),
            )
        rules = tuple(
            ArgumentRule(name=str(rule["name"]), test=ArgumentTest(rule["test"]), value=str(rule["value"]))
            for rule in data["rules"]
        )
        return ArgumentPattern(names=tuple(map(str, data["names"])), rules=rules)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return NOTHING


def _pattern_of(command: PlainCommand, folder: str) -> CommandPattern:
    """Raises ``DoubtError`` for a command that only its exact text can stand for."""
    if command.fed_from or command.written_to or any(word.has_glob for word in command.words) or not folder:
        raise DoubtError("it is more than a program with files")
    program, *rest = command.texts
    subcommand = ""
    if program == "git" and rest and rest[0] in _GIT_COMMANDS:
        subcommand = rest.pop(0)
    elif program not in _PROGRAMS:
        raise DoubtError(f"{program} is no program for which there are such permissions")
    flags = sorted({word for word in rest if word.startswith("-")})
    if "--" in flags or "-" in flags or not all(_is_inside(word, folder) for word in rest if not word.startswith("-")):
        raise DoubtError("not all its files are in the folder")
    return CommandPattern(program=program, subcommand=subcommand, flags=tuple(flags), folder=folder)


def _is_inside(text: str, folder: str) -> bool:
    path = os.path.normpath(os.path.join(folder, text))
    root = os.path.normpath(folder)
    is_below = is_within(path, root, os.sep)
    return is_below and not text.startswith("~") and not is_sensitive(os.path.relpath(path, root))


def _holds(rule: ArgumentRule, value: Any) -> bool:
    if not isinstance(value, str):
        return False
    match rule.test:
        case ArgumentTest.EQUALS:
            return value == rule.value
        case ArgumentTest.HOST:
            return bool(rule.value) and _host_of(value) == rule.value
        case ArgumentTest.UNDER_FOLDER:
            return _is_under(value, rule.value)


def _is_under(path: str, folder: str) -> bool:
    """True for a path below the folder, also when every link on the way is followed."""
    if not os.path.isabs(path) or not path.isprintable() or ".." in re.split(r"[/\\]", path):
        return False
    written = os.path.normpath(path), os.path.normpath(folder)
    followed = os.path.realpath(path), os.path.realpath(folder)
    return is_within(*written, os.sep) and is_within(*followed, os.sep)


def _host_of(text: str) -> str:
    """The host, with its port, of a plain web address; empty for everything else."""
    if _ODD_IN_URL.search(text):
        return ""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc or not parts.hostname:
        return ""
    return parts.hostname if port is None else f"{parts.hostname}:{port}"


def _may_be_place(text: str) -> bool:
    is_one_word = len(text.split()) == 1
    return bool(_PATH_LIKE.match(text) or (is_one_word and (_ONE_WORD_PLACE.match(text) or is_sensitive(text))))


def _is_too_much(folder: str) -> bool:
    home = os.path.expanduser("~")
    return folder in {os.path.sep, home, os.path.dirname(home)} or is_sensitive(folder)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value.strip()
    elif isinstance(value, Mapping):
        for key, item in cast(Mapping[str, Any], value).items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _strings(item)
