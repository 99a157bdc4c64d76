"""Remarks on an answer: who stands in, that a server reads less than it was sent; and what is learned from its count."""

import dataclasses
from collections.abc import Sequence

import pytest

from desktop.agent.remarking_model import Context, RemarkingModel
from desktop.agent.smaller_window import KnownTooLongError
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    Image,
    LanguageModel,
    ModelChunk,
    ModelRequest,
    Remark,
    RequestMessage,
    StreamEnd,
    SystemMessage,
    TextDelta,
    ToolSpec,
    Usage,
    UserMessage,
)
from desktop.core.model_facts import ModelFacts
from desktop.core.remark_texts import REMARK_TEXTS, english_remark
from desktop.core.token_count import count_request, learned_ratio
from tests.support.scripted_model import ScriptedModel, Step, said

LONG = ModelRequest(messages=(UserMessage(text="word " * 3_000),))
SHORT = ModelRequest(messages=(UserMessage(text="hi"),))
GONE = Remark(code="endpoint_gone", params={"model": "m", "name": "n"})


def telling(*lengths: int | None) -> tuple[Context, list[int | None]]:
    """A server that says these lengths one after the other, and what it has said."""
    told: list[int | None] = []

    async def context() -> int | None:
        told.append(lengths[len(told)])
        return told[-1]

    return context, told


async def chunks_of(model: LanguageModel, request: ModelRequest) -> list[ModelChunk]:
    return [chunk async for chunk in model.stream(request)]


def codes(chunks: Sequence[ModelChunk]) -> list[str]:
    return [chunk.code if isinstance(chunk, Remark) else type(chunk).__name__ for chunk in chunks]


async def test_what_is_to_be_said_comes_first_and_once() -> None:
    model = RemarkingModel(ScriptedModel(said("a"), said("b")), remarks=[GONE])
    assert model.name == "scripted"
    first = await chunks_of(model, SHORT)
    assert first[0] == GONE
    assert isinstance(first[-1], StreamEnd)
    assert "endpoint_gone" not in codes(await chunks_of(model, SHORT))


async def test_a_server_that_reads_less_is_remarked_on_before_the_answer() -> None:
    context, told = telling(2048)
    model = RemarkingModel(ScriptedModel(said("a"), said("b")), context=context)
    first, *_ = await chunks_of(model, LONG)
    assert isinstance(first, Remark)
    assert first.code == "context_small"
    assert first.params["limit"] == 2048
    assert 2_500 < int(first.params["needed"]) < 3_500
    assert "2048" in english_remark(first.code, first.params)
    assert "context_small" not in codes(await chunks_of(model, LONG)), "it is said once in an answer"
    assert told == [2048]


async def test_a_length_that_is_told_only_when_the_model_is_loaded_is_remarked_on_at_the_end() -> None:
    context, _ = telling(None, 2048)
    chunks = await chunks_of(RemarkingModel(ScriptedModel(said("a")), context=context), LONG)
    assert codes(chunks)[-2:] == ["context_small", "StreamEnd"]
    assert any(isinstance(chunk, TextDelta) for chunk in chunks)


async def test_what_fits_is_not_remarked_on_and_short_requests_ask_nobody() -> None:
    context, told = telling(4096, 4096)
    model = RemarkingModel(ScriptedModel(said("a"), said("b")), context=context)
    assert "context_small" not in codes(await chunks_of(model, LONG))
    assert "context_small" not in codes(await chunks_of(model, SHORT))
    assert told == [4096]


async def test_the_count_is_corrected_by_what_the_endpoint_reported_before() -> None:
    context, _ = telling(4096)
    model = RemarkingModel(ScriptedModel(said("a")), context=context, token_ratio=2.0)
    assert codes(await chunks_of(model, LONG))[0] == "context_small"


def reported(tokens: int | None, *before: ModelChunk) -> Step:
    return [*before, TextDelta(text="a"), StreamEnd(reason=FinishReason.STOP, usage=Usage(input_tokens=tokens))]


async def heard(request: ModelRequest, step: Step) -> list[tuple[int, int]]:
    """What is learned from one request."""
    pairs: list[tuple[int, int]] = []
    await chunks_of(RemarkingModel(ScriptedModel(step), learn=lambda *pair: pairs.append(pair)), request)
    return pairs


