"""The crash suite, as a sample or in the long form: whatever strikes a working library, nothing is lost or back."""

import random
from pathlib import Path

import pytest

from tests.support.crash import faulty_system
from tests.support.crash.kinds import KINDS, rounds_of
from tests.support.crash.power_loss import lose_power
from tests.support.crash.rounds import Crash, Kind, run_kind, table
from tests.support.crash.store_rounds import StoreKilled
from tests.support.killing import run_and_kill

mended_is_said = pytest.mark.allowed_log(r"WARNING desktop\.(storage|memory|app|conversation|agent)\.")
SEED = 1


def test_the_counts_are_those_that_are_promised() -> None:
    assert sum(kind.sample for kind in KINDS.values()) == 40
    assert sum(kind.long for kind in KINDS.values()) == 500
    assert [sum(rounds_of(total).values()) for total in (1, 40, 77, 500, 1_000)] == [1, 40, 77, 500, 1_000]


@mended_is_said
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_nothing_is_lost_and_nothing_is_back(kind: Kind, tmp_path: Path, long_run: bool) -> None:
    row = await run_kind(kind, kind.long if long_run else kind.sample, SEED, tmp_path)
    if row.skipped:
        pytest.skip(row.skipped)
    assert row.lost == 0, table([row])


class Forgetful(StoreKilled):
    """Loses something on purpose."""

    async def round(self, number: int) -> None:
        await super().round(number)
        self.promises.created.add("a chat that was never there")
        await self.look()


@mended_is_said
async def test_a_loss_is_found_counted_and_kept(tmp_path: Path) -> None:
    row = await run_kind(Kind("forgetful", Forgetful, 1, 1), 2, SEED, tmp_path)
    assert (row.rounds, row.lost) == (2, 2)
    assert "a chat is lost" in row.failures[0]
    assert len(list((tmp_path / "forgetful").iterdir())) == 2, "what lost something stays for a look"
    assert "forgetful" in table([row])


class Unreachable(Crash):
    """Cannot even begin."""

    async def begin(self) -> None:
        raise OSError("no place for it")

    async def round(self, number: int) -> None:
        raise AssertionError(number)


async def test_a_round_that_cannot_begin_is_a_loss_and_no_circle(tmp_path: Path) -> None:
    row = await run_kind(Kind("unreachable", Unreachable, 1, 1), 2, SEED, tmp_path)
    assert (row.rounds, row.lost) == (2, 2)


@pytest.mark.skipif(bool(faulty_system.missing()), reason=faulty_system.missing())
async def test_a_loss_of_power_takes_what_was_not_synced_and_only_that(tmp_path: Path) -> None:
    data, journal = tmp_path / "data", tmp_path / "journal"
    data.mkdir()
    faults = faulty_system.environment(data, journal=str(journal))
    await run_and_kill(
        "unsynced_writer", str(data), note=lambda _line: None,
        lines=1, most_seconds=0.0, chance=random.Random(1), environment=faults,
    )  # fmt: skip
    assert (data / "file").read_bytes() == b"synced" + b"lost" * 50
    assert lose_power(data, journal, OnlyLosses()) == 51
    assert (data / "file").read_bytes() == b"synced"


class OnlyLosses(random.Random):
    """Nothing that was not synced arrived."""

    def random(self) -> float:
        return 0.999
