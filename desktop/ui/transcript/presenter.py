"""Brings a thread into the transcript: loads it, follows its running answer, and keeps each thread's reading place."""

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.agent.events import DoneEvent, DoneReason, ErrorEvent
from desktop.agent.run import Run
from desktop.conversation.entities import Message, MessageOutline, MessageStatus
from desktop.core.errors import ThreadwellError
from desktop.tools.entities import ServerStatus
from desktop.ui.error_words import error_words
from desktop.ui.markdown.highlighting import highlight
from desktop.ui.markdown.segments import split
from desktop.ui.services import UiServices
from desktop.ui.state.outlines import outline_of
from desktop.ui.state.plain_line import without_marks
from desktop.ui.state.readable import readable
from desktop.ui.state.transcript_state import RowState, row_from_message
from desktop.ui.state.window_mark import WindowMark
from desktop.ui.transcript.coalescer import Coalescer
from desktop.ui.transcript.kept_places import KeptPlaces
from desktop.ui.transcript.memory_notes import MemoryNotes
from desktop.ui.transcript.preparing import prepare_messages
from desktop.ui.transcript.reading_position import ReadingPosition
from desktop.ui.transcript.run_follower import RunFollower
from desktop.ui.transcript.summary_presenter import SummaryPresenter
from desktop.ui.transcript.view import TranscriptView

T = TypeVar("T")

SPOKEN_CHARACTERS = 300
FIRST_LOADED = 24
"""Messages at the end of a thread that are loaded before it is shown."""


