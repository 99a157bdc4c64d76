"""A program for a test of the crash suite: writes, syncs, changes and adds without a sync, says so and waits: ``FOLDER``."""

import os
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    handle = os.open(Path(sys.argv[1]) / "file", os.O_RDWR | os.O_CREAT, 0o600)
    os.write(handle, b"synced")
    os.fsync(handle)
    for _ in range(50):
        os.write(handle, b"lost")
    os.pwrite(handle, b"synced", 0)
    sys.stdout.write('{"kind": "written"}\n')
    sys.stdout.flush()
    time.sleep(60)
