"""Replays recorded answers of real providers through the SDK and a loopback server, in whole, in bytes and cut off."""

import json
import random
from pathlib import Path

import pytest

from desktop.core.language_model import FinishReason
from desktop.providers.openai_language_model import OpenAILanguageModel
from tests.support.endpoint import LoopbackEndpoint, close, raw
from tests.support.model_streams import Received, receive

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "streams"
STREAMS = sorted(FOLDER.glob("*.sse"))

pytestmark = pytest.mark.skipif(not STREAMS, reason="the recorded streams are not here")

CODES = {"model.ended_early", "model.empty", "model.not_a_stream", "model.server_error"}


def body_of(path: Path) -> bytes:
    return path.read_bytes()


async def replay(bodies: list[list[bytes]]) -> list[Received]:
    answers = [[*(raw(piece) for piece in pieces), close()] for pieces in bodies]
    async with LoopbackEndpoint(answers) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", max_retries=0)
        received = [await receive(model) for _ in answers]
        await model.close()
    return received


def facts(received: Received) -> tuple[object, ...]:
    calls = [(call.name, call.arguments, call.extra) for call in received.calls]
    return received.text, received.thinking, calls, received.end, received.code


async def test_each_stream_ends_as_it_should() -> None:
    for path, received in zip(STREAMS, await replay([[path.read_bytes()] for path in STREAMS]), strict=True):
        if "midstream_error" in path.name:
            assert received.code == "model.server_error", path.name
            continue
        assert received.end is not None, f"{path.name}: {received.error}"
        body = path.read_text("utf-8")
        if '"tool_calls":[{' in body.replace(" ", ""):
            assert received.end.reason is FinishReason.TOOL_CALLS, path.name
            assert received.calls, path.name
            assert all(isinstance(json.loads(call.arguments), dict) for call in received.calls), path.name
        elif '"refusal":"I' in body:
            assert received.end.reason is FinishReason.REFUSAL, path.name
            assert received.text, path.name
        else:
            assert received.end.reason is FinishReason.STOP, path.name
            assert received.text.strip(), path.name
        if '"reasoning' in body.partition("usage")[0] or '"type":"thinking"' in body:
            assert received.thinking, path.name
        if '"prompt_tokens"' in body:
            assert received.end.usage.output_tokens is not None, path.name


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
async def test_pieces_do_not_matter(path: Path, long_run: bool) -> None:
    body = body_of(path)
    size = 1 if long_run or len(body) < 4_000 else 61
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    whole, in_pieces = await replay([[body], pieces])
    assert facts(in_pieces) == facts(whole)


async def test_streams_cut_off_anywhere_are_no_crash_and_no_success(long_run: bool) -> None:
    chosen = random.Random(7)
    for path in STREAMS:
        body = body_of(path)
        cuts = [chosen.randrange(len(body)) for _ in range(20 if long_run else 5)]
        (whole, *parts) = await replay([[body], *([body[:cut]] for cut in cuts)])
        for cut, received in zip(cuts, parts, strict=True):
            where = f"{path.name} cut at {cut}"
            if received.end is None:
                assert received.code in CODES, where
            else:  # only where the finish reason had already come
                assert received.end.reason is whole.end.reason if whole.end else False, where
                assert [c.arguments for c in received.calls] == [c.arguments for c in whole.calls], where
            assert whole.text.startswith(received.text.rstrip("\ufffd")), where
