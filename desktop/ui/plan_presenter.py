"""Brings the user's answers to plans where they are waited for, and says that a plan waits."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.agent.plan_desk import PlanAnswer
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter


class PlanPresenter(QObject):
    """For the transcript and for each of the answers that stand side by side."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._plans = services.plans
        self._worker = Worker(services)
        self._connect(presenter.window.transcript)
        presenter.transcript.equipped.connect(self._connect)
        self._plans.changed.connect(self._changed)

    def _connect(self, view: TranscriptView) -> None:
        view.context.actions.plan_decided.connect(self._decided)
        view.context.actions.plan_edited.connect(self._edited)

    def _decided(self, message_id: str, answer: PlanAnswer) -> None:
        if self._plans.answer(message_id, answer):
            self._presenter.window.composer.focus_text()  # the button that had the focus goes

    def _edited(self, message_id: str, texts: tuple[str, ...]) -> None:
        self._worker.start(self._plans.edit(message_id, texts), "keep an edited plan")

    def _changed(self, thread_id: str) -> None:
        waits = self._plans.waits_in(thread_id)
        self._presenter.set_waiting(thread_id, waits)
        if waits and thread_id == self._presenter.thread_id:
            self._presenter.window.transcript.announce(self.tr("A plan waits for your approval"))
