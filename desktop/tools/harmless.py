"""Whether a command is known to change nothing, send nothing and look at nothing private: only then may it run unasked.

Everything must be known: the programs, their options, the places that they read. Who may let it run all the same is
decided in ``policy``; what keeps in what was overlooked here is the sandbox.
"""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop.tools import plain_scripts as scripts
from desktop.tools.doubt import DoubtError
from desktop.tools.path_facts import is_sensitive
from desktop.tools.plain_git import paths_of_git
from desktop.tools.plain_programs import (
    GLOB_SAFE,
    NUMBER,
    SYSTEM_PLACES,
    VERSION_TELLERS,
    PlainProgram,
    plain_programs,
)
from desktop.tools.plain_words import PlainCommand, PlainWord, split_plainly
from desktop.tools.program_tables import names_of
from desktop.tools.shell_syntax import parse_shell

_INSTEAD_OF_TEXT = {"e", "f", "regexp", "file", "files"}
"""Options with which a program that looks for a text finds all its operands to be paths."""
_STANDARD_STREAMS = {"-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"}
_PROCESS_WORDS = {"aux", "ax", "axu", "axf", "auxf"}
_FIND_VALUED = names_of(
    "name iname path ipath wholename iwholename regex iregex type xtype maxdepth mindepth size mtime mmin ctime cmin atime",
    "amin perm links inum newermt regextype printf",
)
_FIND_PATHS = names_of("newer anewer cnewer samefile")
_FIND_PLAIN = names_of(
    "print print0 ls empty prune quit not and or a o true false depth xdev mount daystart readable writable executable"
)
_HIDDEN_NAME = re.compile(r"(?:^|/)\.[^/.]")


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """``reason`` says why it is not known to be harmless, in English: "It asks because …"; empty when it is."""

    is_harmless: bool
    reason: str = ""
    reads: tuple[str, ...] = ()
    """The files and folders that it is told to read, as they are written."""


def judge(command: str, folder: str) -> Judgement:
    """Judge a command that would run in ``folder``. Never fails: what cannot be judged is not known to be harmless."""
    reads: list[str] = []
    doubts: list[str] = []
    try:
        commands = split_plainly(command)
        _require_same_words(command, commands)
        reader = _Reader(folder, reads)
    except DoubtError as doubt:
        return Judgement(is_harmless=False, reason=str(doubt))
    for each in commands:
        try:
            reader.examine(each)
        except DoubtError as doubt:
            doubts.append(str(doubt))
    return Judgement(is_harmless=not doubts, reason=next(iter(doubts), ""), reads=tuple(dict.fromkeys(reads)))


def _require_same_words(command: str, commands: Sequence[PlainCommand]) -> None:
    """Two readers that know nothing of each other must see the same programs, words and redirections."""
    syntax = parse_shell(command)
    seen = [[word.literal for word in each.words] for each in syntax.commands]
    redirections = sum(1 for operator, _ in syntax.redirections if operator != ">&")
    ours = sum(len(each.fed_from) + len(each.written_to) for each in commands)
    if not syntax.complete or seen != [each.texts for each in commands] or redirections != ours:
        raise DoubtError("it could not be fully understood")


