"""Looks for what is typed into the search box: words at once, notes of memory, and a moment later what means the same."""

import asyncio
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.conversation.entities import Role, SearchHit, Thread
from desktop.conversation.search_wish import SearchPage, SearchPlace, SearchWish
from desktop.conversation.shelf import Shelf
from desktop.core.memory_settings import EmbedderKind
from desktop.memory.entities import Passage
from desktop.memory.indexing import IndexingState
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.sidebar.meaning_filter import fulfilling
from desktop.ui.sidebar.result_model import HitRole, Note, RowKind, note_of_summary
from desktop.ui.transcript.finding import Needle

if TYPE_CHECKING:
    from desktop.ui.sidebar.results_page import ResultsPage
    from desktop.ui.sidebar.sidebar import Sidebar

MOST_LIKE = 8
"""Messages that are shown as found by their meaning."""
MOST_LIKE_WITH_FILTERS = 60
"""Messages that are asked for where filters may leave some out."""
MEANING_DELAY_SECONDS = 0.2
"""After the words were looked up: half a word means nothing, or something else."""
LIKE_AGAIN_MS = 500
"""While vectors are made, there are more of them many times a second."""
LEAST_ASKED = 3
"""In letters, of which a Chinese character counts two."""
SNIPPET_LENGTH = 160
ENOUGH_HITS = 30
"""So many are looked for at once, however far back they are; then the user is asked."""
MOST_NOTES = 5
BUILD_DELAY_MS = 4000
"""After the start: then what is not in the index yet is put into it."""


