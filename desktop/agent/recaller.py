"""What an answer is told of what was said before: asked of memory once, in time, and never able to fail the answer."""

import asyncio
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol, TypeVar

from desktop.agent.recall_reach import reach_of, within
from desktop.conversation.entities import Message, RecalledRef, RecallPart, Role, ThreadOptions
from desktop.conversation.inner_run import with_inner
from desktop.conversation.ports import ThreadRepository
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import ThreadwellError
from desktop.core.language_model import RequestMessage, UserMessage
from desktop.core.memory_settings import MemoryUse
from desktop.core.tasks import TaskSupervisor
from desktop.core.token_count import count_tokens, guess_tokens, load_tokenizer
from desktop.memory.entities import (
    MemoryItem,
    Passage,
    PassageKind,
    Recall,
    Recalled,
    RecallScope,
    Silence,
)
from desktop.memory.injection import recalled_block, standing_block
from desktop.memory.ports import key_of
from desktop.memory.service import MemoryService
from desktop.tools.ports import TaintRepository
from desktop.tools.taint import Taint, TaintCause

T = TypeVar("T")

logger = logging.getLogger(__name__)

DEADLINE_SECONDS = 0.3
"""An answer waits no longer for memory."""
_QUESTION_CHARACTERS = 1_500
"""Of a long message, half of it from each end: that is where people ask."""
_WEIGHT_OF_FOLLOW_UP = 12
"""What weighs no more says nothing by itself: "and then?", "why not?", "然后呢"."""
_WEIGHT_OF_SHORT = 45
"""What weighs no more may say too little by itself."""
_MOST_BACK = 3
"""How many of the user's messages are looked through for what a follow-up follows."""
_MOST_PINNED = 8
_CAUTION = 1.3
"""By how much a guess of tokens may be too low."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What an answer is made to."""

    question: Message
    path: Sequence[Message]
    """What stands before the answer in its thread, the question included."""
    sent: Set[str]
    """Ids of the messages that the model is sent."""
    answer: Message
    """As it is when it begins, or goes on."""
    options: ThreadOptions


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an answer is told."""

    part: RecallPart | None = None
    """To be stored with the answer; None when it has one already, or nothing was asked."""
    block: str = ""
    """Stands before the question, as data."""
    standing: str = ""
    """The user's wishes, for the system message."""
    shared: str = ""
    """Stands behind ``block``: what comes from the session that the chat shares with others."""
    quotes: tuple[str, ...] = ()
    """The keys (``memory.ports.key_of``) of what ``block`` holds."""
    standing_quotes: tuple[str, ...] = ()
    """The same of ``standing``."""

    def before_question(self, messages: Sequence[RequestMessage]) -> tuple[RequestMessage, ...]:
        """Return the messages with the block in the last one by the user, before its words."""
        places = [place for place, message in enumerate(messages) if isinstance(message, UserMessage)]
        if not (self.block or self.shared) or not places:
            return tuple(messages)
        question = messages[places[-1]]
        assert isinstance(question, UserMessage)
        text = "\n\n".join(filter(None, (self.block, self.shared, question.text)))
        return (*messages[: places[-1]], dataclasses.replace(question, text=text), *messages[places[-1] + 1 :])


NOTHING_TOLD = Told()


class Recaller(Protocol):
    """Who is asked before the first request of an answer."""

    async def told(self, asked: Asked) -> Told:
        """Return what the answer is told. Never raises but for cancellation, and takes a moment at most."""
        ...


