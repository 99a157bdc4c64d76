"""HTTP to addresses that a server named: https only, to nothing nearer than the server, and short answers.

Imports the HTTP stack at once: only what is loaded through ``sdk`` may import this module.
"""

import contextlib
import urllib.request
from collections.abc import AsyncIterator

import httpx2

from desktop.core.address_reach import Address, Reach, is_number
from desktop.mcp_client.config import LOOPBACK_HOSTS
from desktop.mcp_client.reach import allowed_addresses, reach_of_server
from desktop.mcp_client.sign_in_errors import SignInError

_MOST_BYTES = 2**20
_SECONDS = 20.0
_MOST_TRIED = 4


def checked_client(server_url: str) -> httpx2.AsyncClient:
    """Return a client for what the server at ``server_url`` leads to. It follows no redirect and keeps no cookie."""
    return httpx2.AsyncClient(
        transport=CheckedTransport(server_url),
        headers={"Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(_SECONDS),
        follow_redirects=False,
    )


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Connects to the very address that was checked: a name that changes its mind in between gains nothing."""

    def __init__(self, server_url: str) -> None:
        self._server = httpx2.URL(server_url)
        self._direct = httpx2.AsyncHTTPTransport()
        self._proxied: httpx2.AsyncHTTPTransport | None = None
        self._most: Reach | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        if self._most is None:
            self._most = await reach_of_server(self._server.host, _port(self._server))
        is_local = url.host in LOOPBACK_HOSTS
        if url.userinfo or (url.scheme != "https" and not (url.scheme == "http" and is_local)):
            raise SignInError("sign_in_bad_address", _shown(url))
        proxy = "" if is_local or is_number(url.host) else _proxy_for(url)
        if proxy:
            return _short(await self._through(proxy, request))
        *others, last = (await allowed_addresses(url.host, _port(url), most=self._most))[:_MOST_TRIED]
        for address in others:
            with contextlib.suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
                return _short(await self._direct.handle_async_request(_pinned(request, address)))
        return _short(await self._direct.handle_async_request(_pinned(request, last)))

    async def aclose(self) -> None:
        await self._direct.aclose()
        if self._proxied is not None:
            await self._proxied.aclose()

    async def _through(self, proxy: str, request: httpx2.Request) -> httpx2.Response:
        """The proxy looks the name up and decides where it lets us go."""
        if self._proxied is None:
            self._proxied = httpx2.AsyncHTTPTransport(proxy=proxy)
        return await self._proxied.handle_async_request(request)


def _pinned(request: httpx2.Request, address: Address) -> httpx2.Request:
    """The same request, to this address; name and certificate stay those of the host."""
    host = f"[{address}]" if address.version == 6 else str(address)
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=host),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")},
    )


def _proxy_for(url: httpx2.URL) -> str:
    if urllib.request.proxy_bypass(url.host):
        return ""
    proxies = urllib.request.getproxies()
    return proxies.get(url.scheme, proxies.get("all", ""))


def _port(url: httpx2.URL) -> int:
    return url.port or {"https": 443, "http": 80}.get(url.scheme, 0)


def _shown(url: httpx2.URL) -> str:
    return str(url)[:120]


def _short(response: httpx2.Response) -> httpx2.Response:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise SignInError("sign_in_failed", "an answer is compressed.")
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    response.stream = _ShortStream(stream)
    return response


class _ShortStream(httpx2.AsyncByteStream):
    """Breaks off a body that grows without end."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            if size > _MOST_BYTES:
                raise SignInError("sign_in_failed", "an answer is too long.")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
