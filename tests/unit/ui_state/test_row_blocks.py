"""What a row of the transcript is made of, for every way an answer can stand or end."""

import dataclasses

import pytest

from desktop.agent.events import DoneReason
from desktop.conversation.entities import AttachmentKind, AttachmentPart, MessageStatus, Role
from desktop.core.language_model import Source, Usage, Waiting
from desktop.ui.state.answer_place import AnswerPlace
from desktop.ui.state.pasted_text import Composed, joined
from desktop.ui.state.row_blocks import (
    BUBBLE_CHARACTERS,
    BUBBLE_KEY,
    LONG_BUBBLE_LINES,
    BubbleBlock,
    BubbleFoldBlock,
    ErrorBlock,
    FileBlock,
    FooterBlock,
    HeaderBlock,
    ImagesBlock,
    MoreBlock,
    PastedBlock,
    QuestionBlock,
    RemarkBlock,
    RichBlock,
    RowRendering,
    SourceBlock,
    SourcesBlock,
    StatusBlock,
    StatusKind,
    ThinkingBlock,
    ToolBlock,
)
from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.transcript_state import (
    ErrorItem,
    RemarkItem,
    RowItem,
    RowState,
    SourcesItem,
    TextItem,
    ThinkingItem,
)

TOOL = ToolItem(call_id="c", name="s__t", arguments="{}", state=ToolState.RUNNING)


def answer(*items: RowItem, status: MessageStatus = MessageStatus.COMPLETE) -> RowState:
    return RowState(
        message_id="m", role=Role.ASSISTANT, status=status, items=items, model="m1", usage=Usage(output_tokens=7)
    )


def blocks_of(row: RowState, *unfolded: str, is_last: bool = True) -> list[object]:
    return list(RowRendering().blocks(row, unfolded=set(unfolded), is_last=is_last))


def test_an_answer_in_a_column_has_no_head_of_its_own_and_goes_on_only_while_the_chat_ends_there() -> None:
    failed = answer(ErrorItem(code="model.timeout", params={}), status=MessageStatus.FAILED)
    second = dataclasses.replace(failed, place=AnswerPlace(number=2, count=3))
    assert blocks_of(second)[0] == HeaderBlock("m1", 2, 3)
    beside = dataclasses.replace(failed, place=AnswerPlace(is_beside=True))
    error, footer = blocks_of(beside)
    assert isinstance(error, ErrorBlock)
    assert error.may_retry
    assert isinstance(footer, FooterBlock)
    assert (footer.model, footer.may_ask_another) == ("", False)
    settled = dataclasses.replace(failed, place=AnswerPlace(is_beside=True, is_settled=True))
    assert [block.may_retry for block in blocks_of(settled) if isinstance(block, ErrorBlock)] == [False]


def question(text: str) -> RowState:
    return RowState(message_id="m", role=Role.USER, status=MessageStatus.COMPLETE, items=(TextItem(text=text),))


def test_a_short_message_of_the_user_is_one_bubble() -> None:
    text = "\n".join(["line"] * LONG_BUBBLE_LINES)
    assert blocks_of(question(text)) == [BubbleBlock(text), QuestionBlock()]
    second = dataclasses.replace(question(text), place=AnswerPlace(number=2, count=3))
    assert blocks_of(second)[-1] == QuestionBlock(2, 3)


def test_a_long_message_of_the_user_is_folded_and_unfolds_to_what_can_be_drawn() -> None:
    lines = "\n".join(f"line {number}" for number in range(100))
    bubble, fold, _ = blocks_of(question(lines))
    assert bubble == BubbleBlock("\n".join(f"line {number}" for number in range(10)) + " …")
    assert fold == BubbleFoldBlock(BUBBLE_KEY, 100, is_unfolded=False)
    row = question("x" * 13_000)
    assert blocks_of(row)[:2] == [BubbleBlock("x" * 1_000 + " …"), BubbleFoldBlock(BUBBLE_KEY, 1, is_unfolded=False)]
    bubble, more, fold, _ = blocks_of(row, BUBBLE_KEY)
    assert bubble == BubbleBlock("x" * BUBBLE_CHARACTERS)
    assert more == MoreBlock(1_000)
    assert fold == BubbleFoldBlock(BUBBLE_KEY, 1, is_unfolded=True)


def test_pasted_texts_stand_folded_above_what_was_typed() -> None:
    pasted = ("a\n" * 500, "b" * 30_000)
    assert blocks_of(question(joined(Composed("short", pasted)))) == [
        *(PastedBlock(text) for text in pasted),
        BubbleBlock("short"),
        QuestionBlock(),
    ]
    assert blocks_of(question(joined(Composed("", pasted))))[:-1] == [PastedBlock(text) for text in pasted]


