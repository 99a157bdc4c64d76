"""What the window's process and the one that holds the index of vectors say to each other: a line of JSON, then bytes."""

import json
from collections.abc import Mapping
from typing import IO, Any

_BYTES = "bytes"
_MOST_LINE = 8_000_000
_MOST_BYTES = 64_000_000

Header = Mapping[str, Any]


def send(stream: IO[bytes], header: Header, payload: bytes = b"") -> None:
    """Write one message. Raises ``OSError`` where nobody reads any more."""
    stream.write(json.dumps({**header, _BYTES: len(payload)}).encode() + b"\n")
    stream.write(payload)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one message. Raises ``EOFError`` at the end of the stream, ``ValueError`` for what is none."""
    line = stream.readline(_MOST_LINE)
    if not line:
        raise EOFError
    header = json.loads(line)
    if not isinstance(header, dict):
        raise ValueError("a message that is no object")
    size = header.pop(_BYTES)
    if not isinstance(size, int) or not 0 <= size <= _MOST_BYTES:
        raise ValueError("a message of an impossible size")
    payload = stream.read(size)
    if len(payload) != size:
        raise EOFError
    return header, payload
