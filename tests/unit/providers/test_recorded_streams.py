"""Replays recorded answers of real providers: whole, byte by byte, in random pieces and cut off, without and with the SDK.

What is right is read from the recording by other means: each event as JSON, and its fields joined.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop.core.language_model import FinishReason
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE
from tests.support.endpoint import LoopbackEndpoint, close, raw
from tests.support.model_streams import Received, receive
from tests.support.stream_replay import Replayed, in_pieces, in_random_pieces, replay

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "streams"
STREAMS = sorted(FOLDER.glob("*.sse"))
CUTS = 20
CODES = {"model.ended_early", "model.empty", "model.not_a_stream", "model.server_error", "model.call_unreadable"}

pytestmark = pytest.mark.skipif(not STREAMS, reason="the recorded streams are not here")
each_stream = pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)


@pytest.fixture
def body(path: Path) -> bytes:
    return path.read_bytes()


@dataclass
class Truth:
    """What a recording holds, by the plainest reading of it."""

    text: str = ""
    thinking: str = ""
    calls: list[list[str]] = field(default_factory=list[list[str]])
    urls: set[str] = field(default_factory=set[str])
    finish: str = ""
    is_refused: bool = False
    is_error: bool = False
    usage: dict[str, Any] = field(default_factory=dict[str, Any])
    details: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def reason(self) -> FinishReason | None:
        if self.is_error:
            return None
        if self.calls:
            return FinishReason.TOOL_CALLS
        return FinishReason.REFUSAL if self.is_refused else FinishReason.STOP


def events_of(body: bytes) -> Iterator[dict[str, Any]]:
    for line in body.decode("utf-8").splitlines():
        if line.startswith("data: {"):
            yield json.loads(line.removeprefix("data: "))


def truth_of(path: Path) -> Truth:
    truth = Truth()
    calls: dict[int, list[str]] = {}
    for event in events_of(path.read_bytes()):
        truth.is_error = truth.is_error or "error" in event
        truth.usage = event.get("usage") or event.get("x_groq", {}).get("usage") or truth.usage
        for choice in event.get("choices", []):
            if choice["index"] == 0:
                truth.finish = choice.get("finish_reason") or truth.finish
                read_delta(choice["delta"], truth, calls)
        truth.urls.update(event.get("citations", []))
    truth.text = truth.text.lstrip()
    truth.calls = [calls[index] for index in sorted(calls)]
    return truth


def read_delta(delta: dict[str, Any], truth: Truth, calls: dict[int, list[str]]) -> None:
    details = delta.get("reasoning_details") or []
    truth.details += details
    truth.thinking += delta.get("reasoning_content") or delta.get("reasoning") or ""
    truth.thinking += "".join(detail["text"] for detail in details)
    content = delta.get("content") or ""
    parts: list[dict[str, Any]] = content if isinstance(content, list) else [{"text": content}]
    for part in parts:
        truth.text += part.get("text", "")
        truth.thinking += "".join(inner["text"] for inner in part.get("thinking", []))
    truth.text += delta.get("refusal") or ""
    truth.is_refused = truth.is_refused or bool(delta.get("refusal"))
    for call in delta.get("tool_calls") or []:
        known = calls.setdefault(call["index"], ["", ""])
        known[0] = known[0] or call["function"].get("name", "")
        known[1] += call["function"].get("arguments") or ""
    beside = json.dumps([delta.get("annotations"), delta.get("executed_tools")])
    truth.urls.update(re.findall(r'"url": "(https?://[^"]+)"', beside))


def check_whole(path: Path, received: Replayed | Received) -> None:
    """Fail when what was read is not what the recording holds."""
    truth = truth_of(path)
    assert received.text == truth.text
    assert received.thinking == truth.thinking
    assert {source.url for source in received.sources} == truth.urls
    calls = [(call.name, json.loads(call.arguments)) for call in received.calls]
    assert calls == [(name, json.loads(arguments or "{}")) for name, arguments in truth.calls]
    assert all(call.is_whole for call in received.calls)
    assert (received.end.reason if received.end else None) is truth.reason
    if received.end is None:
        assert received.code == "model.call_unreadable"  # the one recording that ends with an error
        return
    usage = received.end.usage
    assert usage.input_tokens == truth.usage.get("prompt_tokens")
    thought = (truth.usage.get("completion_tokens_details") or {}).get("reasoning_tokens")
    assert usage.thinking_tokens == thought
    made = truth.usage.get("completion_tokens")
    assert usage.output_tokens in (made, (made or 0) + (thought or 0))
    given = truth.usage.get("total_tokens")
    assert given is None or usage.output_tokens == given - truth.usage["prompt_tokens"]
    assert usage.cached_input_tokens == (truth.usage.get("prompt_tokens_details") or {}).get("cached_tokens")
    details = received.end.replay.get("reasoning_details", [])
    assert "".join(detail["text"] for detail in details) == "".join(detail["text"] for detail in truth.details)


@each_stream
def test_whole(path: Path) -> None:
    check_whole(path, replay([path.read_bytes()]))


@each_stream
def test_in_pieces(path: Path, long_run: bool) -> None:
    body = path.read_bytes()
    check_whole(path, replay(in_pieces(body, 1)))
    for seed in range(20 if long_run else 2):
        check_whole(path, replay(in_random_pieces(body, seed)))


@each_stream
def test_cut_off(path: Path) -> None:
    body, chosen = path.read_bytes(), random.Random(path.stem)
    whole = replay([body])
    places = {chosen.randrange(len(body)) for _ in range(CUTS // 2)}
    # The end is where things happen: the finish reason, the usage, the mark.
    places |= {len(body) - chosen.randrange(1, min(1_500, len(body))) for _ in range(CUTS // 2)}
    for place in places:
        check_part(replay([body[:place]]), whole, f"cut at {place}")


def check_part(part: Replayed | Received, whole: Replayed, where: str) -> None:
    """Fail when the beginning of a stream gives anything that the whole does not, or success where no end came."""
    assert whole.text.startswith(part.text.rstrip("\ufffd")), where
    assert whole.thinking.startswith(part.thinking.rstrip("\ufffd")), where
    assert {source.url for source in part.sources} <= {source.url for source in whole.sources}, where
    if part.end is None:
        assert part.code in CODES, where
        return
    assert whole.end is not None, where
    assert part.end.reason is whole.end.reason, where  # the finish reason had come already
    calls = [(call.name, call.arguments) for call in part.calls]
    assert calls == [(call.name, call.arguments) for call in whole.calls], where


async def through_the_sdk(bodies: list[list[bytes]]) -> list[Received]:
    answers = [[*(raw(piece) for piece in pieces), close()] for pieces in bodies]
    async with LoopbackEndpoint(answers) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=NO_PATIENCE)
        received = [await receive(model) for _ in answers]
        await model.close()
    return received


@each_stream
async def test_through_the_sdk(path: Path, body: bytes, long_run: bool) -> None:
    bodies = [[body]]
    if long_run or len(body) < 4_000:
        bodies.append(in_pieces(body, 1))
    for received in await through_the_sdk(bodies):
        check_whole(path, received)


@each_stream
async def test_cut_off_through_the_sdk(path: Path, body: bytes, long_run: bool) -> None:
    chosen = random.Random(path.stem)
    cuts = [chosen.randrange(len(body)) for _ in range(CUTS if long_run else 1)]
    for cut, received in zip(cuts, await through_the_sdk([[body[:cut]] for cut in cuts]), strict=True):
        check_part(received, replay([body]), f"cut at {cut}")
