"""Sentences with their places, dates instead of words like "tomorrow", and whether two texts say the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from desktop.core.expressions import Expression

_SHORTENED = (
    r"(?:(?<=\b(?:Mr|Dr|Ms|St|Jr|Sr|No|Nr|vs))|(?<=\b(?:Mrs|etc|e\.g|i\.e))|(?<=\bProf)|(?<=[a-zß]str)"
    r"|(?<=\b[A-HJ-Z]))[.](?=\s\S)"
)
"""A full stop that ends no sentence."""
_SENTENCES = Expression(rf"(?:[^.!?。！？\n]|[.](?=\S)|{_SHORTENED}|[.!?](?=[.!?]))+[.!?。！？]*")
_QUESTION = Expression(r"[?？][\"”」』)）\s]*$|(?:吗|呢)[。.!！\s]*$")
_WORDS = Expression(r"[^\W_]+")
_FILLER = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "am",
        "are",
        "be",
        "being",
        "do",
        "does",
        "just",
        "also",
        "that",
        "s",
        "的",
        "了",
        "也",
        "就",
        "都",
    ]
)
_SAME = (("the user's", "my"), ("the user", "i"), ("用户", "我"), ("i'm", "i am"), ("i've", "i have"))
_NOW = Expression(r"(?i)\b(?:now|currently|at the moment|these days)\b|现在|目前")
_DAYS = Expression(
    r"(?i)\b(?P<en>the day after tomorrow|the day before yesterday|today|tonight|tomorrow|yesterday"
    r"|(?P<which>next|this|last) (?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?P<span_which>next|this|last) (?P<span>month|year))\b"
    r"|(?P<zh>大后天|后天|明天|明晚|今天|今晚|昨天|昨晚|前天|(?P<zh_which>下周|下个?星期|上周|上个?星期|这周|本周|这个?星期)(?P<zh_day>[一二三四五六日天])"
    r"|(?P<zh_span>下个月|上个月|这个月|本月|明年|去年|今年|前年|后年))"
)
_SPANS = {
    "next": 1, "this": 0, "last": -1,
    "下个月": 1, "这个月": 0, "本月": 0, "上个月": -1, "后年": 2, "明年": 1, "今年": 0, "去年": -1, "前年": -2,
}  # fmt: skip
_SHIFTS = {
    "the day after tomorrow": 2, "the day before yesterday": -2, "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
    "大后天": 3, "后天": 2, "明天": 1, "明晚": 1, "今天": 0, "今晚": 0, "昨天": -1, "昨晚": -1, "前天": -2,
}  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CHINESE_WEEKDAYS = "一二三四五六日"
_DATED = Expression(r"\d{4}-\d{2}-\d{2}|\d{4}年|\b(?:19|20)\d{2}\b")


@dataclass(frozen=True)
class Sentence:
    text: str
    start: int
    """Where it begins in the whole."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_question(self) -> bool:
        return _QUESTION.search(self.text) is not None


def sentences(text: str) -> Iterator[Sentence]:
    """Return the sentences, lines apart, without what is blank."""
    for match in _SENTENCES.finditer(text):
        if stripped := match.group().strip():
            yield Sentence(stripped, match.start() + match.group().index(stripped))


def with_dates(text: str, said_at: datetime) -> str:
    """Return the text with the date behind each word that only means one on the day on which it was said."""
    if _DATED.search(text):
        return text
    day = said_at.astimezone().date()
    pieces: list[str] = []
    end = 0
    for match in _DAYS.finditer(text):
        words = match.groupdict()
        meant = _span(words, day) or _meant(words, day).isoformat()
        pieces.extend((text[end : match.end()], f"（{meant}）" if match["zh"] else f" ({meant})"))
        end = match.end()
    return "".join((*pieces, text[end:]))


def _span(word: dict[str, str | None], day: date) -> str:
    """The month or the year that is meant; empty where a day is."""
    which = word["span_which"] or word["zh_span"]
    if which is None:
        return ""
    shift = _SPANS[which.lower()]
    if "月" in which or (word["span"] or "").lower() == "month":
        year, month = divmod(12 * day.year + day.month - 1 + shift, 12)
        return f"{year}-{month + 1:02}"
    return str(day.year + shift)


def _meant(word: dict[str, str | None], day: date) -> date:
    if (weekday := word["weekday"]) is not None:
        return _of_week(
            day, {"next": 1, "this": 0, "last": -1}[(word["which"] or "").lower()], _WEEKDAYS.index(weekday.lower())
        )
    if (weekday := word["zh_day"]) is not None:
        weeks = {"下": 1, "上": -1}.get((word["zh_which"] or " ")[0], 0)
        return _of_week(day, weeks, _CHINESE_WEEKDAYS.index(weekday.replace("天", "日")))
    return day + timedelta(days=_SHIFTS[(word["en"] or word["zh"] or "").lower()])


def _of_week(day: date, weeks: int, weekday: int) -> date:
    return day + timedelta(days=weekday - day.weekday() + 7 * weeks)


def plain(text: str) -> str:
    """Return a text as it is compared: words only, no case, each Chinese character a word."""
    return " ".join(_words(text))


def say_the_same(first: str, second: str) -> bool:
    """Tell whether two texts differ in nothing but filler and who speaks of the user; no word more, and in the same order."""
    return meaning_of(first) == meaning_of(second)


def meaning_of(text: str) -> tuple[str, ...]:
    """Return the words of a text that say something, alike for texts that ``say_the_same``."""
    text = text.casefold().replace("’", "'")
    for other, own in _SAME:
        text = text.replace(other, own)
    words = _words(_NOW.sub(" ", text))
    return tuple(_stem(word) for word in words if word not in _FILLER) or tuple(words)


def share_words(first: str, second: str) -> bool:
    """Tell whether two texts have any word in common that means something."""
    return bool({*meaning_of(first)} & {*meaning_of(second)} - {"i", "我", "my", "to", "in"})


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _words(text: str) -> list[str]:
    """The words, without case; of scripts without blanks each character is one."""
    found: list[str] = []
    for match in _WORDS.finditer(text.casefold()):
        word = ""
        for character in match.group():
            if character < "\u2e80":
                word += character
                continue
            found.extend(filter(None, (word, character)))
            word = ""
        found.extend(filter(None, (word,)))
    return found
