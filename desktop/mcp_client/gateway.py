"""All configured servers behind one port: their tools under names of ours, and calls with deadlines."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from desktop.core.digests import APPROVAL_META_KEY, approval_proof
from desktop.core.errors import ToolError
from desktop.core.process_tree import end_orphans
from desktop.core.signal import Signal
from desktop.core.sleep_watch import watch_for_sleep
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.access import Access
from desktop.mcp_client.accounts import never_arrived
from desktop.mcp_client.calls import ActiveCall
from desktop.mcp_client.elicitation import RefusedQuestionError, shown_url
from desktop.mcp_client.host_offers import HostOffers
from desktop.mcp_client.launch import Launcher
from desktop.mcp_client.listing import describe_all, server_identity
from desktop.mcp_client.reach import Places, ServerPlace
from desktop.mcp_client.results import read_result
from desktop.mcp_client.roots import WorkspaceOf
from desktop.mcp_client.server_session import ServerSession
from desktop.mcp_client.sign_in_record import SignIns
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
)
from desktop.tools.pinned import ServerListing
from desktop.tools.ports import ModelForServers, ProgressListener, ToolGateway, UserPrompts
from desktop.tools.server_report import ServerReport
from desktop.tools.sign_in import SignInPages

logger = logging.getLogger(__name__)

_URL_ELICITATION_REQUIRED = -32042
_PARSE_ERROR = -32700
_MAX_URL_QUESTIONS = 3
_RETRY_FAILED_SECONDS = 30.0
_MOST_RETRY_SECONDS = 900.0
_CALL_TRIES = 2
_REDEFINED = "It does not list this tool any more as it was when the call was made."
_REPLACED = "It was switched off, removed or changed in the settings."


class McpGateway(ToolGateway):
    """Implements ``ToolGateway`` with one ``ServerSession`` for each enabled server."""

    def __init__(
        self,
        configs: Sequence[ServerConfig],
        *,
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        settle_seconds: float = 5.0,
        bundled_settle_seconds: float = 60.0,
        init_timeout_seconds: float = 60.0,
        launcher: Launcher | None = None,
        sign_ins: SignIns | None = None,
        pages: SignInPages | None = None,
        places: Places | None = None,
        workspace_of: WorkspaceOf | None = None,
        model: ModelForServers | None = None,
    ) -> None:
        """``workspace_of`` and ``model`` are for servers for which the user switched that on.

        ``settle_seconds`` bounds how long ``tools`` waits for a server that is still starting.

        A bundled one is waited for as long as a busy machine may take to start it: it answers or fails, never hangs,
        and a first answer without any tool would be a puzzle.
        """
        self.status_changed = Signal[ServerStatus]()
        self.servers_changed: Signal[[]] = Signal()
        self._prompts = prompts
        self._tasks = tasks
        self._settle_seconds = settle_seconds
        self._bundled_settle_seconds = bundled_settle_seconds
        self._init_timeout_seconds = init_timeout_seconds
        self._launcher = launcher
        self._sign_ins = sign_ins
        self._pages = pages
        self._places = places
        self._offers = HostOffers(workspace_of, model)
        self._is_started = False
        self._is_closed = False
        self._watch: asyncio.Task[None] | None = None
        self._listings: dict[str, ServerListing] = {}
        self._leaving: dict[asyncio.Task[None], str] = {}
        """What is being closed, with the id of the server."""
        self._sessions = {config.id: self._new_session(config) for config in configs if config.enabled}

    def start(self) -> None:
        """Begin to start all servers side by side, in the background; does nothing when they were started before."""
        if self._is_started or self._is_closed:
            return
        self._is_started = True
        self._tasks.spawn(end_orphans(), name="end what a killed start left")
        watch = watch_for_sleep(self._woke, every=self._retry_failed)
        self._watch = self._tasks.spawn(watch, name="watch for sleep")
        for session in self._sessions.values():
            session.start()

    def reconfigure(self, configs: Sequence[ServerConfig]) -> None:
        """Have exactly these servers from now on; returns at once, and statuses and tools follow at once.

        New servers start in the background. Gone ones end with everything they started, and their calls with
        ``tool.server_gone``. A changed one is replaced; its successor starts when it has ended. The others are left
        alone. Does nothing once closed.
        """
        wanted = {config.id: config for config in configs if config.enabled}
        if self._is_closed or list(wanted.values()) == [session.config for session in self._sessions.values()]:
            return
        kept = {key: session for key, session in self._sessions.items() if wanted.get(key) == session.config}
        gone = [session for key, session in self._sessions.items() if key not in kept]
        self._sessions = {key: kept.get(key) or self._new_session(config) for key, config in wanted.items()}
        for session in gone:
            self._leave(session)
        if self._is_started:
            for key, session in self._sessions.items():
                if key not in kept:
                    session.start(after=[task for task, server_id in self._leaving.items() if server_id == key])
        self.servers_changed.emit()

    async def close(self) -> None:
        """Stop all servers with everything they started."""
        self._is_closed = True
        if self._watch is not None:
            self._watch.cancel()
        await asyncio.gather(*(session.close() for session in self._sessions.values()), *self._leaving)

    def report(self, server_id: str) -> ServerReport | None:
        session = self._sessions.get(server_id)
        return None if session is None else session.record.report()

    def restart(self, server_id: str) -> None:
        session = self._sessions.get(server_id)
        if session is not None and self._is_started and not self._is_closed:
            session.start()

    def accept_place(self, server_id: str) -> None:
        session = self._sessions.get(server_id)
        if session is not None and session.status.state is ServerState.FAILED:
            session.access.place.accept()
            self.restart(server_id)

    def sign_in(self, server_id: str) -> None:
        session = self._sessions.get(server_id)
        if session is not None and not self._is_closed:
            session.sign_in()

    def cancel_sign_in(self, server_id: str) -> None:
        session = self._sessions.get(server_id)
        if session is not None:
            session.access.cancel()

    def sign_out(self, server_id: str) -> None:
        session = self._sessions.get(server_id)
        if session is not None and not self._is_closed:
            self._tasks.spawn(self._sign_out(session), name=f"sign out at {server_id}")

    async def _sign_out(self, session: ServerSession) -> None:
        await session.access.sign_out()
        await session.close()
        if self._is_current(session) and not self._is_closed:
            session.start()

    def statuses(self) -> tuple[ServerStatus, ...]:
        return tuple(session.status for session in self._sessions.values())

    def ready_sessions(self) -> tuple[ServerSession, ...]:
        """The servers that can be asked now, in their order."""
        return tuple(session for session in self._sessions.values() if session.status.is_ready)

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        listing = self._listings.get(server_id)
        return () if listing is None else listing.tools

    def listing_of(self, server_id: str) -> ServerListing | None:
        return self._listings.get(server_id)

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        if self._is_started:
            self._retry_failed()
            await asyncio.gather(*(self._settled(session) for session in self._sessions.values()))
        return tuple(tool for server_id in self._sessions for tool in self.tools_of(server_id))

    async def call(
        self, intent: CallIntent, *, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> ToolOutcome:
        session = self._sessions.get(intent.tool.server_id)
        if session is None:
            raise ToolError("tool.server_gone", server=intent.tool.server_id, detail="It is not configured.")
        answer: ToolOutcome | Exception
        deadline_seconds = session.config.call_seconds or deadline_seconds
        try:
            async with session.calls.running(intent.thread_id, intent.turn_id, deadline_seconds, on_progress) as call:
                answer = await self._answer(session, intent, call)
        except TimeoutError:
            raise ToolError("tool.timeout", seconds=f"{deadline_seconds:g}") from None
        if isinstance(answer, Exception):
            if not self._is_current(session):
                raise self._gone(session, _REPLACED) from answer
            raise await _translated(answer, session) from answer
        notes = [f"[Threadwell: {remark.english}]" for remark in call.remarks]
        text = "\n".join([answer.text, *notes]) if notes else answer.text
        return replace(answer, text=text, waited_seconds=call.rested_seconds)

    async def _answer(self, session: ServerSession, intent: CallIntent, call: ActiveCall) -> "ToolOutcome | Exception":
        """Make the call; once more on a new connection where the old one turns out to be gone and nothing was begun."""
        for tries_left in reversed(range(_CALL_TRIES)):
            if not await session.wait_ready():
                raise self._gone(session, session.status.text or "It is not running.")
            if not self._is_current(session):
                raise self._gone(session, _REPLACED)
            if all(tool.definition_hash != intent.tool.definition_hash for tool in self.tools_of(session.config.id)):
                # What was judged, by the policy and perhaps by the user, is not what would be called.
                raise self._gone(session, _REDEFINED)
            answer = await self._outcome(session, intent, call)
            if not (tries_left and isinstance(answer, Exception) and never_arrived(answer)):
                return answer
            logger.info("MCP server %s does not know us any more; connecting again", session.config.id)
        raise AssertionError("the last try returns")

    async def _outcome(self, session: ServerSession, intent: CallIntent, call: ActiveCall) -> "ToolOutcome | Exception":
        try:
            meta = _meta(session, intent)
            name, arguments, told = intent.tool.name, intent.arguments, call.progressed
            result = await session.request(
                lambda client: client.call_tool_mcp(name, arguments, told, meta=meta or None)
            )
        except Exception as error:
            logger.debug("a call of %s failed", intent.tool.alias, exc_info=True)
            if getattr(error, "code", None) == _URL_ELICITATION_REQUIRED:
                return await self._ask_for_urls(session, getattr(error, "data", None))
            return error
        return await asyncio.to_thread(read_result, result, intent.tool.output_schema)

    async def _ask_for_urls(self, session: ServerSession, data: Any) -> ToolOutcome:
        """The server wants pages visited before it does the call: show each, then let the model try again."""
        wanted = data.get("elicitations") if isinstance(data, dict) else None
        actions: list[ElicitationAction] = []
        for question in (wanted if isinstance(wanted, list) else [])[:_MAX_URL_QUESTIONS]:
            try:
                request = _url_request(session, question)
                actions.append((await session.elicitor.ask(request)).action)
            except RefusedQuestionError as refusal:
                session.elicitor.cancelled(refusal)
                actions.append(ElicitationAction.CANCEL)
        if actions and all(action is ElicitationAction.ACCEPT for action in actions):
            text = (
                "The server first needs the user to finish something on a web page, which was opened. Try again then."
            )
        else:
            text = "The server first needs the user to visit a web page, but the user did not agree to open it."
        return ToolOutcome(text=text, is_error=True)

    def _new_session(self, config: ServerConfig) -> ServerSession:
        return ServerSession(
            config,
            prompts=self._prompts,
            tasks=self._tasks,
            on_change=self._changed,
            init_timeout_seconds=self._init_timeout_seconds,
            launcher=self._launcher,
            access=Access(self._sign_ins, self._pages, ServerPlace(self._places)),
            offers=self._offers,
        )

    def _leave(self, session: ServerSession) -> None:
        server_id = session.config.id
        self._listings.pop(server_id, None)
        task = self._tasks.spawn(session.close(), name=f"close MCP server {server_id}")
        self._leaving[task] = server_id
        task.add_done_callback(self._leaving.pop)

    def _is_current(self, session: ServerSession) -> bool:
        return self._sessions.get(session.config.id) is session

    def _gone(self, session: ServerSession, detail: str) -> ToolError:
        detail = detail if self._is_current(session) else _REPLACED
        return ToolError("tool.server_gone", server=session.config.id, detail=detail)

    async def _settled(self, session: ServerSession) -> None:
        limit = self._bundled_settle_seconds if session.config.bundled else self._settle_seconds
        began = session.began_at or 0.0
        left = began + limit - asyncio.get_running_loop().time()
        if left <= 0:
            return
        try:
            async with asyncio.timeout(left):
                await session.wait_settled()
        except TimeoutError:
            logger.warning("MCP server %s is still starting; the turn goes on without its tools", session.config.id)

    def _woke(self) -> None:
        """The computer slept: connections over the net may be dead without a word, and what was away may be back."""
        logger.info("the computer slept; looking whether the servers are still there")
        for session in self._sessions.values():
            if session.status.state is ServerState.FAILED and session.config.transport.is_web:
                session.start()
            elif session.status.is_ready:
                session.look_again()

    def _retry_failed(self) -> None:
        """A remote server may be back by now; a program that could not be started is left to the user."""
        now = asyncio.get_running_loop().time()
        for session in self._sessions.values():
            if (
                session.config.transport.is_web
                and session.status.state is ServerState.FAILED
                and now - session.failed_at > min(_RETRY_FAILED_SECONDS * 2**session.failures, _MOST_RETRY_SECONDS)
            ):
                session.start()

    def _changed(self, session: ServerSession) -> None:
        if not self._is_current(session):
            return  # it was replaced, and others were told
        server_id = session.config.id
        if session.status.state is ServerState.READY:
            listing = _listing(session)
            if listing != self._listings.get(server_id):
                self._listings[server_id] = listing
        else:
            self._listings.pop(server_id, None)
        self.status_changed.emit(session.status)


def _listing(session: ServerSession) -> ServerListing:
    return ServerListing(
        server_id=session.config.id,
        identity=server_identity(session.config),
        bundled=session.config.bundled,
        tools=describe_all(session.config, session.tools),
        instructions=session.record.instructions,
    )


def _meta(session: ServerSession, intent: CallIntent) -> dict[str, Any]:
    """The host decided: for a bundled server the proof that it did, for exactly this call in this place."""
    if not session.host_secret:
        return {}
    proof = approval_proof(session.host_secret, intent.tool.name, intent.arguments, intent.sandbox, intent.folder)
    return {APPROVAL_META_KEY: {"proof": proof, "sandbox": intent.sandbox, "folder": intent.folder}}


def _url_request(session: ServerSession, question: Any) -> ElicitationRequest:
    if not isinstance(question, dict):
        raise RefusedQuestionError("its address is missing or too long")
    return ElicitationRequest(
        server_id=session.config.id,
        message=str(question.get("message", "")),
        mode=ElicitationMode.URL,
        url=shown_url(question.get("url")),
        thread_id=session.calls.thread_id,
        bundled=session.config.bundled,
    )


async def _translated(error: Exception, session: ServerSession) -> ToolError:
    """Return the error of ours for one of the SDK's."""
    from mcp import MCPError
    from pydantic import ValidationError

    server = session.config.id
    if isinstance(error, ValidationError) or getattr(error, "code", None) == _PARSE_ERROR:
        return ToolError("tool.failed", detail=f"{server} sent something that cannot be understood.")
    if isinstance(error, MCPError) and error.code not in (-32000, -32001) and session.is_alive:
        return ToolError("tool.failed", detail=f"{server}: {error.message[:2_000]}")
    if "InputRequired" in type(error).__name__:
        return ToolError("tool.failed", detail=f"{server} kept asking questions without end.")
    return ToolError("tool.server_gone", server=server, detail=await session.describe_death())
