"""Files that nobody but the user may read, whatever rights new files have in this session."""

import contextlib
import os


def private(path: str, flags: int) -> int:
    """The ``opener`` of ``open`` for such a file; one that is there already and that others may read is closed to them."""
    handle = os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):  # a file system without such rights
            os.fchmod(handle, 0o600)
    return handle
