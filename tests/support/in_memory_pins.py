"""Accepted definitions in memory."""

from collections.abc import Sequence

from desktop.tools.pinned import Pin
from desktop.tools.ports import PinRepository


class InMemoryPins(PinRepository):
    def __init__(self) -> None:
        self._pins: dict[tuple[str, str], dict[str, Pin]] = {}

    async def of(self, server_id: str, identity: str) -> Sequence[Pin]:
        return tuple(self._pins.get((server_id, identity), {}).values())

    async def keep(self, server_id: str, identity: str, pins: Sequence[Pin]) -> None:
        self._pins.setdefault((server_id, identity), {}).update((pin.name, pin) for pin in pins)
