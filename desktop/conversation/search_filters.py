"""Reads what was typed into the search: filters such as ``from:me``, in English and Chinese, phrases in quotes, and words.

Nothing else is syntax. What only looks like a filter is text, and what stands in quotes is never one.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from desktop.conversation.entities import Role
from desktop.conversation.search_wish import FoundFilter, Holding, Phrase, SearchPlace, SearchWish
from desktop.conversation.shelf import Shelf
from desktop.core.expressions import Expression

T = TypeVar("T")

_QUOTES = {'"': '"“”', "“": '”"', "「": "」", "『": "』"}
"""What opens a phrase, and what may close it: a Chinese keyboard has no straight quotes."""
_NAMED = Expression(r"([^\s:：\"“”「」]{1,12})[:：]")
_DATE = Expression(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?|(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})[日号])?)?")
_MOST_CHARACTERS = 2000
"""Of a pasted page only the beginning is read."""

_NAMES: Mapping[str, tuple[str, ...]] = {
    "in": ("in", "在", "位于"),
    "from": ("from", "来自"),
    "has": ("has", "含", "包含", "有"),
    "before": ("before", "早于"),
    "after": ("after", "晚于"),
    "on": ("on", "日期"),
    "model": ("model", "模型"),
}
_PLACES: Mapping[SearchPlace | Shelf, tuple[str, ...]] = {
    SearchPlace.TITLE: ("title", "titles", "标题"),
    SearchPlace.MESSAGES: ("messages", "message", "消息"),
    SearchPlace.TOOLS: ("tools", "tool", "工具"),
    SearchPlace.MEMORY: ("memory", "记忆"),
    Shelf.ARCHIVE: ("archive", "archived", "归档"),
    Shelf.TRASH: ("trash", "回收站"),
}
_SENDERS: Mapping[Role, tuple[str, ...]] = {
    Role.USER: ("me", "我"),
    Role.ASSISTANT: ("model", "模型"),
}
_HOLDINGS: Mapping[Holding, tuple[str, ...]] = {
    Holding.TOOL: ("tool", "tools", "工具"),
    Holding.FILE: ("file", "files", "文件", "附件"),
    Holding.CODE: ("code", "代码"),
}
_TODAY, _YESTERDAY = ("today", "今天"), ("yesterday", "昨天")

Folders = Mapping[str, str]
"""Ids of folders by their names."""


def read_search(text: str, now: datetime, *, folders: Folders | None = None) -> SearchWish:
    """Return what is asked for. ``now`` with the zone of this computer says which days are meant."""
    return _Reader(text[:_MOST_CHARACTERS], now, folders or {}).read()


class _Reader:
    def __init__(self, text: str, now: datetime, folders: Folders) -> None:
        self._text = text
        self._now = now
        self._folders = {name.casefold(): key for name, key in folders.items()}
        self._wish: SearchWish = SearchWish()

    def read(self) -> SearchWish:
        text, place = self._text, 0
        phrases: list[Phrase] = []
        while place < len(text):
            if text[place].isspace():
                place += 1
                continue
            quoted = _quoted(text, place)
            if quoted is not None:
                phrase, place = quoted
                phrases.append(Phrase(phrase, is_whole=True))
                continue
            end = self._read_filter(place)
            if end is None:
                end = place
                while end < len(text) and not text[end].isspace():
                    end += 1
                phrases.append(Phrase(text[place:end]))
            place = end
        return replace(self._wish, phrases=tuple(phrases))

    def _read_filter(self, start: int) -> int | None:
        """Take in a filter that begins here; return its end, None where there is none."""
        text = self._text
        named = _NAMED.match(text, start)
        if named is None:
            return None
        name = next((name for name, words in _NAMES.items() if named[1].casefold() in words), "")
        if not name:
            return None
        quoted = _quoted(text, named.end())
        if quoted is not None:
            value, end = quoted
        else:
            end = named.end()
            while end < len(text) and not text[end].isspace():
                end += 1
            value = text[named.end() : end]
        taken = self._take(name, value.strip())
        if not taken:
            return None
        found = FoundFilter(name, taken, start, end)
        self._wish = replace(self._wish, filters=(*self._wish.filters, found))
        return end

    def _take(self, name: str, value: str) -> str:
        """Add the filter; return its value in the words of the help, empty where it makes no sense."""
        if not value:
            return ""
        takers: Mapping[str, Callable[[str], str]] = {
            "in": self._take_place,
            "from": self._take_sender,
            "has": self._take_holding,
            "model": self._take_model,
        }
        return takers[name](value) if name in takers else self._take_days(name, value)

    def _take_place(self, value: str) -> str:
        wish, place = self._wish, _named(_PLACES, value)
        if isinstance(place, SearchPlace):
            self._wish = replace(wish, places=wish.places | {place})
            return place.value
        if isinstance(place, Shelf):
            self._wish = replace(wish, shelves=wish.shelves | {place})
            return place.value
        folder = self._folders.get(value.casefold())
        if folder is None:
            return ""
        self._wish = replace(wish, folders=wish.folders | {folder})
        return value

    def _take_sender(self, value: str) -> str:
        role = _named(_SENDERS, value)
        if role is None:
            return ""
        self._wish = replace(self._wish, roles=self._wish.roles | {role})
        return _SENDERS[role][0]

    def _take_holding(self, value: str) -> str:
        holding = _named(_HOLDINGS, value)
        if holding is None:
            return ""
        self._wish = replace(self._wish, holding=self._wish.holding | {holding})
        return holding.value

    def _take_model(self, value: str) -> str:
        self._wish = replace(self._wish, models=(*self._wish.models, value))
        return value

    def _take_days(self, name: str, value: str) -> str:
        days = _days(value, self._now)
        if days is None:
            return ""
        first, next_one = days
        since, until = self._wish.since, self._wish.until
        if name != "before":
            since = first if since is None else max(since, first)
        if name != "after":
            end = first if name == "before" else next_one
            until = end if until is None else min(until, end)
        self._wish = replace(self._wish, since=since, until=until)
        return value


def _quoted(text: str, start: int) -> tuple[str, int] | None:
    """Return the words in quotes that begin here, and where they end; a quote that is not closed is text."""
    if start >= len(text) or text[start] not in _QUOTES:
        return None
    closing = _QUOTES[text[start]]
    end = next((place for place in range(start + 1, len(text)) if text[place] in closing), -1)
    return None if end < 0 else (text[start + 1 : end], end + 1)


def _named(words: Mapping[T, tuple[str, ...]], value: str) -> T | None:
    return next((key for key, names in words.items() if value.casefold() in names), None)


def _days(value: str, now: datetime) -> tuple[datetime, datetime] | None:
    """Return when a year, a month or a day begins, and when the next one does."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if value.casefold() in _TODAY:
        return _local(today), _local(today + timedelta(days=1))
    if value.casefold() in _YESTERDAY:
        return _local(today - timedelta(days=1)), _local(today)
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year, month, day = [int(number) if number else None for number in found.groups()[0 if found[1] else 3 :][:3]]
    try:
        first = today.replace(year=year or 1, month=month or 1, day=day or 1)
        if day is not None:
            after = first + timedelta(days=1)
        elif month is not None:
            after = first.replace(year=first.year + month // 12, month=month % 12 + 1)
        else:
            after = first.replace(year=first.year + 1)
        return _local(first), _local(after)
    except (ValueError, OverflowError):
        return None


def _local(moment: datetime) -> datetime:
    """The clock of that day, which may be another than today's: summer has its own."""
    return moment.replace(tzinfo=None).astimezone()
