"""Vectors to put into an index, and a search for what is left of them in files, however they were written down."""

from collections.abc import Iterable
from pathlib import Path

import numpy

from desktop.memory.ports import Vector

DIMENSIONS = 24
_ALIKE = 1e-4


def own_vector(seed: int) -> Vector:
    """A vector of its own for each seed."""
    row = numpy.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (row / numpy.linalg.norm(row)).astype("<f4").tobytes()


def found_in(folder: Path, vectors: Iterable[Vector]) -> int:
    """How many of the vectors stand in any file below the folder: their bytes, or numbers that differ in the last places."""
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    with numpy.errstate(all="ignore"):  # most of what is read as numbers is none
        return sum(any(_holds(data, vector) for data in files) for vector in vectors)


def _holds(data: bytes, vector: Vector) -> bool:
    if vector in data or len(data) < len(vector) + 4:
        return vector in data
    wanted = numpy.frombuffer(vector, "<f4")
    for offset in range(4):
        numbers = numpy.frombuffer(data, "<f4", (len(data) - offset) // 4, offset)
        starts = numpy.flatnonzero(abs(numbers[: len(numbers) - DIMENSIONS + 1] - wanted[0]) < _ALIKE)
        for start in starts:
            if abs(numbers[start : start + DIMENSIONS] - wanted).max() < _ALIKE:
                return True
    return False
