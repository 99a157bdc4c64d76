"""Benchmarks: what the goals for speed speak of, measured on a real window, a real database and the real event loop.

Prints a table and, last, one line of JSON. Nothing here is asserted: times depend on the machine.

    python packaging/bench.py [--messages 10000] [--opens 20] [--seconds 10] [--json FILE]
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication, QMainWindow  # noqa: E402

from desktop.agent.chat_service import ChatService  # noqa: E402
from desktop.agent.loop import AgentLoop  # noqa: E402
from desktop.app.event_loop import close_loop, make_loop  # noqa: E402
from desktop.conversation.entities import (  # noqa: E402
    MessageStatus,
    Part,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.service import ConversationService  # noqa: E402
from desktop.core.language_model import (  # noqa: E402
    FinishReason,
    ModelChunk,
    ModelRequest,
    StreamEnd,
    TextDelta,
    Usage,
)
from desktop.core.paths import DataPaths  # noqa: E402
from desktop.core.settings import SettingsStore, Theme  # noqa: E402
from desktop.core.signal import Signal  # noqa: E402
from desktop.core.tasks import TaskSupervisor  # noqa: E402
from desktop.storage.store import Store, open_store  # noqa: E402
from desktop.tools.entities import (  # noqa: E402
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationRequest,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
)
from desktop.tools.service import ToolService  # noqa: E402
from desktop.ui.services import UiServices  # noqa: E402
from desktop.ui.theme.theme_manager import ThemeManager  # noqa: E402
from desktop.ui.transcript.presenter import TranscriptPresenter  # noqa: E402
from desktop.ui.transcript.view import TranscriptView  # noqa: E402

TOKENS_PER_SECOND = 200
CHARACTERS_PER_TOKEN = 4
HEARTBEAT_MS = 5

PROSE = (
    "The tokenizer keeps **one** pass over the input and `Parser.feed()` becomes incremental. Each closed block is "
    "frozen, so the cost of an update depends on the open block only, see [the notes](https://example.org/notes).\n\n"
)
CHINESE = "中文段落也会正确换行：模型上下文协议允许助手调用外部工具，而每一次调用之前，主机都会先询问用户。\n\n"
LIST = "\n".join(f"{n}. Step number {n} of the plan, with some words" for n in range(1, 9)) + "\n\n"
CODE = "```python\n" + "".join(
    f"def step_{n}(value: int) -> int:\n    return value * {n}  # a step\n\n" for n in range(8)
)
CODE += "```\n\n"
TABLE = "| Stage | Before | After |\n|:--|--:|--:|\n" + "".join(
    f"| Part {n} | {n * 7}.4 ms | {n}.5 ms |\n" for n in range(8)
)
ANSWERS = (PROSE, PROSE + CODE, CHINESE + LIST, PROSE + TABLE + "\n\n" + CHINESE, LIST + PROSE)


class SteadyModel:
    """Streams Markdown of every kind at ``TOKENS_PER_SECOND`` for some seconds."""

    name = "bench"
    is_scripted = True

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        text = "".join(ANSWERS) * 100
        begin = time.perf_counter()
        sent = 0
        while (elapsed := time.perf_counter() - begin) < self._seconds:
            due = int(elapsed * TOKENS_PER_SECOND)
            for token in range(sent, due):
                yield TextDelta(text=text[token * CHARACTERS_PER_TOKEN : (token + 1) * CHARACTERS_PER_TOKEN])
            sent = max(sent, due)
            await asyncio.sleep(1 / TOKENS_PER_SECOND)
        yield StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=10, output_tokens=sent))

    async def close(self) -> None:
        """Nothing is open."""


class NoTools:
    """A gateway without servers."""

    def __init__(self) -> None:
        self.status_changed = Signal[ServerStatus]()

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        return ()

    def statuses(self) -> tuple[ServerStatus, ...]:
        return ()

    async def call(self, intent: CallIntent, *, deadline_seconds: float) -> ToolOutcome:
        raise AssertionError("there are no tools")


class RefuseAll:
    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return ApprovalAnswer(choice=Choice.REFUSE)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        return ElicitationAnswer(action=ElicitationAction.CANCEL)


class Heartbeat(QObject):
    """A timer that notes how late the event loop calls it."""

    def __init__(self) -> None:
        super().__init__()
        self.lateness_ms: list[float] = []
        self._due = 0.0
        self._timer = QTimer(self, interval=HEARTBEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.lateness_ms = []
        self._due = time.perf_counter() + HEARTBEAT_MS / 1000
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.lateness_ms.append(max(0.0, (now - self._due) * 1000))
        self._due = now + HEARTBEAT_MS / 1000


class Bench:
    """A window with a transcript on a store, and the measurements."""

    def __init__(self, app: QApplication, store: Store, folder: Path, seconds: float) -> None:
        self.app = app
        self.store = store
        self.tasks = TaskSupervisor()
        conversations = ConversationService(store.threads)
        gateway, model = NoTools(), SteadyModel(seconds)
        tools = ToolService(
            gateway=gateway,
            prompts=RefuseAll(),
            journal=store.journal,
            grants=store.grants,
            workspace=lambda: str(folder),
            decider="headless",
        )
        self.chat = ChatService(
            conversations=conversations,
            repository=store.threads,
            loop=lambda: AgentLoop(
                model=model, repository=store.threads, tools=tools, system_prompt=lambda: "", step_limit=5
            ),
            tasks=self.tasks,
        )
        self.theme = ThemeManager(app, Theme.LIGHT, "en")
        self.window = QMainWindow()
        self.view = TranscriptView(self.theme)
        self.window.setCentralWidget(self.view)
        self.window.resize(956, 860)
        self.presenter = TranscriptPresenter(
            self.view,
            UiServices(
                conversations=conversations,
                chat=self.chat,
                repository=store.threads,
                gateway=gateway,
                settings=SettingsStore(folder / "settings.json"),
                tasks=self.tasks,
                model_label=lambda: model.name,
                model_is_scripted=lambda: True,
                report_error=self._raise,
            ),
        )
        self._painted = (0.0, 0.0)
        self.presenter.opened.connect(self._paint)
        self.flush_ms: list[float] = []
        self.presenter.coalescer.flushed.connect(self.flush_ms.append)

    @staticmethod
    def _raise(error: BaseException) -> None:
        raise error

    async def open_ms(self, thread_id: str) -> tuple[float, float]:
        """From asking for the thread until it is painted: wall time, and processor time of the GUI thread."""
        begin, cpu = time.perf_counter(), time.thread_time()
        self._painted = (0.0, 0.0)
        await self.presenter.open_thread(thread_id)
        return (self._painted[0] - begin) * 1000, (self._painted[1] - cpu) * 1000

    def _paint(self) -> None:
        self.view.viewport().repaint()
        self._painted = (time.perf_counter(), time.thread_time())

    async def opening(self, short: str, long: str, count: int) -> dict[str, Any]:
        """Open the two threads in turn."""
        times: dict[str, list[tuple[float, float]]] = {short: [], long: []}
        first, _ = await self.open_ms(long)
        await self.settle()
        for _ in range(count):
            for thread_id in (short, long):
                times[thread_id].append(await self.open_ms(thread_id))
                await self.settle()
        return {
            "open_10k_first_ms": round(first, 1),
            "open_10k_ms": summary([wall for wall, _ in times[long]]),
            "open_10_ms": summary([wall for wall, _ in times[short]]),
            "open_10k_cpu_ms": summary([cpu for _, cpu in times[long]]),
            "open_10_cpu_ms": summary([cpu for _, cpu in times[short]]),
            "open_ratio_cpu": round(
                statistics.median(cpu for _, cpu in times[long]) / statistics.median(cpu for _, cpu in times[short]), 2
            ),
        }

    async def streaming(self, thread_id: str) -> dict[str, Any]:
        """Stream an answer into the open thread and watch the event loop."""
        await self.open_ms(thread_id)
        await self.settle()
        heartbeat = Heartbeat()
        self.flush_ms.clear()
        cpu = time.process_time()
        run = await self.chat.send(thread_id, "Go")
        heartbeat.start()
        await run.wait()
        heartbeat.stop()
        cpu = time.process_time() - cpu
        await self.settle()
        (answer,) = await self.store.threads.messages([run.message_id])
        return {
            "stream_gap_ms": summary(heartbeat.lateness_ms),
            "stream_flush_ms": summary(self.flush_ms),
            "stream_flushes": len(self.flush_ms),
            "stream_characters": len(answer.text),
            "stream_cpu_s": round(cpu, 2),
        }

    async def scrolling(self, thread_id: str, steps: int = 300) -> dict[str, Any]:
        """Scroll up by the wheel's step, then jump about; each with its repaint."""
        await self.open_ms(thread_id)
        await self.settle()
        bar = self.view.verticalScrollBar()
        step_ms: list[float] = []
        jump_ms: list[float] = []
        for _ in range(steps):
            step_ms.append(self._move_to(bar.value() - 120))
            await asyncio.sleep(0)
        for number in range(60):
            begin = time.thread_time()
            self._move_to(bar.maximum() * ((number * 37) % 100) // 100)
            await self.settle(0.04)  # the messages there are read and drawn
            jump_ms.append((time.thread_time() - begin) * 1000)
        return {"scroll_step_cpu_ms": summary(step_ms), "scroll_jump_cpu_ms": summary(jump_ms)}

    def _move_to(self, value: int) -> float:
        begin = time.thread_time()
        self.view.verticalScrollBar().setValue(value)
        self.view.viewport().repaint()
        return (time.thread_time() - begin) * 1000

    async def settle(self, seconds: float = 0.15) -> None:
        """Let work in the background end, so that the next figure is of one thing only."""
        await asyncio.sleep(seconds)
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]

    async def close(self) -> None:
        self.window.close()
        await self.chat.close()
        await self.tasks.close()


