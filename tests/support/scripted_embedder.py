"""An embedder for tests that knows what a few words mean, slow or failing when told."""

import asyncio
import math
import struct
from collections.abc import Sequence

from desktop.core.errors import RecallError
from desktop.memory.ports import Likeness, Vector

TOPICS = (
    ("cat", "kitten", "pet", "猫", "宠物"),
    ("town", "city", "Bonn", "城市", "上海"),
    ("tea", "drink", "茶"),
    ("violin", "instrument", "乐器"),
)


class ScriptedEmbedder:
    """Texts of the same topic are alike, all others are not; topics are told by the words above."""

    unrelated = Likeness(mean=0.1, deviation=0.1)
    dimensions = len(TOPICS) + 16

    def __init__(self, embedder_id: str = "scripted") -> None:
        self.id = embedder_id
        self.embedded: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.missing = False
        self.poison = ""
        """A text that holds it cannot be embedded."""

    async def prepare(self) -> None:
        """All is known beforehand."""

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        await self.gate.wait()
        if self.missing:
            raise RecallError("memory.embedder_missing", detail="scripted")
        if self.poison and any(self.poison in text for text in texts):
            raise RecallError("memory.embedder_failed", detail="scripted")
        self.embedded += texts
        return [self._vector(text) for text in texts]

    async def close(self) -> None:
        self.gate.set()

    def _vector(self, text: str) -> Vector:
        numbers = [float(any(word in text for word in topic)) for topic in TOPICS] + [0.0] * 16
        if not any(numbers):
            numbers[len(TOPICS) + sum(map(ord, text)) % 16] = 1.0
        length = math.sqrt(sum(number * number for number in numbers))
        return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))
