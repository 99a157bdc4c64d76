"""Reads in the background what the user said, once a chat rests, and remembers of it what matters in others."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop.agent.chat_service import ChatService
from desktop.agent.run import Run
from desktop.agent.sent_pieces import Label
from desktop.agent.whole_answer import Beside, last_answer, unrecorded, whole_answer
from desktop.conversation.entities import Message, Thread
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.request_records import PieceKind, Purpose
from desktop.core.clock import Clock, utc_now
from desktop.core.costs import Cost
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.language_model import LanguageModel, ModelRequest, Sampling, SystemMessage, Usage, UserMessage
from desktop.core.memory_settings import MemoryUse
from desktop.core.tasks import TaskSupervisor
from desktop.memory.candidates import Candidate, Said
from desktop.memory.entities import MemoryItem, MemoryStatus, PassageKind
from desktop.memory.extraction import INSTRUCTION, SCHEMA, UnreadableError, candidates_in, known_lines, question
from desktop.memory.ports import Found, Readings, ReadingTook, key_of
from desktop.memory.reconciling import Origin, merged, reconciled
from desktop.memory.rules_extraction import rule_candidates
from desktop.memory.service import MemoryService
from desktop.tools.ports import TaintRepository

logger = logging.getLogger(__name__)

IDLE_SECONDS = 10.0
"""A chat in which nothing was said for so long is read."""
MOST_GATHERED = 6
"""After so many turns it is read also while it goes on."""
MOST_ASKING_CHARS = 1_000
"""A message that asks to remember something is looked for among those that are no longer."""
MOST_AT_ONCE = 20
"""Messages in one request."""
MOST_READ_CHARS = 20_000
"""Of one message: what is longer was pasted."""
ANSWER_SECONDS = 120.0
MOST_SAID_CHARS = 60_000
MOST_KNOWN = 16
_MOST_ITEMS = 50_000


@dataclass(frozen=True, kw_only=True)
class Reader:
    """The model of one thread, as what was said there is read by it."""

    model: LanguageModel
    recorded_as: str
    cost_of: Callable[[Usage], Cost | None] = lambda _usage: None


class MemoryWriter:
    """Begins with ``start``; ``close`` cancels what it is at, which is then read at the next start.

    Nothing that happens here can fail a turn. How far each thread was read is kept with what was found, so that a crash
    neither loses nor doubles anything.
    """

    def __init__(
        self,
        *,
        chat: ChatService,
        repository: ThreadRepository,
        readings: Readings,
        memory: MemoryService,
        taints: TaintRepository,
        tasks: TaskSupervisor,
        reader: Callable[[Thread], Reader],
        remembers: Callable[[], bool],
        usual: Callable[[], MemoryUse],
        beside: Beside = unrecorded,
        clock: Clock = utc_now,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """``reader`` may raise ``ModelError``: then rules alone read. ``remembers`` and ``usual`` are what the settings say;
        ``beside`` has what a model is asked recorded."""
        self._chat = chat
        self._repository = repository
        self._readings = readings
        self._memory = memory
        self._taints = taints
        self._tasks = tasks
        self._reader = reader
        self._remembers = remembers
        self._usual = usual
        self._beside = beside
        self._clock = clock
        self._idle_seconds = idle_seconds
        self._due: dict[str, float] = {}
        """When each thread is to be read, by the loop's clock."""
        self._gathered: dict[str, int] = {}
        """How many turns ended in each since it was read."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Read what was left unread, and from now on what is said; harmless when that goes on already."""
        if self._task is None:
            self._chat.run_started.connect(self._run_started)
            self._chat.run_ended.connect(self._run_ended)
            self._task = self._tasks.spawn(self._work(), name="memory reads what was said")

    async def close(self) -> None:
        """Stop at once; what was being read stays unread."""
        if self._task is not None:
            self._chat.run_started.disconnect(self._run_started)
            self._chat.run_ended.disconnect(self._run_ended)
            self._task.cancel()
            await asyncio.wait({self._task})

    def _run_started(self, run: Run) -> None:
        if self._gathered.get(run.thread_id, 0) < MOST_GATHERED:
            self._due.pop(run.thread_id, None)  # it goes on: what follows is read with it

    def _run_ended(self, run: Run) -> None:
        if self._chat.runs_of(run.thread_id):
            return  # others answer the same message still
        count = self._gathered[run.thread_id] = self._gathered.get(run.thread_id, 0) + 1
        # Where nothing is to be remembered, that holds for what was said while it did. And whoever asks for it in so many
        # words may try at once, in the next chat.
        is_at_once = count >= MOST_GATHERED or not self._remembers() or _asks_for_it(run.turn.user_message)
        self._due[run.thread_id] = asyncio.get_running_loop().time() + (0.0 if is_at_once else self._idle_seconds)
        self._changed.set()

    async def _work(self) -> None:
        try:
            left = await self._readings.unread_threads()
        except StorageError as error:
            logger.warning("what was left unread is read at the next start: %s", error)
            left = ()
        self._due.update({thread_id: 0.0 for thread_id in left if not self._chat.runs_of(thread_id)})
        while True:
            self._changed.clear()
            now = asyncio.get_running_loop().time()
            thread_id = min(self._due, key=self._due.__getitem__, default=None)
            wait = None if thread_id is None else self._due[thread_id] - now
            if thread_id is None or (wait is not None and wait > 0):
                await self._wait(wait)
                continue
            del self._due[thread_id]
            self._gathered.pop(thread_id, None)
            await self._read_thread(thread_id)

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass

    async def _read_thread(self, thread_id: str) -> None:
        try:
            thread = await self._repository.get_thread(thread_id)
            if thread is None:
                return
            if not self._may_read(thread):
                await self._readings.skip(thread_id)
                return
            while said := await self._readings.unread(thread_id, MOST_AT_ONCE):
                await self._read(thread, said)
        except ThreadwellError as error:
            logger.warning("what was said is read later: %s", error)
        except Exception:
            logger.exception("what was said could not be read")

    def _may_read(self, thread: Thread) -> bool:
        own = thread.options
        return self._remembers() and not own.is_temporary and (own.memory or self._usual()) is not MemoryUse.OFF

    async def _read(self, thread: Thread, said: Sequence[Said]) -> None:
        until = said[-1].message_id
        spoken = await asyncio.to_thread(_spoken, said)
        by_rules = await asyncio.to_thread(rule_candidates, spoken)
        by_model, took = await self._ask(thread, spoken) if spoken else ([], None)
        candidates = merged(by_rules, by_model)
        found: Sequence[Found] = ()
        if candidates:
            known = await self._memory.search(statuses=(MemoryStatus.ACTIVE, MemoryStatus.PENDING), limit=_MOST_ITEMS)
            origin = await self._origin(thread)
            found = await asyncio.to_thread(reconciled, candidates, known, origin, self._clock)
        kept = await self._readings.keep(thread.id, until, found, took=took)
        if kept:
            self._memory.announce()

    async def _origin(self, thread: Thread) -> Origin:
        is_foreign = await self._taints.of(thread.id) is not None
        return Origin(
            status=MemoryStatus.PENDING if is_foreign else MemoryStatus.ACTIVE,
            only_thread_id=thread.id if thread.options.memory is MemoryUse.THIS_THREAD else None,
        )

    async def _ask(self, thread: Thread, said: Sequence[Said]) -> tuple[list[Candidate], ReadingTook | None]:
        """What the thread's model finds, and what that took; nothing where there is none, it fails, or it rambles."""
        took: ReadingTook | None = None
        try:
            reader = self._reader(thread)
            if reader.model.is_scripted:
                return [], None
            known = await self._memory.near([one.own for one in said], thread_id=thread.id, limit=MOST_KNOWN)
            asked = await asyncio.to_thread(question, said, known)
            request = ModelRequest(
                messages=(SystemMessage(text=INSTRUCTION), UserMessage(text=asked)),
                sampling=Sampling(temperature=0.0),
                answer_schema=SCHEMA,
            )
            model = await self._recorded(reader.model, thread, known)
            async with asyncio.timeout(ANSWER_SECONDS):
                answer, usage = await whole_answer(model, request, most_chars=MOST_SAID_CHARS)
            took = ReadingTook(model=reader.recorded_as, usage=usage, cost=reader.cost_of(usage))
            if answer is None:
                logger.info("the model did not say to the end what is worth remembering")
                return [], took
            return await asyncio.to_thread(candidates_in, answer, said, known), took
        except TimeoutError:
            logger.info("the model did not say within %d seconds what is worth remembering", ANSWER_SECONDS)
        except UnreadableError:
            logger.info("what the model found worth remembering cannot be read")
        except ThreadwellError as error:
            logger.info("rules alone read what was said: %s", error.code)
        return [], took

    async def _recorded(self, model: LanguageModel, thread: Thread, known: Sequence[MemoryItem]) -> LanguageModel:
        if (answer := await last_answer(self._repository, thread.id)) is None:
            return model
        quotes = tuple(key_of(PassageKind.FACT, item.id) for item in known)
        return self._beside(model, answer, Purpose.MEMORY, Label(PieceKind.MEMORIES, known_lines(known), quotes))


def _spoken(said: Sequence[Said]) -> list[Said]:
    """What of it holds words of the user's own."""
    cut = [replace(one, text=one.text[:MOST_READ_CHARS]) for one in said]
    return [one for one in cut if one.own.strip()]


def _asks_for_it(message: Message) -> bool:
    if len(message.text) > MOST_ASKING_CHARS:
        return False
    said = Said(message_id=message.id, thread_id=message.thread_id, text=message.text, at=message.created_at)
    return any(candidate.is_asked_for for candidate in rule_candidates([said]))
