"""Shares a chat's turns with other windows and programs, and has its answers told what these said: the host does, no model."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from desktop.agent.recaller import Asked, Recaller, Told
from desktop.agent.run import Run
from desktop.conversation.entities import Message, MessageStatus, Role, ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import ThreadwellError
from desktop.core.session_settings import SessionPlace, SessionSettings
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.core.token_count import count_tokens
from desktop.memory.sessions import (
    MOST_READ,
    SessionEntry,
    SessionLedger,
    SessionStore,
    not_own,
    shared_block,
    shared_text,
)
from desktop.tools.ports import TaintRepository
from desktop.tools.taint import Taint, TaintCause

DEADLINE_SECONDS = 0.4
"""An answer waits no longer for the session."""
CLOSING_SECONDS = 3.0
"""The end of the program waits no longer for what is still to be shared."""
_CLEAR_SECONDS = 1.0
"""Between something that was removed and the look for sessions to clear."""
_LONGEST_KEPT = 8 * 24 * 3_600
"""After so long no Redis server holds a session any more that nobody used."""
_AGAIN_SECONDS = (3.0, 30.0)
"""When a turn that could not be shared is tried again; after that with the next turn."""
_PATH = 12

logger = logging.getLogger(__name__)


class SharingState(StrEnum):
    OFF = "off"
    UNKNOWN = "unknown"
    """Nothing was asked of the session since the start."""
    READY = "ready"
    LATE = "late"
    """The last answer was not told in time."""
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """How the sharing is, and the error when it does not work."""

    state: SharingState = SharingState.OFF
    error: ThreadwellError | None = None


class SessionSharing:
    """None of it can fail an answer, and none is waited for longer than a moment.

    Signals:
        changed: how the sharing is.
        failed: it does not work any more; comes once until it worked again.
    """

    def __init__(
        self,
        store: SessionStore,
        *,
        ledger: SessionLedger,
        repository: ThreadRepository,
        taints: TaintRepository,
        settings: Callable[[], SessionSettings],
        tasks: TaskSupervisor,
        clock: Clock = utc_now,
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._repository = repository
        self._taints = taints
        self._settings = settings
        self._tasks = tasks
        self._clock = clock
        self._deadline_seconds = deadline_seconds
        self._last = Sharing(state=SharingState.UNKNOWN)
        self._one_at_a_time = asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        self._is_clearing = False
        self._ending = asyncio.Event()
        self.changed = Signal[Sharing]()
        self.failed = Signal[ThreadwellError]()

    @property
    def sharing(self) -> Sharing:
        return Sharing() if self._settings().use == "off" else self._last

    def session_of(self, thread_id: str, options: ThreadOptions) -> str | None:
        """Return the name of the session that the thread shares; None where it shares none."""
        return self._settings().session_of(thread_id, options.session, is_temporary=options.is_temporary)

    def settings_changed(self) -> None:
        """Forget how it was: it may be another server by now."""
        self._tell(Sharing(state=SharingState.UNKNOWN))
        if self._settings().use == "off":
            self._spawn(self._forget_all(), "forget what was shared")

    def warm_up(self) -> None:
        """Begin to start the server where it will be needed."""
        settings = self._settings()
        if settings.use != "off":
            self._store.warm_up(settings.place)
        self.clear_soon()

    # -- before an answer -----------------------------------------------------------------------------------------

    async def read(self, asked: Asked) -> str:
        """Return what others said in the session, as a block of data; empty where there is nothing, or not in time."""
        thread_id = asked.question.thread_id
        session = self.session_of(thread_id, asked.options)
        if session is None or asked.answer.parts:  # one that goes on was told what it was told
            return ""
        try:
            async with asyncio.timeout(self._deadline_seconds):
                place = self._settings().place
                entries = await self._recent(place, session)
                noted = await self._ledger.noted(thread_id, place.key, session) if entries else ()
                own = await self._repository.messages(noted)
            left, is_foreign = _left(entries, asked, own)
            block = await asyncio.to_thread(shared_block, left, count_tokens)
            if block and is_foreign:
                await self._taints.add(thread_id, Taint(cause=TaintCause.SESSION, at=self._clock()))
            return block
        except TimeoutError:
            logger.info("the shared session did not answer in time")
            if self._last.state is not SharingState.FAILED:
                self._tell(Sharing(state=SharingState.LATE))
        except ThreadwellError as error:
            self._failed(error)
        except Exception:
            logger.exception("an answer is told nothing of its session")
        return ""

    # -- after an answer ------------------------------------------------------------------------------------------

    def turn_ended(self, run: Run) -> None:
        """Put the question and the answer into the session, behind the answer's back."""
        if self._settings().use != "off":
            self._spawn(self._share(run), "share a turn")

    def something_removed(self, *_: object) -> None:
        """Look soon whether a session is to be cleared."""
        self.clear_soon()

    def clear_soon(self) -> None:
        if not self._is_clearing:
            self._is_clearing = True
            self._spawn(self._clear_soon(), "clear sessions")

    async def contents(self, thread_id: str, options: ThreadOptions, n: int = 100) -> Sequence[SessionEntry]:
        """Return the newest entries of a thread's session. Raises ``ThreadwellError``."""
        session = self.session_of(thread_id, options)
        return () if session is None else await self._recent(self._settings().place, session, n)

    async def clear(self, thread_id: str, options: ThreadOptions) -> None:
        """Remove everything from a thread's session, for all who share it. Raises ``ThreadwellError``."""
        if (session := self.session_of(thread_id, options)) is not None:
            await self._store.clear(self._settings().place, session)

    async def test(self, place: SessionPlace) -> None:
        """Find out whether sessions can be kept there. Raises ``ThreadwellError``."""
        await self._store.test(place)

    async def use_other_password(self) -> None:
        await self._store.forget_connections()
        self.settings_changed()

    async def close(self) -> None:
        """Let what is being shared come to its end, for a moment; what is left is shared after the next start."""
        self._ending.set()
        if self._work:
            await asyncio.wait(set(self._work), timeout=CLOSING_SECONDS)
        for task in self._work:
            task.cancel()

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _recent(self, place: SessionPlace, session: str, n: int = MOST_READ) -> Sequence[SessionEntry]:
        entries = await self._store.recent(place, session, n)
        self._tell(Sharing(state=SharingState.READY))
        return entries

    async def _share(self, run: Run) -> None:
        for pause in (*_AGAIN_SECONDS, 0.0):
            if await self._share_now(run) or await self._ends_within(pause):
                return

    async def _share_now(self, run: Run) -> bool:
        """Return whether there is nothing left to do."""
        place = self._settings().place
        try:
            thread = await self._repository.get_thread(run.thread_id)
            session = None if thread is None else self.session_of(run.thread_id, thread.options)
            if session is None:
                return True
            path = await self._repository.path(run.thread_id, last=_PATH)
            if run.message_id not in {message.id for message in path}:
                return True  # an answer beside the one that the chat goes on with
            turn = (run.turn.user_message.id, run.message_id)
            ended = [message.id for message in path if message.id in turn and _is_shared(message)]
            async with self._one_at_a_time:
                await self._ledger.note(ended, place.key, session)
                await self._send(place, session)
            self._tell(Sharing(state=SharingState.READY))
        except ThreadwellError as error:
            self._failed(error)
            return False
        return True

    async def _ends_within(self, seconds: float) -> bool:
        """Wait so long; returns at once, with True, when the program ends."""
        try:
            async with asyncio.timeout(seconds):
                return await self._ending.wait()
        except TimeoutError:
            return False

    async def _send(self, place: SessionPlace, session: str) -> None:
        """Put there what it has not got yet, also of earlier turns that could not be shared then."""
        ids = await self._ledger.unsent(place.key, session)
        messages = {message.id: message for message in await self._repository.messages(ids)}
        for message_id in ids:
            message = messages.get(message_id)
            if message is not None and (text := shared_text(message.text)):
                await self._store.append(place, session, _role(message), text)
            await self._ledger.sent(message_id, place.key, session)

    async def _clear_soon(self) -> None:
        try:
            await self._ends_within(_CLEAR_SECONDS)
        finally:
            self._is_clearing = False
        try:
            async with self._one_at_a_time:
                for owed in await self._ledger.owed():
                    place = SessionPlace.of(owed.place)
                    try:
                        await self._store.clear(place, owed.session)
                    except ThreadwellError as error:
                        if not place.redis_url or time.time() - owed.since < _LONGEST_KEPT:
                            logger.warning("a session is cleared later: %s", error.code)
                            continue
                    await self._ledger.cleared(owed.place, owed.session)
            if self._settings().use == "off":  # it ran for this alone
                await self._store.forget_connections()
        except ThreadwellError as error:
            logger.warning("sessions are cleared later: %s", error.code)

    async def _forget_all(self) -> None:
        """Nobody else uses the file, and without a server nothing in it comes to its end."""
        try:
            await self._ledger.owe_all(SessionPlace().key)
            self.clear_soon()
        except ThreadwellError as error:
            logger.warning("what was shared is not forgotten: %s", error.code)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._tasks.spawn(work, name=name)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _failed(self, error: ThreadwellError) -> None:
        is_new = self._last.state is not SharingState.FAILED
        if is_new:
            logger.warning("the shared session does not work: %s", error.code)
        self._tell(Sharing(state=SharingState.FAILED, error=error))
        if is_new:
            self.failed.emit(error)

    def _tell(self, sharing: Sharing) -> None:
        if sharing != self._last:
            self._last = sharing
            self.changed.emit(self.sharing)


