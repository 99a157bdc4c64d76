"""What stands before every request: its Host, its Origin, the token, and how large and how slow its body may be."""

import asyncio
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.api.problems import ApiProblem
from desktop.core.own_address import OwnAddress, headers_by_name

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(frozen=True, kw_only=True)
class ApiLimits:
    """Bounds of the server; tests have smaller ones."""

    body_bytes: int = 4_000_000
    body_seconds: float = 20.0
    """In which a whole body must have come."""
    head_seconds: float = 10.0
    """In which the head of a request must have come, and for how long a connection may be silent before it."""
    heartbeat_seconds: float = 15.0
    """After so long without an event a comment is sent, so that nobody takes the stream for dead."""
    requests: int = 200
    """That are answered at once, streams among them."""


class Guard:
    """ASGI middleware. Nothing passes without the token, not even the OpenAPI document."""

    def __init__(self, app: "ASGIApp", *, token: Callable[[], str], port: int, limits: ApiLimits) -> None:
        """``token`` is asked for each request: one that was renewed holds at once."""
        self._app = app
        self._token = token
        self._address = OwnAddress("127.0.0.1", port)
        self._limits = limits
        self._running = 0

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            return
        problem = self._refusal(headers_by_name(scope["headers"]))
        if problem is None and scope["method"] == "HEAD":  # a stream without its body would run for nobody
            problem = ApiProblem(405, "wrong_method", "HEAD is not served here.", "Use GET.")
        if problem is not None:
            await refuse(send, problem)
            return
        self._running += 1
        try:
            await self._app(scope, self._bounded(receive), send)
        finally:
            self._running -= 1

    def _refusal(self, headers: dict[bytes, list[bytes]]) -> ApiProblem | None:
        if not self._address.is_meant(headers.get(b"host", [])):
            return ApiProblem(421, "wrong_host", "This Host is not served here.", "Use http://127.0.0.1 and the port.")
        if not self._address.lets_in(headers.get(b"origin", [])):
            return ApiProblem(
                403,
                "foreign_origin",
                "Web pages may not use this API.",
                "Call it from a program, not from a page in a browser.",
            )
        given = headers.get(b"authorization", [])
        scheme, _, token = (given[0] if len(given) == 1 else b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token().encode()):
            return ApiProblem(
                401,
                "no_token",
                "The token is missing or wrong.",
                "Send the header “Authorization: Bearer TOKEN”; the token stands in the settings under Local API.",
            )
        if self._running >= self._limits.requests:
            return ApiProblem(429, "too_many_requests", "Too many requests at once.", "Wait until some have ended.")
        lengths = headers.get(b"content-length", [])
        if lengths and int(lengths[0]) > self._limits.body_bytes:  # the parser takes digits alone
            return _too_large(self._limits)
        return None

    def _bounded(self, receive: "Receive") -> "Receive":
        limits, clock = self._limits, asyncio.get_running_loop().time
        deadline, taken, is_whole = clock() + limits.body_seconds, 0, False

        async def bounded() -> "Message":
            nonlocal taken, is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise ApiProblem(
                    408, "slow_body", "The body did not come in time.", "Send the whole body at once."
                ) from None
            taken += len(message.get("body", b""))
            if taken > limits.body_bytes:
                raise _too_large(limits)
            is_whole = not message.get("more_body", False)
            return message

        return bounded


def _too_large(limits: ApiLimits) -> ApiProblem:
    most = f"{limits.body_bytes:,} bytes"
    return ApiProblem(413, "body_too_large", "The body is too large.", f"Send at most {most}; give a part of the text.")


async def refuse(send: "Send", problem: ApiProblem) -> None:
    """Answer with the problem. Nothing else that strangers send is read; who sends too much reads why before it ends."""
    headers = [(b"content-type", b"application/json")]
    if problem.status != 413:
        headers.append((b"connection", b"close"))
    if problem.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem.to_json(), ensure_ascii=False).encode()})
