"""Makes the system under a child process fail: a library in C, compiled at first need, that is preloaded into it."""

import functools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

_SOURCE = Path(__file__).with_suffix(".c")


def missing() -> str:
    """What this computer lacks for it."""
    if sys.platform != "linux":
        return "calls are made to fail by LD_PRELOAD, which is a matter of Linux"
    return "" if shutil.which("cc") else "there is no C compiler (cc)"


@functools.cache
def _library() -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory(prefix="faulty-")  # goes with the process
    made = Path(folder.name) / "faulty_system.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, _SOURCE, "-ldl", "-lpthread"], check=True)
    return made, folder


def environment(folder: Path, **faults: str) -> Mapping[str, str]:
    """The variables for a child whose files below ``folder`` are at fault; the names are those in the C file."""
    named = {f"FAULT_{name.upper()}": value for name, value in faults.items()}
    return {"LD_PRELOAD": str(_library()[0]), "FAULT_FOLDER": f"{folder}/", **named}
