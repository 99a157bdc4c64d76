"""A remote MCP server that wants a sign-in, its sign-in server, and a browser: all on the loopback, no SDK, no library.

One process plays both servers, on two ports; each may be told to misbehave.
"""

import asyncio
import base64
import hashlib
import json
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from desktop.tools.entities import ServerConfig, Transport
from desktop.tools.sign_in import OAuthClient, PageAnswer, SignInPage, SignInPages, sign_in_name

JSON, EVENTS = "application/json", "text/event-stream"
TOOLS = [{"name": "look", "inputSchema": {"type": "object"}}, {"name": "change", "inputSchema": {"type": "object"}}]


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}

    @property
    def bearer(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass
class Reply:
    status: str = "200 OK"
    body: Any = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])

    stays_open: bool = False
    """A stream of events, to which ``OAuthWorld.stream`` writes from then on."""

    def encoded(self) -> bytes:
        is_raw = isinstance(self.body, str | bytes)
        data = self.body if isinstance(self.body, bytes) else (self.body if is_raw else json.dumps(self.body)).encode()
        length = {} if self.stays_open else {"Content-Length": str(len(data))}
        head = {"Content-Type": JSON, **length, **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        return f"HTTP/1.1 {self.status}\r\n{lines}\r\n".encode() + data


@dataclass
class Behaviour:
    """How the two servers are; as it stands they are as they should be."""

    registers: bool = True
    methods: tuple[str, ...] | None = ("none",)
    """How a client may prove itself; a secret is given out where ``none`` is not among them."""
    is_sse: bool = False
    """The older way over HTTP: one stream for all answers."""
    expires_in: int | None = 3600
    rotates: bool = True
    refreshes: bool = True
    sends_issuer: bool = True
    issuer_in_answer: str | None = None
    issuer: str | None = None
    """What the sign-in server says that it is."""
    issuer_named: str | None = None
    """To which the MCP server leads."""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    """Put over what the sign-in server says of itself."""
    metadata_headers: dict[str, str] = field(default_factory=dict[str, str])
    resource: str | None = None
    prm_url: str | None = None
    has_metadata: bool = True
    answers_with: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """Put over what the browser brings back; None leaves it out."""
    scopes: str = "read"
    """What the MCP server asks for at first."""
    scopes_for_change: str = ""
    """What the tool ``change`` needs besides."""
    token_redirects_to: str = ""
    mcp_redirects_to: str = ""
    revokes: str = "200 OK"
    """What is answered to one who signs out; ``never`` for no answer at all, empty for a server without that."""
    revokes_access: bool = True
    refuses_tokens: bool = False
    """From now on no token of those given out is good for anything."""


class OAuthWorld:
    """``requests`` is all that came in at either server: (server, method and path)."""

    def __init__(self) -> None:
        self.behaviour = Behaviour()
        self.requests: list[tuple[str, str]] = []
        self.seen_tokens: list[str] = []
        """Bearer tokens that reached the MCP server."""
        self.scopes_asked: list[str] = []
        self.clients: dict[str, dict[str, Any]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, str] = {}
        """Good access tokens with their scopes."""
        self.refresh_tokens: dict[str, dict[str, str]] = {}
        self.token_requests: list[dict[str, str]] = []
        self.revoked: list[str] = []
        """Of which kind the tokens were that somebody wanted revoked."""
        self.stream: asyncio.StreamWriter | None = None
        self.mcp_port = 0
        self.auth_port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.mcp_port}/mcp"

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.auth_port}"

    def config(
        self, *, client: OAuthClient | None = None, way: Transport = Transport.HTTP, **options: Any
    ) -> ServerConfig:
        return ServerConfig(
            id="remote", transport=way, url=self.url, sign_in=sign_in_name("remote"), oauth=client, **options
        )

    def count(self, server: str, what: str) -> int:
        return sum(1 for where, line in self.requests if where == server and line == what)

    # -- the MCP server

    async def mcp(self, request: Request) -> Reply:
        behaviour = self.behaviour
        if request.path.startswith("/.well-known/oauth-protected-resource"):
            if behaviour.issuer_named == "" or not behaviour.has_metadata:
                return Reply("404 Not Found")
            return Reply(
                body={
                    "resource": behaviour.resource or self.url,
                    "authorization_servers": [behaviour.issuer_named or self.issuer],
                }
            )
        if request.path not in ("/mcp", "/messages"):
            return Reply("404 Not Found")
        if behaviour.mcp_redirects_to:
            return Reply("307 Temporary Redirect", headers={"Location": behaviour.mcp_redirects_to})
        self.seen_tokens.append(request.bearer)
        scope = self.tokens.get(request.bearer)
        if scope is None or behaviour.refuses_tokens:
            return self._turned_away("401 Unauthorized", f'scope="{behaviour.scopes}"' if behaviour.scopes else "")
        if request.method != "POST":
            if not behaviour.is_sse:
                return Reply("405 Method Not Allowed")
            return Reply(body="event: endpoint\ndata: /messages\n\n", headers={"Content-Type": EVENTS}, stays_open=True)
        message = json.loads(request.body)
        wanted = set(behaviour.scopes_for_change.split())
        if message.get("params", {}).get("name") == "change" and not wanted <= set(scope.split()):
            needed = f'error="insufficient_scope", scope="{behaviour.scopes_for_change}"'
            return self._turned_away("403 Forbidden", needed)
        answer = self._answer(message)
        if self.stream is None:
            return answer
        if answer.body:
            self.stream.write(f"event: message\ndata: {json.dumps(answer.body)}\n\n".encode())
        return Reply("202 Accepted")

    def _turned_away(self, status: str, words: str) -> Reply:
        url = self.behaviour.prm_url or f"http://127.0.0.1:{self.mcp_port}/.well-known/oauth-protected-resource/mcp"
        parts = ", ".join(filter(None, (words, f'resource_metadata="{url}"' if self.behaviour.has_metadata else "")))
        return Reply(status, headers={"WWW-Authenticate": f"Bearer {parts}".strip()})

    def _answer(self, message: dict[str, Any]) -> Reply:
        if "id" not in message:
            return Reply("202 Accepted")
        match message["method"]:
            case "initialize":
                about = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
                result: Any = {**about, "serverInfo": {"name": "remote", "version": "1"}}
            case "tools/list":
                result = {"tools": TOOLS}
            case _:
                result = {"content": [{"type": "text", "text": f"did {message['params']['name']}"}]}
        return Reply(body={"jsonrpc": "2.0", "id": message["id"], "result": result})

    # -- the sign-in server

    async def auth(self, request: Request) -> Reply:
        match request.path:
            case "/.well-known/oauth-authorization-server":
                if not self.behaviour.has_metadata:
                    return Reply("404 Not Found")
                return Reply(body=self._metadata(), headers=self.behaviour.metadata_headers)
            case "/register":
                return self._register(json.loads(request.body))
            case "/authorize":
                return self._authorize(request.query)
            case "/token":
                return self._token(request)
            case "/revoke":
                return await self._revoke(request)
            case _:
                return Reply("404 Not Found")

    def _metadata(self) -> dict[str, Any]:
        behaviour = self.behaviour
        said = {
            "issuer": behaviour.issuer or self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["read", "write", "admin"],
            "authorization_response_iss_parameter_supported": behaviour.sends_issuer,
            **({"registration_endpoint": f"{self.issuer}/register"} if behaviour.registers else {}),
            **({"revocation_endpoint": f"{self.issuer}/revoke"} if behaviour.revokes else {}),
            **({"token_endpoint_auth_methods_supported": list(behaviour.methods)} if behaviour.methods else {}),
        }
        return {**said, **behaviour.metadata}

    def _register(self, wanted: dict[str, Any]) -> Reply:
        if not self.behaviour.registers:
            return Reply("403 Forbidden", {"error": "access_denied"})
        method = wanted.get("token_endpoint_auth_method")
        if self.behaviour.methods and method not in self.behaviour.methods:
            return Reply("400 Bad Request", {"error": "invalid_client_metadata"})
        client = {**wanted, "client_id": f"client-{secrets.token_hex(4)}"}
        if method != "none":
            client["client_secret"] = f"secret-{secrets.token_hex(12)}"
        self.clients[client["client_id"]] = client
        return Reply("201 Created", client)

    def _authorize(self, query: dict[str, str]) -> Reply:
        client = self.clients.get(query.get("client_id", ""))
        if client is None or query["redirect_uri"] not in client["redirect_uris"]:
            return Reply("400 Bad Request", "unknown client")
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        self.scopes_asked.append(query.get("scope", ""))
        code = secrets.token_hex(8)
        self.codes[code] = query
        answer: dict[str, str | None] = {"code": code, "state": query["state"]}
        if self.behaviour.sends_issuer:
            answer["iss"] = self.behaviour.issuer_in_answer or self.issuer
        answer |= self.behaviour.answers_with
        brought = urlencode({name: value for name, value in answer.items() if value is not None})
        return Reply("302 Found", headers={"Location": f"{query['redirect_uri']}?{brought}"})

    def _token(self, request: Request) -> Reply:
        if self.behaviour.token_redirects_to:
            return Reply("307 Temporary Redirect", headers={"Location": self.behaviour.token_redirects_to})
        form = request.form
        self.token_requests.append(form)
        if not self._is_client(request, form):
            return Reply("401 Unauthorized", {"error": "invalid_client"})
        if form["grant_type"] == "refresh_token":
            asked = self.refresh_tokens.get(form["refresh_token"])
            if asked is None or not self.behaviour.refreshes:
                return Reply("400 Bad Request", {"error": "invalid_grant"})
            if self.behaviour.rotates:
                del self.refresh_tokens[form["refresh_token"]]
        else:
            asked = self.codes.pop(form["code"])
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
            assert form["redirect_uri"] == asked["redirect_uri"]
        assert form["resource"] == asked.get("resource", form["resource"])
        given = self._new_tokens(asked)
        if form["grant_type"] == "refresh_token" and not self.behaviour.rotates:
            del self.refresh_tokens[given.pop("refresh_token")]
        return Reply(body=given)

    async def _revoke(self, request: Request) -> Reply:
        form = request.form
        if not self._is_client(request, form):
            return Reply("401 Unauthorized", {"error": "invalid_client"})
        if self.behaviour.revokes == "never":
            await asyncio.Event().wait()
        self.revoked.append(form["token_type_hint"])
        if self.behaviour.revokes != "200 OK":
            return Reply(self.behaviour.revokes, {"error": "temporarily_unavailable"})
        if form["token_type_hint"] == "access_token" and not self.behaviour.revokes_access:
            return Reply("400 Bad Request", {"error": "unsupported_token_type"})
        self.tokens.pop(form["token"], None)
        self.refresh_tokens.pop(form["token"], None)
        return Reply()

    def _is_client(self, request: Request, form: dict[str, str]) -> bool:
        client = self.clients.get(form.get("client_id", ""), {})
        method = client.get("token_endpoint_auth_method", "none")
        secret = client.get("client_secret", "")
        if method == "client_secret_basic":
            pair = f"{quote(client['client_id'], safe='')}:{quote(secret, safe='')}"
            return request.headers.get("authorization") == f"Basic {base64.b64encode(pair.encode()).decode()}"
        return bool(client) and (method == "none" or form.get("client_secret") == secret)

    def _new_tokens(self, asked: dict[str, str]) -> dict[str, Any]:
        access, refresh = f"access-{secrets.token_hex(12)}", f"refresh-{secrets.token_hex(12)}"
        self.tokens[access] = asked.get("scope", "")
        self.refresh_tokens[refresh] = asked
        given: dict[str, Any] = {"access_token": access, "token_type": "bearer", "refresh_token": refresh}
        return {**given, **({"expires_in": self.behaviour.expires_in} if self.behaviour.expires_in else {})}

    @property
    def secrets(self) -> list[str]:
        """Everything that was given out and must be found in no file."""
        given = [client["client_secret"] for client in self.clients.values() if "client_secret" in client]
        return [*self.tokens, *self.refresh_tokens, *given]


