"""Keeps what was sent to models for an answer, and beside it: written beside the stream, so that no word waits for that."""

import asyncio
import dataclasses
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from desktop.agent.answer_state import AnswerState
from desktop.agent.run import Run
from desktop.agent.sent_pieces import Body, Label, http_pieces, sent_messages, sent_tools
from desktop.conversation.entities import (
    AttachmentKind,
    Message,
    RecallPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.request_records import (
    LeftOut,
    LeftOutKind,
    Outcome,
    PieceKind,
    Purpose,
    RequestRecord,
    RequestRecords,
)
from desktop.conversation.result_text import is_cut
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import ThreadwellError
from desktop.core.ids import new_id
from desktop.core.language_model import (
    LanguageModel,
    ModelChunk,
    ModelRequest,
    Remark,
    StreamEnd,
    ToolMessage,
    UserMessage,
    Waiting,
)
from desktop.core.tasks import TaskSupervisor, held_back
from desktop.core.token_count import cached_count, guess_tokens
from desktop.tools.entities import ToolDescriptor

logger = logging.getLogger(__name__)

STOPPED = "stopped"
ASKED_AGAIN = "asked_again"
"""The endpoint refused it, or was busy, and the adapter sent another one."""


@dataclass
class _Attempt:
    """One request that left."""

    record: RequestRecord
    body: Mapping[str, Any] | None
    started: float = field(default_factory=time.monotonic)
    is_begun: bool = False
    """It is written down, or will be when what was sent before it is."""
    is_kept: bool = False
    remarks: list[LeftOut] = field(default_factory=list[LeftOut])


class RequestRecorder:
    """Holds no state between answers. What cannot be recorded is logged, and harms no answer.

    The records of an answer are written one after the other, in the order of sending; ``Run.recording`` is the end of it.
    """

    def __init__(self, records: RequestRecords, tasks: TaskSupervisor, *, clock: Clock = utc_now) -> None:
        self._records = records
        self._tasks = tasks
        self._clock = clock

    def stream(
        self,
        model: LanguageModel,
        request: ModelRequest,
        answer: AnswerState,
        tools: Sequence[ToolDescriptor],
        result_bytes: int,
    ) -> AsyncGenerator[ModelChunk, None]:
        """Stream ``request`` and record every HTTP request that the adapter makes of it.

        ``tools`` are all that there were; ``result_bytes`` is as in ``AgentLoop``.
        """
        facts = _Facts.of(request, answer, tools, result_bytes)
        return self._recorded(model, request, answer.run, facts, step=answer.step, purpose=answer.run.purpose)

    def beside(self, model: LanguageModel, answer: Message, purpose: Purpose, *labels: Label) -> LanguageModel:
        """Return the model with all that it is sent recorded: beside this answer, and not for it.

        ``labels`` tell what the requests hold of what is remembered. One for a summary is made of such things.
        """
        return _Beside(self._recorded, model, answer.thread_id, answer.id, purpose, labels)

    async def _recorded(
        self,
        model: LanguageModel,
        request: ModelRequest,
        of: "Run | _Beside",
        facts: "_Facts",
        *,
        step: int = 0,
        purpose: Purpose = Purpose.ANSWER,
    ) -> AsyncGenerator[ModelChunk, None]:
        attempts: list[_Attempt] = []

        def begin(body: Mapping[str, Any] | None) -> None:
            if attempts:
                self._end(of, attempts[-1], facts, ASKED_AGAIN)
            record = RequestRecord(
                id=new_id(),
                thread_id=of.thread_id,
                message_id=of.message_id,
                step=step,
                purpose=purpose,
                sent_at=self._clock(),
                model=model.name,
                messages=(),
                sampling=request.sampling,
                thinking=request.thinking,
                goes_on=request.goes_on,
                are_tokens_guessed=model.is_scripted,
            )
            attempts.append(_Attempt(record, body))

        request = dataclasses.replace(request, on_body=begin)
        error_code, finish = "", STOPPED
        end: StreamEnd | None = None
        try:
            async with aclosing(model.stream(request)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Remark):
                        if attempts:
                            attempts[-1].remarks.append(_left_out(chunk))
                    elif not isinstance(chunk, Waiting):
                        if not attempts:  # a model without HTTP
                            begin(None)
                        self._begin(of, attempts[-1], facts)
                        end = chunk if isinstance(chunk, StreamEnd) else end
                    yield chunk
        except ThreadwellError as error:
            error_code, finish = error.code, ""
            raise
        finally:
            if attempts:
                self._end(of, attempts[-1], facts, end.reason.value if end else finish, error_code, end)

    def _begin(self, of: "Run | _Beside", attempt: _Attempt, facts: "_Facts") -> None:
        """Have what was sent written down, once."""
        if not attempt.is_begun:
            attempt.is_begun = True
            self._queue(of, partial(self._add, attempt, facts))

    def _end(
        self,
        of: "Run | _Beside",
        attempt: _Attempt,
        facts: "_Facts",
        finish: str,
        error_code: str = "",
        end: StreamEnd | None = None,
    ) -> None:
        """Have it written down how it ended."""
        outcome = Outcome(
            finish=finish,
            error_code=error_code,
            usage=Outcome().usage if end is None else end.usage,
            seconds=round(time.monotonic() - attempt.started, 3),
            remarks=tuple(attempt.remarks),
        )
        self._begin(of, attempt, facts)
        self._queue(of, partial(self._finish, attempt, outcome))

    def _queue(self, of: "Run | _Beside", work: Callable[[], Awaitable[None]]) -> None:
        """Let it be done after what was queued for the same before. Nothing of an answer waits for it."""
        before = of.recording

        async def in_turn() -> None:
            if before is not None:
                await asyncio.wait([before])
            await work()

        of.recording = self._tasks.spawn(in_turn(), name=f"record of {of.message_id}")

    async def _add(self, attempt: _Attempt, facts: "_Facts") -> None:
        try:
            record = await asyncio.to_thread(facts.fill, attempt.record, attempt.body)
            await self._records.add(record)
            attempt.is_kept = True
        except ThreadwellError as error:
            logger.warning("what was sent for %s could not be recorded: %s", attempt.record.message_id, error)
        except Exception:  # no answer may fail of it
            logger.exception("what was sent for %s could not be recorded", attempt.record.message_id)

    async def _finish(self, attempt: _Attempt, outcome: Outcome) -> None:
        if attempt.is_kept:
            try:
                await self._records.finish(attempt.record.id, outcome)
            except ThreadwellError as error:
                logger.warning("the end of a request of %s was not recorded: %s", attempt.record.message_id, error)


@dataclass
class _Beside:
    """A model that is asked something beside an answer, with its part of the records. Nobody waits for what it says, so
    it ends when that is written down."""

    record: Callable[..., AsyncGenerator[ModelChunk, None]]
    model: LanguageModel
    thread_id: str
    message_id: str
    purpose: Purpose
    labels: tuple[Label, ...]
    recording: "asyncio.Task[None] | None" = None

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def is_scripted(self) -> bool:
        return self.model.is_scripted

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        labels = self.labels
        if self.purpose is Purpose.SUMMARY:
            labels = tuple(
                Label(PieceKind.SUMMARY, each.text) for each in request.messages if isinstance(each, UserMessage)
            )
        try:
            async with aclosing(
                self.record(self.model, request, self, _Facts(request, labels), purpose=self.purpose)
            ) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            if self.recording is not None:
                _, cancellation = await held_back(asyncio.wait([self.recording]))
                if cancellation is not None:
                    raise cancellation  # else whoever asks would go on

    async def close(self) -> None:
        """Its maker closes the model."""


@dataclass(frozen=True)
class _Facts:
    """What was known when a request was made."""

    request: ModelRequest
    labels: tuple[Label, ...]
    path: tuple[Message, ...] = ()
    sent_images: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()
    result_bytes: int = 0
    is_shortened: bool = False
    covered_until: str = ""
    shortened: frozenset[str] = frozenset()
    """Ids of messages whose results were cut to make room."""
    is_first: bool = False

    @classmethod
    def of(
        cls, request: ModelRequest, answer: AnswerState, tools: Sequence[ToolDescriptor], result_bytes: int
    ) -> "_Facts":
        own, window = answer.writer.message(), answer.window
        return cls(
            request=request,
            labels=(Label(PieceKind.SERVERS, answer.said_by_servers), *answer.labels),
            path=(*answer.path, own),
            sent_images=frozenset(answer.images),
            tools=tuple(tool.alias for tool in tools),
            result_bytes=result_bytes,
            is_shortened=answer.allowed_bytes is not None,
            covered_until=window.covered[-1] if window is not None and window.covered else "",
            shortened=frozenset(window.shortened if window is not None else ()),
            is_first=not any(isinstance(part, ToolResultPart) for part in own.parts),
        )

    def fill(self, record: RequestRecord, fields: Mapping[str, Any] | None) -> RequestRecord:
        """Return the record with all that was sent. Takes its time: counts tokens."""
        body = None if fields is None else Body.of(fields)
        measure = guess_tokens if record.are_tokens_guessed else cached_count
        messages = sent_messages(self.request.messages, self.labels, measure, body)
        offered = sent_tools(self.request.tools, measure, body)
        own = self.path[-1].parts if self.path else ()
        recall = next((part for part in reversed(own) if isinstance(part, RecallPart)), None)
        return dataclasses.replace(
            record,
            messages=messages,
            tools=offered,
            recall=recall,
            left_out=tuple(self._left_out(recall, {tool.name for tool in offered}, body)),
            covered_until=self.covered_until,
            http=() if body is None else http_pieces(body, messages),
        )

    def _is_cut(self, part: ToolResultPart, message_id: str) -> bool:
        """Whether the model was sent less than all of a result: it is longer than any may be, or room was wanted."""
        if is_cut(part, self.result_bytes):
            return True
        sent = next(
            (m.text for m in self.request.messages if isinstance(m, ToolMessage) and m.call_id == part.call_id), ""
        )
        return message_id in self.shortened and len(sent) < len(part.text)

    def _left_out(self, recall: RecallPart | None, offered: set[str], body: Body | None) -> list[LeftOut]:
        found: list[LeftOut] = []
        if self.is_shortened:
            found.append(LeftOut(kind=LeftOutKind.TOO_LONG))
        origins = {origin for message in self.request.messages for origin in getattr(message, "origins", ())}
        sent = [message for message in self.path if message.id in origins]
        sees = body is None or body.has_images
        images = [
            part.name
            for message in sent
            for part in message.attachments
            if part.kind is AttachmentKind.IMAGE and not (sees and part.attachment_id in self.sent_images)
        ]
        if images:
            found.append(LeftOut(kind=LeftOutKind.IMAGE, count=len(images), names=tuple(dict.fromkeys(images))))
        names = {p.call_id: p.name for m in sent for p in m.parts if isinstance(p, ToolCallPart)}
        cut = [
            names.get(part.call_id, "")
            for message in sent
            for part in message.parts
            if isinstance(part, ToolResultPart) and self._is_cut(part, message.id)
        ]
        if cut:
            found.append(LeftOut(kind=LeftOutKind.RESULT, count=len(cut), names=tuple(dict.fromkeys(cut))))
        if missing := [name for name in self.tools if name not in offered]:
            found.append(LeftOut(kind=LeftOutKind.TOOL, count=len(missing), names=tuple(missing)))
        if recall is not None and (recall.no_room or recall.standing_no_room):
            names = [
                *(f"{ref.kind}:{ref.id}" for ref in recall.no_room),
                *(f"fact:{item_id}" for item_id in recall.standing_no_room),
            ]
            found.append(LeftOut(kind=LeftOutKind.NO_ROOM, count=len(names), names=tuple(names)))
        if recall is not None and recall.silence and self.is_first:
            found.append(LeftOut(kind=LeftOutKind.RECALL, names=(recall.silence,)))
        return found


def _left_out(remark: Remark) -> LeftOut:
    return LeftOut(kind=LeftOutKind.REMARK, names=(remark.code,), params=dict(remark.params))
