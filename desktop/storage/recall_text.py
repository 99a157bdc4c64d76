"""How texts and questions become words for recall: dated texts, and of a question what its answer will share with it.

Words are folded as for the search (``search_text.fold``), which sets characters of scripts without blanks apart; two
neighbours of them are asked for as a phrase. Nothing in a question is syntax.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from desktop.memory.question_words import MONTHS, days_of, runs_of, says_nothing
from desktop.storage.search_text import WRITTEN_WITHOUT_BLANKS, fold

BEFORE_LENGTH = 300
"""How much of what was said before a message is indexed with it: its end, to which the message replies."""
_MOST_TERMS = 48
_MOST_PHRASES = 24
_MOST_READ = 4_000


def dated(moment: datetime, minutes_from_utc: int) -> str:
    """Return the day as English and Chinese texts name it, at the place where the user was."""
    day = moment + timedelta(minutes=minutes_from_utc)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}年{day.month}月{day.day}日"


def ending(text: str) -> str:
    """Return the end of a text, to which what came after it replied."""
    return text[-BEFORE_LENGTH:]


def terms_of(question: str) -> list[str]:
    """Return what a question is asked with: words, and pairs of characters, without those that say nothing."""
    terms: dict[str, None] = {}
    for run in runs_of(question):
        apart: list[str] = []
        for word in fold(run).split():
            if len(word) == 1 and WRITTEN_WITHOUT_BLANKS.match(word):
                apart.append(word)
                continue
            terms.update(dict.fromkeys(_pairs(apart)))
            apart = []
            if not says_nothing(word):
                terms[word] = None
        terms.update(dict.fromkeys(_pairs(apart)))
    return list(terms)[:_MOST_TERMS]


def phrases_of(question: str) -> list[str]:
    """Return what tells more than its words do: days as ``dated`` names them, and words that stand side by side."""
    days = [f"{day.day} {MONTHS[day.month - 1].lower()}" for day in days_of(question)]
    words, terms = fold(" ".join(question.split())[:_MOST_READ]).split(), {*terms_of(question)}
    pairs = [f"{first} {second}" for first, second in pairwise(words) if first in terms and second in terms]
    return list(dict.fromkeys((*days, *pairs)))[:_MOST_PHRASES]


def _pairs(characters: list[str]) -> list[str]:
    if len(characters) == 1:
        return characters
    return [f"{first} {second}" for first, second in pairwise(characters)]


def to_fts(terms: Sequence[str]) -> str:
    """Return the FTS5 expression for what holds any of the terms."""
    return " OR ".join(f'"{term}"' for term in terms)
