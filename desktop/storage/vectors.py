"""What every index of vectors does with those that it is given."""

import array
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from desktop.memory.ports import Vector, kind_of

T = TypeVar("T")


def require_vectors(vectors: Mapping[str, Vector], dimensions: int) -> None:
    """Raise ``ValueError`` for a key of no kind, a vector of another length, or one with what is no number."""
    for key, vector in vectors.items():
        kind_of(key)
        require_vector(vector, dimensions)


def require_vector(vector: Vector, dimensions: int) -> None:
    """As ``require_vectors``."""
    if len(vector) != 4 * dimensions:
        raise ValueError(f"a vector of {len(vector)} bytes where {4 * dimensions} belong")
    if not math.isfinite(sum(array.array("f", vector))):
        raise ValueError("a vector with what is no number")


def pieces(keys: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Return ``keys`` in pieces of ``size`` at most."""
    return (keys[first : first + size] for first in range(0, len(keys), size))
