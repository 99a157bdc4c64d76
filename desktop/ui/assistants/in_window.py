"""Assistants in the window: who answers in the open chat, chosen below the message and in the palette."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from desktop.conversation.assistants.entities import Assistant
from desktop.ui.assistants.button import AssistantOffer
from desktop.ui.assistants.words import MOST_LINE, shown_name
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.readable import one_line

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter


class AssistantsInWindow(QObject):
    """What is chosen counts for the next message of the chat, and is kept with it."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._services = services
        self.library = services.assistants
        self._options = presenter.options
        self._worker = Worker(services)
        self._button = presenter.window.composer.model_bar.assistants
        self._button.chosen.connect(self.choose)
        self._button.managing_requested.connect(lambda: presenter.open_settings("assistants"))
        self._button.new_requested.connect(self.make)
        self._options.changed.connect(self._show)
        self.library.changed.connect(self._show)
        self._show()

    def choose(self, assistant_id: str) -> None:
        """Let this assistant answer in the open chat; nobody in particular where the id is empty."""
        assistant = self.library.get(assistant_id) if assistant_id else None
        if assistant is None and assistant_id:
            return
        changes: dict[str, Any] = {"assistant": assistant}
        if assistant is not None and assistant.endpoint_id is not None:
            changes |= {"endpoint_id": assistant.endpoint_id, "model": assistant.model}
        self._options.change(**changes)

    def make(self) -> None:
        """Let the user make an assistant, which answers in the open chat then."""
        from desktop.ui.assistants.keeping import open_editor

        open_editor(
            self._presenter.window, self._services, self._worker, done=lambda assistant: self.choose(assistant.id)
        )

    def _show(self) -> None:
        options = self._options.options
        current = self.library.of(options)
        self._button.show_assistants(
            [_offer(one) for one in self.library.known],
            None if current is None else _offer(current),
            is_gone=self.library.is_gone(options),
        )


def _offer(assistant: Assistant) -> AssistantOffer:
    return AssistantOffer(assistant.id, shown_name(assistant), one_line(assistant.description, MOST_LINE))
