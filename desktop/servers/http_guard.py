"""What stands before the command server on HTTP: the right Host, no foreign Origin, and a bearer token."""

import hmac
from typing import TYPE_CHECKING, Any

from desktop.core.own_address import OwnAddress, headers_by_name

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class HttpGuard:
    """ASGI middleware. A page in a browser can reach loopback by a name it controls (DNS rebinding); not past this."""

    def __init__(self, app: "ASGIApp", *, token: str, host: str, port: int) -> None:
        self._app = app
        self._token = token.encode()
        self._address = OwnAddress(host, port)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http":
            refusal = self._refusal(headers_by_name(scope["headers"]))
            if refusal is not None:
                status, reason = refusal
                await _respond(send, status, reason)
                return
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: dict[bytes, list[bytes]]) -> tuple[int, str] | None:
        if not self._address.is_meant(headers.get(b"host", [])):
            return 421, "This Host is not served here."
        if not self._address.lets_in(headers.get(b"origin", [])):
            return 403, "Requests from this Origin are not allowed."
        given = headers.get(b"authorization", [])
        scheme, _, token = (given[0] if len(given) == 1 else b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            return 401, "A bearer token is needed."
        return None


async def _respond(send: "Send", status: int, reason: str) -> None:
    headers: list[Any] = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})
