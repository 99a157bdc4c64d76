"""Finds words in the chat that is shown, however long it is: piece by piece, from where it is read, and on from there."""

import asyncio
import bisect
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from desktop.conversation.entities import Message
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.transcript_state import RowState, row_from_message
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.find_bar import FindBar
from desktop.ui.transcript.finding import Hit, Needle, hits_in
from desktop.ui.transcript.presenter import TranscriptPresenter

if TYPE_CHECKING:
    from desktop.ui.main_window import MainWindow

TYPING_MS, FOLLOWING_MS = 120, 300
MOST_SELECTED = 200
"""Of what is selected when the bar is opened, in characters: more is hardly meant to be found again."""
PIECE = 100
"""Messages that are read and searched at once."""


class FindPresenter(QObject):
    """Opens the bar, searches the shown path, and follows what changes in it while the bar is open."""

    def __init__(
        self, window: "MainWindow", transcript: TranscriptPresenter, services: UiServices, theme: ThemeManager
    ) -> None:
        super().__init__(window)
        self._window = window
        self._transcript = transcript
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._bar: FindBar | None = None
        self._before: QWidget | None = None
        """What had the focus when the bar was opened."""
        self._search = 0
        """Which search goes on: what an earlier one still finds is of no use."""
        self._is_searching = False
        self._needle = Needle(())
        self._thread_id: str | None = None
        self._ids: list[str] = []
        self._places: dict[str, int] = {}
        self._found: dict[str, tuple[Hit, ...]] = {}
        self._with_hits: list[int] = []
        self._current: tuple[int, int] | None = None
        """The place of the message in the path, and which of its hits."""
        self._followed: RowState | None = None
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self._begin)
        self._following = QTimer(self, interval=FOLLOWING_MS)
        self._following.timeout.connect(self._follow)
        transcript.opened.connect(self._opened)
        for shortcut_id, act in (
            ("find", self.open), ("find_next", lambda: self.step(1)), ("find_previous", lambda: self.step(-1))
        ):  # fmt: skip
            window.keys.add(shortcut_id, act)

    @property
    def bar(self) -> FindBar | None:
        """The bar while it is open."""
        return self._bar if self._bar is not None and self._bar.isVisible() else None

    def open(self) -> None:
        """Show the bar with what is selected, else with what was looked for last; where no chat is read, nothing."""
        window = self._window
        if not window.has_transcript or window.reading_place is not window.transcript:
            return
        view = window.transcript
        if not view.message_count:
            return
        bar = self._bar
        if bar is None:
            bar = self._bar = FindBar(self._theme, window.right_side)
            window.stand_above_messages(bar)
            bar.edited.connect(lambda _: self._typing.start())
            bar.step_requested.connect(self.step)
            bar.closed.connect(self.close)
        if not bar.isVisible():
            self._before = QApplication.focusWidget()
        selected = view.selected_text().strip()
        bar.begin(selected if "\n" not in selected and len(selected) <= MOST_SELECTED else "")
        self._begin()

    def close(self) -> None:
        """Hide the bar and all marks; the focus goes back to where it was, the text stays where it is."""
        if (bar := self.bar) is None:
            return
        had_focus = bar.isAncestorOf(QApplication.focusWidget() or self._window)
        bar.hide()
        self._end()
        before, self._before = self._before, None
        if had_focus:
            self._give_focus_back(before)

    def _give_focus_back(self, before: QWidget | None) -> None:
        try:
            is_there = before is not None and before.isVisible()
        except RuntimeError:  # it was deleted meanwhile
            is_there = False
        if is_there and before is not None:
            before.setFocus()
        else:
            self._window.composer.focus_text()

    def _end(self) -> None:
        self._search += 1
        self._typing.stop()
        self._following.stop()
        self._is_searching = False
        self._needle = Needle(())
        self._forget()
        self._window.transcript.marks.clear()

    def _forget(self) -> None:
        self._ids, self._places, self._found, self._with_hits = [], {}, {}, []
        self._current, self._followed = None, None

    def _opened(self, thread_id: str) -> None:
        """A chat was opened, or read anew because its path has changed."""
        if self.bar is None:
            return
        if thread_id != self._thread_id or not thread_id:
            self.close()
        else:
            self._begin(keeps_place=True)

    # -- searching ------------------------------------------------------------------------------------------------

    def _begin(self, *, keeps_place: bool = False) -> None:
        """Search for what stands in the field, from the first message in sight on."""
        if (bar := self.bar) is None:
            return
        text = bar.field.text()
        kept = self._current_hit() if keeps_place else None
        self._search += 1
        self._typing.stop()
        self._needle = Needle([text])
        self._thread_id = self._transcript.thread_id
        self._forget()
        self._window.transcript.marks.look_for(self._needle)
        self._is_searching = bool(self._needle) and self._thread_id is not None
        if not self._is_searching:
            bar.show_nothing()
            return
        self._following.start()
        self._show_count()
        self._worker.start(self._search_all(self._search, self._thread_id or "", kept), "find in a chat")

    async def _search_all(self, search: int, thread_id: str, kept: Hit | None) -> None:
        outlines = await self._services.repository.outline(thread_id)
        if search != self._search:
            return
        self._set_ids([outline.id for outline in outlines])
        start = self._places.get(self._window.transcript.marks.first_in_sight(), 0)
        await self._search_ids(search, [*self._ids[start:], *self._ids[:start]], kept=kept, goes_there=kept is None)
        if search == self._search:
            self._is_searching = False
            self._show_count(tells=True)

    def _set_ids(self, ids: Sequence[str]) -> None:
        self._ids = list(ids)
        self._places = {message_id: place for place, message_id in enumerate(ids)}
        self._with_hits = sorted(
            self._places[each] for each, hits in self._found.items() if hits and each in self._places
        )

    async def _search_ids(
        self, search: int, ids: Sequence[str], *, kept: Hit | None = None, goes_there: bool = False
    ) -> None:
        needle = self._needle
        for start in range(0, len(ids), PIECE):
            messages = await self._services.repository.messages(ids[start : start + PIECE])
            rows = [self._newest_row(message) for message in messages]
            found = await asyncio.to_thread(lambda some=rows: [(row.message_id, hits_in(row, needle)) for row in some])
            if search != self._search:
                return
            for message_id, hits in found:
                self._take(message_id, hits)
            if kept is not None and self._current is None and kept in self._found.get(kept.message_id, ()):
                self._current = (self._places[kept.message_id], self._found[kept.message_id].index(kept))
                self._window.transcript.marks.go_to(kept)
            if goes_there and self._current is None and self._with_hits:
                await self._go(self._first_from(ids[0]))
                if search != self._search:
                    return
            self._show_count()

    def _newest_row(self, message: Message) -> RowState:
        """Of an answer that is being written its events told more than the disk."""
        row = self._transcript.followed_row
        return row if row is not None and row.message_id == message.id else row_from_message(message)

    def _take(self, message_id: str, hits: tuple[Hit, ...]) -> None:
        place = self._places.get(message_id)
        if place is None:
            return
        had = bool(self._found.get(message_id))
        self._found[message_id] = hits
        if hits and not had:
            bisect.insort(self._with_hits, place)
        elif had and not hits:
            self._with_hits.remove(place)
        if self._current is not None and self._current[0] == place and self._current[1] >= len(hits):
            self._current = (place, len(hits) - 1) if hits else None

    def _first_from(self, message_id: str) -> tuple[int, int]:
        at = bisect.bisect_left(self._with_hits, self._places[message_id])
        return self._with_hits[at % len(self._with_hits)], 0

    # -- going from one to the next -------------------------------------------------------------------------------

    def step(self, direction: int) -> None:
        """Go to the next place (1) or the one before (-1), in a circle; opens the bar where it is closed."""
        if self.bar is None:
            self.open()
            return
        if self._typing.isActive():
            self._begin()
            return
        if self._with_hits:
            self._worker.start(self._go(self._beside(direction), tells=True), "go to a place that was found")

    def _beside(self, direction: int) -> tuple[int, int]:
        if self._current is None:
            place = self._with_hits[0 if direction > 0 else -1]
            return place, 0 if direction > 0 else len(self._hits_at(place)) - 1
        place, number = self._current
        if 0 <= number + direction < len(self._hits_at(place)):
            return place, number + direction
        at = bisect.bisect_left(self._with_hits, place)
        place = self._with_hits[(at + direction) % len(self._with_hits)]
        return place, 0 if direction > 0 else len(self._hits_at(place)) - 1

    def _hits_at(self, place: int) -> tuple[Hit, ...]:
        return self._found.get(self._ids[place], ())

    def _current_hit(self) -> Hit | None:
        if self._current is None:
            return None
        hits = self._hits_at(self._current[0])
        return hits[self._current[1]] if self._current[1] < len(hits) else None

    async def _go(self, place: tuple[int, int], *, tells: bool = False) -> None:
        self._current = place
        search = self._search
        hit = self._current_hit()
        self._show_count(tells=tells)
        if hit is not None and await self._transcript.bring(hit.message_id) and search == self._search:
            self._window.transcript.marks.go_to(hit)

    def _show_count(self, *, tells: bool = False) -> None:
        if (bar := self.bar) is None:
            return
        total = sum(map(len, self._found.values()))
        number = 0
        if self._current is not None:
            before = (place for place in self._with_hits if place < self._current[0])
            number = sum(len(self._hits_at(place)) for place in before) + self._current[1] + 1
        bar.show_count(number, total, is_searching=self._is_searching)
        if tells:
            bar.tell()

    # -- what changes meanwhile -----------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Search what an answer said since the last time, and messages that came."""
        if self._window.reading_place is not self._window.transcript:
            self.close()  # something else stands in the place of the messages
        if self.bar is None or self._is_searching or not self._needle:
            return
        row = self._transcript.followed_row
        is_new = row is not None and row.message_id not in self._places
        if is_new or self._window.transcript.message_count > len(self._ids):
            self._worker.start_once(self._extend(self._search), "find in what came")
        elif row is not None and row is not self._followed:
            self._followed = row
            self._worker.start_once(self._search_row(self._search, row), "find in an answer")

    async def _extend(self, search: int) -> None:
        outlines = await self._services.repository.outline(self._thread_id or "")
        if search != self._search:
            return
        self._set_ids([outline.id for outline in outlines])
        await self._search_ids(search, [each for each in self._ids if each not in self._found])

    async def _search_row(self, search: int, row: RowState) -> None:
        needle = self._needle
        hits = await asyncio.to_thread(lambda: hits_in(row, needle))
        if search == self._search:
            self._take(row.message_id, hits)
            self._show_count()
