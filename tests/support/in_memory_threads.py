"""Fakes of the stores: the same promises as SQLite, held to them by ``tests/contracts``, kept in memory."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from desktop.conversation.branches import MOST_BEGINNING, MessageNode
from desktop.conversation.entities import (
    USUAL_OPTIONS,
    AskedModel,
    AttachmentPart,
    BranchedFrom,
    Message,
    MessageOutline,
    MessageStatus,
    Part,
    ResultStatus,
    Role,
    SearchHit,
    StartedTurn,
    TextPart,
    ThinkingPart,
    Thread,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
    UsageTotal,
    names_of,
    user_parts,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.lists import Place
from desktop.conversation.removals import REMOVED_RESULT, Removed
from desktop.core.clock import Clock, utc_now
from desktop.core.costs import Cost
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.ids import new_id
from desktop.core.language_model import NO_USAGE, Usage
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.core.tool_content import ResultItem
from desktop.tools.entities import CallState, Choice, Ending, Finding, Grant, GrantScope
from desktop.tools.ledger import LedgerEntry
from desktop.tools.taint import Taint
from tests.support.in_memory_attachments import InMemoryAttachments
from tests.support.in_memory_queue import InMemoryPlaces, InMemoryQueue

_SNIPPET_LENGTH = 120
_HIT_LENGTH = 160


@dataclass
class JournalRow:
    """One call in ``InMemoryJournal``. ``states`` holds every state it went through, in order."""

    call_id: str
    turn_id: str
    thread_id: str
    name: str
    arguments: str
    states: list[CallState] = field(default_factory=lambda: [CallState.PROPOSED])
    server_id: str = ""
    digest: str = ""
    choice: Choice | None = None
    ending: Ending | None = None
    decided_by: str = ""
    shown_seconds: float = 0.0
    reason: str = ""
    noticed: tuple[Finding, ...] = ()
    sandbox: str = ""
    status: str = ""
    result: str = ""
    duration_seconds: float = 0.0
    items: tuple[ResultItem, ...] = ()

    @property
    def state(self) -> CallState:
        return self.states[-1]


class InMemoryJournal:
    """See ``tools.ports.ToolJournal``; ``rows`` is what was recorded, oldest first."""

    def __init__(self) -> None:
        self.rows: list[JournalRow] = []
        self.attachments: InMemoryAttachments | None = None

    async def propose(self, call_id: str, *, turn_id: str, thread_id: str, name: str, arguments: str) -> None:
        self.rows.append(JournalRow(call_id, turn_id, thread_id, name, arguments))

    async def decide(
        self,
        call_id: str,
        *,
        state: CallState,
        server_id: str,
        digest: str,
        choice: Choice | None,
        ending: Ending | None,
        decided_by: str,
        shown_seconds: float = 0.0,
        reason: str = "",
        noticed: Sequence[Finding] = (),
        sandbox: str = "",
    ) -> None:
        row = self._open_row(call_id)
        row.reason, row.noticed, row.sandbox = reason, tuple(noticed), sandbox
        row.states.append(state)
        row.server_id, row.digest, row.choice, row.ending = server_id, digest, choice, ending
        row.decided_by, row.shown_seconds = decided_by, shown_seconds

    async def finish(
        self, call_id: str, *, status: str, result: str, duration_seconds: float, items: Sequence[ResultItem] = ()
    ) -> None:
        row = self._open_row(call_id)
        row.items = tuple(items)
        if self.attachments is not None:
            self.attachments.claim_new(row.thread_id, [item.attachment_id for item in items])
        row.states.append(CallState.FINISHED)
        row.status, row.result, row.duration_seconds = status, result, duration_seconds

    def _open_row(self, call_id: str) -> JournalRow:
        for row in reversed(self.rows):
            if row.call_id == call_id and row.state is not CallState.FINISHED:
                return row
        raise StorageError("storage.failed", detail=f"The journal has no open call {call_id!r}.")


class NoCalls:
    """See ``tools.ports.ToolLedger``: one in which nothing stands."""

    async def search(self, text: str = "", **_filters: Any) -> Sequence[LedgerEntry]:
        return ()

    async def servers(self) -> Sequence[str]:
        return ()


class InMemoryTaints:
    """See ``tools.ports.TaintRepository``."""

    def __init__(self) -> None:
        self._taints: dict[str, Taint] = {}
        self.changed: Signal[str] = Signal()

    async def of(self, thread_id: str) -> Taint | None:
        return self._taints.get(thread_id)

    async def add(self, thread_id: str, taint: Taint) -> None:
        if thread_id not in self._taints:
            self._taints[thread_id] = taint
            self.changed.emit(thread_id)


class InMemoryGrants:
    """See ``tools.ports.GrantRepository``."""

    def __init__(self, *, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._grants: dict[str, Grant] = {}
        self.changed: Signal[[]] = Signal()

    async def add(self, grant: Grant) -> None:
        self._grants[grant.id] = grant
        self.changed.emit()

    async def candidates(
        self, *, digest: str, definition_hash: str, server_id: str, tool_name: str, thread_id: str
    ) -> Sequence[Grant]:
        def may_cover(grant: Grant) -> bool:
            if (grant.server_id, grant.tool_name, grant.definition_hash) != (server_id, tool_name, definition_hash):
                return False
            of_thread = grant.scope is GrantScope.ALWAYS or grant.thread_id == thread_id
            return of_thread and grant.digest in (None, digest)

        return sorted(filter(may_cover, self._grants.values()), key=lambda g: (g.digest is None, g.pattern is None))

    async def mark_used(self, grant_id: str) -> None:
        if (grant := self._grants.get(grant_id)) is not None:
            self._grants[grant_id] = dataclasses.replace(
                grant, last_used_at=self._clock(), use_count=grant.use_count + 1
            )
            self.changed.emit()

    async def list(self) -> Sequence[Grant]:
        return tuple(self._grants.values())

    async def revoke(self, grant_id: str) -> bool:
        revoked = self._grants.pop(grant_id, None) is not None
        if revoked:
            self.changed.emit()
        return revoked

    def forget_thread(self, thread_id: str) -> None:
        """What a purge does to the grants of a thread."""
        self._grants = {
            key: grant
            for key, grant in self._grants.items()
            if grant.scope is GrantScope.ALWAYS or grant.thread_id != thread_id
        }


@dataclass
class _Turn:
    thread_id: str
    answer_id: str


class InMemoryThreadRepository:
    """See ``conversation.ports.ThreadRepository``.

    Give it the journal of the same test, so that ``recover`` knows which calls had been started.
    """

    def __init__(
        self,
        *,
        clock: Clock = utc_now,
        journal: InMemoryJournal | None = None,
        grants: InMemoryGrants | None = None,
        attachments: InMemoryAttachments | None = None,
    ) -> None:
        self.attachments = attachments or InMemoryAttachments(clock=clock)
        self._clock = clock
        self._journal = journal or InMemoryJournal()
        self._journal.attachments = self.attachments
        self._grants = grants
        self._threads: dict[str, Thread] = {}
        self._messages: dict[str, Message] = {}
        self._turns: dict[str, _Turn] = {}
        self._drafts: dict[str, str] = {}
        self.queue = InMemoryQueue(self.get_thread, self.attachments, lambda key: self._drafts.pop(key, None))
        self.places = InMemoryPlaces(self.get_thread)
        self._new_thread = ThreadOptions()
        self._changes: dict[str, int] = {}
        self._deletions: dict[str, int] = {}
        self._order: dict[str, int] = {}
        self._shown: dict[str, int] = {}
        self._gone: set[str] = set()
        """Messages that were removed; what follows them goes on to hang below them."""
        self._removed: dict[Removed, str | None] = {}
        """What can be taken back, with the end of the path that was shown instead."""
        self._copies: set[str] = set()
        """Answers of branched threads: what they took was counted where they were made."""
        self._counter = 0

    # -- threads --------------------------------------------------------------------------------------------------

    async def create_thread(self, *, title: str = "", options: ThreadOptions = USUAL_OPTIONS) -> Thread:
        now = self._clock()
        thread = Thread(
            id=new_id(),
            title=_clean(title),
            title_by_user=False,
            tip=None,
            created_at=now,
            updated_at=now,
            options=_clean_options(options),
        )
        self._threads[thread.id] = thread
        self._changes[thread.id] = self._next()
        return thread

    async def get_thread(self, thread_id: str) -> Thread | None:
        thread = self._threads.get(thread_id)
        return None if thread is None else self._with_origin(thread)

    def _with_origin(self, thread: Thread) -> Thread:
        """With what is known by now of the thread that it was branched from, and of the messages that were removed."""
        thread = dataclasses.replace(thread, tip=self._living(thread.tip))
        where = thread.branched_from
        origin = self._threads.get(where.thread_id) if where is not None else None
        if where is None or origin is None:
            return dataclasses.replace(thread, branched_from=None)
        where = dataclasses.replace(where, title=origin.title, is_deleted=origin.deleted_at is not None)
        return dataclasses.replace(thread, branched_from=where)

    async def list_threads(self, *, limit: int = 200, offset: int = 0, deleted: bool = False) -> tuple[Thread, ...]:
        order = self._deletions if deleted else self._changes
        usual = [t for t in self._threads.values() if not t.options.is_temporary]
        threads = [t for t in usual if (t.deleted_at is not None) == deleted]
        threads.sort(key=lambda thread: order[thread.id], reverse=True)
        return tuple(map(self._with_origin, threads[max(0, offset) :][: max(0, limit)]))

    async def last_thread(self) -> Thread | None:
        newest = await self.list_threads(limit=1)
        return newest[0] if newest else None

    async def rename_thread(self, thread_id: str, title: str, *, by_user: bool) -> None:
        thread = self._require(thread_id, allow_trash=True)
        if by_user or not thread.title_by_user:
            self._set(thread_id, title=_clean(title), title_by_user=by_user)

    async def set_thread_options(self, thread_id: str, options: ThreadOptions) -> None:
        self._require(thread_id, allow_trash=True)
        self._set(thread_id, options=_clean_options(options))

    async def delete_thread(self, thread_id: str) -> None:
        if self._require(thread_id, allow_trash=True).deleted_at is None:
            self._set(thread_id, deleted_at=self._clock())
            self._deletions[thread_id] = self._next()

    async def restore_thread(self, thread_id: str) -> None:
        self._require(thread_id, allow_trash=True)
        self._set(thread_id, deleted_at=None)

    async def purge_thread(self, thread_id: str, *more: str) -> Receipt:
        thread_ids = list(dict.fromkeys((thread_id, *more)))
        for each in thread_ids:
            self._require(each, allow_trash=True)
        receipt = Receipt()
        for each in thread_ids:
            receipt += self._purge(each)
        return receipt

    def _purge(self, thread_id: str) -> Receipt:
        messages = sum(m.thread_id == thread_id and m.id not in self._gone for m in self._messages.values())
        del self._threads[thread_id]
        self._messages = {k: m for k, m in self._messages.items() if m.thread_id != thread_id}
        self._turns = {k: t for k, t in self._turns.items() if t.thread_id != thread_id}
        self._drafts = {
            k: text for k, text in self._drafts.items() if k == "" or k in {*self._threads, *self._messages}
        }
        self.attachments.forget_thread(thread_id)
        self._journal.rows = [row for row in self._journal.rows if row.thread_id != thread_id]
        if self._grants is not None:
            self._grants.forget_thread(thread_id)
        return Receipt(chats=1, messages=messages + self.queue.forget_thread(thread_id))

    async def purge_deleted_before(self, moment: datetime) -> Receipt:
        expired = [t.id for t in self._threads.values() if t.deleted_at is not None and t.deleted_at < moment]
        receipt = Receipt()
        for thread_id in expired:
            receipt += await self.purge_thread(thread_id)
        return receipt

    async def purge_temporary(self) -> int:
        temporary = [t.id for t in self._threads.values() if t.options.is_temporary]
        for thread_id in temporary:
            await self.purge_thread(thread_id)
        return len(temporary)

    # -- lists ----------------------------------------------------------------------------------------------------

    def listed(self) -> list[tuple[Thread, int, int]]:
        """All threads that stand in a list, each with what orders it by its changes, and by its deletion."""
        usual = [thread for thread in self._threads.values() if not thread.options.is_temporary]
        return [(self._with_origin(t), self._changes[t.id], self._deletions.get(t.id, 0)) for t in usual]

    def everything(self) -> list[tuple[Thread, int, list[tuple[int, Message]]]]:
        """All threads, what orders each by its changes, and their messages with what orders those."""
        of_thread: dict[str, list[tuple[int, Message]]] = {}
        for message in self._messages.values():
            if message.id not in self._gone:
                shown = self._shown_of(message)
                of_thread.setdefault(message.thread_id, []).append((self._order[message.id], shown))
        return [(thread, changed, of_thread.get(thread.id, [])) for thread, changed, _ in self.listed()]

    def place(self, thread_id: str, place: Place) -> None:
        """What ``InMemoryThreadLists`` does to a thread."""
        if thread_id in self._threads and not self._threads[thread_id].options.is_temporary:
            self._set(thread_id, **dataclasses.asdict(place))

    def set_unread(self, thread_id: str, unread: bool) -> None:
        """The same, for what was not seen."""
        if thread_id in self._threads and not self._threads[thread_id].options.is_temporary:
            self._set(thread_id, is_unread=unread)

    def leave_folder(self, folder_id: str) -> tuple[str, ...]:
        """Take all threads out of a folder; return their ids."""
        inside = [thread.id for thread in self._threads.values() if thread.folder_id == folder_id]
        for thread_id in inside:
            self._set(thread_id, folder_id=None)
        return tuple(inside)

    # -- messages -------------------------------------------------------------------------------------------------

    async def outline(self, thread_id: str) -> tuple[MessageOutline, ...]:
        return tuple(_outline(message) for message in await self.path(thread_id))

    async def messages(self, message_ids: Sequence[str]) -> tuple[Message, ...]:
        return self._with_places(
            [self._messages[i] for i in message_ids if i in self._messages and i not in self._gone]
        )

    async def path(self, thread_id: str, *, last: int | None = None, until: str | None = None) -> tuple[Message, ...]:
        thread = self._threads.get(thread_id)
        found: list[Message] = []
        message_id = thread.tip if thread and until is None else until
        if message_id not in self._messages or self._messages[message_id].thread_id != thread_id:
            return ()
        while message_id is not None and (last is None or len(found) < last):
            message = self._messages[message_id]
            if message.id not in self._gone:
                found.append(message)
            message_id = message.parent_id
        return self._with_places(found[::-1])

    async def around(self, thread_id: str, message_id: str, count: int) -> tuple[Message, ...]:
        path = await self.path(thread_id)
        place = next((index for index, message in enumerate(path) if message.id == message_id), None)
        if place is None:
            return ()
        end = min(len(path), place + 1 + count // 2)
        return path[max(0, end - count) : end]

    async def answers(self, message_id: str) -> tuple[Message, ...]:
        message = self._messages.get(message_id)
        if message is None or message_id in self._gone:
            return ()
        asked = message.id if message.role is Role.USER else message.parent_id
        below = self._below(message.thread_id, asked)
        return self._with_places([m for m in below if m.role is Role.ASSISTANT])

    async def beside(self, message_id: str) -> tuple[str, ...]:
        message = self._messages.get(message_id)
        if message is None or message_id in self._gone:
            return ()
        below = self._below(message.thread_id, message.parent_id)
        return tuple(other.id for other in below if other.role is message.role)

    async def tree(self, thread_id: str) -> tuple[MessageNode, ...]:
        on_path = {message.id for message in await self.path(thread_id)}
        found = sorted(self._messages.values(), key=lambda message: self._order[message.id])
        return tuple(
            MessageNode(
                id=message.id,
                parent_id=self._living(message.parent_id),
                role=message.role,
                status=message.status,
                beginning=_beginning(message),
                model=message.model,
                created_at=message.created_at,
                is_on_path=message.id in on_path,
                shown=self._shown[message.id],
            )
            for message in found
            if message.thread_id == thread_id and message.id not in self._gone
        )

    async def branch(self, message_id: str, *, title: str) -> Thread:
        at = self._messages.get(message_id)
        if at is None or message_id in self._gone:
            raise StorageError("storage.thread_missing", thread_id="")
        origin = self._require(at.thread_id)
        thread = await self.create_thread(title=title, options=origin.options)
        tip: str | None = None
        until = at.id if at.role is Role.ASSISTANT else at.parent_id
        for message in await self.path(origin.id, until=until) if until is not None else ():
            copied = dataclasses.replace(
                message,
                id=new_id(),
                thread_id=thread.id,
                parent_id=tip,
                parts=tuple(self._copy_part(part, thread.id) for part in message.parts),
            )
            if copied.status is MessageStatus.STREAMING:
                copied = dataclasses.replace(copied, status=MessageStatus.STOPPED, reason="stopped")
            self._put(copied)
            self._copies.add(copied.id)
            if message.role is Role.ASSISTANT:
                self._turns[new_id()] = _Turn(thread.id, copied.id)
            tip = copied.id
        if at.role is Role.USER:
            self._drafts[thread.id] = at.text
            self.attachments.drafts[thread.id] = tuple(
                part for each in at.attachments if isinstance(part := self._copy_part(each, None), AttachmentPart)
            )
        where = BranchedFrom(thread_id=origin.id, message_id=at.id, title=origin.title)
        snippet = self._messages[tip].text if tip else ""
        line = _one_line(_clean(snippet))
        self._set(thread.id, tip=tip, branched_from=where, snippet=line, folder_id=origin.folder_id)
        return self._threads[thread.id]

    def _copy_part(self, part: Part, thread_id: str | None) -> Part:
        if isinstance(part, AttachmentPart):
            return dataclasses.replace(part, attachment_id=self.attachments.copy(part.attachment_id, thread_id))
        if isinstance(part, ToolResultPart):
            items = tuple(
                dataclasses.replace(i, attachment_id=self.attachments.copy(i.attachment_id, thread_id))
                if i.attachment_id
                else i
                for i in part.items
            )
            return dataclasses.replace(part, items=items)
        return part

    async def choose_answer(self, message_id: str) -> None:
        message = self._messages.get(message_id)
        if message is None or message_id in self._gone:
            raise StorageError("storage.thread_missing", thread_id="")
        self._show(message_id)

    def _show(self, message_id: str) -> None:
        thread = self._require(self._messages[message_id].thread_id)
        on_path: set[str] = set()
        above = thread.tip
        while above is not None:
            on_path.add(above)
            above = self._messages[above].parent_id
        number = self._next()
        at: str | None = message_id
        while at is not None and at not in on_path:
            self._shown[at] = number
            at = self._messages[at].parent_id
        tip = message_id
        while below := self._below(thread.id, tip, with_gone=True):
            tip = max(below, key=lambda m: (m.id not in self._gone, self._shown[m.id], self._order[m.id])).id
        seen = self._living(tip)
        text = "" if seen is None else self._messages[seen].text
        self._set(thread.id, tip=tip, snippet=_one_line(_clean(text)) or thread.snippet)

    async def add_answer(self, message_id: str, *, model: str, chosen: bool = False) -> StartedTurn:
        beside = self._messages.get(message_id)
        if beside is None or not self._has_question(beside):
            raise StorageError("storage.thread_missing", thread_id="")
        assert beside.parent_id is not None
        thread = self._require(beside.thread_id)
        turn_id, answer = self._begin_answer(thread.id, beside.parent_id, model)
        if chosen:
            await self.choose_answer(answer.id)
        else:
            self._shown[answer.id] = 0
        self._touch(thread.id, "")
        return self._started(turn_id)

    async def begin_turn(
        self,
        thread_id: str,
        text: str,
        *,
        model: str,
        from_new_thread: bool = False,
        attachments: Sequence[AttachmentPart] = (),
        instead_of: str | None = None,
        from_queue: str | None = None,
    ) -> StartedTurn:
        thread = self._require(thread_id)
        parent_id = thread.tip
        if instead_of is not None:
            other = self._messages.get(instead_of)
            if other is None or other.thread_id != thread_id or other.role is not Role.USER or other.id in self._gone:
                raise StorageError("storage.thread_missing", thread_id=thread_id)
            parent_id = other.parent_id
        self.attachments.claim(thread_id, attachments)
        self._interrupt([m for m in self._messages.values() if m.thread_id == thread_id])
        now = self._clock()
        user = Message(
            id=new_id(),
            thread_id=thread_id,
            parent_id=parent_id,
            role=Role.USER,
            status=MessageStatus.COMPLETE,
            parts=tuple(map(_clean_part, user_parts(text, attachments))),
            created_at=now,
            updated_at=now,
        )
        self._put(user)
        turn_id, answer = self._begin_answer(thread_id, user.id, model)
        if from_queue is not None:
            self.queue.leave(from_queue)
        ended = [instead_of or thread_id, *([""] if from_new_thread else [])]
        for key in ended if from_queue is None else ():
            self._drafts.pop(key, None)
            self.attachments.drafts.pop(key, None)
        if from_new_thread:
            self._new_thread = ThreadOptions()
        if instead_of is None:
            self._set(thread_id, tip=answer.id)
        else:
            await self.choose_answer(answer.id)
        self._touch(thread_id, text if text.strip() else names_of(attachments))
        self._set(thread_id, archived_at=None)
        return self._started(turn_id)

    async def reopen_turn(self, message_id: str, *, model: str, parts: Sequence[Part]) -> StartedTurn:
        answer = self._messages.get(message_id)
        thread = self._threads.get(answer.thread_id) if answer else None
        if answer is None or thread is None or self._living(thread.tip) != message_id or thread.deleted_at is not None:
            raise StorageError("storage.thread_missing", thread_id="")
        if not self._has_question(answer) or answer.status is MessageStatus.STREAMING:
            raise StorageError("storage.thread_missing", thread_id="")
        await self.erase([one for one in self._removed if one.message_id == message_id and one.call_id])
        if message_id in self._copies:
            self._copies.remove(message_id)
            answer = dataclasses.replace(answer, usage=NO_USAGE, cost=None)
        answer = dataclasses.replace(
            answer,
            status=MessageStatus.STREAMING,
            parts=tuple(map(_clean_part, parts)),
            model=_clean(model),
            reason="",
            updated_at=answer.updated_at if tuple(parts) == answer.parts else self._clock(),
        )
        self._messages[message_id] = answer
        turn_id = next(key for key, turn in self._turns.items() if turn.answer_id == message_id)
        return self._started(turn_id)

    async def save_parts(self, message_id: str, parts: Sequence[Part]) -> None:
        message = self._messages.get(message_id)
        if message is None:
            raise StorageError("storage.thread_missing", thread_id="")
        if message.status is MessageStatus.STREAMING:
            self._messages[message_id] = dataclasses.replace(
                message, parts=tuple(map(_clean_part, parts)), updated_at=self._clock()
            )

    async def finish_turn(
        self,
        turn_id: str,
        *,
        parts: Sequence[Part],
        status: MessageStatus,
        reason: str,
        usage: Usage,
        duration_seconds: float,
        cost: Cost | None = None,
    ) -> Message:
        turn = self._turns.get(turn_id)
        if turn is None:
            raise StorageError("storage.thread_missing", thread_id="")
        return self._finish(
            turn.answer_id,
            parts,
            status,
            reason=_clean(reason),
            usage=usage,
            cost=cost,
            duration_seconds=duration_seconds,
        )

    async def usage_totals(self, *, thread_id: str | None = None) -> tuple[UsageTotal, ...]:
        found: dict[tuple[str, str, str | None], list[Message]] = {}
        for turn in self._turns.values():
            answer = self._messages[turn.answer_id]
            if answer.id in self._copies:
                continue
            if answer.status is not MessageStatus.STREAMING and thread_id in (None, answer.thread_id):
                month = f"{answer.created_at.astimezone():%Y-%m}"
                currency = answer.cost.currency if answer.cost else None
                found.setdefault((month, answer.model, currency), []).append(answer)
        totals = [
            UsageTotal(
                month=month,
                model=model,
                answers=len(answers),
                input_tokens=sum(a.usage.input_tokens or 0 for a in answers),
                output_tokens=sum(a.usage.output_tokens or 0 for a in answers),
                cost=None
                if currency is None
                else Cost(amount=sum(a.cost.amount for a in answers if a.cost), currency=currency),
            )
            for (month, model, currency), answers in found.items()
        ]
        totals.sort(key=lambda total: (-total.output_tokens, total.model))
        return tuple(sorted(totals, key=lambda total: total.month, reverse=True))

    async def recover(self) -> int:
        await self.purge_temporary()
        await self.erase()
        return self._interrupt(list(self._messages.values()))

    # -- search and drafts ----------------------------------------------------------------------------------------

    async def search(self, query: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        words = query.casefold().split()
        hits: list[tuple[int, SearchHit]] = []
        usual = {t.id: t for t in self._threads.values() if not t.options.is_temporary}
        for thread in usual.values():
            if thread.deleted_at is None and (hit := _hit(words, thread, None)) is not None:
                hits.append((self._changes[thread.id], hit))
        for message in self._messages.values():
            thread = usual.get(message.thread_id)
            is_there = message.status is not MessageStatus.STREAMING and message.id not in self._gone
            if thread is not None and thread.deleted_at is None and is_there:
                hit = _hit(words, thread, message)
                if hit is not None:
                    hits.append((self._order[message.id], hit))
        hits.sort(key=lambda pair: pair[0], reverse=True)
        return tuple(hit for _, hit in hits[: max(0, limit)])

    async def save_draft(self, thread_id: str, text: str) -> None:
        if not text:
            self._drafts.pop(thread_id, None)
        owner = self._messages[thread_id].thread_id if thread_id in self._messages else thread_id
        if text and (owner == "" or (owner in self._threads and not self._threads[owner].options.is_temporary)):
            self._drafts[thread_id] = _clean(text)

    async def load_draft(self, thread_id: str) -> str:
        return self._drafts.get(thread_id, "")

    async def edited_message(self, thread_id: str) -> str:
        living = [i for i in self._drafts if i in self._messages and i not in self._gone]
        edited = [i for i in living if self._messages[i].thread_id == thread_id]
        return max(edited, key=self._order.__getitem__, default="")

    async def save_new_thread_options(self, options: ThreadOptions) -> None:
        self._new_thread = _clean_options(options)

    async def load_new_thread_options(self) -> ThreadOptions:
        return self._new_thread

    # -- helpers --------------------------------------------------------------------------------------------------

    def turn_reason(self, turn_id: str) -> str:
        """What ``finish_turn`` was told; for assertions."""
        return self._messages[self._turns[turn_id].answer_id].reason

    def _next(self) -> int:
        self._counter += 1
        return self._counter

    def _require(self, thread_id: str, *, allow_trash: bool = False) -> Thread:
        thread = self._threads.get(thread_id)
        if thread is None or (thread.deleted_at is not None and not allow_trash):
            raise StorageError("storage.thread_missing", thread_id=thread_id)
        return thread

    def _set(self, thread_id: str, **changes: object) -> None:
        self._threads[thread_id] = dataclasses.replace(self._threads[thread_id], **changes)

    def _touch(self, thread_id: str, text: str) -> None:
        snippet = _one_line(_clean(text)) or self._threads[thread_id].snippet
        self._set(thread_id, updated_at=self._clock(), snippet=snippet)
        self._changes[thread_id] = self._next()

    def _put(self, message: Message) -> None:
        self._messages[message.id] = message
        self._order[message.id] = self._shown[message.id] = self._next()

    def _begin_answer(self, thread_id: str, user_id: str, model: str) -> tuple[str, Message]:
        now = self._clock()
        answer = Message(
            id=new_id(),
            thread_id=thread_id,
            parent_id=user_id,
            role=Role.ASSISTANT,
            status=MessageStatus.STREAMING,
            parts=(),
            created_at=now,
            updated_at=now,
            model=_clean(model),
        )
        self._put(answer)
        turn_id = new_id()
        self._turns[turn_id] = _Turn(thread_id, answer.id)
        return turn_id, answer

    def _started(self, turn_id: str) -> StartedTurn:
        turn = self._turns[turn_id]
        answer = self._messages[turn.answer_id]
        user, answer = self._with_places([self._messages[answer.parent_id or ""], answer])
        return StartedTurn(turn_id=turn_id, thread_id=turn.thread_id, user_message=user, assistant_message=answer)

    def _below(self, thread_id: str, parent_id: str | None, *, with_gone: bool = False) -> list[Message]:
        """The messages to this one, the oldest first."""
        found = [m for m in self._messages.values() if (m.thread_id, m.parent_id) == (thread_id, parent_id)]
        found = [m for m in found if with_gone or m.id not in self._gone]
        return sorted(found, key=lambda message: self._order[message.id])

    def _living(self, message_id: str | None) -> str | None:
        """The message, or where it was removed the nearest one above it."""
        while message_id in self._gone:
            message_id = self._messages[message_id].parent_id
        return message_id

    def _has_question(self, answer: Message) -> bool:
        if answer.role is not Role.ASSISTANT or answer.parent_id is None or {answer.id, answer.parent_id} & self._gone:
            return False
        return self._messages[answer.parent_id].role is Role.USER

    # -- removing -------------------------------------------------------------------------------------------------

    async def remove(self, removed: Removed) -> str:
        """See ``conversation.removals.RemovalStore``."""
        message = self._messages.get(removed.message_id)
        if message is None or message.id in self._gone:
            raise StorageError("storage.thread_missing", thread_id="")
        thread = self._require(message.thread_id)
        if message.status is MessageStatus.STREAMING:
            raise ThreadwellError("run.busy")
        if removed.call_id:
            if not any(_is_result(part, removed.call_id) for part in self._shown_of(message).parts):
                raise StorageError("storage.thread_missing", thread_id="")
            self._removed[removed] = None
            return thread.id
        was_end = self._living(thread.tip) == message.id
        self._gone.add(message.id)
        beside = [m for m in self._below(thread.id, message.parent_id) if m.role is message.role]
        if was_end and beside:
            self._show(max(beside, key=lambda m: (self._shown[m.id], self._order[m.id])).id)
        self._removed[removed] = self._threads[thread.id].tip if was_end and beside else None
        self._renew_snippet(thread.id)
        return thread.id

    async def take_back(self, removed: Removed) -> str | None:
        """See ``conversation.removals.RemovalStore``."""
        message = self._messages.get(removed.message_id)
        if removed not in self._removed or message is None:
            return None
        turned_to = self._removed.pop(removed)
        if not removed.call_id:
            self._gone.discard(message.id)
            if turned_to is not None and self._threads[message.thread_id].tip == turned_to:
                self._show(message.id)
            self._renew_snippet(message.thread_id)
        return message.thread_id

    async def erase(self, removed: Sequence[Removed] | None = None) -> Receipt:
        """See ``conversation.removals.RemovalStore``."""
        receipt = Receipt()
        for one in [one for one in self._removed if removed is None or one in removed]:
            message = self._messages.get(one.message_id)
            if message is not None:
                kept = self._shown_of(message) if one.call_id else dataclasses.replace(message, parts=())
                self._messages[message.id] = kept
                self._drafts = {key: text for key, text in self._drafts.items() if one.call_id or key != message.id}
                receipt += Receipt(results=1) if one.call_id else Receipt(messages=1)
            del self._removed[one]
        return receipt

    def _shown_of(self, message: Message) -> Message:
        gone = {one.call_id for one in self._removed if one.message_id == message.id and one.call_id}
        parts = (
            dataclasses.replace(part, text=REMOVED_RESULT, items=())
            if isinstance(part, ToolResultPart) and part.call_id in gone
            else part
            for part in message.parts
        )
        return dataclasses.replace(message, parts=tuple(parts))

    def _renew_snippet(self, thread_id: str) -> None:
        text, at = "", self._threads[thread_id].tip
        while at is not None and not text:
            message = self._messages[at]
            text = "" if message.id in self._gone or not message.text.strip() else message.text
            at = message.parent_id
        self._set(thread_id, snippet=_one_line(_clean(text)))

    def _with_places(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        threads = {message.thread_id for message in messages}
        beside: dict[tuple[str, str | None, Role], list[str]] = {}
        for message in sorted(self._messages.values(), key=lambda message: self._order[message.id]):
            if message.thread_id in threads and message.id not in self._gone:
                beside.setdefault((message.thread_id, message.parent_id, message.role), []).append(message.id)

        def placed(message: Message) -> Message:
            raw = self._messages[message.id].parent_id
            ids = beside.get((message.thread_id, raw, message.role), [])
            place = (ids.index(message.id) + 1, len(ids)) if message.id in ids else (1, 1)
            shown = dataclasses.replace(self._shown_of(message), parent_id=self._living(raw))
            return dataclasses.replace(shown, answer_number=place[0], answer_count=place[1])

        return tuple(map(placed, messages))

    def _finish(self, answer_id: str, parts: Sequence[Part], status: MessageStatus, **ending: object) -> Message:
        message = dataclasses.replace(
            self._messages[answer_id],
            parts=tuple(map(_clean_part, parts)),
            status=status,
            updated_at=self._clock(),
            **ending,
        )
        self._messages[answer_id] = message
        text = next((p.text for p in message.parts if isinstance(p, TextPart) and p.text.strip()), "")
        is_end = self._living(self._threads[message.thread_id].tip) == answer_id
        self._touch(message.thread_id, text if is_end else "")
        return self._with_places([message])[0]

    def _interrupt(self, messages: Sequence[Message]) -> int:
        orphaned = [m for m in messages if m.status is MessageStatus.STREAMING]
        for message in orphaned:
            turn_id = next(k for k, turn in self._turns.items() if turn.answer_id == message.id)
            rows = {r.call_id.removeprefix(f"{turn_id}:"): r for r in self._journal.rows if r.turn_id == turn_id}
            parts = _with_all_results(message.parts, rows)
            self._finish(message.id, parts, MessageStatus.INTERRUPTED, reason="interrupted")
            for row in rows.values():
                if row.state is not CallState.FINISHED:
                    row.status = "unknown" if row.state is CallState.RUNNING else "interrupted"
                    row.states.append(CallState.FINISHED)
        return len(orphaned)


def _is_result(part: Part, call_id: str) -> bool:
    return isinstance(part, ToolResultPart) and part.call_id == call_id and part.text != REMOVED_RESULT


def _with_all_results(parts: Sequence[Part], rows: dict[str, JournalRow]) -> list[Part]:
    answered = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    complete: list[Part] = []
    for step in sorted({part.step for part in parts}):
        of_step = [_complete_inner(part, rows) for part in parts if part.step == step]
        complete.extend(of_step)
        for call in of_step:
            if isinstance(call, ToolCallPart) and call.call_id not in answered:
                complete.append(_missing_result(call, rows.get(call.call_id)))
    return complete


def _complete_inner(part: Part, rows: dict[str, JournalRow]) -> Part:
    if not isinstance(part, InnerRunPart):
        return part
    start = f"{part.call_id}/"
    own = {call_id.removeprefix(start): row for call_id, row in rows.items() if call_id.startswith(start)}
    return dataclasses.replace(part, parts=tuple(_with_all_results(part.parts, own)))


def _missing_result(call: ToolCallPart, row: JournalRow | None) -> ToolResultPart:
    status, text, took = ResultStatus.INTERRUPTED, "Interrupted: the program ended before this tool was started.", 0.0
    if row is not None and row.state is CallState.RUNNING:
        status = ResultStatus.UNKNOWN
        text = "The program ended while this tool ran; whether it took effect is not known."
    elif row is not None and row.state is CallState.FINISHED:
        status, text, took = ResultStatus(row.status), row.result, row.duration_seconds
    items = row.items if row is not None and row.state is CallState.FINISHED else ()
    return ToolResultPart(
        call_id=call.call_id, status=status, text=text, duration_seconds=took, items=items, step=call.step
    )


def _beginning(message: Message) -> str:
    texts = [part.text for part in message.parts if isinstance(part, TextPart) and part.text]
    names = [part.name for part in message.parts if isinstance(part, AttachmentPart | ToolCallPart)]
    line = " ".join([*texts, *names, ""][0].split())
    return line if len(line) <= MOST_BEGINNING else f"{line[: MOST_BEGINNING - 1]}…"


def _outline(message: Message) -> MessageOutline:
    texts = [
        part.arguments if isinstance(part, ToolCallPart) else part.text
        for part in message.parts
        if isinstance(part, TextPart | ThinkingPart | ToolCallPart | ToolResultPart)
    ]
    return MessageOutline(
        id=message.id,
        role=message.role,
        status=message.status,
        text_length=len("".join(texts)),
        newline_count="".join(texts).count("\n"),
        part_count=len(message.parts),
        answer_number=message.answer_number,
        answer_count=message.answer_count,
    )


def _hit(words: list[str], thread: Thread, message: Message | None) -> SearchHit | None:
    """Look for all words, whole or as beginnings, anywhere: cruder than the real thing, enough for tests."""
    files = [f"{part.name}\n{part.text}" for part in message.attachments] if message else []
    text = thread.title if message is None else "\n\n".join(filter(None, (message.text, *files)))
    places = [text.casefold().find(word) for word in words]
    if not places or min(places) < 0:
        return None
    start = max(0, places[0] - 40)
    line = " ".join(text[start : start + _HIT_LENGTH - 2].split())
    spans = sorted((at, at + len(word)) for word in words if (at := line.casefold().find(word)) >= 0)
    return SearchHit(
        thread_id=thread.id,
        thread_title=thread.title,
        message_id=message.id if message else None,
        role=message.role if message else None,
        snippet=line,
        highlights=tuple(spans),
        created_at=message.created_at if message else thread.updated_at,
        is_archived=thread.archived_at is not None,
    )


def _clean(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _clean_options(options: ThreadOptions) -> ThreadOptions:
    texts = {name: getattr(options, name) for name in ("system_prompt", "endpoint_id", "model", "workspace")}
    beside = tuple(AskedModel(endpoint_id=_clean(m.endpoint_id), model=_clean(m.model)) for m in options.asked_beside)
    return dataclasses.replace(
        options, asked_beside=beside, **{name: None if text is None else _clean(text) for name, text in texts.items()}
    )


def _clean_part(part: Part) -> Part:
    if isinstance(part, TextPart | ThinkingPart | ToolResultPart):
        return dataclasses.replace(part, text=_clean(part.text))
    if isinstance(part, ToolCallPart):
        return dataclasses.replace(part, arguments=_clean(part.arguments))
    return part


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SNIPPET_LENGTH else f"{line[: _SNIPPET_LENGTH - 1]}…"
