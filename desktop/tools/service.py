"""What happens to one tool call: recorded, checked, decided upon, perhaps asked for, run, and reported to the model."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from desktop.core.clock import Clock, utc_now
from desktop.core.digests import canonical_json
from desktop.core.error_texts import english
from desktop.core.errors import ToolError
from desktop.core.permission_mode import PermissionMode
from desktop.core.tasks import uninterrupted
from desktop.core.tool_content import ReceivedItem
from desktop.core.workspaces import folder_problem, resolved
from desktop.tools import policy
from desktop.tools.approval import deadline_of, time_limit
from desktop.tools.assessment import Assessment, assess
from desktop.tools.call_report import (
    FOLDER_CHANGED,
    NOT_AS_DECIDED,
    REFUSED_BY_RULE,
    ReportStatus,
    ToolCallReport,
    failed,
    interrupted,
    refusal,
    status_of,
    unknown_tool,
)
from desktop.tools.entities import CallIntent, CallState, ToolDescriptor, ToolOutcome
from desktop.tools.gatekeeper import Case, Gatekeeper, Ruling, StateListener
from desktop.tools.host_tools import HostTool
from desktop.tools.name_clashes import NameIndex
from desktop.tools.pins import HELD, ToolPins
from desktop.tools.ports import (
    GrantRepository,
    ProgressListener,
    ResultKeeper,
    TaintRepository,
    ToolGateway,
    ToolJournal,
    UserPrompts,
)
from desktop.tools.sandbox import NoSandbox, Sandbox, SandboxProfile, SandboxState
from desktop.tools.schema import BadArguments, prepare_arguments
from desktop.tools.schema_check import schema_problem
from desktop.tools.taint import MOST_DETAIL_CHARS, Taint, TaintCause
from desktop.tools.text_flow import brings_text_in
from desktop.tools.trust import UNKNOWN_SERVER, ServerTrust, ToolRule
from desktop.tools.visible_text import without_surrogates

MOST_WHY_CHARS = 200
"""Of why a tool is left out: a server's words are part of it."""

logger = logging.getLogger(__name__)


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
    model: str = ""
    """Which model wants it; several may answer in a thread at once."""
    must_ask: bool = False
    """It was found in the model's text: the user is asked in every case, also where a permission covers it."""
    on_progress: ProgressListener | None = None
    """Hears of the progress that the server reports while the call runs."""
    mode: PermissionMode = PermissionMode.ASK_FOR_RISK
    workspace: str = ""
    """The thread's own folder for commands; empty is the usual one."""
    host_tools: tuple[HostTool, ...] = ()
    """Those of ``tools`` that the app answers itself."""
    carriers: Mapping[str, Callable[[CallIntent], Awaitable[ToolOutcome]]] = field(default_factory=dict[str, Any])
    """Who carries out those of ``tools`` that are decided upon as any other and that no server has, by alias."""


@dataclass(frozen=True)
class LeftOutTool:
    """A tool that is not offered. ``why`` is a phrase in English, which may end in words of its server."""

    alias: str
    why: str


