"""What an assistant did that an answer asked: in exported texts, as JSON, and what is believed of such a file."""

from typing import Any

import pytest

from desktop.conversation.assistants import as_json
from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.conversation.entities import Part, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.conversation.inner_run import InnerRunPart, with_inner
from desktop.conversation.interchange.part_json import part_from_json, part_to_json
from desktop.conversation.interchange.pieces import Call, pieces_of
from desktop.core.language_model import Usage


def call(call_id: str, name: str = "files__read") -> ToolCallPart:
    return ToolCallPart(call_id=call_id, name=name, arguments="{}")


def result(call_id: str, text: str) -> ToolResultPart:
    return ToolResultPart(call_id=call_id, status=ResultStatus.OK, text=text)


DEEPER = InnerRunPart(call_id="b", assistant="B", parts=(TextPart(text="It is 7."), call("c"), result("c", "seven")))
RUN = InnerRunPart(
    call_id="a",
    assistant="A",
    model="m",
    usage=Usage(input_tokens=1, output_tokens=2),
    parts=(
        TextPart(text="I ask B."),
        call("b", "assistants__ask_assistant"),
        DEEPER,
        result("b", "7"),
        TextPart(text="7!"),
    ),
)
PARTS: tuple[Part, ...] = (call("a", "assistants__ask_assistant"), RUN, result("a", "7!"), TextPart(text="Seven."))


def test_people_read_the_steps_below_the_call_once() -> None:
    read = [piece.name if isinstance(piece, Call) else getattr(piece, "text", "") for piece in pieces_of(PARTS)]
    assert read == [
        "assistants · ask_assistant",
        "> A:\n>\n> I ask B.",
        "A › assistants · ask_assistant",
        "> A › B:\n>\n> It is 7.",
        "A › B › files · read",
        "Seven.",
    ]


def test_all_parts_are_found_however_deep() -> None:
    texts = [part.text for part in with_inner(PARTS) if isinstance(part, TextPart)]
    assert texts == ["I ask B.", "It is 7.", "7!", "Seven."]


def test_it_goes_to_json_and_back() -> None:
    assert [part_from_json(part_to_json(part)) for part in PARTS] == list(PARTS)


def test_a_file_with_runs_deep_in_each_other_is_refused() -> None:
    value: dict[str, Any] = {"type": "text", "text": "x"}
    for _ in range(8):
        value = {"type": "inner_run", "call_id": "c", "assistant": "A", "parts": [value]}
    assert part_from_json(value)
    with pytest.raises(ValueError, match="too deep"):
        part_from_json({"type": "inner_run", "call_id": "c", "assistant": "A", "parts": [value]})
    for wrong in ({"call_id": 1}, {"assistant": None}, {"parts": {}}, {"parts": [1]}, {"usage": {"input_tokens": "x"}}):
        with pytest.raises(ValueError):  # noqa: PT011  (which words it has is no promise)
            part_from_json({"type": "inner_run", "call_id": "c", "assistant": "A", **wrong})


def test_an_assistant_goes_to_json_and_back() -> None:
    full = Assistant(
        id="i",
        name="n",
        description="d",
        instructions="x\ny",
        endpoint_id="",
        model="m",
        tools=("a", "b/c"),
        memory=AssistantMemory.OWN_CHATS,
        helpers=("h",),
        most_steps=1,
        most_tokens=1_000,
        most_seconds=5,
    )
    for one in (full, Assistant(id="i", name="n"), Assistant(id="i", name="n", tools=())):
        assert as_json.from_json(as_json.to_json(one)) == one
    unknown = as_json.from_json({"id": "i", "name": "n", "memory": "of a later version", "colour": "red"})
    assert unknown == Assistant(id="i", name="n")