async def test_what_the_endpoint_counted_is_compared_with_our_count() -> None:
    assert await heard(LONG, reported(4_000)) == [(count_request(LONG), 4_000)]
    assert 1.0 < learned_ratio(ModelFacts(), counted=count_request(LONG), reported=4_000) < 1.2


async def test_nothing_is_learned_from_what_cannot_be_compared() -> None:
    assert await heard(LONG, reported(None)) == []
    assert await heard(SHORT, reported(50)) == [], "templates weigh more than the text"
    assert await heard(LONG, reported(1_000, Remark(code="shortened"))) == [], "another request was sent"
    picture = Image(name="p", media_type="image/png", data=b"")
    seen = ModelRequest(messages=(UserMessage(text="word " * 3_000, images=(picture,)),))
    assert await heard(seen, reported(9_000)) == []


def rounds(count: int, *, words: int = 300) -> ModelRequest:
    """So many questions with their answers, and one more question."""
    messages: list[RequestMessage] = [SystemMessage(text="Be brief.")]
    for number in range(count):
        messages += [UserMessage(text=f"{number} " + "word " * words), AssistantMessage(text="word " * words)]
    return ModelRequest(messages=(*messages, UserMessage(text="last")))


async def refused(model: LanguageModel, request: ModelRequest) -> KnownTooLongError | None:
    try:
        await chunks_of(model, request)
    except KnownTooLongError as error:
        return error
    return None


@pytest.mark.parametrize("running", [None, 2048])
async def test_what_is_known_to_be_too_long_is_not_sent_once_in_an_answer(running: int | None) -> None:
    inner = ScriptedModel(said("a"), said("b"))
    context, _ = telling(*[running] * 8)
    model = RemarkingModel(inner, context=context, known_context=2048, remarks=[GONE])
    error = await refused(model, rounds(5))
    assert error is not None
    assert (error.code, error.params["limit"]) == ("model.context_full", 2048)
    assert error.params["needed"] == count_request(rounds(5))
    assert inner.requests == []
    assert await refused(model, rounds(5)) is None, "its endpoint has the last word"
    assert len(inner.requests) == 1


async def test_what_a_server_reads_now_goes_before_what_it_read_once() -> None:
    context, _ = telling(*[8192] * 4)
    assert (
        await refused(RemarkingModel(ScriptedModel(said("a")), context=context, known_context=2048), rounds(5)) is None
    )


async def test_what_cannot_be_made_shorter_is_sent_and_the_endpoint_decides() -> None:
    inner = ScriptedModel(said("a"))
    context, _ = telling(None, None)
    model = RemarkingModel(inner, context=context, known_context=2048)
    assert "context_small" not in codes(await chunks_of(model, LONG)), (
        "of such an endpoint nothing is dropped in silence"
    )
    assert len(inner.requests) == 1


async def test_what_fits_with_room_for_the_answer_is_sent_as_it_is() -> None:
    needed = count_request(rounds(3))
    for limit, is_sent in ((needed * 2, True), (needed + 10, False)):
        context, _ = telling(*[None] * 4)
        model = RemarkingModel(ScriptedModel(said("a")), context=context, known_context=limit)
        assert (await refused(model, rounds(3)) is None) is is_sent


async def test_only_the_tools_that_will_be_offered_count() -> None:
    tool = ToolSpec(name="t", description="word " * 5_000, parameters={"type": "object"})
    request = dataclasses.replace(rounds(2), tools=(tool,))
    for offered, is_sent in (((), True), ((tool,), False)):
        context, _ = telling(*[None] * 4)
        model = RemarkingModel(
            ScriptedModel(said("a")), context=context, known_context=4096, offered=lambda _request, o=offered: o
        )
        assert (await refused(model, request) is None) is is_sent


async def test_leaving_early_ends_the_request() -> None:
    inner = ScriptedModel([TextDelta(text="a"), StreamEnd(reason=FinishReason.STOP)])
    stream = RemarkingModel(inner).stream(SHORT)
    await anext(stream)
    assert inner.open_streams == 1
    await stream.aclose()
    assert inner.open_streams == 0


def test_every_remark_has_words() -> None:
    assert {"endpoint_gone", "context_small"} <= REMARK_TEXTS.keys()
