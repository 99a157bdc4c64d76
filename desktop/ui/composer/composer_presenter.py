"""Connects the composer with the services: sending, stopping, and the draft of each thread."""

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.agent.run import Run
from desktop.core.errors import ThreadwellError
from desktop.ui.composer.composer import Composer
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices

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

    def __init__(self, composer: Composer, services: UiServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._composer = composer
        self._services = services
        self._worker = Worker(services)
        self._thread_id: str | None = None
        self._unsaved: dict[str, str] = {}
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
        early = "" if self._switches else self._composer.text
        self._switches += 1
        self._thread_id = thread_id
        self._save_soon()
        kept = self._unsaved.get(self._key)
        if not early:
            self._composer.set_text(kept or "")
        self._show_state()
        if kept is None:
            self._worker.start(self._load_draft(self._key, self._switches, self._edits, early), "load draft")

    def put_text(self, text: str) -> None:
        """Write a text for the user to send or change."""
        self._composer.set_text(text)
        self._edited()
        self._composer.focus_text()

    def send(self, text: str) -> None:
        key = self._key
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
        for key, text in list(self._unsaved.items()):
            await self._services.conversations.save_draft(key, text)
            if self._unsaved.get(key) == text:
                del self._unsaved[key]

    @property
    def _key(self) -> str:
        return self._thread_id or NEW_THREAD

    def _edited(self) -> None:
        self._edits += 1
        self._unsaved[self._key] = self._composer.text
        self._timer.start()

    def _save_soon(self) -> None:
        if self._unsaved:
            self._worker.start(self.flush(), "save drafts")

    async def _load_draft(self, key: str, switch: int, edits: int, early: str) -> None:
        text = await self._services.conversations.load_draft(key)
        if switch != self._switches:
            return
        if early:
            self._composer.set_text("\n".join(filter(None, (text, self._composer.text))))
            self._edited()
        elif edits == self._edits and text:  # what the user typed while it was loaded counts more
            self._composer.set_text(text)

    async def _send(self, key: str, text: str) -> None:
        try:
            run = await self._services.chat.send(key or None, text.strip("\n").rstrip())
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        finally:
            self._sending.discard(key)
            self._show_state()
        await self._sent(key, text, run)

    async def _sent(self, key: str, text: str, run: Run) -> None:
        """Only now the text leaves the composer and the store of drafts; what was typed meanwhile stays."""
        if key == self._key:
            self._composer.take_sent(text)
            rest = self._composer.text
        else:
            rest = self._unsaved.get(key, text).removeprefix(text)
        self._unsaved.pop(key, None)
        if key == NEW_THREAD:
            if self._thread_id is None:
                self._thread_id = run.thread_id
                if rest:
                    self._unsaved[self._key] = rest
                rest = ""
                self._show_state()
            self.thread_started.emit(run.thread_id)
        self.sent.emit(run.thread_id)
        await self._services.conversations.save_draft(key, rest)
        await self.flush()

    def _run_changed(self, run: Run) -> None:
        if run.thread_id == self._thread_id:
            self._show_state()

    def _show_state(self) -> None:
        running = self._thread_id is not None and self._services.chat.run_of(self._thread_id) is not None
        self._composer.set_running(running)
        self._composer.set_sending(self._key in self._sending)
