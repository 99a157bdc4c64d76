"""Connections to public addresses alone: each name is looked up once, every address checked, and that very one connected to."""

import urllib.request
from collections.abc import Callable, Iterable, Mapping
from typing import cast
from urllib.parse import urlsplit

import httpcore2

from desktop.core.address_reach import Address, Reach, looked_up, reach_of

_MOST_TRIED = 4
_MOST_PROXY_ANSWER = 16_384


class RefusedAddressError(Exception):
    """The message says in English why the address is not connected to."""


def is_public(address: Address) -> bool:
    return reach_of(address) is Reach.PUBLIC


class CheckedNetwork(httpcore2.AsyncNetworkBackend):
    """What an HTTP pool connects through; TLS is spoken with the name, so that its certificate counts.

    ``proxies`` is what ``urllib.request.getproxies`` returns. A proxy is told the checked address, never the name: it
    must let itself be asked for a tunnel.
    """

    def __init__(
        self, *, allowed: Callable[[Address], bool] = is_public, proxies: Mapping[str, str] | None = None
    ) -> None:
        self._allowed = allowed
        self._proxies = dict(proxies or {})
        self._plain = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  (the signature of the base class)
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Raises ``RefusedAddressError``, or ``httpcore2.ConnectError`` where nobody answers."""
        proxy = self._proxy_for(host, port)
        addresses = await self._checked(host, port, through_proxy=bool(proxy))
        failure: Exception = httpcore2.ConnectError("no address")
        for address in addresses[:_MOST_TRIED]:
            try:
                if proxy:
                    return await self._tunnel(proxy, address, port, timeout)
                return await self._plain.connect_tcp(str(address), port, timeout=timeout)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def _checked(self, host: str, port: int, *, through_proxy: bool) -> list[Address]:
        try:
            addresses = await looked_up(host, port)
        except (OSError, UnicodeError):
            why = f"the name {host} could not be looked up"
            if through_proxy:
                why += ", and what only the proxy of this computer knows cannot be checked"
            raise RefusedAddressError(f"{why}.") from None
        # One that leads inside is enough: such a name is not the page that it says.
        if not addresses or not all(map(self._allowed, addresses)):
            raise RefusedAddressError(
                f"{host} leads to this computer or into a private network, which this tool does not read."
            )
        return addresses

    def _proxy_for(self, host: str, port: int) -> str:
        # A backend is not told the scheme. Where the two proxies differ, one of them would see what is not for it.
        proxy = self._proxies.get("https" if port != 80 else "http") or self._proxies.get("all", "")
        if proxy and urllib.request.proxy_bypass_environment(host, self._proxies):  # type: ignore[arg-type]
            return ""
        return proxy if "://" in proxy or not proxy else f"http://{proxy}"

    async def _tunnel(
        self, proxy: str, address: Address, port: int, limit: float | None
    ) -> httpcore2.AsyncNetworkStream:
        parts = urlsplit(proxy)
        if parts.scheme != "http" or not parts.hostname or parts.username is not None:
            raise RefusedAddressError(
                "the proxy of this computer is of a kind through which addresses cannot be checked."
            )
        stream = await self._plain.connect_tcp(parts.hostname, parts.port or 80, timeout=limit)
        target = f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"
        try:
            await stream.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode(), limit)
            answer = b""
            while b"\r\n\r\n" not in answer and len(answer) < _MOST_PROXY_ANSWER:
                if not (more := await stream.read(4096, limit)):
                    break
                answer += more
        except BaseException:
            await stream.aclose()
            raise
        words = answer.split(b"\r\n", 1)[0].split()
        if len(words) < 2 or words[1] != b"200" or not answer.endswith(b"\r\n\r\n"):
            await stream.aclose()
            raise RefusedAddressError("the proxy of this computer refuses tunnels to checked addresses.")
        return stream
