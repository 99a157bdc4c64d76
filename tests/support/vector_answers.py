"""What a scripted endpoint answers when it is asked for vectors."""

import hashlib
import random
from collections.abc import Sequence
from typing import Any

from tests.support.endpoint import Answer, RecordedRequest, status

LENGTH = 3.0
"""Of the vectors: not one, as of many models."""


def numbers_of(text: str, dimensions: int) -> list[float]:
    """A vector of its own for each text, in which the word "cat" shows."""
    chance = random.Random(hashlib.sha256(text.encode()).digest())
    numbers = [chance.gauss(0, 1) / dimensions**0.5 for _ in range(dimensions)]
    numbers[0] = 2.0 if "cat" in text or "猫" in text else 0.0
    length = sum(number * number for number in numbers) ** 0.5
    return [LENGTH * number / length for number in numbers]


def answer_with(vectors: Sequence[Any], *, reverse: bool = False) -> Answer:
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return [status(200, {"object": "list", "model": "m", "data": data[::-1] if reverse else data})]


def vectors_of(request: RecordedRequest, dimensions: int = 32) -> Answer:
    """Answer as a good endpoint would, in an order that the indexes tell."""
    return answer_with([numbers_of(text, dimensions) for text in request.body["input"]], reverse=True)
