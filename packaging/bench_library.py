"""What ten years of chats cost: start, sidebar, search, the longest thread and the palette, each beside a small library.

Prints every figure of both and, last, one line of JSON. Nothing here is asserted: times depend on the machine.

    python packaging/dev.py bench library [--threads 2000] [--messages 50000] [--longest 2500] [--seed 1]
    python packaging/dev.py bench library --folder FOLDER [--only-make]
"""

import argparse
import asyncio
import contextlib
import dataclasses
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from desktop.app.qt_import import load_qt  # noqa: E402

load_qt()  # as the app does

from bench_child import memory_mb  # noqa: E402
from bench_data import opened, summary  # noqa: E402
from bench_library_data import FREQUENT, PHRASE, RARE_CHINESE, RARE_ENGLISH, LibraryMaker, Made  # noqa: E402
from bench_start import cold_starts  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from desktop.app.error_reporter import ErrorReporter  # noqa: E402
from desktop.app.event_loop import close_loop, make_loop  # noqa: E402
from desktop.app.options import LaunchOptions, WindowCommand  # noqa: E402
from desktop.app.start import make_application  # noqa: E402
from desktop.app.window import WindowSession  # noqa: E402
from desktop.conversation.search_filters import read_search  # noqa: E402
from desktop.conversation.search_wish import SearchWish  # noqa: E402
from desktop.core.endpoint_settings import EndpointSettings  # noqa: E402
from desktop.core.paths import DataPaths  # noqa: E402
from desktop.core.settings import SettingsStore  # noqa: E402
from desktop.storage.store import Store  # noqa: E402

SMALL = (2, 20)
"""Threads and messages of the library beside it: as good as empty, but each figure can be taken."""
PAGES = 200
PATIENCE_SECONDS = 60.0
LOOKED_FOR = {
    "one_letter": "p",
    "one_character": FREQUENT[2][0],
    "frequent_english": FREQUENT[1],
    "frequent_chinese": FREQUENT[2],
    "rare_english": RARE_ENGLISH,
    "rare_chinese": RARE_CHINESE,
    "phrase": f'"{PHRASE}"',
    "nothing": "zzzzzzz",
}
REPEATED = 5


async def make(folder: Path, options: argparse.Namespace, threads: int, messages: int) -> tuple[Made, dict[str, Any]]:
    """A filled library with all its indexes; and what its making and its files took. One that is there is used again."""
    note = folder / "made.json"
    if note.is_file():
        kept = json.loads(note.read_text("utf-8"))
        return Made(**kept["made"]), kept["figures"]
    settings = SettingsStore(folder / "settings.json")
    settings.update(dataclasses.replace(settings.settings, welcomed=True))
    begin = time.perf_counter()
    async with opened(folder) as store:
        made = await LibraryMaker(options.seed, threads, messages, options.longest).fill(store)
        filled = time.perf_counter()
        await store.threads.search("zzzzzzz")  # its indexes follow
        await store.passages.catch_up()
        indexed = time.perf_counter()
        stored = await _stored(store)
    database = DataPaths(folder).database.stat().st_size
    figures = {
        "threads": threads,
        "messages": stored,
        "fill_s": round(filled - begin, 1),
        "index_s": round(indexed - filled, 1),
        "database_mb": round(database / 1e6, 1),
        "database_bytes_per_message": round(database / stored),
        "text_bytes_per_message": round(made.characters / stored),
    }
    note.write_text(json.dumps({"made": dataclasses.asdict(made), "figures": figures}), "utf-8")
    return made, figures


async def _stored(store: Store) -> int:
    row = await store.database.read(lambda connection: connection.execute("SELECT count(*) FROM messages").fetchone())
    return int(row[0])