class TranscriptPresenter(QObject):
    """Owns what the view shows. Rows go by message id, so that nothing of another thread can land in this one.

    Signals:
        opened: the thread that was asked for last can be read; carries its id, "" for a new thread.
        equipped: a view was given what needs services; carries it.
        waits_changed: a server that an answer may wait for changed, or asks the user something.
    """

    opened = Signal(str)
    equipped = Signal(object)
    waits_changed = Signal()

    def __init__(self, view: TranscriptView, services: UiServices, parent: QObject | None = None) -> None:
        super().__init__(parent or view)
        self._view = view
        self._services = services
        self._thread_id: str | None = None
        self._is_loaded = False
        self.places = KeptPlaces(services, self)
        self._wanted: list[str] = []
        self._gone: set[str] = set()
        self._marks: Mapping[str, WindowMark] = {}
        self._is_fetching = False
        self._is_covered = False
        self._is_temporary = False
        self._follower: RunFollower | None = None
        self._asking: set[tuple[str, str]] = set()
        self.memories = MemoryNotes(services, lambda ids: self._want([*self._wanted, *ids]), self)
        self.coalescer = Coalescer(lambda row: view.update_row(self.memories.with_lines(row)), self)
        self.memories.serve(view.context.actions)
        self.equip(view)
        if services.summarizer is not None:
            SummaryPresenter(view, self, services.summarizer, services)
        view.bodies_needed.connect(self._want)
        self.places.watch(view, lambda: self._thread_id if self._is_loaded and not self._is_covered else None)
        services.chat.run_started.connect(self._run_started)
        services.gateway.status_changed.connect(self._server_changed)

    @property
    def thread_id(self) -> str | None:
        """The thread that is shown, or being loaded; None for a new one."""
        return self._thread_id

    @property
    def is_loaded(self) -> bool:
        """What the view shows is this thread, and not one that was left while this one is being read."""
        return self._is_loaded

    @property
    def followed_row(self) -> RowState | None:
        """The row of the running answer, or of the one that ran last, as far as its events were read."""
        return self._follower.row if self._follower is not None else None

    def equip(self, view: TranscriptView) -> None:
        """Give a view what needs services: work off the GUI thread, and small pictures."""
        view.set_background_runner(self._run_in_background)
        view.context.thumbnails.set_loader(self._load_thumbnail)
        if (formulas := self._services.formulas) is not None:
            spawn = partial(self._services.tasks.spawn, name="transcript draws formulas")
            view.context.formulas.set_drawer(formulas.draw, spawn)
        self.equipped.emit(view)

    def servers_asking(self) -> set[str]:
        """The servers that wait for the user's answer during a call of this thread."""
        return {server for thread, server in self._asking if thread == self._thread_id}

    async def open_thread(self, thread_id: str | None, *, message_id: str | None = None) -> None:
        """Show a thread where it was left, or at ``message_id``; None greets for a new thread.

        A call for another thread meanwhile wins; this one then changes nothing.
        """
        self._leave()
        self._thread_id = thread_id
        self._is_temporary = False
        if thread_id is None:
            self._show_empty()
            return
        self._view.begin_loading()
        try:
            await self._load(thread_id, message_id)
        except ThreadwellError as error:
            if self._thread_id == thread_id:
                self._view.set_thread((), ())
                self._services.report_error(error)

    async def reload(self, position: ReadingPosition | None) -> None:
        """Read the thread again whose path has changed, and show it at this place; without one at its end."""
        thread_id = self._thread_id
        if thread_id is None:
            return
        self._forget()
        if position is None:
            await self._load_from_end(thread_id)
        else:
            await self._load_around(thread_id, position)

    def _leave(self) -> None:
        """Forget the present thread but for the place where it was read."""
        if self._thread_id is not None and self._is_loaded and not self._is_covered:
            self.places.keep(self._thread_id, self._view.reading_position())
        self._forget()

    def _forget(self) -> None:
        self._unfollow()
        self._wanted = []
        self._gone.clear()
        self._marks = {}
        self.memories.forget()
        self._is_loaded = False
        self._is_covered = False

    def cover(self) -> None:
        """Something else is shown in the view's place: follow nothing until the thread is loaded again."""
        self._unfollow()
        self._is_covered = True

    def _unfollow(self) -> None:
        if self._follower is not None:
            self._follower.close()
            self._follower = None
        self.coalescer.clear()

    async def _load(self, thread_id: str, message_id: str | None) -> None:
        position = await self.places.find(thread_id)
        if message_id is not None:
            position = ReadingPosition(message_id, 0, 0, is_at_end=False)
        if position is None or position.is_at_end:
            await self._load_from_end(thread_id)
        else:
            await self._load_around(thread_id, position, leads=message_id is not None)

    async def _load_from_end(self, thread_id: str) -> None:
        """The last messages first, which takes as long for a thread of ten as for one of ten thousand."""
        repository = self._services.repository
        messages = await repository.path(thread_id, last=FIRST_LOADED)
        await prepare_messages(messages)
        if not messages:
            self._is_temporary = (await self._services.conversations.options_of(thread_id)).is_temporary
        if self._thread_id != thread_id:
            return
        self._show(thread_id, [outline_of(message) for message in messages], messages, None)
        if len(messages) < FIRST_LOADED:
            return
        outlines = await repository.outline(thread_id)
        ids = [outline.id for outline in outlines]
        if self._thread_id == thread_id and messages[0].id in ids:
            self._view.surround(outlines[: ids.index(messages[0].id)])

    async def _load_around(self, thread_id: str, position: ReadingPosition, *, leads: bool = False) -> None:
        """The messages around a place in the middle, and then what stands above and below them.

        ``leads``: what a search found may stand beside the path, or below an answer beside it; then that way is taken.
        """
        repository = self._services.repository
        messages = await repository.around(thread_id, position.message_id, FIRST_LOADED)
        if not messages and leads and await repository.messages([position.message_id]):
            await self._services.chat.choose_answer(position.message_id)
            messages = await repository.around(thread_id, position.message_id, FIRST_LOADED)
        is_running = self._services.chat.run_of(thread_id) is not None
        if len(messages) < FIRST_LOADED or is_running:  # its end has to be there: what an answer adds stands below it
            await self._load_whole(thread_id, position)
            return
        await prepare_messages(messages)
        if self._thread_id != thread_id:
            return
        near = [outline_of(message) for message in messages]
        self._show(thread_id, near, messages, position)
        outlines = await repository.outline(thread_id)
        if self._thread_id != thread_id:
            return
        ids = [outline.id for outline in outlines]
        first = ids.index(near[0].id) if near[0].id in ids else 0
        end = first + len(near)
        is_unchanged = ids[first:end] == [each.id for each in near] and self._view.message_count == len(near)
        if is_unchanged and all(self._view.has_message(each.id) for each in near):
            self._view.surround(outlines[:first], outlines[end:])
        else:  # something was sent or removed meanwhile
            self._forget()
            await self._load_whole(thread_id, self._view.reading_position() or position)

    async def _load_whole(self, thread_id: str, position: ReadingPosition) -> None:
        repository = self._services.repository
        outlines = await repository.outline(thread_id)
        if self._thread_id != thread_id:
            return
        ids = [outline.id for outline in outlines]
        is_there = position.message_id in ids
        middle = ids.index(position.message_id) if is_there else len(ids)
        low = max(0, min(middle - FIRST_LOADED // 2, len(ids) - FIRST_LOADED))
        messages = await repository.messages(ids[low : low + FIRST_LOADED])
        await prepare_messages(messages)
        if self._thread_id == thread_id:
            self._show(thread_id, outlines, messages, position if is_there else None)

    def _show(
        self,
        thread_id: str,
        outlines: Sequence[MessageOutline],
        messages: Sequence[Message],
        position: ReadingPosition | None,
    ) -> None:
        run = self._services.chat.run_of(thread_id)
        if not outlines and run is None:
            self._show_empty()
            return
        self._is_loaded = True
        self._view.set_thread(outlines, [self._row(message) for message in messages], position)
        self.memories.learn(messages)
        if run is not None:
            self._follow(run, follows=position is None)
        elif stale := [m.id for m in messages if m.status is MessageStatus.STREAMING]:
            self._want(stale)  # its run ended while the thread was being read
        self.opened.emit(thread_id)

    def _show_empty(self) -> None:
        self._is_loaded = True
        self._view.show_empty(
            is_scripted=self._services.endpoint_book.endpoint.is_demo, is_temporary=self._is_temporary
        )
        self.opened.emit(self._thread_id or "")

    def set_marks(self, marks: Mapping[str, WindowMark]) -> None:
        """Show below these messages of the thread what is sent of what stands above, and below no others."""
        before, self._marks = self._marks, marks
        changed = [key for key in {**before, **marks} if before.get(key) != marks.get(key)]
        if self._is_loaded and (shown := [key for key in changed if self._view.has_message(key)]):
            self._want([*self._wanted, *shown])

    def _row(self, message: Message) -> RowState:
        return dataclasses.replace(row_from_message(message), mark=self._marks.get(message.id))

    # -- a running answer -----------------------------------------------------------------------------------------

    def _run_started(self, run: Run) -> None:
        is_here = run.thread_id == self._thread_id and self._is_loaded and not self._is_covered
        if is_here and self._services.chat.run_of(run.thread_id) is run:  # else it is beside the path
            self._follow(run, follows=not run.is_from_queue)

    def _follow(self, run: Run, *, follows: bool) -> None:
        """Show the two messages of the run where they are not shown yet, and what it says from now on.

        ``follows``: whoever reads elsewhere in the thread is taken to them.
        """
        turn = (run.turn.user_message, run.turn.assistant_message)
        has_question, has_answer = (self._view.has_message(message.id) for message in turn)
        is_edit = not has_question and turn[0].answer_count > 1
        if is_edit or (has_question and not has_answer):
            return  # the path has changed, and will be loaded anew
        new = [row_from_message(message) for message in turn if not self._view.has_message(message.id)]
        if new:
            self._view.append_rows(new, follows=follows)
            self.memories.learn(turn)
        former = self._follower
        self._unfollow()
        if former is not None and not former.is_done:  # the next message was faster than the last words of this answer
            self._want([*self._wanted, former.run.message_id])
        self._follower = RunFollower(
            run, self._services, self.coalescer, servers_asking=self.servers_asking, ended=self._announce_end
        )

    def set_server_asks(self, thread_id: str, server_id: str, asks: bool) -> None:
        """Let the card of a running call say that its server waits for the user."""
        (self._asking.add if asks else self._asking.discard)((thread_id, server_id))
        self._server_changed()

    def _server_changed(self, _status: ServerStatus | None = None) -> None:
        if self._follower is not None:
            self._follower.refresh()
        self.waits_changed.emit()

    def _announce_end(self, run: Run, row: RowState) -> None:
        """Say once that the answer is there, and how it begins; it is not read out while it streams."""
        if isinstance(run.terminal, ErrorEvent):
            title = error_words(run.terminal.code, run.terminal.params).title
            self._view.announce(self.tr("The answer failed: {reason}").format(reason=title), assertive=True)
        elif isinstance(run.terminal, DoneEvent) and run.terminal.reason is DoneReason.STOPPED:
            self._view.announce(self.tr("Answer stopped"))
        else:
            text = without_marks(" ".join(readable(row.text[:SPOKEN_CHARACTERS]).split()))
            self._view.announce(self.tr("Answer finished: {text}").format(text=text))

    async def bring(self, message_id: str) -> bool:
        """Load a message of the shown thread and go to it where it is not loaded; False where it is not there."""
        if not self._view.has_message(message_id):
            return False
        if self._view.marks.is_loaded(message_id):
            return True
        thread_id = self._thread_id
        self._view.scroll_to_message(message_id)  # first: what is far away is not kept
        messages = await self._services.repository.messages([message_id])
        if self._thread_id != thread_id or not messages:
            return False
        self._view.set_rows([self.memories.with_lines(self._row(message)) for message in messages])
        return True

    # -- bodies ---------------------------------------------------------------------------------------------------

    def _want(self, message_ids: list[str]) -> None:
        """Load these messages; a newer wish replaces one that waits."""
        self._wanted = [message_id for message_id in message_ids if message_id not in self._gone]
        if self._wanted and not self._is_fetching:
            self._is_fetching = True
            self._services.tasks.spawn(self._fetch(), name="transcript loads messages")

    async def _fetch(self) -> None:
        try:
            while self._wanted:
                ids, self._wanted = self._wanted, []
                thread_id = self._thread_id
                messages = await self._services.repository.messages(ids)
                await prepare_messages(messages)
                if self._thread_id != thread_id:
                    continue
                # Ids that the store does not know must not be asked for again and again.
                self._gone.update(set(ids) - {message.id for message in messages})
                self.memories.learn(messages)
                rows = [self.memories.with_lines(self._row(message)) for message in messages]
                self._view.set_rows([row for row in rows if not self._is_behind(row)])
        except ThreadwellError as error:
            self._services.report_error(error)
        finally:
            self._is_fetching = False

    def _is_behind(self, row: RowState) -> bool:
        """Tell whether the events of a running answer told more, also where it ended while the row was being read."""
        follower = self._follower
        is_followed = follower is not None and follower.run.message_id == row.message_id
        return is_followed and (row.is_streaming or (follower is not None and follower.is_running))

    # -- work off the GUI thread ----------------------------------------------------------------------------------

    def _run_in_background(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        async def run() -> None:
            done(await asyncio.to_thread(work))

        self._services.tasks.spawn(run(), name="transcript highlights code")

    def _load_thumbnail(self, attachment_id: str, done: Callable[[bytes | None], None]) -> None:
        async def run() -> None:
            done(await self._services.attachments.thumbnail(attachment_id))

        self._services.tasks.spawn(run(), name="transcript loads a picture")

    async def warm_up(self) -> None:
        """Import what the first message needs, off the GUI thread; call it once the window is painted."""
        await asyncio.to_thread(_import_renderers)


def _import_renderers() -> None:
    split("*warm*")
    highlight("python", "pass")
