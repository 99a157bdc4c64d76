"""Base URLs as people paste them, made usable; and which hosts are this machine."""

import ipaddress
import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit

from desktop.core.errors import ModelError

_PASTED_ENDINGS = ("/chat/completions", "/completions", "/responses", "/models")
_PLAIN_QUERY = frozenset({"api-version", "api_version", "version"})
_VERSION = re.compile(r"/v\d+[a-z]*\d*(?:/|$)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class EndpointAddress:
    """A base URL without a trailing slash, and the query that every request carries (Azure's ``api-version``)."""

    base_url: str
    query: dict[str, str]
    is_loopback: bool

    @property
    def text(self) -> str:
        """The whole as one URL, for the settings."""
        return f"{self.base_url}?{urlencode(self.query)}" if self.query else self.base_url

    @property
    def secrets(self) -> tuple[str, ...]:
        """What of the query may be a key, as it is and as it is sent: some gateways take it there."""
        values = [value for name, value in self.query.items() if name.lower() not in _PLAIN_QUERY]
        return tuple(
            dict.fromkeys(form for value in values for form in (value, quote(value, safe=""), quote_plus(value)))
        )

    def with_version(self) -> "EndpointAddress | None":
        """The same with ``/v1``, which people forget; None where the path names a version already."""
        if _VERSION.search(urlsplit(self.base_url).path):
            return None
        return replace(self, base_url=f"{self.base_url}/v1")


def parse_address(text: str) -> EndpointAddress:
    """Return the address that ``text`` means. A pasted ``…/chat/completions`` is cut off; ``/v1`` is never added.

    Raises ``ModelError("model.bad_address")``, also for a URL with a user name or password in it.
    """
    url = text.strip().strip("<>\"'")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        valid = parts.port != 0  # reading the port checks it
    except ValueError:
        raise ModelError("model.bad_address", url=text.strip()) from None
    if "@" in parts.netloc:
        without_secret = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        raise ModelError("model.bad_address", url=without_secret)
    if not valid or parts.scheme not in ("http", "https") or not _is_host(host) or not _is_plain(url):
        raise ModelError("model.bad_address", url=url)
    path = parts.path.rstrip("/")
    for ending in _PASTED_ENDINGS:
        path = path.removesuffix(ending).rstrip("/")
    return EndpointAddress(
        base_url=f"{parts.scheme}://{parts.netloc}{path}",
        query=dict(parse_qsl(parts.query)),
        is_loopback=is_loopback(host),
    )


def is_loopback(host: str) -> bool:
    """True when ``host`` is this machine: nothing sent there leaves it."""
    host = host.lower().rstrip(".").strip("[]")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_loopback or address.is_unspecified


def _is_host(host: str) -> bool:
    return bool(host) and not host.startswith((".", "-")) and ".." not in host


def _is_plain(url: str) -> bool:
    return not any(character.isspace() or not character.isprintable() for character in url)
