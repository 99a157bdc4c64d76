"""Images that tools returned: sent where a strict endpoint takes them, told in words where it does not."""

import itertools
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random

import pytest

from desktop.conversation.context import assemble_context
from desktop.conversation.entities import (
    Message,
    MessageStatus,
    Part,
    ResultStatus,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    Remark,
    RequestToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.tool_content import ItemKind, ItemProblem, ResultItem
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import EndpointTraits, traits_of
from desktop.providers.history import PICTURES_NOTE, UNSEEN_NOTE
from desktop.providers.refusals import Without, remarks_on_known
from tests.support.strict_messages import problem_of

NOW = datetime(2026, 11, 1, tzinfo=UTC)
MODELS = ("gpt-5", "claude-5", "mistral-large", "llama-4", "gemini-2.5-pro", "qwen3-vl")
TOOL = ToolSpec(name="f", description="does", parameters={"type": "object", "properties": {}})
SEEN = Image(name="image 1", media_type="image/png", data=b"pixels")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(2_000 if metafunc.config.getoption("long") else 60))


def random_thread(random: Random) -> tuple[list[Message], Mapping[str, Image]]:
    """Rounds with calls and results with images, some without a result, some images no longer at hand."""
    ids = (f"i{number}" for number in itertools.count())
    images: dict[str, Image] = {}
    messages: list[Message] = []

    def item() -> ResultItem:
        key = next(ids)
        kind = random.choice((ItemKind.IMAGE, ItemKind.IMAGE, ItemKind.LINK, ItemKind.DATA))
        problem = random.choice((None, None, ItemProblem.NO_PICTURE)) if kind is ItemKind.IMAGE else None
        sent = "" if problem else "image/png"
        if kind is ItemKind.IMAGE and sent and random.random() < 0.8:
            images[key] = Image(name=f"image {key}", media_type=sent, data=key.encode())
        return ResultItem(kind=kind, attachment_id=key, sent_type=sent, problem=problem)

    for round_ in range(random.randint(1, 4)):
        messages.append(message(f"u{round_}", Role.USER, TextPart(text="Look")))
        parts: list[Part] = []
        for step in range(random.randint(0, 3)):
            if random.random() < 0.5:
                parts.append(TextPart(text="I look.", step=step))
            for number in range(random.randint(1, 3)):
                call_id = f"c{step}{number}"
                parts.append(ToolCallPart(call_id=call_id, name="f", arguments="{}", step=step))
                if random.random() < 0.9:
                    found = tuple(item() for _ in range(random.randint(0, 3)))
                    status = random.choice((ResultStatus.OK, ResultStatus.ERROR))
                    parts.append(ToolResultPart(call_id=call_id, status=status, text="", items=found, step=step))
        if random.random() < 0.6:
            parts.append(TextPart(text="That is it.", step=9))
        messages.append(message(f"a{round_}", Role.ASSISTANT, *parts))
    return messages, images


def message(message_id: str, role: Role, *parts: Part) -> Message:
    return Message(
        id=message_id,
        thread_id="t",
        parent_id=None,
        role=role,
        status=MessageStatus.COMPLETE,
        parts=parts,
        created_at=NOW,
        updated_at=NOW,
    )


def test_no_strict_endpoint_refuses_a_history_with_pictures(seed: int) -> None:
    random = Random(seed)
    messages, images = random_thread(random)
    history = assemble_context(messages, images=images, result_room=random.choice((10, 10_000)))
    held = sum(len(m.images) for m in history if isinstance(m, ToolMessage))
    assert held == len(images)
    for model in MODELS:
        for without in (frozenset[Without](), frozenset({Without.IMAGES}), frozenset({Without.PARALLEL_CALLS})):
            for tools in ((TOOL,), ()):
                traits = traits_of("http://127.0.0.1/v1", model)
                body = build_request(ModelRequest(messages=history, tools=tools), model, traits, without).body
                assert problem_of(body) is None
                sent = sum(part["type"] == "image_url" for m in body["messages"] for part in parts_of(m["content"]))
                assert sent == (0 if Without.IMAGES in without else held)


def parts_of(content: object) -> Sequence[dict[str, object]]:
    return content if isinstance(content, list) else ()


CALLED = (
    UserMessage(text="Draw"),
    AssistantMessage(text="", tool_calls=(RequestToolCall(call_id="c1", name="f", arguments="{}"),)),
    ToolMessage(call_id="c1", name="f", text="[image 1: image/png]", images=(SEEN,)),
)


def test_a_picture_comes_after_its_result_with_a_word_on_where_it_is_from() -> None:
    body = build_request(ModelRequest(messages=CALLED, tools=(TOOL,)), "m").body
    *_, result, note, pictures = body["messages"]
    assert result == {"role": "tool", "tool_call_id": note_id(body), "content": "[image 1: image/png]"}
    assert note == {"role": "assistant", "content": PICTURES_NOTE}
    words, picture = pictures["content"]
    assert words["text"] == f"[From the result of the tool f, call {note_id(body)}: image 1]"
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")


def note_id(body: dict[str, list[dict[str, list[dict[str, str]]]]]) -> str:
    return body["messages"][1]["tool_calls"][0]["id"]


def test_who_cannot_see_is_told_and_so_is_the_user() -> None:
    request = ModelRequest(messages=CALLED, tools=(TOOL,))
    for traits, without in (
        (EndpointTraits(sees_images=False), frozenset[Without]()),
        (EndpointTraits(), frozenset({Without.IMAGES})),
    ):
        body = build_request(request, "m", traits, without).body
        assert body["messages"][-1]["content"] == f"[image 1: image/png]\n{UNSEEN_NOTE}"
        assert len(body["messages"]) == 3
    (remark,) = remarks_on(request)
    assert (remark.code, remark.params) == ("without_images", {"detail": "image 1"})
    earlier = ModelRequest(
        messages=(*CALLED, AssistantMessage(text="Nice."), UserMessage(text="Thanks")), tools=(TOOL,)
    )
    assert remarks_on(earlier) == []


def remarks_on(request: ModelRequest) -> list[Remark]:
    return remarks_on_known(request, refused=frozenset(), lacking=frozenset({Without.IMAGES}), listed=frozenset())
