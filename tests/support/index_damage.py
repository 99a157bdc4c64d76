"""What can be wrong with a full-text index in a file: each function does it to the index of this name."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

Damage = Callable[[sqlite3.Connection, str], object]


def damage_index(folder: Path, index: str, damage: Damage) -> None:
    """Do it to the database of a data folder that nobody has open."""
    with closing(sqlite3.connect(folder / "threadwell.db")) as connection:
        damage(connection, index)
        connection.commit()


def emptied(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"DELETE FROM {index}_data")


def without_configuration(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"DELETE FROM {index}_config")


def with_a_table_missing(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"DROP TABLE {index}_config")


def with_lengths_missing(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"DROP TABLE {index}_docsize")


def overwritten(connection: sqlite3.Connection, index: str) -> None:
    generator = Random(20)
    rows = connection.execute(f"SELECT id, length(block) FROM {index}_data").fetchall()
    connection.executemany(
        f"UPDATE {index}_data SET block = ? WHERE id = ?", [(generator.randbytes(size), row) for row, size in rows]
    )


def of_absurd_length(connection: sqlite3.Connection, index: str) -> None:
    """Its list of segments claims two thousand million of them: FTS5 then runs out of memory, and not by damage."""
    cookie, levels, segments, writes, merging, total = (
        bytes(4),
        b"\x01",
        b"\x01",
        b"\x00",
        b"\x00",
        b"\x87\xff\xff\xff\x7f",
    )
    structure = cookie + levels + segments + writes + merging + total
    connection.execute(f"UPDATE {index}_data SET block = ? WHERE id = 10", (structure,))


def gone(connection: sqlite3.Connection, index: str) -> None:
    connection.execute(f"DROP TABLE {index}")
