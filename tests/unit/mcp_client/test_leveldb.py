"""One value out of another program's LevelDB folder: the newest, from logs and tables, and nothing from what is damaged."""

import random
from pathlib import Path

import pytest

from desktop.mcp_client.leveldb import LevelDbError, read_value, unpacked
from tests.support.leveldb_writer import snappy, write_leveldb

KEY = b"_file://\x00\x01k"
LONG = b"".join(b"%d, " % n for n in range(30_000))


@pytest.mark.parametrize("packed", [False, True])
def test_the_newest_change_counts_wherever_it_stands(tmp_path: Path, packed: bool) -> None:
    others = [(b"_file://\x00\x01%d" % n, b"x%d" % n) for n in range(9)]
    first, second = [*others, (KEY, b"old"), (b"z", b"1")], [(KEY, b"newer"), (b"a", b"2")]
    for name, tables, log, wanted in (
        ("none", [others], [], None),
        ("table", [first], [], b"old"),
        ("later table", [first, second], [], b"newer"),
        ("log", [first, second], [(b"y", b"3"), (KEY, LONG)], LONG),
        ("twice in it", [first], [(KEY, b"1"), (KEY, b"2")], b"2"),
        ("deleted", [first, second], [(KEY, None)], None),
        ("deleted in a table", [first, [(KEY, None)]], [], None),
        ("back again", [first, [(KEY, None)]], [(KEY, b"")], b""),
        ("only a log", [], [(KEY, LONG)], LONG),
    ):
        folder = tmp_path / name
        write_leveldb(folder, tables=tables, log=log, packed=packed)
        assert read_value(folder, KEY) == wanted, name
        assert read_value(folder, b"_file://\x00\x01") is None, name


def test_what_is_half_written_or_over_does_not_count(tmp_path: Path) -> None:
    write_leveldb(tmp_path, tables=[[(KEY, b"old")]], log=[(KEY, LONG)])
    log = tmp_path / "000090.log"
    log.write_bytes(log.read_bytes()[:-1])
    (tmp_path / "000003.log").write_bytes(log.read_bytes())
    (tmp_path / "000091.ldb").write_bytes(b"a table that is being written")
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert read_value(tmp_path, KEY) == b"old"
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_a_table_that_is_gone_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    write_leveldb(tmp_path, tables=[[(KEY, b"old")]])
    (tmp_path / "000005.ldb").unlink()
    with pytest.raises(FileNotFoundError):
        read_value(tmp_path, KEY)


def test_damage_anywhere_ends_in_the_one_error(tmp_path: Path) -> None:
    write_leveldb(tmp_path, tables=[[(KEY, LONG), (b"z", b"1")]], log=[(b"y", b"2")], packed=True)
    chance = random.Random(7)
    for name in ("000005.ldb", "000090.log", "MANIFEST-000001", "CURRENT"):
        whole = (tmp_path / name).read_bytes()
        for _ in range(60):
            broken = bytearray(whole[: chance.choice([len(whole), chance.randrange(len(whole) + 1)])])
            for _ in range(3 if broken else 0):
                broken[chance.randrange(-min(len(broken), 200), 0)] = chance.randrange(256)
            (tmp_path / name).write_bytes(broken)
            try:
                value = read_value(tmp_path, KEY)
            except (LevelDbError, OSError):
                continue
            assert value is None or isinstance(value, bytes)
        (tmp_path / name).write_bytes(whole)
    assert read_value(tmp_path, KEY) == LONG


def test_snappy_is_unpacked_with_every_kind_of_piece() -> None:
    chance = random.Random(3)
    far = chance.randbytes(70_000)
    for data in (b"", b"a", b"ab" * 500, b"a" * 70_000, LONG[:20_000], chance.randbytes(300), far + far[:90]):
        assert unpacked(snappy(data)) == data
    for damaged in (b"", b"\x05\x00", b"\x04\x01\x09", b"\xff\xff\xff\xff\x7f\x00", b"\x05\x00a\x11\x00"):
        with pytest.raises((ValueError, IndexError)):
            unpacked(damaged)
