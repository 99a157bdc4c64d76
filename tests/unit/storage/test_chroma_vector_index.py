"""Chroma's index on the disk: what is erased is gone, what is damaged harms nobody, and no kill makes it lie."""

import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.core.errors import RecallError
from desktop.core.tasks import begun
from desktop.memory.entities import PassageKind
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.vector_folders import VectorFolders
from desktop.storage.vector_index import FallbackVectorIndex
from tests.support.source_tree import ROOT
from tests.support.vector_writer import REMOVED
from tests.support.vectors import DIMENSIONS, found_in, own_vector

MESSAGE = PassageKind.MESSAGE
SYNCED = 1_100
"""So many that Chroma has written the files of its graph, too."""
failing = pytest.mark.expected_log(r"WARNING desktop\.storage\.chroma_vector_index.*the index of vectors failed")
may_fail = pytest.mark.allowed_log(r"WARNING desktop\.storage\.(chroma_)?vector_index")


@asynccontextmanager
async def index_in(folder: Path, **options: object) -> AsyncGenerator[ChromaVectorIndex, None]:
    index = ChromaVectorIndex(folder, **options)  # pyright: ignore[reportArgumentType]
    try:
        yield index
    finally:
        await index.close()


def held(count: int) -> dict[str, bytes]:
    return {f"message:{n}": own_vector(n) for n in range(count)}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``SYNCED`` vectors, to be copied."""
    folder = tmp_path_factory.mktemp("filled") / "vectors"

    async def fill() -> None:
        async with index_in(folder) as index:
            await index.open("an embedder", DIMENSIONS)
            await index.put(held(SYNCED))

    asyncio.run(fill())
    return folder


@pytest.fixture
def copy(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "vectors"))


async def test_what_was_put_is_there_at_the_next_start(copy: Path) -> None:
    zeros = {f"fact:{n}": bytes(4 * DIMENSIONS) for n in range(30)}
    async with index_in(copy) as index:
        assert await index.open("an embedder", DIMENSIONS) == SYNCED
        await index.put(zeros)
    async with index_in(copy) as index:
        assert await index.open("an embedder", DIMENSIONS) == SYNCED + 30
        assert await index.keys() == {*held(SYNCED), *zeros}
        assert (await index.nearest(own_vector(700), 1, MESSAGE))[0].key == "message:700"


async def test_nothing_of_what_was_erased_is_left_in_any_file(copy: Path) -> None:
    gone = [own_vector(n) for n in range(8)]
    replaced, new = own_vector(50), own_vector(5_000)
    alive = [own_vector(n) for n in range(100, 108)]
    async with index_in(copy) as index:
        await index.open("an embedder", DIMENSIONS)
        await index.remove([f"message:{n}" for n in range(8)])
        await index.put({"message:50": new})
        assert found_in(copy, gone) == 8, "Chroma itself keeps them, else this test shows nothing"
        assert found_in(copy, [replaced]) == 1
        await index.erase()
        assert found_in(copy, gone) == 0
        assert found_in(copy, [replaced]) == 0
        assert found_in(copy, [*alive, new]) == 9
        assert await index.keys() == {f"message:{n}" for n in range(8, SYNCED)}
        await index.remove(["message:100"])
        await index.erase()
        assert found_in(copy, alive) == 7
    assert found_in(copy, [*gone, replaced, alive[0]]) == 0
    async with index_in(copy) as index:
        assert await index.open("an embedder", DIMENSIONS) == SYNCED - 9
        await index.clear()
        assert found_in(copy, alive) == 0


def flip(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(max(1, len(data) // 500)):
        changed[chance.randrange(len(data))] ^= 0xFF
    return bytes(changed)


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes | None]] = {
    "missing": lambda _data, _chance: None,
    "empty": lambda _data, _chance: b"",
    "half": lambda data, _chance: data[: len(data) // 2],
    "noise": lambda data, chance: chance.randbytes(len(data)),
    "flipped": flip,
}
FILES = (
    "chroma.sqlite3",
    "data_level0.bin",
    "header.bin",
    "length.bin",
    "link_lists.bin",
    "index_metadata.pickle",
    "current",
)
OFTEN = {
    ("chroma.sqlite3", "flipped"),
    ("data_level0.bin", "noise"),
    ("index_metadata.pickle", "missing"),
    ("current", "noise"),
    ("link_lists.bin", "noise"),
}


def spoil(folder: Path, file: str, damage: str) -> None:
    path = next(folder.rglob(file))
    changed = DAMAGES[damage](path.read_bytes(), random.Random(1))
    if changed is None:
        path.unlink()
    else:
        path.write_bytes(changed)


async def problem_of(index: ChromaVectorIndex) -> str | None:
    """The code of the error that opening and asking ends with; None where all that is said to be there is found."""
    try:
        count = await index.open("an embedder", DIMENSIONS)
        assert count == len(await index.keys())
        for n in range(0, count, 50):
            found = await index.nearest(own_vector(n), 3, MESSAGE)
            assert f"message:{n}" in [near.key for near in found]
    except RecallError as error:
        return error.code
    return None


@may_fail
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("file", FILES)
async def test_a_damaged_index_harms_nobody_and_is_made_anew(
    copy: Path, file: str, damage: str, long_run: bool
) -> None:
    """Some of these end the process that opens them, by a segmentation fault or an abort."""
    if not long_run and (file, damage) not in OFTEN:
        return
    spoil(copy, file, damage)
    async with index_in(copy) as index:
        assert await problem_of(index) in (None, "memory.index_broken")
        await index.clear()
        assert await index.keys() == set()
        await index.put(held(30))
        assert (await index.nearest(own_vector(7), 1, MESSAGE))[0].key == "message:7"
    async with index_in(copy) as index:
        assert await index.open("an embedder", DIMENSIONS) == 30


def pointer_to_nothing(folder: Path) -> None:
    (folder / "current").write_text("0" * 26)


def pointer_outside(folder: Path) -> None:
    (folder / "current").write_text("../../elsewhere")


def pointer_is_a_folder(folder: Path) -> None:
    (folder / "current").unlink()
    (folder / "current" / "deeper").mkdir(parents=True)


def emptied(folder: Path) -> None:
    name = (folder / "current").read_text()
    shutil.rmtree(folder / name)
    (folder / name).mkdir()


def replaced_by_a_link(folder: Path) -> None:
    name = (folder / "current").read_text()
    (folder / name).rename(folder.parent / "elsewhere")
    (folder / name).symlink_to(folder.parent / "elsewhere")


@failing
@pytest.mark.parametrize(
    "change", [pointer_to_nothing, pointer_outside, pointer_is_a_folder, emptied, replaced_by_a_link]
)
async def test_a_folder_that_cannot_be_ours_is_broken_and_can_be_cleared(
    copy: Path, change: Callable[[Path], None]
) -> None:
    (copy / "notes.txt").write_text("somebody else's")
    change(copy)
    elsewhere = sorted((copy.parent / "elsewhere").glob("*"))
    async with index_in(copy) as index:
        with pytest.raises(RecallError) as caught:
            await index.open("an embedder", DIMENSIONS)
        assert caught.value.code == "memory.index_broken"
        await index.clear()
        await index.put(held(5))
        assert await index.keys() == set(held(5))
    assert (copy / "notes.txt").read_text() == "somebody else's"
    assert sorted((copy.parent / "elsewhere").glob("*")) == elsewhere
    assert len([name for name in os.listdir(copy) if (copy / name).is_dir()]) == 1


@pytest.mark.parametrize("kind", ["file", "link"])
async def test_what_stands_in_the_folders_place_makes_room(tmp_path: Path, kind: str) -> None:
    folder, elsewhere = tmp_path / "vectors", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("kept")
    if kind == "file":
        folder.write_text("no folder")
    else:
        folder.symlink_to(elsewhere)
    async with index_in(folder) as index:
        assert await index.open("an embedder", DIMENSIONS) == 0
        await index.put(held(3))
    assert not folder.is_symlink()
    assert [path.name for path in elsewhere.iterdir()] == ["kept"]


async def test_an_interrupted_erase_is_finished_at_the_next_start(copy: Path) -> None:
    folders = VectorFolders(copy)
    folders.mark_erasing()
    left = folders.begin()
    (left / "half").write_bytes(own_vector(1))
    async with index_in(copy) as index:
        assert await index.open("an embedder", DIMENSIONS) == 0
        assert found_in(copy, [own_vector(n) for n in range(20)]) == 0
    assert not folders.is_erasing
    assert not left.exists()


@failing
async def test_when_its_process_is_killed_the_index_is_opened_again(copy: Path) -> None:
    async with index_in(copy) as index:
        await index.open("an embedder", DIMENSIONS)
        await index.put({"message:5000": own_vector(5_000)})
        process = index._process  # pyright: ignore[reportPrivateUsage]
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(RecallError) as caught:
            await index.nearest(own_vector(1), 1, MESSAGE)
        assert caught.value.code == "memory.index_broken"
        with pytest.raises(RecallError):
            await index.put(held(1))
        assert await index.open("an embedder", DIMENSIONS) == SYNCED + 1
        assert (await index.nearest(own_vector(5_000), 1, MESSAGE))[0].key == "message:5000"


def started(folder: Path, what: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.support.vector_writer", str(folder), what]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def read_lines(process: "subprocess.Popen[bytes]", count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().decode().strip() for _ in range(count)]


def kill(process: "subprocess.Popen[bytes]", chance: random.Random) -> list[str]:
    """Kill it, or the process that holds its index, and return what it had still said."""
    assert process.stdout is not None
    if chance.random() < 0.5:
        with contextlib.suppress(ProcessLookupError, IndexError):
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            threads = Path(f"/proc/{process.pid}/task").glob("*/children")
            children = [child for path in threads for child in path.read_text().split()] or children
            os.kill(int(children[0]), signal.SIGKILL)
    process.kill()
    said = process.stdout.read().decode().split()
    process.stdout.close()
    process.wait()
    return said


ROUNDS = pytest.mark.parametrize("round_number", range(20))


@ROUNDS
async def test_no_write_that_was_acknowledged_is_lost_when_the_app_is_killed(
    tmp_path: Path, round_number: int, long_run: bool
) -> None:
    if round_number >= 1 and not long_run:
        return
    chance = random.Random(round_number)
    process = await asyncio.to_thread(started, tmp_path, "put")
    said = await asyncio.to_thread(read_lines, process, chance.randrange(1, 60))
    said += await asyncio.to_thread(kill, process, chance)
    async with index_in(tmp_path) as index:
        count = await index.open("an embedder", DIMENSIONS)
        assert len(said) <= count <= len(said) + 1
        assert await index.keys() >= set(said)
        for key in said:
            assert (await index.nearest(own_vector(int(key[8:])), 1, MESSAGE))[0].key == key


@ROUNDS
async def test_what_was_removed_does_not_return_when_the_app_is_killed_while_erasing(
    tmp_path: Path, round_number: int, long_run: bool
) -> None:
    if round_number >= 1 and not long_run:
        return
    chance = random.Random(round_number)
    gone = [own_vector(int(key[8:])) for key in REMOVED[::10]]
    process = await asyncio.to_thread(started, tmp_path, "erase")
    assert await asyncio.to_thread(read_lines, process, 1) == ["removed"]
    await asyncio.sleep(chance.random() * 0.6)  # somewhere in the middle
    said = await asyncio.to_thread(kill, process, chance)
    async with index_in(tmp_path) as index:
        count = await index.open("an embedder", DIMENSIONS)
        assert count in (0, 300 - len(REMOVED)), "all that lives, or nothing where it was not finished"
        assert set(REMOVED).isdisjoint(await index.keys())
        if said == ["erased"] or count == 0:
            assert found_in(tmp_path, gone) == 0
        await index.erase()
        assert found_in(tmp_path, gone) == 0
        alive = {f"message:{n}" for n in range(300) if n % 3}
        assert await index.keys() == (alive if count else set())


SILENT = (sys.executable, "-c", "import time; time.sleep(60)")
DEAD = (sys.executable, "-c", "")
TALKATIVE = (sys.executable, "-c", "print('no JSON', flush=True); import sys; sys.stdin.read()")
ABSENT = ("/nowhere/at/all",)
WITHOUT_CHROMA = (
    sys.executable,
    "-c",
    "import sys; sys.modules['chromadb'] = None\n"
    "from desktop.storage.chroma_program import main\nsys.exit(main(sys.argv[1:]))",
)


@failing
@pytest.mark.parametrize("command", [SILENT, DEAD, TALKATIVE, WITHOUT_CHROMA], ids=["silent", "dead", "talks", "none"])
async def test_a_process_that_is_of_no_use_is_given_up(command: tuple[str, ...], tmp_path: Path) -> None:
    patience = 0.5 if command == SILENT else 30.0
    async with index_in(tmp_path / "vectors", command=command, patience_seconds=patience) as index:
        for _ in range(2):
            with pytest.raises(RecallError) as caught:
                await index.open("an embedder", DIMENSIONS)
            assert caught.value.code == "memory.index_broken"
            assert caught.value.params["detail"]
        with pytest.raises(RecallError):
            await index.clear()


async def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    async with index_in(tmp_path / "vectors", command=ABSENT) as index:
        with pytest.raises(RecallError) as caught:
            await index.open("an embedder", DIMENSIONS)
        assert caught.value.code == "memory.index_broken"


async def test_an_opening_that_is_given_up_while_its_process_starts_leaves_none_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting, may_start = threading.Event(), threading.Event()
    started: list[subprocess.Popen[bytes]] = []
    start = ChromaVectorIndex._start  # pyright: ignore[reportPrivateUsage]

    def start_late(index: ChromaVectorIndex) -> None:
        starting.set()
        assert may_start.wait(30)
        start(index)
        process = index._process  # pyright: ignore[reportPrivateUsage]
        assert process is not None
        started.append(process)

    monkeypatch.setattr(ChromaVectorIndex, "_start", start_late)
    index = ChromaVectorIndex(tmp_path / "vectors")
    async with begun(index.open("an embedder", DIMENSIONS)) as opening:
        assert await asyncio.to_thread(starting.wait, 30)
        opening.cancel()
        await asyncio.sleep(0)  # the cancellation arrives before there is a process
        may_start.set()
        await index.close()
    assert [process.returncode for process in started] == [0]


@may_fail
async def test_without_chroma_vectors_are_kept_in_memory_and_nothing_is_left_on_the_disk(copy: Path) -> None:
    folders = VectorFolders(copy)
    index = FallbackVectorIndex(
        ChromaVectorIndex(copy, command=WITHOUT_CHROMA), NumpyVectorIndex(), holds_nothing=lambda: folders.is_empty
    )
    try:
        assert found_in(copy, [own_vector(1)]) == 1
        assert not folders.is_empty
        assert await index.open("an embedder", DIMENSIONS) == 0
        assert found_in(copy, [own_vector(n) for n in range(20)]) == 0
        await index.put(held(50))
        await index.remove(["message:3"])
        await index.erase()
        assert await index.keys() == set(held(50)) - {"message:3"}
        assert (await index.nearest(own_vector(7), 1, MESSAGE))[0].key == "message:7"
        await index.clear()
        assert await index.keys() == set()
    finally:
        await index.close()


@may_fail
async def test_a_damaged_index_is_begun_anew_by_itself(copy: Path) -> None:
    pointer_to_nothing(copy)
    index = FallbackVectorIndex(ChromaVectorIndex(copy), NumpyVectorIndex())
    try:
        assert await index.open("an embedder", DIMENSIONS) == 0
        await index.put(held(5))
    finally:
        await index.close()
    async with index_in(copy) as again:
        assert await again.open("an embedder", DIMENSIONS) == 5


@failing
async def test_two_never_write_into_one_folder(tmp_path: Path) -> None:
    async with index_in(tmp_path / "vectors") as first, index_in(tmp_path / "vectors", patience_seconds=3) as second:
        await first.open("an embedder", DIMENSIONS)
        await first.put(held(5))
        with pytest.raises(RecallError):
            await second.open("an embedder", DIMENSIONS)
        assert await first.keys() == set(held(5))


def test_wrong_use_of_the_program_is_said() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "keep-vectors", "one", "two"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "keep-vectors [FOLDER]" in done.stderr


async def test_the_folder_is_for_the_user_alone_and_holds_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    async with index_in(folder) as index:
        await index.open("an embedder", DIMENSIONS)
        await index.put(held(3))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert not any(b"an embedder" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
