"""The person as the core sees one: questions become window-modal dialogs, one at a time, and their answers come back."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop.core.signal import Signal
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationMode,
    ElicitationRequest,
    Ending,
)
from desktop.tools.server_sampling import ABORTED, SamplingChoice, SamplingDecision, SamplingQuestion
from desktop.tools.sign_in import PageAnswer, SignInPage
from desktop.ui.dialogs.prompt_queue import PromptQueue, Question
from desktop.ui.links import open_url
from desktop.ui.state.form_schema import SchemaError, parse_schema
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.dialogs.prompt_dialog import PromptDialog

T = TypeVar("T")
logger = logging.getLogger(__name__)

_QUESTIONS_PER_SERVER = 8
"""A server that asks more at once is flooding the person; its further questions are cancelled unseen."""


class DialogPrompts:
    """``UserPrompts`` with dialogs over the window that ``parent`` returns; they are imported with the first question."""

    def __init__(
        self,
        parent: Callable[[], QWidget],
        theme: ThemeManager,
        arming_delay_ms: int = 700,
        open_address: Callable[[str], bool] = open_url,
    ) -> None:
        self._parent = parent
        self._theme = theme
        self._arming_delay_ms = arming_delay_ms
        self._open_address = open_address
        self.title_of: Callable[[str], str] = lambda _thread_id: ""
        """Tells the title of a chat, for the questions of servers, which know no titles."""
        self._queue = PromptQueue()
        self._queue.changed.connect(self._tell_dialog)
        self._dialog: PromptDialog | None = None
        self._asked_by: Counter[str] = Counter()
        self.waiting_changed: Signal[str, bool] = self._queue.thread_waiting
        """(thread id, whether it waits for an answer)"""
        self._asking: Counter[tuple[str, str]] = Counter()
        self.server_asks: Signal[str, str, bool] = Signal()
        """(thread id, server id, whether the server waits for an answer during a call of that thread)"""

    @property
    def waiting_count(self) -> int:
        """How many questions wait behind the one that is shown."""
        return self._queue.waiting_count

    @property
    def is_idle(self) -> bool:
        """True when nothing is shown and nothing waits."""
        return self._queue.is_empty

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """Ask whether the call may run."""

        def make(parent: QWidget) -> "PromptDialog":
            from desktop.ui.dialogs.approval_dialog import ApprovalDialog

            return ApprovalDialog(parent, self._theme, request, self._arming_delay_ms)

        aborted = ApprovalAnswer(choice=Choice.REFUSE, ending=Ending.ABORTED)
        question = Question(
            thread_id=request.intent.thread_id,
            show=lambda answer: self._show(make, answer, aborted),
            refused=ApprovalAnswer(choice=Choice.REFUSE),
            aborted=aborted,
        )
        return await self._queue.ask(question)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Pass a server's question on. What no honest form can ask is cancelled without a dialog, and logged."""
        aborted = ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.ABORTED)
        try:
            make = self._maker(request)
        except SchemaError as error:
            logger.warning("a question of server %r was cancelled: %s", request.server_id, error.reason)
            return replace(aborted, unseen=f"its form is malformed: {error.reason}")
        question = Question(
            thread_id=request.thread_id,
            show=lambda answer: self._show(make, answer, aborted),
            refused=ElicitationAnswer(action=ElicitationAction.DECLINE),
            aborted=aborted,
        )
        unasked = replace(aborted, unseen="too many of its questions are open")
        return await self._ask_for_server(request.server_id, question, unasked)

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        """Ask whether a server may use the model, or have its answer."""

        def make(parent: QWidget) -> "PromptDialog":
            from desktop.ui.dialogs.sampling_dialog import AskModelDialog, SendAnswerDialog

            if question.answer is None:
                return AskModelDialog(parent, self._theme, question, self._arming_delay_ms)
            return SendAnswerDialog(parent, self._theme, question, question.answer, self._arming_delay_ms)

        asked = Question(
            thread_id=question.request.thread_id,
            show=lambda answer: self._show(make, answer, ABORTED),
            refused=SamplingDecision(choice=SamplingChoice.REFUSE),
            aborted=ABORTED,
        )
        return await self._ask_for_server(question.request.server_id, asked, ABORTED)

    async def _ask_for_server(self, server_id: str, question: Question[T], unasked: T) -> T:
        """Ask what a server wants asked; ``unasked`` when it floods the person."""
        if self._asked_by[server_id] >= _QUESTIONS_PER_SERVER:
            logger.warning("a question of server %r was cancelled: too many at once", server_id)
            return unasked
        self._asked_by[server_id] += 1
        self._count_question(question.thread_id, server_id, 1)
        try:
            return await self._queue.ask(question)
        finally:
            self._asked_by[server_id] -= 1
            self._count_question(question.thread_id, server_id, -1)

    async def open_page(self, page: SignInPage) -> PageAnswer:
        """Show where signing in at a server leads, and open it in the browser if the person agrees."""

        def make(parent: QWidget) -> "PromptDialog":
            from desktop.ui.dialogs.sign_in_dialog import SignInDialog

            return SignInDialog(parent, self._theme, page, self._open_address, self._arming_delay_ms)

        aborted = ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.ABORTED)
        question = Question(
            thread_id="",
            show=lambda answer: self._show(make, answer, aborted, _window_in_front()),
            refused=ElicitationAnswer(action=ElicitationAction.CANCEL),
            aborted=aborted,
        )
        answer = await self._queue.ask(question)
        return PageAnswer.OPENED if answer.action is ElicitationAction.ACCEPT else PageAnswer.REFUSED

    def refuse_all(self) -> None:
        """Refuse what is shown and what waits, as the button in the dialogs does."""
        self._queue.refuse_all()

    def abort_all(self) -> None:
        """Take every question back; dialogs close."""
        self._queue.abort_all()

    def close(self) -> None:
        """Take every question back, and each later one at once: the application ends."""
        self._queue.close()

    def _count_question(self, thread_id: str, server_id: str, change: int) -> None:
        key = (thread_id, server_id)
        before = self._asking[key]
        self._asking[key] += change
        if bool(before) != bool(self._asking[key]):
            self.server_asks.emit(*key, change > 0)

    def _maker(self, request: ElicitationRequest) -> "Callable[[QWidget], PromptDialog]":
        from desktop.ui.dialogs.elicitation_dialog import ElicitationDialog
        from desktop.ui.dialogs.url_dialog import UrlDialog

        if request.mode is ElicitationMode.URL:
            return lambda parent: UrlDialog(
                parent,
                self._theme,
                request,
                self._open_address,
                self._arming_delay_ms,
                chat=self.title_of(request.thread_id),
            )
        schema = parse_schema(request.schema)
        return lambda parent: ElicitationDialog(
            parent, self._theme, request, schema, self._arming_delay_ms, chat=self.title_of(request.thread_id)
        )

    def _show(
        self,
        make: "Callable[[QWidget], PromptDialog]",
        answer: Callable[[T], None],
        aborted: T,
        parent: QWidget | None = None,
    ) -> Callable[[], None]:
        parent = parent or self._parent()
        dialog = make(parent)
        self._dialog = dialog
        shown = _ShownDialog(dialog, answer, aborted, self._forget)
        dialog.refuse_all_requested.connect(self.refuse_all)
        dialog.set_waiting_count(self.waiting_count)
        _draw_attention(parent.window())
        dialog.open()
        return shown.take_back

    def _forget(self) -> None:
        self._dialog = None

    def _tell_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.set_waiting_count(self.waiting_count)


