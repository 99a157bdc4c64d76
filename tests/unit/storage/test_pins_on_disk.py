"""Accepted definitions are on disk as they were, and apart by their server."""

from datetime import UTC, datetime
from pathlib import Path

from desktop.tools.pinned import Pin, definition_text
from tests.support.stores import opened

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ODD = definition_text({"name": "read\0", "description": "\ud800 \u202e 读取", "inputSchema": {"default": None}})
INSTRUCTIONS = Pin(name="", definition=definition_text({"instructions": ""}), pinned_at=NOW)


async def test_they_come_back_as_they_were(tmp_path: Path) -> None:
    pins = [INSTRUCTIONS, Pin(name="read", definition=ODD, kept_off=ODD, pinned_at=NOW)]
    async with opened(tmp_path) as store:
        await store.pins.keep("files", "one", pins)
    async with opened(tmp_path) as store:
        assert sorted(await store.pins.of("files", "one"), key=lambda pin: pin.name) == pins
        assert await store.pins.of("files", "two") == ()
        assert await store.pins.of("other", "one") == ()


async def test_a_later_one_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.pins.keep("files", "one", [INSTRUCTIONS, Pin(name="read", definition="{}", pinned_at=NOW)])
        later = Pin(name="read", definition='{"a":1}', pinned_at=NOW)
        await store.pins.keep("files", "one", [later])
        assert sorted(await store.pins.of("files", "one"), key=lambda pin: pin.name) == [INSTRUCTIONS, later]
