"""What huge texts in sight cost: the longest gap of the event loop while they are shown, streamed, resized and pasted.

For each case it prints the longest gap of the loop, the longest processor time that the GUI thread took between two beats of
it (unlike a gap it does not depend on what else the computer does), and the whole processor time of that thread. Nothing
here is asserted: times depend on the machine.

    python packaging/dev.py bench rendering [--cases table code …] [--json FILE]
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
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from desktop.app.qt_import import load_qt  # noqa: E402

load_qt()  # as the app does

from bench_rendering_data import ANSWERS, CODE_BLOCK, LINES, MEGABYTE, STREAMED, TOOL_RESULTS, UNBROKEN, parts_of  # noqa: E402
from PySide6.QtCore import QMimeData, QObject, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolButton  # noqa: E402

from desktop.app.event_loop import close_loop, make_loop  # noqa: E402
from desktop.conversation.entities import MessageStatus, Part, TextPart, ThinkingPart  # noqa: E402
from desktop.core.language_model import FinishReason, StreamEnd, TextDelta, Usage  # noqa: E402
from desktop.core.tasks import TaskSupervisor  # noqa: E402
from desktop.storage.formula_process import FormulaProcess  # noqa: E402
from desktop.ui.transcript.text_dialog import TextDialog  # noqa: E402
from tests.support.waiting import until  # noqa: E402
from tests.support.window_world import WindowWorld, window_world  # noqa: E402

BEAT_MS = 4
GOAL_MS = 50.0
SETTLE_SECONDS = 0.4
PATIENCE_SECONDS = 120.0
WIDTHS = (956, 900, 840, 780, 700, 760, 880, 956)
FONTS = (12.0, 16.0, 24.0, 10.0)
CHUNK, PACE_SECONDS = 80, 0.002
"""Characters of a chunk, and how often one comes: ten times as fast as a fast model."""
MOST_STEADY = 60_000
_END = StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=1, output_tokens=1))


@dataclasses.dataclass(frozen=True)
class Figures:
    """In milliseconds: the longest gap, the longest processor time between two beats, and all of it."""

    gap: float
    step: float
    whole: float


class Pulse(QObject):
    """A timer that notes how late it is called, and what the thread has done since."""

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._at = self._cpu = self._first_cpu = self.gap = self.step = 0.0

    def start(self) -> None:
        self.gap = self.step = 0.0
        self._at, self._cpu = time.perf_counter(), time.thread_time()
        self._first_cpu = self._cpu
        self._timer.start()

    def stop(self) -> Figures:
        self._timer.stop()
        self._beat()
        return Figures(round(self.gap, 1), round(self.step, 1), round((self._cpu - self._first_cpu) * 1000, 1))

    def _beat(self) -> None:
        at, cpu = time.perf_counter(), time.thread_time()
        self.gap = max(self.gap, (at - self._at) * 1000 - BEAT_MS)
        self.step = max(self.step, (cpu - self._cpu) * 1000)
        self._at, self._cpu = at, cpu


class RenderingBench:
    """The window with everything behind it, and the cases."""

    def __init__(self, world: WindowWorld) -> None:
        self.world = world
        self.window = world.presenter.window
        self.view = self.window.transcript
        self.figures: dict[str, Figures] = {}
        self._pulse = Pulse()

    @contextlib.contextmanager
    def measured(self, name: str) -> Iterator[None]:
        gc.collect()
        gc.freeze()  # what a full collection takes is no part of what a text costs
        self._pulse.start()
        try:
            yield
        finally:
            figures = self.figures[name] = self._pulse.stop()
            mark = "" if figures.step < GOAL_MS else "  OVER"
            print(
                f"{name:42} gap {figures.gap:7.1f}  step {figures.step:7.1f}  all {figures.whole:8.1f} ms{mark}",
                flush=True,
            )

    async def settled(self) -> None:
        """Wait until nothing is being drawn any more."""
        pictures = self.view.context.formulas
        await asyncio.sleep(SETTLE_SECONDS)
        await until(lambda: pictures.is_idle, within=PATIENCE_SECONDS)
        await asyncio.sleep(SETTLE_SECONDS)

    async def answered(self, question: str, parts: Sequence[Part]) -> str:
        """A thread with one answer; returns its id."""
        threads = self.world.store.threads
        thread = await threads.create_thread(title="Bench")
        turn = await threads.begin_turn(thread.id, question, model="bench")
        await threads.finish_turn(
            turn.turn_id,
            parts=list(parts),
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=1, output_tokens=1),
            duration_seconds=1.0,
        )
        return thread.id

    async def shown(self, name: str, thread_id: str) -> None:
        """Open a chat, go through it, resize the window, and change font and theme, with it in sight."""
        presenter = self.world.presenter
        await presenter.open_thread(None)
        await self.settled()
        with self.measured(f"{name}, opened"):
            await presenter.open_thread(thread_id)
            await self.settled()
        await self.changed(name)

    async def changed(self, name: str) -> None:
        """The same for what is in sight already."""
        bar = self.view.verticalScrollBar()
        with self.measured(f"{name}, scrolled"):
            for part in range(40, -1, -1):
                bar.setValue(bar.maximum() * part // 40)
                await asyncio.sleep(0.02)
            for _ in range(40):
                bar.setValue(bar.value() + 120)
                await asyncio.sleep(0.01)
            await self.settled()
        for place in ("begin", "end"):
            bar.setValue(bar.maximum() if place == "end" else bar.maximum() // 20)
            await self.settled()
            with self.measured(f"{name}, resized at its {place}"):
                for width in WIDTHS:
                    self.window.resize(width, 860)
                    await asyncio.sleep(0.05)
                await self.settled()
            with self.measured(f"{name}, fonts at its {place}"):
                for size in FONTS:
                    self._set_font(size)
                    await asyncio.sleep(0.1)
                await self.settled()

    def _set_font(self, size: float) -> None:
        settings = self.world.settings
        appearance = dataclasses.replace(settings.settings.appearance, font_size=size, code_font_size=size)
        settings.update(dataclasses.replace(settings.settings, appearance=appearance))

    async def answer(self, name: str) -> None:
        await self.shown(name, await self.answered("What is there?", [TextPart(text=ANSWERS[name]())]))

    async def reasoning(self, name: str) -> None:
        parts = [ThinkingPart(text=ANSWERS[name]()), TextPart(text="So it is.")]
        await self.world.presenter.open_thread(await self.answered("Why?", parts))
        await self.unfolded(f"{name} as reasoning")

    async def unfolded(self, name: str) -> None:
        """Open what stands folded in the chat that is shown, all of it."""
        await self.settled()
        with self.measured(f"{name}, unfolded"):
            for header in self._headers():
                header.click()
            await self.settled()
        await self.changed(name)

    def _headers(self) -> list[QAbstractButton]:
        names = ("tool-card-header", "thinking-header", "bubble-fold")
        found = self.view.viewport().findChildren(QAbstractButton)
        return [each for each in found if each.objectName() in names]

    async def tool(self, name: str) -> None:
        await self.shown(f"{name}, closed", await self.answered("Read it", parts_of(TOOL_RESULTS[name]())))
        await self.unfolded(name)
        await self.dialog(name, TOOL_RESULTS[name]())

    async def dialog(self, name: str, text: str) -> None:
        with self.measured(f"{name}, all of it in a window"):
            self.view.show_text(text, lambda: "Text")
            await self.settled()
            dialog = self.view.findChild(TextDialog)
            assert dialog is not None
            for width in WIDTHS:
                dialog.resize(width, 560)
                await asyncio.sleep(0.05)
            await self.settled()
            dialog.close()
            await self.settled()

    async def streamed(self, name: str) -> None:
        """All of it at once, as when one comes back to an answer that runs; and steadily."""
        text = STREAMED[name]()
        whole = [TextDelta(text=text[at : at + MEGABYTE]) for at in range(0, len(text), MEGABYTE)]
        chunks = [TextDelta(text=text[at : at + CHUNK]) for at in range(0, min(len(text), MOST_STEADY), CHUNK)]
        for words, given in (("at once", whole), ("steadily", chunks)):
            end = asyncio.Event()
            beats = [asyncio.Event() for _ in given]
            step = [each for pair in zip(beats, given, strict=True) for each in pair]
            self.world.model.script([*step, end, _END])
            thread = await self.world.store.threads.create_thread(title="Bench")
            await self.world.presenter.open_thread(thread.id)
            await self.settled()
            with self.measured(f"{name}, streamed {words}"):
                run = await self.world.chat.send(thread.id, "Go")
                for beat in beats:
                    beat.set()
                    await asyncio.sleep(PACE_SECONDS)
                await self.settled()
                end.set()
                await run.wait()
                await self.settled()

    async def pasted(self, name: str, text: str) -> None:
        """Into the message field, sent, and seen as a message, folded and not."""
        composer = self.window.composer
        await self.world.presenter.open_thread(None)
        await self.settled()
        data = QMimeData()
        data.setText(text)
        with self.measured(f"{name}, pasted"):
            composer.edit.insertFromMimeData(data)
            await self.settled()
            await asyncio.sleep(1.5)  # the draft is written
        await self.changed_composer(name)
        chips = [each for each in composer.findChildren(QToolButton) if each.objectName() == "pastedUnfold"]
        if chips:
            with self.measured(f"{name}, put into the field"):
                chips[0].click()
                await self.settled()
        self.world.model.script([TextDelta(text="Yes."), _END])
        with self.measured(f"{name}, sent"):
            composer.edit.send_requested.emit()
            await asyncio.sleep(1.5)
            await self.settled()
        await self.changed(f"{name}, sent")

    async def changed_composer(self, name: str) -> None:
        with self.measured(f"{name}, resized with the draft"):
            for width in WIDTHS:
                self.window.resize(width, 860)
                await asyncio.sleep(0.05)
            await self.settled()

    async def question(self, name: str, text: str) -> None:
        await self.shown(name, await self.answered(text, [TextPart(text="Yes.")]))
        await self.unfolded(name)


def cases(bench: RenderingBench) -> dict[str, Callable[[], Awaitable[None]]]:
    made: dict[str, Callable[[], Awaitable[None]]] = {}
    for name in ANSWERS:
        made[name] = lambda name=name: bench.answer(name)
    for name in TOOL_RESULTS:
        made[name] = lambda name=name: bench.tool(name)
    for name in STREAMED:
        made[name] = lambda name=name: bench.streamed(name)
    made["reasoning"] = lambda: bench.reasoning(CODE_BLOCK)
    made["paste of lines"] = lambda: bench.pasted("1 MB of lines", LINES())
    made["paste unbroken"] = lambda: bench.pasted("1 MB unbroken", UNBROKEN())
    made["question of lines"] = lambda: bench.question("question of lines", LINES())
    made["question unbroken"] = lambda: bench.question("question unbroken", UNBROKEN())
    return made


@contextlib.asynccontextmanager
async def opened(app: QApplication, folder: Path) -> AsyncGenerator[RenderingBench, None]:
    drawer, tasks = FormulaProcess(), TaskSupervisor()
    async with window_world(app, folder) as world:
        bench = RenderingBench(world)
        bench.view.context.formulas.set_drawer(drawer.draw, lambda work: tasks.spawn(work, name="draw"))
        bench.window.resize(956, 860)
        await world.presenter.transcript.warm_up()
        await bench.settled()
        yield bench
        await drawer.close()
        await tasks.close()


async def measure(app: QApplication, folder: Path, wanted: Sequence[str]) -> dict[str, Figures]:
    async with opened(app, folder) as bench:
        for name, run in cases(bench).items():
            if not wanted or any(word in name for word in wanted):
                bench._set_font(10.0)
                bench.window.resize(956, 860)
                await run()
        return bench.figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="*", default=[], help="only those whose names hold one of these words")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    loop = make_loop(app)
    before = os.getloadavg() if hasattr(os, "getloadavg") else ()
    try:
        with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
            figures = loop.run_until_complete(measure(app, Path(name), options.cases))
    finally:
        close_loop(loop)
    over = [name for name, each in figures.items() if each.step >= GOAL_MS]
    print(f"{len(figures)} measured, {len(over)} with a step of {GOAL_MS:g} ms or more; load before {before}")
    line = json.dumps({name: dataclasses.asdict(each) for name, each in figures.items()})
    if options.json:
        options.json.write_text(line + "\n", encoding="utf-8")
    print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
