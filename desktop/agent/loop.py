"""The agent loop: stream the model, run the tools it asks for, feed the results back, until it asks for none."""

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial

from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.assembler import ToolCallAssembler
from desktop.agent.events import DoneReason
from desktop.agent.run import Run
from desktop.conversation.context import MAX_ROUNDS, assemble_context
from desktop.conversation.entities import Message, RemarkPart, ResultStatus, SourcesPart, ThreadOptions, ToolCallPart
from desktop.conversation.ports import ThreadRepository
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.language_model import (
    FinishReason,
    LanguageModel,
    ModelChunk,
    ModelRequest,
    Remark,
    Sampling,
    SourcesFound,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolSpec,
    Usage,
    Waiting,
)
from desktop.core.tasks import alongside, run_all, uninterrupted
from desktop.tools.entities import CallState, ToolDescriptor
from desktop.tools.service import ToolCallRequest, ToolService

CALLS_AT_ONCE = 8
CALLS_PER_STEP = 64
"""More calls than this in one step are answered with an error instead of being run."""

MAX_ANSWER_CHARS = 16_000_000
MAX_ANSWER_CHUNKS = 500_000
"""Bounds on what one answer may stream, far above any real one: an endless stream must not fill memory and disk."""

logger = logging.getLogger(__name__)

_REASONS = {
    FinishReason.STOP: DoneReason.COMPLETED,
    FinishReason.TOOL_CALLS: DoneReason.COMPLETED,
    FinishReason.LENGTH: DoneReason.LENGTH,
    FinishReason.CONTENT_FILTER: DoneReason.CONTENT_FILTER,
    FinishReason.REFUSAL: DoneReason.REFUSAL,
}


