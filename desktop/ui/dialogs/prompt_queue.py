"""The queue of questions to the person: one is shown at a time, the others wait in order; it knows no widgets."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from desktop.core.signal import Signal

T = TypeVar("T")

Show = Callable[[Callable[[T], None]], Callable[[], None]]
"""Shows one question; is given what to call with the answer, and returns what takes the question away unanswered."""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[T]):
    """One question with its two answers that no click gives."""

    thread_id: str
    show: Show[T]
    refused: T
    """The answer when the person refuses all that waits."""
    aborted: T
    """The answer when the program takes the question back."""


@dataclass(eq=False)
class _Entry:
    question: Question[Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    close: Callable[[], None] | None = field(default=None)


class PromptQueue:
    """Shows questions one after the other, in the order in which they came.

    A question ends in one of three ways that stay apart: answered by the person (what the dialog hands in, a
    cancel included), or aborted by the program, by cancelling the task that awaits it or by ``abort_all``.
    """

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        """The number of waiting questions, or the one shown, changed."""
        self.thread_waiting: Signal[str, bool] = Signal()
        """A thread has a first question now, or no question any more."""
        self._waiting: deque[_Entry] = deque()
        self._shown: _Entry | None = None
        self._closed = False

    @property
    def waiting_count(self) -> int:
        """How many questions wait behind the one that is shown."""
        return len(self._waiting)

    @property
    def is_empty(self) -> bool:
        return self._shown is None and not self._waiting

    async def ask(self, question: Question[T]) -> T:
        """Wait for the question's turn and its answer. Cancelling takes the question away, shown or waiting."""
        if self._closed:
            return question.aborted
        loop = asyncio.get_running_loop()
        entry = _Entry(question, loop.create_future(), loop)
        is_first_of_thread = not self._asks(question.thread_id)
        self._waiting.append(entry)
        if is_first_of_thread:
            self.thread_waiting.emit(question.thread_id, True)
        self._advance()
        self.changed.emit()
        try:
            return await entry.future
        finally:
            self._remove(entry)

    def refuse_all(self) -> None:
        """End every question, the shown one too, as refused by the person."""
        self._end_all(lambda question: question.refused)

    def abort_all(self) -> None:
        """End every question as taken back by the program; dialogs close."""
        self._end_all(lambda question: question.aborted)

    def close(self) -> None:
        """Abort all and every later question at once: the application ends."""
        self._closed = True
        self.abort_all()

    def _asks(self, thread_id: str) -> bool:
        entries = [*self._waiting, *([self._shown] if self._shown else [])]
        return any(entry.question.thread_id == thread_id for entry in entries)

    def _end_all(self, answer: Callable[[Question[Any]], Any]) -> None:
        for entry in [*([self._shown] if self._shown else []), *self._waiting]:
            self._settle(entry, answer(entry.question))

    def _settle(self, entry: _Entry, answer: object) -> None:
        if entry.loop.is_closed():
            return  # nobody waits any more
        if not entry.future.done():
            entry.future.set_result(answer)
        self._remove(entry)

    def _answered(self, entry: _Entry, answer: object) -> None:
        entry.close = None  # the dialog closed itself
        self._settle(entry, answer)

    def _remove(self, entry: _Entry) -> None:
        """Take the entry out, close its dialog, tell who listens, show the next; calling it twice does nothing."""
        if entry is self._shown:
            self._shown = None
        elif entry in self._waiting:
            self._waiting.remove(entry)
        else:
            return
        close, entry.close = entry.close, None
        if close is not None:
            close()
        if not self._asks(entry.question.thread_id):
            self.thread_waiting.emit(entry.question.thread_id, False)
        # The next question comes in a step of its own: this one's dialog must be gone first.
        entry.loop.call_soon(self._show_next)

    def _show_next(self) -> None:
        self._advance()
        self.changed.emit()

    def _advance(self) -> None:
        if self._shown is not None or not self._waiting:
            return
        entry = self._shown = self._waiting.popleft()
        try:
            close = entry.question.show(lambda answer: self._answered(entry, answer))
        except Exception as error:  # noqa: BLE001 -- whoever asked gets it, and the queue goes on
            entry.future.set_exception(error)
            self._remove(entry)
            return
        if entry is self._shown:
            entry.close = close
