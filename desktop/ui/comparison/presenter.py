"""Fills the page of answers side by side: follows those that run, adds those that begin, and says how each ended."""

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktop.agent.events import DoneEvent, DoneReason, ErrorEvent
from desktop.agent.run import Run
from desktop.conversation.entities import Message, MessageStatus
from desktop.ui.comparison.answer_column import AnswerColumn
from desktop.ui.comparison.page import ComparisonPage
from desktop.ui.services import UiServices
from desktop.ui.state.answer_place import AnswerPlace
from desktop.ui.state.pasted_text import split
from desktop.ui.state.readable import readable
from desktop.ui.state.transcript_state import RowState, row_from_message
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.coalescer import Coalescer
from desktop.ui.transcript.presenter import TranscriptPresenter
from desktop.ui.transcript.run_follower import RunFollower
from desktop.ui.transcript.view import TranscriptView


class ComparisonPresenter(QObject):
    """The answers to one message of the open thread, with the one that stands in the chat in sight: that is the first of
    those asked together, the one just asked for, or the one that was read. A tab leads to each that has no room.

    Each signal carries the id of the answer that it is about.

    Signals:
        used: the chat shall go on with it.
        stopped: it shall be written no further.
        retry_requested: the same model shall try again.
        continue_requested: it was cut off and shall go on.
    """

    used = Signal(str)
    stopped = Signal(str)
    retry_requested = Signal(str)
    continue_requested = Signal(str)

    def __init__(
        self,
        page: ComparisonPage,
        services: UiServices,
        theme: ThemeManager,
        transcript: TranscriptPresenter,
        prepare_view: Callable[[TranscriptView], None],
    ) -> None:
        """``prepare_view`` connects what every transcript of the window has: links, pictures, the errors' buttons."""
        super().__init__(page)
        self.page = page
        self._services = services
        self._theme = theme
        self._transcript = transcript
        self._prepare_view = prepare_view
        self._columns: dict[str, AnswerColumn] = {}
        self._followers: dict[str, RunFollower] = {}
        self._question_id = ""
        self._chosen_id = ""
        self._place = AnswerPlace(is_beside=True)
        self._is_closed = False
        self._reading = 0
        """Counts the readings: only what the newest one finds is shown."""
        transcript.waits_changed.connect(self._refresh)

    @property
    def question_id(self) -> str:
        """The message that is answered, once it was loaded."""
        return self._question_id

    @property
    def chosen_id(self) -> str:
        """The answer that stands in the chat."""
        return self._chosen_id

    async def load(self, message_id: str) -> None:
        """Show all answers beside this one; called again, those that are not shown yet and which one is in the chat."""
        self._reading += 1
        number, ended = self._reading, set[str]()
        repository, chat = self._services.repository, self._services.chat

        def note_end(run: Run) -> None:
            ended.add(run.message_id)

        chat.run_ended.connect(note_end)
        try:
            while True:
                ended.clear()
                answers = await repository.answers(message_id)
                if not answers:
                    return
                outlines = await repository.outline(answers[0].thread_id)
                question = await repository.messages([answers[0].parent_id or ""])
                if self._is_closed or number != self._reading:
                    return
                if not any(each.id in ended and each.status is MessageStatus.STREAMING for each in answers):
                    break  # else one ended while this was read, and nobody will tell of it any more
        finally:
            chat.run_ended.disconnect(note_end)
        self._question_id = answers[0].parent_id or ""
        if question:
            content = split(question[0].text)
            names = [part.name for part in question[0].attachments]
            self.page.set_question(readable(content.text or ", ".join(names) or "\n".join(content.pasted)))
        path = [outline.id for outline in outlines]
        chosen_before, self._chosen_id = self._chosen_id, next((each.id for each in answers if each.id in path), "")
        place = AnswerPlace(is_beside=True, is_settled=bool(path) and path[-1] != self._chosen_id)
        shown = [answer for answer in answers if not _is_made_again(answer, answers)]
        for column in [c for c in self._columns.values() if c.message_id not in {answer.id for answer in shown}]:
            self._remove(column)
        for index, answer in enumerate(shown):
            self._show(index, answer, place)
        self.page.show_chosen(self._chosen_id)
        if self._chosen_id != chosen_before:
            self.page.bring_into_view(self._chosen_id)

    def close(self) -> None:
        """Follow nothing any more."""
        self._is_closed = True
        self._transcript.waits_changed.disconnect(self._refresh)
        for follower in self._followers.values():
            follower.close()
        self._followers.clear()

    def _show(self, index: int, answer: Message, place: AnswerPlace) -> None:
        self._place = place
        row = dataclasses.replace(row_from_message(answer), place=place)
        if (column := self._columns.get(answer.id)) is None:
            column = self._columns[answer.id] = self._make_column(index, row)
        run = self._services.chat.run_of_message(answer.id)
        follower = self._followers.get(answer.id)
        if run is not None and (follower is None or follower.run is not run):
            self._follow(column, run)
        elif follower is None:
            self._show_row(column, row)

    def _make_column(self, index: int, row: RowState) -> AnswerColumn:
        column = AnswerColumn(self._theme, row, self.page)
        message_id = column.message_id
        self._transcript.equip(column.view)
        self._prepare_view(column.view)
        column.use_requested.connect(lambda: self.used.emit(message_id))
        column.stop_requested.connect(lambda: self.stopped.emit(message_id))
        column.view.retry_requested.connect(lambda: self.retry_requested.emit(message_id))
        column.view.continue_requested.connect(lambda: self.continue_requested.emit(message_id))
        self.page.insert_column(index, column)
        return column

    def _remove(self, column: AnswerColumn) -> None:
        if (follower := self._followers.pop(column.message_id, None)) is not None:
            follower.close()
        del self._columns[column.message_id]
        self.page.remove_column(column)

    def _follow(self, column: AnswerColumn, run: Run) -> None:
        if (before := self._followers.get(run.message_id)) is not None:
            before.close()
        self._followers[run.message_id] = RunFollower(
            run,
            self._services,
            Coalescer(lambda row: self._show_row(column, row), column),
            servers_asking=self._transcript.servers_asking,
            ended=lambda run, _row: self._announce_end(column, run),
        )

    def _show_row(self, column: AnswerColumn, row: RowState) -> None:
        column.show_row(dataclasses.replace(row, place=self._place))
        self.page.refresh_tab(column)

    def _refresh(self) -> None:
        for follower in self._followers.values():
            follower.refresh()

    def _announce_end(self, column: AnswerColumn, run: Run) -> None:
        """Say of each once that it is there; how it reads is to be found in its column."""
        if isinstance(run.terminal, ErrorEvent):
            words = self.tr("The answer from {model} failed")
        elif isinstance(run.terminal, DoneEvent) and run.terminal.reason is DoneReason.STOPPED:
            words = self.tr("The answer from {model} was stopped")
        else:
            words = self.tr("The answer from {model} is finished")
        column.view.announce(words.format(model=column.model_words()))


def _is_made_again(answer: Message, answers: Sequence[Message]) -> bool:
    """It failed before its first word, and its model has tried again since."""
    if not answer.is_empty_failure:
        return False
    later = answers[answers.index(answer) + 1 :]
    return any(other.model == answer.model for other in later)
