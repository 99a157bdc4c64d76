"""Lets tests reach this machine and nothing else, and remembers who tried."""

import errno
import ipaddress
import socket
from collections.abc import Callable
from typing import Any

RESERVED_ENDINGS = (".invalid", ".test", ".example")
"""Names that nobody can own: looking one up fails as it would outside, and is no offence."""

_attempts: list[str] = []


def take_attempts() -> list[str]:
    """Return what was refused since the last call."""
    taken = list(_attempts)
    _attempts.clear()
    return taken


def _is_loopback(host: str) -> bool:
    return ipaddress.ip_address(host.split("%")[0]).is_loopback if _is_address(host) else host == "localhost"


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.split("%")[0])
    except ValueError:
        return False
    return True


def _refuse(what: str) -> OSError:
    _attempts.append(what)
    return OSError(errno.ENETUNREACH, f"tests reach loopback addresses only: {what}")


def _guard_address(name: str) -> Callable[..., Any]:
    original = getattr(socket.socket, name)

    def guarded(self: socket.socket, *arguments: Any) -> Any:
        address = arguments[-1]  # sendto(data[, flags], address); the others have it alone
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_loopback(str(address[0])):
            raise _refuse(f"{name} {address}")
        return original(self, *arguments)

    return guarded


def _guard_lookup() -> Callable[..., Any]:
    original = socket.getaddrinfo

    def guarded(host: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and name != "localhost" and not _is_address(name):
            if name.rstrip(".").endswith(RESERVED_ENDINGS):
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            raise _refuse(f"look-up of {name}")
        return original(host, *arguments, **options)

    return guarded


def install() -> None:
    """Replace the ways out of this process for its remaining life. Qt's own sockets and child processes are not seen."""
    for name in ("connect", "connect_ex", "bind", "sendto"):
        setattr(socket.socket, name, _guard_address(name))
    socket.getaddrinfo = _guard_lookup()
