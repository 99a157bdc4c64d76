"""Writes small LevelDB folders, in the way of the program that has them open: a log, tables, and the list of both."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

Changes = Sequence[tuple[bytes, bytes | None]]
"""Keys with their values, in order; None deletes."""


def write_leveldb(
    folder: Path, *, tables: Sequence[Changes] = (), log: Changes = (), packed: bool = False, per_block: int = 2
) -> None:
    """Write each of the tables, then the log; later changes count more."""
    folder.mkdir(parents=True, exist_ok=True)
    sequence, edit = 1, varint(2) + varint(90)
    for number, changes in enumerate(tables, 5):
        numbered = {key + tag(sequence + n, value): value or b"" for n, (key, value) in enumerate(changes)}
        sequence += len(changes)
        data = table(numbered, packed=packed, per_block=per_block)
        (folder / f"{number:06}.ldb").write_bytes(data)
        edit += varint(7) + varint(0) + varint(number) + varint(len(data)) + text(b"a" * 9) + text(b"z" * 9)
    (folder / "000090.log").write_bytes(records([batch(sequence, log)] if log else []))
    gone = varint(7) + varint(1) + varint(4) + varint(9) + text(b"a" * 9) + text(b"z" * 9)
    edits = [varint(1) + text(b"leveldb.BytewiseComparator") + varint(5) + varint(0) + text(b"k" * 9), gone]
    (folder / "MANIFEST-000001").write_bytes(records([*edits, varint(6) + varint(1) + varint(4), edit]))
    (folder / "CURRENT").write_text("MANIFEST-000001\n", "utf-8")
    (folder / "LOCK").touch()


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def text(data: bytes) -> bytes:
    return varint(len(data)) + data


def tag(sequence: int, value: bytes | None) -> bytes:
    return (sequence << 8 | (value is not None)).to_bytes(8, "little")


def batch(sequence: int, changes: Changes) -> bytes:
    entries = [b"\x00" + text(key) if value is None else b"\x01" + text(key) + text(value) for key, value in changes]
    return sequence.to_bytes(8, "little") + len(changes).to_bytes(4, "little") + b"".join(entries)


def records(wholes: Sequence[bytes]) -> bytes:
    """In blocks of 32 KiB; what does not fit into one goes on in the next."""
    out = bytearray()
    for whole in wholes:
        is_first = True
        while True:
            room = 2**15 - len(out) % 2**15
            if room < 7:
                out += bytes(room)
                continue
            part, whole = whole[: room - 7], whole[room - 7 :]
            kind = (1 if is_first else 4) if not whole else (2 if is_first else 3)
            out += struct.pack("<IHB", 0, len(part), kind) + part
            is_first = False
            if not whole:
                break
    return bytes(out)


def table(entries: Mapping[bytes, bytes], *, packed: bool, per_block: int) -> bytes:
    # Keys go up, of the same key the newest change comes first.
    ordered = sorted(entries, key=lambda name: (name[:-8], -int.from_bytes(name[-8:], "little")))
    out, index = bytearray(), dict[bytes, bytes]()
    for start in range(0, len(ordered), per_block):
        names = ordered[start : start + per_block]
        index[names[-1]] = _add(out, block({name: entries[name] for name in names}), packed)
    handles = _add(out, block({}), packed) + _add(out, block(index), packed)
    return bytes(out) + handles.ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")


def block(entries: Mapping[bytes, bytes]) -> bytes:
    out, before = bytearray(), b""
    for key, value in entries.items():
        shared = next(
            (n for n, (a, b) in enumerate(zip(key, before, strict=False)) if a != b), min(len(key), len(before))
        )
        out += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        before = key
    return bytes(out) + bytes(4) + (1).to_bytes(4, "little")


def _add(out: bytearray, content: bytes, packed: bool) -> bytes:
    data = snappy(content) if packed else content
    handle = varint(len(out)) + varint(len(data))
    out += data + bytes([packed]) + bytes(4)
    return handle


def snappy(data: bytes) -> bytes:
    """Packed with every kind of piece: literals of each length, and repetitions near, further and far."""
    out, at = bytearray(varint(len(data))), 0
    literal = bytearray()

    def flush() -> None:
        if literal:
            size = len(literal) - 1
            more = b"" if size < 60 else size.to_bytes((size.bit_length() + 7) // 8, "little")
            out.append((59 + len(more)) << 2 if more else size << 2)
            out.extend(more + literal)
            literal.clear()

    while at < len(data):
        start = data.rfind(data[at : at + 4], 0, at + 3) if at and at + 4 <= len(data) else -1
        if start < 0 or start == at:
            literal.append(data[at])
            at += 1
            continue
        length, offset = 4, at - start
        while length < 64 and at + length < len(data) and data[start + length] == data[at + length]:
            length += 1
        flush()
        if length < 12 and offset < 2048:
            out += bytes([(offset >> 8) << 5 | (length - 4) << 2 | 1, offset & 0xFF])
        elif offset < 65536:
            out += bytes([(length - 1) << 2 | 2]) + offset.to_bytes(2, "little")
        else:
            out += bytes([(length - 1) << 2 | 3]) + offset.to_bytes(4, "little")
        at += length
    flush()
    return bytes(out)
