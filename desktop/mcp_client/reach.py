"""Where a server's address may lead: nowhere nearer than the user agreed to, however its name is looked up later."""

import asyncio
import logging
import urllib.request
from dataclasses import replace
from urllib.parse import urlsplit

from desktop.core.address_reach import Address, Reach, is_number, looked_up, reach_of, said_reach
from desktop.core.settings import SettingsStore
from desktop.mcp_client.config import LOOPBACK_HOSTS
from desktop.mcp_client.launch import CannotStartError
from desktop.mcp_client.sign_in_errors import SignInError
from desktop.tools.server_remarks import Remark

logger = logging.getLogger(__name__)

_MOST_PLACES = 500
_LOOK_UP_SECONDS = 10.0


class RefusedPlaceError(CannotStartError):
    """A server's address leads to where nobody agreed to have it."""


class Places:
    """How near the hosts of servers were when the user agreed to them, in the settings."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    def agreed(self, host: str) -> Reach | None:
        name = self._settings.settings.server_places.get(host, "")
        return next((reach for reach in Reach if reach.name.lower() == name), None)

    def keep(self, host: str, reach: Reach) -> None:
        settings = self._settings.settings
        others = [(name, kept) for name, kept in settings.server_places.items() if name != host]
        places = dict([*others, (host, reach.name.lower())][-_MOST_PLACES:])
        try:
            self._settings.update(replace(settings, server_places=places))
        except OSError as error:
            logger.warning("where a server is could not be noted: %s", error)  # the next start notes it


class ServerPlace:
    """Of one remote server.

    What its address says by itself counts as agreed to: ``localhost``, ``10.0.0.7``, ``nas.local``. Any other name may
    lead into the network when it is used for the first time after the user agreed to it, as an intranet's does, and
    never onto this machine; how near it was then is the most from then on, unless the user ``accept``s more. Nothing is
    looked up that a proxy looks up: where it leads is the proxy's to decide.
    """

    def __init__(self, places: Places | None = None) -> None:
        self._places = places
        self._here: dict[str, Reach] = {}
        """What holds for this process alone."""
        self._host = ""
        self._port = 0
        self._found: list[Address] = []
        self._refused: Reach | None = None
        self.proxy = ""
        """Through which the server is asked; empty where it is asked directly."""

    async def begin(self, url: str) -> None:
        """A connection to this address is going to be made. Raises ``RefusedPlaceError``; whatever else may be wrong
        with the address shows when it is used."""
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        self._found, self._refused = [], None
        self.proxy = "" if self.is_local else await asyncio.to_thread(proxy_for, url)
        if self.proxy:
            if is_number(self._host):
                self._check(await looked_up(self._host, self._port))
            return
        try:
            async with asyncio.timeout(_LOOK_UP_SECONDS):
                await self.addresses()
        except RefusedPlaceError:
            raise
        except (OSError, UnicodeError):
            logger.debug("a server's name cannot be looked up now", exc_info=True)

    @property
    def is_local(self) -> bool:
        """Whether the address says that it is this machine."""
        return self._host in LOOPBACK_HOSTS

    @property
    def shown(self) -> str:
        """The addresses that are used; empty where they are not known."""
        return ", ".join(map(str, self._found))

    @property
    def proxy_host(self) -> str:
        """The proxy without what may be a password."""
        return urlsplit(self.proxy).netloc.rpartition("@")[2]

    async def addresses(self) -> list[Address]:
        """Return where it may be connected to, looked up once until ``forget``.

        Raises ``RefusedPlaceError``; ``OSError`` or ``UnicodeError`` where the name cannot be looked up.
        """
        if not self._found:
            self._found = self._check(await looked_up(self._host, self._port))
        return self._found

    def forget(self) -> None:
        """Nobody answers there: look the name up again before the next attempt."""
        self._found = []

    async def most(self) -> Reach:
        """Return how near the server may lead to other places, as one who signs in is led. Raises like ``addresses``."""
        if self.is_local:
            return Reach.LOOPBACK
        if self.proxy:
            return min(said_reach(self._host), Reach.PRIVATE)
        return min(min(map(reach_of, await self.addresses())), Reach.PRIVATE)

    def settle(self) -> None:
        """The server answered there, with the user's agreement: this is how near it is."""
        is_noted = self._places is None or self._places.agreed(self._host) is not None
        if self._found and not is_noted and said_reach(self._host) is Reach.PUBLIC:
            self._keep(min(map(reach_of, self._found)))

    def accept(self) -> None:
        """The user agrees to the place that was refused last."""
        if self._refused is not None and self._refused is not Reach.FORBIDDEN:
            self._keep(self._refused)

    def _check(self, found: list[Address]) -> list[Address]:
        said, agreed = said_reach(self._host), self._agreed()
        first = Reach.PRIVATE if said is Reach.PUBLIC else said
        most = min(max(said, first if agreed is None else agreed), Reach.LOOPBACK)
        allowed = [address for address in found if reach_of(address) <= most]
        if not allowed:
            nearest = min(found, key=reach_of)
            self._refused = reach_of(nearest)
            code = "place_forbidden" if self._refused is Reach.FORBIDDEN else "place_nearer"
            raise RefusedPlaceError(Remark(code, str(nearest)))
        if agreed is None:
            self._here[self._host] = min(map(reach_of, allowed))
        return allowed

    def _agreed(self) -> Reach | None:
        kept = self._places.agreed(self._host) if self._places is not None else None
        return self._here.get(self._host) if kept is None else kept

    def _keep(self, reach: Reach) -> None:
        self._here[self._host] = reach
        if self._places is not None:
            self._places.keep(self._host, reach)


def proxy_for(url: str) -> str:
    """Return the address of the proxy that this computer has for ``url``; empty where there is none.

    To be called in a thread: some systems look the name up for that.
    """
    parts = urlsplit(url)
    if not parts.hostname or urllib.request.proxy_bypass(parts.hostname):
        return ""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(parts.scheme, proxies.get("all", ""))
    return proxy if "://" in proxy or not proxy else f"http://{proxy}"


async def addresses_of(host: str, port: int) -> list[Address]:
    """Resolve a host. Raises ``SignInError``."""
    try:
        return await looked_up(host, port)
    except (OSError, UnicodeError):
        raise SignInError("sign_in_unreachable", host) from None


async def allowed_addresses(host: str, port: int, *, most: Reach) -> list[Address]:
    """Return the addresses of ``host`` that are no nearer than ``most``. Raises ``SignInError`` when there are none."""
    allowed = [address for address in await addresses_of(host, port) if reach_of(address) <= most]
    if not allowed:
        raise SignInError("sign_in_inside", host)
    return allowed
