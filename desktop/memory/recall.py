"""Finds what was said or remembered and belongs to a question: by words and by meaning, and nothing where nothing is near.

Both sides are set against their own best before they are added, because their scales differ: BM25 by what is stored,
cosines by the embedder. What is near is judged on scales that do not depend on the question (``RecallRules``).
"""

import asyncio
import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, auto
from heapq import nlargest
from typing import Protocol

from desktop.core.errors import RecallError
from desktop.core.tasks import begun
from desktop.memory.embedding import cosine, question_vector
from desktop.memory.entities import Passage, PassageKind, Recall, Recalled, RecallScope, Silence
from desktop.memory.ports import Embedder, PassageStore, Vector, VectorIndex, WordHit, key_of
from desktop.memory.question_words import Day, days_of

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
    candidates: int = 100
    """How many of each side are looked at."""
    weight_of_words: float = 0.6
    least_best_words: float = 5.0
    """A best BM25 below it is no full score: it tells little."""
    trust_across: float = 0.8
    """How far meaning stands in for words where question and passage are written in different scripts."""
    weight_of_sitting: float = 0.4
    """What the best of the same thread and day count for, beside 1 for the passage itself: where much was found, more of
    what is asked about was said."""
    best_of_sitting: int = 3
    near_words: float = 10.0
    """From this BM25 on something is near."""
    near_words_alone: float = 6.5
    """The same without vectors, where nothing else can tell."""
    near_part: float = 0.5
    """Without vectors what shares this part of the question's words is near, too."""
    near_part_from: float = -0.25
    """With vectors only where a document is meant and from so many deviations above unrelated texts on: a piece says many
    things, and its vector little of each. One sentence that answers among 800 characters that do not is at 0.0."""
    near_on_day: float = 0.0
    """The same where the question names the day on which it was said: "what was my mood on 2 May" means little else."""
    near: float = 0.35
    near_for_each_ten: float = 0.58
    """From so many deviations above unrelated texts on something is near, and so many more for each power of ten of what
    is stored: the more there is, the sooner something is near by chance. With 40 passages that is 1.3, with 2,000 it is 2.3."""
    near_at_least: float = 0.9
    """However little is stored: two questions about a flat that ask for other things are at 0.7."""
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
                found = {kind: await self._candidates(kind, words[kind], sense, scope) for kind in kinds}
        except TimeoutError:
            return Recall(silence=Silence.TOO_LATE, had_meaning=False)
        return self._recall(question, found, sense, scope)

    def _recall(
        self, question: str, found: Mapping[PassageKind, "_Candidates"], sense: _Sense | None, scope: RecallScope
    ) -> Recall:
        rules, days = self._rules, days_of(question)
        most = {
            PassageKind.FACT: rules.facts,
            PassageKind.MESSAGE: rules.messages,
            PassageKind.DOCUMENT: rules.documents,
        }
        chosen: dict[PassageKind, tuple[Recalled, ...]] = dict.fromkeys(PassageKind, ())
        for kinds in _MEASURED_TOGETHER:
            together = [found[kind] for kind in kinds if kind in found]
            best = self._best(together, sense)
            ranked = {
                each.kind: _ranked(each, self._beside_others(each, self._scores(question, each, best, sense)), sense)
                for each in together
            }
            if any(self._is_near(recalled, shared, days) for those in ranked.values() for recalled, shared in those):
                least = rules.least_part_of_best * max(those[0][0].score for those in ranked.values() if those)
                for kind, those in ranked.items():
                    near = [recalled for recalled, _ in those if recalled.score >= least]
                    chosen[kind] = tuple(_each_once(near)[: most[kind]])
        recall = Recall(
            facts=chosen[PassageKind.FACT],
            messages=chosen[PassageKind.MESSAGE],
            documents=chosen[PassageKind.DOCUMENT],
            had_meaning=sense is not None,
        )
        if recall.all:
            return recall
        return replace(recall, silence=Silence.OFF if scope.only_documents else Silence.NOTHING_NEAR)

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
            vector = await question_vector(meaning.embedder, question)
            # What the scope leaves out is only seen later: as much more is asked for as that may be.
            counts = {
                PassageKind.FACT: self._rules.candidates,
                PassageKind.MESSAGE: self._rules.candidates + len(scope.sent),
                PassageKind.DOCUMENT: self._rules.candidates,
            }
            if scope.only_documents:
                counts = {PassageKind.DOCUMENT: self._rules.candidates}
            more = 10 if scope.only_this_thread or scope.only_assistant else 1
            near: dict[PassageKind, dict[str, float]] = {}
            for kind, count in counts.items():
                found = await meaning.index.nearest(vector, count * more, kind)
                near[kind] = {one.key.removeprefix(key_of(kind, "")): one.cosine for one in found}
        except RecallError as error:
            logger.warning("recall goes by words alone: %s", error)
            self._meanings.report(error)
            return None
        return _Sense(meaning.embedder, vector, near)

    async def _candidates(
        self, kind: PassageKind, hits: Sequence[WordHit], sense: _Sense | None, scope: RecallScope
    ) -> "_Candidates":
        words = {hit.passage_id: hit for hit in hits}
        cosines: dict[str, float] = {}
        if sense is not None:
            cosines.update(sense.near[kind])
            unknown = [passage_id for passage_id in words if passage_id not in cosines]
            vectors = await self._store.vectors(kind, unknown, sense.embedder.id)
            cosines.update((passage_id, cosine(sense.vector, vector)) for passage_id, vector in vectors.items())
        passages = await self._store.passages(kind, [*{**words, **cosines}], scope)
        return _Candidates(kind, passages, words, cosines)

    def _best(self, together: Iterable["_Candidates"], sense: _Sense | None) -> "_Best":
        """Return the best of those whose scores are to be comparable."""
        words, cosines = 0.0, -1.0
        for each in together:
            words = max([words, *(each.words[p].bm25 for p in each.passages if p in each.words)])
            cosines = max([cosines, *(each.cosines[p] for p in each.passages if p in each.cosines)])
        if sense is not None:
            cosines = max(cosines, sense.embedder.unrelated.mean + 3 * sense.embedder.unrelated.deviation)
        return _Best(words, cosines)

    def _scores(self, question: str, found: "_Candidates", best: "_Best", sense: _Sense | None) -> dict[str, float]:
        rules, words = self._rules, found.words
        full = max(best.words, rules.least_best_words)
        by_words = {p: words[p].bm25 / full if p in words else 0.0 for p in found.passages}
        if sense is None:
            return by_words
        mean = sense.embedder.unrelated.mean
        asked_in = script_of(question)
        told = min(1.0, best.words / rules.least_best_words)
        scores: dict[str, float] = {}
        for p, passage in found.passages.items():
            alike = min(1.0, max(0.0, (found.cosines.get(p, mean) - mean) / (best.cosine - mean)))
            weight = rules.weight_of_words
            if p not in words and {asked_in, script_of(passage.text)} == {Script.ALPHABET, Script.CHARACTERS}:
                weight *= 1 - told * rules.trust_across  # it cannot share words, whatever it says
            scores[p] = weight * by_words[p] + (1 - weight) * alike
        return scores

    def _beside_others(self, found: "_Candidates", scores: Mapping[str, float]) -> Mapping[str, float]:
        """Return the scores with those of what else was found of a message's thread and day; others stand alone."""
        is_said = found.kind is PassageKind.MESSAGE
        sitting = {p: (each.thread_id if is_said else p, _day(each)) for p, each in found.passages.items()}
        together: dict[tuple[str, date], list[float]] = {}
        for p, score in scores.items():
            together.setdefault(sitting[p], []).append(score)
        most, weight = self._rules.best_of_sitting, self._rules.weight_of_sitting
        company = {each: sum(nlargest(most, those)) / most for each, those in together.items()}
        return {p: (score + weight * company[sitting[p]]) / (1 + weight) for p, score in scores.items()}

    def _is_near(self, recalled: Recalled, shared: float, days: Sequence[Day]) -> bool:
        rules = self._rules
        is_document = recalled.passage.kind is PassageKind.DOCUMENT
        is_of_day = not is_document and any(day.is_on(_day(recalled.passage)) for day in days)
        if is_of_day and (recalled.meaning or 0.0) >= rules.near_on_day:
            return True
        if recalled.meaning is None:
            return recalled.words >= rules.near_words_alone or shared >= rules.near_part
        if recalled.words >= rules.near_words:
            return True
        if is_document and shared >= rules.near_part:
            return recalled.meaning >= rules.near_part_from
        stored = max(1, self._stored(recalled.passage.kind))
        near = rules.near + rules.near_for_each_ten * math.log10(stored)
        return recalled.meaning >= max(near, rules.near_at_least)

    def _stored(self, kind: PassageKind) -> int:
        """Return among how many passages one of this kind was found: a folder of documents makes no chat less near."""
        if kind is PassageKind.DOCUMENT:
            return self._counts[kind]
        return sum(count for other, count in self._counts.items() if other is not PassageKind.DOCUMENT)


