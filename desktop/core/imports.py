"""Heavy imports beside a window that is alive: call this in a worker thread."""

import gc
import importlib
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType

_one_at_a_time = threading.Lock()


def import_quietly(name: str) -> ModuleType:
    """Import a module, the first time with the garbage collector held still, and return it.

    Full collections in the middle of an import that makes a hundred thousand objects would stall the other threads,
    up to 250 ms each. What the import left stays for good and is not searched again. Two such imports go one after
    the other: together they would take no less time, and the window would wait twice as long for its turn.
    """
    if name in sys.modules:
        return importlib.import_module(name)  # waits where another thread is still importing it
    with _one_at_a_time, garbage_left_alone():
        return importlib.import_module(name)


@contextmanager
def garbage_left_alone() -> Generator[None, None, None]:
    """Hold the garbage collector still while objects are made that are nearly all there to stay."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if was_collecting:
            gc.enable()
