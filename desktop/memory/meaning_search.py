"""Finds messages that mean what somebody looks for, in all threads: for a search, whose reader judges by himself.

More is let through than recall would put before a model, and words count for nothing: those have a search of their own.
"""

import asyncio
import logging
import math
from dataclasses import dataclass

from desktop.core.errors import RecallError
from desktop.memory.entities import PassageKind, Recalled, RecallScope
from desktop.memory.ports import PassageStore, key_of
from desktop.memory.recall import Meaning, Meanings

logger = logging.getLogger(__name__)

_EVERYWHERE = RecallScope(beside_path=True)


@dataclass(frozen=True, kw_only=True)
class MeaningSearchRules:
    """Measured with the bundled embedder, 20 queries of each kind among 2,000 sentences: for made-up words nothing is
    found, for foreign subjects something for one in four, for what the sentences speak of nearly always."""

    candidates: int = 60
    deadline_seconds: float = 10.0
    """The embedder may have to be loaded first."""
    near: float = 0.15
    near_for_each_ten: float = 0.25
    """See ``RecallRules``: with 40 messages something is near from 0.55 deviations on, with 10,000 from 1.15."""
    least_part_of_best: float = 0.4


class MeaningSearch:
    """Asked while somebody types; what is missing or broken finds nothing."""

    def __init__(self, store: PassageStore, meanings: Meanings, rules: MeaningSearchRules | None = None) -> None:
        self._store = store
        self._meanings = meanings
        self._rules = rules or MeaningSearchRules()

    async def like(self, text: str, limit: int) -> tuple[Recalled, ...] | None:
        """Return what means something like the text, best first; None where meaning cannot be asked now.

        Also what stands beside the path of its thread. The Trash and temporary threads are left out. Raises
        ``StorageError``.
        """
        meaning = self._meanings.meaning
        if meaning is None:
            return None
        if not any(character.isalpha() for character in text):
            return ()  # a number means nothing
        try:
            async with asyncio.timeout(self._rules.deadline_seconds):
                return await self._found(meaning, text, limit)
        except TimeoutError:
            logger.info("the search by meaning took too long")
        except RecallError as error:
            logger.warning("the search goes by words alone: %s", error)
            self._meanings.report(error)
        return None

    async def _found(self, meaning: Meaning, text: str, limit: int) -> tuple[Recalled, ...]:
        rules, unrelated = self._rules, meaning.embedder.unrelated
        (vector,) = await meaning.embedder.embed([text], are_queries=True)
        nearest = await meaning.index.nearest(vector, rules.candidates, PassageKind.MESSAGE)
        above = {
            one.key.removeprefix(key_of(PassageKind.MESSAGE, "")): (one.cosine - unrelated.mean) / unrelated.deviation
            for one in nearest
        }
        stored = await self._store.count(PassageKind.MESSAGE)
        gate = rules.near + rules.near_for_each_ten * math.log10(max(1, stored))
        least = max(gate, rules.least_part_of_best * max(above.values(), default=0.0))
        near = sorted((one for one in above if above[one] >= least), key=lambda one: -above[one])
        passages = await self._store.passages(PassageKind.MESSAGE, near, _EVERYWHERE)
        there = [one for one in near if one in passages]
        best = above[there[0]] if there else 1.0
        return tuple(
            Recalled(passage=passages[one], score=above[one] / best, words=0.0, meaning=above[one])
            for one in there[:limit]
        )
