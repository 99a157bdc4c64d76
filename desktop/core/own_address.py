"""Who may call a server of ours on this computer: requests to its own name, and from no other page of a browser."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class OwnAddress:
    """The names under which a server is meant. A page in a browser can reach loopback by a name it controls (DNS rebinding)."""

    def __init__(self, host: str, port: int) -> None:
        """``host`` is where the server listens; bound to all addresses it is meant by any name of this computer's own."""
        self._hosts = _accepted_hosts(host)
        self._port = port

    def is_meant(self, hosts: list[bytes]) -> bool:
        """Tell whether a request with these ``Host`` headers is one for this server."""
        return len(hosts) == 1 and self._is_ours(f"//{hosts[0].decode('latin-1')}")

    def lets_in(self, origins: list[bytes]) -> bool:
        """Tell whether a request with these ``Origin`` headers comes from no page, or from one of this server."""
        texts = [origin.decode("latin-1") for origin in origins]
        return all(text.startswith("http://") and self._is_ours(text.removeprefix("http:")) for text in texts)

    def _is_ours(self, address: str) -> bool:
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            return False
        if parts.username is not None or parts.path or parts.query or parts.fragment:
            return False
        return (parts.hostname or "") in self._hosts and port in (None, self._port)


def headers_by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, list[bytes]]:
    """Return the values of an ASGI request's headers by their names in small letters."""
    found: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        found.setdefault(name.lower(), []).append(value)
    return found


def _accepted_hosts(host: str) -> set[str]:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return {host.lower(), *(_LOOPBACK if host == "localhost" else ())}
    return {host, *(_LOOPBACK if address.is_loopback or address.is_unspecified else ())}
