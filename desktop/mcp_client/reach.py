"""How far away an address is: no server may lead the app to something nearer than itself."""

from desktop.core.address_reach import Address, Reach, looked_up, reach_of
from desktop.mcp_client.config import LOOPBACK_HOSTS
from desktop.mcp_client.sign_in_errors import SignInError


async def addresses_of(host: str, port: int) -> list[Address]:
    """Resolve a host. Raises ``SignInError``."""
    try:
        return await looked_up(host, port)
    except (OSError, UnicodeError):
        raise SignInError("sign_in_unreachable", host) from None


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
