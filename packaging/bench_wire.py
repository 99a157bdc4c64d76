"""What a streamed answer costs before anything of it is shown: its bytes parsed, its chunks read, its calls assembled."""

import json
import time
from collections.abc import Callable
from typing import Any

from desktop.agent.assembler import ToolCallAssembler
from desktop.core.language_model import StreamEnd, ToolCallDelta
from desktop.providers.chat_chunks import ChatStreamReader
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.sse import SseParser

EVENTS = 20_000
PIECE_BYTES = 1_400
"""About what one packet of a network brings."""
TOOL = "files__write"

_ENVELOPE = {
    "id": "chatcmpl-7UR4UcvmeD79Xva3UxkKkL2es6b5W",
    "object": "chat.completion.chunk",
    "created": 1753879075,
    "model": "bench",
    "system_fingerprint": None,
    "usage": None,
}


def wire() -> dict[str, Any]:
    """The throughput for text, for reasoning and for the arguments of one long call, in events and bytes a second."""
    call = {"index": 0, "id": "c", "function": {"name": TOOL, "arguments": '{"text": "'}}
    return {
        "wire_text": _measured([{"content": " token"}] * EVENTS),
        "wire_thinking": _measured([{"reasoning_content": " token"}] * EVENTS),
        "wire_call": _measured([{"tool_calls": [call]}, *[_arguments(" token")] * EVENTS, _arguments('"}')]),
    }


def _arguments(piece: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}


def _measured(deltas: list[dict[str, Any]]) -> dict[str, float]:
    chunks = [_chunk(delta, None) for delta in deltas] + [_chunk({}, "stop"), "[DONE]"]
    body = "".join(f"data: {chunk}\n\n" for chunk in chunks).encode()
    seconds = _processor_time(lambda: _read(body))
    return {
        "us_per_event": round(seconds / len(chunks) * 1e6, 1),
        "events_per_s": round(len(chunks) / seconds),
        "mb_per_s": round(len(body) / seconds / 1e6, 1),
    }


def _chunk(delta: dict[str, Any], finish: str | None) -> str:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return json.dumps({**_ENVELOPE, "choices": [choice]}, separators=(",", ":"))


def _read(body: bytes) -> StreamEnd:
    parser, assembler = SseParser(), ToolCallAssembler({TOOL})
    reader = ChatStreamReader(ErrorMapper(url="http://127.0.0.1/v1", model="bench"))
    for start in range(0, len(body), PIECE_BYTES):
        for event in parser.feed(body[start : start + PIECE_BYTES]):
            for chunk in reader.feed(event):
                if isinstance(chunk, ToolCallDelta):
                    assembler.add(chunk)
    reader.flush()
    assert all(call.is_whole for call in assembler.calls(()))
    return reader.end()


def _processor_time(work: Callable[[], object]) -> float:
    """The least of three runs: what disturbs only adds."""
    times: list[float] = []
    for _ in range(3):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)
