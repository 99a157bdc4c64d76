"""Finds what was said or remembered and belongs to a question: by words and by meaning, and nothing where nothing is near.

Both sides are set against their own best before they are added, because their scales differ: BM25 by what is stored,
cosines by the embedder. What is near is judged on scales that do not depend on the question (``RecallRules``).
"""

import asyncio
import logging
import math
import operator
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from desktop.core.errors import RecallError
from desktop.core.tasks import begun
from desktop.memory.entities import Passage, PassageKind, Recall, Recalled, RecallScope, Silence
from desktop.memory.ports import Embedder, PassageStore, Vector, VectorIndex, WordHit, key_of

logger = logging.getLogger(__name__)

_COUNTED_EVERY = 50
"""After so many recalls it is counted again how much there is."""


@dataclass(frozen=True, kw_only=True)
class RecallRules:
    """What recall goes by. The figures were measured with the bundled embedder: ``packaging/dev.py bench memory``."""

    facts: int = 8
    messages: int = 4
    documents: int = 5
    deadline_seconds: float = 0.3
    reserve_seconds: float = 0.06
    """Before the deadline, meaning is waited for no longer: the texts still have to be read."""
    candidates: int = 50
    """How many of each side are looked at."""
    weight_of_words: float = 0.6
    least_best_words: float = 4.0
    """A best BM25 below it is no full score: it tells little."""
    trust_across: float = 0.8
    """How far meaning stands in for words where question and passage are written in different scripts."""
    near_words: float = 8.0
    """From this BM25 on something is near."""
    near_words_alone: float = 5.5
    """The same without vectors, where nothing else can tell."""
    near_part: float = 0.5
    """Without vectors what shares this part of the question's words is near, too."""
    near_part_from: float = 0.0
    """With vectors only where a document is meant and from so many deviations above unrelated texts on: a piece says many
    things, and its vector little of each."""
    near: float = 0.9
    near_for_each_ten: float = 0.36
    """From so many deviations above unrelated texts on something is near, and so many more for each power of ten of what
    is stored: the more there is, the sooner something is near by chance. With 40 passages that is 1.5, with 2,000 it is 2.1."""
    least_part_of_best: float = 0.2
    """What scores less than this part of the best does not come along with it."""


@dataclass(frozen=True)
class Meaning:
    """An embedder, and the index of vectors that it made."""

    embedder: Embedder
    index: VectorIndex


class Meanings(Protocol):
    """Who keeps the index of vectors."""

    @property
    def meaning(self) -> Meaning | None:
        """What can be asked now; None while there are no vectors."""
        ...

    def report(self, error: RecallError) -> None:
        """Hear that asking failed or took too long, to mend it or say so."""
        ...


@dataclass(frozen=True)
class _Sense:
    """What a question means, and what is near to it."""

    embedder: Embedder
    vector: Vector
    near: Mapping[PassageKind, Mapping[str, float]]