class _Reader:
    """Goes through the programs in order; notes what they read, and doubts what it does not know."""

    def __init__(self, folder: str, reads: list[str]) -> None:
        if not folder.startswith("/"):
            raise DoubtError("the folder is not known")
        self._folder = posixpath.normpath(folder)
        self._places = [self._folder]
        """Where the next program may run: the folder, and wherever a ``cd`` led."""
        self._reads = reads

    def examine(self, command: PlainCommand) -> None:
        for target in command.written_to:
            if target.text != "/dev/null":
                raise DoubtError(f"it writes to {target.text}")
        for source in command.fed_from:
            self._read(source)
        first, *arguments = command.words
        name = _plain_name(first)
        if name in VERSION_TELLERS and _asks_version(arguments):
            return
        if (special := _SPECIAL.get(name)) is not None:
            special(self, arguments)
        elif name in plain_programs():
            self._by_table(name, plain_programs()[name], arguments)
        else:
            raise DoubtError(f"what {name} does with these arguments is not known to be harmless")

    def _by_table(self, name: str, program: PlainProgram, arguments: Sequence[PlainWord]) -> None:
        if program.operands == "anything":
            _refuse_globs(arguments)
            return
        operands: list[PlainWord] = []
        no_text = False
        rest = list(arguments)
        while rest:
            word = rest.pop(0)
            if word.text == "--" and not word.has_glob:
                operands += rest
                break
            if word.text.startswith("-") and word.text != "-":
                if word.has_glob and not re.match(r"--[a-z-]+=", word.text):
                    raise DoubtError("a pattern stands where an option may")
                no_text = self._option(name, program, word.text, rest) in _INSTEAD_OF_TEXT or no_text
            else:
                operands.append(word)
        self._operands(name, program, operands, no_text=no_text)

    def _option(self, name: str, program: PlainProgram, text: str, rest: list[PlainWord]) -> str:
        """Check one option, take its value from ``rest`` where it stands there, and return its name."""
        if text.startswith("--"):
            option, equals, value = text[2:].partition("=")
            if option in program.long and not equals:
                return option
            if f"{option}=" not in program.long:
                raise DoubtError(f"the option {text} of {name} is not known to be harmless")
            self._check_value(PlainWord(value) if equals else _taken(rest, text))
            return option
        if NUMBER in program.switches and re.fullmatch(r"-\d+", text):
            return NUMBER
        for position, letter in enumerate(text[1:], 2):
            if letter in program.valued:
                self._check_value(PlainWord(text[position:]) if text[position:] else _taken(rest, text))
                return letter
            if letter not in program.switches or letter == NUMBER:
                raise DoubtError(f"the option {text} of {name} is not known to be harmless")
        return ""

    def _check_value(self, word: PlainWord) -> None:
        """The value of an option may be a path: it must not lead anywhere else."""
        if word.has_glob:
            raise DoubtError("a pattern stands where an option may")
        if word.text == "/":  # mostly what separates fields, and as a file it is of no use
            return
        if word.text.startswith(("/", "~", "..")) or "/.." in word.text or is_sensitive(word.text):
            self._read(word)

    def _operands(self, name: str, program: PlainProgram, operands: list[PlainWord], *, no_text: bool) -> None:
        if len(operands) > program.most_operands or (operands and program.operands == "none"):
            raise DoubtError(f"the arguments of {name} are not known to be harmless")
        match program.operands:
            case "text":
                _refuse_globs(operands)
            case "process-words":
                if any(word.text not in _PROCESS_WORDS for word in operands):
                    raise DoubtError(f"the arguments of {name} are not known to be harmless")
            case _:
                texts = 1 if program.operands == "text,paths" and not no_text else 0
                _refuse_globs(operands[:texts])
                for word in operands[texts:]:
                    self._read(word, glob_first=name in GLOB_SAFE)

    def _read(self, word: PlainWord, *, glob_first: bool = False) -> None:
        """Note that a path is read. Raises ``DoubtError`` for one outside, or where secrets lie."""
        text = word.text
        if word.has_glob and text[:1] in "*?[" and not glob_first:
            raise DoubtError("a pattern may stand for a file whose name is an option")
        if word.has_glob and _HIDDEN_NAME.search(text):
            raise DoubtError("a pattern may stand for a hidden file")
        if text in _STANDARD_STREAMS and not word.has_glob:
            return
        self._reads.append(text)
        for place in self._places:
            self._require_readable(text, place)

    def _require_readable(self, text: str, place: str) -> None:
        path = posixpath.normpath(posixpath.join(place, text))
        if any(path == system or path.startswith(f"{system}/") for system in SYSTEM_PLACES):
            return
        inside = _relative(path, self._folder)
        if inside is None:
            raise DoubtError(f"{text} lies outside the folder")
        if is_sensitive(inside):
            raise DoubtError(f"{text} is a sensitive place")

    # -- programs whose arguments are a language of their own

    def change_folder(self, arguments: Sequence[PlainWord]) -> None:
        if len(arguments) != 1 or arguments[0].has_glob or arguments[0].text.startswith("-"):
            raise DoubtError("where it changes to is not known")
        (word,) = arguments
        self._read(word)
        self._places += [posixpath.normpath(posixpath.join(place, word.text)) for place in self._places]
        if len(self._places) > 64:
            raise DoubtError("it changes its folder too often")

    def find(self, arguments: Sequence[PlainWord]) -> None:
        rest = list(arguments)
        while rest and rest[0].text in {"-L", "-P", "-H"}:
            rest.pop(0)
        while rest and not rest[0].text.startswith("-") and rest[0].text not in {"(", "!"}:
            self._read(rest.pop(0))
        while rest:
            word = rest.pop(0)
            _refuse_globs([word])
            option = word.text.removeprefix("-")
            if word.text in {"(", ")", "!", ","} or (word.text.startswith("-") and option in _FIND_PLAIN):
                continue
            if not word.text.startswith("-") or option not in _FIND_VALUED | _FIND_PATHS:
                raise DoubtError(f"what find does with {word.text} is not known to be harmless")
            value = _taken(rest, word.text)
            _refuse_globs([value])
            if option in _FIND_PATHS:
                self._read(value)

    def git(self, arguments: Sequence[PlainWord]) -> None:
        rest = list(arguments)
        while rest and rest[0].text in {"--no-pager", "-C"}:
            if rest.pop(0).text == "-C":
                self._read(_taken(rest, "-C"))
        _refuse_globs([word for word in rest if word.text[:1] in "-*?["])
        for path in paths_of_git([word.text for word in rest]):
            self._read(PlainWord(path))

    def script(self, read: "Callable[[Sequence[str]], scripts.Paths]", arguments: Sequence[PlainWord]) -> None:
        """A program that gets a script and files: sed, awk, jq, date, printf, test, tar, unzip."""
        paths = read([word.text for word in arguments])
        for index, word in enumerate(arguments):
            if index in paths:
                self._read(word)
            else:
                _refuse_globs([word])


