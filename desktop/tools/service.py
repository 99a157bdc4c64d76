"""What happens to one tool call: recorded, checked, decided upon, perhaps asked for, run, and reported to the model."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from desktop.core.clock import Clock, utc_now
from desktop.core.digests import canonical_json
from desktop.core.error_texts import english
from desktop.core.errors import ToolError
from desktop.core.ids import new_id
from desktop.core.tasks import uninterrupted
from desktop.tools import policy
from desktop.tools.approval import approval_request, deadline_of, granted_scope, time_limit
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    CallState,
    Choice,
    Ending,
    Grant,
    GrantScope,
    ToolDescriptor,
    ToolOutcome,
    Verdict,
)
from desktop.tools.ports import GrantRepository, ToolGateway, ToolJournal, UserPrompts
from desktop.tools.schema import BadArguments, prepare_arguments
from desktop.tools.schema_check import schema_problem
from desktop.tools.visible_text import reveal, without_surrogates

COMMAND_REFUSED = "User denied command execution."
CALL_REFUSED = "The user refused this tool call."
INTERRUPTED = "Interrupted before it finished."
FOLDER_CHANGED = "Not run: the folder in which commands run was changed after this was allowed. Call it again."

logger = logging.getLogger(__name__)

StateListener = Callable[[CallState, ToolDescriptor | None], None]


class ReportStatus(StrEnum):
    """How a call ended, for the model and the transcript."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, kw_only=True)
class ToolCallRequest:
    """A call as the model made it. ``name`` is the alias it was offered; ``arguments`` its JSON text, unchecked."""

    call_id: str
    """Unique in the journal."""
    name: str
    arguments: str
    thread_id: str
    turn_id: str
    tools: tuple[ToolDescriptor, ...]
    """What this turn offered: only these can be called, as they were then."""
    thread_title: str = ""
    must_ask: bool = False
    """It was found in the model's text: the user is asked in every case, also where a permission covers it."""


@dataclass(frozen=True, kw_only=True)
class ToolCallReport:
    """What the model and the transcript learn of a call."""

    call_id: str
    status: ReportStatus
    text: str
    duration_seconds: float = 0.0
    """How long it ran, without waiting for the user."""
    unreadable: bool = False
    """The arguments were no JSON object at all; a second time in a turn ends it."""


@dataclass(eq=False)
class _Question:
    """Whether a call may run. While it is open it is withdrawn when a grant given meanwhile covers the call."""

    intent: CallIntent
    arguments: Mapping[str, Any]
    must_ask: bool = False
    task: "asyncio.Task[ApprovalAnswer] | None" = None
    grant: Grant | None = None

    def decided_with(self, grant: Grant | None) -> policy.Decision:
        return policy.decide(self.intent.tool, self.arguments, grant, must_ask=self.must_ask)


@dataclass(frozen=True)
class _Decision:
    """What becomes of a call, and why the user refused it, where they said so."""

    state: CallState
    reason: str = ""


