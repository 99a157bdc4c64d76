"""Finds the sources that endpoints name beside an answer. They are words of the endpoint: kept, never fetched."""

from collections.abc import Iterator, Mapping
from typing import Any

from desktop.core.language_model import Source
from desktop.providers.surrogates import clean_text

MAX_SOURCES = 200
MAX_URL_CHARS = 2_000
MAX_TITLE_CHARS = 300
_MAX_DEPTH = 5
_MAX_VALUES = 1_000

_PLACES = ("search_results", "annotations", "citations", "web_search", "search_info", "executed_tools", "references")
"""Where a chunk, its choice or its delta has sources, those with titles first."""
_ANYWHERE = frozenset(_PLACES)
_INSIDE = ("url_citation", "results", "search_results", "citations", "annotations")
_URLS = ("url", "link", "uri")
_TITLES = ("title", "name", "site_name")


class SourceCollector:
    """The sources of one answer."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def new_in(self, *holders: Mapping[str, Any]) -> tuple[Source, ...]:
        """Return the sources named in the fields of ``holders`` that were not named before."""
        if all(_ANYWHERE.isdisjoint(holder) for holder in holders):  # nearly always: this is asked of every chunk
            return ()
        found: dict[str, Source] = {}
        for place in _PLACES:
            for holder in holders:
                if value := holder.get(place):
                    self._add(value, found)
        self._known.update(found)
        return tuple(found.values())

    def _add(self, value: Any, found: dict[str, Source]) -> None:
        for count, source in enumerate(_sources_in(value)):
            if count == _MAX_VALUES or len(self._known) + len(found) >= MAX_SOURCES:
                return
            if source.url not in self._known and not (source.url in found and found[source.url].title):
                found[source.url] = source


def _sources_in(value: Any, depth: int = 0) -> Iterator[Source]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        if url := _url(value):
            yield Source(url=url)
    elif isinstance(value, list):
        for item in value[:_MAX_VALUES]:
            yield from _sources_in(item, depth + 1)
    elif isinstance(value, dict):
        if url := next((url for name in _URLS if (url := _url(value.get(name)))), ""):
            title = next((title for name in _TITLES if (title := _title(value.get(name)))), "")
            yield Source(url=url, title=title)
        for name in _INSIDE:
            if name in value:
                yield from _sources_in(value[name], depth + 1)


def _url(value: Any) -> str:
    """The address when it is one that a browser could open; empty otherwise."""
    if not isinstance(value, str) or len(value) > MAX_URL_CHARS:
        return ""
    url = clean_text(value.strip())
    return url if url.lower().startswith(("https://", "http://")) and not any(c.isspace() for c in url) else ""


def _title(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    title = " ".join(clean_text(value[: 4 * MAX_TITLE_CHARS]).split())
    return title if len(title) <= MAX_TITLE_CHARS else title[: MAX_TITLE_CHARS - 1].rstrip() + "…"