def _plain_name(first: PlainWord) -> str:
    name = re.sub(r"^/(?:usr/)?bin/", "", first.text)
    if first.has_glob or first.is_quoted or not re.fullmatch(r"[a-z0-9+_.:-]+", name):
        raise DoubtError(f"which program {first.text} is cannot be told")
    return name


def _asks_version(arguments: Sequence[PlainWord]) -> bool:
    return [word.text for word in arguments] == ["--version"]


def _refuse_globs(words: Sequence[PlainWord]) -> None:
    if any(word.has_glob for word in words):
        raise DoubtError("a pattern may stand for several arguments")


def _taken(rest: list[PlainWord], option: str) -> PlainWord:
    if not rest:
        raise DoubtError(f"the value of {option} is missing")
    return rest.pop(0)


def _relative(path: str, folder: str) -> str | None:
    """Return the path as seen from the folder; None when it lies outside."""
    if path == folder:
        return "."
    prefix = folder if folder.endswith("/") else f"{folder}/"
    return path.removeprefix(prefix) if path.startswith(prefix) else None


Special = Callable[[_Reader, Sequence[PlainWord]], None]


def _by_script(read: "Callable[[Sequence[str]], scripts.Paths]") -> Special:
    return lambda reader, arguments: reader.script(read, arguments)


_SPECIAL: Mapping[str, Special] = {
    "cd": _Reader.change_folder,
    "find": _Reader.find,
    "git": _Reader.git,
    **{name: _by_script(read) for name, read in scripts.SCRIPTED.items()},
}