class SharingRecaller(Recaller):
    """Asks memory and the session at the same time."""

    def __init__(self, recaller: Recaller, sharing: SessionSharing) -> None:
        self._recaller = recaller
        self._sharing = sharing

    async def told(self, asked: Asked) -> Told:
        told, shared = await asyncio.gather(self._recaller.told(asked), self._sharing.read(asked))
        return replace(told, shared=shared) if shared else told


def _left(
    entries: Sequence[SessionEntry], asked: Asked, noted: Sequence[Message]
) -> tuple[Sequence[SessionEntry], bool]:
    """Return what others wrote and what of this path has no room in the window, and whether others wrote any of it.

    What this chat put there from another path, such as an answer that was asked for again, is neither.
    """
    own = {message.id: message for message in (*noted, *asked.path)}
    no_room = {message.id for message in asked.path if message.id not in asked.sent}
    texts = {message_id: (_role(message), shared_text(message.text)) for message_id, message in own.items()}
    there = Counter(text for message_id, text in texts.items() if message_id not in no_room)
    return not_own(entries, there), bool(not_own(entries, Counter(texts.values())))


def _is_shared(message: Message) -> bool:
    return message.role is Role.USER or message.status is MessageStatus.COMPLETE


def _role(message: Message) -> str:
    return "user" if message.role is Role.USER else "agent"
