"""Reads one web page for the model: http and https, public addresses alone, bounded in time, size and redirects."""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from email.message import Message

import httpcore2
import httpx2

from desktop import __version__
from desktop.core.address_reach import Address
from desktop.core.checked_network import CheckedNetwork, RefusedAddressError, is_public
from desktop.core.page_text import PageText, decoded, readable

MIN_CHARS, DEFAULT_CHARS, MAX_CHARS = 100, 20_000, 100_000
MAX_REDIRECTS = 5
MAX_BYTES = 3 * 2**20
"""Of a page after it was unpacked; the rest is not read."""
SECONDS = 30.0
_MOST_URL_CHARS = 4_000
_HEADERS = {
    "User-Agent": f"Threadwell/{__version__} (reads one page for its user)",
    "Accept": "text/html, application/xhtml+xml, text/plain, application/json;q=0.9, text/*;q=0.8, */*;q=0.1",
    "Accept-Encoding": "gzip",
}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_TEXT_ENDINGS = ("json", "xml", "javascript", "yaml", "toml", "csv")


class PageError(Exception):
    """The message says in English why there is nothing to read."""


@dataclass(frozen=True)
class _Page:
    address: str
    kind: str
    charset: str
    body: bytes
    is_whole: bool


class PageReader:
    """``allowed`` says which addresses may be connected to, ``proxies`` which proxies this computer uses."""

    def __init__(
        self, *, allowed: Callable[[Address], bool] = is_public, proxies: Mapping[str, str] | None = None
    ) -> None:
        self._allowed = allowed
        self._proxies = dict(proxies or {})

    async def read(self, url: str, max_chars: int = DEFAULT_CHARS) -> str:
        """Return the address where the page was found, its title and its text. Raises ``PageError``."""
        try:
            async with asyncio.timeout(SECONDS):
                page = await self._fetch(url)
                # A page of some MB takes its time: other tools must not wait for it.
                found = await asyncio.to_thread(_text_of, page)
        except TimeoutError:
            raise PageError(f"The page took longer than {SECONDS:g} seconds.") from None
        except RefusedAddressError as error:
            raise PageError(f"Not read: {error}") from None
        except httpcore2.TimeoutException:
            raise PageError("The web server does not answer in time.") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise PageError(f"The page could not be loaded: {str(error)[:300] or type(error).__name__}") from None
        return _report(page, found, max_chars)

    async def _fetch(self, address: str) -> _Page:
        url = _checked(address)
        for _ in range(MAX_REDIRECTS + 1):
            network = CheckedNetwork(allowed=self._allowed, proxies=self._proxies)
            async with (
                httpcore2.AsyncConnectionPool(network_backend=network) as pool,
                pool.stream("GET", _wire(url), headers=_headers(url), extensions=_TIMEOUTS) as response,
            ):
                headers = {name.lower(): value.decode("latin-1") for name, value in reversed(response.headers)}
                if response.status not in _REDIRECTS or b"location" not in headers:
                    return await _page(url, response, headers)
                with _as_page_error():
                    url = _checked(str(url.join(headers[b"location"])))
        raise PageError(f"The page redirects more than {MAX_REDIRECTS} times.")


_TIMEOUTS = {"timeout": {"connect": 10.0, "read": 15.0, "write": 10.0, "pool": 10.0}}


def _checked(address: str) -> httpx2.URL:
    if len(address) > _MOST_URL_CHARS:
        raise PageError("The address is too long.")
    with _as_page_error():
        url = httpx2.URL(address.strip())
        if url.scheme not in ("http", "https") or not url.raw_host:
            raise PageError("Only addresses that begin with http:// or https:// can be read.")
        if url.userinfo:
            raise PageError("An address with a user name or a password in it is not read.")
        if url.port is not None and not 0 < url.port < 65_536:
            raise PageError("The address has a port that does not exist.")
        return url
    raise AssertionError("either way was left above")


@contextlib.contextmanager
def _as_page_error():
    try:
        yield
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise PageError("This is no valid web address.") from None


def _wire(url: httpx2.URL) -> httpcore2.URL:
    return httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _headers(url: httpx2.URL) -> list[tuple[str, str]]:
    return [("Host", url.netloc.decode("ascii")), *_HEADERS.items()]


async def _page(url: httpx2.URL, response: httpcore2.Response, headers: Mapping[bytes, str]) -> _Page:
    if not 200 <= response.status < 300:
        raise PageError(f"The web server answered with status {response.status}.")
    message = Message()
    message["content-type"] = headers.get(b"content-type", "")
    kind = message.get_content_type() if headers.get(b"content-type") else ""
    _check_kind(kind)
    body, is_whole = await _bounded(response.aiter_stream(), headers.get(b"content-encoding", "").strip().lower())
    if body.startswith(b"%PDF-"):
        _check_kind("application/pdf")
    if b"\0" in body[:1024] and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        _check_kind("application/octet-stream")
    return _Page(str(url), kind, str(message.get_param("charset") or ""), body, is_whole)


def _check_kind(kind: str) -> None:
    if kind == "application/pdf":
        raise PageError("This is a PDF file, which this tool does not read. The user can attach it to the chat.")
    if kind not in _HTML and not kind.startswith("text/") and not kind.endswith(_TEXT_ENDINGS):
        raise PageError(f"This is no page or text but {kind[:80]}, which this tool does not read.")


async def _bounded(stream: AsyncIterator[bytes], encoding: str) -> tuple[bytes, bool]:
    """Return what is unpacked of the first ``MAX_BYTES``, and whether it is all."""
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise PageError(f"The page is packed in a way that was not asked for ({encoding[:40]}).")
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS) if encoding.endswith("gzip") else None
    body = bytearray()
    async for chunk in stream:
        left = MAX_BYTES - len(body)
        try:
            body += chunk[: left + 1] if unpacker is None else unpacker.decompress(chunk, left + 1)
        except zlib.error:
            raise PageError("The page is packed wrongly.") from None
        if len(body) > MAX_BYTES:
            return bytes(body[:MAX_BYTES]), False
    return bytes(body), True


def _text_of(page: _Page) -> PageText:
    is_html = page.kind in ("text/html", "application/xhtml+xml")
    if not page.kind:
        is_html = page.body.lstrip()[:1] == b"<"
    source = decoded(page.body, page.charset, may_be_html=is_html)
    return readable(source, page.address) if is_html else PageText("", source)


def _report(page: _Page, found: PageText, max_chars: int) -> str:
    lines = [f"Address: {page.address}"]
    if found.title:
        lines.append(f"Title: {found.title}")
    text = found.text if found.text.strip() else "(The page holds no readable text.)"
    lines += ["", text[:max_chars]]
    if len(text) > max_chars:
        lines += ["", f"[Cut here: {max_chars} of {len(text)} characters are shown.]"]
    elif not page.is_whole:
        lines += ["", f"[The page is larger than {MAX_BYTES // 2**20} MB: only its beginning was read.]"]
    return "\n".join(lines)
