"""What no row uses inside the pages of the file is overwritten, and no row changes."""

import random
import sqlite3
from pathlib import Path

import pytest

from desktop.storage.page_gaps import PageGaps


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(60 if metafunc.config.getoption("long") else 4))


def contents(database: Path) -> list[list[tuple[object, ...]]]:
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("rows", "keys")]
    finally:
        connection.close()


def used(database: Path, generator: random.Random, page_size: int) -> bytes:
    """Make a file whose pages were split and joined, and return what every row began with that is gone."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
    connection.execute("CREATE TABLE keys (key TEXT PRIMARY KEY, text BLOB) WITHOUT ROWID")
    connection.execute("CREATE INDEX by_text ON rows (text)")
    for number in range(1500):
        kind = generator.choice(("secret", "open"))
        text = kind + generator.choice("abc") * generator.choice((3, 30, 300, 3 * page_size))
        connection.execute("INSERT OR REPLACE INTO rows VALUES (?, ?)", (generator.randrange(3000), text))
        connection.execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", (str(generator.random()), text.encode()))
        if generator.random() < 0.1:
            connection.execute("DELETE FROM rows WHERE number % 7 = ?", (number % 7,))
            connection.execute("DELETE FROM keys WHERE key LIKE ?", (f"%{number % 10}",))
    for table in ("rows", "keys"):
        connection.execute(f"DELETE FROM {table} WHERE CAST(text AS TEXT) LIKE 'secret%'")
    connection.close()
    return b"secret"


@pytest.mark.parametrize("page_size", [512, 4096, 65536])
def test_copies_of_rows_that_are_gone_are_overwritten(tmp_path: Path, seed: int, page_size: int) -> None:
    database = tmp_path / "any.db"
    secret = used(database, random.Random(seed), page_size)
    before = contents(database)
    gaps = PageGaps(database)
    first = 0
    while gaps.zero(first, 7):
        first += 7
    gaps.close()
    assert contents(database) == before
    assert secret not in database.read_bytes()


def test_without_it_copies_are_left(tmp_path: Path) -> None:
    """Else the tests above would show nothing."""
    left = 0
    for seed in range(5):
        database = tmp_path / f"{seed}.db"
        left += used(database, random.Random(seed), 4096) in database.read_bytes()
    assert left


@pytest.mark.allowed_log("not as expected")
def test_a_page_that_is_damaged_stays_as_it_is(tmp_path: Path) -> None:
    database = tmp_path / "any.db"
    used(database, random.Random(1), 4096)
    content = bytearray(database.read_bytes())
    damaged = next(start for start in range(4096, len(content), 4096) if content[start] == 13)
    content[damaged + 5 : damaged + 7] = b"\xff\xff"  # its rows would begin behind its end
    database.write_bytes(content)
    gaps = PageGaps(database)
    assert not gaps.zero(0, 1_000_000)
    gaps.close()
    assert database.read_bytes()[damaged : damaged + 4096] == content[damaged : damaged + 4096]
