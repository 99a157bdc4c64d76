"""Benchmarks: what the goals for speed speak of, measured on a real window, a real database and the real event loop.

Prints every figure, a table that sets them beside the goals and the floors of this run, and, last, one line of JSON.
Nothing here is asserted: times depend on the machine.

    python packaging/bench.py [--messages 10000] [--search-messages 100000] [--opens 20] [--seconds 10] [--idle 60]
"""

import argparse
import dataclasses
import gc
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from desktop.app.qt_import import load_qt  # noqa: E402

load_qt()  # as the app does

from bench_child import memory_mb  # noqa: E402
from bench_data import fill, opened  # noqa: E402
from bench_goals import table  # noqa: E402
from bench_servers import flooded  # noqa: E402
from bench_start import at_rest, cold_starts  # noqa: E402
from bench_stream import plain_streaming, streaming  # noqa: E402
from bench_window import Bench  # noqa: E402
from bench_wire import wire  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from desktop.app.event_loop import close_loop, make_loop  # noqa: E402
from desktop.core.settings import SettingsStore  # noqa: E402
from desktop.storage.store import Store  # noqa: E402
from tests.support.endpoint import LoopbackEndpoint, text  # noqa: E402

WORDS = ["parser", "tokenizer", "计划", "question", "step_3", "模型上下文", "files", "number 17", "zzz", "incremental"]


def load() -> list[float]:
    """The machine's load, where it tells: other work makes every figure here worse."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []


async def measure(app: QApplication, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Everything that one process can measure; leaves a filled data folder."""
    async with opened(folder) as store:
        begin = time.perf_counter()
        short, long = await fill(store, 10), await fill(store, options.messages)
        figures: dict[str, Any] = {"messages": options.messages, "fill_s": round(time.perf_counter() - begin, 1)}
        figures["thread"] = long
        figures["disk_per_text"] = await disk_per_text(store)
        bench = Bench(app, store, folder)
        bench.window.show()
        await bench.presenter.warm_up()
        await bench.settle()
        # As the app does once everything is imported: a full collection would stall the window for long.
        gc.collect()
        gc.freeze()
        figures["memory_before_mb"] = memory_mb()
        figures |= await bench.opening(short, long, options.opens)
        figures["memory_open_mb"] = memory_mb()
        figures |= await bench.scrolling(long)
        figures |= await streaming(bench, long, options.seconds)
        figures |= await plain_streaming(options.seconds)
        figures |= await bench.sending(short, long, options.opens)
        figures["memory_end_mb"] = memory_mb()
        for _ in range((options.search_messages - options.messages) // 1_000):
            await fill(store, 1_000)
        figures["search_messages"] = max(options.search_messages, options.messages)
        figures |= await bench.searching(WORDS * 5)
        await bench.close()
        return figures


async def disk_per_text(store: Store) -> float:
    """Bytes of the database for a byte of text written into it, beyond 200 for each message."""
    query = (
        "SELECT page_count * page_size, (SELECT count(*) FROM messages),"
        " (SELECT sum(length(CAST(text AS BLOB)) + length(CAST(payload AS BLOB))) FROM parts)"
        " FROM pragma_page_count, pragma_page_size"
    )
    size, messages, written = await store.database.read(lambda connection: connection.execute(query).fetchone())
    return round((size - 200 * messages) / written, 2)


def welcomed(folder: Path) -> None:
    """Settings of somebody who has been here before: the window opens with the greeting, not with the first start."""
    settings = SettingsStore(folder / "settings.json")
    settings.update(dataclasses.replace(settings.settings, welcomed=True))


def rested(folder: Path, thread_id: str, options: argparse.Namespace) -> dict[str, Any]:
    """The starts on a filled folder with the long thread open; then an app at rest, and after its first message."""
    thread = ("--thread", thread_id)
    with LoopbackEndpoint(lambda _request: [text("Yes.")]) as endpoint:
        model = ("--base-url", endpoint.base_url, "--model", "bench")
        started = cold_starts(folder, options.starts, *thread)
        return started | {
            name: value
            for name, value in at_rest(folder, options.idle, *thread, *model).items()
            if name.startswith(("idle_cpu", "idle_servers", "sent_"))
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--search-messages", type=int, default=100_000)
    parser.add_argument("--opens", type=int, default=20)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--idle", type=float, default=60.0, help="seconds in which the app has nothing to do")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    figures: dict[str, Any] = {"load_before": load(), **wire()}
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        empty, filled = Path(name, "empty"), Path(name, "filled")
        welcomed(empty)
        welcomed(filled)
        figures["start_empty"] = cold_starts(empty, options.starts)
        app = QApplication.instance() or QApplication(sys.argv)
        assert isinstance(app, QApplication)
        loop = make_loop(app)
        try:
            figures |= loop.run_until_complete(flooded())
            figures |= loop.run_until_complete(measure(app, filled, options))
        finally:
            close_loop(loop)
        figures["start_filled"] = rested(filled, figures["thread"], options)
    figures["load_after"] = load()
    for key, value in figures.items():
        print(f"{key:20} {value}")
    print("", *table(figures), "", sep="\n")
    line = json.dumps(figures)
    if options.json:
        options.json.write_text(line + "\n", encoding="utf-8")
    print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
