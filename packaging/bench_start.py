"""Cold starts: the app in a fresh process, up to the first paint, until it can be used, and at rest."""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.app.window import WindowSession

ROOT = Path(__file__).resolve().parents[1]
REST_SECONDS = 3.0
"""So long after the servers run everything is imported."""

BARE_WINDOW = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
from bench_start import memory_mb
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
        app = [str(Path(__file__)), json.dumps({"folder": str(folder), "arguments": arguments})]
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
    plan = {"folder": str(folder), "arguments": arguments, "idle_seconds": idle_seconds, "send": True}
    with tempfile.TemporaryDirectory(prefix="threadwell-bytecode-") as bytecode:
        return json.loads(_run([str(Path(__file__)), json.dumps(plan)], _environment(Path(bytecode))))


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


def memory_mb() -> dict[str, float]:
    """Resident and proportional memory of this process; nothing where there is no /proc."""
    result: dict[str, float] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in ("Rss", "Pss"):
                result[name.lower()] = round(int(rest.split()[0]) / 1024, 1)
    return result


def children_cpu_seconds() -> float:
    """What the processes that this one started have used so far; 0 where there is no /proc."""
    used = 0.0
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = entry.read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


class Child:
    """The app in this process, with the moments noted, closed after a rest."""

    def __init__(self, plan: dict[str, Any], began: float) -> None:
        self._plan = plan
        self._began = began
        self._seen: dict[str, float] = {}

    def run(self) -> int:
        from desktop.app.main import main
        from desktop.app.start import FirstWindow

        moments, show = self, FirstWindow.show

        def noting_show(self: FirstWindow) -> None:
            show(self)
            moments.note("painted")
            moments.follow()

        FirstWindow.show = noting_show
        status = main(["--data-dir", self._plan["folder"], *self._plan["arguments"]])
        print(json.dumps(self._seen))
        return status

    def note(self, name: str) -> None:
        self._seen[f"{name}_cpu_s"] = time.process_time()
        self._seen[f"{name}_s"] = time.monotonic() - self._began

    def follow(self) -> None:
        """Note when the window can be used; the import comes after the first paint, as in the app."""
        from desktop.app.window import WindowSession

        moments, opening = self, WindowSession.open

        async def noting_open(self: WindowSession) -> None:
            await opening(self)
            moments.note("usable")
            self.container.tasks.spawn(moments._rest(self), name="bench")

        WindowSession.open = noting_open

    async def _rest(self, session: "WindowSession") -> None:
        await session.container.gateway.tools()  # waits for the servers
        await asyncio.sleep(REST_SECONDS)
        self._seen.update({f"idle_{name}_mb": size for name, size in memory_mb().items()})
        if idle_seconds := self._plan.get("idle_seconds"):
            await self._idle(idle_seconds)
        if self._plan.get("send"):
            run = await session.container.chat.send(session.presenter.thread_id, "Say yes.")
            await run.wait()
            await asyncio.sleep(1)
            self._seen.update({f"sent_{name}_mb": size for name, size in memory_mb().items()})
        session.ask_to_close()

    async def _idle(self, seconds: float) -> None:
        own, children = time.process_time(), children_cpu_seconds()
        await asyncio.sleep(seconds)
        self._seen["idle_cpu_percent"] = round((time.process_time() - own) / seconds * 100, 3)
        self._seen["idle_servers_cpu_percent"] = round((children_cpu_seconds() - children) / seconds * 100, 3)


if __name__ == "__main__":
    raise SystemExit(Child(json.loads(sys.argv[1]), float(sys.argv[2])).run())
