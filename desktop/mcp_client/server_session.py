"""One configured server: a task that owns its connection, starts it again when it dies, and knows its tools."""

import asyncio
import contextlib
import logging
import secrets
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from desktop.core.digests import HOST_SECRET_ENV
from desktop.core.tasks import TaskSupervisor, uninterrupted
from desktop.mcp_client.calls import ActiveCalls
from desktop.mcp_client.child import ChildProcess
from desktop.mcp_client.elicitation import Elicitor
from desktop.mcp_client.launch import CannotStartError, start_child
from desktop.mcp_client.sdk import load_transports
from desktop.tools.entities import ServerConfig, ServerState, ServerStatus, Transport
from desktop.tools.ports import UserPrompts
from desktop.tools.server_remarks import Account, Remark

if TYPE_CHECKING:
    import mcp_types
    from fastmcp import Client

logger = logging.getLogger(__name__)

MAX_TOOLS = 512
MAX_PAGES = 100
LIST_SECONDS = 20.0
_START_RETRIES = 1
_RESTARTS = 3
_LONG_LIFE_SECONDS = 30.0
_BACK_OFF_SECONDS = 0.2
_DEBOUNCE_SECONDS = 0.3
_MAX_CLOSE_SECONDS = 8.0
_UNSUPPORTED_VERSION = -32022
_METHOD_NOT_FOUND = -32601
_BROKE_OFF = Account(remarks=(Remark("broke_off"),))
_NO_ANSWER = Account(remarks=(Remark("no_answer"),))


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
    ) -> None:
        self.config = config
        self.calls = ActiveCalls()
        self.elicitor = Elicitor(config, prompts=prompts, tasks=tasks, calls=self.calls)
        self.status = ServerStatus(server_id=config.id, state=ServerState.STOPPED)
        self.tools: Sequence[Mapping[str, Any]] = ()
        """As listed, in the form of the wire."""
        self.host_secret = ""
        """The key of the proofs, new for every start; only for a bundled server on stdio."""
        self.failed_at = 0.0
        self.began_at: float | None = None
        """When it was started the first time, by the loop's clock."""
        self._tasks = tasks
        self._on_change = on_change
        self._init_timeout_seconds = init_timeout_seconds
        self._mode = "legacy"
        self._owner: asyncio.Task[None] | None = None
        self._client: Client[Any] | None = None
        self._child: ChildProcess | None = None
        self._guard: Any = None
        self._settled = asyncio.Event()
        self._ready = asyncio.Event()
        self._moved = asyncio.Event()
        self._wake = asyncio.Event()
        self._list_changed = False
        self._dead_reason: Account | None = None

    def start(self, *, after: Collection["asyncio.Task[None]"] = ()) -> None:
        """Begin to connect, in the background, once the tasks ``after`` are over. Does nothing while it is running."""
        if self._owner is None or self._owner.done():
            if self.began_at is None:
                self.began_at = asyncio.get_running_loop().time()
            self._settled.clear()
            self._set(ServerState.STARTING)
            self._owner = self._tasks.spawn(self._run(after), name=f"MCP server {self.config.id}")

    async def close(self) -> None:
        """Stop the server with everything it started."""
        owner = self._owner
        if owner is None or owner.done():
            return
        owner.cancel()
        await asyncio.wait({owner}, timeout=_MAX_CLOSE_SECONDS)
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
            if self.status.state in (ServerState.FAILED, ServerState.STOPPED):
                return False
            await self._moved.wait()
        return True

    async def call_tool(self, name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> "mcp_types.CallToolResult":
        """Call the tool. Raises the SDK's exceptions, ``ConnectionError`` when the server is not there."""
        client = self._client
        if client is None:
            raise ConnectionError(self.status.text or "The server is not running.")
        try:
            return await client.call_tool_mcp(name, arguments, meta=meta or None)
        except Exception as error:
            if self._ends_the_connection(error):
                self._mark_dead(_account_of(error))
            raise

    async def describe_death(self) -> str:
        """Say how the server ended, once a call found it gone."""
        child = self._child
        if child is not None:
            await _quietly_wait(child.ended, 0.5)
        if child is None or not child.died:
            return (self._dead_reason or _BROKE_OFF).english
        return Account(remarks=(child.describe_end(),), quoted=child.stderr_tail(600)).english

    # The owner task.

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
                if life.hopeless or failures > (_RESTARTS if was_ready else _START_RETRIES):
                    self.failed_at = clock()
                    self._set(ServerState.FAILED, life.ending)
                    return
                self._set(ServerState.RESTARTING, life.ending)
                await asyncio.sleep(_BACK_OFF_SECONDS * 2**failures)
        except asyncio.CancelledError:
            self._set(ServerState.STOPPED)
            raise
        except Exception as error:
            self._set(ServerState.FAILED, _account_of(error))
            raise

    async def _live_once(self) -> "_Life":
        """Connect and stay connected until the end."""
        self._wake.clear()
        self._list_changed = False
        self._dead_reason = None
        self._child = None
        self._guard = None
        ready = False
        child: ChildProcess | None = None
        client: Client[Any] | None = None
        try:
            # A program loads its own libraries while we load ours.
            child = self._child = await self._start_child()
            sdk = await load_transports()
            guard = self._guard = sdk.WireGuard(self._note_list_changed)
            client = self._make_client(sdk, guard, child)
            async with asyncio.timeout(self._init_timeout_seconds + 5):
                await client.__aenter__()
            await self._list_tools(client, guard)
            self._client = client
            ready = True
            self._set(ServerState.READY, _notes(guard))
            await self._watch(client, guard)
            return _Life(was_ready=True, ending=await self._reason(None))
        except Exception as error:
            logger.debug("the connection to MCP server %s failed", self.config.id, exc_info=True)
            return _Life(
                was_ready=ready,
                ending=await self._reason(error),
                hopeless=isinstance(_root_of(error), CannotStartError | FileNotFoundError | PermissionError),
                refused_handshake=self._mode == "legacy" and not ready and _refuses_handshake(error),
            )
        finally:
            self._client = None
            self._ready.clear()
            self.calls.withdraw_questions()
            await uninterrupted(_shut(client, child, self.config.id))

    async def _start_child(self) -> ChildProcess | None:
        if self.config.transport is Transport.HTTP:
            return None
        if not self.config.bundled:
            return await start_child(self.config, {})
        self.host_secret = secrets.token_hex(32)
        return await start_child(self.config, {HOST_SECRET_ENV: self.host_secret})

    def _make_client(self, sdk: ModuleType, guard: Any, child: ChildProcess | None) -> "Client[Any]":
        seams = {"guard": guard, "on_elicitation": self.elicitor.handle}
        if child is not None:
            transport = sdk.StdioTransport(child, **seams)
        else:
            transport = sdk.HttpTransport(self.config.url, self.config.headers, **seams)
        return sdk.new_client(
            transport, name=self.config.id, mode=self._mode, init_timeout_seconds=self._init_timeout_seconds
        )

    async def _watch(self, client: "Client[Any]", guard: Any) -> None:
        """Return when the connection is dead; meanwhile list the tools again whenever the server says they changed."""
        watcher = None
        if self._child is not None:
            watcher = self._tasks.spawn(self._report_end(self._child), name=f"end of {self.config.id}")
        try:
            while self._dead_reason is None:
                await self._wake.wait()
                self._wake.clear()
                if self._list_changed and self._dead_reason is None:
                    await asyncio.sleep(_DEBOUNCE_SECONDS)
                    self._list_changed = False
                    await self._list_tools(client, guard)
                    self._set(ServerState.READY, _notes(guard))
        finally:
            if watcher is not None:
                watcher.cancel()

    async def _report_end(self, child: ChildProcess) -> None:
        await child.ended.wait()
        self._mark_dead(Account(remarks=(child.describe_end(),)))

    async def _list_tools(self, client: "Client[Any]", guard: Any) -> None:
        """Read all pages within bounds. Raises when the server lists nothing usable, or not in time."""
        guard.excluded_tools.clear()
        found: list[Mapping[str, Any]] = []
        cursor: str | None = None
        seen: set[str] = set()
        async with asyncio.timeout(LIST_SECONDS):
            for _ in range(MAX_PAGES):
                page = await client.list_tools_mcp(cursor=cursor)
                found += [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools]
                cursor = page.next_cursor
                if cursor is None or cursor in seen or len(found) > MAX_TOOLS:
                    break
                seen.add(cursor)
        usable = [tool for tool in found if (tool.get("execution") or {}).get("taskSupport") != "required"]
        if len(usable) > MAX_TOOLS or (cursor is not None and len(usable) >= MAX_TOOLS):
            guard.excluded_tools["…"] = f"only the first {MAX_TOOLS} tools are used"
        self.tools = tuple(usable[:MAX_TOOLS])

    def _note_list_changed(self) -> None:
        self._list_changed = True
        self._wake.set()

    def _mark_dead(self, reason: Account) -> None:
        self._dead_reason = self._dead_reason or reason
        self._client = None
        self._ready.clear()
        self.calls.withdraw_questions()
        self._wake.set()

    async def _reason(self, error: BaseException | None) -> Account:
        account = self._dead_reason or (_account_of(error) if error is not None else _BROKE_OFF)
        child = self._child
        if child is None:
            problem: Remark | None = self._guard.http_problem if self._guard is not None else None
            return Account(remarks=(problem, *account.remarks), quoted=account.quoted) if problem else account
        if error is not None and self._dead_reason is None and not isinstance(error, TimeoutError):
            await _quietly_wait(child.ended, 0.5)
            account = Account(remarks=(child.describe_end(),)) if child.died else account
        return account.quoting(child.stderr_tail())

    def _ends_the_connection(self, error: Exception) -> bool:
        """True when no later call can succeed on this connection. A server's ordinary error answer is not among them."""
        if self._client is None or not self._client.is_connected():
            return True
        code = getattr(error, "code", None)
        if code == -32000 or (code == -32600 and "session" in str(error).lower()):
            return True
        # The HTTP stack's own failures; its module is loaded whenever one of them can arrive.
        stack = sys.modules.get("httpx2")
        return stack is not None and isinstance(error, stack.HTTPError)

    def _set(self, state: ServerState, account: Account | None = None) -> None:
        self.status = ServerStatus(
            server_id=self.config.id,
            state=state,
            remarks=account.remarks if account is not None else (),
            detail=account.quoted if account is not None else "",
            tool_count=len(self.tools) if state is ServerState.READY else 0,
        )
        if state is ServerState.READY:
            self._ready.set()
        self._moved.set()
        self._moved = asyncio.Event()
        if state in (ServerState.READY, ServerState.FAILED, ServerState.STOPPED):
            self._settled.set()
        self._on_change(self)


@dataclass(frozen=True, kw_only=True)
class _Life:
    """How one connection went."""

    was_ready: bool
    ending: Account
    hopeless: bool = False
    """Trying again cannot help."""
    refused_handshake: bool = False
    """It may speak only the newer protocol era."""


async def _shut(client: "Client[Any] | None", child: ChildProcess | None, server_id: str) -> None:
    """Close the connection; a failure to do so politely must not keep the process alive."""
    try:
        if client is not None:
            async with asyncio.timeout(_MAX_CLOSE_SECONDS - 1):
                await client.close()
    except Exception:
        logger.debug("MCP server %s could not be closed politely", server_id, exc_info=True)
    finally:
        if child is not None:
            await child.stop()


async def _quietly_wait(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def _root_of(error: BaseException) -> BaseException:
    return error.__cause__ or error


def _refuses_handshake(error: BaseException) -> bool:
    root = _root_of(error)
    code = getattr(root, "code", None)
    return code in (_UNSUPPORTED_VERSION, _METHOD_NOT_FOUND) or "Unsupported protocol version" in str(root)


def _notes(guard: Any) -> Account:
    excluded = list(guard.excluded_tools.items())[:20]
    remarks = [Remark("tool_left_out", f"{name or '(no name)'}: {why}") for name, why in excluded]
    return Account(remarks=(*remarks, Remark("junk")) if guard.junk_lines else tuple(remarks))


def _account_of(error: BaseException) -> Account:
    """Say what an exception means, in our words where there are some; else its own, one line of them."""
    if isinstance(error, TimeoutError):
        return _NO_ANSWER
    stack = sys.modules.get("httpx2")
    match _root_of(error):
        case CannotStartError(remark=remark):
            return Account(remarks=(remark,))
        case PermissionError(filename=str(program)):
            return Account(remarks=(Remark("no_permission", program),))
        case root if stack is not None and isinstance(root, stack.ConnectError):
            return Account(remarks=(Remark("unreachable"),))
    text = str(error).removeprefix("Client failed to connect: ").strip() or type(error).__name__
    if text == "Failed to initialize server session":
        return _NO_ANSWER
    return Account(quoted=text.splitlines()[0][:500])
