"""Decides upon one frozen call: by the policy, by a permission, or by asking; on disk before anything runs."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from desktop.core.clock import Clock
from desktop.core.ids import new_id
from desktop.tools import policy
from desktop.tools.approval import approval_request, given_permission
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    CallState,
    Choice,
    Ending,
    Grant,
    GrantScope,
    Lasting,
    ToolDescriptor,
    Verdict,
)
from desktop.tools.ports import GrantRepository, ToolJournal, UserPrompts

_LASTS: Mapping[Lasting, timedelta | None] = {
    Lasting.UNTIL_REVOKED: None,
    Lasting.HOUR: timedelta(hours=1),
    Lasting.DAY: timedelta(days=1),
    Lasting.WEEK: timedelta(weeks=1),
}

logger = logging.getLogger(__name__)

StateListener = Callable[[CallState, ToolDescriptor | None], None]


@dataclass(frozen=True)
class Ruling:
    """What becomes of a call: RUNNING, DENIED, or WAITING_APPROVAL when the question was aborted.

    ``digest`` is the hash of what was decided upon: nothing else may run. ``words`` is why the user refused it, where
    they said so.
    """

    state: CallState
    reason: policy.Reason
    digest: str = ""
    words: str = ""


@dataclass(eq=False)
class Case:
    """Whether a call may run. While its question is open it is withdrawn when a grant given meanwhile covers the call."""

    intent: CallIntent
    arguments: Mapping[str, Any]
    """As the model gave them, with its demand to be asked."""
    around: policy.Circumstances
    thread_title: str = ""
    model: str = ""
    reason: policy.Reason = policy.Reason.NO_GRANT
    task: "asyncio.Task[ApprovalAnswer] | None" = None
    grant: Grant | None = None

    def decided_with(self, grant: Grant | None) -> policy.Decision:
        return policy.decide(self.intent.tool, self.arguments, grant, self.around)


class Gatekeeper:
    """Decides for all threads. ``decider`` is the journal's word for who answers ``prompts``."""

    def __init__(
        self, *, prompts: UserPrompts, journal: ToolJournal, grants: GrantRepository, clock: Clock, decider: str
    ) -> None:
        self._prompts = prompts
        self._journal = journal
        self._grants = grants
        self._clock = clock
        self._decider = decider
        self._open: set[Case] = set()

    async def rule(self, case: Case, on_state: StateListener) -> Ruling:
        """Return what becomes of the call; on disk and announced before. Raises ``StorageError``."""
        intent = case.intent
        grant = await self._find_grant(case)
        decision = case.decided_with(grant)
        case.reason = decision.reason
        logger.info("call of %s: %s (%s)", intent.tool.alias, decision.verdict, decision.reason)
        match decision.verdict:
            case Verdict.ALLOW:
                return await self._let_run(case, grant if decision.reason is policy.Reason.GRANT else None, on_state)
            case Verdict.DENY:
                await self._record(case, CallState.DENIED, "policy")
                on_state(CallState.DENIED, intent.tool)
                return Ruling(CallState.DENIED, case.reason)
            case Verdict.ASK:
                return await self._ask(case, on_state)

    async def _let_run(self, case: Case, grant: Grant | None, on_state: StateListener) -> Ruling:
        digest = await self._record(case, CallState.RUNNING, f"grant:{grant.id}" if grant else "policy")
        if grant is not None:
            await self._grants.mark_used(grant.id)
        on_state(CallState.RUNNING, case.intent.tool)
        return Ruling(CallState.RUNNING, case.reason, digest)

    async def _ask(self, case: Case, on_state: StateListener) -> Ruling:
        request = approval_request(case.intent, case.around, case.thread_title, case.model)
        self._open.add(case)
        try:
            await self._record(case, CallState.WAITING_APPROVAL, "policy")
            on_state(CallState.WAITING_APPROVAL, case.intent.tool)
            answer = await self._answer(case, request)
        finally:
            self._open.discard(case)
        if answer is None:
            case.reason = policy.Reason.GRANT
            return await self._let_run(case, case.grant, on_state)
        allowed = answer.ending is Ending.ANSWERED and answer.choice is not Choice.REFUSE
        state = CallState.RUNNING if allowed else CallState.DENIED
        digest = await self._record(case, state, self._decider, answer)
        if answer.ending is Ending.ABORTED:
            return Ruling(CallState.WAITING_APPROVAL, case.reason)
        if allowed:
            await self._keep_permission(case, request, answer)
        on_state(state, case.intent.tool)
        return Ruling(state, case.reason, digest, answer.reason)

    async def _answer(self, case: Case, request: ApprovalRequest) -> ApprovalAnswer | None:
        """Return the answer, or None when a grant that was given meanwhile answers the question."""
        if case.grant is not None:
            return None
        try:
            async with asyncio.TaskGroup() as group:
                case.task = task = group.create_task(self._prompts.approve(request))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return None if task.cancelled() and case.grant is not None else task.result()

    async def _keep_permission(self, case: Case, request: ApprovalRequest, answer: ApprovalAnswer) -> None:
        """Store what was allowed beyond this one call, and withdraw the open questions that it answers."""
        permission = given_permission(request, answer)
        if permission is None:
            return
        scope, pattern = permission
        intent = case.intent
        whole_tool = scope is GrantScope.THREAD and pattern is None and not intent.tool.is_shell
        grant = Grant(
            id=new_id(),
            scope=scope,
            thread_id=intent.thread_id if scope is GrantScope.THREAD else None,
            server_id=intent.tool.server_id,
            tool_name=intent.tool.name,
            definition_hash=intent.tool.definition_hash,
            digest=None if whole_tool or pattern is not None else intent.digest,
            summary=_summary(intent, whole_tool),
            folder=intent.folder,
            created_at=self._clock(),
            pattern=pattern,
            expires_at=self._end_of(answer.lasting),
            knows_foreign_text=request.taint is not None,
        )
        await self._grants.add(grant)
        for other in self._open:
            if policy.covers(grant, other.intent, self._clock()) and (
                other.decided_with(grant).verdict is Verdict.ALLOW
            ):
                other.grant = grant
                if other.task is not None:
                    other.task.cancel()

    def _end_of(self, lasting: Lasting) -> datetime | None:
        lasts = _LASTS[lasting]
        return None if lasts is None else self._clock() + lasts

    async def _find_grant(self, case: Case) -> Grant | None:
        """Return the first grant that lets the call run, else the first that covers it."""
        intent = case.intent
        candidates = await self._grants.candidates(
            digest=intent.digest,
            definition_hash=intent.tool.definition_hash,
            server_id=intent.tool.server_id,
            tool_name=intent.tool.name,
            thread_id=intent.thread_id,
        )
        covering = [grant for grant in candidates if policy.covers(grant, intent, self._clock())]
        sufficient = (grant for grant in covering if case.decided_with(grant).verdict is Verdict.ALLOW)
        return next(sufficient, next(iter(covering), None))

    async def _record(self, case: Case, state: CallState, decided_by: str, answer: ApprovalAnswer | None = None) -> str:
        """Put the decision on disk and return the hash of what was decided upon."""
        digest = case.intent.digest
        await self._journal.decide(
            case.intent.call_id,
            state=state,
            server_id=case.intent.tool.server_id,
            digest=digest,
            choice=answer.choice if answer else None,
            ending=answer.ending if answer else None,
            decided_by=decided_by,
            shown_seconds=answer.shown_seconds if answer else 0.0,
            reason=case.reason,
            noticed=case.around.assessment.findings,
            sandbox=case.intent.sandbox,
        )
        return digest


def _summary(intent: CallIntent, whole_tool: bool) -> str:
    if whole_tool:
        return intent.tool.alias
    return str(intent.arguments["command"]) if intent.tool.is_shell else intent.arguments_json
