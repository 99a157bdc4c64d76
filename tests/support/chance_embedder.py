"""An embedder for tests that search files for vectors: each text has one of its own, the same in every process."""

import hashlib
from collections.abc import Sequence

from desktop.memory.ports import Likeness, Vector
from tests.support.vectors import DIMENSIONS, own_vector


class ChanceEmbedder:
    id = "chance"
    dimensions = DIMENSIONS
    unrelated = Likeness(0.0, 0.2)

    def __init__(self) -> None:
        self.made: dict[str, Vector] = {}

    async def prepare(self) -> None:
        """All is known beforehand."""

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        self.made.update((text, vector_of(text)) for text in texts)
        return [self.made[text] for text in texts]

    async def close(self) -> None:
        """Nothing is open."""


def vector_of(text: str) -> Vector:
    return own_vector(int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big"))
