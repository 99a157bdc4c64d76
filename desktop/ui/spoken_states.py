"""Lets a screen reader say what happens in chats that are not shown: an answer is ready or failed, or waits for the user."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.ui.controls import announce
from desktop.ui.punctuation import labelled
from desktop.ui.state.readable import one_line

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter

MOST_OF_TITLE = 80


class SpokenStates(QObject):
    """Of the chat that is shown its transcript and its dialogs speak; what is seen in the sidebar alone is said here, once."""

    def __init__(self, presenter: "WindowPresenter") -> None:
        super().__init__(presenter)
        self._presenter = presenter
        presenter.system_notices.happened_meanwhile.connect(self._say)

    def _say(self, thread_id: str, text: str) -> None:
        if thread_id == self._presenter.thread_id:
            return
        window = self._presenter.window
        title = one_line(window.sidebar.model.title_of(thread_id), MOST_OF_TITLE)
        announce(window.sidebar, labelled(title or self.tr("New chat"), text))
