"""What the app itself notices about a call before anybody is asked: for the approval dialog, never a permission.

The codes of the findings, and their words, stand in ``findings``. What could not be taken apart is said so; what is
not reported may still be there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from desktop.tools import findings as names
from desktop.tools import program_tables as tables
from desktop.tools.entities import Finding, ToolDescriptor
from desktop.tools.findings import FINDING_TEXTS
from desktop.tools.path_facts import is_outside, is_sensitive, is_system_program, urls_in
from desktop.tools.program_facts import Inner, facts_of, inner_commands, program_name
from desktop.tools.shell_syntax import ShellSyntax, SimpleCommand, Word, parse_shell
from desktop.tools.visible_text import deceptive_characters

__all__ = ["FINDING_TEXTS", "argument_findings", "command_findings"]

MAX_COMMANDS = 50
MAX_PROGRAMS = 200
"""Programs that are looked at for one call, those inside others included."""
MAX_NESTING = 4
"""Commands inside commands (``sh -c``, ``eval``, ``sudo``) that are looked into."""
DETAIL_CHARS = 160
DETAILS_PER_CODE = 8
MAX_STRINGS = 2_000

_ODD_BLANK = re.compile(r"[^\S \t\n]|[\x00-\x08\x0e-\x1f\x7f]")
"""The shell and the parser may disagree on where a word ends at these."""
_SIMPLE_NAME = re.compile(r"[\w./+-]+")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_DESTRUCTIVE_WORD = re.compile(
    r"delete|remove|destroy|drop|purge|wipe|erase|truncate|kill|terminate|uninstall|overwrite|reset|revoke|cancel|unlink",
    re.IGNORECASE,
)
_SENDING_WORD = re.compile(
    r"send|post|publish|upload|email|mail|message|tweet|share|push|submit|pay|purchase|order|transfer|invite",
    re.IGNORECASE,
)
_COMMAND_ARGUMENTS = frozenset({"command", "cmd", "shell", "shell_command", "bash", "commandline", "command_line"})
_CODE_ARGUMENTS = frozenset({"code", "script", "python", "javascript", "js", "expression", "program", "source"})
_SQL_DELETES = re.compile(r"\b(?:delete\s+from|drop\s+\w+|truncate)\b", re.IGNORECASE)
_SQL_WRITES = re.compile(
    r"\b(?:insert\s+into|update\s+\w+\s+set|alter\s+\w+|create\s+\w+|replace\s+into|grant)\b", re.IGNORECASE
)


def command_findings(command: str) -> tuple[Finding, ...]:
    """Return what a shell command does, as far as it can be told, the grave things first."""
    facts = _Facts()
    facts.add_all(deceptive_characters(command))
    _examine(command, facts, depth=0)
    return facts.result()


def argument_findings(tool: ToolDescriptor, arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Return what stands out in the arguments, and in the name, of a tool that is no shell."""
    facts = _Facts()
    facts.add_all(deceptive_characters(f"{tool.server_id} {tool.name}"))
    if _DESTRUCTIVE_WORD.search(tool.name):
        facts.add(names.DESTRUCTIVE_NAME, tool.name)
    if _SENDING_WORD.search(tool.name):
        facts.add(names.SENDING_NAME, tool.name)
    if tool.annotations.get("destructiveHint") is True:  # its opposite is never believed
        facts.add(names.SAID_DESTRUCTIVE)
    for count, (name, text) in enumerate(_strings(arguments)):
        if count == MAX_STRINGS:
            facts.add(names.NOT_UNDERSTOOD, severe=True)
            break
        _examine_argument(name.lower(), text, facts)
    return facts.result()


class _Facts:
    """Findings without repetition, some of each kind."""

    def __init__(self) -> None:
        self._by_code: dict[str, dict[str, bool]] = {}
        self.programs: dict[str, None] = {}
        self._examined = 0

    def add(self, code: str, detail: str = "", *, severe: bool = False) -> None:
        details = self._by_code.setdefault(code, {})
        shown = detail if len(detail) <= DETAIL_CHARS else detail[: DETAIL_CHARS - 1] + "…"
        details[shown] = details.get(shown, False) or severe

    def add_all(self, found: Sequence[Finding]) -> None:
        for finding in found:
            self.add(finding.code, finding.detail, severe=finding.severe)

    def may_examine_another(self) -> bool:
        """Count a program; too many are not understood."""
        self._examined += 1
        if self._examined > MAX_PROGRAMS:
            self.add(names.NOT_UNDERSTOOD, severe=True)
        return self._examined <= MAX_PROGRAMS

    def mentions(self, code: str, text: str) -> bool:
        return any(text in detail for detail in self._by_code.get(code, {}))

    def result(self) -> tuple[Finding, ...]:
        if self.programs:
            self.add(names.PROGRAMS, ", ".join(self.programs))
        found: list[Finding] = []
        for code, details in self._by_code.items():
            grave_first = sorted(details.items(), key=lambda item: not item[1])
            found.extend(Finding(code=code, detail=d, severe=s) for d, s in grave_first[:DETAILS_PER_CODE])
            if (more := len(details) - DETAILS_PER_CODE) > 0:
                severe = any(s for _, s in grave_first[DETAILS_PER_CODE:])
                found.append(Finding(code=code, detail=f"… +{more}", severe=severe))
        order = list(FINDING_TEXTS)
        return tuple(sorted(found, key=lambda finding: (not finding.severe, order.index(finding.code))))


