"""One configured server: a task that owns its connection, starts it again when it dies, and knows its tools."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.core.digests import HOST_SECRET_ENV
from desktop.core.tasks import TaskSupervisor, uninterrupted
from desktop.mcp_client.access import Access
from desktop.mcp_client.accounts import (
    BROKE_OFF,
    WrongEraError,
    account_of,
    cannot_be_mended,
    ends_the_connection,
    notes_on,
    refuses_handshake,
    root_of,
)
from desktop.mcp_client.calls import ActiveCalls
from desktop.mcp_client.child import ChildProcess
from desktop.mcp_client.elicitation import Elicitor
from desktop.mcp_client.host_offers import HostOffers
from desktop.mcp_client.launch import CannotStartError, Launcher, NeedsSecretError
from desktop.mcp_client.life import MAX_CLOSE_SECONDS, Life, quietly_wait, shut
from desktop.mcp_client.sdk import load_transports
from desktop.mcp_client.server_record import FIRST_MODERN, ServerRecord
from desktop.mcp_client.sign_in_errors import SignInError
from desktop.mcp_client.tool_list import read_tools
from desktop.tools.entities import ProtocolEra, ServerConfig, ServerState, ServerStatus, Transport
from desktop.tools.ports import UserPrompts
from desktop.tools.server_remarks import Account, Remark

if TYPE_CHECKING:
    from fastmcp import Client

T = TypeVar("T")

logger = logging.getLogger(__name__)

_START_RETRIES = 1
_RESTARTS = 3
_LONG_LIFE_SECONDS = 30.0
_BACK_OFF_SECONDS = 0.2
_DEBOUNCE_SECONDS = 0.3
_MOST_DEBOUNCE_SECONDS = 30.0
_RELIST_SECONDS = {Transport.STDIO: 900.0, Transport.HTTP: 300.0, Transport.SSE: 300.0}
"""After so long the tools are listed again unasked: not every server can say that they changed, or that it is gone."""
_MOST_SILENT_LISTS = 2
_MODES = {ProtocolEra.AUTO: "legacy", ProtocolEra.LEGACY: "legacy", ProtocolEra.MODERN: "auto"}
"""In which era a server is spoken to first."""


class ServerSession:
    """The only one that opens and closes the connection of its server; calls may come from any task of the loop."""

    def __init__(
        self,
        config: ServerConfig,
        *,
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        on_change: Callable[["ServerSession"], None],
        init_timeout_seconds: float = 60.0,
        launcher: Launcher | None = None,
        access: Access | None = None,
        offers: HostOffers | None = None,
    ) -> None:
        self.config = config
        self.access = access or Access()
        self._launcher = launcher or Launcher()
        self.calls = ActiveCalls()
        self.elicitor = Elicitor(config, prompts=prompts, tasks=tasks, calls=self.calls, on_cancelled=self.look_again)
        self.record = ServerRecord(config, self.access.place)
        self._offers = (offers or HostOffers()).to(config, tasks=tasks, calls=self.calls)
        self.status = ServerStatus(server_id=config.id, state=ServerState.STOPPED)
        self.tools: Sequence[Mapping[str, Any]] = ()
        """As listed, in the form of the wire."""
        self.host_secret = ""
        """The key of the proofs, new for every start; only for a bundled server on stdio."""
        self.failed_at = 0.0
        self.failures = 0
        """How often in a row it could not be reached at all; what is tried again by itself is tried ever more rarely."""
        self.began_at: float | None = None
        """When it was started the first time, by the loop's clock."""
        self._tasks = tasks
        self._on_change = on_change
        self._init_timeout_seconds = init_timeout_seconds
        self._mode = _MODES[config.protocol]
        self._owner: asyncio.Task[None] | None = None
        self._client: Client[Any] | None = None
        self._child: ChildProcess | None = None
        self._guard: Any = None
        self._settled = asyncio.Event()
        self._ready = asyncio.Event()
        self._moved = asyncio.Event()
        self._wake = asyncio.Event()
        self._dead = asyncio.Event()
        self._is_list_due = False
        self._silent_lists = 0
        self._dead_reason: Account | None = None

    def start(self, *, after: Collection["asyncio.Task[None]"] = ()) -> None:
        """Begin to connect, in the background, once the tasks ``after`` are over. Does nothing while it is running."""
        if self._owner is None or self._owner.done():
            if self.began_at is None:
                self.began_at = asyncio.get_running_loop().time()
            self._settled.clear()
            self._set(ServerState.STARTING)
            self._owner = self._tasks.spawn(self._run(after), name=f"MCP server {self.config.id}")

    def sign_in(self) -> None:
        """Begin to lead the user through a sign-in; then it is started. Does nothing unless it waits for that."""
        if self.status.state is ServerState.NEEDS_SIGN_IN and (self._owner is None or self._owner.done()):
            self._set(ServerState.SIGNING_IN)
            self._owner = self._tasks.spawn(self._sign_in(), name=f"sign in at {self.config.id}")

    async def close(self) -> None:
        """Stop the server with everything it started."""
        owner = self._owner
        if owner is None or owner.done():
            return
        owner.cancel()
        await asyncio.wait({owner}, timeout=MAX_CLOSE_SECONDS)
        if self.status.state is not ServerState.STOPPED:  # its owner was cancelled before it began
            self._set(ServerState.STOPPED)

    @property
    def is_alive(self) -> bool:
        """False once the connection was found dead."""
        return self._client is not None

    async def wait_settled(self) -> None:
        """Wait until the first attempt to connect is over, one way or the other."""
        await self._settled.wait()

    async def wait_ready(self) -> bool:
        """Wait while it is starting. False when it is not going to be there."""
        while not self._ready.is_set():
            if not self.status.state.is_on_its_way and self.status.state is not ServerState.READY:
                return False
            await self._moved.wait()
        return True

    async def request(self, make: "Callable[[Client[Any]], Awaitable[T]]") -> T:
        """Make a request. Raises the SDK's exceptions, ``ConnectionError`` when the server is not there."""
        client = self._client
        if client is None:
            raise ConnectionError(self.status.text or "The server is not running.")
        try:
            return await make(client)
        except Exception as error:
            if self._client is not None and (ends_the_connection(error) or not client.is_connected()):
                self._mark_dead(account_of(error))
            raise

    def look_again(self) -> None:
        """List the tools soon, which also shows whether the server is still there: after a sleep it may not be."""
        self._is_list_due = True
        self._wake.set()

    async def describe_death(self) -> str:
        """Say how the server ended, once a call found it gone."""
        child = self._child
        if child is not None:
            await quietly_wait(child.ended, 0.5)
        if child is None or not child.died:
            return (self._dead_reason or BROKE_OFF).english
        return Account(remarks=(child.describe_end(),), quoted=child.stderr_tail(600)).english

    # The owner task.

    async def _sign_in(self) -> None:
        try:
            await self.access.sign_in(await self._launcher.prepare(self.config))
        except (SignInError, CannotStartError) as error:
            logger.info("nobody signed in at MCP server %s: %s", self.config.id, error.remark.code)
            self._set(ServerState.NEEDS_SIGN_IN, Account(remarks=(error.remark,)))
            return
        except asyncio.CancelledError:
            self._set(ServerState.STOPPED)
            raise
        self._set(ServerState.STARTING)
        await self._run(())

    async def _run(self, after: Collection["asyncio.Task[None]"]) -> None:
        clock = asyncio.get_running_loop().time
        failures = 0
        was_ready = False
        try:
            if after:
                await asyncio.wait(after)
            while True:
                began = clock()
                life = await self._live_once()
                if life.refused_handshake:
                    self._mode = "auto"
                    continue
                was_ready = was_ready or life.was_ready
                failures = 1 if clock() - began > _LONG_LIFE_SECONDS else failures + 1
                # The first line only: what a server wrote on stderr may hold secrets of its own.
                logger.warning("MCP server %s: %s", self.config.id, life.ending.english.partition("\n")[0])
                if life.waits_as is not None:
                    self._set(life.waits_as, life.ending)
                    return
                if life.hopeless or failures > (_RESTARTS if was_ready else _START_RETRIES):
                    self.failed_at = clock()
                    self.failures = 1 if was_ready else self.failures + 1
                    self._set(ServerState.FAILED, life.ending)
                    return
                self._set(ServerState.RESTARTING, life.ending)
                await asyncio.sleep(_BACK_OFF_SECONDS * 2**failures)
        except asyncio.CancelledError:
            self._set(ServerState.STOPPED)
            raise
        except Exception as error:
            self._set(ServerState.FAILED, account_of(error))
            raise

    async def _live_once(self) -> Life:
        """Connect and stay connected until the end."""
        self._wake.clear()
        self._dead.clear()
        self._is_list_due = False
        self._silent_lists = 0
        self._dead_reason = None
        self._child = self._guard = None
        ready = False
        child: ChildProcess | None = None
        client: Client[Any] | None = None
        try:
            # A program loads its own libraries while we load ours.
            self.record.begin()
            config = await self._launcher.prepare(self.config)
            await self.access.load(config)
            self.record.prepared(config)
            child = self._child = await self._start_child(config)
            self.record.spawned(child)
            sdk = await load_transports()
            guard = self._guard = sdk.WireGuard(
                on_list_changed=self.look_again,
                on_closed=lambda: self._mark_dead(BROKE_OFF),
                record=self.record,
            )
            client = self._make_client(sdk, guard, child, config)
            async with asyncio.timeout(self._init_timeout_seconds + 5):
                await client.__aenter__()
            if self.config.protocol is ProtocolEra.MODERN and (guard.protocol_version() or "") < FIRST_MODERN:
                raise WrongEraError
            self.record.connected(client)
            self.tools = await read_tools(client, guard)
            self.record.listed()
            self._client = client
            ready = True
            self._set_ready(guard)
            await self._watch(client, guard)
            return Life(was_ready=True, ending=await self._reason(None), waits_as=self._waits_as(None))
        except Exception as error:
            logger.debug("the connection to MCP server %s failed", self.config.id, exc_info=True)
            return Life(
                was_ready=ready,
                ending=await self._reason(error),
                hopeless=cannot_be_mended(error),
                refused_handshake=self._may_try_newer_era and not ready and refuses_handshake(error),
                waits_as=self._waits_as(error),
            )
        finally:
            self._client = None
            self._ready.clear()
            self.calls.withdraw_questions()
            await uninterrupted(shut(client, child, self.config.id))

    @property
    def _may_try_newer_era(self) -> bool:
        return self._mode == "legacy" and self.config.protocol is ProtocolEra.AUTO

    def _waits_as(self, error: BaseException | None) -> ServerState | None:
        """Return the state of a server that waits for the user; None for one that failed."""
        if error is not None and isinstance(root_of(error), NeedsSecretError):
            return ServerState.NEEDS_SECRET
        return ServerState.NEEDS_SIGN_IN if self.access.refusal is not None else None

    def _was_refused(self) -> None:
        if self._client is not None and self.access.refusal is not None:
            self._mark_dead(self.access.refusal)

    async def _start_child(self, config: ServerConfig) -> ChildProcess | None:
        if config.transport.is_web:
            return None
        if not config.bundled:
            return await self._launcher.start_child(config, {})
        self.host_secret = secrets.token_hex(32)
        return await self._launcher.start_child(config, {HOST_SECRET_ENV: self.host_secret})

    def _make_client(
        self, sdk: ModuleType, guard: Any, child: ChildProcess | None, config: ServerConfig
    ) -> "Client[Any]":
        """``config`` is the one with the secrets, which only the connection gets to know."""
        seams = {"guard": guard, "on_elicitation": self.elicitor.handle}
        if child is not None:
            transport = sdk.StdioTransport(child, **seams)
        else:
            kind = sdk.SseTransport if config.transport is Transport.SSE else sdk.HttpTransport
            seams |= {"auth": sdk.Bearer(config.url, self.access, self._was_refused), "place": self.access.place}
            transport = kind(config.url, config.headers, **seams)
        name, seconds = self.config.id, self._init_timeout_seconds
        return sdk.new_client(transport, name=name, mode=self._mode, init_timeout_seconds=seconds, **self._offers)

    async def _watch(self, client: "Client[Any]", guard: Any) -> None:
        """Return when the connection is dead; meanwhile list the tools again: now and then, and when they changed."""
        watcher = None
        if self._child is not None:
            watcher = self._tasks.spawn(self._report_end(self._child), name=f"end of {self.config.id}")
        clock = asyncio.get_running_loop().time
        pause, listed_at = _DEBOUNCE_SECONDS, clock()
        try:
            while not self._dead.is_set():
                await quietly_wait(self._wake, listed_at + _RELIST_SECONDS[self.config.transport] - clock())
                self._wake.clear()
                if self._is_list_due:
                    # One listing for a storm of changes; a storm without end is looked at ever more rarely.
                    pause = _DEBOUNCE_SECONDS if clock() - listed_at > 2 * _MOST_DEBOUNCE_SECONDS else pause
                    await quietly_wait(self._dead, pause)
                    pause = min(2 * pause, _MOST_DEBOUNCE_SECONDS)
                elif self.calls:
                    listed_at = clock()  # a server at work is not to be bothered without need
                    continue
                if not self._dead.is_set():
                    self._is_list_due = False
                    listed_at = clock()
                    await self._list_again(client, guard)
        finally:
            if watcher is not None:
                watcher.cancel()

    async def _list_again(self, client: "Client[Any]", guard: Any) -> None:
        """Raises when the list cannot be read, or when the silence of the server means that it is gone."""
        try:
            self.tools = await read_tools(client, guard)
        except TimeoutError:
            # A program that works on a call, or on one that was given up, may read nothing else meanwhile.
            self._silent_lists += 1
            is_busy = self._child is not None and self._silent_lists < _MOST_SILENT_LISTS
            if not (is_busy or self.calls):
                raise
            logger.info("MCP server %s did not list its tools; it may be busy", self.config.id)
            return
        self._silent_lists = 0
        self._set_ready(guard)

    async def _report_end(self, child: ChildProcess) -> None:
        await child.ended.wait()
        self._mark_dead(Account(remarks=(child.describe_end(),)))

    def _mark_dead(self, reason: Account) -> None:
        self._dead_reason = self._dead_reason or reason
        self._dead.set()
        self._client = None
        self._ready.clear()
        self.calls.withdraw_questions()
        self._wake.set()

    async def _reason(self, error: BaseException | None) -> Account:
        if (refusal := self.access.refusal) is not None:
            return refusal
        account = self._dead_reason or (account_of(error) if error is not None else BROKE_OFF)
        child = self._child
        if child is None:
            problem: Remark | None = self._guard.http_problem if self._guard is not None else None
            return Account(remarks=(problem, *account.remarks), quoted=account.quoted) if problem else account
        if error is not None and self._dead_reason is None and not isinstance(error, TimeoutError):
            await quietly_wait(child.ended, 0.5)
            account = Account(remarks=(child.describe_end(),)) if child.died else account
        return account.quoting(child.stderr_tail())

    def _set_ready(self, guard: Any) -> None:
        self.access.place.settle()
        remarks = (*self.access.notes, *self.elicitor.notes, *notes_on(guard).remarks)
        self._set(ServerState.READY, Account(remarks=remarks))

    def _set(self, state: ServerState, account: Account | None = None) -> None:
        self.status = ServerStatus(
            server_id=self.config.id,
            state=state,
            remarks=account.remarks if account is not None else (),
            detail=account.quoted if account is not None else "",
            tool_count=len({tool["name"] for tool in self.tools}) if state is ServerState.READY else 0,
            signed_in_at=self.access.signed_in_at,
        )
        if state is ServerState.READY:
            self._ready.set()
        self._moved.set()
        self._moved = asyncio.Event()
        if not state.is_on_its_way:
            self._settled.set()
        self._on_change(self)
