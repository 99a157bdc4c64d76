"""The shared session of the open chat on the memory page: how it is, what is in it, and the way to clear it."""

from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject

from desktop.agent.session_sharing import Sharing, SharingState
from desktop.core.errors import ThreadwellError
from desktop.core.session_settings import SessionUse
from desktop.ui.controls import Words
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.error_words import error_words
from desktop.ui.memory.session_card import SessionCard, as_text
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.memory.page import MemoryPage
    from desktop.ui.window_presenter import WindowPresenter

MOST_SHOWN = 200


class SessionsInWindow(QObject):
    """Belongs to the presenter of a window."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices, theme: ThemeManager) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._card: SessionCard | None = None
        self._count: int | None = None
        presenter.memory.opened.connect(self._opened)
        if services.sessions is not None:
            services.sessions.changed.connect(self._sharing_changed)

    def _opened(self, page: "MemoryPage") -> None:
        sharing = self._services.sessions
        if sharing is None or self._services.settings.settings.sessions.use is SessionUse.OFF:
            return
        card = self._card = SessionCard(self._theme)
        card.read_requested.connect(lambda: self._worker.start_once(self._read(), "read a session"))
        card.clear_requested.connect(lambda: self._worker.start_once(self._clear(), "clear a session"))
        page.add_card(card)
        self._count = None
        self._show()
        self._worker.start(self._look(card), "look into a session")

    def _sharing_changed(self, _sharing: Sharing) -> None:
        self._show()

    async def _look(self, card: SessionCard) -> None:
        """Find out how much there is."""
        sharing, options = self._services.sessions, self._presenter.options.options
        thread_id = self._presenter.thread_id
        if sharing is None or thread_id is None or sharing.session_of(thread_id, options) is None:
            return
        try:
            entries = await sharing.contents(thread_id, options, MOST_SHOWN)
        except ThreadwellError as error:
            failure = error
            if self._is_shown(card):
                card.show_state(lambda: sentences(*error_words(failure.code, failure.params)), can_read=True)
            return
        self._count = len(entries)
        self._show()

    async def _read(self) -> None:
        from desktop.ui.transcript.text_dialog import TextDialog

        sharing, thread_id = self._services.sessions, self._presenter.thread_id
        if sharing is None or thread_id is None:
            return
        entries = await sharing.contents(thread_id, self._presenter.options.options, MOST_SHOWN)
        self._count = len(entries)
        self._show()
        names = {"user": self.tr("User"), "agent": self.tr("Assistant"), "note": self.tr("Note")}
        text = as_text(entries, names) or self.tr("Nothing is in it.")
        TextDialog(text, self._theme, lambda: self.tr("Shared session"), self._presenter.window).show()

    async def _clear(self) -> None:
        sharing, thread_id = self._services.sessions, self._presenter.thread_id
        options = self._presenter.options.options
        if sharing is None or thread_id is None:
            return
        wanted = await confirm(
            self._presenter.window,
            title=self.tr("Clear the shared session?"),
            text=self.tr("It is emptied for everybody who shares it. The chat itself stays as it is."),
            confirm_label=self.tr("Clear"),
        )
        if wanted:
            await sharing.clear(thread_id, options)
            self._count = 0
            self._show()

    def _is_shown(self, card: SessionCard | None) -> bool:
        return card is not None and card is self._card and shiboken6.isValid(card)

    def _show(self) -> None:
        sharing, card, thread_id = self._services.sessions, self._card, self._presenter.thread_id
        if sharing is None or card is None or not self._is_shown(card):
            return
        session = None if thread_id is None else sharing.session_of(thread_id, self._presenter.options.options)
        if session is None:
            card.show_state(
                lambda: self.tr("The open chat shares no session. Its options can change that."), can_read=False
            )
        else:
            card.show_state(self._words(session if session != thread_id else "", sharing.sharing), can_read=True)

    def _words(self, name: str, sharing: Sharing) -> Words:
        error, count = sharing.error, self._count
        if sharing.state is SharingState.FAILED and error is not None:
            return lambda: sentences(*error_words(error.code, error.params))

        def words() -> str:
            text = (
                self.tr("The open chat shares “%1” with others.").replace("%1", name)
                if name
                else self.tr("The open chat has a session of its own.")
            )
            if sharing.state is SharingState.LATE:
                text = self.tr("%1 The last answer did not wait for it any longer.").replace("%1", text)
            elif count is not None:
                text = self.tr("%1 %2").replace("%2", self.tr("%n entries", "", count)).replace("%1", text)
            return text

        return words
