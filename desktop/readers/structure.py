"""Finds the structure of texts: the headings of Markdown, the definitions of code, paragraphs in anything else."""

import re
from collections.abc import Iterator

from desktop.readers.splitting import Block

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_WORDS_BEFORE = (
    r"(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|sealed|override|inline|extern"
    r"|unsafe|const|virtual|partial|pub(?:\([\w:]{1,40}\))?)\s+){0,6}"
)
_DEFINES = re.compile(
    rf"{_WORDS_BEFORE}(?:def|class|func|fn|function\*?|interface|struct|enum|trait|impl|module|namespace|record|object"
    r"|protocol|extension|CREATE(?: OR REPLACE)? (?:TABLE|VIEW|FUNCTION|PROCEDURE))\b(?!\s*[=:(]\s*$)",
    re.IGNORECASE,
)
_CALL_LIKE = re.compile(
    r"(?!(?:if|for|while|switch|return|else|do|try|catch|with|case|new|throw|await)\b)\w[\w<>*&:\[\], ]{2,100}\([^;]{0,300}$"
)
_ABOVE = re.compile(r"@|#|//|/\*|\*|--|\[")
_LONGEST_LOOKED_AT = 400
_DEEPEST = 6


def paragraphs(text: str) -> Iterator[Block]:
    """Yield what stands between blank lines."""
    for first, lines in _groups(text.split("\n")):
        yield Block("\n".join(lines), line=first)


def markdown(text: str) -> Iterator[Block]:
    """Yield headings and what stands between them; in a fence nothing is a heading or a blank line."""
    group: list[str] = []
    begun = 1
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        opened = _FENCE.match(line)
        if fence:
            group.append(line)
            if opened and opened[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if opened:
            fence = opened[1]
        heading = None if opened else _HEADING.match(line[:_LONGEST_LOOKED_AT])
        if heading or not line.strip():
            if group:
                yield Block("\n".join(group), line=begun)
                group = []
            if heading and heading[2]:
                yield Block(line.strip(), level=len(heading[1]), title=heading[2], line=number)
        elif len(group) == 1 and group[0].strip() and (under := _UNDERLINE.match(line[:_LONGEST_LOOKED_AT])):
            yield Block(f"{group[0]}\n{line}", level=1 if under[1][0] == "=" else 2, title=group[0], line=begun)
            group = []
        else:
            begun = begun if group else number
            group.append(line)
    if group:
        yield Block("\n".join(group), line=begun)


def code(text: str) -> Iterator[Block]:
    """Yield groups of lines; a definition begins one, and is a heading as deep as it is indented."""
    for first, lines in _groups(text.split("\n")):
        place = 0
        for start in [*_definitions(lines), len(lines)]:
            if start > place:
                yield _code_block(lines[place:start], first + place)
            place = start


def _definitions(lines: list[str]) -> Iterator[int]:
    """Yield where in a group of lines definitions begin, with the comments and decorators above them."""
    for place, line in enumerate(lines):
        if _is_definition(line):
            while place and _ABOVE.match(lines[place - 1].lstrip()) and not _is_definition(lines[place - 1]):
                place -= 1
            yield place


def _code_block(lines: list[str], first: int) -> Block:
    defined = next((line for line in lines if _is_definition(line)), None)
    text = "\n".join(lines)
    if defined is None:
        return Block(text, line=first)
    indent = len(defined.expandtabs(4)) - len(defined.expandtabs(4).lstrip())
    return Block(text, level=min(_DEEPEST, 1 + indent // 2), title=defined.strip().rstrip("{: "), line=first)


def _is_definition(line: str) -> bool:
    shown = line[:_LONGEST_LOOKED_AT]
    stripped = shown.lstrip()
    if _DEFINES.match(stripped):
        return True
    return (
        len(shown) - len(stripped) <= 4
        and shown.rstrip().endswith(("{", ")"))
        and bool(_CALL_LIKE.match(stripped))
        and (" " in stripped.partition("(")[0])
    )


def _groups(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines between blank ones, with the number of the first of them."""
    group: list[str] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            group.append(line)
        elif group:
            yield number - len(group), group
            group = []
    if group:
        yield len(lines) - len(group) + 1, group