class SearchPresenter(QObject):
    """Shows in the sidebar what was found, and leads to it.

    Signals:
        found_opened: a place in a chat is being opened; ids of thread, message (or empty) and tool call (or empty), and
            the phrases that stand there.
        memory_wanted: what is remembered is to be shown; carries the words.
    """

    found_opened = Signal(str, str, str, list)
    memory_wanted = Signal(str)

    def __init__(self, sidebar: "Sidebar", services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._services = services
        self._worker = Worker(services)
        self._number = 0
        """Of what was asked for last: an answer to anything before comes too late."""
        self._wish = SearchWish()
        self._older: int | None = None
        self._is_stepping = False
        """The next hit is gone to as soon as it is there."""
        self._finds_by_meaning = True
        """As far as is known: the last time it was asked."""
        self._again = QTimer(self, singleShot=True, interval=LIKE_AGAIN_MS)
        self._again.timeout.connect(self._find_like_again)
        sidebar.search_changed.connect(self.search)
        sidebar.hit_activated.connect(self._opened)
        sidebar.results.more_requested.connect(
            lambda thread_id: self._worker.start_once(self._unfold(thread_id, self._number), "find more in a chat")
        )
        sidebar.results.older_requested.connect(
            lambda: self._worker.start_once(self._look_on(self._number), "find older ones")
        )
        sidebar.results.item_requested.connect(lambda: self.memory_wanted.emit(self._wish.text))
        sidebar.results.trash_requested.connect(sidebar.footer.trash_requested)
        services.search.built.connect(self._built)
        services.conversations.thread_removed.connect(self._thread_removed)
        services.memory.indexing.changed.connect(self._indexing_changed)
        self._building = QTimer(self, singleShot=True, interval=BUILD_DELAY_MS)
        self._building.timeout.connect(self._build)
        self._building.start()

    def close(self) -> None:
        """Begin nothing by itself any more; for the end of the window, after which the store is closed."""
        self._building.stop()
        self._again.stop()

    def search(self, text: str) -> None:
        """Look for this from now on; empty ends the search."""
        self._number += 1
        self._is_stepping = False
        if text:
            self._worker.start(self._find(text, self._number), "search")
        else:
            self._wish, self._older = SearchWish(), None
            self._sidebar.show_threads()

    def step(self, direction: int) -> None:
        """Go to the next hit and open it, or to the one before."""
        self._sidebar.show_main_page()
        if self._sidebar.results.step(direction):
            kind = self._sidebar.results.currentIndex().data(HitRole.KIND)
            self._is_stepping = kind in (RowKind.MORE, RowKind.OLDER)

    # -- by words

    async def _find(self, text: str, number: int) -> None:
        search = self._services.search
        wish = await search.read(text)
        if number != self._number:  # a newer search is under way, or it was ended
            return
        self._sidebar.search_box.show_filters(wish.filters)
        page = await search.find(wish, stop=lambda: number != self._number)
        if number != self._number:
            return
        self._wish, self._older = wish, page.older
        self._sidebar.results.is_of_trash = Shelf.TRASH in wish.shelves
        asks = self._asks_meaning(wish)
        goes_on = asks or page.older is not None or wish.looks_in(SearchPlace.MEMORY)
        self._change(text, lambda shown: self._begin(shown, page, goes_on=goes_on), begins=True)
        found = len(page.hits)
        while number == self._number and self._older is not None and found < ENOUGH_HITS:
            found += await self._find_older(text, number, goes_on=True)
        await self._find_notes(text, wish, number)
        if asks:
            await asyncio.sleep(MEANING_DELAY_SECONDS)
            if number == self._number:
                await self._find_like(text, number)
        elif number == self._number:
            self._change(text, lambda shown: shown.add_like(()))

    def _begin(self, shown: "ResultsPage", page: SearchPage, *, goes_on: bool) -> str:
        shown.set_building(page.is_building)
        shown.set_filtered(bool(self._wish.filters))
        if page.is_building:
            self._build()
        return shown.show_hits(page.hits, page.further, has_older=page.older is not None, goes_on=goes_on)

    async def _find_older(self, text: str, number: int, *, goes_on: bool) -> int:
        page = await self._services.search.find(self._wish, older=self._older, stop=lambda: number != self._number)
        if number != self._number:
            return 0
        self._older = page.older
        has_older = page.older is not None
        self._change(text, lambda shown: shown.add_older(page.hits, page.further, has_older=has_older, goes_on=goes_on))
        return len(page.hits)

    async def _look_on(self, number: int) -> None:
        """Look further back, until there is something or nothing older."""
        row = self._sidebar.results.currentIndex().row()
        found = 0
        while number == self._number and self._older is not None and found < ENOUGH_HITS:
            found += await self._find_older(self._sidebar.search_text, number, goes_on=False)
        self._go_on_at(row, number)

    async def _unfold(self, thread_id: str, number: int) -> None:
        row = self._sidebar.results.currentIndex().row()
        page = await self._services.search.find(self._wish, thread_id=thread_id, stop=lambda: number != self._number)
        hits = list(page.hits)
        while page.older is not None and number == self._number and len(hits) < 10 * ENOUGH_HITS:
            page = await self._services.search.find(
                self._wish, older=page.older, thread_id=thread_id, stop=lambda: number != self._number
            )
            hits += page.hits
        if number == self._number:
            self._sidebar.results_model.unfold(thread_id, hits, has_more=False)
            self._go_on_at(row, number)

    def _go_on_at(self, row: int, number: int) -> None:
        """What was folded stands in its place now: the way through the hits goes on there, and so do the arrow keys."""
        view = self._sidebar.results
        if number != self._number or row < 0 or row >= view.model().rowCount():
            return
        index = view.model().index(row, 0)
        if self._is_stepping:
            self._is_stepping = False
            view.choose(view.model().index(row - 1, 0))
            self.step(1)
        else:
            view.choose(index)

    def _thread_removed(self, thread_id: str) -> None:
        if self._sidebar.search_text and self._sidebar.results_model.holds(thread_id):
            self.search(self._sidebar.search_text)

    def _build(self) -> None:
        self._worker.start_once(self._services.search.build(), "make chats ready for the search")

    def _built(self) -> None:
        if self._sidebar.search_text:
            self.search(self._sidebar.search_text)

    # -- notes of memory

    async def _find_notes(self, text: str, wish: SearchWish, number: int) -> None:
        if number != self._number or not wish.looks_in(SearchPlace.MEMORY):
            return
        items = await self._services.memory.search(wish.text, limit=MOST_NOTES)
        summaries = await self._services.search.summaries(wish, limit=MOST_NOTES)
        if number != self._number:
            return
        since, until = wish.since, wish.until
        needle = Needle(phrase.text for phrase in wish.phrases)
        notes = [
            Note(line := _one_line(item.text), tuple(needle.spans(line)))
            for item in items
            if (since is None or item.created_at >= since) and (until is None or item.created_at < until)
        ]
        notes += map(note_of_summary, summaries)
        self._change(text, lambda shown: shown.add_notes(notes))

    # -- by meaning

    def _asks_meaning(self, wish: SearchWish) -> bool:
        is_possible = wish.looks_in(SearchPlace.MESSAGES) and Shelf.TRASH not in wish.shelves
        kind = self._services.settings.settings.memory.embedder
        return is_possible and _is_worth_asking(wish.text) and kind is not EmbedderKind.NONE

    async def _find_like(self, text: str, number: int) -> None:
        hits: list[SearchHit] = []
        wish = self._wish
        try:
            found = await self._services.memory.like(wish.text, MOST_LIKE_WITH_FILTERS if wish.filters else MOST_LIKE)
            self._finds_by_meaning = found is not None
            passages = [one.passage for one in found or ()]
            for passage, thread in await fulfilling(passages, wish, self._services):
                hits.append(_hit_of(passage, thread))
                if len(hits) == MOST_LIKE:
                    break
        finally:  # else it would be waited for
            if number == self._number:
                self._sidebar.set_finds_by_meaning(self._finds_by_meaning)
                self._change(text, lambda shown: shown.add_like(hits))

    def _indexing_changed(self, state: IndexingState) -> None:
        """Vectors were only being made ready when they were asked, or there are more of them now."""
        is_wanted = state.embedder_id is not None and self._asks_meaning(self._wish)
        if is_wanted and self._sidebar.search_text and not self._again.isActive():
            self._again.start()

    def _find_like_again(self) -> None:
        text = self._sidebar.search_text
        if text and self._asks_meaning(self._wish):
            self._worker.start(self._find_like(text, self._number), "search by meaning")

    # -- the rows

    def _change(self, text: str, change: "Callable[[ResultsPage], str]", *, begins: bool = False) -> None:
        self._sidebar.show_results(text, change, begins=begins)

    def _opened(self, thread_id: str, message_id: str) -> None:
        index = self._sidebar.results.currentIndex()
        is_by_words = index.data(HitRole.KIND) in (RowKind.MESSAGE, RowKind.CALL) and not index.data(HitRole.BY_MEANING)
        phrases = [phrase.text for phrase in self._wish.phrases] if is_by_words else []
        self.found_opened.emit(thread_id, message_id, index.data(HitRole.CALL_ID) or "", phrases)


def _is_worth_asking(text: str) -> bool:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text) >= LEAST_ASKED


def _one_line(text: str) -> str:
    line = " ".join(text[: 4 * SNIPPET_LENGTH].split())
    return line if len(line) <= SNIPPET_LENGTH else f"{line[: SNIPPET_LENGTH - 1]}…"


def _hit_of(passage: Passage, thread: Thread) -> SearchHit:
    """Return a hit that shows how the message begins: which of its words mean the same nobody can say."""
    return SearchHit(
        thread_id=thread.id,
        thread_title=thread.title,
        message_id=passage.id,
        role=Role(passage.speaker) if passage.speaker in list(Role) else None,
        snippet=_one_line(passage.text),
        highlights=(),
        created_at=passage.at,
        is_archived=thread.archived_at is not None,
    )
