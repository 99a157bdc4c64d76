"""Makes a sound database of what can be read of a damaged one.

Table by table: with SQLite where it can read the whole table, else page by page (``raw_pages``), also pages to which nothing
leads any more. The result is a new file with the tables of our own migrations. It gets its name only when it is whole, and
takes the place of the damaged one after that was set aside; a start that is killed in between goes on with that.
"""

import contextlib
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from desktop.core.paths import DataPaths
from desktop.storage import indexes, salvage_mending
from desktop.storage.data_folder import set_aside, with_side_files
from desktop.storage.migrations import Step
from desktop.storage.migrations.m0001_threads import APPLICATION_ID
from desktop.storage.raw_pages import RawPages, Row, Value

logger = logging.getLogger(__name__)

_DERIVED = frozenset(("message_vectors", "item_vectors", "piece_vectors", "embedders", "vector_changes"))
_BY_ONE_ROW = frozenset(("sequence", "meta"))
"""Made anew: notes about indexes, and the number from which all others come."""
_FLAGS = {"messages": ("is_indexed", "is_recallable", "vector_of"), "memory_items": ("is_recallable", "vector_of")}
_FLAGS |= {"document_pieces": ("is_recallable", "vector_of")}
_CHUNK = 500


@dataclass(frozen=True, kw_only=True)
class Salvaged:
    """What came of a damaged database."""

    chats: int
    messages: int
    memories: int
    incomplete: int
    """Messages of which not all could be read."""
    unreadable_pages: int
    lost_rows: int
    """That were read, but belonged to nothing any more or made no sense."""
    kept_as: Path


@dataclass(frozen=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    required: tuple[bool, ...]
    number_column: int | None
    """Which column is the row's number."""
    without_rowid: bool


def finish(paths: DataPaths, moment: datetime) -> None:
    """Let a salvaged database take its place where a killed start did not come to that."""
    _unfinished(paths).unlink(missing_ok=True)
    whole = _whole(paths)
    if not whole.exists():
        return
    if paths.database.exists():
        set_aside(paths.database, moment)
    os.replace(whole, paths.database)


def salvage(paths: DataPaths, steps: Sequence[Step], moment: datetime) -> Salvaged | None:
    """Set the damaged database aside, and put what can be read of it in its place; None where that is nothing.

    Raises ``sqlite3.Error`` and ``OSError`` for a full disk and the like; then everything is as it was.
    """
    unfinished, damaged = _unfinished(paths), paths.database.with_name("salvage-source.tmp")
    try:
        _copy_with_log(paths.database, damaged)
        result = _read_all(damaged, unfinished, steps)
    finally:
        for path in (*with_side_files(damaged), *with_side_files(unfinished)[1:]):
            path.unlink(missing_ok=True)
    if result is None or not any(result[:3]):
        unfinished.unlink(missing_ok=True)
        return None
    os.replace(unfinished, _whole(paths))
    kept_as = set_aside(paths.database, moment)
    os.replace(_whole(paths), paths.database)
    chats, messages, memories, incomplete, pages, rows = result
    return Salvaged(
        chats=chats,
        messages=messages,
        memories=memories,
        incomplete=incomplete,
        unreadable_pages=pages,
        lost_rows=rows,
        kept_as=kept_as,
    )


def _unfinished(paths: DataPaths) -> Path:
    return paths.database.with_name("salvaged.tmp")


def _whole(paths: DataPaths) -> Path:
    return paths.database.with_name("salvaged.db")


def _copy_with_log(database: Path, copy: Path) -> None:
    """Copy the file, and move what its log holds into the copy as far as SQLite can."""
    for source, target in zip(with_side_files(database)[:2], with_side_files(copy)[:2], strict=True):
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copyfile(source, target)
    if not copy.exists():
        copy.touch()
    if not with_side_files(copy)[1].exists():
        return
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.DatabaseError as error:
        logger.warning("the log of the damaged database could not be read: %s", error)


def _read_all(damaged: Path, target: Path, steps: Sequence[Step]) -> tuple[int, int, int, int, int, int] | None:
    if damaged.stat().st_size == 0:
        return None
    target.unlink(missing_ok=True)
    pages = RawPages(damaged)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600))
    with (
        closing(pages),
        closing(sqlite3.connect(_read_only(damaged), uri=True, isolation_level=None)) as source,
        closing(sqlite3.connect(target, isolation_level=None)) as connection,
    ):
        source.text_factory = lambda content: content.decode("utf-8", "replace")
        with contextlib.suppress(sqlite3.Error):
            source.execute(
                "PRAGMA writable_schema = ON"
            )  # what is wrong in one line of the schema is no concern of others
        roots = _roots(source, pages)
        version = _version(source, len(steps), roots)
        for setting in ("synchronous = OFF", "temp_store = MEMORY", "foreign_keys = OFF"):
            connection.execute(f"PRAGMA {setting}")
        for step in steps[:version]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("BEGIN")
        tables = list(_tables(connection))
        lost = sum(_copy_table(source, connection, pages, table, roots.get(table.name)) for table in tables)
        for root in roots.keys() - {table.name for table in tables}:  # indexes: their pages are not taken for others'
            for _ in pages.rows(roots[root]):
                pass
        lost += _copy_orphans(connection, pages, tables)
        mended = salvage_mending.mend(connection)
        connection.execute("COMMIT")
        connection.execute("PRAGMA foreign_keys = ON")
        problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if problem != "ok":
            raise sqlite3.DatabaseError(f"what was salvaged is not sound: {problem}")
        counts: tuple[int, int, int] = connection.execute(
            "SELECT (SELECT count(*) FROM threads WHERE is_purging = 0), (SELECT count(*) FROM messages),"
            f" (SELECT {'count(*) FROM memory_items' if version >= 12 else '0'})"
        ).fetchone()
    with target.open("rb+") as file:
        os.fsync(file.fileno())
    return (*counts, mended.incomplete, len(pages.bad_pages), lost + mended.lost)


