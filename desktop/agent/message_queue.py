"""Messages that are written while a chat answers: each waits in a queue, and is sent when the answer before ended well."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from desktop.agent.chat_service import ChatService
from desktop.agent.continuing import can_continue
from desktop.agent.events import DoneEvent, DoneReason
from desktop.agent.queue_state import Pause, Queue
from desktop.agent.run import Run
from desktop.conversation.entities import AttachmentPart, MessageStatus, Role, Thread
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.queued import QueuedMessage, QueueStore
from desktop.conversation.service import ConversationService
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.ids import new_id
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor

_CUT_OFF = (DoneReason.LENGTH, DoneReason.STEP_LIMIT)
_MENDED = (Pause.FAILED, Pause.CUT_OFF)
"""What is over when the answer is tried again, or goes on, and ends well."""
MOST_QUEUED = 50
"""Messages that wait in one thread."""


class _Changes(TypedDict, total=False):
    """Fields of a ``Queue``."""

    messages: tuple[QueuedMessage, ...]
    pause: Pause | None
    sending: str
    held: str


@dataclass
class _Waiting:
    """The queue of a thread that this process knows."""

    queue: Queue = field(default_factory=Queue)
    is_temporary: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """What is put down goes one after the other."""
    stuck_at: str = ""
    """The message whose answer failed or is not whole, because of which the queue pauses."""


class MessageQueue:
    """Sends what waits, also in threads that nobody looks at; a thread's queue never leaves that thread.

    Whatever was left by an earlier process, or by a thread that was in the Trash, waits until the user lets it go on. The
    queue pauses when the answer before was stopped, failed or is not whole, and stays paused until ``go_on``, or until
    another try at an answer that failed or was cut off ended well.

    Signals:
        changed: the queue of a thread is another one now; carries the thread's id.
        failed: a message could not be sent, and waits still; carries the error.
    """

    def __init__(
        self,
        *,
        chat: ChatService,
        conversations: ConversationService,
        repository: ThreadRepository,
        store: QueueStore,
        tasks: TaskSupervisor,
    ) -> None:
        self._chat = chat
        self._conversations = conversations
        self._repository = repository
        self._store = store
        self._tasks = tasks
        self._known: dict[str, _Waiting] = {}
        self._is_closed = False
        self._is_tidy = False
        self._tidying = asyncio.Lock()
        self.changed = Signal[str]()
        self.failed = Signal[ThreadwellError]()
        chat.run_ended.connect(self._run_ended)
        conversations.thread_removed.connect(self._thread_removed)
        conversations.thread_changed.connect(self._thread_changed)

    def queue_of(self, thread_id: str) -> Queue:
        """What waits in the thread, as far as it was loaded."""
        known = self._known.get(thread_id)
        return known.queue if known is not None else Queue()

    def takes(self, thread_id: str) -> bool:
        """Whether a message that is written now has to wait: something answers, or others wait for their turn before it."""
        queue = self.queue_of(thread_id)
        return bool(self._chat.runs_of(thread_id) or queue.sending or (queue.messages and queue.pause is None))

    def goes_on_after(self, run: Run) -> bool:
        """Whether what waits is sent now that this run, the last one in its thread, has ended."""
        queue = self.queue_of(run.thread_id)
        is_free = queue.pause is None or self._mends(run)
        return bool(queue.messages) and is_free and _is_whole(run)

    def _mends(self, run: Run) -> bool:
        """Whether this was another try at the answer because of which the queue pauses."""
        known = self._known.get(run.thread_id)
        return known is not None and known.queue.pause in _MENDED and known.stuck_at == run.turn.user_message.id

    async def load(self, thread_id: str) -> Queue:
        """Read what waits in the thread. Raises ``StorageError``."""
        return (await self._loaded(thread_id)).queue

    async def add(self, thread_id: str, text: str, attachments: Sequence[AttachmentPart] = ()) -> QueuedMessage:
        """Put a message behind those that wait; returns when it is on disk. It is sent at once where nothing answers any more.

        Raises ``StorageError``, and ``ThreadwellError("queue.full")`` where ``MOST_QUEUED`` wait.
        """
        known = await self._loaded(thread_id)
        message = QueuedMessage(id=new_id(), thread_id=thread_id, text=text, attachments=tuple(attachments))
        async with known.lock:
            if len(known.queue.messages) >= MOST_QUEUED:
                raise ThreadwellError("queue.full", most=MOST_QUEUED)
            await self._store.add(message)
            self._set(thread_id, messages=(*known.queue.messages, message))
        self._look_soon(thread_id)
        return message

    def hold(self, message_id: str) -> bool:
        """Keep a message from being sent while it is changed; False where it is not there or on its way."""
        thread_id = self._thread_of(message_id)
        if not thread_id or self.queue_of(thread_id).sending == message_id:
            return False
        self._set(thread_id, held=message_id)
        return True

    async def change(self, message_id: str, text: str, *, release: bool = True) -> None:
        """Let a message have another text, and with ``release`` be sent when its turn comes. Raises ``StorageError``."""
        thread_id = self._thread_of(message_id)
        known = self._known.get(thread_id)
        if known is None or known.queue.sending == message_id:
            return
        try:
            async with known.lock:
                if not known.is_temporary:
                    await self._store.change(message_id, text)
                changed = [replace(m, text=text) if m.id == message_id else m for m in known.queue.messages]
                self._set(thread_id, messages=tuple(changed))
        finally:
            if release:
                self.release(message_id)

    def release(self, message_id: str) -> None:
        """Let a message that was held be sent when its turn comes, as it is."""
        thread_id = self._thread_of(message_id)
        if thread_id and self.queue_of(thread_id).held == message_id:
            self._set(thread_id, held="")
            self._look_soon(thread_id)

    async def move(self, message_id: str, places: int) -> None:
        """Let a message change places with others, up for negative numbers. Raises ``StorageError``."""
        thread_id = self._thread_of(message_id)
        known = self._known.get(thread_id)
        if known is None:
            return
        async with known.lock:
            messages = list(known.queue.messages)
            index = next((i for i, m in enumerate(messages) if m.id == message_id), None)
            first = 1 if known.queue.sending else 0
            if index is None or index < first:
                return
            messages.insert(max(first, index + places), messages.pop(index))
            await self._put_in_order(known, messages)

    async def _put_in_order(self, known: _Waiting, messages: Sequence[QueuedMessage]) -> None:
        thread_id = messages[0].thread_id
        if not known.is_temporary:
            await self._store.arrange(thread_id, [message.id for message in messages])
        self._set(thread_id, messages=tuple(messages))

    async def remove(self, thread_id: str, message_ids: Sequence[str]) -> Queue:
        """Take messages out, but none that is on its way; returns the queue as it was, for ``put_back``.

        Raises ``StorageError``.
        """
        known = await self._loaded(thread_id)
        async with known.lock:
            before = known.queue
            gone = [message_id for message_id in message_ids if message_id != before.sending]
            if not known.is_temporary:
                await self._store.remove(gone)
            self._set(thread_id, messages=tuple(m for m in known.queue.messages if m.id not in gone))
            if known.queue.held in gone:
                self._set(thread_id, held="")
        self._look_soon(thread_id)
        return before

    async def put_back(self, thread_id: str, message_ids: Sequence[str], before: Queue) -> None:
        """Let removed messages wait again where they stood ``before``. Raises ``StorageError``."""
        known = self._known.get(thread_id)
        if known is None:
            return
        async with known.lock:
            there = {message.id for message in known.queue.messages}
            back = [m for m in before.messages if m.id in message_ids and m.id not in there]
            if not known.is_temporary:
                await self._store.put_back([message.id for message in back])
            if not back:
                return
            place = {message.id: index for index, message in enumerate(before.messages)}
            messages = list(known.queue.messages)
            for message in back:
                after = [i for i, m in enumerate(messages) if place.get(m.id, len(place)) < place[message.id]]
                messages.insert(after[-1] + 1 if after else (1 if known.queue.sending else 0), message)
            await self._put_in_order(known, messages)
            # A queue that was empty meanwhile does not know any more how the answer before it ended.
            self._set(thread_id, pause=known.queue.pause or before.pause)
        self._look_soon(thread_id)

    async def forget_removed(self, message_ids: Sequence[str]) -> None:
        """Delete for good what was removed. Raises ``StorageError``."""
        await self._store.forget_removed(message_ids)

    def go_on(self, thread_id: str) -> None:
        """Let a queue that pauses go on: the first is sent, at once where nothing answers."""
        if thread_id in self._known and self.queue_of(thread_id).pause is not None:
            self._set(thread_id, pause=None)
            self._tasks.spawn(self._send_first(thread_id), name="send what waits")

    async def send_now(self, message_id: str) -> None:
        """Stop what answers in the thread, and send this message before all others; then they go on as they were to.

        Raises ``StorageError``.
        """
        thread_id = self._thread_of(message_id)
        known = self._known.get(thread_id)
        if known is None or known.queue.sending:
            return
        async with known.lock:
            chosen = next((m for m in known.queue.messages if m.id == message_id), None)
            if chosen is None or known.queue.sending:
                return
            self._set(thread_id, sending=message_id)
            try:
                others = [m for m in known.queue.messages if m.id != message_id]
                await self._put_in_order(known, [chosen, *others])
            except ThreadwellError:
                self._set(thread_id, sending="")
                raise
        await self._chat.stop(thread_id)
        await self._send(thread_id, chosen.id)

    async def close(self) -> None:
        """Send nothing more: what waits stays. For the end of the program, before the answers are stopped."""
        self._is_closed = True

    # -- what happens in the thread

    def _run_ended(self, run: Run) -> None:
        queue = self.queue_of(run.thread_id)
        if self._is_closed or not queue.messages or queue.sending or self._chat.runs_of(run.thread_id):
            return
        terminal = run.terminal
        if isinstance(terminal, DoneEvent) and terminal.reason is DoneReason.STOPPED:
            self._pause(run.thread_id, Pause.STOPPED)
            return
        if self._mends(run) and _is_whole(run):
            self._set(run.thread_id, pause=None)
        self._look_soon(run.thread_id)

    def _look_soon(self, thread_id: str) -> None:
        if not self._is_closed and self._is_next(thread_id):
            self._tasks.spawn(self._look(thread_id), name="look whether what waits is sent")

    def _is_next(self, thread_id: str) -> bool:
        """Whether nothing but the end of the last answer can keep the first message from being sent."""
        queue = self.queue_of(thread_id)
        is_free = queue.pause is None and not queue.sending and not self._chat.runs_of(thread_id)
        return is_free and bool(queue.messages) and queue.held != queue.messages[0].id

    async def _look(self, thread_id: str) -> None:
        """Send the first message if the last answer ended well, else say why not."""
        try:
            path = await self._repository.path(thread_id, last=1)
        except StorageError as error:
            self._pause(thread_id, Pause.UNSENT)
            self.failed.emit(error)
            return
        if not self._is_next(thread_id):
            return
        last = path[-1] if path else None
        if (known := self._known.get(thread_id)) is not None and last is not None:
            known.stuck_at = last.parent_id or ""
        if last is None or last.role is not Role.ASSISTANT or not can_continue(last):
            await self._send_first(thread_id)
        elif last.status is MessageStatus.COMPLETE:
            self._pause(thread_id, Pause.CUT_OFF)
        else:
            self._pause(thread_id, Pause.STOPPED if last.status is MessageStatus.STOPPED else Pause.FAILED)

    async def _send_first(self, thread_id: str) -> None:
        if self._is_next(thread_id) and not self._is_closed:
            first = self.queue_of(thread_id).messages[0].id
            self._set(thread_id, sending=first)
            await self._send(thread_id, first)

    async def _send(self, thread_id: str, message_id: str) -> None:
        """Send what is marked as being sent. Whatever becomes of it, the mark goes."""
        known = self._known.get(thread_id)
        if known is None:
            return
        async with known.lock:  # a change that was begun before is on disk by now
            message = next((m for m in known.queue.messages if m.id == message_id), None)
            left, pause = known.queue.messages, known.queue.pause
            try:
                if message is not None and not self._is_closed:
                    files = message.attachments
                    await self._chat.send(thread_id, message.text, attachments=files, from_queue=message_id)
                    left = tuple(m for m in left if m.id != message_id)
            except BaseException as error:
                # Where somebody was faster, it is looked at again when that has ended.
                is_busy = isinstance(error, ThreadwellError) and error.code == "run.busy"
                pause = pause if is_busy and self._chat.runs_of(thread_id) else Pause.UNSENT
                if not isinstance(error, ThreadwellError):
                    raise
                if not is_busy and thread_id in self._known:
                    self.failed.emit(error)
            finally:
                self._set(thread_id, messages=left, pause=pause, sending="")
        self._look_soon(thread_id)  # an answer that has ended by now was not looked at

    def _pause(self, thread_id: str, pause: Pause) -> None:
        if self.queue_of(thread_id).messages and not self._is_closed:
            self._set(thread_id, pause=pause)

    def _thread_removed(self, thread_id: str) -> None:
        """A queue in the Trash waits on disk; that of a thread that was purged is gone."""
        if self._known.pop(thread_id, None) is not None:
            self.changed.emit(thread_id)

    def _thread_changed(self, thread: Thread) -> None:
        known = self._known.get(thread.id)
        if known is not None and known.is_temporary and not thread.options.is_temporary:
            known.is_temporary = False
            self._tasks.spawn(self._keep(known), name="keep what waits")

    async def _keep(self, known: _Waiting) -> None:
        """The thread is no temporary one any more: what waits in it goes to the disk."""
        async with known.lock:
            for message in known.queue.messages:
                if message.id != known.queue.sending:
                    with suppress(StorageError):  # it still waits in memory
                        await self._store.add(message, ends_draft=False)

    # -- what is known

    def _thread_of(self, message_id: str) -> str:
        known = (m for waiting in self._known.values() for m in waiting.queue.messages)
        return next((message.thread_id for message in known if message.id == message_id), "")

    async def _loaded(self, thread_id: str) -> _Waiting:
        if (known := self._known.get(thread_id)) is not None:
            return known
        async with self._tidying:
            if not self._is_tidy:
                await self._store.forget_removed()  # nobody can put back any more what an earlier process removed
                self._is_tidy = True
        is_temporary = (await self._conversations.options_of(thread_id)).is_temporary
        messages = await self._store.of_thread(thread_id)
        if (known := self._known.get(thread_id)) is None:
            known = self._known[thread_id] = _Waiting(is_temporary=is_temporary)
            if messages:
                known.queue = Queue(messages, Pause.KEPT)
                self.changed.emit(thread_id)
        return known

    def _set(self, thread_id: str, **changes: Unpack[_Changes]) -> None:
        known = self._known.get(thread_id)
        if known is None:
            return
        queue = replace(known.queue, **changes)
        if not queue.messages:
            queue = replace(queue, pause=None, held="")
        if queue != known.queue:
            known.queue = queue
            self.changed.emit(thread_id)


def _is_whole(run: Run) -> bool:
    end = run.terminal
    return isinstance(end, DoneEvent) and end.reason not in (*_CUT_OFF, DoneReason.STOPPED)
