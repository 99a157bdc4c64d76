"""All configured servers behind one port: their tools under names of ours, and calls with deadlines."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from desktop.core.digests import APPROVAL_META_KEY, approval_proof
from desktop.core.errors import ToolError
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.elicitation import RefusedQuestionError, checked_url
from desktop.mcp_client.listing import describe_all
from desktop.mcp_client.results import outcome_of
from desktop.mcp_client.server_session import ServerSession
from desktop.tools.entities import (
    CallIntent,
    ElicitationAction,
    ElicitationMode,
    ElicitationRequest,
    ServerConfig,
    ServerState,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
    Transport,
)
from desktop.tools.ports import ToolGateway, UserPrompts

logger = logging.getLogger(__name__)

_URL_ELICITATION_REQUIRED = -32042
_MAX_URL_QUESTIONS = 3
_RETRY_FAILED_SECONDS = 30.0


class McpGateway(ToolGateway):
    """Implements ``ToolGateway`` with one ``ServerSession`` for each enabled server."""

    def __init__(
        self,
        configs: Sequence[ServerConfig],
        *,
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        settle_seconds: float = 5.0,
        bundled_settle_seconds: float = 20.0,
        init_timeout_seconds: float = 30.0,
    ) -> None:
        """``settle_seconds`` bounds how long ``tools`` waits for a server that is still starting."""
        self.status_changed = Signal[ServerStatus]()
        self._prompts = prompts
        self._settle_seconds = settle_seconds
        self._bundled_settle_seconds = bundled_settle_seconds
        self._started_at: float | None = None
        self._tools: dict[str, tuple[ToolDescriptor, ...]] = {}
        self._sessions = {
            config.id: ServerSession(
                config,
                prompts=prompts,
                tasks=tasks,
                on_change=self._changed,
                init_timeout_seconds=init_timeout_seconds,
            )
            for config in configs
            if config.enabled
        }

    def start(self) -> None:
        """Begin to start all servers side by side, in the background."""
        self._started_at = asyncio.get_running_loop().time()
        for session in self._sessions.values():
            session.start()

    async def close(self) -> None:
        """Stop all servers with everything they started."""
        await asyncio.gather(*(session.close() for session in self._sessions.values()))

    def restart(self, server_id: str) -> None:
        """Start a server again that has failed. Unknown and running ones are left alone."""
        session = self._sessions.get(server_id)
        if session is not None:
            session.start()

    def statuses(self) -> tuple[ServerStatus, ...]:
        return tuple(session.status for session in self._sessions.values())

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        if self._started_at is not None:
            self._retry_failed()
            await asyncio.gather(*(self._settled(session) for session in self._sessions.values()))
        return tuple(tool for tools in self._tools.values() for tool in tools)

    async def call(self, intent: CallIntent, *, deadline_seconds: float) -> ToolOutcome:
        session = self._sessions.get(intent.tool.server_id)
        if session is None:
            raise ToolError("tool.server_gone", server=intent.tool.server_id, detail="It is not configured.")
        answer: ToolOutcome | Exception
        try:
            async with session.calls.running(intent.thread_id, deadline_seconds):
                if not await session.wait_ready():
                    detail = session.status.detail or "It is not running."
                    raise ToolError("tool.server_gone", server=session.config.id, detail=detail)
                answer = await self._outcome(session, intent)
        except TimeoutError:
            raise ToolError("tool.timeout", seconds=f"{deadline_seconds:g}") from None
        if isinstance(answer, Exception):
            raise await _translated(answer, session) from answer
        return answer

    async def _outcome(self, session: ServerSession, intent: CallIntent) -> "ToolOutcome | Exception":
        try:
            result = await session.call_tool(intent.tool.name, intent.arguments, _meta(session, intent))
        except Exception as error:
            logger.debug("a call of %s failed", intent.tool.alias, exc_info=True)
            if getattr(error, "code", None) == _URL_ELICITATION_REQUIRED:
                return await self._ask_for_urls(session, getattr(error, "data", None))
            return error
        return outcome_of(result)

    async def _ask_for_urls(self, session: ServerSession, data: Any) -> ToolOutcome:
        """The server wants pages visited before it does the call: show each, then let the model try again."""
        wanted = data.get("elicitations") if isinstance(data, dict) else None
        actions: list[ElicitationAction] = []
        for question in (wanted if isinstance(wanted, list) else [])[:_MAX_URL_QUESTIONS]:
            try:
                request = _url_request(session, question)
                actions.append((await session.elicitor.ask(request)).action)
            except RefusedQuestionError as refusal:
                logger.warning("a page of server %s was not shown: %s", session.config.id, refusal)
                actions.append(ElicitationAction.CANCEL)
        if actions and all(action is ElicitationAction.ACCEPT for action in actions):
            text = (
                "The server first needs the user to finish something on a web page, which was opened. Try again then."
            )
        else:
            text = "The server first needs the user to visit a web page, but the user did not agree to open it."
        return ToolOutcome(text=text, is_error=True)

    async def _settled(self, session: ServerSession) -> None:
        limit = self._bundled_settle_seconds if session.config.bundled else self._settle_seconds
        began = self._started_at or 0.0
        left = began + limit - asyncio.get_running_loop().time()
        if left <= 0:
            return
        try:
            await asyncio.wait_for(session.wait_settled(), left)
        except TimeoutError:
            logger.warning("MCP server %s is still starting; the turn goes on without its tools", session.config.id)

    def _retry_failed(self) -> None:
        """A remote server may be back by now; a program that could not be started is left to the user."""
        now = asyncio.get_running_loop().time()
        for session in self._sessions.values():
            if (
                session.config.transport is Transport.HTTP
                and session.status.state is ServerState.FAILED
                and now - session.failed_at > _RETRY_FAILED_SECONDS
            ):
                session.start()

    def _changed(self, session: ServerSession) -> None:
        server_id = session.config.id
        if session.status.state is ServerState.READY:
            self._tools[server_id] = describe_all(session.config, session.tools)
        else:
            self._tools.pop(server_id, None)
        self.status_changed.emit(session.status)


def _meta(session: ServerSession, intent: CallIntent) -> dict[str, Any]:
    """The host decided: for a bundled server the proof that it did, for exactly these arguments."""
    if not session.host_secret:
        return {}
    proof = approval_proof(session.host_secret, intent.tool.name, intent.arguments, intent.sandbox)
    return {APPROVAL_META_KEY: {"proof": proof, "sandbox": intent.sandbox}}


def _url_request(session: ServerSession, question: Any) -> ElicitationRequest:
    if not isinstance(question, dict):
        raise RefusedQuestionError("the question is malformed")
    return ElicitationRequest(
        server_id=session.config.id,
        message=str(question.get("message", "")),
        mode=ElicitationMode.URL,
        url=checked_url(question.get("url")),
        thread_id=session.calls.thread_id,
        bundled=session.config.bundled,
    )


async def _translated(error: Exception, session: ServerSession) -> ToolError:
    """Return the error of ours for one of the SDK's."""
    from mcp import MCPError
    from pydantic import ValidationError

    server = session.config.id
    if isinstance(error, ValidationError):
        return ToolError("tool.failed", detail=f"{server} sent something that cannot be understood.")
    if isinstance(error, MCPError) and error.code not in (-32000, -32001) and session.is_alive:
        return ToolError("tool.failed", detail=f"{server}: {error.message[:2_000]}")
    if "InputRequired" in type(error).__name__:
        return ToolError("tool.failed", detail=f"{server} kept asking questions without end.")
    return ToolError("tool.server_gone", server=server, detail=await session.describe_death())
