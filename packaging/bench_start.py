"""Cold starts: the app in a fresh process, up to the first paint, until it can be used, and at rest."""

import contextlib
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
REST_SECONDS = 4.0
"""After this the servers run and everything is imported."""

BARE_WINDOW = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
print(time.process_time(), time.monotonic() - float(sys.argv[1]))
"""


def cold_starts(folder: Path, count: int) -> dict[str, Any]:
    """Start the app so many times on the data folder; the medians, in seconds and megabytes."""
    with tempfile.TemporaryDirectory(prefix="threadwell-bytecode-") as bytecode:
        environment = _environment(Path(bytecode))
        _run([str(Path(__file__)), str(folder)], environment)  # the first one compiles
        runs = [_run([str(Path(__file__)), str(folder)], environment) for _ in range(count)]
        bare = [_run(["-c", BARE_WINDOW], environment) for _ in range(count)]
    figures = [json.loads(line) for line in runs]
    found: dict[str, Any] = {key: round(statistics.median(run[key] for run in figures), 3) for key in figures[0]}
    found["bare_window_cpu_s"], found["bare_window_s"] = (
        round(statistics.median(float(line.split()[column]) for line in bare), 3) for column in (0, 1)
    )
    return found


def _environment(bytecode: Path) -> dict[str, str]:
    """Compiled modules are kept, as in an installed app, but not beside the source."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return environment | {"PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONPATH": str(ROOT)}


def _run(arguments: list[str], environment: dict[str, str]) -> str:
    command = [sys.executable, "-P", *arguments, str(time.monotonic())]
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=True, text=True
    )
    return done.stdout.splitlines()[-1]


def memory_mb() -> dict[str, float]:
    """Resident and proportional memory of this process; nothing where there is no /proc."""
    result: dict[str, float] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in ("Rss", "Pss"):
                result[name.lower()] = round(int(rest.split()[0]) / 1024, 1)
    return result


def child(folder: str, began: float) -> None:
    """Be the app, note the moments, and close after a rest."""
    seen: dict[str, float] = {}

    def note(name: str) -> None:
        seen[f"{name}_cpu_s"], seen[f"{name}_s"] = time.process_time(), time.monotonic() - began

    from desktop.app.main import main
    from desktop.app.start import FirstWindow

    show = FirstWindow.show

    def noting_show(self: FirstWindow) -> None:
        from PySide6.QtCore import QTimer

        show(self)
        note("painted")
        QTimer.singleShot(int(REST_SECONDS * 1000), self.window, lambda: rest(self))

        from desktop.app.window import WindowSession

        opening = WindowSession.open

        async def noting_open(self: WindowSession) -> None:
            await opening(self)
            note("usable")

        WindowSession.open = noting_open

    def rest(first: FirstWindow) -> None:
        seen.update({f"idle_{name}_mb": size for name, size in memory_mb().items()})
        first.window.close()

    FirstWindow.show = noting_show
    status = main(["--data-dir", folder])
    print(json.dumps(seen))
    raise SystemExit(status)


if __name__ == "__main__":
    child(sys.argv[1], float(sys.argv[2]))
