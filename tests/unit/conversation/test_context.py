"""Whatever the record holds, the history that is sent is one that strict endpoints accept, and no user text is lost."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.context import MAX_ROUNDS, assemble_context
from desktop.conversation.entities import (
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import AssistantMessage, SystemMessage, ToolMessage, UserMessage
from tests.support.run_invariants import check_request

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def message(role: Role, *parts: Part, number: int = 0, status: MessageStatus = MessageStatus.COMPLETE) -> Message:
    return Message(
        id=f"m{number}",
        thread_id="t",
        parent_id=None,
        role=role,
        status=status,
        parts=parts,
        created_at=NOW,
        updated_at=NOW,
    )


def user(text: str) -> Message:
    return message(Role.USER, TextPart(text=text))


def test_a_round_with_tools_is_rebuilt_step_by_step() -> None:
    answer = message(
        Role.ASSISTANT,
        ThinkingPart(text="hm", step=0),
        TextPart(text="Let me look.", step=0),
        ToolCallPart(call_id="a", name="x__y", arguments="{}", step=0),
        ToolCallPart(call_id="b", name="x__z", arguments="{}", step=0),
        ToolResultPart(call_id="b", status=ResultStatus.OK, text="two", step=0),
        ToolResultPart(call_id="a", status=ResultStatus.DENIED, text="no", step=0),
        TextPart(text="Done.", step=1),
    )
    sent = assemble_context([user("hi"), answer, user("more")], system_prompt="Be kind.")
    assert isinstance(sent[0], SystemMessage)
    assert [type(m) for m in sent[1:]] == [
        UserMessage,
        AssistantMessage,
        ToolMessage,
        ToolMessage,
        AssistantMessage,
        UserMessage,
    ]
    assert [m.text for m in sent if isinstance(m, ToolMessage)] == ["no", "two"]
    assert sent[2] == AssistantMessage(
        text="Let me look.",
        thinking="hm",
        tool_calls=sent[2].tool_calls if isinstance(sent[2], AssistantMessage) else (),
    )


def test_failed_and_empty_answers_leave_joined_questions() -> None:
    failed = message(Role.ASSISTANT, ErrorPart(code="model.timeout", params={}), status=MessageStatus.FAILED)
    assert assemble_context([user("one"), failed, user("two")]) == (UserMessage(text="one\n\ntwo"),)


def test_only_the_newest_rounds_are_sent() -> None:
    path = [m for i in range(80) for m in (user(f"q{i}"), message(Role.ASSISTANT, TextPart(text=f"a{i}")))]
    sent = assemble_context(path)
    assert len(sent) == 2 * MAX_ROUNDS
    assert sent[0] == UserMessage(text="q30")


call_ids = st.sampled_from(["a", "b", "c", "d"])
parts = st.one_of(
    st.builds(TextPart, text=st.sampled_from(["", " ", "text", "文字"]), step=st.integers(0, 3)),
    st.builds(ThinkingPart, text=st.text(max_size=3), step=st.integers(0, 3)),
    st.builds(ToolCallPart, call_id=call_ids, name=st.just("s__t"), arguments=st.just("{}"), step=st.integers(0, 3)),
    st.builds(
        ToolResultPart,
        call_id=call_ids,
        status=st.sampled_from(ResultStatus),
        text=st.text(max_size=3),
        step=st.integers(0, 3),
    ),
    st.builds(ErrorPart, code=st.just("model.timeout"), params=st.just({}), step=st.integers(0, 3)),
)


@st.composite
def answers(draw: st.DrawFn) -> Message:
    drawn = draw(st.lists(parts, max_size=8))
    seen: set[str] = set()
    kept = [p for p in drawn if not isinstance(p, ToolCallPart) or not (p.call_id in seen or seen.add(p.call_id))]
    return message(Role.ASSISTANT, *kept, status=draw(st.sampled_from(MessageStatus)))


@given(st.lists(st.tuples(st.sampled_from(["q", "问题"]), st.none() | answers()), min_size=1, max_size=6))
def test_any_record_becomes_a_valid_history(rounds: list[tuple[str, Message | None]]) -> None:
    path: list[Message] = []
    for number, (question, answer) in enumerate(rounds):
        path.append(user(f"{question}{number}"))
        if answer is not None:
            path.append(answer)
    sent = assemble_context(path)
    check_request(sent)
    words = " ".join(m.text for m in sent if isinstance(m, UserMessage))
    assert all(f"{question}{number}" in words for number, (question, _) in enumerate(rounds))
