"""Takes a shell command apart with a real parser: its simple commands, redirections, substitutions and the rest."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Language, Node

MAX_COMMAND_CHARS = 8_000
MAX_NODES = 6_000
MAX_DEPTH = 60
MAX_WORDS = 1_000
"""Of one command."""
MAX_PARSE_SECONDS = 0.2
"""Of processor time, so that a busy machine makes no difference."""

_CONSTANT_CONDITIONS = {"true", ":", "false", "((1))", "[ 1 ]"}
_WORDS = {
    *("word", "number", "string", "raw_string", "ansi_c_string", "translated_string", "concatenation", "regex"),
    *("simple_expansion", "expansion", "arithmetic_expansion", "brace_expression", "command_substitution"),
    *("process_substitution", "variable_name", "subscript", "array", "extglob_pattern", "test_operator"),
}
_ASSIGNING_OR_INDIRECT = {":=", "=", "!", "@"}
"""In ``${…}`` these change a variable, follow one, or run what one holds."""
_GAP = re.compile(rb"(?:[ \t]|\\\n)*")
_ANSI_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_ANSI_LETTERS = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v", strict=True))


class Word(NamedTuple):
    """One word as it is written, and what it stands for where that is fixed; globs and ``~`` are left as they are."""

    raw: str
    literal: str | None


@dataclass(frozen=True)
class SimpleCommand:
    """A program with its arguments. ``reads_pipe``: it stands behind a ``|``, or its input is redirected."""

    words: tuple[Word, ...]
    assignments: tuple[Word, ...] = ()
    reads_pipe: bool = False

    @property
    def raw(self) -> str:
        return " ".join(word.raw for word in (*self.assignments, *self.words))


class Redirection(NamedTuple):
    operator: str
    target: Word


@dataclass
class ShellSyntax:
    """What a command consists of. ``complete`` is False when a part was not understood or a limit was passed."""

    complete: bool = True
    commands: list[SimpleCommand] = field(default_factory=list[SimpleCommand])
    redirections: list[Redirection] = field(default_factory=list[Redirection])
    assignments: list[Word] = field(default_factory=list[Word])
    substitutions: list[str] = field(default_factory=list[str])
    variables: list[Word] = field(default_factory=list[Word])
    functions: list[str] = field(default_factory=list[str])
    background: list[str] = field(default_factory=list[str])
    endless_loops: list[str] = field(default_factory=list[str])
    words: list[Word] = field(default_factory=list[Word])
    """Every word of every kind, for looking at paths."""


def parse_shell(command: str) -> ShellSyntax:
    """Take ``command`` apart. Never fails: what is too long or not understood makes the result incomplete."""
    syntax = ShellSyntax()
    if len(command) > MAX_COMMAND_CHARS:
        syntax.complete = False
        return syntax
    # The parser takes a line that begins with a backslash for a part of the line before; the shell does not.
    root = _parse(re.sub(r"(?<!\\)\n\\", "\n \\\\", command))
    if root is None:
        syntax.complete = False
        return syntax
    syntax.complete = not root.has_error
    stack: list[tuple[Node, bool, str, int]] = [(root, False, "", 0)]
    for _ in range(MAX_NODES):
        if not stack:
            return syntax
        node, in_pipe, parent_type, depth = stack.pop()
        _take(node, in_pipe, syntax)
        if node.type in _WORDS and parent_type not in {"concatenation", "string"}:
            syntax.words.append(_word(node))
        children = node.children
        syntax.background.extend(_text(a) for a, b in pairwise(children) if b.type == "&")
        if depth == MAX_DEPTH:
            syntax.complete = syntax.complete and not children
            continue
        piped = _reads_pipe(node)
        stack.extend(
            (child, piped[i] or in_pipe, node.type, depth + 1) for i, child in reversed(list(enumerate(children)))
        )
    syntax.complete = False
    return syntax


def _parse(command: str) -> "Node | None":
    """Return the root of the syntax tree, or None when that took too long: some nonsense takes the parser seconds."""
    from tree_sitter import Parser

    source = command.encode("utf-8", "replace")
    end = time.thread_time() + MAX_PARSE_SECONDS
    try:
        tree = Parser(_bash()).parse(
            lambda position, _: source[position : position + 4096],
            progress_callback=lambda _, __: time.thread_time() > end,
        )
    except ValueError:  # how the parser says that it was stopped
        return None
    return tree.root_node


@cache
def _bash() -> "Language":
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


def _reads_pipe(node: "Node") -> list[bool]:
    """Tell of each child whether its input comes from another command or a redirection within ``node``."""
    children = node.children
    if node.type == "pipeline":
        return [i > 0 for i in range(len(children))]
    if node.type == "redirected_statement":
        fed = any(
            child.type in {"heredoc_redirect", "herestring_redirect"}
            or (child.type == "file_redirect" and any(part.type == "<" for part in child.children))
            for child in children
        )
        return [fed] * len(children)
    return [False] * len(children)


def _take(node: "Node", in_pipe: bool, syntax: ShellSyntax) -> None:
    """Note down what ``node`` itself is; its children come later."""
    match node.type:
        case "command":
            _take_command(node, in_pipe, syntax)
        case "declaration_command" | "unset_command":
            words = [_word(child) for child in node.children if child.type != "variable_assignment"]
            syntax.commands.append(SimpleCommand(tuple(words), tuple(_assignments(node))))
        case "test_command":
            syntax.commands.append(SimpleCommand((Word("test", "test"),)))
        case "file_redirect":
            _take_redirection(node, syntax)
        case "variable_assignment" | "variable_name":
            into = syntax.assignments if node.type == "variable_assignment" else syntax.variables
            into.append(_word(node))
        case "function_definition":
            syntax.functions.extend(_text(child) for child in node.children if child.type == "word")
        case "while_statement" if node.named_children:
            if _text(node.named_children[0]) in _CONSTANT_CONDITIONS:
                syntax.endless_loops.append(_text(node))
        case _:
            if _is_substitution(node):
                syntax.substitutions.append(_text(node))


def _is_substitution(node: "Node") -> bool:
    if node.type == "expansion":
        return any(child.type in _ASSIGNING_OR_INDIRECT for child in node.children)
    return node.type in {"command_substitution", "process_substitution"}


def _take_command(node: "Node", in_pipe: bool, syntax: ShellSyntax) -> None:
    words: list[Word] = []
    fed = in_pipe
    children = node.children
    if len(children) > MAX_WORDS:
        syntax.complete = False
    for child in children[:MAX_WORDS]:
        if child.type == "command_name":
            words.append(_word(child.children[0] if child.children else child))
        elif child.type in {"herestring_redirect", "heredoc_redirect"}:
            fed = True
        elif child.type not in {"variable_assignment", "file_redirect"}:
            words.append(_word(child))
    syntax.commands.append(SimpleCommand(tuple(words), tuple(_assignments(node)), fed))
    if not all(_GAP.fullmatch(gap) for gap in _gaps(node)):
        syntax.complete = False  # the shell would see two commands here


def _gaps(node: "Node") -> Iterator[bytes]:
    """What stands between the words of a command."""
    text, start = node.text or b"", node.start_byte
    for before, after in pairwise(node.children):
        yield text[before.end_byte - start : after.start_byte - start]


def _take_redirection(node: "Node", syntax: ShellSyntax) -> None:
    targets = [child for child in node.named_children if child.type != "file_descriptor"]
    operator = next((_text(child) for child in node.children if not child.is_named), "")
    for target in targets:
        syntax.redirections.append(Redirection(operator, _word(target)))
    if not targets:
        syntax.complete = False


def _assignments(node: "Node") -> list[Word]:
    return [_word(child) for child in node.children if child.type == "variable_assignment"]


def _word(node: "Node") -> Word:
    return Word(_text(node), _literal(node))


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _literal(node: "Node") -> str | None:
    """What a word stands for, when that is fixed before it runs."""
    text = _text(node)
    match node.type:
        case "word" | "number" | "variable_name" | "regex" | "test_operator" | "heredoc_start":
            return re.sub(r"\\(\n|.)", lambda m: "" if m[1] == "\n" else m[1], text, flags=re.DOTALL)
        case "raw_string":
            return text[1:-1]
        case "ansi_c_string":
            return _ANSI_ESCAPE.sub(_ansi_character, text[2:-1])
        case "string":
            if any(child.type not in {'"', "string_content"} for child in node.children):
                return None
            return re.sub(r'\\(["$`\\\n])', lambda m: "" if m[1] == "\n" else m[1], text[1:-1])
        case "concatenation":
            return None if _has_braces(node) else _joined([_literal(child) for child in node.children])
        case "variable_assignment":
            return _joined([_literal(child) if child.is_named else _text(child) for child in node.children])
        case _:
            return text if not node.is_named else None


def _joined(parts: Sequence[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None


def _has_braces(node: "Node") -> bool:
    """True for a brace expansion such as ``{rm,-rf}``: one word here, several when it runs."""
    plain = "".join(_text(child) for child in node.children if child.type == "word")
    return "{" in plain and ("," in plain or ".." in plain)


def _ansi_character(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "xuU" and len(code) > 1:
        value = int(code[1:], 16)
        return chr(value) if value <= 0x10FFFF else "\ufffd"
    if code[0] in "01234567":
        return chr(int(code, 8) & 0xFF)
    if code[0] == "c" and len(code) > 1:
        return chr(ord(code[1]) & 0x1F)
    return _ANSI_LETTERS.get(code, code)
