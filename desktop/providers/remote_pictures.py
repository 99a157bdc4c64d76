"""Fetches one picture from the web for the user who asked for it: public addresses alone, bounded in time and size.

No cookies, no referrer, no name of the chat; each redirect is checked like the first address. What came is made into plain
pixels by the reader's process, whatever the web server says it is.
"""

import asyncio
import urllib.request
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from desktop.conversation.ports import FileReader
from desktop.conversation.remote_pictures import RemotePicture
from desktop.core.address_reach import Address, Reach, reach_of
from desktop.core.errors import FileError

if TYPE_CHECKING:
    import httpcore2

MOST_BYTES = 15 * 2**20
SECONDS = 30.0
MOST_REDIRECTS = 4
_LONGEST_ADDRESS = 4_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TIMEOUTS = {"timeout": {"connect": 10.0, "read": 15.0, "write": 10.0, "pool": 10.0}}
_HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Threadwell)"),
    ("Accept", "image/*"),
    ("Accept-Encoding", "identity"),
)


class WebPictures:
    """See ``conversation.remote_pictures.RemotePictures``. ``allowed`` says which addresses may be connected to."""

    def __init__(
        self,
        reader: FileReader,
        *,
        allowed: Callable[[Address], bool] = lambda address: reach_of(address) is Reach.PUBLIC,
        proxies: Mapping[str, str] | None = None,
    ) -> None:
        """``proxies`` as ``urllib.request.getproxies`` tells them, which is asked where there are none."""
        self._reader = reader
        self._allowed = allowed
        self._proxies = proxies

    async def fetch(self, address: str) -> RemotePicture:
        """As in the port."""
        import httpcore2

        from desktop.core.checked_network import RefusedAddressError

        host = urlsplit(address).hostname or address[:80]
        try:
            async with asyncio.timeout(SECONDS):
                data = await self._load(address)
        except RefusedAddressError as error:
            raise FileError("file.remote_refused", host=host) from error
        except TimeoutError as error:
            raise FileError("file.remote_slow", host=host, seconds=round(SECONDS)) from error
        except (
            httpcore2.TimeoutException,
            httpcore2.NetworkError,
            httpcore2.ProtocolError,
            ValueError,
            OSError,
        ) as error:
            raise FileError("file.remote_not_loaded", host=host, detail=_detail(error)) from error
        try:
            read = await self._reader.picture(data)
        except FileError as error:
            raise FileError(error.code, **{**error.params, "name": host}) from error
        return RemotePicture(read.data, read.width, read.height)

    async def _load(self, address: str) -> bytes:
        import httpcore2

        from desktop.core.checked_network import CheckedNetwork

        proxies = urllib.request.getproxies() if self._proxies is None else self._proxies
        for _ in range(MOST_REDIRECTS + 1):
            parts = urlsplit(address)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
                raise ValueError("the address is none of the web")
            if len(address) > _LONGEST_ADDRESS:
                raise ValueError("the address is too long")
            network = CheckedNetwork(allowed=self._allowed, proxies=proxies)
            async with (
                httpcore2.AsyncConnectionPool(network_backend=network) as pool,
                pool.stream("GET", _wire(address), headers=_headers(address), extensions=_TIMEOUTS) as response,
            ):
                location = {name.lower(): value for name, value in response.headers}.get(b"location")
                if response.status not in _REDIRECTS or location is None:
                    return await _body(response)
                address = urljoin(address, location.decode("latin-1"))
        raise ValueError("the address redirects too often")


def _wire(address: str) -> "httpcore2.URL":
    import httpx2

    url = httpx2.URL(address)
    import httpcore2

    return httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _headers(address: str) -> list[tuple[str, str]]:
    import httpx2

    return [("Host", httpx2.URL(address).netloc.decode("ascii")), *_HEADERS]


async def _body(response: "httpcore2.Response") -> bytes:
    if not 200 <= response.status < 300:
        raise ValueError(f"HTTP {response.status}")
    body = bytearray()
    async for chunk in response.aiter_stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise ValueError(f"larger than {MOST_BYTES // 2**20} MB")
    return bytes(body)


def _detail(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:200]
