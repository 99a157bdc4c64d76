"""Connects the composer with the services: sending, changing what was sent, stopping, and the draft of each thread."""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from desktop.agent.run import Run
from desktop.conversation.entities import AttachmentPart, Message, Role, ThreadOptions
from desktop.core.errors import ThreadwellError
from desktop.ui.composer.attachment_presenter import AttachmentPresenter
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.drafts import Drafts
from desktop.ui.composer.knowledge_presenter import KnowledgePresenter
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.pasted_text import Composed, joined, left_over, split

NEW_THREAD = ""
"""Under this id the draft of a chat that does not exist yet is kept."""


class ComposerPresenter(QObject):
    """Knows which thread is written to; ``None`` is a chat that begins with the first message.

    Signals:
        thread_started: the first message of a new chat was stored; carries the thread's id.
        thread_shown: another thread is written to; carries its id, empty for a new chat.
        sent: a message was stored and its answer runs; carries the thread's id.
        change_left: a change of a message was given up; carries the message's id and the text, for ``edit``.
    """

    thread_started = Signal(str)
    thread_shown = Signal(str)
    sent = Signal(str)
    change_left = Signal(str, str)

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
        self._changes: dict[str, Message] = {}
        """By thread the message that is being changed; its id is the key of that draft."""
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
        composer.edit.last_requested.connect(self._edit_last)
        composer.editing.left.connect(self._give_up)
        services.chat.run_started.connect(self._run_changed)
        services.chat.run_ended.connect(self._run_changed)

    def switch(self, thread_id: str | None) -> None:
        """Keep the draft of the thread written to so far and show the one of ``thread_id``."""
        is_first, self._is_open = not self._is_open, True
        is_other = is_first or thread_id != self._thread_id
        self._thread_id = thread_id
        self._drafts.save()
        if is_other:
            # The window can be written into before anything is open; that belongs to the first thread.
            self._show_draft(is_written=is_first and not self._composer.content.is_blank)
        self.knowledge.switch(thread_id)
        self.thread_shown.emit(self.thread_key)
        if thread_id is not None and thread_id not in self._changes:
            self._worker.start(self._find_edit(thread_id), "look for a change that was begun")

    def _show_draft(self, *, is_written: bool = False) -> None:
        """Show what is written under the present key: at once what is in memory, else when it was read.

        With ``is_written`` what stands in the composer belongs to it already.
        """
        kept = self._drafts.in_memory(self.key)
        if is_written:
            self._drafts.keep(self.key, self._composer.content)
        else:
            self._composer.set_content(kept or Composed(""))
        self.files.switch(self.key)
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
        files = self.files.parts(key)
        if self.edited is None and self._thread_id is not None and self._services.queue.takes(self._thread_id):
            self._worker.start(self._let_wait(key, text, files), "let a message wait")
        else:
            self._worker.start(self._send(key, text, files, self.edited), "send message")

    def stop(self) -> None:
        if self._thread_id is not None:
            self._worker.start(self._services.chat.stop(self._thread_id), "stop answer")

    async def flush(self) -> None:
        """Write every draft to disk that is not there yet; for the end of the program."""
        if self._loading:
            await asyncio.wait(self._loading.values())
        await self._drafts.flush(also_sending=True)

    @property
    def thread_key(self) -> str:
        """The id of the thread that is written to; empty for a new one."""
        return self._thread_id or NEW_THREAD

    @property
    def edited(self) -> Message | None:
        """The message in whose place the present draft is sent."""
        return self._changes.get(self.thread_key)

    @property
    def key(self) -> str:
        """Under which the present draft is kept."""
        return self.thread_key if self.edited is None else self.edited.id

    def edit(self, message_id: str, text: str | None = None) -> None:
        """Let the user change a message of the open thread; what was being written comes back afterwards.

        ``text`` is what it is changed to by now.
        """
        self._worker.start(self._begin_edit(message_id, text), "change a message")

    def _edit_last(self) -> None:
        if self._thread_id is not None and self._composer.files.is_empty and self._composer.content.is_blank:
            self._worker.start(self._begin_last_edit(self._thread_id), "change the last message")

    async def _begin_last_edit(self, thread_id: str) -> None:
        path = await self._services.repository.path(thread_id, last=2)
        for message in [each for each in path if each.role is Role.USER][-1:]:
            await self._begin_edit(message.id)

    async def _begin_edit(self, message_id: str, text: str | None = None) -> None:
        messages = await self._services.repository.messages([message_id])
        message = next((each for each in messages if each.role is Role.USER), None)
        if message is None or message.thread_id != self._thread_id or self.key in self._sending:
            return
        if self.edited is not None and self.edited.id != message_id:
            self._leave_edit(self.edited)
        if self.edited is None:
            self._changes[message.thread_id] = message
            self._drafts.keep(message.id, split(message.text if text is None else text))
            self.files.begin(message.id, message.attachments)
            self._show_draft()
        self._composer.focus_text()

    async def _find_edit(self, thread_id: str) -> None:
        """Go on with a change that was begun before the program ended."""
        message_id = await self._services.conversations.edited_message(thread_id)
        for message in await self._services.repository.messages([message_id] if message_id else []):
            if thread_id == self._thread_id and thread_id not in self._changes and thread_id not in self._sending:
                self._changes[thread_id] = message
                self._show_draft()

    def _give_up(self) -> None:
        """Leave the message as it is, and show what was being written before."""
        if (edited := self.edited) is not None and self.key not in self._sending:
            self._leave_edit(edited)
            self._show_draft()
            self._composer.focus_text()

    def _leave_edit(self, message: Message) -> None:
        content = self._composer.content
        self._end_edit(message)
        if content != split(message.text):
            self.change_left.emit(message.id, joined(content))

    def _end_edit(self, message: Message) -> None:
        del self._changes[message.thread_id]
        self.files.give_up(message.id)
        self._drafts.forget(message.id)
        self._worker.start(self._services.conversations.save_draft(message.id, ""), "forget a change")

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

    async def _send(self, key: str, text: str, files: tuple[AttachmentPart, ...], edited: Message | None) -> None:
        try:
            options = await self._options_of_new_chat() if key == NEW_THREAD else None
            text_sent = text.strip("\n").rstrip()
            if edited is None:
                run = await self._services.chat.send(key or None, text_sent, options=options, attachments=files)
            else:
                await self._services.chat.stop(edited.thread_id)
                run = await self._services.chat.send(
                    edited.thread_id, text_sent, attachments=files, instead_of=edited.id
                )
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        finally:
            self._sending.discard(key)
            self._show_state()
            self._drafts.save()
        if edited is None:
            self._sent(key, text, files, run)
        else:
            self._sent_anew(edited, run)

    async def _let_wait(self, thread_id: str, text: str, files: tuple[AttachmentPart, ...]) -> None:
        """Something answers: the message is sent after that."""
        try:
            await self._services.queue.add(thread_id, text.strip("\n").rstrip(), files)
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        finally:
            self._sending.discard(thread_id)
            self._show_state()
            self._drafts.save()
        self._taken(thread_id, thread_id, text, files)

    def _sent_anew(self, edited: Message, run: Run) -> None:
        """The change is a message of its own by now; what was being written before is shown again."""
        self._end_edit(edited)
        if edited.thread_id == self._thread_id:
            self._show_draft()
        self.sent.emit(run.thread_id)

    def _sent(self, key: str, text: str, files: tuple[AttachmentPart, ...], run: Run) -> None:
        is_new = key == NEW_THREAD
        is_here = is_new and self._thread_id is None
        self._taken(key, run.thread_id if is_here else key, text, files)
        if is_here:
            self._show_state()
            self.knowledge.switch(run.thread_id)
            self.thread_shown.emit(run.thread_id)
        if is_new:
            self.thread_started.emit(run.thread_id)
        self.sent.emit(run.thread_id)

    def _taken(self, key: str, new_key: str, text: str, files: tuple[AttachmentPart, ...]) -> None:
        """Only now the text leaves the composer; what was typed meanwhile stays, and goes to the chat just begun."""
        if key == self.key:
            self._composer.take_sent(text)
            rest = self._composer.content
        else:
            sent = split(text)
            rest = left_over(self._drafts.in_memory(key) or sent, sent)
        self._drafts.forget(key)
        if new_key != key:
            self._thread_id = new_key
        self.files.sent(key, files, new_key)
        if not rest.is_blank:
            self._drafts.keep(new_key, rest)

    def _run_changed(self, run: Run) -> None:
        if run.thread_id == self._thread_id:
            self._show_state()

    def _show_state(self) -> None:
        running = self._thread_id is not None and bool(self._services.chat.runs_of(self._thread_id))
        self._composer.editing.show_state(is_on=self.edited is not None, is_running=running)
        self._composer.set_running(running)
        self._composer.set_sending(self.key in self._sending)
