"""An answer that streams: how late the event loop runs, what it costs, and how long a chunk takes to the screen."""

import asyncio
import time
from typing import Any

from bench_data import CHARACTERS_PER_TOKEN, TOKENS_PER_SECOND, SteadyModel, summary
from bench_heartbeat import Heartbeat
from bench_window import Bench
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit

from desktop.core.language_model import ModelRequest, TextDelta
from desktop.ui.transcript.coalescer import PAUSE_MS

LARGE_CHARACTERS = 50_000
"""At the end of the measurement: beyond that, an answer is not rendered any more."""


class PaintedChunks:
    """From the moment the model gives out a chunk until the window has painted the row that holds it."""

    def __init__(self, bench: Bench, model: SteadyModel) -> None:
        self.delays_ms: list[float] = []
        self._model = model
        self._shown: list[float] = []
        self._taken = 0
        """How many chunks are in the row as it was last shown."""
        bench.presenter.coalescer.flushed.connect(self._flushed)
        bench.window.painted = self._painted
        self._bench = bench

    def _flushed(self) -> None:
        followed = self._bench.presenter.followed_row
        taken = len(followed.text) // CHARACTERS_PER_TOKEN if followed is not None else 0
        self._shown += self._model.sent_at[self._taken : taken]
        self._taken = max(self._taken, taken)

    def _painted(self) -> None:
        now = time.perf_counter()
        self.delays_ms += [(now - moment) * 1000 for moment in self._shown]
        self._shown = []

    def end(self) -> list[float]:
        self._bench.presenter.coalescer.flushed.disconnect(self._flushed)
        self._bench.window.painted = None
        return self.delays_ms


async def streaming(bench: Bench, thread_id: str, seconds: float) -> dict[str, Any]:
    """2,000 tokens in ten seconds, from an empty answer on; then chunks at the same pace into a large answer.

    What giving out the chunks and watching the loop takes by itself is no part of what the answer took.
    """
    giving_out = await _giving_out(seconds)
    await bench.open_ms(thread_id)
    await bench.settle()
    heartbeat, model = Heartbeat(), SteadyModel(seconds)
    bench.flush_ms.clear()
    delays = PaintedChunks(bench, model)
    cpu = time.process_time()
    heartbeat.start()
    run = await bench.send_with(model, thread_id)
    await run.wait()
    gaps, cpu = heartbeat.stop(), time.process_time() - cpu
    figures = {
        "stream_gap_ms": summary(gaps),
        "stream_flush_ms": summary(bench.flush_ms),
        "stream_flushes": len(bench.flush_ms),
        "stream_characters": len(await bench.text_of(run.message_id)),
        "giving_out_cpu_s": round(giving_out, 2),
        "stream_cpu_s": round(cpu - giving_out, 2),
        "chunk_painted_ms": summary(delays.end()),
    }
    await bench.settle()
    return figures | await _into_a_large_answer(bench, thread_id, seconds, giving_out)


async def _giving_out(seconds: float) -> float:
    """The processor time of chunks that nobody takes."""
    heartbeat = Heartbeat()
    cpu = time.process_time()
    heartbeat.start()
    async for _chunk in SteadyModel(seconds).stream(ModelRequest(messages=())):
        pass
    heartbeat.stop()
    return time.process_time() - cpu


async def _into_a_large_answer(bench: Bench, thread_id: str, seconds: float, giving_out: float) -> dict[str, Any]:
    before = LARGE_CHARACTERS - int(seconds * TOKENS_PER_SECOND * CHARACTERS_PER_TOKEN)
    model, heartbeat = SteadyModel(seconds, before=before), Heartbeat()
    run = await bench.send_with(model, thread_id)
    await model.is_steady.wait()
    cpu = time.process_time()
    heartbeat.start()
    await run.wait()
    gaps, cpu = heartbeat.stop(), time.process_time() - cpu
    await bench.settle()
    return {
        "large_gap_ms": summary(gaps),
        "large_characters": len(await bench.text_of(run.message_id)),
        "large_cpu_s": round(cpu - giving_out, 2),
    }


async def plain_streaming(seconds: float) -> dict[str, Any]:
    """The floor: the same chunks put into a bare text field, as often as the transcript is updated."""
    giving_out = await _giving_out(seconds)
    window = QMainWindow()
    edit = QPlainTextEdit(readOnly=True)
    window.setCentralWidget(edit)
    window.resize(956, 860)
    window.show()
    await asyncio.sleep(0.2)
    heartbeat, waiting, due = Heartbeat(), "", 0.0
    cpu = time.process_time()
    heartbeat.start()
    async for chunk in SteadyModel(seconds).stream(ModelRequest(messages=())):
        waiting += chunk.text if isinstance(chunk, TextDelta) else ""
        if time.perf_counter() >= due:
            edit.insertPlainText(waiting)
            edit.ensureCursorVisible()
            waiting, due = "", time.perf_counter() + PAUSE_MS / 1000
    gaps, cpu = heartbeat.stop(), time.process_time() - cpu
    window.close()
    return {"plain_gap_ms": summary(gaps), "plain_cpu_s": round(cpu - giving_out, 2)}
