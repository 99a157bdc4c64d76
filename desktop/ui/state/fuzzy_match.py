"""How well what somebody types fits the name of an action: by words, by their beginnings, and by letters in their order."""

import unicodedata
from dataclasses import dataclass
from functools import cache

WHOLE, BEGINNING, WORD_BEGINNINGS, INSIDE, IN_ORDER = 5, 4, 3, 2, 1
"""What a match is worth, from the name itself to letters that only come in the same order."""
_MOST_GAPS = 3
"""Letters in their order are a match only where they stand in so few pieces; else anything would be found by anything."""
_MOST_LETTERS = 24


@dataclass(frozen=True, order=True)
class Match:
    """A better one is greater."""

    worth: int
    nearness: int
    """0 for a match at the very beginning of a short name, less for others."""


def match(query: str, name: str) -> Match | None:
    """Return how well ``query`` fits ``name``; None where it does not. Blanks, case and accents do not count.

    Of Chinese and Japanese every character is the beginning of a word, so that ``删话`` finds ``删除对话``.
    """
    wanted, said = folded(query), folded(name)
    words = wanted.split()
    if not words:
        return Match(INSIDE, 0)
    if wanted == said:
        return Match(WHOLE, 0)
    compact = "".join(words)
    if said.startswith(wanted):
        return Match(BEGINNING, -len(said))
    places = [_at_beginning(word, said) for word in words]
    if all(place is not None for place in places):
        return Match(WORD_BEGINNINGS, -sum(place or 0 for place in places) - len(said))
    if all(word in said for word in words):
        return Match(INSIDE, -sum(map(said.index, words)) - len(said))
    pieces = _pieces(compact, said)
    return Match(IN_ORDER, -100 * pieces - len(said)) if pieces else None


def folded(text: str) -> str:
    """Return the text without case, accents and width, its words between single blanks."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(each for each in decomposed if not unicodedata.combining(each))
    return " ".join("".join(each if each.isalnum() or each in "+#" else " " for each in plain).split())


def _at_beginning(word: str, said: str) -> int | None:
    """Where a word of ``said`` begins with ``word``."""
    start = said.find(word)
    while start >= 0:
        if _begins_word(said, start):
            return start
        start = said.find(word, start + 1)
    return None


def _begins_word(said: str, place: int) -> bool:
    return place == 0 or said[place - 1] == " " or not said[place].isascii()


def _pieces(letters: str, said: str) -> int:
    """In how many pieces the letters stand in ``said`` in their order, each at the beginning of a word; 0: they do not."""
    if not 2 <= len(letters) <= _MOST_LETTERS:
        return 0

    @cache
    def rest(place: int, start: int, pieces: int) -> int:
        if place == len(letters):
            return pieces
        if pieces == _MOST_GAPS + 1:
            return 0
        best = 0
        for begin in range(start, len(said)):
            if said[begin] != letters[place] or not _begins_word(said, begin):
                continue
            length = 0
            while (
                place + length < len(letters)
                and begin + length < len(said)
                and said[begin + length] == letters[place + length]
            ):
                length += 1
                found = rest(place + length, begin + length, pieces + 1)
                best = min(filter(None, (best, found)), default=0)
        return best

    return rest(0, 0, 0)
