"""Identifiers: unique, made by us, and sortable by the moment they were made."""

import os
import threading
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32, lower case
_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """Return a 26-character id: 48 bits of milliseconds, then 80 random bits (the ULID layout).

    Ids made by one process are strictly increasing, also within a millisecond and when the clock steps back.
    """
    global _last
    with _lock:
        value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
        if value <= _last:
            value = _last + 1
        _last = value
    return "".join(_ALPHABET[(value >> shift) & 31] for shift in range(125, -1, -5))
