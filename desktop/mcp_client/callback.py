"""Where the browser brings the answer of a sign-in: a listener on this machine, for one answer and five minutes."""

import asyncio
import hmac
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from desktop.mcp_client.sign_in_errors import SignInError

logger = logging.getLogger(__name__)

LISTEN_SECONDS = 300.0
_HOST = "127.0.0.1"
_PATH = "/callback"
_REQUEST_SECONDS = 10.0
_MOST_BYTES = 16 * 2**10
_MOST_CONNECTIONS = 10
_PAGE = (
    '<!doctype html><html><head><meta charset="utf-8"><title>Threadwell</title></head>'
    "<body><p>{english}</p><p lang='zh-CN'>{chinese}</p></body></html>"
)
_DONE = ("You can close this window and go back to Threadwell.", "你可以关闭此窗口，回到 Threadwell。")
_FOREIGN = (
    "This answer does not belong to a sign-in of Threadwell. You can close this window.",
    "此应答不属于 Threadwell 的登录。你可以关闭此窗口。",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class CallbackAnswer:
    """What the sign-in server told the browser to bring."""

    code: str = ""
    state: str = ""
    issuer: str | None = None
    error: str = ""
    error_words: str = ""


class CallbackListener:
    """Listens on the loopback only. Before ``expect`` every request is turned away."""

    def __init__(self) -> None:
        self.address = ""
        """To which the browser has to be sent back."""
        self._authority = ""
        self._state = ""
        self._answer: asyncio.Future[CallbackAnswer] = asyncio.get_running_loop().create_future()
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None

    async def start(self, port: int | None) -> None:
        """Begin to listen, on a free port unless one is given. Raises ``SignInError``."""
        try:
            self._server = await asyncio.start_server(self._serve, _HOST, port or 0, limit=_MOST_BYTES)
        except OSError:
            raise SignInError("sign_in_port_taken", str(port or 0)) from None
        self._authority = f"{_HOST}:{self._server.sockets[0].getsockname()[1]}"
        self.address = f"http://{self._authority}{_PATH}"

    def expect(self, state: str) -> None:
        """Take the answer that carries this, and no other."""
        self._state = state

    async def answer(self) -> CallbackAnswer:
        """Wait for it. Raises ``SignInError`` for one that belongs to something else."""
        return await asyncio.shield(self._answer)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self._answer.cancel()
        for writer in self._connections.values():
            writer.transport.abort()
        if self._connections:
            await asyncio.wait(list(self._connections))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._connections) >= _MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._connections[task] = writer
        try:
            async with asyncio.timeout(_REQUEST_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._response(head.decode("latin-1")))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            logger.debug("a request to the sign-in's address was not finished")
        finally:
            del self._connections[task]
            writer.close()

    def _response(self, head: str) -> bytes:
        first, *lines = head.split("\r\n")
        method, _, rest = first.partition(" ")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        target = urlsplit(rest.rpartition(" ")[0])
        # A page that found the port by trying, under whatever name it calls this machine, is not what was asked for.
        if method != "GET" or target.path != _PATH or headers.get("host") != self._authority or self._answer.done():
            return _http("404 Not Found", "", "")
        values = {name: found[0] for name, found in parse_qs(target.query, keep_blank_values=True).items()}
        if not self._state or not hmac.compare_digest(values.get("state", "").encode(), self._state.encode()):
            if self._state and ("code" in values or "error" in values):
                self._answer.set_exception(SignInError("sign_in_foreign_answer"))
            return _http("400 Bad Request", *_FOREIGN)
        self._answer.set_result(
            CallbackAnswer(
                code=values.get("code", ""),
                state=values["state"],
                issuer=values.get("iss"),
                error=values.get("error", ""),
                error_words=values.get("error_description", ""),
            )
        )
        return _http("200 OK", *_DONE)


@asynccontextmanager
async def listening(port: int | None = None) -> AsyncGenerator[CallbackListener, None]:
    """Listen for the length of a block, which has five minutes. Raises ``SignInError``."""
    listener = CallbackListener()
    limit = asyncio.timeout(LISTEN_SECONDS)
    try:
        async with limit:
            await listener.start(port)
            yield listener
    except TimeoutError:
        if limit.expired():
            raise SignInError("sign_in_timed_out") from None
        raise
    finally:
        await listener.close()


def _http(status: str, english: str, chinese: str) -> bytes:
    body = _PAGE.format(english=english, chinese=chinese).encode() if english else b""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
