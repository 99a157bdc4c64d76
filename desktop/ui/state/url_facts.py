"""What can be told of an address that a server wants opened: its host, what is odd about it, whether it may be opened."""

import ipaddress
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

URL_LIMIT = 8192
_OWN_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""Of this machine, as the protocol knows it: no other may go without encryption."""


class UrlWarning(StrEnum):
    NO_WEB_ADDRESS = "no_web_address"
    NOT_ENCRYPTED = "not_encrypted"
    USER_BEFORE_HOST = "user_before_host"
    HIDDEN_CHARACTERS = "hidden_characters"
    TOO_LONG = "too_long"
    PUNYCODE = "punycode"
    FOREIGN_LETTERS = "foreign_letters"
    ODD_PORT = "odd_port"
    NUMBERS_FOR_HOST = "numbers_for_host"
    OWN_MACHINE = "own_machine"


_REFUSED = frozenset(
    {
        UrlWarning.NO_WEB_ADDRESS,
        UrlWarning.NOT_ENCRYPTED,
        UrlWarning.USER_BEFORE_HOST,
        UrlWarning.HIDDEN_CHARACTERS,
        UrlWarning.TOO_LONG,
    }
)


@dataclass(frozen=True, kw_only=True)
class UrlFacts:
    """``host_span`` is where the host stands in the address as given; ``other_name`` is the host's other spelling."""

    host: str = ""
    host_span: tuple[int, int] = (0, 0)
    other_name: str = ""
    warnings: tuple[UrlWarning, ...] = ()

    @property
    def may_open(self) -> bool:
        """Only https, or http to this machine, with nothing that makes it read differently from what it is."""
        return not _REFUSED.intersection(self.warnings)


def url_facts(url: str) -> UrlFacts:
    """Look at ``url`` without touching the network."""
    # Signs that parsers drop or turn come first: after them no host can be told for certain.
    if any(c.isspace() or c == "\\" or unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") for c in url):
        return UrlFacts(warnings=(UrlWarning.HIDDEN_CHARACTERS,))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return UrlFacts(warnings=(UrlWarning.NO_WEB_ADDRESS,))
    if parts.scheme not in ("https", "http") or not host:
        return UrlFacts(warnings=(UrlWarning.NO_WEB_ADDRESS,))
    start, end = _host_span(url, parts)
    other_name, spelling = _spelling(host)
    is_local = _is_loopback(host)
    found = {
        UrlWarning.NOT_ENCRYPTED: parts.scheme == "http" and host not in _OWN_NAMES,
        UrlWarning.USER_BEFORE_HOST: "@" in parts.netloc,
        UrlWarning.TOO_LONG: len(url) > URL_LIMIT,
        UrlWarning.PUNYCODE: spelling is UrlWarning.PUNYCODE,
        UrlWarning.FOREIGN_LETTERS: spelling is UrlWarning.FOREIGN_LETTERS,
        UrlWarning.ODD_PORT: port is not None and port != {"https": 443, "http": 80}[parts.scheme] and not is_local,
        UrlWarning.NUMBERS_FOR_HOST: _is_numeric(host) and not is_local,
        UrlWarning.OWN_MACHINE: is_local,
    }
    warnings = tuple(warning for warning, applies in found.items() if applies)
    return UrlFacts(host=url[start:end], host_span=(start, end), other_name=other_name, warnings=warnings)


def _host_span(url: str, parts: SplitResult) -> tuple[int, int]:
    user, at, host_and_port = parts.netloc.rpartition("@")
    start = url.index("//") + 2 + len(user) + len(at)
    if host_and_port.startswith("["):
        return start, start + host_and_port.index("]") + 1
    return start, start + len(host_and_port.partition(":")[0])


def _spelling(host: str) -> tuple[str, UrlWarning | None]:
    """Return the host's other spelling (letters for punycode, punycode for letters) and the warning for it."""
    try:
        if not host.isascii():
            return host.encode("idna").decode("ascii"), UrlWarning.FOREIGN_LETTERS
        if any(label.startswith("xn--") for label in host.split(".")):
            return host.encode("ascii").decode("idna"), UrlWarning.PUNYCODE
    except UnicodeError:
        return "", UrlWarning.PUNYCODE if host.isascii() else UrlWarning.FOREIGN_LETTERS
    return "", None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_numeric(host: str) -> bool:
    """Addresses in numbers, in every notation that resolvers take (0x7f.1, 2130706433)."""
    if ":" in host:
        return True
    last = host.rstrip(".").rpartition(".")[2]
    return last.isdecimal() or last.lower().startswith("0x")
