"""Leads from what a search found to its place: the message or the card of the tool call, with the words marked for a while."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter


class SearchFeature(QObject):
    """Connects the search of the sidebar with the transcript, the memory page and the keys of the window."""

    def __init__(self, presenter: "WindowPresenter") -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._place: tuple[str, str, str, list[str]] | None = None
        """Thread, message, call and words that are marked once the thread is shown."""
        search, keys = presenter.sidebar.search, presenter.window.keys
        search.found_opened.connect(self._remember)
        search.memory_wanted.connect(self._show_memory)
        presenter.transcript.opened.connect(self._mark)
        keys.add("next_found", lambda: self._step(1))
        keys.add("previous_found", lambda: self._step(-1))

    def _step(self, direction: int) -> None:
        window = self._presenter.window
        if window.sidebar.search_text:
            self._presenter.sidebar.search.step(direction)
        else:
            window.focus_search()

    def _remember(self, thread_id: str, message_id: str, call_id: str, phrases: list[str]) -> None:
        self._place = (thread_id, message_id, call_id, phrases) if message_id else None

    def _mark(self, thread_id: str) -> None:
        place, self._place = self._place, None
        if place is not None and place[0] == thread_id:
            _, message_id, call_id, phrases = place
            self._presenter.window.transcript.marks.mark_for_a_while(message_id, phrases, call_id)

    def _show_memory(self, words: str) -> None:
        window, memory = self._presenter.window, self._presenter.memory
        window.sidebar.footer.memory_requested.emit()
        if (page := memory.page) is not None:
            page.search.setText(words)