def _examine(command: str, facts: _Facts, depth: int) -> None:
    """Add what ``command``, a text for the shell, does."""
    syntax = parse_shell(command)
    nothing_seen = not (syntax.commands or syntax.assignments or syntax.redirections or syntax.functions)
    if not syntax.complete or nothing_seen or _ODD_BLANK.search(command):
        facts.add(names.NOT_UNDERSTOOD, severe=True)
    if len(syntax.commands) > MAX_COMMANDS:
        facts.add(names.NOT_UNDERSTOOD, severe=True)
        facts.add(names.MANY_COMMANDS, str(len(syntax.commands)), severe=True)
    own = {name.lower() for name in syntax.functions}
    for simple in syntax.commands:
        _examine_program(simple, own, facts, depth)
    _add_shell_features(syntax, facts)
    for word in syntax.words:
        _examine_path(word, facts)


def _add_shell_features(syntax: ShellSyntax, facts: _Facts) -> None:
    for operator, target in syntax.redirections:
        value = target.literal if target.literal is not None else target.raw
        if ">" in operator and not value.isdigit() and value not in {"-", "/dev/null", "/dev/stderr", "/dev/stdout"}:
            facts.add(names.WRITES, value)
    for word in syntax.assignments:
        _examine_assignment(word, facts)
    for text in syntax.substitutions:
        facts.add(names.SUBSTITUTION, text)
    for text in syntax.background:
        facts.add(names.BACKGROUND, text)
    for text in syntax.endless_loops:
        facts.add(names.ENDLESS, text)
    for name in syntax.functions:
        facts.add(names.REDEFINES, name, severe=name.lower() in tables.KNOWN)
        if any(name and name in text for text in syntax.background):  # it starts itself again: a fork bomb
            facts.add(names.ENDLESS, name, severe=True)
    for word in syntax.variables:
        if _SECRET_NAME.search(word.raw):
            facts.add(names.READS_ENVIRONMENT, word.raw, severe=True)


def _examine_program(simple: SimpleCommand, own: set[str], facts: _Facts, depth: int) -> None:
    if not simple.words or not facts.may_examine_another():
        return
    first, *arguments = simple.words
    if first.literal is None:
        facts.add(names.COMPUTED_PROGRAM, first.raw, severe=True)
        return
    for word in simple.words:
        if _is_disguised(word, is_program=word is first):
            facts.add(names.DISGUISED, f"{word.raw} = {word.literal}", severe=True)
    facts.programs[first.literal] = None
    name = program_name(first.literal)
    if name in own:
        return
    if not _is_familiar(first.literal, name):
        facts.add(names.UNKNOWN_PROGRAM, first.literal)
    whole = simple.raw
    for fact in facts_of(name, arguments, reads_pipe=simple.reads_pipe):
        facts.add(fact.code, fact.detail or whole, severe=fact.severe)
    for inner in inner_commands(name, arguments):
        _examine_inner(inner, simple, own, facts, depth + 1)
    if name in {"env", "sudo", "doas"}:
        for word in arguments:
            if word.literal and re.match(r"\w+=", word.literal):
                _examine_assignment(word, facts)


def _examine_inner(inner: Inner, outer: SimpleCommand, own: set[str], facts: _Facts, depth: int) -> None:
    if depth > MAX_NESTING:
        facts.add(names.NOT_UNDERSTOOD, severe=True)
    elif not inner.is_code:
        _examine_program(SimpleCommand(inner.words, reads_pipe=outer.reads_pipe), own, facts, depth)
    elif inner.code is None:
        facts.add(names.COMPUTED_PROGRAM, outer.raw, severe=True)
    else:
        _examine(inner.code, facts, depth)


def _is_familiar(written: str, name: str) -> bool:
    """False also for a well-known name in another folder, or in capitals: that may be any program."""
    in_its_place = is_system_program(written) if "/" in written else written == written.lower()
    return in_its_place and name in tables.KNOWN


def _is_disguised(word: Word, *, is_program: bool) -> bool:
    """True for quotes and escapes that serve nothing but to hide what is written: ``r\\m``, ``'r''m'``, ``$'\\x72m'``."""
    if word.literal is None or word.raw == word.literal or not _SIMPLE_NAME.fullmatch(word.literal):
        return False
    return is_program or word.raw.startswith("$'")


def _examine_assignment(word: Word, facts: _Facts) -> None:
    name = re.split(r"[=+\[]", word.raw, maxsplit=1)[0]
    if name in tables.DANGEROUS_VARIABLES or name.startswith(tables.DANGEROUS_VARIABLE_PREFIXES):
        facts.add(names.ENVIRONMENT, word.raw, severe=True)


def _examine_path(word: Word, facts: _Facts) -> None:
    value = word.literal if word.literal is not None else word.raw
    for url in urls_in(value):
        if not facts.mentions(names.NETWORK, url):
            facts.add(names.NETWORK, url, severe=url.startswith("/dev/"))
    if is_sensitive(value):
        facts.add(names.SENSITIVE_PATH, value, severe=True)
    elif is_outside(value) and not is_system_program(value):
        facts.add(names.OUTSIDE_PATH, value)


def _examine_argument(name: str, text: str, facts: _Facts) -> None:
    facts.add_all(deceptive_characters(text))
    if name in _COMMAND_ARGUMENTS:
        facts.add(names.INTERPRETER, text, severe=True)
        _examine(text, facts, depth=1)
        return
    if name in _CODE_ARGUMENTS:
        facts.add(names.INTERPRETER, text, severe=True)
    if _SQL_DELETES.search(text) and name in {"sql", "query", "statement"}:
        facts.add(names.DELETES, text, severe=True)
    elif _SQL_WRITES.search(text) and name in {"sql", "query", "statement"}:
        facts.add(names.WRITES, text)
    _examine_path(Word(text, text), facts)


def _strings(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in the arguments with the name it stands under; names count as texts too."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in cast(Mapping[str, Any], value).items():
            if not key.isascii() or not key.isprintable():
                yield "", key
            yield from _strings(item, key)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _strings(item, name)
