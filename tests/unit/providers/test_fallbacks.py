"""What an endpoint refuses and a request can do without is left out: once each, remembered, and said where it matters."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from desktop.core.endpoint_settings import EndpointSettings, ModelOptions
from desktop.core.endpoints import ListedModel
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    Image,
    ModelRequest,
    Remark,
    RequestToolCall,
    Sampling,
    SystemMessage,
    ThinkingEffort,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.model_facts import FactsInMemory, ModelFacts
from desktop.providers.endpoint_check import Endpoints
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE
from desktop.providers.refusals import Without
from tests.support.endpoint import Answer, LoopbackEndpoint, RecordedRequest, Step, call, status, text
from tests.support.model_streams import HI, receive

Body = dict[str, Any]
TOOL = ToolSpec(name="f", description="d", parameters={"type": "object", "properties": {}})
HISTORY = (
    UserMessage(text="a"),
    AssistantMessage(
        text="", thinking="so", model="m", tool_calls=(RequestToolCall(call_id="c", name="f", arguments="{}"),)
    ),
    ToolMessage(call_id="c", name="f", text="r"),
    AssistantMessage(text="b", thinking="then", model="m"),
    UserMessage(text="c"),
)
PICTURE = Image(name="cat.png", media_type="image/png", data=b"\x89PNG")
EVERYTHING = ModelRequest(
    messages=(SystemMessage(text="Be brief."), *HISTORY[:-1], UserMessage(text="c", images=(PICTURE,))),
    tools=(TOOL,),
    sampling=Sampling(temperature=0.5, top_p=0.9, max_output_tokens=100),
    thinking=ThinkingEffort.LOW,
)


@asynccontextmanager
async def picky(
    complaint: Callable[[Body], str | Body | None], *, code: int = 400, **options: Any
) -> AsyncGenerator[tuple[LoopbackEndpoint, OpenAILanguageModel], None]:
    """An endpoint that answers, but for requests of which ``complaint`` says what is wrong."""

    def script(request: RecordedRequest) -> Answer:
        found = complaint(request.body)
        if found is None:
            return [text("ok")] if request.body.get("stream") else [_whole("ok")]
        return [status(code, {"error": {"message": found} if isinstance(found, str) else found})]

    async with LoopbackEndpoint(script, strict=False) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=NO_PATIENCE, **options)
        try:
            yield endpoint, model
        finally:
            await model.close()


def _whole(content: str) -> Step:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 2}
    return status(200, {"object": "chat.completion", "choices": [choice], "usage": usage})


def has(name: str, words: str | Body) -> Callable[[Body], str | Body | None]:
    return lambda body: words if name in body else None


def roles(body: Body) -> list[str]:
    return [message["role"] for message in body["messages"]]


def images_in(body: Body) -> bool:
    return "image_url" in json.dumps(body["messages"])


def null_content(body: Body) -> bool:
    return any(message["content"] is None for message in body["messages"])


CASES: dict[str, tuple[Callable[[Body], str | Body | None], Without, list[str]]] = {
    "tools of Ollama": (
        has("tools", "registry.ollama.ai/library/gemma:2b does not support tools"),
        Without.TOOLS,
        ["without_tools"],
    ),
    "tools of vLLM": (
        has("tools", '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        Without.TOOLS,
        ["without_tools"],
    ),
    "tools of OpenRouter": (
        has("tools", 'No endpoints found that support tool use. Try disabling "f".'),
        Without.TOOLS,
        ["without_tools"],
    ),
    "stream_options": (has("stream_options", "Unknown parameter: stream_options"), Without.STREAM_OPTIONS, []),
    "stream_options by name only": (
        has("stream_options", {"message": "Extra inputs are not permitted", "param": "stream_options"}),
        Without.STREAM_OPTIONS,
        [],
    ),
    "max_tokens": (
        has("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        Without.MAX_TOKENS,
        [],
    ),
    "temperature": (
        has("temperature", {"message": "Unsupported value: only the default is supported", "param": "temperature"}),
        Without.TEMPERATURE,
        ["without_parameter"],
    ),
    "top_p": (
        has("top_p", "`temperature` and `top_p` cannot both be specified for this model."),
        Without.TOP_P,
        ["without_parameter"],
    ),
    "thinking": (
        has("chat_template_kwargs", {"message": "Unrecognized request argument supplied: chat_template_kwargs"}),
        Without.THINKING,
        ["without_parameter"],
    ),
    "system": (
        lambda body: "System role not supported" if "system" in roles(body) else None,
        Without.SYSTEM_ROLE,
        [],
    ),
    "system of o1-mini": (
        lambda body: (
            {
                "message": "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                "param": "messages[0].role",
            }
            if "system" in roles(body)
            else None
        ),
        Without.SYSTEM_ROLE,
        [],
    ),
    "images of DeepSeek": (
        lambda body: "unknown variant `image_url`, expected `text`" if images_in(body) else None,
        Without.IMAGES,
        ["without_images"],
    ),
    "null": (
        lambda body: "messages.2: content field is empty" if null_content(body) else None,
        Without.NULL_CONTENT,
        [],
    ),
    "reasoning not sent back": (
        lambda body: (
            "The reasoning_content in the thinking mode must be passed back to the API"
            if not any("reasoning_content" in message for message in body["messages"])
            else None
        ),
        Without.HIDDEN_REASONING,
        [],
    ),
    "stream": (
        lambda body: "streaming is not supported for this model" if body["stream"] else None,
        Without.STREAMING,
        ["not_streamed"],
    ),
    "stream of unverified accounts": (
        lambda body: (
            {"message": "Your organization must be verified to stream this model.", "param": "stream"}
            if body["stream"]
            else None
        ),
        Without.STREAMING,
        ["not_streamed"],
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_one_refusal_is_met_once_and_remembered(name: str) -> None:
    complaint, refused, said = CASES[name]
    facts = FactsInMemory()
    async with picky(complaint, facts=facts) as (endpoint, model):
        received = await receive(model, EVERYTHING)
        assert (received.text, received.code) == ("ok", "")
        assert received.end is not None
        assert received.end.reason is FinishReason.STOP
        assert [remark.code for remark in received.remarks] == said
        assert facts.get(endpoint.base_url, "m").without == {refused.value}
        asked = len(endpoint.chats)
        assert asked == 2

        again = await receive(model, EVERYTHING)
        assert (again.text, len(endpoint.chats)) == ("ok", asked + 1)
        lasting = {"without_tools", "without_images"} & set(said)  # what the user expects of each answer
        assert {remark.code for remark in again.remarks} == lasting


async def test_another_model_at_the_same_endpoint_is_asked_for_everything() -> None:
    facts = FactsInMemory()
    async with picky(CASES["tools of Ollama"][0], facts=facts) as (endpoint, model):
        await receive(model, EVERYTHING)
        other = OpenAILanguageModel(base_url=endpoint.base_url, model="n", patience=NO_PATIENCE, facts=facts)
        await receive(other, EVERYTHING)
        await other.close()
        assert len(endpoint.chats) == 4


async def test_several_refusals_one_after_the_other() -> None:
    def complaint(body: Body) -> str | None:
        for name in ("stream_options", "tools", "temperature", "top_p", "chat_template_kwargs"):
            if name in body:
                return f"Unsupported parameter: '{name}'"
        return "System role not supported" if "system" in roles(body) else None

    facts = FactsInMemory()
    async with picky(complaint, facts=facts) as (endpoint, model):
        received = await receive(model, EVERYTHING)
        assert received.text == "ok"
        assert len(endpoint.chats) == 7
        assert len(facts.get(endpoint.base_url, "m").without) == 6


async def test_the_limit_of_output_under_neither_name() -> None:
    def complaint(body: Body) -> str | None:
        if "max_tokens" in body:
            return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return "max_completion_tokens: Extra inputs are not permitted" if "max_completion_tokens" in body else None

    async with picky(complaint, code=422) as (endpoint, model):
        assert (await receive(model, EVERYTHING)).text == "ok"
        assert len(endpoint.chats) == 3


async def test_a_500_can_be_a_refusal() -> None:
    words = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
    async with picky(lambda body: words if images_in(body) else None, code=500) as (endpoint, model):
        assert (await receive(model, EVERYTHING)).text == "ok"
        assert len(endpoint.chats) == 2


async def test_a_refusal_inside_a_stream_counts_as_long_as_nothing_was_shown() -> None:
    def script(request: RecordedRequest) -> Answer:
        if "tools" in request.body:
            return [{"raw": 'event: error\ndata: {"error":"This model does not support tools"}\n\n'}, {"close": True}]
        return [text("ok")]

    async with LoopbackEndpoint(script) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=NO_PATIENCE)
        received = await receive(model, ModelRequest(messages=HI.messages, tools=(TOOL,)))
        await model.close()
    assert received.text == "ok"
    assert [remark.code for remark in received.remarks] == ["without_tools"]


async def test_a_refusal_that_does_not_end_is_an_error_and_no_loop() -> None:
    words = (
        "stream_options, temperature, tools are not supported, System role not supported, content is empty: all wrong"
    )
    facts = FactsInMemory()
    async with picky(lambda _: words, facts=facts) as (endpoint, model):
        received = await receive(model, EVERYTHING)
        assert received.code == "model.rejected"
        assert len(endpoint.chats) <= len(Without) + 1
        assert facts.get(endpoint.base_url, "m") == ModelFacts()  # what did not help is not remembered


async def test_what_the_request_does_not_hold_is_not_left_out() -> None:
    async with picky(lambda _: "tools, temperature and images are not supported") as (endpoint, model):
        assert (await receive(model)).code == "model.rejected"
        assert len(endpoint.chats) == 1


async def test_fewer_tools_where_the_endpoint_takes_no_more() -> None:
    def complaint(body: Body) -> Body | None:
        count = len(body.get("tools", []))
        message = f"Invalid 'tools': array too long. Expected an array with maximum length 5, but got one with length {count}."
        return {"message": message, "param": "tools"} if count > 5 else None

    facts = FactsInMemory()
    tools = tuple(ToolSpec(name=f"t{n}", description="", parameters={"type": "object"}) for n in range(20))
    async with picky(complaint, facts=facts) as (endpoint, model):
        received = await receive(model, ModelRequest(messages=HI.messages, tools=tools))
        assert received.text == "ok"
        assert [remark.code for remark in received.remarks] == ["tools_chosen"]
        assert facts.get(endpoint.base_url, "m").max_tools == 5
        assert len(endpoint.chats[-1].body["tools"]) == 5


async def test_what_the_user_says_of_the_model_goes_before_what_was_learned() -> None:
    facts = FactsInMemory()
    takes = ModelOptions(takes_tools=True)
    async with picky(lambda _: None, facts=facts, options=takes) as (endpoint, model):
        facts.update(endpoint.base_url, "m", without=frozenset({"tools", "unknown to this version"}))
        received = await receive(model, EVERYTHING)
        assert received.remarks == []
        assert "tools" in endpoint.chats[0].body
    async with picky(lambda _: None, options=ModelOptions(takes_tools=False)) as (endpoint, model):
        received = await receive(model, EVERYTHING)
        assert received.remarks == []  # it is what the user wants
        assert "tools" not in endpoint.chats[0].body
    async with picky(lambda _: None, options=ModelOptions(sees_images=False)) as (endpoint, model):
        received = await receive(model, EVERYTHING)
        assert received.remarks == [Remark(code="without_images", params={"detail": "cat.png"})]
        assert not images_in(endpoint.chats[0].body)


async def test_what_a_list_says_that_the_model_cannot_do_is_not_tried_and_said() -> None:
    facts = FactsInMemory()
    async with picky(lambda _: None, facts=facts) as (endpoint, model):
        facts.note_listed(endpoint.base_url, [ListedModel(name="m", sees_images=False, takes_tools=False)])
        received = await receive(model, EVERYTHING)
        assert received.remarks == [
            Remark(code="without_tools", params={"detail": "its list of models says so"}),
            Remark(code="without_images", params={"detail": "cat.png"}),
        ]
        assert "tools" not in endpoint.chats[0].body
        assert not images_in(endpoint.chats[0].body)
    can = ModelOptions(takes_tools=True, sees_images=True)
    async with picky(lambda _: None, facts=facts, options=can) as (endpoint, model):
        facts.note_listed(endpoint.base_url, [ListedModel(name="m", sees_images=False, takes_tools=False)])
        assert (await receive(model, EVERYTHING)).remarks == []
        assert "tools" in endpoint.chats[0].body
        assert images_in(endpoint.chats[0].body)


async def test_what_a_test_finds_out_about_tools_goes_before_a_list() -> None:
    facts = FactsInMemory()
    async with picky(CASES["tools of Ollama"][0], facts=facts) as (endpoint, _):
        await Endpoints(facts=facts).check(EndpointSettings(base_url=endpoint.base_url, model="m"), "")
        assert facts.get(endpoint.base_url, "m").takes_tools is False

    def script(request: RecordedRequest) -> Answer:
        return [call("get_time")] if request.body.get("tools") else [text("hello")]

    async with LoopbackEndpoint(script, strict=False) as endpoint:
        facts.note_listed(endpoint.base_url, [ListedModel(name="m", takes_tools=False)])
        await Endpoints(facts=facts).check(EndpointSettings(base_url=endpoint.base_url, model="m"), "")
        assert facts.get(endpoint.base_url, "m").takes_tools is True


async def test_an_answer_in_one_piece_may_take_its_time_and_its_room() -> None:
    long = "x" * 3_000_000

    def script(request: RecordedRequest) -> Answer:
        if request.body["stream"]:
            return [status(400, {"error": {"message": "stream must be false"}})]
        return [{"wait": 0.2}, _whole(long)]

    async with LoopbackEndpoint(script) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=NO_PATIENCE, first_seconds=0.1)
        received = await receive(model)
        await model.close()
    assert received.text == long


async def test_the_remark_says_why() -> None:
    async with picky(CASES["tools of Ollama"][0]) as (_, model):
        first = await receive(model, EVERYTHING)
        second = await receive(model, EVERYTHING)
    words = "registry.ollama.ai/library/gemma:2b does not support tools"
    assert first.remarks == [Remark(code="without_tools", params={"detail": words})]
    assert second.remarks == [Remark(code="without_tools", params={"detail": "it refused them before"})]


async def test_a_test_of_the_endpoint_lets_it_be_asked_for_everything_again() -> None:
    facts = FactsInMemory()
    async with picky(CASES["tools of Ollama"][0], facts=facts) as (endpoint, model):
        await receive(model, EVERYTHING)
        settings = EndpointSettings(base_url=endpoint.base_url, model="m")
        assert facts.get(endpoint.base_url, "m").without
        await Endpoints(facts=facts).check(settings, "")
        assert facts.get(endpoint.base_url, "m").without == frozenset()


async def test_a_context_that_is_too_small_is_remembered() -> None:
    facts = FactsInMemory()
    words = "request (5020 tokens) exceeds the available context size (4096 tokens), try increasing it"
    async with picky(lambda _: words, facts=facts) as (endpoint, model):
        received = await receive(model)
        assert received.code == "model.context_full"
        assert received.error is not None
        assert (received.error.params["limit"], received.error.params["needed"]) == (4096, 5020)
        assert facts.get(endpoint.base_url, "m").context_tokens == 4096
        assert len(endpoint.chats) == 1


async def test_what_an_account_may_use_in_a_minute_is_no_fact_about_the_model() -> None:
    facts = FactsInMemory()
    words = "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce it"
    async with picky(lambda _: words, code=413, facts=facts) as (endpoint, model):
        received = await receive(model)
        assert received.code == "model.context_full"
        assert facts.get(endpoint.base_url, "m").context_tokens is None
