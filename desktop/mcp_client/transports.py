"""The connections themselves: our own stdio transport and a guarded streamable-HTTP one, both for ``fastmcp.Client``.

Imports the SDKs at once: load it through ``sdk.load_transports`` only.
"""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from types import TracebackType
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from fastmcp import Client
from fastmcp.client.transports import SSETransport, StreamableHttpTransport
from fastmcp.client.transports.base import ClientTransport, TransportOptions, VersionAwareClientSession
from mcp import ClientSession
from mcp.client.session import ElicitationFnT
from mcp.shared.message import SessionMessage

from desktop import __version__
from desktop.mcp_client.bearer import Bearer
from desktop.mcp_client.big_messages import MOST_BYTES
from desktop.mcp_client.checked_http import ServerTransport
from desktop.mcp_client.child import ChildProcess
from desktop.mcp_client.reach import ServerPlace
from desktop.mcp_client.server_record import ServerRecord
from desktop.mcp_client.wire import WireGuard
from desktop.tools.server_remarks import Remark

MAX_ROUNDS = 8
"""How often a server of the newer era may answer one call with a question."""
_LINES_AT_A_TIME = 100
_MAX_SILENT_SECONDS = 24 * 3600
"""How long the one stream of an SSE server may be silent; whether it is dead is found out otherwise."""


class QuietSession(VersionAwareClientSession):
    """Runs no regular expression of a server's choosing on our loop: results are not checked against its schema."""

    async def validate_tool_result(self, name: str, result: mcp_types.CallToolResult) -> None:
        return None