class Browser(SignInPages):
    """A person who agrees to open the page, and a browser that follows it; ``pages`` is what was shown."""

    def __init__(self, does: str = "agrees") -> None:
        """``does``: ``agrees``, ``refuses``, ``wanders`` (opens the page and never finishes), ``copies`` (opens it
        without a click in the app), ``ponders`` (leaves the question open)."""
        self.does = does
        self.pages: list[SignInPage] = []
        self.closed = 0
        """How many questions were taken back."""
        self.landed: list[tuple[int, str]] = []
        """Status and text of the page on which the browser ended."""

    async def open_page(self, page: SignInPage) -> PageAnswer:
        self.pages.append(page)
        if self.does == "refuses":
            return PageAnswer.REFUSED
        if self.does in ("agrees", "copies"):
            await self.follow(page.url)
        if self.does in ("ponders", "copies"):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.closed += 1
                raise
        return PageAnswer.OPENED

    async def follow(self, url: str) -> None:
        status, text = 0, ""
        for _ in range(5):
            status, headers, text = await get(url)
            if "location" not in headers:
                break
            url = headers["location"]
        self.landed.append((status, text))


async def get(url: str, **extra: str) -> tuple[int, dict[str, str], str]:
    """Fetch a page as a browser would; returns status, headers and text."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    headers = {"Host": parts.netloc, "Connection": "close", **extra}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"GET {target} HTTP/1.1\r\n{lines}\r\n".encode())
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status, answered = _parsed_head(head)
    text = (await reader.readexactly(int(answered.get("content-length", "0")))).decode()
    writer.close()
    return int(status.split()[1]), answered, text


def _parsed_head(head: str) -> tuple[str, dict[str, str]]:
    first, *lines = head.split("\r\n")
    return first, {name.lower(): value for name, _, value in (line.partition(": ") for line in lines) if name}


@asynccontextmanager
async def oauth_world() -> AsyncGenerator[OAuthWorld, None]:
    """Let both servers listen on free ports for the length of a block."""
    world = OAuthWorld()
    tasks: set[asyncio.Task[Any]] = set()

    def serving(server: str, answer: Callable[[Request], Awaitable[Reply]]) -> Any:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            try:
                while True:
                    first, headers = _parsed_head((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
                    body = await reader.readexactly(int(headers.get("content-length", "0")))
                    method, target, _ = first.split(" ")
                    parts = urlsplit(target)
                    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                    world.requests.append((server, f"{method} {parts.path}"))
                    request = Request(method, parts.path, query, headers, body)
                    reply = await answer(request)
                    writer.write(reply.encoded())
                    await writer.drain()
                    if reply.stays_open:
                        world.stream = writer
                        await asyncio.Event().wait()
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass  # the client went away, or the block ended
            finally:
                tasks.discard(task)
                writer.close()

        return serve

    mcp = await asyncio.start_server(serving("mcp", world.mcp), "127.0.0.1", 0)
    auth = await asyncio.start_server(serving("auth", world.auth), "127.0.0.1", 0)
    world.mcp_port = mcp.sockets[0].getsockname()[1]
    world.auth_port = auth.sockets[0].getsockname()[1]
    try:
        yield world
    finally:
        for listener in (mcp, auth):
            listener.close()
        for task in list(tasks):
            task.cancel()
        if tasks:
            await asyncio.wait(list(tasks))