class AgentLoop:
    """Makes one answer. Holds no state between answers, so one object may serve many."""

    def __init__(
        self,
        *,
        model: LanguageModel,
        repository: ThreadRepository,
        tools: ToolService,
        system_prompt: Callable[[], str],
        step_limit: int,
        sampling: Sampling | None = None,
    ) -> None:
        """``system_prompt`` and ``sampling`` are what holds for threads that have nothing of their own."""
        self._model = model
        self._repository = repository
        self._tools = tools
        self._system_prompt = system_prompt
        self._step_limit = step_limit
        self._sampling = sampling or Sampling()

    @property
    def model_name(self) -> str:
        return self._model.name

    async def execute(self, run: Run) -> None:
        """Make the answer of ``run``. Never raises: every end, cancellation included, is a terminal event."""
        answer = _Answer(run, AnswerWriter(run, self._repository))
        try:
            run.begin()
            reason = await self._steps(answer)
            ending = answer.writer.done(reason, answer.usage)
        except asyncio.CancelledError:
            ending = answer.writer.done(DoneReason.STOPPED, answer.usage)
        except ThreadwellError as error:
            ending = answer.writer.failed(error, answer.usage, step=answer.step)
        except Exception as error:
            logger.exception("the run of message %s failed", run.message_id)
            internal = ModelError("model.internal", detail=f"{type(error).__name__}: {error}")
            ending = answer.writer.failed(internal, answer.usage, step=answer.step)
        try:
            await uninterrupted(ending)
        except ThreadwellError as error:
            if run.terminal is None:  # the last commit failed; the next start marks the row as interrupted
                answer.writer.report(error)

    async def _steps(self, answer: "_Answer") -> DoneReason:
        tools = await self._tools.available()
        if (thread := await self._repository.get_thread(answer.run.thread_id)) is not None:
            answer.thread_title, answer.options = thread.title, thread.options
        history = await self._repository.path(answer.run.thread_id, last=2 * MAX_ROUNDS)
        before = [m for m in history if m.id != answer.run.message_id]
        answer.used_ids = {p.call_id for m in before for p in m.parts if isinstance(p, ToolCallPart)}
        for step in range(self._step_limit):
            answer.step = step
            finish, calls = await self._stream(answer, self._request(before, answer, tools), tools)
            if not calls:
                return _REASONS[finish]
            if finish not in (FinishReason.STOP, FinishReason.TOOL_CALLS):
                return _REASONS[finish]  # a half-written call is never run
            await answer.writer.add_calls(calls)
            if step == self._step_limit - 1:
                await self._refuse(answer, calls, "Not run: the step limit of this answer was reached.")
                return DoneReason.STEP_LIMIT
            await self._run_calls(answer, calls, tools)
            if answer.unreadable_calls > 1:
                logger.warning("the model wrote unreadable arguments twice; the answer ends as text")
                return DoneReason.COMPLETED
        return DoneReason.STEP_LIMIT

    def _request(self, before: Sequence[Message], answer: "_Answer", tools: Sequence[ToolDescriptor]) -> ModelRequest:
        so_far, own = answer.writer.message(), answer.options
        prompt = self._system_prompt() if own.system_prompt is None else own.system_prompt
        sampling = self._sampling
        if own.temperature is not None:
            sampling = dataclasses.replace(sampling, temperature=own.temperature)
        return ModelRequest(
            messages=assemble_context([*before, so_far], system_prompt=prompt),
            sampling=sampling,
            tools=tuple(
                ToolSpec(name=tool.alias, description=tool.description, parameters=tool.input_schema) for tool in tools
            ),
        )

    async def _stream(
        self, answer: "_Answer", request: ModelRequest, tools: Sequence[ToolDescriptor]
    ) -> tuple[FinishReason, list[ToolCallPart]]:
        """Stream one step into the answer; returns how it ended and the calls it made, which are not stored yet."""
        assembler = ToolCallAssembler({tool.alias for tool in tools})
        end: StreamEnd | None = None
        async with alongside(answer.writer.save_regularly()), aclosing(self._model.stream(request)) as chunks:
            async for chunk in chunks:
                answer.count(chunk)
                match chunk:
                    case TextDelta():
                        answer.writer.text(chunk.text, step=answer.step)
                    case ThinkingDelta():
                        answer.writer.thinking(chunk.text, step=answer.step)
                    case ToolCallDelta():
                        assembler.add(chunk)
                    case SourcesFound():
                        answer.writer.beside(SourcesPart(sources=chunk.sources, step=answer.step))
                    case Remark():
                        answer.writer.beside(RemarkPart(code=chunk.code, params=dict(chunk.params), step=answer.step))
                    case Waiting():
                        answer.writer.waiting(chunk.code, chunk.seconds)
                    case StreamEnd():
                        end = chunk
        answer.writer.close_part()
        if end is None:
            raise ModelError("model.ended_early")
        answer.writer.replay(end.replay, step=answer.step)
        answer.add_usage(end.usage)
        await answer.writer.save()
        calls = [
            ToolCallPart(
                call_id=call.call_id, name=call.name, arguments=call.arguments, extra=call.extra, step=answer.step
            )
            for call in assembler.calls(answer.used_ids)
        ]
        answer.used_ids.update(call.call_id for call in calls)
        return end.reason, calls

    async def _run_calls(
        self, answer: "_Answer", calls: Sequence[ToolCallPart], tools: Sequence[ToolDescriptor]
    ) -> None:
        await self._refuse(
            answer, calls[CALLS_PER_STEP:], f"Not run: more than {CALLS_PER_STEP} calls in one step are not accepted."
        )
        await run_all(
            [partial(self._run_call, answer, call, tools) for call in calls[:CALLS_PER_STEP]], at_once=CALLS_AT_ONCE
        )

    async def _run_call(self, answer: "_Answer", call: ToolCallPart, tools: Sequence[ToolDescriptor]) -> None:
        report = await self._tools.execute(
            ToolCallRequest(
                # Ids of endpoints are unique in a thread at best; the journal's are unique everywhere.
                call_id=f"{answer.run.turn.turn_id}:{call.call_id}",
                name=call.name,
                arguments=call.arguments,
                thread_id=answer.run.thread_id,
                turn_id=answer.run.turn.turn_id,
                thread_title=answer.thread_title,
                tools=tuple(tools),
            ),
            partial(answer.writer.call_state, call),
        )
        if report.unreadable:
            answer.unreadable_calls += 1
        await answer.writer.add_result(call, ResultStatus(report.status), report.text, report.duration_seconds)

    @staticmethod
    async def _refuse(answer: "_Answer", calls: Sequence[ToolCallPart], text: str) -> None:
        for call in calls:
            answer.writer.call_state(call, CallState.PROPOSED, None)
            await answer.writer.add_result(call, ResultStatus.ERROR, text)


class _Answer:
    """What one execution keeps in mind."""

    def __init__(self, run: Run, writer: AnswerWriter) -> None:
        self.run = run
        self.writer = writer
        self.thread_title = ""
        self.options = ThreadOptions()
        self.step = 0
        self.usage = Usage()
        self.used_ids: set[str] = set()
        self.unreadable_calls = 0
        self._chars = 0
        self._chunks = 0

    def count(self, chunk: ModelChunk) -> None:
        """Count what was streamed. Raises ``ModelError`` beyond the bounds."""
        self._chunks += 1
        if isinstance(chunk, TextDelta | ThinkingDelta):
            self._chars += len(chunk.text)
        elif isinstance(chunk, ToolCallDelta):
            self._chars += len(chunk.name) + len(chunk.arguments)
        if self._chars > MAX_ANSWER_CHARS or self._chunks > MAX_ANSWER_CHUNKS:
            raise ModelError("model.too_long")

    def add_usage(self, usage: Usage) -> None:
        self.usage = Usage(
            input_tokens=_sum(self.usage.input_tokens, usage.input_tokens),
            output_tokens=_sum(self.usage.output_tokens, usage.output_tokens),
            cached_input_tokens=_sum(self.usage.cached_input_tokens, usage.cached_input_tokens),
            thinking_tokens=_sum(self.usage.thinking_tokens, usage.thinking_tokens),
        )


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b