def test_an_answer_has_its_parts_in_order_between_header_and_footer() -> None:
    row = answer(ThinkingItem(text="hm"), TextItem(text="a"), dataclasses.replace(TOOL, state=ToolState.OK))
    kinds = [type(block) for block in blocks_of(row)]
    assert kinds == [HeaderBlock, ThinkingBlock, RichBlock, ToolBlock, FooterBlock]
    assert blocks_of(row)[-1] == FooterBlock("m1", Usage(output_tokens=7), None, None)


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
    assert StatusBlock(kind) in blocks_of(answer(TextItem(text="a"), status=status), is_last=False)


def test_a_limit_that_ended_the_answer_is_named() -> None:
    row = dataclasses.replace(answer(TextItem(text="a")), reason=DoneReason.STEP_LIMIT)
    assert StatusBlock(StatusKind.STEP_LIMIT) in blocks_of(row, is_last=False)


def test_a_failed_answer_that_had_begun_offers_to_go_on() -> None:
    error = ErrorItem(code="model.connection_lost", params={})
    row = answer(TextItem(text="Half of"), error, status=MessageStatus.FAILED)
    assert ErrorBlock(error, may_retry=True, may_continue=True) in blocks_of(row)
    assert ErrorBlock(error, may_retry=False) in blocks_of(row, is_last=False)


def test_only_the_last_answer_offers_another_try() -> None:
    row = answer(ErrorItem(code="model.timeout", params={}), status=MessageStatus.FAILED)
    assert ErrorBlock(ErrorItem(code="model.timeout", params={}), may_retry=True) in blocks_of(row)
    assert ErrorBlock(ErrorItem(code="model.timeout", params={}), may_retry=False) in blocks_of(row, is_last=False)


def test_an_answer_that_is_empty_or_failed_without_a_reason_is_not_blank() -> None:
    assert StatusBlock(StatusKind.EMPTY) in blocks_of(answer())
    assert StatusBlock(StatusKind.FAILED) in blocks_of(answer(status=MessageStatus.FAILED))


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (MessageStatus.COMPLETE, DoneReason.LENGTH),
        (MessageStatus.COMPLETE, DoneReason.STEP_LIMIT),
        (MessageStatus.STOPPED, DoneReason.STOPPED),
        (MessageStatus.INTERRUPTED, None),
    ],
)
def test_the_last_answer_can_be_continued_where_it_was_cut_off(
    status: MessageStatus, reason: DoneReason | None
) -> None:
    row = dataclasses.replace(answer(TextItem(text="Half of"), status=status), reason=reason)
    (ending,) = (b for b in blocks_of(row) if isinstance(b, StatusBlock))
    assert ending.may_continue
    (earlier,) = (b for b in blocks_of(row, is_last=False) if isinstance(b, StatusBlock))
    assert not earlier.may_continue
    (empty,) = (b for b in blocks_of(dataclasses.replace(row, items=())) if isinstance(b, StatusBlock))
    assert not empty.may_continue


@pytest.mark.parametrize("reason", [DoneReason.REFUSAL, DoneReason.CONTENT_FILTER])
def test_an_answer_that_was_not_cut_off_cannot_be_continued(reason: DoneReason) -> None:
    row = dataclasses.replace(answer(TextItem(text="No.")), reason=reason)
    (ending,) = (b for b in blocks_of(row) if isinstance(b, StatusBlock))
    assert not ending.may_continue


def test_what_is_waited_for_stands_below_what_there_is() -> None:
    waiting = Waiting(code="model_loading")
    row = dataclasses.replace(answer(TextItem(text="So"), status=MessageStatus.STREAMING), waiting=waiting)
    assert blocks_of(row)[-1] == StatusBlock(StatusKind.WORKING, waiting)


def test_remarks_stand_where_they_were_made_and_sources_below_the_answer() -> None:
    sources = SourcesItem(sources=(Source(url="https://a.example"), Source(url="https://b.example")))
    remark = RemarkItem(code="not_streamed", params={})
    row = answer(remark, sources, TextItem(text="So it is."))
    folded = blocks_of(row)
    assert [type(b) for b in folded] == [HeaderBlock, RemarkBlock, RichBlock, SourcesBlock, FooterBlock]
    assert [b.number for b in blocks_of(row, "sources") if isinstance(b, SourceBlock)] == [1, 2]


def test_files_stand_above_what_was_written_about_them() -> None:
    images = [
        AttachmentPart(attachment_id=name, name=name, kind=AttachmentKind.IMAGE, size=1) for name in ("a.png", "b.png")
    ]
    pdf = AttachmentPart(attachment_id="c", name="c.pdf", kind=AttachmentKind.PDF, size=1, text="words", pages=2)
    row = question("What are these?")
    row = dataclasses.replace(row, items=(images[0], pdf, images[1], *row.items))
    assert blocks_of(row) == [
        ImagesBlock(tuple(images)),
        FileBlock(pdf),
        BubbleBlock("What are these?"),
        QuestionBlock(),
    ]
    alone = dataclasses.replace(row, items=(pdf,))
    assert blocks_of(alone) == [FileBlock(pdf), QuestionBlock()], "no empty bubble"
    assert alone.text == "", "a copy of the message is what was typed"
