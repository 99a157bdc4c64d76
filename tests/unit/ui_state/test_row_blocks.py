"""What a row of the transcript is made of, for every way an answer can stand or end."""

import dataclasses

import pytest

from desktop.agent.events import DoneReason
from desktop.conversation.entities import MessageStatus, Role
from desktop.ui.state.pasted_text import Composed, joined
from desktop.ui.state.row_blocks import (
    BUBBLE_CHARACTERS,
    BUBBLE_KEY,
    LONG_BUBBLE_LINES,
    BubbleBlock,
    BubbleFoldBlock,
    ErrorBlock,
    FooterBlock,
    HeaderBlock,
    MoreBlock,
    PastedBlock,
    RichBlock,
    RowRendering,
    StatusBlock,
    StatusKind,
    ThinkingBlock,
    ToolBlock,
)
from desktop.ui.state.transcript_state import (
    ErrorItem,
    RowItem,
    RowState,
    TextItem,
    ThinkingItem,
    ToolItem,
    ToolState,
)

TOOL = ToolItem(call_id="c", name="s__t", arguments="{}", state=ToolState.RUNNING)


def answer(*items: RowItem, status: MessageStatus = MessageStatus.COMPLETE) -> RowState:
    return RowState(message_id="m", role=Role.ASSISTANT, status=status, items=items, model="m1", output_tokens=7)


def blocks_of(row: RowState, *unfolded: str, is_last: bool = True) -> list[object]:
    return list(RowRendering().blocks(row, unfolded=set(unfolded), is_last=is_last))


def question(text: str) -> RowState:
    return RowState(message_id="m", role=Role.USER, status=MessageStatus.COMPLETE, items=(TextItem(text=text),))


def test_a_short_message_of_the_user_is_one_bubble() -> None:
    text = "\n".join(["line"] * LONG_BUBBLE_LINES)
    assert blocks_of(question(text)) == [BubbleBlock(text)]


def test_a_long_message_of_the_user_is_folded_and_unfolds_to_what_can_be_drawn() -> None:
    lines = "\n".join(f"line {number}" for number in range(100))
    bubble, fold = blocks_of(question(lines))
    assert bubble == BubbleBlock("\n".join(f"line {number}" for number in range(10)) + " …")
    assert fold == BubbleFoldBlock(BUBBLE_KEY, 100, is_unfolded=False)
    row = question("x" * 13_000)
    assert blocks_of(row) == [BubbleBlock("x" * 1_000 + " …"), BubbleFoldBlock(BUBBLE_KEY, 1, is_unfolded=False)]
    bubble, more, fold = blocks_of(row, BUBBLE_KEY)
    assert bubble == BubbleBlock("x" * BUBBLE_CHARACTERS)
    assert more == MoreBlock(1_000)
    assert fold == BubbleFoldBlock(BUBBLE_KEY, 1, is_unfolded=True)


def test_pasted_texts_stand_folded_above_what_was_typed() -> None:
    pasted = ("a\n" * 500, "b" * 30_000)
    assert blocks_of(question(joined(Composed("short", pasted)))) == [
        *(PastedBlock(text) for text in pasted),
        BubbleBlock("short"),
    ]
    assert blocks_of(question(joined(Composed("", pasted)))) == [PastedBlock(text) for text in pasted]


def test_an_answer_has_its_parts_in_order_between_header_and_footer() -> None:
    row = answer(ThinkingItem(text="hm"), TextItem(text="a"), dataclasses.replace(TOOL, state=ToolState.OK))
    kinds = [type(block) for block in blocks_of(row)]
    assert kinds == [HeaderBlock, ThinkingBlock, RichBlock, ToolBlock, FooterBlock]
    assert blocks_of(row)[-1] == FooterBlock("m1", 7, None, None)


def test_unfolded_reasoning_is_followed_by_its_text_in_quiet_blocks() -> None:
    row = answer(ThinkingItem(text="one\n\ntwo"), TextItem(text="a"))
    quiet = [block for block in blocks_of(row, "thinking0") if isinstance(block, RichBlock) and block.is_quiet]
    assert len(quiet) == 1
    assert "<p>two</p>" in quiet[0].segment.html


@pytest.mark.parametrize(
    ("items", "is_working"),
    [
        ((), True),
        ((TextItem(text="a", is_open=True),), False),
        ((ThinkingItem(text="a", is_open=True),), False),
        ((TOOL,), False),
        ((dataclasses.replace(TOOL, state=ToolState.WAITING_APPROVAL),), False),
        ((dataclasses.replace(TOOL, state=ToolState.OK),), True),
    ],
)
def test_a_running_answer_says_that_it_works_where_nothing_else_does(
    items: tuple[RowItem, ...], is_working: bool
) -> None:
    blocks = blocks_of(answer(*items, status=MessageStatus.STREAMING))
    assert (StatusBlock(StatusKind.WORKING) in blocks) is is_working
    assert not any(isinstance(block, FooterBlock) for block in blocks)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(MessageStatus.STOPPED, StatusKind.STOPPED), (MessageStatus.INTERRUPTED, StatusKind.INTERRUPTED)],
)
def test_an_answer_that_did_not_end_by_itself_says_so(status: MessageStatus, kind: StatusKind) -> None:
    assert StatusBlock(kind) in blocks_of(answer(TextItem(text="a"), status=status))


def test_a_limit_that_ended_the_answer_is_named() -> None:
    row = dataclasses.replace(answer(TextItem(text="a")), reason=DoneReason.STEP_LIMIT)
    assert StatusBlock(StatusKind.STEP_LIMIT) in blocks_of(row)


def test_only_the_last_answer_offers_another_try() -> None:
    row = answer(ErrorItem(code="model.timeout", params={}), status=MessageStatus.FAILED)
    assert ErrorBlock(ErrorItem(code="model.timeout", params={}), may_retry=True) in blocks_of(row)
    assert ErrorBlock(ErrorItem(code="model.timeout", params={}), may_retry=False) in blocks_of(row, is_last=False)


def test_an_answer_that_is_empty_or_failed_without_a_reason_is_not_blank() -> None:
    assert StatusBlock(StatusKind.EMPTY) in blocks_of(answer())
    assert StatusBlock(StatusKind.FAILED) in blocks_of(answer(status=MessageStatus.FAILED))