class ToolService:
    """Runs the calls of all threads. Nothing runs before the decision for it is on disk.

    ``workspace`` gives the folder in which commands run; ``decider`` is the journal's word for who answers ``prompts``
    (``user`` or ``headless``).
    """

    def __init__(
        self,
        *,
        gateway: ToolGateway,
        prompts: UserPrompts,
        journal: ToolJournal,
        grants: GrantRepository,
        workspace: Callable[[], str],
        clock: Clock = utc_now,
        decider: str = "user",
    ) -> None:
        self._gateway = gateway
        self._prompts = prompts
        self._journal = journal
        self._grants = grants
        self._workspace = workspace
        self._clock = clock
        self._decider = decider
        self._questions: set[_Question] = set()
        self._checkable: dict[str, bool] = {}
        """By the hash of the definition, so that each is examined, and reported, once."""

    async def available(self) -> tuple[ToolDescriptor, ...]:
        """Return the tools for one turn: of ready servers, with distinct aliases and schemas that can be checked."""
        tools: dict[str, ToolDescriptor] = {}
        for tool in await self._gateway.tools():
            if tool.alias in tools:
                logger.error("a second tool with the alias %s is left out", tool.alias)
            elif await self._can_be_checked(tool):
                tools[tool.alias] = tool
        return tuple(tools.values())

    async def _can_be_checked(self, tool: ToolDescriptor) -> bool:
        known = self._checkable.get(tool.definition_hash)
        if known is None:
            await asyncio.sleep(0)  # some milliseconds each: a long list must not hold the window up
            problem = schema_problem(tool.input_schema)
            if problem is not None:
                logger.warning("the tool %s is left out: %s", tool.alias, problem)
            known = self._checkable[tool.definition_hash] = problem is None
        return known

    async def execute(self, request: ToolCallRequest, on_state: StateListener) -> ToolCallReport:
        """Take one call from proposal to result; every failure of a tool is a report, never an exception.

        ``on_state`` is told each state once it is on disk. Raises ``StorageError`` when the journal cannot be written;
        a call whose decision could not be written does not run. When the awaiting task is cancelled, the journal gets
        the call's end before ``CancelledError`` is raised again.
        """
        started = time.monotonic()
        await self._journal.propose(
            request.call_id,
            turn_id=request.turn_id,
            thread_id=request.thread_id,
            name=without_surrogates(request.name),
            arguments=without_surrogates(request.arguments),
        )
        try:
            report = await self._execute(request, on_state)
        except BaseException:
            duration = time.monotonic() - started
            await uninterrupted(self._finish(_interrupted(request.call_id, duration_seconds=duration)))
            raise
        # The call is over: a stop that comes now must not lose its result.
        return await uninterrupted(self._finish(report))

    async def _finish(self, report: ToolCallReport) -> ToolCallReport:
        report = replace(report, text=without_surrogates(report.text) or "(no output)")
        await self._journal.finish(
            report.call_id, status=report.status, result=report.text, duration_seconds=report.duration_seconds
        )
        return report

    async def _execute(self, request: ToolCallRequest, on_state: StateListener) -> ToolCallReport:
        tool = next((t for t in request.tools if t.alias == request.name), None)
        on_state(CallState.PROPOSED, tool)
        if tool is None:
            return _error(request.call_id, _unknown_tool(request.name, request.tools))
        try:
            arguments = prepare_arguments(request.arguments, tool.input_schema)
        except BadArguments as error:
            logger.info("arguments of a call of %s were refused", tool.alias)
            return replace(_error(request.call_id, str(error)), unreadable=error.unreadable)
        intent = self._freeze(request, tool, arguments)
        decision = await self._decide(_Question(intent, arguments, request.must_ask), request.thread_title, on_state)
        match decision.state:
            case CallState.RUNNING:
                return await self._call(intent)
            case CallState.DENIED:
                text = _refusal(tool, decision.reason)
                return ToolCallReport(call_id=request.call_id, status=ReportStatus.DENIED, text=text)
            case _:
                return _interrupted(request.call_id)

    def _freeze(self, request: ToolCallRequest, tool: ToolDescriptor, arguments: Mapping[str, Any]) -> CallIntent:
        if tool.is_shell:
            # The flag demands a question and is no part of what runs; the time limit always stands in the digest.
            arguments = {**arguments, policy.ASK_FLAG: False, "timeout": time_limit(tool, arguments)}
        return CallIntent(
            call_id=request.call_id,
            thread_id=request.thread_id,
            turn_id=request.turn_id,
            tool=tool,
            arguments_json=canonical_json(arguments),
            folder=self._workspace() if tool.is_shell else "",
        )

    async def _decide(self, question: _Question, thread_title: str, on_state: StateListener) -> _Decision:
        """Return RUNNING, DENIED, or WAITING_APPROVAL when the question was aborted; on disk and announced before."""
        intent = question.intent
        grant = await self._find_grant(intent)
        decision = question.decided_with(grant)
        logger.info("call of %s: %s (%s)", intent.tool.alias, decision.verdict, decision.reason)
        match decision.verdict:
            case Verdict.ALLOW:
                return await self._let_run(intent, grant, on_state)
            case Verdict.DENY:
                await self._record(intent, CallState.DENIED, "policy")
                on_state(CallState.DENIED, intent.tool)
                return _Decision(CallState.DENIED)
            case Verdict.ASK:
                return await self._ask(question, thread_title, on_state)

    async def _let_run(self, intent: CallIntent, grant: Grant | None, on_state: StateListener) -> _Decision:
        await self._record(intent, CallState.RUNNING, f"grant:{grant.id}" if grant else "policy")
        if grant is not None:
            await self._grants.mark_used(grant.id)
        on_state(CallState.RUNNING, intent.tool)
        return _Decision(CallState.RUNNING)

    async def _ask(self, question: _Question, thread_title: str, on_state: StateListener) -> _Decision:
        intent = question.intent
        request = approval_request(intent, thread_title, must_ask=question.must_ask)
        self._questions.add(question)
        try:
            await self._record(intent, CallState.WAITING_APPROVAL, "policy")
            on_state(CallState.WAITING_APPROVAL, intent.tool)
            answer = await self._answer(question, request)
        finally:
            self._questions.discard(question)
        if answer is None:
            return await self._let_run(intent, question.grant, on_state)
        allowed = answer.ending is Ending.ANSWERED and answer.choice is not Choice.REFUSE
        state = CallState.RUNNING if allowed else CallState.DENIED
        await self._record(intent, state, self._decider, answer)
        if answer.ending is Ending.ABORTED:
            return _Decision(CallState.WAITING_APPROVAL)
        if allowed and (scope := granted_scope(request, answer.choice)) is not None:
            await self._grant(intent, scope)
        on_state(state, intent.tool)
        return _Decision(state, answer.reason)

    async def _answer(self, question: _Question, request: ApprovalRequest) -> ApprovalAnswer | None:
        """Return the answer, or None when a grant that was given meanwhile answers the question."""
        if question.grant is not None:
            return None
        try:
            async with asyncio.TaskGroup() as group:
                question.task = task = group.create_task(self._prompts.approve(request))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return None if task.cancelled() and question.grant is not None else task.result()

    async def _grant(self, intent: CallIntent, scope: GrantScope) -> None:
        """Store a standing permission, and withdraw the open questions that it answers."""
        whole_tool = scope is GrantScope.THREAD and not intent.tool.is_shell
        grant = Grant(
            id=new_id(),
            scope=scope,
            thread_id=intent.thread_id if scope is GrantScope.THREAD else None,
            server_id=intent.tool.server_id,
            tool_name=intent.tool.name,
            definition_hash=intent.tool.definition_hash,
            digest=None if whole_tool else intent.digest,
            summary=_summary(intent, whole_tool),
            folder=intent.folder,
            created_at=self._clock(),
        )
        await self._grants.add(grant)
        for question in self._questions:
            if policy.covers(grant, question.intent, self._clock()) and (
                question.decided_with(grant).verdict is Verdict.ALLOW
            ):
                question.grant = grant
                if question.task is not None:
                    question.task.cancel()

    async def _find_grant(self, intent: CallIntent) -> Grant | None:
        grant = await self._grants.find(
            digest=intent.digest,
            definition_hash=intent.tool.definition_hash,
            server_id=intent.tool.server_id,
            tool_name=intent.tool.name,
            thread_id=intent.thread_id,
        )
        return grant if grant is not None and policy.covers(grant, intent, self._clock()) else None

    async def _record(
        self, intent: CallIntent, state: CallState, decided_by: str, answer: ApprovalAnswer | None = None
    ) -> None:
        await self._journal.decide(
            intent.call_id,
            state=state,
            server_id=intent.tool.server_id,
            digest=intent.digest,
            choice=answer.choice if answer else None,
            ending=answer.ending if answer else None,
            decided_by=decided_by,
            shown_seconds=answer.shown_seconds if answer else 0.0,
        )

    async def _call(self, intent: CallIntent) -> ToolCallReport:
        started, waited = time.monotonic(), 0.0
        if intent.tool.is_shell and intent.folder != self._workspace():
            return _error(intent.call_id, FOLDER_CHANGED)
        try:
            outcome = await self._gateway.call(intent, deadline_seconds=deadline_of(intent))
            status = _status_of(outcome)
            text, waited = outcome.text, outcome.waited_seconds
        except ToolError as error:
            status = ReportStatus.TIMEOUT if error.code == "tool.timeout" else ReportStatus.ERROR
            text = " ".join(f"{words.rstrip('.')}." for words in english(error.code, error.params))
        except Exception as error:
            logger.exception("the call of %s failed", intent.tool.alias)
            status, text = ReportStatus.ERROR, f"The tool call failed ({type(error).__name__})."
        duration = max(0.0, time.monotonic() - started - waited)
        return ToolCallReport(call_id=intent.call_id, status=status, text=text, duration_seconds=duration)


