"""Shows in a chat where its summary ends and what is not sent any more, and opens the summary."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from desktop.agent.summarizing import Summarizer
from desktop.conversation.summaries import SummaryState
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.window_mark import marks_of
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.ui.transcript.presenter import TranscriptPresenter
    from desktop.ui.transcript.summary_dialog import SummaryDialog


class SummaryPresenter(QObject):
    """Marks go by message: what was read of a chat that was left meanwhile changes nothing."""

    def __init__(
        self,
        view: TranscriptView,
        transcript: "TranscriptPresenter",
        summarizer: Summarizer,
        services: UiServices,
    ) -> None:
        super().__init__(transcript)
        self._view = view
        self._transcript = transcript
        self._summarizer = summarizer
        self._worker = Worker(services)
        self._reads = 0
        actions = view.context.actions
        actions.summary_requested.connect(self._open_once)
        actions.summary_wanted.connect(self._make)
        actions.summaries_wanted.connect(lambda: self._start(self._use))
        transcript.opened.connect(self._opened)
        summarizer.changed.connect(self._changed)
        services.chat.path_changed.connect(self._changed)

    def _opened(self, thread_id: str) -> None:
        if thread_id:
            self._changed(thread_id)

    def _changed(self, thread_id: str) -> None:
        if thread_id == self._transcript.thread_id:
            self._start(self._show)

    def _start(self, work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        if thread_id := self._transcript.thread_id:
            self._worker.start(work(thread_id), "summary of a chat")

    def _open_once(self) -> None:
        if thread_id := self._transcript.thread_id:
            self._worker.start_once(self._open(thread_id), "open the summary of a chat")

    async def _show(self, thread_id: str) -> None:
        self._reads += 1
        number = self._reads
        state = await self._summarizer.state(thread_id)
        # What was read first may come last: the newest reading holds.
        if number == self._reads and thread_id == self._transcript.thread_id:
            is_busy = self._summarizer.is_making(thread_id)
            self._transcript.set_marks(marks_of(state, self._summarizer.last_dropped(thread_id), is_busy=is_busy))

    async def _open(self, thread_id: str) -> None:
        state = await self._summarizer.state(thread_id)
        if state.summary is None or thread_id != self._transcript.thread_id:
            return
        from desktop.ui.transcript.summary_dialog import SummaryDialog

        dialog = SummaryDialog(state.summary, self._view.context.theme, self._view.window(), is_off=state.is_off)
        dialog.made_again.connect(lambda: self._summarizer.make_again(thread_id))
        dialog.saved.connect(
            lambda text, pinned, used: self._worker.start(
                self._save(dialog, state, text, pinned, used), "save a summary"
            )
        )
        dialog.open()

    async def _save(
        self, dialog: "SummaryDialog", state: SummaryState, text: str, pinned: tuple[str, ...], used: bool
    ) -> None:
        summary = state.summary
        assert summary is not None
        if (text, pinned) != (summary.whole, summary.pinned) and not await self._summarizer.edit(state, text, pinned):
            dialog.show_changed()
            return
        if used is state.is_off:
            await self._summarizer.set_off(summary.thread_id, not used)
        dialog.accept()

    def _make(self) -> None:
        if thread_id := self._transcript.thread_id:
            self._summarizer.make_again(thread_id)

    async def _use(self, thread_id: str) -> None:
        await self._summarizer.set_off(thread_id, False)
