"""The agent loop: stream the model, run the tools it asks for, feed the results back, until it asks for none."""

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial

from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.assembler import AssembledCall, ToolCallAssembler
from desktop.agent.continuing import INSTRUCTION, first_step, is_joined
from desktop.agent.events import DoneReason
from desktop.agent.run import Run
from desktop.agent.smaller_window import allowed_bytes, fitted
from desktop.agent.text_calls import calls_in_text
from desktop.conversation.attachments import ImageLoader
from desktop.conversation.context import MAX_ROUNDS, assemble_context
from desktop.conversation.entities import (
    Message,
    RemarkPart,
    ResultStatus,
    SourcesPart,
    ThreadOptions,
    ToolCallPart,
)
from desktop.conversation.ports import ThreadRepository
from desktop.core.costs import Cost
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.language_model import (
    FinishReason,
    Image,
    LanguageModel,
    ModelChunk,
    ModelRequest,
    Remark,
    Sampling,
    SourcesFound,
    StreamEnd,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    ThinkingEffort,
    ToolCallDelta,
    ToolSpec,
    Usage,
    UserMessage,
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

_PROPER_ENDS = (FinishReason.STOP, FinishReason.TOOL_CALLS)


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
        thinking: ThinkingEffort | None = None,
        waited_seconds: Callable[[str], float] = lambda _thread_id: 0.0,
        images: ImageLoader | None = None,
        cost_of: Callable[[Usage], Cost | None] = lambda _usage: None,
    ) -> None:
        """``system_prompt`` and ``sampling`` are what holds for threads that have nothing of their own.

        ``waited_seconds`` tells for how long a thread has waited for its user until now: that is no time of work.
        """
        self._model = model
        self._repository = repository
        self._tools = tools
        self._system_prompt = system_prompt
        self._step_limit = step_limit
        self._sampling = sampling or Sampling()
        self._thinking = thinking
        self._waited_seconds = waited_seconds
        self._images = images
        self._cost_of = cost_of

    @property
    def model(self) -> LanguageModel:
        """Who answers."""
        return self._model

    @property
    def model_name(self) -> str:
        return self._model.name

    async def execute(self, run: Run) -> None:
        """Make the answer of ``run``. Never raises: every end, cancellation included, is a terminal event."""
        answer = _Answer(
            run,
            AnswerWriter(
                run,
                self._repository,
                waited_seconds=partial(self._waited_seconds, run.thread_id),
                cost_of=self._cost_of,
            ),
        )
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
        answer.images = await self._images(before) if self._images is not None else {}
        own = answer.run.turn.assistant_message
        answer.used_ids = {p.call_id for m in (*before, own) for p in m.parts if isinstance(p, ToolCallPart)}
        first = first_step(own.parts)
        for step in range(first, first + self._step_limit):
            answer.step = step
            answer.is_joining = step == first and is_joined(own.parts)
            finish, calls = await self._ask(answer, before, tools)
            if not calls:
                return _REASONS[finish]
            if finish not in _PROPER_ENDS:
                return _REASONS[finish]  # a half-written call is never run
            await answer.writer.add_calls(calls)
            if step == first + self._step_limit - 1:
                await self._refuse(answer, calls, "Not run: the step limit of this answer was reached.")
                return DoneReason.STEP_LIMIT
            await self._run_calls(answer, calls, tools)
            if answer.unreadable_calls > 1:
                logger.warning("the model wrote unreadable arguments twice; the answer ends as text")
                return DoneReason.COMPLETED
        return DoneReason.STEP_LIMIT

    async def _ask(
        self, answer: "_Answer", before: Sequence[Message], tools: Sequence[ToolDescriptor]
    ) -> tuple[FinishReason, list[ToolCallPart]]:
        """Stream one step. What can be mended about the request is mended and the model asked again, a few times at most."""
        while True:
            offered = () if answer.failed_calls > 1 else tools
            request = self._request(before, answer, offered)
            answer.said, answer.has_begun = [], False
            try:
                return await self._stream(answer, request, offered)
            except ModelError as error:
                remark = self._mended(answer, request, error)
                if remark is None:
                    raise
            logger.info("asking the model again: %s", remark.code)
            self._remark(answer, remark)

    def _mended(self, answer: "_Answer", request: ModelRequest, error: ModelError) -> Remark | None:
        """Change how the model is asked and return what to say of it; None where nothing can be done."""
        if error.code == "model.context_full" and answer.allowed_bytes is None and not answer.has_begun:
            limit, needed = _count_in(error, "limit"), _count_in(error, "needed")
            allowed = allowed_bytes(request, limit=limit, needed=needed)
            if len(fitted(request.messages, allowed)) < len(request.messages):
                answer.allowed_bytes = allowed
                return Remark(code="shortened")
        if error.code == "model.call_unreadable" and answer.failed_calls < 2 and not answer.said:
            answer.failed_calls += 1
            detail = error.params.get("detail", "")
            return Remark(code="retried" if answer.failed_calls == 1 else "without_tools", params={"detail": detail})
        return None

    def _request(self, before: Sequence[Message], answer: "_Answer", tools: Sequence[ToolDescriptor]) -> ModelRequest:
        so_far, own = answer.writer.message(), answer.options
        prompt = self._system_prompt() if own.system_prompt is None else own.system_prompt
        sampling = self._sampling
        if own.temperature is not None:
            sampling = dataclasses.replace(sampling, temperature=own.temperature)
        messages = assemble_context([*before, so_far], system_prompt=prompt, images=answer.images)
        if answer.allowed_bytes is not None:
            messages = fitted(messages, answer.allowed_bytes)
        if answer.is_joining:
            messages = (*messages, UserMessage(text=INSTRUCTION))
        return ModelRequest(
            messages=messages,
            sampling=sampling,
            thinking=self._thinking,
            goes_on=answer.is_joining,
            tools=tuple(_offered(tool) for tool in sorted(tools, key=lambda tool: not tool.bundled)),
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
                    case ToolCallDelta():
                        assembler.add(chunk)
                    case StreamEnd():
                        end = chunk
                    case _:
                        self._show(answer, chunk)
        answer.writer.close_part()
        if end is None:
            raise ModelError("model.ended_early")
        answer.writer.replay(end.replay, step=answer.step)
        answer.add_usage(end.usage)
        await answer.writer.save()
        assembled = assembler.calls(answer.used_ids)
        if end.reason in _PROPER_ENDS:
            if not all(call.is_whole for call in assembled):
                return FinishReason.LENGTH, []  # some servers call it a proper end when they cut a call in two
            if not assembled and not answer.is_joining:
                assembled = self._calls_in_text(answer, tools)
        calls = [
            ToolCallPart(
                call_id=call.call_id, name=call.name, arguments=call.arguments, extra=call.extra, step=answer.step
            )
            for call in assembled
        ]
        answer.used_ids.update(call.call_id for call in calls)
        return end.reason, calls

    def _show(self, answer: "_Answer", chunk: ModelChunk) -> None:
        """Put what is no call into the answer."""
        match chunk:
            case ThinkingDelta() if answer.is_joining:
                pass  # a text that goes on is not torn apart by reasoning about that
            case TextDelta():
                answer.said.append(chunk.text)
                answer.writer.text(chunk.text, step=answer.step)
            case TextWasThinking():
                answer.writer.text_was_thinking(sum(map(len, answer.said)), step=answer.step)
                answer.said = []
            case ThinkingDelta():
                answer.writer.thinking(chunk.text, step=answer.step)
            case SourcesFound():
                answer.writer.beside(SourcesPart(sources=chunk.sources, step=answer.step))
            case Remark():
                self._remark(answer, chunk)
            case Waiting():
                answer.writer.waiting(chunk.code, chunk.seconds)
            case ToolCallDelta() | StreamEnd():
                pass  # nothing to be seen yet

    def _calls_in_text(self, answer: "_Answer", tools: Sequence[ToolDescriptor]) -> list[AssembledCall]:
        """The calls that are all of the step's text, to be offered: the text stays, and the user is asked in any case."""
        assembler = ToolCallAssembler({tool.alias for tool in tools})
        found = calls_in_text("".join(answer.said), {tool.alias for tool in tools})
        for index, call in enumerate(found):
            assembler.add(ToolCallDelta(index=index, name=call.name, arguments=call.arguments))
        if calls := assembler.calls(answer.used_ids):
            answer.unsure_calls.update(call.call_id for call in calls)
            self._remark(answer, Remark(code="call_in_text"))
        return calls

    @staticmethod
    def _remark(answer: "_Answer", remark: Remark) -> None:
        if remark not in answer.remarks:  # else it was said in an earlier step
            answer.remarks.append(remark)
            answer.writer.beside(RemarkPart(code=remark.code, params=dict(remark.params), step=answer.step))

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
                must_ask=call.call_id in answer.unsure_calls,
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
        before = run.turn.assistant_message
        self.usage = before.usage
        self.images: Mapping[str, Image] = {}
        self.used_ids: set[str] = set()
        self.unsure_calls: set[str] = set()
        """The ids of calls that the model wrote as text."""
        self.unreadable_calls = 0
        self.is_joining = False
        """This step goes on with the text in which the answer broke off."""
        self.allowed_bytes: int | None = None
        """How long the messages may be, once the model had refused them as too long."""
        self.failed_calls = 0
        """How often the model's server could not read the calls that the model wrote."""
        self.has_begun = False
        """Something of the present step has come."""
        self.said: list[str] = []
        """The text of the present step, which is shown."""
        self.remarks: list[Remark] = []
        self._chars = 0
        self._chunks = 0

    def count(self, chunk: ModelChunk) -> None:
        """Count what was streamed. Raises ``ModelError`` beyond the bounds."""
        self._chunks += 1
        self.has_begun = self.has_begun or not isinstance(chunk, Waiting | Remark)
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


def _count_in(error: ModelError, name: str) -> int | None:
    value = error.params.get(name)
    return value if isinstance(value, int) and value > 0 else None


def _offered(tool: ToolDescriptor) -> ToolSpec:
    return ToolSpec(
        name=tool.alias,
        description=tool.description.strip() or tool.title,  # all that is legible of a name in other letters
        parameters=tool.input_schema,
        group=tool.server_id,
    )


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b
