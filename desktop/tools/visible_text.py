"""Makes every character of untrusted text visible, so that two different texts never look the same.

``reveal`` can be undone: a token stands for exactly the characters it names, and a text that merely looks like a token
is shown as ``<LT>`` with the rest. What is left as it is, is in Unicode's composed form, so that no two spellings of
one letter look alike. Look-alike letters of other scripts stay (people write in them); ``deceptive_characters`` names
them.
"""

import json
import re
import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, cast

from desktop.tools import findings
from desktop.tools.entities import Finding
from desktop.tools.look_alikes import LOOK_ALIKE_MARKS, look_alike_of

GAP_BLANKS = 40
GAP_LINES = 12
"""As many blanks, or line breaks, in a row may push what follows out of sight."""

_C0_NAMES = "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
_NAMES = {**{chr(i): name for i, name in enumerate(_C0_NAMES.split())}, "\x7f": "DEL", " ": "SPACE"}

# Blank or without a shape of their own, though their category does not say so.
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)
_PICTURE_JOINERS = frozenset("\u200d\ufe0f")
"""Invisible, but at home in emoji: shown, and no reason for alarm."""

_TOKEN_BODY = rf"(?:U\+[0-9A-F]{{4,6}}|LT|{'|'.join(_NAMES.values())})(?:×[0-9]+)?"
_TOKEN_TAIL = re.compile(_TOKEN_BODY + ">")
_TOKEN = re.compile(f"<{_TOKEN_BODY}>")
_PLAIN = re.compile(r"(?:[!-;=-~]|(?<=.) (?=[!-~]))+")
"""ASCII that needs no second look: no ``<``, and only single blanks within a line."""
_WORD = re.compile(r"[^\W_]+")
_BLANK_RUN = re.compile(r"[ \t\r\n]{2,}+")


class Span(NamedTuple):
    """A piece of revealed text: characters ``start`` to ``end`` (code points, not UTF-16 units)."""

    start: int
    end: int
    is_token: bool


def reveal(text: str, *, keep_newlines: bool = True) -> str:
    """Return ``text`` with everything that cannot be seen as a token: ``<U+202E>``, ``<ESC>``, ``<SPACE×12>``.

    Blanks stay where they can be seen: one or two between others. Line feeds stay unless ``keep_newlines``
    is False. Injective: different texts give different results.
    """
    out: list[str] = []
    position = 0
    cluster = ""
    """What a combining mark that comes next would sit on; empty where there is nothing."""
    while position < len(text):
        if plain := _PLAIN.match(text, position):
            out.append(plain.group())
            position = plain.end()
            cluster = text[position - 1]
            continue
        char = text[position]
        if char == "<":
            out.append("<LT>" if _TOKEN_TAIL.match(text, position + 1) else "<")
            cluster = "" if out[-1] == "<LT>" else char
            position += 1
        elif char == "\n" and keep_newlines:
            out.append(char)
            cluster = ""
            position += 1
        elif char == " " or _is_unseen(char):
            end = position + 1
            while end < len(text) and text[end] == char:
                end += 1
            out.append(_blanks_or_token(text, position, end))
            cluster = ""
            position = end
        else:
            stays, cluster = _joins(cluster, char)
            out.append(char if stays else _token(char, 1))
            position += 1
    return "".join(out)


def spans(text: str, *, keep_newlines: bool = True) -> tuple[Span, ...]:
    """Return the spans of ``reveal(text)`` in order, without gaps, so that tokens can be coloured."""
    return spans_of_revealed(reveal(text, keep_newlines=keep_newlines))


def spans_of_revealed(revealed: str) -> tuple[Span, ...]:
    """Like ``spans``, for text that was revealed already."""
    result: list[Span] = []
    position = 0
    for match in _TOKEN.finditer(revealed):
        if match.start() > position:
            result.append(Span(position, match.start(), False))
        result.append(Span(match.start(), match.end(), True))
        position = match.end()
    if position < len(revealed):
        result.append(Span(position, len(revealed), False))
    return tuple(result)


def deceptive_characters(text: str) -> tuple[Finding, ...]:
    """Return what in ``text`` could make it look like something else: unseen characters, look-alikes, great gaps."""
    result: list[Finding] = []
    unseen = [c for c in dict.fromkeys(text) if _is_unseen(c) and c not in "\n\t"]
    if unseen:
        tokens = [_token(c, 1) for c in unseen]
        result.append(
            Finding(
                code=findings.HIDDEN_CHARACTERS,
                detail=" ".join(tokens[:8]) + (" …" if len(tokens) > 8 else ""),
                severe=not _PICTURE_JOINERS.issuperset(unseen),
            )
        )
    if gap := _widest_gap(text):
        result.append(Finding(code=findings.MANY_BLANKS, detail=str(gap), severe=True))
    if not text.isascii():
        result.extend(_look_alikes(text))
    return tuple(result)


