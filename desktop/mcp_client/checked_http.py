"""HTTP to addresses that were judged, and to those very ones: that of a server itself, and those that it names.

Imports the HTTP stack at once: only what is loaded through ``sdk`` may import this module.
"""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence

import httpx2

from desktop.core.address_reach import Address, is_number
from desktop.mcp_client.big_messages import BigMessages, RefusedBodyError
from desktop.mcp_client.config import LOOPBACK_HOSTS
from desktop.mcp_client.reach import RefusedPlaceError, ServerPlace, allowed_addresses, proxy_for
from desktop.mcp_client.sign_in_errors import SignInError

_MOST_BYTES = 2**20
_SECONDS = 20.0
_MOST_TRIED = 4


def checked_client(place: ServerPlace) -> httpx2.AsyncClient:
    """Return a client for what the server at ``place`` leads to: https only, to nothing nearer than the server, and
    short answers. It follows no redirect and keeps no cookie."""
    return httpx2.AsyncClient(
        transport=CheckedTransport(place),
        headers={"Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(_SECONDS),
        follow_redirects=False,
    )


class PinnedTransport(httpx2.AsyncBaseTransport):
    """Connects to the very addresses that were checked: a name that changes its mind in between gains nothing."""

    def __init__(self) -> None:
        self._direct: httpx2.AsyncHTTPTransport | None = None
        self._proxied: httpx2.AsyncHTTPTransport | None = None

    async def aclose(self) -> None:
        for transport in (self._direct, self._proxied):
            if transport is not None:
                await transport.aclose()

    async def _to(self, addresses: Sequence[Address], request: httpx2.Request) -> httpx2.Response:
        """Ask at the first of the addresses where somebody listens. Raises ``httpx2.HTTPError``."""
        if self._direct is None:
            self._direct = httpx2.AsyncHTTPTransport()
        *others, last = addresses[:_MOST_TRIED]
        for address in others:
            try:
                return await self._direct.handle_async_request(_pinned(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._direct.handle_async_request(_pinned(request, last))

    async def _through(self, proxy: str, request: httpx2.Request) -> httpx2.Response:
        """The proxy looks the name up and decides where it lets us go."""
        if self._proxied is None:
            self._proxied = httpx2.AsyncHTTPTransport(proxy=proxy)
        return await self._proxied.handle_async_request(request)


class CheckedTransport(PinnedTransport):
    """The way to what a server names when somebody signs in."""

    def __init__(self, place: ServerPlace) -> None:
        super().__init__()
        self._place = place

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        is_local = url.host in LOOPBACK_HOSTS
        if url.userinfo or (url.scheme != "https" and not (url.scheme == "http" and is_local)):
            raise SignInError("sign_in_bad_address", _shown(url))
        proxy = "" if is_local or is_number(url.host) else await asyncio.to_thread(proxy_for, str(url))
        if proxy:
            return _short(await self._through(proxy, request))
        try:
            most = await self._place.most()
        except RefusedPlaceError:
            raise
        except (OSError, UnicodeError):
            raise SignInError("sign_in_unreachable", url.host) from None
        return _short(await self._to(await allowed_addresses(url.host, _port(url), most=most), request))


class ServerTransport(PinnedTransport):
    """The way to one server: to its own address and no other, where its place allows, and through no other's proxy."""

    def __init__(self, url: str, place: ServerPlace, big: BigMessages) -> None:
        super().__init__()
        self._origin = _origin(httpx2.URL(url))
        self._place = place
        self._big = big

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["Accept-Encoding"] = "identity"  # else a small answer may be one without end
        response = await self._answer(request)
        stream, kind = response.stream, response.headers.get("content-type", "").lower()
        assert isinstance(stream, httpx2.AsyncByteStream)
        if not _is_plain(response):
            del response.headers["content-encoding"]
            response.stream = _Through(stream, _refused)
        elif kind.startswith("application/json"):
            response.stream = _Through(stream, self._big.in_body)
        elif kind.startswith("text/event-stream"):
            response.stream = _Through(stream, self._big.in_events)
        return response

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        if _origin(request.url) != self._origin:
            raise httpx2.TooManyRedirects(f"{request.url.host} is not the server's own address.", request=request)
        if self._place.proxy:
            return await self._through(self._place.proxy, request)
        try:
            addresses = await self._place.addresses()
        except (OSError, UnicodeError) as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        try:
            return await self._to(addresses, request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            self._place.forget()
            raise


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


def _port(url: httpx2.URL) -> int:
    return url.port or {"https": 443, "http": 80}.get(url.scheme, 0)


def _origin(url: httpx2.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, _port(url)


def _shown(url: httpx2.URL) -> str:
    return str(url)[:120]


def _is_plain(response: httpx2.Response) -> bool:
    return response.headers.get("content-encoding", "identity").lower() == "identity"


async def _refused(_body: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    raise RefusedBodyError("The server's answer is compressed, which was not asked for.")
    yield b""


class _Through(httpx2.AsyncByteStream):
    """A body that something else passes on."""

    def __init__(
        self, inner: httpx2.AsyncByteStream, passed_on: Callable[[AsyncIterable[bytes]], AsyncIterator[bytes]]
    ) -> None:
        self._inner = inner
        self._passed_on = passed_on

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._passed_on(self._inner):
                yield part
        except RefusedBodyError as error:
            raise httpx2.StreamError(str(error)) from None

    async def aclose(self) -> None:
        await self._inner.aclose()


def _short(response: httpx2.Response) -> httpx2.Response:
    if not _is_plain(response):
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
