"""Holds what a server lists against what the user has accepted of it: a tool that is not that any more is not used."""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, cast

from desktop.core.clock import Clock, utc_now
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.tools.entities import ServerStatus, ToolDescriptor
from desktop.tools.pinned import INSTRUCTIONS, HeldItem, Pin, ServerListing, definition_text
from desktop.tools.ports import PinRepository, ToolGateway

STILL_FIRST = timedelta(seconds=10)
"""Tools that a server adds so soon after it was first listed belong to the first listing: many list the last ones late."""
HELD = (
    "Not run: the server does not describe this tool any more as the user has accepted it. It can be called again when"
    " the user has looked at the change."
)
_AT_A_TIME = 20

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Judged:
    """What came of one listing: the hash of each definition that may be used, by name, and what may not."""

    listing: ServerListing
    usable: Mapping[str, str]
    held: tuple[HeldItem, ...] = ()
    instructions: str = ""


class ToolPins:
    """For all servers but those that come with the app, which are pinned by its version.

    The first listing of a server is accepted as it is, since the user allowed the server. From then on a tool, or
    instructions, that differ from what was accepted are held. What goes back to that is used again.

    ``changed`` carries the id of a server of which something else is held now.
    """

    def __init__(
        self, gateway: ToolGateway, repository: PinRepository, tasks: TaskSupervisor, *, clock: Clock = utc_now
    ) -> None:
        self.changed = Signal[str]()
        self._gateway = gateway
        self._repository = repository
        self._tasks = tasks
        self._clock = clock
        self._pins: dict[tuple[str, str], dict[str, Pin]] = {}
        self._judged: dict[str, _Judged] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        gateway.status_changed.connect(self._status_changed)

    async def judge(self, *server_ids: str) -> None:
        """Hold the present listings of these servers against their pins. Raises ``StorageError``."""
        for server_id in server_ids:
            async with self._locks[server_id]:
                listing = self._gateway.listing_of(server_id)
                judged = self._judged.get(server_id)
                if listing is not None and not listing.bundled and (judged is None or judged.listing is not listing):
                    await self._judge(listing)

    def is_held(self, tool: ToolDescriptor) -> bool:
        """Whether the tool must not be used: its server lists it in another way than was accepted, or than ``tool``."""
        if tool.bundled:
            return False
        judged = self._judged.get(tool.server_id)
        return judged is None or judged.usable.get(tool.name) != tool.definition_hash

    def held(self, server_id: str) -> tuple[HeldItem, ...]:
        """What of a server waits for the user, also what is to be kept off, in the order in which it is listed."""
        judged = self._judged.get(server_id)
        is_current = judged is not None and self._gateway.listing_of(server_id) is judged.listing
        return judged.held if judged is not None and is_current else ()

    def instructions(self, server_id: str) -> str:
        """The instructions of a server that were accepted; empty while other ones are held. Untrusted text."""
        judged = self._judged.get(server_id)
        return "" if judged is None else judged.instructions

    async def accept(self, items: Sequence[HeldItem]) -> None:
        """Use these from now on, exactly as they were shown. Raises ``StorageError``."""
        await self._decide(items, lambda pin, text: replace(pin, definition=text, kept_off=""))

    async def keep_off(self, items: Sequence[HeldItem]) -> None:
        """Ask no more about these, exactly as they were shown, and do not use them. Raises ``StorageError``."""
        await self._decide(items, lambda pin, text: replace(pin, kept_off=text))

    async def _decide(self, items: Sequence[HeldItem], decided: Callable[[Pin, str], Pin]) -> None:
        for server_id in dict.fromkeys(item.server_id for item in items):
            async with self._locks[server_id]:
                for identity in dict.fromkeys(item.identity for item in items if item.server_id == server_id):
                    known = await self._pins_of(server_id, identity)
                    pins = [
                        decided(
                            known.get(item.name) or Pin(name=item.name, definition="", pinned_at=self._clock()),
                            definition_text(item.now),
                        )
                        for item in items
                        if (item.server_id, item.identity) == (server_id, identity)
                    ]
                    await self._keep(server_id, identity, pins)
                listing = self._gateway.listing_of(server_id)
                if listing is not None and not listing.bundled:
                    await self._judge(listing)

    async def _judge(self, listing: ServerListing) -> None:
        definitions = listing.definitions()
        texts: dict[str, str] = {}
        for number, (name, definition) in enumerate(definitions.items()):
            texts[name] = definition_text(definition)
            if number % _AT_A_TIME == 0:
                await asyncio.sleep(0)  # a long list must not hold the window up
        known = await self._pins_of(listing.server_id, listing.identity)
        now = self._clock()
        if not known or timedelta(0) <= now - min(pin.pinned_at for pin in known.values()) < STILL_FIRST:
            added = [
                Pin(name=name, definition=text, pinned_at=now) for name, text in texts.items() if name not in known
            ]
            if added:
                await self._keep(listing.server_id, listing.identity, added)
        hashes = {tool.name: tool.definition_hash for tool in listing.tools}
        accepted = {name for name, text in texts.items() if name in known and known[name].definition == text}
        held = tuple(
            _held(listing, name, definitions[name], known.get(name), texts[name])
            for name in texts
            if name not in accepted
        )
        before = self._judged.get(listing.server_id)
        self._judged[listing.server_id] = _Judged(
            listing,
            {name: hashes[name] for name in accepted if name in hashes},
            held,
            listing.instructions if INSTRUCTIONS in accepted else "",
        )
        if held:
            logger.info("%d definitions of MCP server %s wait for the user", len(held), listing.server_id)
        if (before.held if before is not None else ()) != held:
            self.changed.emit(listing.server_id)

    async def _pins_of(self, server_id: str, identity: str) -> dict[str, Pin]:
        key = (server_id, identity)
        if key not in self._pins:
            self._pins[key] = {pin.name: pin for pin in await self._repository.of(server_id, identity)}
        return self._pins[key]

    async def _keep(self, server_id: str, identity: str, pins: Sequence[Pin]) -> None:
        await self._repository.keep(server_id, identity, pins)
        self._pins[server_id, identity].update((pin.name, pin) for pin in pins)

    def _status_changed(self, status: ServerStatus) -> None:
        if status.is_ready:
            self._tasks.spawn(self.judge(status.server_id), name=f"look at the tools of {status.server_id}")


def _held(listing: ServerListing, name: str, definition: Mapping[str, Any], pin: Pin | None, text: str) -> HeldItem:
    return HeldItem(
        server_id=listing.server_id,
        identity=listing.identity,
        name=name,
        before=_read(pin.definition) if pin is not None and pin.definition else None,
        now=definition,
        is_kept_off=pin is not None and pin.kept_off == text,
    )


def _read(text: str) -> Mapping[str, Any]:
    """Return a definition that was kept; one that a damaged file spoilt says nothing."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}