class _ShownDialog(Generic[T]):
    """Brings one dialog's answer back exactly once, also when its window is destroyed under it."""

    def __init__(
        self, dialog: "PromptDialog", answer: Callable[[T], None], aborted: T, forget: Callable[[], None]
    ) -> None:
        self._dialog: PromptDialog | None = dialog
        self._answer = answer
        self._aborted = aborted
        self._forget = forget
        dialog.finished.connect(self._finished)
        dialog.destroyed.connect(self._destroyed)

    def take_back(self) -> None:
        """Close the dialog unanswered."""
        if (dialog := self._release()) is not None:
            dialog.take_back()
            dialog.deleteLater()

    def _finished(self) -> None:
        if (dialog := self._release()) is not None:
            dialog.deleteLater()
            self._answer(cast(T, dialog.answer))

    def _destroyed(self) -> None:
        if self._release() is not None:
            self._answer(self._aborted)

    def _release(self) -> "PromptDialog | None":
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            self._forget()
        return dialog


def _window_in_front() -> QWidget | None:
    """The window in which the person just clicked; of one that is about to go, the one that it belongs to."""
    window = QApplication.activeWindow()
    while window is not None and window.windowType() is not Qt.WindowType.Window:
        parent = window.parentWidget()
        window = parent.window() if parent is not None else None
    return window


def _draw_attention(window: QWidget) -> None:
    """Let the person notice the question: bring a hidden window back, mark one that is minimised or behind others."""
    if window.isHidden():
        window.show()
    if window.isMinimized() or not window.isActiveWindow():
        QApplication.alert(window)