class StdioTransport(ClientTransport):
    """A server as our child. Unlike fastmcp's own it reports the death, limits a message, and ends the whole tree."""

    def __init__(self, child: ChildProcess, *, guard: WireGuard, on_elicitation: ElicitationFnT) -> None:
        self.child = child
        self._guard = guard
        self._on_elicitation = on_elicitation

    @contextlib.asynccontextmanager
    async def connect_session(
        self, *, transport_options: TransportOptions | None = None, **session_kwargs: Any
    ) -> AsyncGenerator[ClientSession, None]:
        session_kwargs["elicitation_callback"] = self._on_elicitation
        child = self.child
        incoming, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write_stream, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._receive, child, incoming)
                group.start_soon(self._send, child, outgoing)
                async with QuietSession(read_stream, write_stream, **session_kwargs) as session:
                    self._guard.protocol_version = lambda: session.protocol_version
                    yield session
                group.cancel_scope.cancel()
        finally:
            for stream in (incoming, read_stream, write_stream, outgoing):
                stream.close()
            with anyio.CancelScope(shield=True):
                await child.stop()

    async def close(self) -> None:
        await self.child.stop()

    async def _receive(self, child: ChildProcess, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        count = 0
        async with incoming:
            async for line in child.lines():
                count += 1
                if count % _LINES_AT_A_TIME == 0:
                    await anyio.lowlevel.checkpoint()
                message = await self._guard.read(line)
                if message is None:
                    continue
                if isinstance(message, mcp_types.JSONRPCResponse | mcp_types.JSONRPCError):
                    self._guard.pending.discard(message.id or "")
                try:
                    await incoming.send(SessionMessage(message))
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return  # the session is gone

    async def _send(self, child: ChildProcess, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with outgoing:
            async for item in outgoing:
                if isinstance(item.message, mcp_types.JSONRPCRequest):
                    self._guard.pending.add(item.message.id)
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                if self._guard.record is not None:
                    self._guard.record.message(item.message, sent=True, size=len(text))
                try:
                    await child.write(f"{text}\n".encode())
                except ConnectionError:
                    return  # the reader sees the end and tells the session


class _GuardedHttp(ClientTransport):
    """What both ways over HTTP have in common: the same guard before the session, and a client that leaks no header."""

    _ends_with_stream = False

    def _guard_with(self, url: str, place: ServerPlace, guard: WireGuard, on_elicitation: ElicitationFnT) -> None:
        self._own_url = url
        self._place = place
        self._guard = guard
        self._on_elicitation = on_elicitation

    def _new_http_client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
        **_: Any,
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers=headers,
            auth=auth,
            # The long read time is no deadline: every call has its own.
            timeout=timeout or httpx2.Timeout(30.0, read=3600.0),
            follow_redirects=False,
            transport=ServerTransport(self._own_url, self._place, self._guard.big),
            event_hooks={"response": [_refuse_foreign_redirect, self._note_problem]},
        )

    async def _note_problem(self, response: httpx2.Response) -> None:
        if response.status_code >= 400 and response.request.method == "POST":
            self._guard.http_problem = Remark("http_status", f"{response.status_code} {response.reason_phrase}")

    @contextlib.asynccontextmanager
    async def connect_session(
        self, *, transport_options: TransportOptions | None = None, **session_kwargs: Any
    ) -> AsyncGenerator[ClientSession, None]:
        session_kwargs["elicitation_callback"] = self._on_elicitation
        guard, ends_with_stream = self._guard, self._ends_with_stream

        class GuardedSession(QuietSession):
            def __init__(self, read_stream: Any, write_stream: Any, **kwargs: Any) -> None:
                stream = _GuardedStream(read_stream, guard, ends_with_stream=ends_with_stream)
                super().__init__(stream, _NotedStream(write_stream, guard.record), **kwargs)

        options = TransportOptions(session_class=GuardedSession)
        async with super().connect_session(transport_options=options, **session_kwargs) as session:
            guard.protocol_version = lambda: session.protocol_version
            yield session


class HttpTransport(_GuardedHttp, StreamableHttpTransport):
    """A server on streamable HTTP."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        auth: Bearer,
        place: ServerPlace,
        guard: WireGuard,
        on_elicitation: ElicitationFnT,
    ) -> None:
        factory, most = self._new_http_client, MOST_BYTES
        super().__init__(url, dict(headers), auth, httpx_client_factory=factory, max_sse_event_size=most)
        self._guard_with(url, place, guard, on_elicitation)


class SseTransport(_GuardedHttp, SSETransport):
    """A server that speaks the older way over HTTP: what it says comes in one stream, and that is the connection."""

    _ends_with_stream = True

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        auth: Bearer,
        place: ServerPlace,
        guard: WireGuard,
        on_elicitation: ElicitationFnT,
    ) -> None:
        factory, most = self._new_http_client, _MAX_SILENT_SECONDS
        super().__init__(url, dict(headers), auth, httpx_client_factory=factory, sse_read_timeout=most)
        self._guard_with(url, place, guard, on_elicitation)


class _GuardedStream:
    """A read stream whose messages pass the guard. With ``ends_with_stream`` nothing else tells the connection's end."""

    def __init__(self, inner: Any, guard: WireGuard, *, ends_with_stream: bool) -> None:
        self._inner = inner
        self._guard = guard
        self._ends_with_stream = ends_with_stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def receive(self) -> SessionMessage | Exception:
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                if self._ends_with_stream:
                    self._guard.on_closed()
                raise
            if isinstance(item, Exception):
                if self._ends_with_stream:  # unreadable: whose answer it was cannot be told, so no call waits for it
                    self._guard.on_closed()
                return item
            message = await self._guard.admit(item.message)
            if message is not None:
                item.message = message
                return item

    def __aiter__(self) -> AsyncIterator[SessionMessage | Exception]:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "_GuardedStream":
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._inner.__aexit__(kind, error, trace)


class _NotedStream:
    """A write stream whose messages are noted."""

    def __init__(self, inner: Any, record: ServerRecord | None) -> None:
        self._inner = inner
        self._record = record

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def send(self, item: SessionMessage) -> None:
        if self._record is not None:
            self._record.message(item.message, sent=True)
        await self._inner.send(item)

    async def __aenter__(self) -> "_NotedStream":
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._inner.__aexit__(kind, error, trace)


async def _refuse_foreign_redirect(response: httpx2.Response) -> None:
    """Headers that the user configured may hold secrets: they go to no other origin."""
    if not response.is_redirect:
        return
    source, target = response.url, response.url.join(response.headers["location"])
    if (source.scheme, source.host, source.port) != (target.scheme, target.host, target.port):
        raise httpx2.TooManyRedirects(
            f"The server redirects to another address: {target.scheme}://{target.host}", request=response.request
        )


def new_client(
    transport: ClientTransport,
    *,
    name: str,
    mode: str,
    init_timeout_seconds: float,
    roots: Any = None,
    sampling: Any = None,
) -> Client[Any]:
    """Return a client that is not connected yet. It has no deadline of its own: the host's rests while a person decides.

    What answers questions for folders (``roots``) and for the model (``sampling``) is offered to the server if it is there.
    """
    return Client(
        transport,
        name=name,
        mode=mode,
        timeout=None,
        roots=roots,
        sampling_handler=sampling,
        sampling_capabilities=mcp_types.SamplingCapability() if sampling is not None else None,  # no tools, no context
        init_timeout=init_timeout_seconds,
        input_required_max_rounds=MAX_ROUNDS,
        client_info=mcp_types.Implementation(name="threadwell", version=__version__),
        log_handler=_ignore_log,
    )


async def _ignore_log(_message: mcp_types.LoggingMessageNotificationParams) -> None:
    """Servers' log messages are dropped by the guard; this keeps fastmcp from writing any."""
