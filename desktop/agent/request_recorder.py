"""Keeps what was sent to the model for an answer: written beside the stream, so that no word of it waits for that."""

import asyncio
import dataclasses
import logging
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from desktop.agent.answer_state import AnswerState
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
    RequestRecord,
    RequestRecords,
)
from desktop.conversation.result_text import is_cut
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import ThreadwellError
from desktop.core.ids import new_id
from desktop.core.language_model import LanguageModel, ModelChunk, ModelRequest, Remark, StreamEnd, ToolMessage, Waiting
from desktop.core.tasks import TaskSupervisor, uninterrupted
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
    after: "asyncio.Task[None] | None" = None
    """Writes down the one before it."""
    started: float = field(default_factory=time.monotonic)
    outcome: Outcome | None = None
    writing: "asyncio.Task[None] | None" = None
    is_kept: bool = False
    remarks: list[LeftOut] = field(default_factory=list[LeftOut])


class RequestRecorder:
    """Holds no state between answers. What cannot be recorded is logged, and harms no answer."""

    def __init__(self, records: RequestRecords, tasks: TaskSupervisor, *, clock: Clock = utc_now) -> None:
        self._records = records
        self._tasks = tasks
        self._clock = clock

    async def stream(
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
        attempts: list[_Attempt] = []

        def begin(body: Mapping[str, Any] | None) -> None:
            after = None
            if attempts:
                self._end(attempts[-1], ASKED_AGAIN)
                self._write(attempts[-1], facts)
                after = attempts[-1].writing
            attempts.append(_Attempt(self._empty(request, answer, model), body, after))

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
                        self._write(attempts[-1], facts)
                        end = chunk if isinstance(chunk, StreamEnd) else end
                    yield chunk
        except ThreadwellError as error:
            error_code, finish = error.code, ""
            raise
        finally:
            if attempts:
                self._end(attempts[-1], end.reason.value if end else finish, error_code, end)
                self._write(attempts[-1], facts)
            await uninterrupted(self._finish(attempts))

    def _empty(self, request: ModelRequest, answer: AnswerState, model: LanguageModel) -> RequestRecord:
        return RequestRecord(
            id=new_id(),
            thread_id=answer.run.thread_id,
            message_id=answer.run.message_id,
            step=answer.step,
            sent_at=self._clock(),
            model=model.name,
            messages=(),
            sampling=request.sampling,
            thinking=request.thinking,
            goes_on=request.goes_on,
            are_tokens_guessed=model.is_scripted,
        )

    @staticmethod
    def _end(attempt: _Attempt, finish: str, error_code: str = "", end: StreamEnd | None = None) -> None:
        if attempt.outcome is None:
            attempt.outcome = Outcome(
                finish=finish,
                error_code=error_code,
                usage=Outcome().usage if end is None else end.usage,
                seconds=round(time.monotonic() - attempt.started, 3),
                remarks=tuple(attempt.remarks),
            )

    def _write(self, attempt: _Attempt, facts: "_Facts") -> None:
        """Begin to write down what was sent, once."""
        if attempt.writing is None:
            work = self._add(attempt, facts)
            attempt.writing = self._tasks.spawn(work, name=f"record of {attempt.record.message_id}")

    async def _add(self, attempt: _Attempt, facts: "_Facts") -> None:
        try:
            record = await asyncio.to_thread(facts.fill, attempt.record, attempt.body)
            if attempt.after is not None:
                await asyncio.wait([attempt.after])  # records are read in the order in which they were added
            await self._records.add(record)
            attempt.is_kept = True
        except ThreadwellError as error:
            logger.warning("what was sent for %s could not be recorded: %s", attempt.record.message_id, error)
        except Exception:  # no answer may fail of it
            logger.exception("what was sent for %s could not be recorded", attempt.record.message_id)

    async def _finish(self, attempts: Sequence[_Attempt]) -> None:
        for attempt in attempts:
            if attempt.writing is not None:
                await asyncio.wait([attempt.writing])
            if not attempt.is_kept or attempt.outcome is None:
                continue
            try:
                await self._records.finish(attempt.record.id, attempt.outcome)
            except ThreadwellError as error:
                logger.warning("the end of a request of %s was not recorded: %s", attempt.record.message_id, error)


@dataclass(frozen=True)
class _Facts:
    """What was known when a request was made."""

    request: ModelRequest
    labels: tuple[Label, ...]
    path: tuple[Message, ...]
    sent_images: frozenset[str]
    tools: tuple[str, ...]
    result_bytes: int
    is_shortened: bool
    covered_until: str
    shortened: frozenset[str]
    """Ids of messages whose results were cut to make room."""
    is_first: bool

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
        recall = next((part for part in reversed(self.path[-1].parts) if isinstance(part, RecallPart)), None)
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
        if recall is not None and recall.silence and self.is_first:
            found.append(LeftOut(kind=LeftOutKind.RECALL, names=(recall.silence,)))
        return found


def _left_out(remark: Remark) -> LeftOut:
    return LeftOut(kind=LeftOutKind.REMARK, names=(remark.code,), params=dict(remark.params))
