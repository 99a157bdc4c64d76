"""The agent loop: stream the model, run the tools it asks for, feed the results back, until it asks for none."""

import asyncio
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, nullcontext
from functools import partial

from desktop.agent.answer_state import PROPER_ENDS, REASONS, AnswerState
from desktop.agent.answer_store import AnswerStore
from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.assembler import AssembledCall, ToolCallAssembler, assembled
from desktop.agent.assistant_calls import AssistantCalls, WithoutAssistants
from desktop.agent.continuing import INSTRUCTION, first_step, is_joined, with_words
from desktop.agent.events import DoneReason
from desktop.agent.loop_guard import REPEATED, is_circling
from desktop.agent.mending import mended
from desktop.agent.plan_desk import NobodyToAsk, PlanAsker
from desktop.agent.planning import Planning, asked_about, wants_plan
from desktop.agent.recaller import Asked, Recaller
from desktop.agent.request_recorder import RequestRecorder
from desktop.agent.run import Run
from desktop.agent.server_sampling import Lend
from desktop.agent.text_calls import calls_in_text
from desktop.agent.tool_choice import ToolChoice, ToolRoom, calls_of, names_called
from desktop.agent.tool_specs import tool_specs
from desktop.agent.window_maker import WindowMaker
from desktop.conversation.attachments import ImageLoader
from desktop.conversation.context import MAX_ROUNDS
from desktop.conversation.entities import Message, ResultStatus, SourcesPart, ToolCallPart
from desktop.conversation.result_text import is_cut
from desktop.core.costs import Cost
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
    TextWasThinking,
    ThinkingDelta,
    ThinkingEffort,
    ToolCallDelta,
    Usage,
    Waiting,
)
from desktop.core.permission_mode import PermissionMode
from desktop.core.tasks import alongside, run_all, uninterrupted
from desktop.tools.entities import CallState, ToolDescriptor
from desktop.tools.server_instructions import quoted_instructions
from desktop.tools.service import ToolCallReport, ToolCallRequest, ToolService
from desktop.tools.taint import TaintCause

CALLS_AT_ONCE = 8
CALLS_PER_STEP = 64
"""More calls than this in one step are answered with an error instead of being run."""

logger = logging.getLogger(__name__)


