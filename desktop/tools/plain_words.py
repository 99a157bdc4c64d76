"""Splits the plain kind of command line into programs and words, and refuses everything in which a shell computes something.

It knows less than ``shell_syntax`` on purpose: what passes both, with the same words, holds no surprise.
"""

import re
from dataclasses import dataclass, field

from desktop.tools.doubt import DoubtError

MAX_CHARS = 2_000
MAX_PROGRAMS = 20
MAX_WORDS = 200

_SEPARATORS = ("||", "&&", "|", ";", "\n")
_REDIRECTION = re.compile(r"(?P<number>[012]?)(?P<operator>>>|>&|>|<)[ \t]*")
_BOTH = re.compile(r"&>[ \t]*")
_COMPUTED = {
    "$": "a part is computed when it runs",
    "`": "a part is computed when it runs",
    "(": "it has a part in brackets",
    ")": "it has a part in brackets",
    "{": "braces may stand for several words",
    "}": "braces may stand for several words",
    "&": "it goes on in the background",
}
_ASSIGNMENT = re.compile(r"\w+\+?=|\w+\[")
_ODD = re.compile(r"[^\S \t\n]|[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class PlainWord:
    """``text`` is what the program gets, unless ``has_glob``: then it is a pattern for names of files."""

    text: str
    has_glob: bool = False
    is_quoted: bool = False


@dataclass
class PlainCommand:
    """One program with its arguments, the files that it is fed from, and those that its output goes to."""

    words: list[PlainWord] = field(default_factory=list[PlainWord])
    fed_from: list[PlainWord] = field(default_factory=list[PlainWord])
    written_to: list[PlainWord] = field(default_factory=list[PlainWord])

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.words]


def split_plainly(command: str) -> list[PlainCommand]:
    """Return the programs of ``command`` in order. Raises ``DoubtError`` for what is not plain."""
    if len(command) > MAX_CHARS:
        raise DoubtError("it is too long")
    if _ODD.search(command):
        raise DoubtError("it contains characters that a shell may read in more than one way")
    commands = _Splitter(command.strip(" \t\n")).split()
    if len(commands) > MAX_PROGRAMS or sum(len(each.words) for each in commands) > MAX_WORDS:
        raise DoubtError("it is too long")
    return commands


class _Splitter:
    """Reads a command line once, from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def split(self) -> list[PlainCommand]:
        commands = [PlainCommand()]
        while self._at < len(self._text):
            if self._text[self._at] in " \t":
                self._at += 1
            elif self._take_separator():
                if not commands[-1].words:
                    raise DoubtError("a program is missing")
                commands.append(PlainCommand())
                self._skip_blanks()
            elif not self._redirection(commands[-1]):
                self._add(commands[-1])
        if len(commands) > 1 and not commands[-1].words and self._text.endswith(";"):
            commands.pop()
        if not commands[-1].words:
            raise DoubtError("a program is missing")
        return commands

    def _take_separator(self) -> bool:
        found = next((s for s in _SEPARATORS if self._text.startswith(s, self._at)), "")
        if found == "|" and self._text.startswith("|&", self._at):
            raise DoubtError("its redirections are unusual")
        self._at += len(found)
        return bool(found)

    def _skip_blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in " \t\n":
            self._at += 1

    def _redirection(self, command: PlainCommand) -> bool:
        """Take a redirection that stands here; a digit belongs to it only at the beginning of a word, as now."""
        found = _BOTH.match(self._text, self._at) or _REDIRECTION.match(self._text, self._at)
        if found is None:
            return False
        operator = found["operator"] if found.re is _REDIRECTION else ">"
        self._at = found.end()
        if self._text.startswith(("<", ">", "&", "|"), self._at):
            raise DoubtError("its redirections are unusual")
        target = self._word()
        if operator == ">&":
            if target.text not in {"1", "2"}:
                raise DoubtError("its redirections are unusual")
        elif operator == "<":
            command.fed_from.append(target)
        else:
            command.written_to.append(target)
        return True

    def _add(self, command: PlainCommand) -> None:
        start = self._at
        word = self._word()
        if not command.words and _ASSIGNMENT.match(self._text, start):
            raise DoubtError("it sets a variable")
        command.words.append(word)

    def _word(self) -> PlainWord:
        """Read one word; ends before a blank, a separator or a redirection."""
        parts: list[str] = []
        has_glob = is_quoted = False
        start = self._at
        if self._text.startswith(("~", "#"), start):
            raise DoubtError("a word begins with ~ or #")
        while self._at < len(self._text) and (char := self._text[self._at]) not in " \t\n;|<>":
            if char in "'\"":
                parts.append(self._quoted(char))
                is_quoted = True
                continue
            if char == "\\":
                if self._at + 1 >= len(self._text) or self._text[self._at + 1] == "\n":
                    raise DoubtError("a line is continued")
                parts.append(self._text[self._at + 1])
                is_quoted = True
                self._at += 2
                continue
            if self._text.startswith("&&", self._at):
                break
            if char in _COMPUTED:
                raise DoubtError(_COMPUTED[char])
            if char == "~" and self._at > start and self._text[self._at - 1] in "=:":
                raise DoubtError("a word begins with ~ or #")
            has_glob = has_glob or char in "*?["
            parts.append(char)
            self._at += 1
        if self._at == start:
            raise DoubtError("its redirections are unusual")
        return PlainWord("".join(parts), has_glob, is_quoted)

    def _quoted(self, quote: str) -> str:
        end = self._at + 1
        parts: list[str] = []
        while end < len(self._text) and self._text[end] != quote:
            char = self._text[end]
            if quote == '"' and char in "$`":
                raise DoubtError(_COMPUTED[char])
            if quote == '"' and char == "\\":
                following = self._text[end + 1 : end + 2]
                if following == "\n":
                    raise DoubtError("a line is continued")
                parts.append(following if following in {'"', "\\", "$", "`"} else char + following)
                end += 2
                continue
            parts.append(char)
            end += 1
        if end >= len(self._text):
            raise DoubtError("a quotation mark is missing")
        self._at = end + 1
        return "".join(parts)
