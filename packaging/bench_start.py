"""Cold starts: the app in a fresh process, up to the first paint, until it can be used, and at rest."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CHILD = str(ROOT / "packaging" / "bench_child.py")

BARE_WINDOW = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
from bench_child import memory_mb
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
print(time.process_time(), time.monotonic() - float(sys.argv[1]), memory_mb().get("pss", 0))
"""


def cold_starts(folder: Path, count: int, *arguments: str) -> dict[str, Any]:
    """Start the app so many times on the data folder; the medians, in seconds and megabytes."""
    with tempfile.TemporaryDirectory(prefix="threadwell-bytecode-") as bytecode:
        environment = _environment(Path(bytecode))
        app = [CHILD, json.dumps({"folder": str(folder), "arguments": arguments})]
        _run(app, environment)  # the first one compiles
        runs = [_run(app, environment) for _ in range(count)]
        bare = [_run(["-c", BARE_WINDOW], environment) for _ in range(count)]
    figures = [json.loads(line) for line in runs]
    found: dict[str, Any] = {key: round(statistics.median(run[key] for run in figures), 3) for key in figures[0]}
    found["bare_window_cpu_s"], found["bare_window_s"], found["bare_window_pss_mb"] = (
        round(statistics.median(float(line.split()[column]) for line in bare), 3) for column in (0, 1, 2)
    )
    return found


def at_rest(folder: Path, idle_seconds: float, *arguments: str) -> dict[str, Any]:
    """Start the app once, let it idle so long, have one message answered, and say what that took."""
    plan = {"folder": str(folder), "arguments": arguments, "send": True}
    with tempfile.TemporaryDirectory(prefix="threadwell-bytecode-") as bytecode:
        environment = _environment(Path(bytecode))
        _run([CHILD, json.dumps(plan)], environment)  # compiles, which takes memory that an installed app does not need
        return json.loads(_run([CHILD, json.dumps(plan | {"idle_seconds": idle_seconds})], environment))


def _environment(bytecode: Path) -> dict[str, str]:
    """Compiled modules are kept, as in an installed app, but not beside the source."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    path = os.pathsep.join((str(ROOT), str(ROOT / "packaging")))
    return environment | {"PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONPATH": path}


def _run(arguments: list[str], environment: dict[str, str]) -> str:
    command = [sys.executable, "-P", *arguments, str(time.monotonic())]
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=True, text=True
    )
    return done.stdout.splitlines()[-1]
