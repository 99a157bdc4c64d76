"""Connects the composer with the services: sending, stopping, and the draft of each thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.agent.run import Run
from desktop.conversation.entities import ThreadOptions
from desktop.core.errors import ThreadwellError
from desktop.ui.composer.composer import Composer
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.pasted_text import Composed, joined, left_over, split

SAVE_DELAY_MS = 400
NEW_THREAD = ""
"""Under this id the draft of a chat that does not exist yet is kept."""


class ComposerPresenter(QObject):
    """Knows which thread is written to; ``None`` is a chat that begins with the first message.

    Signals:
        thread_started: the first message of a new chat was stored; carries the thread's id.
        sent: a message was stored and its answer runs; carries the thread's id.
    """

    thread_started = Signal(str)
    sent = Signal(str)

    def __init__(
        self,
        composer: Composer,
        services: UiServices,
        parent: QObject | None = None,
        *,
        options_of_new_chat: Callable[[], ThreadOptions] = ThreadOptions,
    ) -> None:
        super().__init__(parent)
        self._options_of_new_chat = options_of_new_chat
        self._composer = composer
        self._services = services
        self._worker = Worker(services)
        self._thread_id: str | None = None
        self._unsaved: dict[str, Composed] = {}
        self._sending: set[str] = set()
        self._edits = 0
        self._switches = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_DELAY_MS)
        self._timer.timeout.connect(self._save_soon)
        composer.text_edited.connect(self._edited)
        composer.send_requested.connect(self.send)
        composer.stop_requested.connect(self.stop)
        services.chat.run_started.connect(self._run_changed)
        services.chat.run_ended.connect(self._run_changed)

    def switch(self, thread_id: str | None) -> None:
        """Keep the draft of the thread written to so far and show the one of ``thread_id``."""
        # The window can be written into before anything is open; what was typed then belongs to the first thread.
        early = not self._switches and not self._composer.content.is_blank
        self._switches += 1
        self._thread_id = thread_id
        self._save_soon()
        kept = self._unsaved.get(self.key)
        if not early:
            self._composer.set_content(kept or Composed(""))
        self._show_state()
        if kept is None:
            self._worker.start(self._load_draft(self.key, self._switches, self._edits, early), "load draft")

    def put_text(self, text: str) -> None:
        """Write a text for the user to send or change; Undo brings back what stood there."""
        self._composer.put_text(text)
        self._composer.focus_text()

    def put_back(self, key: str, pasted: str) -> None:
        """Give a folded text that was removed back to the message it was taken from; ``key`` from ``key`` then."""
        if key == self.key:
            self._composer.add_pasted(pasted)
        elif key in self._unsaved:
            kept = self._unsaved[key]
            self._keep(key, Composed(kept.text, (*kept.pasted, pasted)))
        else:
            self._worker.start(self._put_back(key, pasted), "put text back")

    def send(self, text: str) -> None:
        key = self.key
        if key in self._sending:
            return
        self._sending.add(key)
        self._show_state()
        self._worker.start(self._send(key, text), "send message")

    def stop(self) -> None:
        if self._thread_id is not None:
            self._worker.start(self._services.chat.stop(self._thread_id), "stop answer")

    async def flush(self) -> None:
        """Write every draft to disk that is not there yet."""
        self._timer.stop()
        for key, content in list(self._unsaved.items()):
            await self._services.conversations.save_draft(key, joined(content))
            if self._unsaved.get(key) == content:
                del self._unsaved[key]

    @property
    def key(self) -> str:
        """Under which the present draft is kept."""
        return self._thread_id or NEW_THREAD

    def _edited(self) -> None:
        self._edits += 1
        self._keep(self.key, self._composer.content)

    def _keep(self, key: str, content: Composed) -> None:
        self._unsaved[key] = content
        self._timer.start()

    async def _put_back(self, key: str, pasted: str) -> None:
        kept = split(await self._services.conversations.load_draft(key))
        self._keep(key, Composed(kept.text, (*kept.pasted, pasted)))

    def _save_soon(self) -> None:
        if self._unsaved:
            self._worker.start(self.flush(), "save drafts")

    async def _load_draft(self, key: str, switch: int, edits: int, early: bool) -> None:
        text = await self._services.conversations.load_draft(key)
        if switch != self._switches:
            return
        kept = split(text)
        if early:
            typed = self._composer.content
            both = "\n".join(filter(None, (kept.text, typed.text)))
            self._composer.set_content(Composed(both, (*kept.pasted, *typed.pasted)))
            self._edited()
        elif edits == self._edits and text:  # what the user typed while it was loaded counts more
            self._composer.set_content(kept)

    async def _send(self, key: str, text: str) -> None:
        try:
            run = await self._services.chat.send(
                key or None, text.strip("\n").rstrip(), options=self._options_of_new_chat()
            )
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        finally:
            self._sending.discard(key)
            self._show_state()
        await self._sent(key, text, run)

    async def _sent(self, key: str, text: str, run: Run) -> None:
        """Only now the text leaves the composer and the store of drafts; what was typed meanwhile stays."""
        if key == self.key:
            self._composer.take_sent(text)
            rest = self._composer.content
        else:
            sent = split(text)
            rest = left_over(self._unsaved.get(key, sent), sent)
        self._unsaved.pop(key, None)
        if key == NEW_THREAD:
            if self._thread_id is None:
                self._thread_id = run.thread_id
                if not rest.is_blank:
                    self._unsaved[self.key] = rest
                rest = Composed("")
                self._show_state()
            self.thread_started.emit(run.thread_id)
        self.sent.emit(run.thread_id)
        await self._services.conversations.save_draft(key, joined(rest))
        await self.flush()

    def _run_changed(self, run: Run) -> None:
        if run.thread_id == self._thread_id:
            self._show_state()

    def _show_state(self) -> None:
        running = self._thread_id is not None and self._services.chat.run_of(self._thread_id) is not None
        self._composer.set_running(running)
        self._composer.set_sending(self.key in self._sending)
