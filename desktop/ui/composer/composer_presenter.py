"""Connects the composer with the services: sending, stopping, and the draft of each thread."""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from desktop.agent.run import Run
from desktop.conversation.entities import AttachmentPart, ThreadOptions
from desktop.core.errors import ThreadwellError
from desktop.ui.composer.attachment_presenter import AttachmentPresenter
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.drafts import Drafts
from desktop.ui.composer.knowledge_presenter import KnowledgePresenter
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.pasted_text import Composed, left_over, split

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
        options_of_new_chat: Callable[[], Awaitable[ThreadOptions]],
    ) -> None:
        super().__init__(parent)
        self._options_of_new_chat = options_of_new_chat
        self._composer = composer
        self._services = services
        self._worker = Worker(services)
        self._thread_id: str | None = None
        self._sending: set[str] = set()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._drafts = Drafts(
            services, self, is_loading=self._loading.__contains__, is_sending=self._sending.__contains__
        )
        self._is_open = False
        self.files = AttachmentPresenter(composer, services, self)
        self.knowledge = KnowledgePresenter(composer, services, self)
        composer.text_edited.connect(self._edited)
        composer.send_requested.connect(self.send)
        composer.stop_requested.connect(self.stop)
        services.chat.run_started.connect(self._run_changed)
        services.chat.run_ended.connect(self._run_changed)

    def switch(self, thread_id: str | None) -> None:
        """Keep the draft of the thread written to so far and show the one of ``thread_id``."""
        is_first, self._is_open = not self._is_open, True
        self._thread_id = thread_id
        self._drafts.save()
        kept = self._drafts.in_memory(self.key)
        if is_first and not self._composer.content.is_blank:
            # The window can be written into before anything is open; that belongs to the first thread.
            self._drafts.keep(self.key, self._composer.content)
        else:
            self._composer.set_content(kept or Composed(""))
        self.files.switch(self.key)
        self.knowledge.switch(thread_id)
        self._show_state()
        if kept is None and self.key not in self._loading:
            self._loading[self.key] = self._worker.start(self._load_draft(self.key), "load draft")

    def put_text(self, text: str) -> None:
        """Write a text for the user to send or change; Undo brings back what stood there."""
        self._composer.put_text(text)
        self._composer.focus_text()

    def put_back(self, key: str, pasted: str) -> None:
        """Give a folded text that was removed back to the message it was taken from; ``key`` from ``key`` then."""
        if key == self.key:
            self._composer.add_pasted(pasted)
        elif (kept := self._drafts.in_memory(key)) is not None:
            self._drafts.keep(key, Composed(kept.text, (*kept.pasted, pasted)))
        else:
            self._worker.start(self._put_back(key, pasted), "put text back")

    def send(self, text: str) -> None:
        key = self.key
        if key in self._sending:
            return
        self._sending.add(key)
        self._show_state()
        self._worker.start(self._send(key, text, self.files.parts(key)), "send message")

    def stop(self) -> None:
        if self._thread_id is not None:
            self._worker.start(self._services.chat.stop(self._thread_id), "stop answer")

    async def flush(self) -> None:
        """Write every draft to disk that is not there yet; for the end of the program."""
        if self._loading:
            await asyncio.wait(self._loading.values())
        await self._drafts.flush(also_sending=True)

    @property
    def key(self) -> str:
        """Under which the present draft is kept."""
        return self._thread_id or NEW_THREAD

    def _edited(self) -> None:
        self._drafts.keep(self.key, self._composer.content)

    async def _put_back(self, key: str, pasted: str) -> None:
        stored = await self._drafts.stored(key)
        kept = self._drafts.in_memory(key) or stored
        self._drafts.keep(key, Composed(kept.text, (*kept.pasted, pasted)))

    async def _load_draft(self, key: str) -> None:
        """Show the stored draft; what the user has written meanwhile comes after it."""
        try:
            stored = await self._drafts.stored(key)
        finally:
            del self._loading[key]
        if stored == Composed("") or key in self._sending:
            self._drafts.save()
            return
        typed = self._drafts.in_memory(key)
        if typed is not None:
            both = "\n".join(filter(None, (stored.text, typed.text)))
            stored = Composed(both, (*stored.pasted, *typed.pasted))
            self._drafts.keep(key, stored)
        if key == self.key:
            self._composer.set_content(stored)

    async def _send(self, key: str, text: str, files: tuple[AttachmentPart, ...]) -> None:
        try:
            options = await self._options_of_new_chat() if key == NEW_THREAD else None
            text_sent = text.strip("\n").rstrip()
            run = await self._services.chat.send(key or None, text_sent, options=options, attachments=files)
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        finally:
            self._sending.discard(key)
            self._show_state()
            self._drafts.save()
        self._sent(key, text, files, run)

    def _sent(self, key: str, text: str, files: tuple[AttachmentPart, ...], run: Run) -> None:
        """Only now the text leaves the composer; what was typed meanwhile stays, and goes to the chat just begun."""
        if key == self.key:
            self._composer.take_sent(text)
            rest = self._composer.content
        else:
            sent = split(text)
            rest = left_over(self._drafts.in_memory(key) or sent, sent)
        self._drafts.forget(key)
        is_new, was = key == NEW_THREAD, key
        if is_new and self._thread_id is None:
            self._thread_id = run.thread_id
            self._show_state()
            key = run.thread_id
            self.knowledge.switch(run.thread_id)
        self.files.sent(was, files, key)
        if not rest.is_blank:
            self._drafts.keep(key, rest)
        if is_new:
            self.thread_started.emit(run.thread_id)
        self.sent.emit(run.thread_id)

    def _run_changed(self, run: Run) -> None:
        if run.thread_id == self._thread_id:
            self._show_state()

    def _show_state(self) -> None:
        running = self._thread_id is not None and bool(self._services.chat.runs_of(self._thread_id))
        self._composer.set_running(running)
        self._composer.set_sending(self.key in self._sending)
