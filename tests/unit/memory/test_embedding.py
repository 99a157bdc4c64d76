"""A message has the vector of what it says beside what was said before it, a question that of its content beside itself."""

import math
import struct

import pytest

from desktop.core.errors import RecallError
from desktop.memory.embedding import cosine, passage_vectors, question_vector
from desktop.memory.entities import Passage, PassageKind
from desktop.memory.ports import Vector
from tests.support.memory_items import NOW
from tests.support.scripted_embedder import ScriptedEmbedder

PET, TOWN = "Which pet?", "It is a large town"


def message(text: str, before: str = "") -> Passage:
    return Passage(kind=PassageKind.MESSAGE, id=text, text=text, at=NOW, before=before)


def length(vector: Vector) -> float:
    return math.sqrt(cosine(vector, vector))


async def test_a_message_is_near_to_what_it_says_and_less_to_what_was_said_before() -> None:
    embedder = ScriptedEmbedder()
    pet, town = await embedder.embed([PET, TOWN])
    (vector,) = await passage_vectors(embedder, [message(TOWN, before=PET)])
    assert cosine(vector, town) > cosine(vector, pet) > 0.4
    assert length(vector) == pytest.approx(1.0)


async def test_a_fact_is_what_it_says_alone_and_a_document_stands_below_its_name() -> None:
    embedder = ScriptedEmbedder()
    fact = Passage(kind=PassageKind.FACT, id="f", text=TOWN, at=NOW)
    document = Passage(kind=PassageKind.DOCUMENT, id="d", text=TOWN, at=NOW, before="notes.md\nPets")
    first, _ = await passage_vectors(embedder, [fact, document])
    assert [first] == await embedder.embed([TOWN])
    assert f"notes.md\nPets\n{TOWN}" in embedder.embedded


async def test_what_was_said_before_is_embedded_once_where_it_is_a_passage_itself() -> None:
    embedder = ScriptedEmbedder()
    await passage_vectors(embedder, [message(TOWN, before=PET), message(PET)])
    assert sorted(embedder.embedded) == sorted([TOWN, PET])


@pytest.mark.expected_log("a text that cannot be embedded")
@pytest.mark.parametrize("poison", [TOWN, PET])
async def test_a_text_that_cannot_be_embedded_takes_no_other_with_it(poison: str) -> None:
    embedder = ScriptedEmbedder()
    (town,) = await embedder.embed([TOWN])
    embedder.poison = poison
    vector, other = await passage_vectors(embedder, [message(TOWN, before=PET), message("A cup of tea")])
    assert vector == (bytes(len(town)) if poison == TOWN else town)
    assert [other] == await embedder.embed(["A cup of tea"])


async def test_an_embedder_that_is_missing_is_no_fault_of_a_text() -> None:
    embedder = ScriptedEmbedder()
    embedder.missing = True
    with pytest.raises(RecallError):
        await passage_vectors(embedder, [message(TOWN)])


async def test_of_a_question_its_content_counts_for_more() -> None:
    embedder = ScriptedEmbedder()
    (pet,) = await embedder.embed(["pet"])
    asked = "Could you tell me which pet it was in that town?"
    (plain,) = await embedder.embed([asked])
    embedder.embedded.clear()
    vector = await question_vector(embedder, asked)
    assert embedder.embedded == [asked, "pet town"]
    assert length(vector) == pytest.approx(1.0)
    assert struct.unpack("<20f", vector) == pytest.approx(struct.unpack("<20f", plain), abs=1e-6)
    assert cosine(vector, pet) > 0


@pytest.mark.parametrize("question", ["Who are you?", "tea " * 100])
async def test_a_question_without_content_or_with_much_is_embedded_as_it_is(question: str) -> None:
    embedder = ScriptedEmbedder()
    assert [await question_vector(embedder, question)] == await embedder.embed([question])
