"""Recognises formulas in Markdown: ``$…$`` and ``\\(…\\)`` in a line, ``$$…$$``, ``\\[…\\]`` and TeX environments on their own.

Sums of money, shell variables and what stands in code are none of it. The tokens are ``formula`` (inline; its ``info`` is
``display`` for one that stands alone) and ``formula_block``; ``content`` is the TeX, ``markup`` the whole as it was typed.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

MOST_IN_LINE = 1_500
MOST_ON_ITS_OWN = 60_000
GROWS = "grows"
"""In the parser's ``env``: the source may go on, so that a formula at its end may only lack its last mark."""

_ENVIRONMENT = re.compile(r"\\begin\{((?:equation|align|alignat|gather|multline|eqnarray|flalign|displaymath)\*?)\}")
_MEANS_SOMETHING = re.compile(r"[^\W_]|[=<>+∑∫∞]")
_WORDS = re.compile(r"(?:^|\s)[^\W\d_]{2,}(?=[\s,.;:!?]|$)|[\u3000-\u9fff\uac00-\ud7ff\uff00-\uffef]")
_MARKS_OF_TEX = re.compile(r"[\\^_={}]")
_ENDING = re.compile(r"(?:th|st|nd|rd|s|-?[a-z]{2,3})?(?![0-9A-Za-z$])")
"""What may follow a formula directly: the end of a word such as ``$n$th``, or nothing of one."""
_CLOSING = {"$$": "$$", "\\[": "\\]", "\\(": "\\)"}


def formula_plugin(markdown: "MarkdownIt") -> None:
    """Add both rules. Inline before escapes, which would take ``\\(`` for a bracket."""
    markdown.inline.ruler.before("escape", "formula", _inline)
    markdown.block.ruler.before(
        "fence", "formula_block", _block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _inline(state: "StateInline", silent: bool) -> bool:
    source, start = state.src, state.pos
    if source[start] == "$" and not source.startswith("$$", start):
        found = _between_dollars(source, start, state.posMax)
        mark = "$"
    elif (mark := source[start : start + 2]) in _CLOSING:
        found = _between_marks(state, mark)
    else:
        return False
    if found is None:
        return False
    content_end, end = found
    if not silent:
        token = state.push("formula", "", 0)
        token.markup = source[start:end]
        token.content = source[start + len(mark) : content_end].strip("`" if mark == "$" else None).strip()
        token.info = "" if mark in ("$", "\\(") else "display"
    state.pos = end
    return True


def _between_dollars(source: str, start: int, most: int) -> tuple[int, int] | None:
    """The ends of the content and of the whole. No blank inside the marks, no line break, no other dollar."""
    before, first = source[start - 1 : start], source[start + 1 : start + 2]
    if not first or first.isspace() or (before.isascii() and (before.isalnum() or before == "$")):
        return None
    end = start + 1
    limit = min(most, start + MOST_IN_LINE)
    while (end := source.find("$", end, limit)) >= 0 and _is_escaped(source, end):
        end += 1
    if end < 0:
        return None
    content = source[start + 1 : end]
    if "\n" in content or content[-1:].isspace() or not _MEANS_SOMETHING.search(content):
        return None
    if _WORDS.search(content) and not _MARKS_OF_TEX.search(content):  # a sentence between two sums of money
        return None
    is_quoted = len(content) > 2 and content[0] == "`" and content[-1] == "`"  # another way to write one
    if ("`" in content[1:-1] if is_quoted else "`" in content) or not _may_follow(content, source, end + 1):
        return None
    return end, end + 1


def _may_follow(content: str, source: str, position: int) -> bool:
    """Whether the text at ``position`` can stand behind a formula with this content."""
    following = source[position : position + 1]
    if not (following.isascii() and following.isalnum()):
        return not following.startswith("$")
    return not following.isdigit() and content[-1:].isalnum() and bool(_ENDING.match(source, position))


def _between_marks(state: "StateInline", mark: str) -> tuple[int, int] | None:
    source, start = state.src, state.pos + 2
    closing = _CLOSING[mark]
    end = _closing_place(state, closing, start)
    if end is None or not _MEANS_SOMETHING.search(source, start, end):
        return None
    # An escaped link: \[words\](address)
    if mark == "\\[" and source[end + 2 : end + 3] in ("(", "[", ":"):
        return None
    return end, end + 2


def _closing_place(state: "StateInline", closing: str, start: int) -> int | None:
    """Where the mark stands; where there is none, that is remembered for all further ones in this text."""
    missing: dict[str, str] = state.env.setdefault("formulas without an end", {})
    if missing.get(closing) == state.src:
        return None
    end = start
    while (end := state.src.find(closing, end, state.posMax)) >= 0:
        if not _is_escaped(state.src, end):
            return end if end - start <= MOST_ON_ITS_OWN else None
        end += 1
    missing[closing] = state.src
    return None


def _is_escaped(source: str, position: int) -> bool:
    """Whether an odd number of backslashes stands before it."""
    first = position
    while first > 0 and source[first - 1] == "\\":
        first -= 1
    return (position - first) % 2 == 1


def _block(state: "StateBlock", start_line: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(start_line):
        return False
    first = _line(state, start_line)
    opening, closing = _marks_of(first)
    if not opening:
        return False
    end = _last_line(state, start_line, end_line, opening, closing)
    is_closed = end is not None
    if end is None:
        if not (state.env.get(GROWS) and state.parentType == "root") or _ends_before(state, start_line, end_line):
            return False
        end = end_line - 1
    if silent:
        return True
    whole = "\n".join(_line(state, line) for line in range(start_line, end + 1)).strip()
    if closing.startswith("\\end"):
        content = whole
    else:
        content = whole[len(opening) :].removesuffix(closing) if is_closed else whole[len(opening) :]
    if is_closed and not _MEANS_SOMETHING.search(content):
        return False
    state.line = end + 1
    token = state.push("formula_block", "", 0)
    token.block = True
    token.content, token.markup = content.strip(), whole
    token.info = "" if is_closed else "open"
    token.map = [start_line, state.line]
    return True


def _marks_of(line: str) -> tuple[str, str]:
    if line.startswith(("$$", "\\[")):
        return line[:2], _CLOSING[line[:2]]
    if found := _ENVIRONMENT.match(line):
        return found[0], f"\\end{{{found[1]}}}"
    return "", ""


def _last_line(state: "StateBlock", start_line: int, end_line: int, opening: str, closing: str) -> int | None:
    """The line that ends in the closing mark and holds nothing behind it; None where a blank one comes first."""
    for line in range(start_line, end_line):
        text = _line(state, line)
        if line > start_line and (not text or state.sCount[line] < state.blkIndent):
            return None
        found = text.find(closing, len(opening) if line == start_line else 0)
        while found >= 0 and _is_escaped(text, found):
            found = text.find(closing, found + 1)
        if found >= 0:
            return line if not text[found + len(closing) :].strip() else None
    return None


def _ends_before(state: "StateBlock", start_line: int, end_line: int) -> bool:
    """Whether a blank line comes, or the mark with something behind it."""
    lines = [_line(state, line) for line in range(start_line, end_line)]
    opening, closing = _marks_of(lines[0])
    return "" in lines or closing in lines[0][len(opening) :] or any(closing in line for line in lines[1:])


def _line(state: "StateBlock", line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()
