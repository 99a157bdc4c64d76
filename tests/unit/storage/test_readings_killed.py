"""Killed at any moment while it reads what was said: nothing is lost, doubled, or back after it was forgotten."""

import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from desktop.memory.entities import PassageKind, RecallScope
from tests.support.reading_world import EVERY, reading_world
from tests.unit.storage.test_memory_on_disk import check_indexes

LEAST_STEPS = 3
ROOT = Path(__file__).resolve().parents[3]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("long") else 2))


def run_until_killed(folder: Path, seed: int) -> list[dict[str, str]]:
    """Run the program, kill it a moment after some steps, and return what it told."""
    chance = random.Random(seed)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.reading_writer", str(folder), str(seed)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if sum('"said"' in each for each in lines) >= LEAST_STEPS + chance.randint(0, 5):
            break
    try:
        process.wait(chance.random() * 0.1)
    except subprocess.TimeoutExpired:
        process.kill()
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == -9, "it ended by itself"
    return [json.loads(line) for line in [*lines, *rest.splitlines()] if line.endswith(("\n", "}"))]


async def test_every_fact_is_there_once_and_nothing_forgotten_is_back(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "data"
    told = await asyncio.to_thread(run_until_killed, folder, 2 * seed)
    told += await asyncio.to_thread(run_until_killed, folder, 2 * seed + 1)
    of = {kind: [line["text"] for line in told if line["kind"] == kind] for kind in ("said", "forgetting", "forgotten")}
    maybe_gone = set(of["forgetting"])
    async with reading_world(folder) as world:
        await world.store.threads.recover()
        await world.read()
        texts = Counter(await world.texts(*EVERY))
        assert max(texts.values()) == 1, "doubled"
        assert not set(texts) & set(of["forgotten"]), "back"
        for word in of["said"]:
            expected = f"{word[0].upper()}{word[1:]} is rare"
            assert texts[expected] == 1 or expected in maybe_gone, f"lost: {expected}"
        for text in texts:
            hits = await world.store.passages.by_words(text, PassageKind.FACT, 5, RecallScope())
            assert hits, "and it is found"
        await world.read_again()
        assert Counter(await world.texts(*EVERY)) == texts, "read again nothing is doubled, and nothing comes back"
        await world.store.database.write(check_indexes)
        assert await world.store.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]
