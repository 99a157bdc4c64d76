"""One line of Markdown as a reader sees it, for lists: without the marks of headings, emphasis, code and links."""

from collections.abc import Sequence

from desktop.core.expressions import Expression

_LINK = Expression(r"!?\[([^\]]*)\]\([^)\s]*\)?")
_FENCE = Expression(r"```\S*")
_PAIRS = Expression(r"(\*\*|~~|`)(?=\S)(.+?)(?<=\S)\1")
_CHINESE = r"\u3000-\u9fff\uff00-\uff60"
_ITALIC = Expression(rf"(?<![^\W{_CHINESE}])(?<!\*)\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?!\*)(?![^\W{_CHINESE}])")
"""Not within a word or a product; but Chinese has no blanks around it."""
_LEFT_OVER = Expression(rf"(?<!\S)(?:\*\*|\*|~~|`)(?=\S)|(?<=[{_CHINESE}])\*\*(?!\d)|(?<!\w)\*\*(?=[{_CHINESE}])")
"""The other mark of a pair may have been cut off."""

_BEGIN, _END = "\ufdd0", "\ufdd1"
"""Noncharacters: Unicode keeps them for a program's own use."""

_LEADING = Expression(r"^\s*#{1,6}\s|(?<!\S)#{2,6}(?=\s)")
_QUOTED = Expression(r"^\s*>")
_QUOTE_MARKS = Expression(r"(?<!\S)>+(?=\s|$)|^\s*>+")
_QUOTE_AFTER_SENTENCE = Expression(r"(?<=[:.!?。：！？…])\s*(?<!\S)(?:>+\s+)+")
"""Where a line ended before it, which can only be guessed here: elsewhere it compares two things."""
_TABLE_RULE = Expression(r"\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)*(?:\||$)")
_TABLE = Expression(r"^\s*\|\s[^|]+\s\|\s[^|]|\|\s*\|\s*:?-{3,}")
"""A line begins with two cells, or somewhere a row is followed by the rule below a table's head."""
_ITEM = Expression(r"(?:^\s*|(?<=[:.!?;。：！？；])\s+)([-*+]) (?:\[[ xX]\] )?(?=\S)")
"""Where a list begins: with the line, or where one ended before it, which can only be guessed here."""
_NEXT_ITEM = {mark: Expression(rf"\s+\{mark} (?:\[[ xX]\] )?(?=\S)") for mark in "-*+"}


def without_marks(line: str) -> str:
    """Return ``line`` without the commonest marks of Markdown; anything unsure stays as it is."""
    line = _without_bars(_LINK.sub(r"\1", _FENCE.sub(" ", line)))
    line = _ITALIC.sub(r"\1", _PAIRS.sub(r"\2", line))
    line = _LEFT_OVER.sub("", line)
    line = (_QUOTE_MARKS if _QUOTED.match(line) else _QUOTE_AFTER_SENTENCE).sub(" ", line)
    line = _LEADING.sub("", line.lstrip())
    return " ".join(_without_items(line).split())


def _without_items(line: str) -> str:
    """Return the items of a list with a dot between them; a line without a list as it is."""
    begin = _ITEM.search(line)
    if begin is None:
        return line
    return f"{line[: begin.start()]} {_NEXT_ITEM[begin[1]].sub(' · ', line[begin.end() :])}"


def _without_bars(line: str) -> str:
    """Return a table's cells with a dot between them; a line without a table as it is."""
    if "|" not in line or _TABLE.search(line) is None:
        return line
    cells = (cell.strip() for cell in _TABLE_RULE.sub("|", line).split("|"))
    shown = " · ".join(cell for cell in cells if cell.strip("-: "))
    return shown.replace(": · ", ": ").replace("： · ", "：")


def marked_without_marks(line: str, highlights: Sequence[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return ``line`` as ``without_marks`` does, and where its highlighted parts are then.

    Ends of highlights travel through as two characters that no text has any use for; where one is lost with an
    address, its highlight is.
    """
    clean = line.replace(_BEGIN, " ").replace(_END, " ")
    pieces: list[str] = []
    done = 0
    for start, end in sorted(highlights):
        pieces += [clean[done:start], _BEGIN, clean[start:end], _END]
        done = end
    stripped = without_marks("".join([*pieces, clean[done:]]))
    text: list[str] = []
    found: list[tuple[int, int]] = []
    begun: int | None = None
    for character in stripped:
        if character == _BEGIN:
            begun = len(text)
        elif character == _END:
            if begun is not None and begun < len(text):
                found.append((begun, len(text)))
            begun = None
        else:
            text.append(character)
    return "".join(text), tuple(found)
