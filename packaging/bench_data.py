"""What the benchmarks are fed with: answers in Markdown of every kind, a model that streams them, and filled stores."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path

from desktop.conversation.entities import (
    MessageStatus,
    Part,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import (
    FinishReason,
    ModelChunk,
    ModelRequest,
    StreamEnd,
    TextDelta,
    Usage,
)
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store

TOKENS_PER_SECOND = 200
CHARACTERS_PER_TOKEN = 4
DRAWN_SECONDS = 2.0
"""Until what came at once is drawn."""

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
    """Streams Markdown of every kind at ``TOKENS_PER_SECOND`` for some seconds; ``before`` characters come at once."""

    name = "bench"
    is_scripted = True

    def __init__(self, seconds: float, *, before: int = 0) -> None:
        self._seconds = seconds
        self._before = before
        self.sent_at: list[float] = []
        """When each of the steady chunks was given out."""
        self.is_steady = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        text = "".join(ANSWERS) * 100
        if self._before:
            yield TextDelta(text=text[: self._before])
            text = text[self._before :]
            await asyncio.sleep(DRAWN_SECONDS)
        self.is_steady.set()
        begin = time.perf_counter()
        sent = 0
        while (elapsed := time.perf_counter() - begin) < self._seconds:
            due = int(elapsed * TOKENS_PER_SECOND)
            for token in range(sent, due):
                self.sent_at.append(time.perf_counter())
                yield TextDelta(text=text[token * CHARACTERS_PER_TOKEN : (token + 1) * CHARACTERS_PER_TOKEN])
            sent = max(sent, due)
            await asyncio.sleep(1 / TOKENS_PER_SECOND)
        yield StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=10, output_tokens=sent))

    async def close(self) -> None:
        """Nothing is open."""


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
            usage=Usage(input_tokens=100, output_tokens=200),
            duration_seconds=1.5,
        )
    return thread.id


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Store]:
    """Open a store that is filled fast: what is written need not survive a power loss."""
    store = await open_store(DataPaths(folder))
    await store.database._writer.run(lambda connection: connection.execute("PRAGMA synchronous = OFF"))
    try:
        yield store
    finally:
        await store.close()