@dataclass(frozen=True)
class TurnTools:
    """The tools of one turn, and those that should be among them and cannot."""

    tools: tuple[ToolDescriptor, ...]
    left_out: tuple[LeftOutTool, ...] = ()
    instructions: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the servers of these tools say of themselves, by their ids: as the user has accepted it. Untrusted."""


class ToolService:
    """Runs the calls of all threads. Nothing runs before the decision for it is on disk.

    ``workspace`` gives the folder in which commands run where a thread has none of its own; ``trust`` says what the
    user set for a server, ``chats`` in which threads alone it is offered (none: in all); ``decider`` is the journal's
    word for who answers ``prompts`` (``user`` or ``headless``). Without ``results`` nothing is kept of a result but its text,
    without ``pins`` no tool is held back.
    """

    def __init__(
        self,
        *,
        gateway: ToolGateway,
        prompts: UserPrompts,
        journal: ToolJournal,
        grants: GrantRepository,
        taints: TaintRepository,
        workspace: Callable[[], str],
        sandbox: Sandbox | None = None,
        trust: Callable[[str], ServerTrust] = lambda _server_id: UNKNOWN_SERVER,
        chats: Callable[[str], Collection[str]] = lambda _server_id: (),
        clock: Clock = utc_now,
        decider: str = "user",
        results: ResultKeeper | None = None,
        pins: ToolPins | None = None,
    ) -> None:
        self._gateway = gateway
        self._journal = journal
        self._taints = taints
        self._workspace = workspace
        self._sandbox = sandbox or NoSandbox()
        self._trust = trust
        self._chats = chats
        self._clock = clock
        self._results = results
        self._pins = pins
        self._gatekeeper = Gatekeeper(prompts=prompts, journal=journal, grants=grants, clock=clock, decider=decider)
        self._problems: dict[str, str] = {}
        """By the hash of the definition, so that each is examined, and reported, once."""

    async def available(
        self, mode: PermissionMode = PermissionMode.ASK_FOR_RISK, *, thread_id: str = ""
    ) -> tuple[ToolDescriptor, ...]:
        """Return the ``tools`` of ``for_turn``."""
        return (await self.for_turn(mode, thread_id=thread_id)).tools

    async def for_turn(self, mode: PermissionMode, *, thread_id: str = "") -> TurnTools:
        """Return the tools for one turn: of ready servers, with distinct aliases and schemas that can be checked.

        Blocked ones are not among them, nor those of servers that are for other threads, and in a chat without tools
        none. Servers that are just starting are waited for.
        """
        tools: dict[str, ToolDescriptor] = {}
        left_out: list[LeftOutTool] = []
        listed = await self._gateway.tools() if mode is not PermissionMode.CHAT_ONLY else ()
        if self._pins is not None:
            await self._pins.judge(*dict.fromkeys(tool.server_id for tool in listed))
        for tool in self._wanted(listed, thread_id):
            if tool.alias in tools:
                logger.error("a second tool with the alias %s is left out", tool.alias)
            elif problem := await self._problem_of(tool):
                left_out.append(LeftOutTool(tool.alias, problem))
            else:
                tools[tool.alias] = tool
        return TurnTools(tuple(tools.values()), tuple(left_out), self._instructions(tools.values()))

    def _instructions(self, tools: Iterable[ToolDescriptor]) -> dict[str, str]:
        if self._pins is None:
            return {}
        servers = dict.fromkeys(tool.server_id for tool in tools if not tool.bundled)
        return {server: text for server in servers if (text := self._pins.instructions(server))}

    def listed(self, mode: PermissionMode, *, thread_id: str = "") -> tuple[ToolDescriptor, ...]:
        """Return about the same of what servers have listed by now: nothing is waited for or examined."""
        if mode is PermissionMode.CHAT_ONLY:
            return ()
        return tuple(self._wanted(self._all_listed(), thread_id))

    def _all_listed(self) -> list[ToolDescriptor]:
        return [tool for status in self._gateway.statuses() for tool in self._gateway.tools_of(status.server_id)]

    def _wanted(self, tools: Iterable[ToolDescriptor], thread_id: str) -> Iterator[ToolDescriptor]:
        for tool in tools:
            only_in = self._chats(tool.server_id)
            is_blocked = self._trust_in(tool).rule_for(tool.name) is ToolRule.BLOCK
            if not is_blocked and not self._is_held(tool) and (not only_in or thread_id in only_in):
                yield tool

    def _is_held(self, tool: ToolDescriptor) -> bool:
        return self._pins is not None and self._pins.is_held(tool)

    async def _problem_of(self, tool: ToolDescriptor) -> str:
        """Why its calls cannot be checked; empty where they can."""
        known = self._problems.get(tool.definition_hash)
        if known is None:
            await asyncio.sleep(0)  # some milliseconds each: a long list must not hold the window up
            known = self._problems[tool.definition_hash] = (schema_problem(tool.input_schema) or "")[:MOST_WHY_CHARS]
            if known:
                logger.warning("the tool %s is left out: %s", tool.alias, known)
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
            await uninterrupted(self._finish(interrupted(request.call_id, duration_seconds=duration)))
            raise
        # The call is over: a stop that comes now must not lose its result.
        return await uninterrupted(self._finish(report))

    async def _finish(self, report: ToolCallReport) -> ToolCallReport:
        report = replace(report, text=without_surrogates(report.text) or "(no output)")
        await self._journal.finish(
            report.call_id,
            status=report.status,
            result=report.text,
            duration_seconds=report.duration_seconds,
            items=report.items,
        )
        return report

    async def _execute(self, request: ToolCallRequest, on_state: StateListener) -> ToolCallReport:
        tool = next((t for t in request.tools if t.alias == request.name), None)
        on_state(CallState.PROPOSED, tool)
        if tool is None:
            return failed(request.call_id, unknown_tool(request.name, request.tools))
        try:
            arguments = prepare_arguments(request.arguments, tool.input_schema)
        except BadArguments as error:
            logger.info("arguments of a call of %s were refused", tool.alias)
            return replace(failed(request.call_id, str(error)), unreadable=error.unreadable)
        if (own := next((host for host in request.host_tools if host.descriptor is tool), None)) is not None:
            text = await own.run(request.call_id, arguments, self._journal, on_state)
            return ToolCallReport(call_id=request.call_id, status=ReportStatus.OK, text=text)
        if self._is_held(tool):
            return failed(request.call_id, HELD)
        if tool.is_shell and request.workspace and (problem := folder_problem(request.workspace)) is not None:
            return failed(request.call_id, f"Not run: {problem.english}")
        case = await self._freeze(request, tool, arguments)
        ruling = await self._gatekeeper.rule(case, on_state)
        match ruling.state:
            case CallState.RUNNING:
                return await self._call(case, ruling, request)
            case CallState.DENIED:
                text = REFUSED_BY_RULE.get(ruling.reason) or refusal(tool, ruling.words)
                return ToolCallReport(call_id=request.call_id, status=ReportStatus.DENIED, text=text)
            case _:
                return interrupted(request.call_id)

    async def note_foreign_text(self, thread_id: str, cause: TaintCause, detail: str) -> None:
        """Remember that a thread now holds what somebody else wrote. Raises ``StorageError``."""
        if await self._taints.of(thread_id) is None:
            shown = without_surrogates(detail)[:MOST_DETAIL_CHARS]
            await self._taints.add(thread_id, Taint(cause=cause, detail=shown, at=self._clock()))

    async def _freeze(self, request: ToolCallRequest, tool: ToolDescriptor, arguments: Mapping[str, Any]) -> Case:
        """Return exactly what would run, and all that the decision depends on."""
        given = arguments
        folder = self._folder(request) if tool.is_shell else ""
        if tool.is_shell:
            # The flag demands a question and is no part of what runs; the time limit always stands in the digest.
            arguments = {**arguments, policy.ASK_FLAG: False, "timeout": time_limit(tool, arguments)}
        assessment = assess(tool, arguments, folder)
        if confusing := NameIndex(self._all_listed()).findings(tool):
            assessment = replace(assessment, findings=(*assessment.findings, *confusing))
        held = await self._sandbox_for(tool, assessment, folder)
        intent = CallIntent(
            call_id=request.call_id,
            thread_id=request.thread_id,
            turn_id=request.turn_id,
            tool=tool,
            arguments_json=canonical_json(arguments),
            folder=folder,
            sandbox=SandboxProfile.NONE if held is None else assessment.profile(held),
        )
        around = policy.Circumstances(
            mode=request.mode,
            trust=self._trust_in(tool),
            assessment=assessment,
            sandbox=intent.sandbox,
            no_sandbox=held.problem if held is not None else None,
            taint=await self._taints.of(request.thread_id),
            must_ask=request.must_ask,
        )
        return Case(intent, given, around, request.thread_title, request.model)

    async def _sandbox_for(self, tool: ToolDescriptor, assessment: Assessment, folder: str) -> SandboxState | None:
        """How the sandbox is; None for a call that one would not do for."""
        needs_none = not tool.is_shell or assessment.access is SandboxProfile.NONE
        return None if needs_none else await self._sandbox.state(folder)

    def _folder(self, request: ToolCallRequest) -> str:
        """Where it really lies: a link may lead elsewhere by the time the call runs."""
        return resolved(request.workspace or self._workspace())

    def _trust_in(self, tool: ToolDescriptor) -> ServerTrust:
        trust = self._trust(tool.server_id)
        return replace(trust, is_trusted=True) if tool.bundled else trust

    async def _call(self, case: Case, ruling: Ruling, request: ToolCallRequest) -> ToolCallReport:
        intent = case.intent
        started, waited = time.monotonic(), 0.0
        received: tuple[ReceivedItem, ...] = ()
        if intent.digest != ruling.digest:
            logger.error("a call of %s was changed after the decision", intent.tool.alias)
            return failed(intent.call_id, NOT_AS_DECIDED)
        if self._is_held(intent.tool):  # changed while the user was asked
            return failed(intent.call_id, HELD)
        if intent.tool.is_shell and intent.folder != self._folder(request):
            return failed(intent.call_id, FOLDER_CHANGED)
        try:
            outcome = await self._outcome(case, request)
            if outcome.not_held:
                self._sandbox.forget()
            status = status_of(outcome)
            text, waited, received = outcome.text, outcome.waited_seconds, outcome.received
        except ToolError as error:
            status = ReportStatus.TIMEOUT if error.code == "tool.timeout" else ReportStatus.ERROR
            text = " ".join(f"{words.rstrip('.')}." for words in english(error.code, error.params))
        except Exception as error:
            logger.exception("the call of %s failed", intent.tool.alias)
            status, text = ReportStatus.ERROR, f"The tool call failed ({type(error).__name__})."
        await self._note_origin(case)
        duration = max(0.0, time.monotonic() - started - waited)
        items = await self._results.keep(received) if self._results else tuple(one.item for one in received)
        return ToolCallReport(call_id=intent.call_id, status=status, text=text, duration_seconds=duration, items=items)

    async def _outcome(self, case: Case, request: ToolCallRequest) -> ToolOutcome:
        """Make the call; once more where its server went away and the call is known to change nothing."""
        intent = case.intent
        if (carry := request.carriers.get(intent.tool.alias)) is not None and intent.tool.bundled:
            return await carry(intent)
        for may_try_again in (policy.may_repeat(intent.tool, case.around), False):
            try:
                return await self._gateway.call(
                    intent, deadline_seconds=deadline_of(intent), on_progress=request.on_progress
                )
            except ToolError as error:
                if not may_try_again or error.code != "tool.server_gone":
                    raise
            logger.info("the server went away during a call of %s, which only reads: once more", intent.tool.alias)
        raise AssertionError("the second try returns or raises")

    async def _note_origin(self, case: Case) -> None:
        """Remember before the model reads it that what came back may be somebody else's text."""
        tool, around = case.intent.tool, case.around
        cause = brings_text_in(tool, around.assessment, case.intent.sandbox, around.trust)
        if cause is not None:
            detail = str(case.intent.arguments.get("command", "")) if tool.is_shell else f"{tool.server_id} {tool.name}"
            await self.note_foreign_text(case.intent.thread_id, cause, detail)
