"""What "found" means: words without case and accents, each Chinese character a word of its own. Pure functions.

The index holds folded text: plain words between blanks, so that SQLite's tokenizer has nothing left to decide and
the places found in the index can be found again in the original.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from desktop.core.expressions import Expression

SNIPPET_LENGTH = 160
_BEFORE_MATCH = 40
"""How much of a snippet may stand before the match, in letters, of which a Chinese character takes the room of two."""
_MAX_WORDS = 64
_SENTENCE_END = Expression(r"[.!?…](?=\s)|[。！？\n]")
_CLAUSE_END = Expression(r"[,;:](?=\s)|[，；：、]")
_WORD_END = Expression(r"\s")
_LEFT_BEHIND = ".,;:!?…)]}>\"'|·—–-，。；：！？、）】》」』〉”’"
"""Marks that end something: at the beginning of a snippet they would stand there without it."""

WRITTEN_WITHOUT_BLANKS = Expression(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Han, Kana, Bopomofo, Yi and Hangul: their characters count as words."""


class _FoldingTable(dict[int, str]):
    """Maps a code point to its folded form, worked out at first use; for ``str.translate``."""

    def __missing__(self, code_point: int) -> str:
        folded = self[code_point] = _fold_character(chr(code_point))
        return folded


def _fold_character(character: str) -> str:
    without_accents = "".join(c for c in unicodedata.normalize("NFKD", character) if not "\u0300" <= c <= "\u036f")
    return "".join(map(_as_word_text, unicodedata.normalize("NFC", without_accents).casefold()))


def _as_word_text(character: str) -> str:
    category = unicodedata.category(character)
    if WRITTEN_WITHOUT_BLANKS.match(character) and category[0] in "LMN":
        return f" {character} "
    if category == "So":  # emoji can be searched for
        return f" {character} "
    if "\ufe00" <= character <= "\ufe0f" or category == "Cf":  # invisible: never a reason not to find something
        return ""
    return character if category[0] in "LMN" else " "


_FOLDING = _FoldingTable()


def fold(text: str) -> str:
    """Return ``text`` as blank-separated words, without case and accents."""
    return text.translate(_FOLDING)


@dataclass(frozen=True)
class Snippet:
    text: str
    highlights: tuple[tuple[int, int], ...]
    """Start and end offsets of the matches within ``text``."""


@dataclass(frozen=True)
class SearchQuery:
    """What was typed. Each run between blanks is a phrase, and all of them must occur.

    The very last word may be the beginning of one, because it may still be being typed, unless the phrase is whole.
    """

    phrases: tuple[tuple[str, ...], ...]
    is_whole: bool = False
    _patterns: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        last = -1 if self.prefix is None else len(self.phrases) - 1
        patterns = (_pattern(phrase, is_prefix=i == last) for i, phrase in enumerate(self.phrases))
        object.__setattr__(self, "_patterns", tuple(patterns))

    @property
    def prefix(self) -> str | None:
        """The last word where it may be the beginning of one; a character that is a word of its own begins no other."""
        if self.is_whole or not self.phrases:
            return None
        last = self.phrases[-1][-1]
        return None if len(last) == 1 and WRITTEN_WITHOUT_BLANKS.match(last) else last

    @property
    def words(self) -> tuple[str, ...]:
        """All words, folded, each once; a text that is a hit holds them all."""
        return tuple(dict.fromkeys(word for phrase in self.phrases for word in phrase))

    @classmethod
    def parse(cls, text: str) -> "SearchQuery":
        """Read what was typed; nothing in it is syntax. Of very long texts only the first words count."""
        return cls.of([(run, False) for run in text.split()])

    @classmethod
    def of(cls, runs: Iterable[tuple[str, bool]]) -> "SearchQuery":
        """Make a query of these phrases, each with whether its last word is whole."""
        phrases: list[tuple[str, ...]] = []
        room, ends_whole = _MAX_WORDS, False
        for run, is_whole in runs:
            if words := tuple(fold(run).split()[:room]):
                phrases.append(words)
                room, ends_whole = room - len(words), is_whole
        return cls(tuple(phrases), ends_whole)

    def to_fts(self) -> str:
        """Return the FTS5 expression."""
        expression = " AND ".join(f'"{" ".join(phrase)}"' for phrase in self.phrases)
        return expression if self.prefix is None else f"{expression} *"

    def matches(self, text: str) -> bool:
        """True when ``text`` is a hit; an empty query matches nothing."""
        folded = fold(text)
        return bool(self._patterns) and all(pattern.search(folded) for pattern in self._patterns)

    def snippet(self, text: str) -> Snippet:
        """Return one line around the first match, with all matches in it."""
        found = self._patterns[0].search(fold(text)) if self._patterns else None
        start = _somewhat_before(text, _original_offset(text, found.start())) if found else 0
        raw = text[start : start + 4 * SNIPPET_LENGTH]
        line = " ".join(raw.replace("\0", " ").split())
        lead = "…" if start > 0 else ""
        room = SNIPPET_LENGTH - len(lead)
        if len(line) > room or start + len(raw) < len(text):
            line = f"{line[: room - 1]}…"
        line = lead + line
        return Snippet(line, self.highlights(line))

    def highlights(self, line: str) -> tuple[tuple[int, int], ...]:
        """Return the offsets of all matches in a short text, in order, overlapping ones merged."""
        folded: list[str] = []
        origins: list[int] = []
        for offset, character in enumerate(line):
            piece = fold(character)
            folded.append(piece)
            origins.extend([offset] * len(piece))
        whole = "".join(folded)
        spans = sorted(
            (origins[match.start()], origins[match.end() - 1] + 1)
            for pattern in self._patterns
            for match in pattern.finditer(whole)
        )
        merged: list[tuple[int, int]] = []
        for start, end in spans:
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        return tuple(merged)


def _pattern(phrase: tuple[str, ...], *, is_prefix: bool) -> re.Pattern[str]:
    words = " +".join(map(re.escape, phrase))
    return re.compile(f"(?<![^ ]){words}{'' if is_prefix else '(?![^ ])'}")


def _somewhat_before(text: str, match: int) -> int:
    """Return where a snippet begins, so that the match is seen where only its beginning is shown.

    That is with a sentence or a part of one where there is one near enough, else with a word; never with marks that
    belong to what was left out.
    """
    start, room = match, _BEFORE_MATCH
    while start and room > 0:
        start -= 1
        room -= 2 if unicodedata.east_asian_width(text[start]) in "WF" else 1
    if start == 0:
        return 0
    half = start + (match - start) // 2  # what stands before the match tells what it is about
    for boundary, end in ((_SENTENCE_END, match), (_CLAUSE_END, half), (_WORD_END, half)):
        if found := next(boundary.finditer(text, start - 1, end), None):
            start = found.end()
            break
    while start < match and (text[start] in _LEFT_BEHIND or unicodedata.category(text[start])[0] in "MZC"):
        start += 1
    return start


def _original_offset(text: str, folded_offset: int) -> int:
    """Return which character of ``text`` became the one at ``folded_offset`` of ``fold(text)``."""
    low, high, width_before = 0, len(text), 0
    while high - low > 1:
        middle = (low + high) // 2
        width = len(fold(text[low:middle]))
        if width_before + width <= folded_offset:
            low, width_before = middle, width_before + width
        else:
            high = middle
    return low
