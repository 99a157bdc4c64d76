"""Recall finds by words and by meaning, stays silent where nothing is near, and is never late."""

import asyncio
import dataclasses
from datetime import datetime

import pytest

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.errors import RecallError
from desktop.core.language_model import NO_USAGE
from desktop.memory.embedding import passage_vectors
from desktop.memory.entities import PassageKind, RecallScope, Silence
from desktop.memory.ports import Near, Vector, WordHit, key_of
from desktop.memory.recall import Meaning, RecallRules, RecallService, Script, script_of
from desktop.providers.bundled_embedder import BundledEmbedder
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from tests.support.in_memory_memory import InMemoryMemory
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.memory_items import NOW, item
from tests.support.scripted_embedder import ScriptedEmbedder

EVERYWHERE = RecallScope()
PATIENT = RecallRules(deadline_seconds=30.0)


class World:
    """Memory, an embedder and an index; ``asked`` is None while there are no vectors."""

    def __init__(self) -> None:
        self.threads = InMemoryThreadRepository(clock=lambda: NOW)
        self.memory = InMemoryMemory(self.threads, clock=lambda: NOW)
        self.embedder = ScriptedEmbedder()
        self.index = NumpyVectorIndex()
        self.meaning: Meaning | None = None
        self.reported: list[RecallError] = []

    def report(self, error: RecallError) -> None:
        self.reported.append(error)

    async def know(self, *texts: str) -> list[str]:
        items = [item(text) for text in texts]
        for each in items:
            await self.memory.add(each)
        return [each.id for each in items]

    async def say(self, thread_id: str, question: str, answer: str) -> str:
        turn = await self.threads.begin_turn(thread_id, question, model="m")
        done = await self.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=answer)],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=NO_USAGE,
            duration_seconds=1.0,
        )
        return done.id

    async def embed(self) -> None:
        await self.index.open(self.embedder.id, self.embedder.dimensions)
        while passages := await self.memory.without_vector(self.embedder.id, 100):
            vectors = await passage_vectors(self.embedder, passages)
            await self.memory.put_vectors(self.embedder.id, list(zip(passages, vectors, strict=True)))
            await self.index.put({key_of(p.kind, p.id): v for p, v in zip(passages, vectors, strict=True)})
        self.meaning = Meaning(self.embedder, self.index)

    def service(self, rules: RecallRules = PATIENT) -> RecallService:
        return RecallService(self.memory, self, rules)


async def texts(world: World, question: str, scope: RecallScope = EVERYWHERE) -> list[str]:
    return [one.passage.text for one in (await world.service().recall(question, scope)).all]


async def test_what_shares_only_the_meaning_is_found_and_says_so() -> None:
    world = World()
    await world.know("The user has a kitten.", "The user plays the violin.")
    await world.embed()
    recall = await world.service().recall("Which pet?", EVERYWHERE)
    (found,) = recall.facts
    assert found.passage.text == "The user has a kitten."
    assert found.words == 0
    assert found.meaning == pytest.approx(9, abs=0.2)
    assert 0 < found.score <= 1
    assert recall.had_meaning
    assert recall.silence is None
    await world.index.close()


async def test_chinese_is_found_by_english_among_english_that_shares_words() -> None:
    world = World()
    await world.know(
        "妹妹养了一只猫", "My sister likes walking", "My sister left", "My sister sings", "My sister reads"
    )
    await world.embed()
    assert (await texts(world, "What pet has my sister?"))[:1] == ["妹妹养了一只猫"]
    await world.index.close()


async def test_where_no_words_are_shared_at_all_no_script_comes_first() -> None:
    world = World()
    await world.know("妹妹养了一只猫", "The user has a kitten.")
    await world.embed()
    first, second = (await world.service().recall("Which pet?", EVERYWHERE)).facts
    assert first.score == pytest.approx(second.score, abs=0.01)
    await world.index.close()


async def test_without_vectors_words_alone_are_compared() -> None:
    world = World()
    await world.know("The user drinks oolong", "The user has a kitten")
    recall = await world.service().recall("Oolong?", EVERYWHERE)
    assert [one.passage.text for one in recall.facts] == ["The user drinks oolong"]
    assert recall.facts[0].meaning is None
    assert not recall.had_meaning


