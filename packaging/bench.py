"""Benchmarks: what the goals for speed speak of, measured on a real window, a real database and the real event loop.

Prints a table and, last, one line of JSON. Nothing here is asserted: times depend on the machine.

    python packaging/bench.py [--messages 10000] [--search-messages 100000] [--opens 20] [--seconds 10] [--json FILE]
"""

import argparse
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

from bench_data import fill, opened  # noqa: E402
from bench_start import cold_starts, memory_mb  # noqa: E402
from bench_window import Bench  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from desktop.app.event_loop import close_loop, make_loop  # noqa: E402

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
        bench = Bench(app, store, folder, options.seconds)
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
        figures |= await bench.streaming(long)
        figures |= await bench.sending(short, long, options.opens)
        figures["memory_end_mb"] = memory_mb()
        for _ in range((options.search_messages - options.messages) // 1_000):
            await fill(store, 1_000)
        figures["search_messages"] = max(options.search_messages, options.messages)
        figures |= await bench.searching(WORDS * 5)
        await bench.close()
        return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--search-messages", type=int, default=100_000)
    parser.add_argument("--opens", type=int, default=20)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    figures: dict[str, Any] = {"load_before": load()}
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        empty, filled = Path(name, "empty"), Path(name, "filled")
        figures["start_empty"] = cold_starts(empty, options.starts)
        app = QApplication.instance() or QApplication(sys.argv)
        assert isinstance(app, QApplication)
        loop = make_loop(app)
        try:
            figures |= loop.run_until_complete(measure(app, filled, options))
        finally:
            close_loop(loop)
        figures["start_filled"] = cold_starts(filled, options.starts)
    figures["load_after"] = load()
    for key, value in figures.items():
        print(f"{key:20} {value}")
    line = json.dumps(figures)
    if options.json:
        options.json.write_text(line + "\n", encoding="utf-8")
    print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