@dataclass(frozen=True)
class _Candidates:
    """What may belong to the question, of one kind."""

    kind: PassageKind
    passages: Mapping[str, Passage]
    words: Mapping[str, WordHit]
    cosines: Mapping[str, float]


@dataclass(frozen=True)
class _Best:
    """What the best of both sides got, against which all others are set."""

    words: float
    cosine: float


_MEASURED_TOGETHER = ((PassageKind.FACT, PassageKind.MESSAGE), (PassageKind.DOCUMENT,))
"""Kinds whose scores are comparable, and of which one that is near brings the others along: a folder of documents makes no
chat worse, nor a chat a document near."""


def _ranked(found: _Candidates, scores: Mapping[str, float], sense: _Sense | None) -> list[tuple[Recalled, float]]:
    """Return the candidates, best first, each with the part of the question's words that it shares."""
    ranked: list[tuple[Recalled, float]] = []
    for passage_id in sorted(scores, key=lambda passage_id: -scores[passage_id]):
        hit, likeness = found.words.get(passage_id), found.cosines.get(passage_id)
        meaning = None
        if likeness is not None and sense is not None:
            meaning = (likeness - sense.embedder.unrelated.mean) / sense.embedder.unrelated.deviation
        recalled = Recalled(
            passage=found.passages[passage_id],
            score=scores[passage_id],
            words=hit.bm25 if hit else 0.0,
            meaning=meaning,
        )
        ranked.append((recalled, hit.shared if hit else 0.0))
    return ranked


def _day(passage: Passage) -> date:
    """Return when it was said, as the user's calendar has it."""
    return passage.at.astimezone().date()


def _each_once(ranked: Sequence[Recalled]) -> list[Recalled]:
    """Return them without those that say the same as a better one: a file may have been added twice, or a question asked."""
    first: dict[str, Recalled] = {}
    for recalled in ranked:
        first.setdefault(recalled.passage.text, recalled)
    return list(first.values())


_TELLS_SCRIPT = 200


class Script(Enum):
    ALPHABET = auto()
    CHARACTERS = auto()
    BOTH = auto()


def script_of(text: str) -> Script:
    """Return in what a text is mostly written, as far as its beginning tells."""
    text = text[:_TELLS_SCRIPT]
    if text.isascii():  # most are, and this is asked of many
        return Script.ALPHABET if any(map(str.isalpha, text)) else Script.CHARACTERS
    characters = sum(char > "\u2e7f" for char in text)
    letters = sum(char.isalpha() and char <= "\u2e7f" for char in text)
    # A Chinese character says about as much as three letters.
    if 3 * characters >= 4 * letters:
        return Script.CHARACTERS
    return Script.ALPHABET if letters >= 12 * characters else Script.BOTH
