"""What stands before the command server on HTTP: the right Host, no foreign Origin, and a bearer token."""

import hmac
import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class HttpGuard:
    """ASGI middleware. A page in a browser can reach loopback by a name it controls (DNS rebinding); not past this."""

    def __init__(self, app: "ASGIApp", *, token: str, host: str, port: int) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = _accepted_hosts(host)
        self._port = port

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http":
            refusal = self._refusal(_headers(scope))
            if refusal is not None:
                status, reason = refusal
                await _respond(send, status, reason)
                return
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: dict[bytes, list[bytes]]) -> tuple[int, str] | None:
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or not self._is_ours(f"//{hosts[0].decode('latin-1')}"):
            return 421, "This Host is not served here."
        for origin in headers.get(b"origin", []):
            text = origin.decode("latin-1")
            if not text.startswith("http://") or not self._is_ours(text.removeprefix("http:")):
                return 403, "Requests from this Origin are not allowed."
        given = headers.get(b"authorization", [])
        scheme, _, token = (given[0] if len(given) == 1 else b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            return 401, "A bearer token is needed."
        return None

    def _is_ours(self, address: str) -> bool:
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            return False
        if parts.username is not None or parts.path or parts.query or parts.fragment:
            return False
        return (parts.hostname or "") in self._hosts and port in (None, self._port)


def _accepted_hosts(host: str) -> frozenset[str]:
    """Return the names under which the server may be addressed. Bound to all addresses, any literal one of this list."""
    loopback = {"127.0.0.1", "localhost", "::1"}
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return frozenset({host.lower()} | (loopback if host == "localhost" else set()))
    return frozenset({host} | (loopback if address.is_loopback or address.is_unspecified else set()))


def _headers(scope: "Scope") -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.lower(), []).append(value)
    return found


async def _respond(send: "Send", status: int, reason: str) -> None:
    headers: list[Any] = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})