class Measured:
    """A window on a library, and what is done in it."""

    def __init__(self, app: QApplication, folder: Path, made: Made) -> None:
        launch = LaunchOptions(data_dir=folder, thread="", endpoint=EndpointSettings())
        self._app = app
        self._made = made
        self._session = WindowSession(app, WindowCommand(launch=launch, theme="light", language="en"), ErrorReporter())

    async def run(self) -> dict[str, Any]:
        await self._session.open()
        presenter = self._session.presenter
        presenter.window.resize(1240, 860)
        presenter.window.show()
        await presenter.transcript.warm_up()
        await asyncio.sleep(1)
        gc.collect()
        gc.freeze()  # as the app does once everything is imported
        figures: dict[str, Any] = {"memory_started_mb": memory_mb()}
        figures["sidebar_page_ms"] = await self._repeated(self._load_sidebar)
        figures |= await self._searching()
        figures |= await self._palette()
        figures |= await self._longest()
        figures["memory_end_mb"] = memory_mb()
        await self._session.close()
        return figures

    async def _repeated(self, act: Callable[[], Any]) -> dict[str, float]:
        times: list[float] = []
        for _ in range(REPEATED):
            begin = time.perf_counter()
            await act()
            times.append((time.perf_counter() - begin) * 1000)
            await asyncio.sleep(0.05)
        return summary(times)

    async def _load_sidebar(self) -> None:
        """Read the first page anew and paint it."""
        await self._session.presenter.sidebar.load()
        self._session.presenter.window.sidebar.repaint()

    async def _searching(self) -> dict[str, Any]:
        """From the last key until the first hit is painted, with the pause of the field; and what of that the store takes for
        the first page of hits."""
        window, store = self._session.presenter.window, self._session.container.store
        seen, asked = dict[str, Any](), dict[str, Any]()
        for name, text in LOOKED_FOR.items():
            wish = read_search(text, datetime.now(UTC))
            is_there = bool((await store.search.find(wish)).hits)  # not everything stands in the small library

            async def ask(wish: SearchWish = wish) -> None:
                await store.search.find(wish)

            async def look(text: str = text, is_found: bool = is_there) -> None:
                window.sidebar.clear_search()
                model, answered = window.sidebar.results_model, list[object]()
                connection = model.modelReset.connect(lambda: answered.append(1))
                window.sidebar.search.setText(text)
                # The rows of the search before stand there until then.
                await self._until(lambda: bool(answered) and (not is_found or model.thread_count() > 0))
                window.sidebar.repaint()
                model.disconnect(connection)

            asked[name] = await self._repeated(ask)
            seen[name] = await self._repeated(look)
        window.sidebar.clear_search()
        return {"search_store_ms": asked, "search_seen_ms": seen}

    async def _palette(self) -> dict[str, Any]:
        """From a key in the palette until its rows are there and painted."""
        presenter = self._session.presenter.features.keyboard.palette
        begin = time.perf_counter()
        presenter.open("palette")
        await self._until(lambda: bool(presenter.panel.rows) and not presenter.is_searching)
        figures: dict[str, Any] = {"palette_open_first_ms": round((time.perf_counter() - begin) * 1000, 1)}
        times: list[float] = []
        for text in ("p", "pl", "pla", "plan", "计", "计划", "zzzz", "how d", "为什么", "解释", "ba", "bado"):
            begin = time.perf_counter()
            presenter.panel.field.setText(text)
            await self._until(lambda: not presenter.is_searching)
            presenter.panel.repaint()
            times.append((time.perf_counter() - begin) * 1000)
            await asyncio.sleep(0.02)
        presenter.panel.close_palette()
        return figures | {"palette_key_ms": summary(times)}

    async def _longest(self) -> dict[str, Any]:
        """Open the longest thread, jump to its middle, and scroll through it page by page."""
        presenter = self._session.presenter
        painted: list[float] = []

        def paint() -> None:
            presenter.window.transcript.viewport().repaint()
            painted.append(time.perf_counter())

        connection = presenter.transcript.opened.connect(paint)
        figures: dict[str, Any] = {}
        for name, message_id in (("open_longest_ms", ""), ("jump_to_middle_ms", self._made.middle)):
            times: list[float] = []
            for _ in range(REPEATED):
                await presenter.open_thread(None)
                await asyncio.sleep(0.1)
                painted.clear()
                begin = time.perf_counter()
                await presenter.open_thread(self._made.longest, message_id)
                await self._until(lambda: bool(painted))
                times.append((painted[0] - begin) * 1000)
                await asyncio.sleep(0.2)
            figures[name] = summary(times)
        presenter.transcript.opened.disconnect(connection)
        return figures | {"scroll_page_ms": await self._scrolling()}

    async def _scrolling(self) -> dict[str, float]:
        """The time of each frame: the move, its painting, and what is read and laid out before the next one."""
        view = self._session.presenter.window.transcript
        bar, times = view.verticalScrollBar(), list[float]()
        step = -view.viewport().height()
        for _ in range(PAGES):
            if not bar.minimum() <= bar.value() + step <= bar.maximum():
                step = -step
            begin = time.perf_counter()
            bar.setValue(bar.value() + step)
            view.viewport().repaint()
            await asyncio.sleep(0)
            times.append((time.perf_counter() - begin) * 1000)
            await asyncio.sleep(0.005)
        return summary(times)

    async def _until(self, condition: Callable[[], bool]) -> None:
        begin = time.perf_counter()
        while not condition():
            if time.perf_counter() - begin > PATIENCE_SECONDS:
                raise TimeoutError("what is measured did not come")
            await asyncio.sleep(0.001)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2_000)
    parser.add_argument("--messages", type=int, default=50_000)
    parser.add_argument("--longest", type=int, default=0, help="messages of the longest thread; a twentieth by itself")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keep the libraries here, and use those that are here")
    parser.add_argument("--only-make", action="store_true", help="make the libraries and measure nothing else")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    options.longest = options.longest or max(options.messages // 20, 2)
    figures: dict[str, Any] = {"seed": options.seed, "longest": options.longest}
    app = make_application()
    loop = make_loop(app)
    with contextlib.ExitStack() as ends:
        place = options.folder or ends.enter_context(tempfile.TemporaryDirectory(prefix="threadwell-bench-"))
        try:
            for kind, size in (("small", SMALL), ("large", (options.threads, options.messages))):
                folder = Path(place, kind)
                folder.mkdir(parents=True, exist_ok=True)
                made, of_kind = loop.run_until_complete(make(folder, options, *size))
                if options.only_make:
                    print(f"{kind}: {of_kind}")
                    continue
                of_kind |= {"start": cold_starts(folder, options.starts)}
                of_kind |= loop.run_until_complete(Measured(app, folder, made).run())
                figures[kind] = of_kind
        finally:
            close_loop(loop)
    if options.only_make:
        return 0
    for key in figures["large"]:
        print(f"{key}\n  small  {figures['small'][key]}\n  large  {figures['large'][key]}")
    line = json.dumps(figures)
    if options.json:
        options.json.write_text(line + "\n", encoding="utf-8")
    print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