def one_line_hint(arguments_json: str, limit: int = 80) -> str:
    """Return the arguments of a call as one short line for a card: a lone value as it is, else ``key: value, …``.

    A command or a question stands alone, too. Text that is no JSON object is shown as it came.
    """
    shown = arguments_json[: 20 * limit]
    if len(arguments_json) <= 100_000:
        shown = _hint_of(arguments_json)[: 20 * limit]
    line = reveal(shown.strip(" "), keep_newlines=False)
    return line if len(line) <= limit else line[: max(limit - 1, 0)] + "…"


def without_surrogates(text: str) -> str:
    """Return ``text`` with each half of a surrogate pair replaced, so that it can be stored and sent as UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _SURROGATE.search(text) else text


_SURROGATE = re.compile("[\ud800-\udfff]")


def _hint_of(arguments_json: str) -> str:
    try:
        arguments: Any = json.loads(arguments_json or "{}")
    except (ValueError, RecursionError):
        return arguments_json
    if not isinstance(arguments, dict):
        return arguments_json
    values = {key: _short(value) for key, value in cast(dict[str, Any], arguments).items()}
    for name in ("command", "question"):
        if name in values:
            return values[name]
    if len(values) == 1:
        return next(iter(values.values()))
    return ", ".join(f"{key}: {value}" for key, value in values.items())


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _blanks_or_token(text: str, start: int, end: int) -> str:
    at_an_end = start == 0 or end == len(text) or text[end] == "\n"
    if text[start] == " " and end - start <= 2 and not at_an_end:
        return text[start:end]
    return _token(text[start], end - start)


def _token(char: str, count: int) -> str:
    name = _NAMES.get(char) or f"U+{ord(char):04X}"
    return f"<{name}×{count}>" if count > 1 else f"<{name}>"


def _joins(cluster: str, char: str) -> tuple[bool, str]:
    """Tell whether ``char`` may stay as it is after ``cluster``, and the cluster after it.

    It may not when the two look like another spelling of the same, or when a mark has nothing to sit on.
    """
    is_mark = unicodedata.category(char).startswith("M")
    if (is_mark and (not cluster or len(cluster) > 4)) or not unicodedata.is_normalized("NFC", cluster + char):
        return False, ""
    return True, cluster + char if is_mark else char


@lru_cache(maxsize=4096)
def _is_unseen(char: str) -> bool:
    """True for what has no shape: controls, formats, blanks but SPACE, halves of pairs, unassigned and private ones."""
    if char == " ":
        return False
    return char in _UNSEEN or unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}


def _look_alikes(text: str) -> list[Finding]:
    """Words that read as ASCII but are not: of mixed scripts (severe), or wholly of look-alike letters."""
    result: dict[str, Finding] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii() or len(result) >= 8:
            continue
        twin = "".join(look_alike_of(c) or c for c in word)
        if twin == word:
            continue
        mixed = any(c.isascii() for c in word)
        if twin.isascii() or mixed:
            detail = f"{word} ≠ {twin} ({_scripts(word)})"
            result[word] = Finding(code=findings.LOOK_ALIKE, detail=detail, severe=mixed)
    for position, char in enumerate(text):
        if char in LOOK_ALIKE_MARKS and _beside_ascii(text, position):
            detail = f"{char} (U+{ord(char):04X}) ≠ {LOOK_ALIKE_MARKS[char]}"
            result[char] = Finding(code=findings.LOOK_ALIKE, detail=detail, severe=True)
    return list(result.values())


def _widest_gap(text: str) -> int:
    """The length of the longest run of blanks that may hide what follows it, 0 when there is none."""
    widest = 0
    for match in _BLANK_RUN.finditer(text.rstrip()):
        lines = match.group().split("\n")
        if len(lines) > GAP_LINES or max(map(len, lines)) >= GAP_BLANKS:
            widest = max(widest, len(match.group()))
    return widest


def _beside_ascii(text: str, position: int) -> bool:
    neighbours = text[max(position - 1, 0) : position] + text[position + 1 : position + 2]
    return any(c.isascii() and c.isalnum() for c in neighbours)


def _scripts(word: str) -> str:
    """The scripts of a word's letters in order, by the first word of their Unicode names: ``Latin, Cyrillic``."""
    names = (unicodedata.name(c, "unknown").split(" ")[0].capitalize() for c in word if c.isalpha())
    return ", ".join(dict.fromkeys(name for name, _ in groupby(names)))