def _read_only(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


def _roots(source: sqlite3.Connection, pages: RawPages) -> dict[str, int]:
    """Return at which page each table begins, as far as the schema can be read."""
    try:
        rows: list[tuple[Value, ...]] = source.execute(
            "SELECT type, name, tbl_name, rootpage FROM sqlite_schema"
        ).fetchall()
    except sqlite3.DatabaseError:
        rows = [values for _, values in pages.rows(1)]
    return {
        row[1]: row[3]
        for row in rows
        if len(row) >= 4 and row[0] == "table" and isinstance(row[1], str) and isinstance(row[3], int) and row[3] > 0
    }


def _version(source: sqlite3.Connection, newest: int, roots: dict[str, int]) -> int:
    try:
        version: int = source.execute("PRAGMA user_version").fetchone()[0]
        mark: int = source.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.DatabaseError:
        return newest
    return version if 1 <= version <= newest and (mark == APPLICATION_ID or not roots) else newest


def _tables(connection: sqlite3.Connection) -> Iterator[_Table]:
    names = connection.execute(
        "SELECT t.name, t.wr FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.type = 'table'"
        " AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name"
    ).fetchall()
    for name, without_rowid in names:
        if indexes.owns(name) or name in _DERIVED or name in _BY_ONE_ROW:
            continue
        info = connection.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid', (name,))
        columns = info.fetchall()
        keys = [place for place, (_, kind, _, pk) in enumerate(columns) if pk and kind == "INTEGER"]
        is_single = sum(bool(pk) for *_, pk in columns) == 1
        yield _Table(
            name=name,
            columns=tuple(column[0] for column in columns),
            types=tuple(column[1] for column in columns),
            required=tuple(bool(column[2]) for column in columns),
            number_column=keys[0] if keys and is_single and not without_rowid else None,
            without_rowid=bool(without_rowid),
        )


def _copy_table(
    source: sqlite3.Connection, connection: sqlite3.Connection, pages: RawPages, table: _Table, root: int | None
) -> int:
    """Copy what can be read of a table; return how many rows made no sense."""
    lost = 0
    is_whole = False
    try:
        there = {row[1] for row in source.execute(f"PRAGMA table_info({table.name})")}
        shared = [column for column in table.columns if column in there]
        if shared:
            rows = source.execute(f"SELECT {', '.join(shared)} FROM {table.name}")
            while some := rows.fetchmany(_CHUNK):
                lost += _insert(connection, table, shared, some)
            is_whole = True
    except sqlite3.DatabaseError as error:
        logger.warning("the table %s is damaged: %s", table.name, error)
    if root is None or table.without_rowid:
        return lost
    # Also of a whole table, so that its pages are not taken for those of another one.
    rows = pages.rows(root)
    if is_whole:
        for _ in rows:
            pass
        return lost
    return lost + _insert_raw(connection, table, rows)


def _copy_orphans(connection: sqlite3.Connection, pages: RawPages, tables: Sequence[_Table]) -> int:
    """Copy the rows of pages to which nothing leads, where it is plain of which table they are."""
    lost = 0
    for rows in pages.orphans():
        fitting = [table for table in tables if not table.without_rowid and all(_fits(table, row) for row in rows)]
        if len(fitting) == 1:
            lost += _insert_raw(connection, fitting[0], iter(rows))
        elif fitting:
            lost += len(rows)
    return lost


def _fits(table: _Table, row: Row) -> bool:
    number, values = row
    if number <= 0 or len(values) > len(table.columns) or not values:
        return False
    kinds = {"INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,), "REAL": (float, int)}
    for place, value in enumerate(values):
        if value is None:
            if table.required[place] and place != table.number_column:
                return False
        elif place == table.number_column or not isinstance(value, kinds.get(table.types[place], (object,))):
            return False
    missing = range(len(values), len(table.columns))
    return table.number_column is None or values[table.number_column] is None or not missing


def _insert_raw(connection: sqlite3.Connection, table: _Table, rows: Iterator[Row]) -> int:
    lost = 0
    for number, values in rows:
        if not _fits(table, (number, values)):
            lost += 1
            continue
        shown = list(values)
        if table.number_column is not None:
            shown[table.number_column] = number
        # Columns that were added later are not in older rows: they have their usual values there.
        lost += _insert(connection, table, table.columns[: len(shown)], [tuple(shown)])
    return lost


def _insert(
    connection: sqlite3.Connection, table: _Table, columns: Sequence[str], rows: Sequence[tuple[Value, ...]]
) -> int:
    """Insert rows one by one; what is there already stays. Return how many the table did not take."""
    flags = [place for place, column in enumerate(columns) if column in _FLAGS.get(table.name, ())]
    statement = f"INSERT OR IGNORE INTO {table.name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    lost = 0
    for row in rows:
        values = list(row)
        for place in flags:
            values[place] = 0
        try:
            connection.execute(statement, values)
        except (sqlite3.IntegrityError, sqlite3.DataError, UnicodeEncodeError, OverflowError):
            lost += 1
    return lost
