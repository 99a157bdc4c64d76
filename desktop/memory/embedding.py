"""How passages and questions become vectors, and how alike two vectors are.

Measured with the bundled embedder by ``packaging/dev.py bench memory``, evidence among the first five: a message beside what
was said before it, two vectors added, against one vector of both texts: 4 to 7 points more in sentences of our own and more
across languages, no less in long chats. A question with its content stressed: 2 to 3 points more in our own sentences.
"""

import asyncio
import logging
import math
import operator
import struct
from collections.abc import Sequence

from desktop.core.errors import RecallError
from desktop.memory.entities import Passage, PassageKind
from desktop.memory.ports import Embedder, Vector
from desktop.memory.question_words import content_of

logger = logging.getLogger(__name__)

_CHARACTERS = 800
"""Of a message: a vector over more says little of any of it. Its words are found in all of it."""
_OF_DOCUMENT = 1_200
_OF_HEADINGS = 200
_BEFORE = 0.7
"""What was said before a message counts for in its vector, beside 1 for the message."""
_CONTENT = 0.6
"""What the content of a question counts for, beside 1 for the question as it was asked."""
_LONGEST_QUESTION = 300
"""Longer ones say enough, and would take twice as long."""
HARMLESS = "hello"


async def passage_vectors(embedder: Embedder, passages: Sequence[Passage]) -> list[Vector]:
    """Return a vector for each passage: of a fact its text, of a message with what was said before it, of a piece of a
    document with its name and headings. Raises ``RecallError``, but not for the sake of one text."""
    own = [_own_text(passage) for passage in passages]
    before = [passage.before.strip() if passage.kind is PassageKind.MESSAGE else "" for passage in passages]
    # What was said before is mostly a passage of its own: each text is embedded once.
    texts = [*dict.fromkeys(text for text in (*own, *before) if text)]
    known = dict(zip(texts, await _embedded(embedder, texts), strict=True))
    nothing = bytes(4 * embedder.dimensions)
    pairs = [(known.get(text, nothing), known.get(earlier)) for text, earlier in zip(own, before, strict=True)]
    return await asyncio.to_thread(lambda: [_added(first, other, _BEFORE) for first, other in pairs])


async def question_vector(embedder: Embedder, question: str) -> Vector:
    """Return what a question means, its content stressed: words that all questions share say little.

    Raises ``RecallError``.
    """
    content = content_of(question) if len(question) <= _LONGEST_QUESTION else ""
    first, *others = await embedder.embed([question, content] if content else [question], are_queries=True)
    return _added(first, others[0] if others else None, _CONTENT)


def cosine(first: Vector, second: Vector) -> float:
    return sum(map(operator.mul, _numbers(first), _numbers(second)))


def _own_text(passage: Passage) -> str:
    if passage.kind is PassageKind.FACT:
        return passage.text
    if passage.kind is PassageKind.DOCUMENT:
        return f"{passage.before[:_OF_HEADINGS]}\n{passage.text[:_OF_DOCUMENT]}"
    return passage.text[:_CHARACTERS].strip()


def _added(first: Vector, other: Vector | None, weight: float) -> Vector:
    """Return the sum of both, of length one; a first one of nothing, which stands for what has no vector, stays that."""
    if other is None or not any(first):
        return first
    total = [one + weight * two for one, two in zip(_numbers(first), _numbers(other), strict=True)]
    length = math.sqrt(sum(number * number for number in total)) or 1.0
    return struct.pack(f"<{len(total)}f", *(number / length for number in total))


def _numbers(vector: Vector) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    """Return the vectors. A text that cannot be embedded gets one that is near to nothing, so that the others do."""
    if not texts:
        return []
    try:
        return await embedder.embed(texts)
    except RecallError as error:
        if error.code != "memory.embedder_failed":
            raise
        await embedder.embed([HARMLESS])  # raises where it is not the text's fault
    if len(texts) > 1:
        return [vector for text in texts for vector in await _embedded(embedder, [text])]
    logger.warning("a text that cannot be embedded is found by its words alone")
    return [bytes(4 * embedder.dimensions)]
