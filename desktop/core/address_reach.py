"""How near a network address is: on the internet, in a private network, on this machine, or nobody's."""

import asyncio
import ipaddress
import socket
from enum import IntEnum

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

PROXY_VARIABLES = tuple(
    spelled for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for spelled in (name, name.upper())
)
"""Where the environment names proxies."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_FORBIDDEN = (
    ipaddress.ip_network("64:ff9b:1::/48"),  # NAT64 of a local network: what it leads to cannot be told
    ipaddress.ip_network("fec0::/10"),  # a network's own, by an older rule
    ipaddress.ip_network("168.63.129.16/32"),  # a cloud's administration under a public number
    ipaddress.ip_network("255.255.255.255/32"),
)


_LOCAL_ENDINGS = (
    *(".local", ".lan", ".internal", ".intranet", ".private"),
    *(".corp", ".home", ".home.arpa", ".localdomain"),
)
"""Names that no one can own on the internet, or that networks use among themselves."""


class Reach(IntEnum):
    PUBLIC = 0
    PRIVATE = 1
    LOOPBACK = 2
    FORBIDDEN = 3
    """Nobody's, or that of the machine's own administration (169.254.169.254)."""


def reach_of(address: Address) -> Reach:
    """Return how near the address is, also one that is wrapped in another kind of address."""
    if isinstance(address, ipaddress.IPv6Address) and (inner := _wrapped(address)) is not None:
        return reach_of(inner)
    if address.is_loopback:
        return Reach.LOOPBACK
    if address.is_unspecified or address.is_multicast or address.is_link_local:
        return Reach.FORBIDDEN
    if any(address in network for network in _FORBIDDEN) or (address.version == 6 and address.is_reserved):
        return Reach.FORBIDDEN
    return Reach.PUBLIC if address.is_global else Reach.PRIVATE


def said_reach(host: str) -> Reach:
    """Return how near a host is by what is written, before anybody looks it up: what leads nearer than that was not
    entered by whoever entered the host. An address that is wrapped in another one says nothing."""
    host = host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost") or host == socket.gethostname().lower():
        return Reach.LOOPBACK
    if is_number(host):
        address = ipaddress.ip_address(host)
        is_wrapped = isinstance(address, ipaddress.IPv6Address) and _wrapped(address) is not None
        return Reach.PUBLIC if is_wrapped else reach_of(address)
    *_, last = host.split(".")
    if last[:1].isdigit():  # a number in one of the old spellings
        return Reach.PUBLIC
    return Reach.PRIVATE if "." not in host or host.endswith(_LOCAL_ENDINGS) else Reach.PUBLIC


async def looked_up(host: str, port: int) -> list[Address]:
    """Return all addresses of a host, each once. Raises ``OSError`` or ``UnicodeError`` where there are none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))


def is_number(host: str) -> bool:
    """Whether the host is written as an address instead of a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _wrapped(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour
