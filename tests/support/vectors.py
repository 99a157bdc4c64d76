"""Vectors to put into an index, and a search for what is left of them in files, however they were written down."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from desktop.memory.ports import Vector

DIMENSIONS = 24
_ALIKE = 1e-4

Numbers = NDArray[Any]


def own_vector(seed: int) -> Vector:
    """A vector of its own for each seed."""
    row = numpy.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (row / numpy.linalg.norm(row)).astype("<f4").tobytes()


def found_in(folder: Path, vectors: Iterable[Vector]) -> int:
    """How many of the vectors stand in any file below the folder: their bytes, or numbers that differ in the last places."""
    rows = [numpy.frombuffer(vector, "<f4") for vector in vectors]
    if not rows:
        return 0
    wanted = numpy.stack(rows)
    wanted = wanted[wanted[:, 0].argsort()]
    found: set[int] = set()
    with numpy.errstate(all="ignore"):  # most of what is read as numbers is none
        for path in folder.rglob("*"):
            if path.is_file():
                data = path.read_bytes().rstrip(b"\0") + bytes(64)  # a file may be nothing else
                for offset in range(4):
                    found |= _found(numpy.frombuffer(data, "<f4", max(0, len(data) - offset) // 4, offset), wanted)
    return len(found)


def _found(numbers: Numbers, wanted: Numbers) -> set[int]:
    """Which rows stand among the numbers; the rows are in the order of their first."""
    numbers = numpy.nan_to_num(numbers, nan=9.0, posinf=9.0, neginf=9.0)
    firsts, length = wanted[:, 0], wanted.shape[1]
    heads = numbers[: max(0, len(numbers) - length + 1)]
    places = numpy.searchsorted(firsts, heads - _ALIKE).clip(max=len(firsts) - 1)
    found: set[int] = set()
    # Most of a file is nothing, to which the first number of a vector may be near, but not the next ones, too.
    is_something = sum(abs(numbers[more : more + len(heads)]) for more in (1, 2, 3)) > 10 * _ALIKE
    for start in numpy.flatnonzero((abs(firsts[places] - heads) < 2 * _ALIKE) & is_something):
        rows = numpy.flatnonzero(abs(wanted - numbers[start : start + length]).max(axis=1) < _ALIKE)
        found.update(rows.tolist())
    return found