class RecallService:
    """Asked before each answer. Never raises for what is missing or broken: it finds less then, and says so."""

    def __init__(self, store: PassageStore, meanings: Meanings, rules: RecallRules | None = None) -> None:
        self._store = store
        self._meanings = meanings
        self._rules = rules or RecallRules()
        self._counts: dict[PassageKind, int] = {}
        self._until_count = 0

    async def recall(self, question: str, scope: RecallScope) -> Recall:
        """Return what belongs to the question, facts and messages apart. Raises ``StorageError``.

        At the deadline it returns what words alone have found by then, or nothing.
        """
        rules = self._rules
        deadline = asyncio.get_running_loop().time() + rules.deadline_seconds
        kinds = (PassageKind.DOCUMENT,) if scope.only_documents else tuple(PassageKind)
        try:
            async with asyncio.timeout_at(deadline):
                await self._count()
            if not any(self._counts[kind] for kind in kinds):  # an embedder is loaded for nothing else
                return Recall(silence=Silence.OFF if scope.only_documents else Silence.NOTHING_KNOWN, had_meaning=False)
            async with (
                asyncio.timeout_at(deadline),
                begun(self._ask_meaning(question, scope)) as asking,
            ):
                words = {kind: await self._store.by_words(question, kind, rules.candidates, scope) for kind in kinds}
                left = deadline - rules.reserve_seconds - asyncio.get_running_loop().time()
                await asyncio.wait({asking}, timeout=max(0.0, left))
                sense = asking.result() if asking.done() else None
                if not asking.done():
                    self._meanings.report(RecallError("memory.embedder_late"))
                ranked = {kind: await self._ranked(question, kind, words[kind], sense, scope) for kind in kinds}
        except TimeoutError:
            return Recall(silence=Silence.TOO_LATE, had_meaning=False)
        found = Recall(
            facts=self._chosen(ranked.get(PassageKind.FACT, ()), rules.facts),
            messages=self._chosen(_each_once(ranked.get(PassageKind.MESSAGE, ())), rules.messages),
            documents=self._chosen(_each_once(ranked[PassageKind.DOCUMENT]), rules.documents),
            had_meaning=sense is not None,
        )
        if found.all:
            return found
        if scope.only_documents:
            return Recall(silence=Silence.OFF, had_meaning=sense is not None)
        return Recall(silence=Silence.NOTHING_NEAR, had_meaning=sense is not None)

    async def _count(self) -> None:
        if self._until_count == 0:
            self._counts, self._until_count = {}, _COUNTED_EVERY
        self._until_count -= 1
        for kind in PassageKind:
            if not self._counts.get(kind):  # of nothing there is soon something
                self._counts[kind] = await self._store.count(kind)

    async def _ask_meaning(self, question: str, scope: RecallScope) -> _Sense | None:
        meaning = self._meanings.meaning
        if meaning is None or not question.strip():
            return None
        try:
            (vector,) = await meaning.embedder.embed([question], are_queries=True)
            # What the scope leaves out is only seen later: as much more is asked for as that may be.
            counts = {
                PassageKind.FACT: self._rules.candidates,
                PassageKind.MESSAGE: self._rules.candidates + len(scope.sent),
                PassageKind.DOCUMENT: self._rules.candidates,
            }
            if scope.only_documents:
                counts = {PassageKind.DOCUMENT: self._rules.candidates}
            more = 10 if scope.only_this_thread else 1
            near: dict[PassageKind, dict[str, float]] = {}
            for kind, count in counts.items():
                found = await meaning.index.nearest(vector, count * more, kind)
                near[kind] = {one.key.removeprefix(key_of(kind, "")): one.cosine for one in found}
        except RecallError as error:
            logger.warning("recall goes by words alone: %s", error)
            self._meanings.report(error)
            return None
        return _Sense(meaning.embedder, vector, near)

    async def _ranked(
        self, question: str, kind: PassageKind, hits: Sequence[WordHit], sense: _Sense | None, scope: RecallScope
    ) -> list[tuple[Recalled, float]]:
        """Return the candidates, best first, each with the part of the question's words that it shares."""
        words = {hit.passage_id: hit for hit in hits}
        cosines: dict[str, float] = {}
        if sense is not None:
            cosines.update(sense.near[kind])
            unknown = [passage_id for passage_id in words if passage_id not in cosines]
            vectors = await self._store.vectors(kind, unknown, sense.embedder.id)
            cosines.update((passage_id, _cosine(sense.vector, vector)) for passage_id, vector in vectors.items())
        passages = await self._store.passages(kind, [*{**words, **cosines}], scope)
        scores = self._scores(question, passages, words, cosines, sense)
        unrelated = sense.embedder.unrelated if sense is not None else None
        ranked: list[tuple[Recalled, float]] = []
        for passage_id in sorted(scores, key=lambda passage_id: -scores[passage_id]):
            hit, cosine = words.get(passage_id), cosines.get(passage_id)
            recalled = Recalled(
                passage=passages[passage_id],
                score=scores[passage_id],
                words=hit.bm25 if hit else 0.0,
                meaning=None
                if cosine is None or unrelated is None
                else (cosine - unrelated.mean) / unrelated.deviation,
            )
            ranked.append((recalled, hit.shared if hit else 0.0))
        return ranked

    def _scores(
        self,
        question: str,
        passages: Mapping[str, Passage],
        words: Mapping[str, WordHit],
        cosines: Mapping[str, float],
        sense: _Sense | None,
    ) -> dict[str, float]:
        rules = self._rules
        best_words = max((words[p].bm25 for p in passages if p in words), default=0.0)
        by_words = {p: words[p].bm25 / max(best_words, rules.least_best_words) for p in passages if p in words}
        if sense is None:
            return {p: by_words.get(p, 0.0) for p in passages}
        mean, deviation = sense.embedder.unrelated.mean, sense.embedder.unrelated.deviation
        best = max([mean + 3 * deviation, *(cosines[p] for p in passages if p in cosines)])
        asked_in = script_of(question)
        told = min(1.0, best_words / rules.least_best_words)
        scores: dict[str, float] = {}
        for p, passage in passages.items():
            alike = min(1.0, max(0.0, (cosines.get(p, mean) - mean) / (best - mean)))
            weight = rules.weight_of_words
            if p not in words and {asked_in, script_of(passage.text)} == {Script.ALPHABET, Script.CHARACTERS}:
                weight *= 1 - told * rules.trust_across  # it cannot share words, whatever it says
            scores[p] = weight * by_words.get(p, 0.0) + (1 - weight) * alike
        return scores

    def _chosen(self, ranked: Sequence[tuple[Recalled, float]], most: int) -> tuple[Recalled, ...]:
        """Return the best, or nothing where nothing is near."""
        if not any(self._is_near(recalled, shared) for recalled, shared in ranked):
            return ()
        least = ranked[0][0].score * self._rules.least_part_of_best
        return tuple(recalled for recalled, _ in ranked[:most] if recalled.score >= least)

    def _is_near(self, recalled: Recalled, shared: float) -> bool:
        rules = self._rules
        if recalled.meaning is None:
            return recalled.words >= rules.near_words_alone or shared >= rules.near_part
        if recalled.words >= rules.near_words:
            return True
        if recalled.passage.kind is PassageKind.DOCUMENT and shared >= rules.near_part:
            return recalled.meaning >= rules.near_part_from
        stored = max(1, self._stored(recalled.passage.kind))
        return recalled.meaning >= rules.near + rules.near_for_each_ten * math.log10(stored)

    def _stored(self, kind: PassageKind) -> int:
        """Return among how many passages one of this kind was found: a folder of documents makes no chat less near."""
        if kind is PassageKind.DOCUMENT:
            return self._counts[kind]
        return sum(count for other, count in self._counts.items() if other is not PassageKind.DOCUMENT)


def _each_once(ranked: Sequence[tuple[Recalled, float]]) -> list[tuple[Recalled, float]]:
    """Return them without those that say the same as a better one: a file may have been added twice, or a question asked."""
    texts: set[str] = set()
    kept: list[tuple[Recalled, float]] = []
    for recalled, shared in ranked:
        if recalled.passage.text not in texts:
            texts.add(recalled.passage.text)
            kept.append((recalled, shared))
    return kept


class Script(Enum):
    ALPHABET = auto()
    CHARACTERS = auto()
    BOTH = auto()


def script_of(text: str) -> Script:
    """Return in what a text is mostly written."""
    characters = sum(char > "\u2e7f" for char in text)
    letters = sum(char.isalpha() and char <= "\u2e7f" for char in text)
    # A Chinese character says about as much as three letters.
    if 3 * characters >= 4 * letters:
        return Script.CHARACTERS
    return Script.ALPHABET if letters >= 12 * characters else Script.BOTH


def _cosine(first: Vector, second: Vector) -> float:
    form = f"<{len(first) // 4}f"
    return sum(map(operator.mul, struct.unpack(form, first), struct.unpack(form, second)))
