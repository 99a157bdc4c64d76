"""All kinds of the crash suite, and how many rounds of each the tests run: 40 as a sample, 500 in the long form."""

import os
import sys
from collections.abc import Mapping

from tests.support import small_disks
from tests.support.crash import (
    answer_rounds,
    chat_rounds,
    fault_rounds,
    faulty_system,
    library_rounds,
    memory_rounds,
    reading_rounds,
)
from tests.support.crash.import_rounds import ImportKilled
from tests.support.crash.rounds import Kind
from tests.support.crash.store_rounds import StoreKilled


def _on_posix() -> str:
    return "kill -9 as on POSIX" if os.name == "nt" else ""


def _on_linux() -> str:
    return "" if sys.platform == "linux" else "the processes below one are looked for as Linux tells them"


def _kill(name: str, make: object, sample: int, long: int) -> Kind:
    return Kind(name, make, sample, long, _on_posix)  # pyright: ignore[reportArgumentType]


_ALL = (
    _kill("store", StoreKilled, 3, 60),
    _kill("answer", answer_rounds.KINDS["answer"], 1, 20),
    Kind("network-cut", answer_rounds.KINDS["network-cut"], 1, 10, _on_posix),
    Kind("server-gone", answer_rounds.KINDS["server-gone"], 1, 10, _on_linux),
    Kind("two-at-once", answer_rounds.KINDS["two-at-once"], 1, 10, _on_posix),
    _kill("queue", chat_rounds.QueueKilled, 1, 20),
    _kill("remove", chat_rounds.RemovalKilled, 1, 20),
    _kill("window", chat_rounds.WindowKilled, 1, 15),
    *(_kill(what, library_rounds.KILLED[what], 1, 15) for what in library_rounds.KILLED),
    _kill("import-files", ImportKilled, 1, 15),
    _kill("migration", library_rounds.MigrationKilled, 1, 20),
    *(Kind(name, make, 1, 10, _on_linux) for name, make in memory_rounds.KILLED.items()),
    _kill("readings", reading_rounds.ReadingsKilled, 2, 20),
    *(_kill(name, make, 1, 15) for name, make in reading_rounds.DOCUMENTS.items()),
    *(Kind(name, make, 2, 15, faulty_system.missing) for name, make in fault_rounds.FAILING.items()),
    Kind("power-loss", fault_rounds.PowerLost, 2, 30, faulty_system.missing),
    Kind("clock-jumps", fault_rounds.ClockJumps, 1, 10, faulty_system.missing),
    Kind("suspended", fault_rounds.Suspended, 1, 10, _on_posix),
    Kind("disk-full", fault_rounds.DiskFull, 1, 10, small_disks.why_none),
    Kind("read-only", fault_rounds.FolderReadOnly, 1, 5, small_disks.why_none),
)

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}


def rounds_of(total: int) -> dict[str, int]:
    """Share out a number of rounds as in the long form; each kind gets at least one, as far as it goes."""
    whole = sum(kind.long for kind in _ALL)
    shares = {kind.name: max(1, total * kind.long // whole) for kind in _ALL}
    over = sum(shares.values()) - total
    for name in sorted(shares, key=lambda one: -shares[one]) * (abs(over) + 1):
        if over == 0:
            break
        step = 1 if over > 0 else -1
        if shares[name] - step >= 0:
            shares[name] -= step
            over -= step
    return shares