@pytest.mark.parametrize("with_vectors", [True, False])
async def test_nothing_is_recalled_where_nothing_is_near(with_vectors: bool) -> None:
    world = World()
    await world.know("The user has a kitten.", "The user lives in Bonn.")
    if with_vectors:
        await world.embed()
    recall = await world.service().recall("How do I reverse a linked list in Python?", EVERYWHERE)
    assert recall.all == ()
    assert recall.silence is Silence.NOTHING_NEAR
    await world.index.close()


async def test_of_a_few_memories_the_nearest_is_not_near_for_that() -> None:
    world = World()
    embedder = BundledEmbedder()
    await world.know("How high is the deposit for the rent?", "我上个月搬到了杭州")
    await world.index.open(embedder.id, embedder.dimensions)
    passages = await world.memory.without_vector(embedder.id, 100)
    vectors = await passage_vectors(embedder, passages)
    await world.index.put({key_of(p.kind, p.id): v for p, v in zip(passages, vectors, strict=True)})
    world.meaning = Meaning(embedder, world.index)
    assert await texts(world, "Who has the spare keys of the cellar?") == []
    assert "我上个月搬到了杭州" in await texts(world, "Which city do I live in now?")
    await world.index.close()
    await embedder.close()


async def test_where_nothing_is_known_that_is_said() -> None:
    recall = await World().service().recall("Which pet?", EVERYWHERE)
    assert recall.silence is Silence.NOTHING_KNOWN


async def test_facts_and_messages_are_chosen_apart() -> None:
    world = World()
    thread = await world.threads.create_thread()
    await world.know(*(f"kitten {number}" for number in range(12)))
    for number in range(6):
        await world.say(thread.id, f"a cat {number}", f"my cat {number}")
    await world.embed()
    recall = await world.service().recall("Which pet?", EVERYWHERE)
    assert len(recall.facts) == 8
    assert len(recall.messages) == 4
    assert {one.passage.kind for one in recall.messages} == {PassageKind.MESSAGE}
    await world.index.close()


async def test_the_scope_holds_for_what_was_found_by_meaning_too() -> None:
    world = World()
    here, there = await world.threads.create_thread(), await world.threads.create_thread()
    answer = await world.say(here.id, "hello", "kitten here")
    await world.say(there.id, "hello", "kitten there")
    await world.embed()
    only = RecallScope(thread_id=here.id, only_this_thread=True)
    assert await texts(world, "Which pet?", only) == ["kitten here"]
    sent = RecallScope(thread_id=here.id, sent=frozenset({answer}))
    assert await texts(world, "Which pet?", sent) == ["kitten there"]
    await world.threads.delete_thread(there.id)
    assert await texts(world, "Which pet?", sent) == []
    await world.index.close()


async def test_words_that_were_found_get_the_meaning_that_the_index_did_not_name() -> None:
    """Else a passage that both sides know would be worth less than one that only the index named."""
    world = World()
    (wanted, *_) = await world.know("oolong tea", *(f"tea {number}" for number in range(8)))
    await world.embed()
    rules = dataclasses.replace(PATIENT, candidates=3)

    class Narrow(NumpyVectorIndex):
        async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
            return [one for one in await world.index.nearest(vector, 50, kind) if not one.key.endswith(wanted)][:count]

    world.meaning = Meaning(world.embedder, Narrow())
    recall = await world.service(rules).recall("oolong to drink", EVERYWHERE)
    (best, *_) = recall.facts
    assert best.passage.id == wanted
    assert best.meaning == pytest.approx(9, abs=0.2)
    await world.index.close()


async def test_a_slow_embedder_is_not_waited_for() -> None:
    world = World()
    await world.know("The user drinks oolong")
    await world.embed()
    world.embedder.gate.clear()
    rules = RecallRules(deadline_seconds=30.0, reserve_seconds=29.9)
    recall = await world.service(rules).recall("Oolong?", EVERYWHERE)
    assert [one.passage.text for one in recall.facts] == ["The user drinks oolong"]
    assert not recall.had_meaning
    assert [error.code for error in world.reported] == ["memory.embedder_late"]
    await world.index.close()