class AgentLoop:
    """Makes one answer. Holds no state between answers, so one object may serve many."""

    def __init__(
        self,
        *,
        model: LanguageModel,
        recorded_as: str = "",
        repository: AnswerStore,
        tools: ToolService,
        system_prompt: Callable[[], str],
        step_limit: int,
        sampling: Sampling | None = None,
        thinking: ThinkingEffort | None = None,
        mode: PermissionMode = PermissionMode.ASK_FOR_RISK,
        waited_seconds: Callable[[str, str], float] = lambda _thread_id, _turn_id: 0.0,
        images: ImageLoader | None = None,
        cost_of: Callable[[Usage], Cost | None] = lambda _usage: None,
        windows: WindowMaker | None = None,
        tool_room: ToolRoom | None = None,
        lend: Lend | None = None,
        recorder: RequestRecorder | None = None,
        recaller: Recaller | None = None,
        require_key: Callable[[], Awaitable[None]] | None = None,
        plans: PlanAsker | None = None,
        assistants: AssistantCalls | None = None,
    ) -> None:
        """``system_prompt``, ``sampling`` and ``mode`` are what holds for threads that have nothing of their own.

        ``windows`` chooses what of a chat the model is sent, ``tool_room`` says how many tools at once. ``require_key``
        raises where the model's key is missing, before anything is waited for.
        ``waited_seconds`` tells for how long a turn of a thread has waited for the user until now: no time of work.
        ``lend`` lets the servers that a turn calls use its model meanwhile, and tells what that took.
        """
        self._model = model
        self._model_name = recorded_as or model.name
        self._repository = repository
        self._tools = tools
        self._system_prompt = system_prompt
        self._step_limit = step_limit
        self._sampling = sampling or Sampling()
        self._thinking = thinking
        self._mode = mode
        self._waited_seconds = waited_seconds
        self._images = images
        self._cost_of = cost_of
        self._windows = windows or WindowMaker()
        self._tool_room = tool_room or ToolRoom()
        self._lend = lend
        self._recorder = recorder
        self._recaller = recaller
        self._require_key = require_key or partial(asyncio.sleep, 0)
        self._plans = plans or NobodyToAsk()
        self._assistants = assistants or WithoutAssistants()

    @property
    def model(self) -> LanguageModel:
        """Who answers."""
        return self._model

    @property
    def model_name(self) -> str:
        """What its answers are recorded under."""
        return self._model_name

    async def execute(self, run: Run) -> None:
        """Make the answer of ``run``. Never raises: every end, cancellation included, is a terminal event."""
        answer = AnswerState(
            run,
            AnswerWriter(
                run,
                self._repository,
                waited_seconds=partial(self._waited_seconds, run.thread_id, run.turn.turn_id),
                cost_of=self._cost_of,
            ),
        )
        try:
            run.begin()
            await self._require_key()
            with nullcontext() if self._lend is None else self._lend(run.turn.turn_id, answer.add_usage):
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

    async def _steps(self, answer: AnswerState) -> DoneReason:
        thread_id = answer.run.thread_id
        if (thread := await self._repository.get_thread(thread_id)) is not None:
            answer.thread_title, answer.options = thread.title, self._assistants.in_force(thread.options)
        answer.usual_mode = self._mode
        found = self._assistants.narrowed(await self._tools.for_turn(answer.mode, thread_id=thread_id), answer)
        for tool in found.left_out:
            answer.remark(Remark(code="tool_unusable", params={"name": tool.alias, "detail": tool.why}))
        # Not the thread's path: other answers to the same message may stand on it, and no answer knows of those.
        asked = answer.run.turn.user_message
        before = await self._repository.path(asked.thread_id, last=2 * MAX_ROUNDS, until=asked.id)
        answer.path = before
        answer.summary = await self._windows.summary_for(asked.thread_id, asked.id)
        await self._note_files(answer, before)
        await self._load_images(answer, before)
        own = answer.run.turn.assistant_message
        answer.used_ids = {call.call_id for call in calls_of((*before, own))}
        tools = await ToolChoice.among(found.tools, self._tool_room)
        await self._recall(answer, before)
        answer.said_by_servers = quoted_instructions(found.instructions, self._tool_room.instruction_bytes)
        if (remark := tools.remark(tools.offered(names_called((*before, own))))) is not None:
            answer.remark(remark)
        rounds = partial(self._rounds, answer, before, tools)
        if not wants_plan(answer):
            return await rounds(first_step(own.parts))
        ask, recall = partial(self._ask, answer, before), partial(self._recall, answer, before)
        return await Planning(answer, self._plans, ask=ask, carry_out=rounds, recall=recall, tools=tools.all).execute()

    async def _rounds(
        self, answer: AnswerState, before: Sequence[Message], tools: ToolChoice, first: int
    ) -> DoneReason:
        """Ask the model from this step on, and run what it calls, until it calls nothing any more."""
        own = answer.run.turn.assistant_message.parts
        for step in range(first, first + self._step_limit):
            answer.step = step
            answer.is_joining = step == first_step(own) and is_joined(own)
            finish, calls = await self._ask(answer, before, tools)
            if not calls:
                return REASONS[finish]
            if finish not in PROPER_ENDS:
                return REASONS[finish]  # a half-written call is never run
            await answer.writer.add_calls(calls)
            if step == first + self._step_limit - 1:
                await self._refuse(answer, calls, "Not run: the step limit of this answer was reached.")
                return DoneReason.STEP_LIMIT
            if answer.is_circling or is_circling(answer.writer.message().parts, calls):
                await self._refuse(answer, calls, REPEATED)
                if answer.is_circling:
                    return DoneReason.COMPLETED
                answer.is_circling = True
                answer.remark(Remark(code="repeated_call"))
                continue
            reports = await self._run_calls(answer, calls, tools)
            if any(item.is_sendable for report in reports for item in report.items):
                await self._load_images(answer, before)
            if answer.unreadable_calls > 1:
                logger.warning("the model wrote unreadable arguments twice; the answer ends as text")
                return DoneReason.COMPLETED
        return DoneReason.STEP_LIMIT

    async def _ask(
        self, answer: AnswerState, before: Sequence[Message], tools: ToolChoice
    ) -> tuple[FinishReason, list[ToolCallPart]]:
        """Stream one step. What can be mended about the request is mended and the model asked again, a few times at most."""
        while True:
            without = answer.failed_calls > 1 or answer.is_circling
            offered = () if without else tools.offered(names_called((*before, answer.writer.message())))
            request = await self._request(before, answer, offered)
            answer.said, answer.has_begun = [], False
            try:
                return await self._stream(answer, request, () if without else tools.all)
            except ModelError as error:
                remark = mended(answer, request, error)
                if remark is None:
                    raise
            logger.info("asking the model again: %s", remark.code)
            answer.remark(remark)

    async def _request(
        self, before: Sequence[Message], answer: AnswerState, tools: Sequence[ToolDescriptor]
    ) -> ModelRequest:
        so_far, own = answer.writer.message(), answer.options
        prompt = self._system_prompt() if own.system_prompt is None else own.system_prompt
        prompt = "\n\n".join(filter(None, (prompt, answer.told.standing, answer.said_by_servers)))
        sampling = self._sampling
        if own.temperature is not None:
            sampling = dataclasses.replace(sampling, temperature=own.temperature)
        specs = tool_specs(tools)
        window = await self._windows.choose(answer, [*before, so_far], prompt=prompt, tools=specs)
        messages = answer.told.before_question(window.messages)
        if answer.is_joining or answer.asked_for:
            messages = with_words(messages, answer.asked_for or INSTRUCTION)
        return ModelRequest(
            messages=messages,
            sampling=sampling,
            thinking=self._thinking,
            goes_on=answer.is_joining,
            tools=specs,
        )

    async def _stream(
        self, answer: AnswerState, request: ModelRequest, tools: Sequence[ToolDescriptor]
    ) -> tuple[FinishReason, list[ToolCallPart]]:
        """Stream one step into the answer; returns how it ended and the calls it made, which are not stored yet."""
        assembler = ToolCallAssembler({tool.alias for tool in tools})
        end: StreamEnd | None = None
        stream = self._model.stream(request)
        if self._recorder is not None:
            stream = self._recorder.stream(self._model, request, answer, tools, self._windows.result_bytes)
        async with alongside(answer.writer.save_regularly()), aclosing(stream) as chunks:
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
        if end.reason in PROPER_ENDS:
            if not all(call.is_whole for call in assembled):
                return FinishReason.LENGTH, []  # some servers call it a proper end when they cut a call in two
            if not assembled and not answer.is_joining and not answer.asked_for:
                assembled = self._calls_in_text(answer, tools)
        calls = [
            ToolCallPart(
                call_id=call.call_id, name=call.name, arguments=call.arguments, extra=call.extra, step=answer.step
            )
            for call in assembled
        ]
        answer.used_ids.update(call.call_id for call in calls)
        return end.reason, calls

    def _show(self, answer: AnswerState, chunk: ModelChunk) -> None:
        """Put what is no call into the answer."""
        match chunk:
            case ThinkingDelta() if answer.is_joining:
                pass  # a text that goes on is not torn apart by reasoning about that
            case TextDelta() if answer.asked_for:  # what is said about a plan is no answer
                answer.said.append(chunk.text)
                answer.writer.thinking(chunk.text, step=answer.step)
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
                answer.remark(chunk)
            case Waiting():
                answer.writer.waiting(chunk.code, chunk.seconds)
            case ToolCallDelta() | StreamEnd():
                pass  # nothing to be seen yet

    def _calls_in_text(self, answer: AnswerState, tools: Sequence[ToolDescriptor]) -> list[AssembledCall]:
        """The calls that are all of the step's text, to be offered: the text stays, and the user is asked in any case."""
        aliases = {tool.alias for tool in tools}
        if calls := assembled(calls_in_text("".join(answer.said), aliases), aliases, answer.used_ids):
            answer.unsure_calls.update(call.call_id for call in calls)
            answer.remark(Remark(code="call_in_text"))
        return calls

    async def _note_files(self, answer: AnswerState, before: Sequence[Message]) -> None:
        """What is attached was mostly written by somebody else, and the model reads it as it reads the user."""
        for name in [part.name for message in before for part in message.attachments][:1]:
            await self._tools.note_foreign_text(answer.run.thread_id, TaintCause.ATTACHMENT, name)

    async def _recall(self, answer: AnswerState, before: Sequence[Message], about: str = "") -> None:
        """Have the answer told what was said before; what it is sent anyway it need not be told."""
        if self._recaller is None:
            return
        question, own = asked_about(answer.run.turn, about)
        window = await self._windows.choose(answer, [*before, own], prompt="", tools=())
        sent = {message.id for message in before}.difference(window.covered, window.dropped)
        asked = Asked(question=question, path=before, sent=sent, answer=own, options=answer.options)
        answer.hear(await self._recaller.told(asked))

    async def _load_images(self, answer: AnswerState, before: Sequence[Message]) -> None:
        if self._images is not None:
            answer.images = await self._images((*before, answer.writer.message()))

    async def _run_calls(
        self, answer: AnswerState, calls: Sequence[ToolCallPart], tools: ToolChoice
    ) -> list[ToolCallReport]:
        await self._refuse(
            answer, calls[CALLS_PER_STEP:], f"Not run: more than {CALLS_PER_STEP} calls in one step are not accepted."
        )
        return await run_all(
            [partial(self._run_call, answer, call, tools) for call in calls[:CALLS_PER_STEP]], at_once=CALLS_AT_ONCE
        )

    async def _run_call(self, answer: AnswerState, call: ToolCallPart, tools: ToolChoice) -> ToolCallReport:
        report = await self._tools.execute(
            ToolCallRequest(
                # Ids of endpoints are unique in a thread at best; the journal's are unique everywhere.
                call_id=f"{answer.run.turn.turn_id}:{answer.run.call_prefix}{call.call_id}",
                name=call.name,
                arguments=call.arguments,
                thread_id=answer.run.thread_id,
                turn_id=answer.run.turn.turn_id,
                thread_title=answer.thread_title,
                model=self.model_name,
                tools=tools.all,
                host_tools=tools.host_tools,
                must_ask=call.call_id in answer.unsure_calls,
                on_progress=partial(answer.writer.call_progress, call),
                mode=answer.mode,
                workspace=answer.options.workspace or "",
                carriers=self._assistants.carriers(answer, call),
            ),
            partial(answer.writer.call_state, call),
        )
        if report.unreadable:
            answer.unreadable_calls += 1
        status, took = ResultStatus(report.status), report.duration_seconds
        result = await answer.writer.add_result(call, status, report.text, took, report.items)
        if is_cut(result, self._windows.result_bytes):
            answer.remark(Remark(code="result_cut"))
        return report

    @staticmethod
    async def _refuse(answer: AnswerState, calls: Sequence[ToolCallPart], text: str) -> None:
        for call in calls:
            answer.writer.call_state(call, CallState.PROPOSED, None)
            await answer.writer.add_result(call, ResultStatus.ERROR, text)
