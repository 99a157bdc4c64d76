"""What a kind of crash is, and how its rounds are run, counted and put into one table."""

import asyncio
import random
import shutil
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROUNDS_PER_LIBRARY = 10
"""A library is struck so often; then another one begins, so that rounds do not grow slower with what was written."""


class Crash(ABC):
    """One library that is struck again and again. ``promised`` counts what it was told for certain, over all rounds."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance = folder, chance
        self.promised = 0

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    async def begin(self) -> None:  # noqa: B027 - most need nothing
        """Make what each round needs."""

    @abstractmethod
    async def round(self, number: int) -> None:
        """Strike once and look. Raises ``AssertionError`` with what was lost."""

    async def end(self) -> None:  # noqa: B027 - most leave nothing
        """Look at the whole after the last round, and undo ``begin``."""


@dataclass(frozen=True)
class Kind:
    """``sample`` rounds belong to every run of the tests, ``long`` ones to the long form."""

    name: str
    make: Callable[[Path, random.Random], Crash]
    sample: int
    long: int
    missing: Callable[[], str] = lambda: ""
    """Says what this computer lacks for it; empty where nothing is missing."""


@dataclass
class Row:
    """A line of the table."""

    kind: str
    rounds: int = 0
    promised: int = 0
    lost: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)
    skipped: str = ""


Told = Callable[[Row], None]


async def run_kind(kind: Kind, rounds: int, seed: int, folder: Path, told: Told = lambda _row: None) -> Row:
    """Run the rounds of a kind below ``folder``; a library that lost something is kept, and the next round has another.

    ``told`` hears the row after each round.
    """
    row = Row(kind.name, skipped=kind.missing())
    if row.skipped:
        return row
    began = time.monotonic()
    while row.rounds < rounds:
        first = row.rounds
        library = folder / kind.name / f"{seed}-{first:04}"
        library.mkdir(parents=True)
        crash = kind.make(library, random.Random(f"{kind.name} {seed} {first}"))
        is_sound = await _attempt(row, crash.begin)
        while is_sound and row.rounds < min(rounds, first + ROUNDS_PER_LIBRARY):
            number, row.rounds = row.rounds, row.rounds + 1
            is_sound = await _attempt(row, lambda n=number, c=crash: c.round(n))
            row.seconds = time.monotonic() - began
            told(row)
        if row.rounds == first:
            row.rounds += 1  # it could not even begin: that is the round
        is_sound &= await _attempt(row, crash.end)
        row.promised += crash.promised
        if is_sound:
            await asyncio.to_thread(shutil.rmtree, library)
    row.seconds = time.monotonic() - began
    return row


async def _attempt(row: Row, step: Callable[[], Awaitable[None]]) -> bool:
    """Whether it went well; a failure is counted, and the next rounds go on."""
    try:
        await step()
    except Exception as error:  # noqa: BLE001 - whatever goes wrong in a round is what the table is for
        row.lost += 1
        places = [each for each in traceback.extract_tb(error.__traceback__) if "crash" in each.filename]
        place = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else "?"
        words = str(error).partition("\n")[0]
        row.failures.append(f"round {row.rounds}, {place}: {type(error).__name__}: {words[:300]}")
        return False
    return True


def table(rows: Sequence[Row]) -> str:
    """The table of kinds, rounds, promises and losses, with what failed below it."""
    lines = [f"{'kind':<18}{'rounds':>8}{'promised':>10}{'lost':>6}{'seconds':>9}"]
    for row in rows:
        end = f"   skipped: {row.skipped}" if row.skipped else ""
        lines.append(f"{row.kind:<18}{row.rounds:>8}{row.promised:>10}{row.lost:>6}{row.seconds:>9.1f}{end}")
    whole = [sum(getattr(row, name) for row in rows) for name in ("rounds", "promised", "lost", "seconds")]
    lines.append(f"{'all':<18}{whole[0]:>8}{whole[1]:>10}{whole[2]:>6}{whole[3]:>9.1f}")
    return "\n".join([*lines, *(f"{row.kind}, {failure}" for row in rows for failure in row.failures)])