def summary(values: Sequence[float]) -> dict[str, float]:
    """The median, the 95th and 99th part in a hundred, and the greatest."""
    ordered = sorted(values)
    if not ordered:
        return {}
    return {
        "p50": round(ordered[len(ordered) // 2], 2),
        "p95": round(ordered[int(len(ordered) * 0.95)], 2),
        "p99": round(ordered[int(len(ordered) * 0.99)], 2),
        "max": round(ordered[-1], 2),
    }


def answer_parts(number: int) -> list[Part]:
    """An answer: always some Markdown, sometimes with reasoning and a tool call before it."""
    text = TextPart(text=ANSWERS[number % len(ANSWERS)], step=1)
    if number % 4:
        return [text]
    call = ToolCallPart(call_id=f"call{number}", name="files__read", arguments='{"path": "src/parser.py"}')
    result = ToolResultPart(
        call_id=call.call_id, status=ResultStatus.OK, text="class Parser:\n    …", duration_seconds=0.4
    )
    return [ThinkingPart(text="The file has to be read first."), call, result, text]


async def fill(store: Store, messages: int) -> str:
    """Make a thread of so many messages through the store's own transactions."""
    thread = await store.threads.create_thread(title=f"{messages} messages")
    for number in range(messages // 2):
        turn = await store.threads.begin_turn(thread.id, f"Question number {number}: 怎么样？", model="bench")
        await store.threads.finish_turn(
            turn.turn_id,
            parts=answer_parts(number),
            status=MessageStatus.COMPLETE,
            reason="completed",
            input_tokens=100,
            output_tokens=200,
            duration_seconds=1.5,
        )
    return thread.id


def memory_mb() -> dict[str, float]:
    """Resident and proportional memory of this process; nothing where there is no /proc."""
    result: dict[str, float] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in ("Rss", "Pss"):
                result[name.lower()] = round(int(rest.split()[0]) / 1024, 1)
    return result


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Store]:
    store = await open_store(DataPaths(folder))
    try:
        yield store
    finally:
        await store.close()


async def measure(app: QApplication, options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        folder = Path(name)
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
            figures["memory_end_mb"] = memory_mb()
            await bench.close()
            return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--opens", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    loop = make_loop(app)
    try:
        figures = loop.run_until_complete(measure(app, options))
    finally:
        close_loop(loop)
    for key, value in figures.items():
        print(f"{key:20} {value}")
    line = json.dumps(figures)
    if options.json:
        options.json.write_text(line + "\n", encoding="utf-8")
    print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
