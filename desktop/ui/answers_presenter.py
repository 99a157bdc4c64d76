"""Several messages in one place: going from one to the next in the chat, and all answers side by side."""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QApplication, QWidget

from desktop.agent.run import Run
from desktop.conversation.entities import Role
from desktop.ui.main_window import MainWindow
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.answer_switch import AnswerSwitch
from desktop.ui.transcript.model_name import model_name
from desktop.ui.transcript.presenter import TranscriptPresenter
from desktop.ui.transcript.reading_position import ReadingPosition
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.ui.comparison.presenter import ComparisonPresenter
    from desktop.ui.model_presenter import ModelPresenter


class AnswersPresenter(QObject):
    """Opens the page of answers side by side when a message is asked of several models, and leads back to the chat.

    A thread that is left while the page is open shows it again when one comes back.
    """

    def __init__(
        self,
        window: MainWindow,
        services: UiServices,
        theme: ThemeManager,
        transcript: TranscriptPresenter,
        models: "ModelPresenter",
        prepare_view: Callable[[TranscriptView], None],
        parent: QObject,
    ) -> None:
        """``prepare_view`` connects what every transcript of the window has: links, pictures, the errors' buttons."""
        super().__init__(parent)
        self._window = window
        self._services = services
        self._theme = theme
        self._transcript = transcript
        self._models = models
        self._prepare_view = prepare_view
        self._worker = Worker(services)
        self._comparison: ComparisonPresenter | None = None
        self._compared: dict[str, str] = {}
        """By thread an answer beside which the others are shown, now or when one comes there; until one goes back."""
        self._asked_again: set[str] = set()
        """Threads whose path has just been turned, as is done before another answer is begun on purpose."""
        self._landing: tuple[ReadingPosition | None, Callable[[], None]] | None = None
        """Where the chat is shown again once its path has changed, and what is done then."""
        window.copy_answer_requested.connect(lambda: self._worker.start(self._copy_last(), "copy answer"))
        actions = window.transcript.context.actions
        actions.step_requested.connect(
            lambda message_id, step: self._worker.start(self._step(message_id, step), "show another answer")
        )
        window.again_requested.connect(self.retry)
        window.transcript.retry_requested.connect(self.retry)
        window.transcript.continue_requested.connect(self.go_on)
        window.version_step_requested.connect(self._step_in_sight)
        actions.comparison_requested.connect(self.compare)
        actions.another_model_requested.connect(self._ask_another)
        transcript.opened.connect(self._opened)
        services.chat.run_started.connect(self._run_started)
        services.chat.path_changed.connect(self._path_changed)

    @property
    def comparison(self) -> "ComparisonPresenter | None":
        """What fills the page of answers side by side, while it is shown."""
        return self._comparison

    def leave(self) -> None:
        """Another chat is about to be opened; the page comes back with this one."""
        self._close()

    def compare(self, message_id: str) -> None:
        """Show the answers beside this one, side by side."""
        thread_id = self._transcript.thread_id
        if thread_id is None:
            return
        self._compared[thread_id] = message_id
        if self._comparison is None:
            self._comparison = self._open()
        self._worker.start(self._comparison.load(message_id), "load answers")

    def retry(self) -> None:
        """Ask once more for the answer at the end of the chat; the one before stays beside the new one."""
        if (thread_id := self._transcript.thread_id) is not None:
            self._worker.start_once(self._retry(thread_id), "ask again")

    def go_on(self) -> None:
        """Let the answer at the end of the chat go on where it broke off."""
        if (thread_id := self._transcript.thread_id) is not None:
            self._worker.start(self._services.chat.continue_answer(thread_id), "continue an answer")

    async def _copy_last(self) -> None:
        if (thread_id := self._transcript.thread_id) is None:
            return
        path = await self._services.repository.path(thread_id, last=2)
        text = next((message.text for message in reversed(path) if message.role is Role.ASSISTANT), "")
        if text.strip():
            self._window.transcript.copy_text(text)
            self._window.toast.tell(lambda: self.tr("The last answer was copied"))

    # -- the page

    def _open(self) -> "ComparisonPresenter":
        from desktop.ui.comparison.page import ComparisonPage
        from desktop.ui.comparison.presenter import ComparisonPresenter

        page = ComparisonPage(self._theme)
        comparison = ComparisonPresenter(page, self._services, self._theme, self._transcript, self._prepare_view)
        comparison.used.connect(lambda message_id: self._worker.start(self._use(message_id), "use an answer"))
        comparison.stopped.connect(
            lambda message_id: self._worker.start(self._services.chat.stop_answer(message_id), "stop an answer")
        )
        comparison.retry_requested.connect(
            lambda message_id: self._worker.start(self._services.chat.ask_again(message_id), "ask again")
        )
        comparison.continue_requested.connect(
            lambda message_id: self._worker.start(self._continue(message_id), "continue an answer")
        )
        page.left.connect(self._back)
        self._transcript.cover()
        self._window.show_page(page, with_composer=True)
        return comparison

    def _close(self) -> None:
        """Take the page away; the transcript shows what it showed before."""
        comparison, self._comparison = self._comparison, None
        if comparison is not None:
            comparison.close()
            self._window.close_page()

    def _back(self) -> None:
        if self._comparison is not None:
            self._return_to(self._comparison.chosen_id)

    def _return_to(self, message_id: str) -> None:
        """Show the chat again, at this answer. At once: who leaves it right afterwards has gone back all the same."""
        thread_id = self._transcript.thread_id
        if self._comparison is None or thread_id is None:
            return
        self._compared.pop(thread_id, None)
        self._close()
        self._worker.start(self._show_at(thread_id, message_id), "show the chat")

    async def _show_at(self, thread_id: str, message_id: str) -> None:
        """Read the chat anew and show this answer; the end where that is the last message."""
        thread = await self._services.repository.get_thread(thread_id)
        is_last = thread is None or thread.tip == message_id or not message_id
        position = None if is_last else ReadingPosition(message_id, 0, 0, is_at_end=False)
        if self._transcript.thread_id == thread_id:
            await self._transcript.reload(position)

    async def _use(self, message_id: str) -> None:
        await self._services.chat.choose_answer(message_id)
        self._return_to(message_id)

    async def _continue(self, message_id: str) -> None:
        """It is the last answer of the path that goes on, so the path has to go there."""
        await self._services.chat.choose_answer(message_id)
        if self._transcript.thread_id is not None:
            await self._services.chat.continue_answer(self._transcript.thread_id)

    # -- other answers

    async def _step(self, message_id: str, step: int) -> None:
        """Let the chat go through what stands before or after this message, in the place where this one stood."""
        ids = await self._services.repository.beside(message_id)
        index = ids.index(message_id) + step if message_id in ids else -1
        if not 0 <= index < len(ids):
            return
        view = self._window.transcript
        target = (await self._services.repository.messages([ids[index]]))[0]
        switch = QApplication.focusWidget()
        has_focus = switch is not None and isinstance(switch.parentWidget(), AnswerSwitch)
        here = view.position_of(message_id)
        is_answer = target.role is Role.ASSISTANT
        place = self.tr("Answer %1 of %2, from %3") if is_answer else self.tr("Version %1 of %2 of your message")
        place = place.replace("%1", str(index + 1)).replace("%2", str(len(ids)))

        def land() -> None:
            view.announce(place.replace("%3", model_name(target.model)))
            if has_focus:
                _focus_switch(view, target.id, step)

        self._landing = (None if here is None else dataclasses.replace(here, message_id=target.id), land)
        try:
            await self._services.chat.choose_answer(target.id)
        finally:
            self._landing = None

    def _step_in_sight(self, step: int) -> None:
        """The same for the first message in sight that has others in its place."""
        switch = _first_in_sight(self._window.transcript)
        if self._comparison is None and switch is not None:
            self._worker.start(self._step(switch.message_id, step), "show another version")

    def _ask_another(self, message_id: str, button: QWidget) -> None:
        self._models.pick_for_answer(
            button,
            lambda asked: self._worker.start(self._services.chat.ask_again(message_id, asked), "ask another model"),
        )

    async def _retry(self, thread_id: str) -> None:
        for answer in await self._services.repository.path(thread_id, last=1):
            if answer.role is Role.ASSISTANT:
                await self._services.chat.ask_again(answer.id)

    # -- what happens

    def _run_started(self, run: Run) -> None:
        thread_id, answer = run.thread_id, run.turn.assistant_message
        is_again = thread_id in self._asked_again
        self._asked_again.discard(thread_id)
        is_beside = not (is_again or answer.parts) and answer.answer_number > 1
        is_new = not (is_again or answer.parts) and answer.answer_number == 1
        if is_beside:
            self._compared[thread_id] = run.message_id
        elif is_new:
            self._compared.pop(thread_id, None)
        if thread_id != self._transcript.thread_id:
            return
        comparison = self._comparison
        if is_beside or (comparison is not None and comparison.question_id == run.turn.user_message.id):
            self.compare(run.message_id)
        elif comparison is not None:  # a new message
            self._close()
            if self._models.asks_several:
                self.compare(run.message_id)
            else:
                self._worker.start(self._transcript.reload(None), "show the chat")

    def _path_changed(self, thread_id: str) -> None:
        self._asked_again.add(thread_id)
        if thread_id != self._transcript.thread_id or not self._transcript.is_loaded:
            return  # or it is being read just now
        if self._comparison is not None:
            self.compare(self._compared[thread_id])
        else:
            self._worker.start(self._show_path(*(self._landing or (None, _nothing))), "show the chat")

    async def _show_path(self, position: ReadingPosition | None, then: Callable[[], None]) -> None:
        await self._transcript.reload(position)
        then()

    def _opened(self, thread_id: str) -> None:
        """Several answers were begun there, or being compared, when it was left."""
        if self._comparison is None and thread_id in self._compared:
            self.compare(self._compared[thread_id])


def _nothing() -> None: ...


def _first_in_sight(view: TranscriptView) -> AnswerSwitch | None:
    area = view.viewport()
    places = [(each.mapTo(area, QPoint()).y(), each) for each in area.findChildren(AnswerSwitch) if each.isVisible()]
    seen = [(y, each) for y, each in places if -each.height() < y < area.height()]
    return min(seen, key=lambda place: place[0])[1] if seen else None


def _focus_switch(view: TranscriptView, message_id: str, step: int) -> None:
    for switch in view.viewport().findChildren(AnswerSwitch):
        if switch.message_id == message_id:
            switch.focus_step(step)
