"""The memory server on HTTP: what stands before it, its figures at ``/metrics``, and connections that may not dawdle."""

import asyncio
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from desktop.core.own_address import OwnAddress, headers_by_name
from desktop.servers.memory.metrics import Metrics
from desktop.servers.memory.spans import continued
from desktop.servers.memory.store import MemoryStore, StoreError, Usage
from desktop.servers.memory.tenants import Tokens
from desktop.servers.memory.tools import CALLER_KEY, Caller

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MCP_PATH = "/mcp"
METRICS_PATH = "/metrics"
MAX_BODY_BYTES = 5_000_000
"""A text of the most characters that are taken, in JSON."""
_MAX_CONNECTIONS = 512
_USAGE_SECONDS = 5.0
_FOREIGN_PAGES = (b"cross-site", b"same-site")


@dataclass(frozen=True)
class Patience:
    """How many seconds a request may take to come: its head, and then its body."""

    head: float = 10.0
    body: float = 10.0


class _RefusedError(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Guard:
    """ASGI middleware: only requests to this server's own name and paths, from no foreign page, of a known tenant.

    It reads the whole body, which is bounded in size and time, before anything behind it runs.
    """

    def __init__(self, app: "ASGIApp", *, tokens: Tokens, addresses: Sequence[OwnAddress], body_seconds: float) -> None:
        self._app = app
        self._tokens = tokens
        self._addresses = addresses
        self._body_seconds = body_seconds

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            headers = headers_by_name(scope["headers"])
            self._check_origin(scope, headers)
            caller = self._caller(headers)
            body = await self._body(receive, headers)
        except _RefusedError as refusal:
            await _respond(send, refusal.status, str(refusal))
            return
        with continued(caller.traceparent):
            await self._app({**scope, CALLER_KEY: caller}, _Replay(body, receive), send)

    def _check_origin(self, scope: "Scope", headers: dict[bytes, list[bytes]]) -> None:
        if not any(address.is_meant(headers.get(b"host", [])) for address in self._addresses):
            raise _RefusedError(421, "This Host is not served here.")
        foreign = any(value.lower() in _FOREIGN_PAGES for value in headers.get(b"sec-fetch-site", []))
        if foreign or not any(address.lets_in(headers.get(b"origin", [])) for address in self._addresses):
            raise _RefusedError(403, "Requests from this Origin are not allowed.")
        # The very bytes: nothing that only becomes one of the paths when it is decoded or tidied up.
        if scope.get("raw_path", b"") not in (MCP_PATH.encode(), METRICS_PATH.encode()):
            raise _RefusedError(404, "There is nothing here.")
        if scope["method"] == "POST":
            kind = headers.get(b"content-type", [b""])[0].partition(b";")[0].strip().lower()
            if kind != b"application/json":  # what a page may send without being asked about it first
                raise _RefusedError(415, "The body must be application/json.")

    def _caller(self, headers: dict[bytes, list[bytes]]) -> Caller:
        tenant: str | None = ""
        if self._tokens:
            given = headers.get(b"authorization", [])
            scheme, _, token = (given[0] if len(given) == 1 else b"").partition(b" ")
            tenant = self._tokens.tenant_of(token.strip()) if scheme.lower() == b"bearer" else None
            if tenant is None:
                raise _RefusedError(401, "A bearer token is needed.")
        return Caller(tenant, _text(headers, b"traceparent"), _text(headers, b"x-request-id"))

    async def _body(self, receive: "Receive", headers: dict[bytes, list[bytes]]) -> bytes:
        too_large = _RefusedError(413, f"The body is larger than {MAX_BODY_BYTES} bytes.")
        length = headers.get(b"content-length", [b""])[0]
        if length.isdigit() and (len(length) > 12 or int(length) > MAX_BODY_BYTES):
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise _RefusedError(400, "The body did not come.")
                    body += message.get("body", b"")
                    if len(body) > MAX_BODY_BYTES:
                        raise too_large
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            raise _RefusedError(408, f"The body did not come within {self._body_seconds:g} seconds.") from None


def _text(headers: dict[bytes, list[bytes]], name: bytes) -> str | None:
    return headers[name][0].decode("latin-1") if name in headers else None


class _Replay:
    """Gives the body that was read, and after it whatever else comes: that the caller went away."""

    def __init__(self, body: bytes, receive: "Receive") -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> "Message":
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        return await self._receive()


async def _respond(send: "Send", status: int, reason: str) -> None:
    # Closed, since the body may still be coming.
    headers: list[Any] = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})


class _Usage:
    """What the store holds, asked for once in some seconds however often the figures are read."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._asked_at = float("-inf")
        self._usage: Usage | None = None

    async def now(self) -> Usage | None:
        if time.monotonic() - self._asked_at >= _USAGE_SECONDS:
            self._asked_at = time.monotonic()
            try:
                self._usage = await self._store.usage()
            except StoreError:
                self._usage = None
        return self._usage


class _PromptProtocol(H11Protocol):
    """Closes a connection whose request has not come in full, but for its body, after some seconds.

    uvicorn bounds only how long a connection may be quiet after an answer.
    """

    head_seconds = 0.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._deadline = self.loop.call_later(self.head_seconds, self._end)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        is_between = self.cycle is None or self.cycle.response_complete
        if not is_between:
            self._forget_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self._end)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        super().connection_lost(exc)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        self._deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


class _OrderlyServer(uvicorn.Server):
    """Returns when it was asked to end. uvicorn would then end the process by that signal, before the store is closed."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def web_app(
    server: "FastMCP",
    store: MemoryStore,
    metrics: Metrics,
    *,
    tokens: Tokens,
    addresses: Sequence[OwnAddress],
    patience: Patience,
) -> Any:
    """Return the ASGI app, which is meant by any of ``addresses``.

    Each request stands for itself, so that no session of HTTP is left to another's token.
    """
    usage = _Usage(store)

    @server.custom_route(METRICS_PATH, methods=["GET"])
    async def figures(request: Request) -> Response:
        metrics.stored(await usage.now())
        body, content_type = metrics.text(request.headers.get("accept", ""))
        return Response(body, headers={"content-type": content_type})

    guard = Middleware(Guard, tokens=tokens, addresses=addresses, body_seconds=patience.body)
    return server.http_app(
        path=MCP_PATH,
        middleware=[guard],
        stateless_http=True,
        json_response=True,
        host_origin_protection=False,  # the guard is stricter
    )


def http_server(app: Any, *, host: str, port: int, patience: Patience) -> uvicorn.Server:
    """Return what serves the app, until the process is asked to end."""

    class Protocol(_PromptProtocol):
        head_seconds = patience.head

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Protocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    return _OrderlyServer(config)
