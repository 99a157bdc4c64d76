"""The app in a process of its own, with the moments noted; before it is seen it imports little that the app would not."""

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.app.window import WindowSession

LOOKS = 10_000
"""So often it is looked whether the list of threads is there."""
REST_SECONDS = 3.0
"""Until everything that goes on after the start has ended."""


def memory_mb(pid: int | None = None) -> dict[str, float]:
    """Resident and proportional memory of a process, else of this one; nothing where there is no /proc."""
    result: dict[str, float] = {}
    try:
        with open(f"/proc/{pid or 'self'}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name in ("Rss", "Pss"):
                    result[name.lower()] = round(int(rest.split()[0]) / 1024, 1)
    except OSError:
        pass
    return result


def children_cpu_seconds() -> float:
    """What the processes that this one started have used so far; 0 where there is no /proc."""
    used = 0.0
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
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
        from desktop.app.main import load_window, main

        load_window()
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
            self.container.tasks.spawn(moments._until_listed(self), name="bench list")
            self.container.tasks.spawn(moments._rest(self), name="bench")

        WindowSession.open = noting_open

    async def _until_listed(self, session: "WindowSession") -> None:
        """Note when the list of threads is there."""
        import asyncio

        model = session.presenter.window.sidebar.model
        for _ in range(LOOKS):
            if model.is_complete or model.thread_count:
                break
            await asyncio.sleep(0.002)
        self.note("listed")

    async def _rest(self, session: "WindowSession") -> None:
        import asyncio

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
        import asyncio

        own, children = time.process_time(), children_cpu_seconds()
        await asyncio.sleep(seconds)
        self._seen["idle_cpu_percent"] = round((time.process_time() - own) / seconds * 100, 3)
        self._seen["idle_servers_cpu_percent"] = round((children_cpu_seconds() - children) / seconds * 100, 3)


if __name__ == "__main__":
    raise SystemExit(Child(json.loads(sys.argv[1]), float(sys.argv[2])).run())