class MemoryRecaller(Recaller):
    """Asks ``MemoryService``. What comes from a chat with foreign text makes the asking chat one of these, too."""

    def __init__(
        self,
        memory: MemoryService,
        *,
        repository: ThreadRepository,
        taints: TaintRepository,
        usual: Callable[[], MemoryUse],
        is_paused: Callable[[], bool] = lambda: False,
        without_forgotten: Callable[[Mapping[str, str]], Awaitable[Mapping[str, str]]],
        tasks: TaskSupervisor,
        clock: Clock = utc_now,
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> None:
        """``usual`` is what holds for threads that have nothing of their own; while memory ``is_paused``, for none.

        ``without_forgotten`` returns texts of messages, by their ids, without the clauses that were forgotten.
        """
        self._memory = memory
        self._repository = repository
        self._taints = taints
        self._usual = usual
        self._is_paused = is_paused
        self._without_forgotten = without_forgotten
        self._tasks = tasks
        self._clock = clock
        self._deadline_seconds = deadline_seconds

    async def told(self, asked: Asked) -> Told:
        """See ``Recaller``. An answer that goes on is told what it was told before, as far as that is still there."""
        rests = asked.options.is_temporary or self._is_paused()
        use, only_assistant = (MemoryUse.OFF, "") if rests else reach_of(asked.options, self._usual())
        earlier = next((part for part in asked.answer.parts if isinstance(part, RecallPart)), None)
        if earlier is None and asked.answer.parts:
            return NOTHING_TOLD
        until = asyncio.get_running_loop().time() + self._deadline_seconds
        scope = RecallScope(
            thread_id=asked.question.thread_id,
            asked=asked.question.id,
            only_this_thread=use is MemoryUse.THIS_THREAD,
            only_assistant=only_assistant,
            only_documents=use is MemoryUse.OFF,
        )
        try:
            wishes = await _by(until, self._wishes(earlier, scope), ())
            if earlier is None:
                recall = await self._recall(asked, scope, until)
            else:
                recall = await _by(until, self._again(earlier, scope), Recall())
            if use is MemoryUse.OFF and not recall.all:
                return NOTHING_TOLD
            if earlier is None:
                recall = await _by(until, self._with_pinned(recall, scope), recall)
            return await self._put_together(asked, recall, wishes, until, is_new=earlier is None)
        except Exception:
            logger.exception("an answer is told nothing of what was said before")
            return NOTHING_TOLD

    async def _put_together(
        self, asked: Asked, recall: Recall, wishes: Sequence[MemoryItem], until: float, *, is_new: bool
    ) -> Told:
        recall = dataclasses.replace(recall, messages=await _by(until, self._still_known(recall.messages), ()))
        foreign = await _by(until, self._foreign(recall.all), None)
        if foreign is None:  # not known in time: nobody may be told of it unmarked
            recall, foreign = dataclasses.replace(recall, messages=(), documents=()), frozenset[str]()
        measure = await _measure(until) if recall.all or wishes else guess_tokens
        block, used = recalled_block(recall, measure, foreign=foreign)
        others = [found for found in used if found.passage.id in foreign]
        if others and not await self._is_noted(asked.question.thread_id, others[0].passage.kind):
            messages = tuple(found for found in recall.messages if found.passage.id not in foreign)
            recall = dataclasses.replace(recall, messages=messages, documents=())
            block, used = recalled_block(recall, measure)
        standing, kept_to = standing_block(wishes, measure)
        part = RecallPart(
            found=tuple(map(_ref_of, used)),
            standing=tuple(wish.id for wish in kept_to),
            silence=recall.silence or ("" if used else Silence.NOTHING_NEAR),
            had_meaning=recall.had_meaning,
            no_room=tuple(_ref_of(found) for found in (*recall.all, *recall.spare) if found not in used),
            standing_no_room=tuple(wish.id for wish in wishes if wish not in kept_to),
        )
        if is_new:
            self._note_use(part)
        return Told(
            part=part if is_new else None,
            block=block,
            standing=standing,
            quotes=tuple(key_of(found.passage.kind, found.passage.id) for found in used),
            standing_quotes=tuple(key_of(PassageKind.FACT, wish.id) for wish in kept_to),
        )

    # -- asking ---------------------------------------------------------------------------------------------------

    async def _recall(self, asked: Asked, scope: RecallScope, until: float) -> Recall:
        """Ask with the user's own words: what was typed now and, where that is too little, before it."""
        beside = await _by(until, self._repository.answers(asked.answer.id), ())
        sent = frozenset((*asked.sent, *(message.id for message in beside), asked.answer.id, asked.question.id))
        scope = dataclasses.replace(scope, sent=sent)
        late = Recall(silence=Silence.TOO_LATE, had_meaning=False)
        alone, with_before = _questions(asked)
        if _weight(alone) <= _WEIGHT_OF_FOLLOW_UP or alone == with_before:
            return await _by(until, self._memory.recall(with_before, scope), late)
        found = await _by(until, self._memory.recall(alone, scope), late)
        if found.silence is Silence.NOTHING_NEAR and _weight(alone) <= _WEIGHT_OF_SHORT:
            return await _by(until, self._memory.recall(with_before, scope), found)
        return found

    async def _again(self, earlier: RecallPart, scope: RecallScope) -> Recall:
        """Read anew what an answer was told of, in the words that it has now; what is gone stays away."""
        found: dict[PassageKind, list[Recalled]] = {kind: [] for kind in PassageKind}
        for kind in (PassageKind.DOCUMENT,) if scope.only_documents else PassageKind:
            refs = [ref for ref in earlier.found if ref.kind == kind]
            passages = await self._memory.passages(kind, [ref.id for ref in refs], scope) if refs else {}
            found[kind] = [
                Recalled(passage=passages[ref.id], score=ref.score, words=ref.words, meaning=ref.meaning)
                for ref in refs
                if ref.id in passages
            ]
        return Recall(
            facts=tuple(found[PassageKind.FACT]),
            messages=tuple(found[PassageKind.MESSAGE]),
            documents=tuple(found[PassageKind.DOCUMENT]),
            had_meaning=earlier.had_meaning,
        )

    async def _wishes(self, earlier: RecallPart | None, scope: RecallScope) -> Sequence[MemoryItem]:
        """Return what the user wants every answer here to keep to; of an earlier time, what of that still holds."""
        assert scope.thread_id is not None
        if scope.only_documents:
            return ()
        wishes = await self._memory.wishes(scope.thread_id)
        if earlier is not None:
            wishes = tuple(wish for wish in wishes if wish.id in earlier.standing)
        return await within(wishes, scope, self._repository)

    def _note_use(self, part: RecallPart) -> None:
        """Behind the answer's back: it does not wait for that."""
        ids = [*(ref.id for ref in part.found if ref.kind == PassageKind.FACT), *part.standing]
        if ids:
            self._tasks.spawn(self._count_use(ids), name="count what was recalled")

    async def _count_use(self, ids: Sequence[str]) -> None:
        try:
            await self._memory.note_use(ids)
        except ThreadwellError as error:
            logger.warning("the use of what was recalled is not counted: %s", error)

    async def _with_pinned(self, recall: Recall, scope: RecallScope) -> Recall:
        """Add what the user wants known always: what is near does not tell what a question must not miss."""
        assert scope.thread_id is not None
        if scope.only_documents:
            return recall
        found = {one.passage.id for one in recall.facts}
        pinned = [
            Recalled(
                passage=Passage(kind=PassageKind.FACT, id=item.id, text=item.text, at=item.observed_at),
                score=0.0,
                words=0.0,
                meaning=None,
            )
            for item in await within(await self._memory.pinned(scope.thread_id), scope, self._repository)
            if item.id not in found
        ]
        if not pinned:
            return recall
        spare = tuple(pinned[_MOST_PINNED:])
        turns = zip_longest(recall.facts, pinned[:_MOST_PINNED])  # neither leaves no room for the other
        facts = tuple(one for turn in turns for one in turn if one is not None)
        return dataclasses.replace(recall, facts=facts, spare=spare, silence=None)

    async def _still_known(self, messages: Sequence[Recalled]) -> tuple[Recalled, ...]:
        """Return the messages without what was forgotten: it stays in its chat, and is told in no other.

        Nor is an answer to it, or one that was told of it: both may say it again in other words.
        """
        if not messages:
            return ()
        whole = {each.id: each for each in await self._repository.messages([one.passage.id for one in messages])}
        answers = [each for each in whole.values() if each.role is Role.ASSISTANT]
        questions = await self._repository.messages([each.parent_id for each in answers if each.parent_id])
        asked = {each.id: each.text for each in questions}
        known = await self._without_forgotten({**asked, **{one.passage.id: one.passage.text for one in messages}})
        told = {each.id: _facts_told(each) for each in answers}
        items = await self._memory.get([*{item_id for ids in told.values() for item_id in ids}])
        kept: list[Recalled] = []
        for found in messages:
            message = whole.get(found.passage.id)
            parent = message.parent_id or "" if message is not None else ""
            was_told = not told.get(found.passage.id, set()) <= items.keys()
            is_echo = was_told or known.get(parent, "") != asked.get(parent, "")
            text = known[found.passage.id]
            if not is_echo and any(map(str.isalnum, text)):
                kept.append(dataclasses.replace(found, passage=dataclasses.replace(found.passage, text=text)))
        return tuple(kept)

    # -- foreign text ---------------------------------------------------------------------------------------------

    async def _foreign(self, found: Sequence[Recalled]) -> frozenset[str] | None:
        """Return the ids of what somebody else may have written.

        Items are the user's own words, accepted by the user where the chat held foreign text. A message of such a chat
        may quote that, whoever said it: a prompt of a server stands in the user's own message. A document is foreign as
        any attached file is.
        """
        threads = {one.passage.thread_id for one in found if one.passage.kind is PassageKind.MESSAGE}
        tainted = {thread for thread in threads if await self._taints.of(thread) is not None}
        return frozenset(
            one.passage.id
            for one in found
            if one.passage.kind is PassageKind.DOCUMENT
            or (one.passage.kind is PassageKind.MESSAGE and one.passage.thread_id in tainted)
        )

    async def _is_noted(self, thread_id: str, kind: PassageKind) -> bool:
        """Make the thread one that holds foreign text, on disk, before the model reads any; False when that fails."""
        cause = TaintCause.DOCUMENT if kind is PassageKind.DOCUMENT else TaintCause.EARLIER_CHAT
        try:
            await self._taints.add(thread_id, Taint(cause=cause, at=self._clock()))
        except ThreadwellError as error:
            logger.warning("foreign text of earlier chats is left out: %s", error)
            return False
        return True


async def _by(until: float, asking: Awaitable[T], otherwise: T) -> T:
    """Return what is known by then."""
    try:
        async with asyncio.timeout_at(until):
            return await asking
    except TimeoutError:
        logger.info("memory did not answer in time")
    except ThreadwellError as error:
        logger.warning("memory could not answer: %s", error)
    return otherwise


async def _measure(until: float) -> Callable[[str], int]:
    """Return what counts tokens: exactly, or by a guess on the safe side before the vocabulary was read."""

    async def load() -> bool:
        await asyncio.to_thread(load_tokenizer)
        return True

    is_loaded = await _by(until, load(), False)
    return count_tokens if is_loaded else lambda text: round(guess_tokens(text) * _CAUTION)


def _questions(asked: Asked) -> tuple[str, str]:
    """Return what the user asks, and the same with what the user had said before it.

    Answers are no part of it: what a tool or a recalled message put into them must not lead to more of it.
    """
    alone = _shortened(asked.question.text)
    earlier = [message for message in asked.path if message.role is Role.USER and message.id != asked.question.id]
    told: list[str] = []
    for message in reversed(earlier[-_MOST_BACK:]):
        told.insert(0, _shortened(message.text))
        if _weight(message.text) > _WEIGHT_OF_FOLLOW_UP:
            break
    return alone, "\n".join(filter(str.strip, (*told, alone)))


def _shortened(text: str) -> str:
    if len(text) <= _QUESTION_CHARACTERS:
        return text
    half = _QUESTION_CHARACTERS // 2
    return f"{text[:half]}\n{text[-half:]}"


def _weight(text: str) -> int:
    """How much a text says, in letters: a Chinese character says about as much as three of them."""
    letters = [char for char in text if char.isalnum()]
    return sum(3 if char > "\u2e7f" else 1 for char in letters)


def _facts_told(message: Message) -> set[str]:
    """Return the ids of the items that an answer was told of, or an assistant that it asked."""
    parts = [part for part in with_inner(message.parts) if isinstance(part, RecallPart)]
    found = {ref.id for part in parts for ref in part.found if ref.kind == PassageKind.FACT}
    return found.union(*(part.standing for part in parts))


def _ref_of(found: Recalled) -> RecalledRef:
    return RecalledRef(
        kind=found.passage.kind,
        id=found.passage.id,
        score=round(found.score, 4),
        words=round(found.words, 3),
        meaning=None if found.meaning is None else round(found.meaning, 3),
    )