async def test_what_comes_too_late_is_nothing() -> None:
    world = World()

    class Slow(InMemoryMemory):
        async def by_words(self, query: str, kind: PassageKind, limit: int, scope: RecallScope) -> list[WordHit]:
            await asyncio.Event().wait()
            return []

    world.memory = Slow(world.threads)
    await world.know("The user drinks oolong")
    recall = await world.service(RecallRules(deadline_seconds=0.05)).recall("Oolong?", EVERYWHERE)
    assert recall.all == ()
    assert recall.silence is Silence.TOO_LATE


@pytest.mark.expected_log("recall goes by words alone")
async def test_a_broken_index_is_reported_and_words_go_on() -> None:
    world = World()
    await world.know("The user drinks oolong")
    await world.embed()
    await world.index.close()  # nothing can be asked any more

    class Broken(NumpyVectorIndex):
        async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
            raise RecallError("memory.index_broken", detail="scripted")

    world.meaning = Meaning(world.embedder, Broken())
    recall = await world.service().recall("Oolong?", EVERYWHERE)
    assert [one.passage.text for one in recall.facts] == ["The user drinks oolong"]
    assert [error.code for error in world.reported] == ["memory.index_broken"]


def test_the_script_of_a_text_is_what_it_is_mostly_written_in() -> None:
    assert script_of("我妹妹养了一只猫") is Script.CHARACTERS
    assert script_of("我用Redis") is Script.BOTH
    assert script_of("My sister has a cat") is Script.ALPHABET
    assert script_of("Моя сестра") is Script.ALPHABET


async def test_where_nothing_is_stored_no_embedder_is_asked() -> None:
    world = World()
    world.meaning = Meaning(world.embedder, world.index)
    recall = await world.service().recall("Which tea?", EVERYWHERE)
    assert (recall.silence, recall.had_meaning) == (Silence.NOTHING_KNOWN, False)
    assert world.embedder.embedded == []


async def test_a_question_that_was_asked_twice_is_recalled_once() -> None:
    world = World()
    for number in range(2):
        thread = await world.threads.create_thread()
        await world.say(thread.id, "Which oolong tea did we drink in Fujian?", f"Tie Guan Yin, number {number}.")
    found = await texts(world, "What did we drink in Fujian?")
    assert found.count("Which oolong tea did we drink in Fujian?") == 1


async def test_what_is_near_brings_along_what_belongs_to_it_of_the_other_kind() -> None:
    """One of both kinds is near; the other shares a word with the question, which alone would not do."""
    world = World()
    thread = await world.threads.create_thread()
    await world.know("The user has a kitten.")
    await world.say(thread.id, "A pet is asleep on the blue sofa, my old violin beside it", "Lovely!")
    await world.embed()
    rules = dataclasses.replace(PATIENT, near=8.5, near_for_each_ten=0.0)
    recall = await world.service(rules).recall("Which pet?", EVERYWHERE)
    assert [one.passage.text for one in recall.facts] == ["The user has a kitten."]
    (message, *_) = recall.messages
    assert message.meaning is not None
    assert message.meaning < 8.5
    assert message.score < recall.facts[0].score
    await world.index.close()


async def test_where_more_was_found_in_the_same_chat_that_counts() -> None:
    world = World()
    lonely, busy = await world.threads.create_thread(), await world.threads.create_thread()
    await world.say(lonely.id, "hm", "a cat 1")
    await world.say(busy.id, "hm", "a cat 2")
    await world.say(busy.id, "hm", "the kitten slept")
    await world.embed()
    scores = {one.passage.text: one.score for one in (await world.service().recall("Which pet?", EVERYWHERE)).messages}
    assert scores["a cat 2"] > scores["a cat 1"] + 0.05
    assert max(scores.values()) <= 1
    await world.index.close()


@pytest.mark.parametrize(("question", "is_found"), [("May 8th?", True), ("5月8日呢？", True), ("May 7th?", False)])
async def test_what_was_said_on_the_day_that_the_question_names_is_near(question: str, is_found: bool) -> None:
    world = World()
    world.threads = InMemoryThreadRepository(clock=lambda: datetime(2024, 5, 8, 12).astimezone())
    world.memory = InMemoryMemory(world.threads, clock=lambda: NOW)
    thread = await world.threads.create_thread()
    await world.say(thread.id, "The bread is in the oven", "Enjoy!")
    await world.embed()
    rules = dataclasses.replace(PATIENT, near_on_day=-9.0)
    recall = await world.service(rules).recall(question, EVERYWHERE)
    assert bool(recall.messages) is is_found
    await world.index.close()