def _summary(intent: CallIntent, whole_tool: bool) -> str:
    if whole_tool:
        return intent.tool.alias
    return str(intent.arguments["command"]) if intent.tool.is_shell else intent.arguments_json


def _refusal(tool: ToolDescriptor, reason: str) -> str:
    text = COMMAND_REFUSED if tool.is_shell else CALL_REFUSED
    return f"{text} The user says: {reason.strip()}" if reason.strip() else text


def _error(call_id: str, text: str) -> ToolCallReport:
    return ToolCallReport(call_id=call_id, status=ReportStatus.ERROR, text=text)


def _interrupted(call_id: str, *, duration_seconds: float = 0.0) -> ToolCallReport:
    return ToolCallReport(
        call_id=call_id, status=ReportStatus.INTERRUPTED, text=INTERRUPTED, duration_seconds=duration_seconds
    )


def _unknown_tool(name: str, tools: Sequence[ToolDescriptor]) -> str:
    shown = reveal(name[:100])
    if not tools:
        return f'There is no tool called "{shown}". No tools can be called now.'
    names = ", ".join(tool.alias for tool in tools[:50])
    return f'There is no tool called "{shown}". The tools are: {names}.'


def _status_of(outcome: ToolOutcome) -> ReportStatus:
    if outcome.timed_out:
        return ReportStatus.TIMEOUT
    return ReportStatus.ERROR if outcome.is_error else ReportStatus.OK
