"""How far away an address is: no server may lead the app to something nearer than itself."""

import asyncio
import ipaddress
import socket

from desktop.core.address_reach import Address, Reach, reach_of
from desktop.mcp_client.config import LOOPBACK_HOSTS
from desktop.mcp_client.sign_in_errors import SignInError


async def addresses_of(host: str, port: int) -> list[Address]:
    """Resolve a host. Raises ``SignInError``."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SignInError("sign_in_unreachable", host) from None
    return list(dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))


async def reach_of_server(host: str, port: int) -> Reach:
    """Return how near a server is that the user entered. On this machine is only one that says so by its name."""
    if host in LOOPBACK_HOSTS:
        return Reach.LOOPBACK
    nearest = min(reach_of(address) for address in await addresses_of(host, port))
    return min(nearest, Reach.PRIVATE)


async def allowed_addresses(host: str, port: int, *, most: Reach) -> list[Address]:
    """Return the addresses of ``host`` that are no nearer than ``most``. Raises ``SignInError`` when there are none."""
    allowed = [address for address in await addresses_of(host, port) if reach_of(address) <= most]
    if not allowed:
        raise SignInError("sign_in_inside", host)
    return allowed
