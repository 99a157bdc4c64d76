"""What the card of an assistant that was asked shows of its run."""

from dataclasses import replace

from desktop.conversation.entities import ErrorPart, ResultStatus, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.conversation.inner_run import InnerRunPart
from desktop.tools.entities import CallState
from desktop.ui.state.inner_steps import MOST_STEPS, StepKind, asked_in, is_for_assistant, steps_of, waits_for_user
from desktop.ui.state.tool_item import ToolItem, ToolState


def item(*parts: object, **fields: object) -> ToolItem:
    run = InnerRunPart(call_id="c", assistant="A", parts=parts)  # pyright: ignore[reportArgumentType]
    usual = ToolItem(
        call_id="c",
        name="assistants__ask_assistant",
        arguments='{"assistant": "A", "task": "Find it."}',
        state=ToolState.RUNNING,
        inner=run,
    )
    return replace(usual, **fields)  # pyright: ignore[reportArgumentType]


def call(call_id: str) -> ToolCallPart:
    return ToolCallPart(call_id=call_id, name="files__read", arguments='{"x":1}')


def test_who_is_asked_and_for_what() -> None:
    one = item()
    assert is_for_assistant(one)
    assert asked_in(one) == ("A", "Find it.")
    for broken in ("", "{", "[1]", '{"assistant": 3, "task": null}'):
        assert asked_in(replace(one, arguments=broken, inner=None)) == ("", "")


def test_steps_say_who_did_them_and_how_they_ended() -> None:
    deeper = InnerRunPart(call_id="b", assistant="B", parts=(TextPart(text="deep"), call("x")))
    ended = ToolResultPart(call_id="a", status=ResultStatus.DENIED, text="no")
    one = item(
        ThinkingPart(text="hm"),
        TextPart(text="I look."),
        call("a"),
        call("b"),
        deeper,
        ended,
        ErrorPart(code="model.timeout", params={}),
        inner_states={"b": CallState.RUNNING, "b/x": CallState.WAITING_APPROVAL},
    )
    steps = [(step.kind, step.who, step.state) for step in steps_of(one)]
    assert steps == [
        (StepKind.THOUGHT, ("A",), None),
        (StepKind.SAID, ("A",), None),
        (StepKind.CALLED, ("A",), ToolState.DENIED),
        (StepKind.CALLED, ("A",), ToolState.RUNNING),
        (StepKind.SAID, ("A", "B"), None),
        (StepKind.CALLED, ("A", "B"), ToolState.WAITING_APPROVAL),
        (StepKind.FAILED, ("A",), None),
    ]
    assert waits_for_user(one)
    assert not waits_for_user(item(call("a")))


def test_what_the_result_says_anyway_is_not_there_twice() -> None:
    said = item(TextPart(text="7"), has_result=True, result="7", state=ToolState.OK)
    assert steps_of(said) == []
    assert len(steps_of(replace(said, result="8"))) == 1
    assert steps_of(replace(said, inner=None)) == []


def test_a_long_run_shows_its_end() -> None:
    steps = steps_of(item(*(TextPart(text=str(number), step=number) for number in range(500))))
    assert len(steps) == MOST_STEPS
    assert steps[-1].text == "499"
