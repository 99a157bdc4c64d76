"""The transcript's view with real widgets: what is shown, scrolling, streaming, copying, keys, hostile content."""

import dataclasses
import itertools
import re
from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QLabel, QPlainTextEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.conversation.entities import (
    ErrorPart,
    MessageOutline,
    MessageStatus,
    RemarkPart,
    ResultStatus,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.costs import Cost
from desktop.core.language_model import Source, Usage, Waiting
from desktop.core.settings import Theme
from desktop.ui.state.outlines import outline_of
from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.transcript_state import RowState, TextItem, row_from_message
from desktop.ui.theme.tokens import DARK
from desktop.ui.transcript import interlude
from desktop.ui.transcript.blocks.bubble import BubbleWidget
from desktop.ui.transcript.blocks.code import CodeWidget
from desktop.ui.transcript.blocks.code_view import CodeView
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from desktop.ui.transcript.blocks.rich_text import RichText, RichTextWidget, TableWidget
from desktop.ui.transcript.blocks.tool_card import ToolCard
from desktop.ui.transcript.text_dialog import PAGE_CHARACTERS
from tests.support.marked_language import marked_language
from tests.support.transcript_world import ViewWorld, child, conversation, message

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def world(qapp: QApplication) -> Iterator[ViewWorld]:
    made = ViewWorld(qapp)
    yield made
    made.close()


def streaming(text: str, *, message_id: str = "m1") -> RowState:
    item = TextItem(text=text, is_open=True)
    return RowState(message_id=message_id, role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=(item,))


def long_conversation(count: int = 60) -> list:
    texts = [f"Question {n}" if n % 2 == 0 else f"**Answer {n}**\n\n" + "Some words. " * 40 for n in range(count)]
    return conversation(*texts)


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, NONE, widget.rect().center())


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def top_of(world: ViewWorld, widget: QWidget) -> int:
    return widget.mapTo(world.view.viewport(), QPoint(0, 0)).y()


# -- what is shown ----------------------------------------------------------------------------------------------------


def test_messages_are_named_panels_with_their_text(world: ViewWorld) -> None:
    world.show(conversation("How do I *do* it?", "Like **this**."))
    user, answer = world.rows()
    assert (user.accessibleName(), answer.accessibleName()) == (
        "You said: How do I *do* it?",
        "Answer from model-x: Like **this**.",
    )
    assert world.find(RichText, "user-text").toPlainText() == "How do I *do* it?"
    assert child(answer, RichTextWidget).toPlainText() == "Like this."
    assert world.find(QLabel, "answer-author").text() == "model-x"
    assert "model-x · 12 tokens" in world.find(QLabel, "answer-figures").text()


@pytest.mark.parametrize("width", [380, 700, 1400])
def test_the_column_fits_every_width(qapp: QApplication, width: int) -> None:
    world = ViewWorld(qapp, width=width)
    world.show(
        conversation("A long question of many words. " * 20, "An answer. " * 100 + "\n\n```py\n" + "x" * 300 + "\n```")
    )
    room = world.view.viewport().width()
    for row in world.rows():
        assert row.width() <= 760 + 26
        assert row.x() >= 0
        assert row.x() + row.width() <= room
        assert abs(row.x() - (room - row.x() - row.width())) <= 1
    bubble, text = child(world.rows()[0], BubbleWidget), world.find(RichText, "user-text")
    assert text.width() <= bubble.width() * 0.75
    assert text.x() + text.width() == bubble.width() - 14
    world.close()


def test_only_what_is_near_has_widgets_and_the_rest_is_asked_for(world: ViewWorld) -> None:
    outlines = [
        MessageOutline(
            id=f"m{n}",
            role=Role.ASSISTANT,
            status=MessageStatus.COMPLETE,
            text_length=400,
            newline_count=3,
            part_count=1,
        )
        for n in range(5_000)
    ]
    asked = QSignalSpy(world.view.bodies_needed)
    world.view.set_thread(outlines, [])
    world.settle()
    assert len(world.rows()) == 0
    wanted = cast(list[str], asked.at(asked.count() - 1)[0])
    assert "m4999" in wanted
    assert len(wanted) < 60
    world.view.set_rows(
        [row_from_message(message(n, Role.ASSISTANT, TextPart(text="words " * 70))) for n in range(4980, 5000)]
    )
    world.settle()
    assert 2 <= len(world.rows()) <= 20
    world.view.verticalScrollBar().setValue(0)
    world.settle()
    assert "m0" in cast(list[str], asked.at(asked.count() - 1)[0])
    assert len(world.rows()) == 0


def test_rows_and_controls_stand_in_reading_order(world: ViewWorld) -> None:
    code = "\n\n```py\nx = 1\n```\n"
    world.show(conversation("q", "one" + code, "q", "two" + code, "q", "three" + code))
    siblings = [child for child in world.view.viewport().children() if child in world.rows()]
    assert siblings == world.rows()
    for row in world.rows():
        blocks = [child for child in row.children() if isinstance(child, QWidget)]
        assert blocks == sorted(blocks, key=lambda block: block.y())
    world.view.setFocus()
    visited = []
    of_question = ("edit-question", "copy-question", "branch-question")
    of_code = ("wrap-code", "save-code", "copy-code")
    of_answer = (*of_code, "copy-answer", "answer-again", "ask-another-model", "branch-answer", "what-was-sent")
    buttons = [button for name in (*of_question, *of_answer) for button in world.all(QToolButton, name)]
    for _ in buttons:
        QTest.keyClick(cast(QWidget, QApplication.focusWidget()), Qt.Key.Key_Tab)
        visited.append(QApplication.focusWidget())
    assert visited == sorted(buttons, key=lambda button: (top_of(world, button), button.x()))


# -- scrolling --------------------------------------------------------------------------------------------------------


def test_steps_of_the_scroll_bar_never_make_the_text_jump(world: ViewWorld) -> None:
    texts = [
        "q"
        if n % 2 == 0
        else ["Words. " * (n * 7 % 90), "```py\n" + "a = 1\n" * (n % 30) + "```", "- item\n" * (n % 20)][n % 3] or "."
        for n in range(160)
    ]
    world.show(conversation(*texts))
    bar = world.view.verticalScrollBar()
    for step in [-60] * 60 + [-333] * 20 + [60] * 40 + [333] * 10:
        before = seen_blocks(world)
        place = bar.value()
        bar.setValue(place + step)
        after = seen_blocks(world)
        if 0 < place + step < bar.maximum() - 10:
            moved = {after[block] - before[block] for block in before.keys() & after.keys()}
            assert moved == {-step}
        covered = [(row.y(), row.y() + row.height()) for row in world.rows()]
        assert all(end == begin for (_, end), (begin, _) in itertools.pairwise(covered))


def seen_blocks(world: ViewWorld) -> dict[QWidget, int]:
    """The blocks that can be seen, with their tops in the viewport."""
    blocks = (child for row in world.rows() for child in row.children() if isinstance(child, QWidget))
    tops = {block: top_of(world, block) for block in blocks if block.isVisible()}
    return {block: top for block, top in tops.items() if top + block.height() > 0 and top < 600}


def test_streaming_follows_the_end_only_while_one_reads_there(world: ViewWorld) -> None:
    messages = long_conversation(30)
    world.show(messages)
    bar, jump = world.view.verticalScrollBar(), child(world.view, QToolButton, "jump-to-end")
    last = messages[-1].id
    world.view.update_row(streaming("Words. " * 200, message_id=last))
    assert bar.value() == bar.maximum()
    assert not jump.isVisible()
    bar.setValue(bar.value() - 700)
    place = {row: row.y() for row in world.rows()}
    world.view.update_row(streaming("Words. " * 900, message_id=last))
    world.settle()
    assert {row: row.y() for row in world.rows() if row in place and row.y() < 400}.items() <= place.items()
    assert jump.isVisible()
    assert jump.accessibleName() == "New text below. Go to the end"
    click(jump)
    assert bar.value() == bar.maximum()
    assert not jump.isVisible()


def test_the_reading_place_stays_when_the_window_changes_its_width(world: ViewWorld) -> None:
    world.show(long_conversation())
    bar = world.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    world.settle()
    before = world.view.reading_position()
    assert before is not None
    world.window.resize(480, 600)
    world.settle()
    world.window.resize(900, 600)
    world.settle()
    after = world.view.reading_position()
    assert after is not None
    assert after.message_id == before.message_id
    assert abs(after.y - before.y) < 40


def test_a_place_can_be_left_and_taken_again(world: ViewWorld) -> None:
    messages = long_conversation()
    world.show(messages)
    world.view.scroll_to_message("m21")
    world.settle()
    place = world.view.reading_position()
    world.show(conversation("another", "thread"))
    world.view.set_thread([outline_of(m) for m in messages], [row_from_message(m) for m in messages], place)
    world.settle()
    assert world.view.reading_position() == place


def test_keys_scroll_and_step_through_messages(world: ViewWorld) -> None:
    world.show(long_conversation())
    bar = world.view.verticalScrollBar()
    (first, top), *_ = seen_blocks(world).items()
    QTest.keyClick(world.view, Qt.Key.Key_PageUp)
    assert top_of(world, first) - top == world.view.viewport().height() - 40
    QTest.keyClick(world.view, Qt.Key.Key_Home)
    world.settle()
    assert bar.value() == 0
    assert world.rows()[0].accessibleName() == "You said: Question 0"
    QTest.keyClick(world.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    place = world.view.reading_position()
    assert place is not None
    assert place.message_id == "m1"
    QTest.keyClick(world.view, Qt.Key.Key_End)
    assert bar.value() == bar.maximum()


def test_keys_in_a_text_scroll_the_transcript(world: ViewWorld) -> None:
    world.show(long_conversation())
    text = child(world.rows()[-1], RichTextWidget)
    bar = world.view.verticalScrollBar()
    end = bar.value()
    QTest.keyClick(text, Qt.Key.Key_PageUp)
    assert bar.value() < end


# -- streaming --------------------------------------------------------------------------------------------------------


def test_closed_blocks_keep_their_widgets_while_text_streams(world: ViewWorld) -> None:
    world.show(conversation("q", "a"))
    text = "First paragraph.\n\n```py\nx = 1\n```\n\n| a |\n|-|\n| 1 |\n\nThe end is"
    world.view.update_row(streaming(text))
    before = [*world.rows()[-1].findChildren(CodeWidget), *world.rows()[-1].findChildren(TableWidget)]
    open_block = world.rows()[-1].findChildren(RichTextWidget)[-1]
    world.view.update_row(streaming(text + " near and **bold**."))
    world.settle()
    assert [*world.rows()[-1].findChildren(CodeWidget), *world.rows()[-1].findChildren(TableWidget)] == before
    assert world.rows()[-1].findChildren(RichTextWidget)[-1] is open_block
    assert open_block.toPlainText() == "The end is near and bold."


def test_code_grows_by_appending_and_is_coloured_when_it_closes(world: ViewWorld) -> None:
    world.show(conversation("q", "a"))
    source = "```python\n"
    for line in ("def f():\n", "    return 1\n", "\n", "\n", "f()\n"):
        source += line
        world.view.update_row(streaming(source))
    view = world.find(QPlainTextEdit, "code-text")
    assert view.toPlainText() == "def f():\n    return 1\n\n\nf()"
    assert view.document().firstBlock().layout().formats() == []
    world.view.update_row(streaming(source + "```\n"))
    assert view.document().firstBlock().layout().formats() != []


# -- controls ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["x = 1", "x = 1  # 中文"])
def test_every_line_of_code_is_shown(world: ViewWorld, line: str) -> None:
    world.show(conversation("code", "```py\n" + "\n".join([line] * 24) + "\n```"))
    view = world.find(CodeView, "code-text")
    last = view.document().lastBlock()
    assert view.blockBoundingGeometry(last).translated(view.contentOffset()).bottom() <= view.viewport().height()


def test_copy_gives_the_code_as_it_is_and_says_so(world: ViewWorld) -> None:
    world.show(conversation("q", "```sh\necho '\x1b[31m'\t# tab\n```"))
    button = world.find(QToolButton, "copy-code")
    click(button)
    assert clipboard() == "echo '\x1b[31m'\t# tab"
    assert button.text().strip() == "Copied"
    assert "<ESC>[31m" in world.find(QPlainTextEdit, "code-text").toPlainText()


def test_copy_answer_gives_the_markdown_source(world: ViewWorld) -> None:
    world.show(conversation("q", "# Title\n\n* **bold**"))
    click(world.find(QToolButton, "copy-answer"))
    assert clipboard() == "# Title\n\n* **bold**"


CALL = ToolCallPart(call_id="c", name="files__read", arguments='{"path":"a\\u202eb.txt","depth":2}')


def test_a_tool_card_opens_and_shows_arguments_and_result(world: ViewWorld) -> None:
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text="line\x00one\n\x1b[31mred", duration_seconds=0.4)
    world.show([message(0, Role.USER, TextPart(text="q")), message(1, Role.ASSISTANT, CALL, result)])
    card = world.find(ToolCard, "tool-card")
    header = world.find(FoldHeader, "tool-card-header")
    closed = card.height()
    assert header.accessibleName() == "Tool read of files: Done · 0.4 s, closed"
    assert card.findChildren(QPlainTextEdit) == []
    click(header)
    assert header.accessibleName().endswith("open")
    arguments, shown = (view.toPlainText() for view in card.findChildren(QPlainTextEdit))
    assert arguments == '{\n  "path": "a<U+202E>b.txt",\n  "depth": 2\n}'
    assert shown == "line<NUL>one\n<ESC>[31mred"
    assert card.height() > closed + 100
    QTest.keyClick(header, Qt.Key.Key_Return)
    world.settle()
    assert card.height() == closed
    assert card.findChildren(QPlainTextEdit) == []


def test_what_is_opened_stays_under_the_mouse_at_the_end_of_a_long_chat(world: ViewWorld) -> None:
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text="line\n" * 30, duration_seconds=0.4)
    after = TextPart(text="\n\n".join(f"Paragraph {number}" for number in range(6)), step=1)
    earlier = [message(number, Role.USER, TextPart(text="q " * 400)) for number in range(6)]
    world.show([*earlier, message(6, Role.ASSISTANT, CALL, result, after)])
    assert world.view.verticalScrollBar().value() == world.view.verticalScrollBar().maximum() > 0
    header = world.find(FoldHeader, "tool-card-header")
    place = header.mapTo(world.view, QPoint())
    assert place.y() > 0
    for _ in range(2):
        click(header)
        world.settle()
        assert header.accessibleName().endswith("open")
        assert header.mapTo(world.view, QPoint()) == place
        click(header)
        world.settle()
        assert header.accessibleName().endswith("closed")


def test_the_card_of_a_command_reports_in_the_language(qapp: QApplication, world: ViewWorld) -> None:
    call = ToolCallPart(call_id="c", name="command__execute_command_local", arguments='{"command":"ls"}')
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text="Exit code: 0\nstdout:\nstderr", step=0)
    with marked_language(qapp):
        world.show([message(0, Role.USER, TextPart(text="q")), message(1, Role.ASSISTANT, call, result)])
        header = world.find(FoldHeader, "tool-card-header")
        assert "«Run a command" in header.accessibleName()
        click(header)
        card = world.find(ToolCard, "tool-card")
        shown = card.findChildren(QPlainTextEdit)[1].toPlainText()
        assert shown == "«Exit code: 0\n«stdout:\nstderr"
        click(card.findChildren(CopyButton)[1])
        assert clipboard() == shown


def test_the_time_below_an_answer_says_what_it_is(world: ViewWorld) -> None:
    answer = dataclasses.replace(message(1, Role.ASSISTANT, TextPart(text="Hello")), duration_seconds=2.0)
    world.show([message(0, Role.USER, TextPart(text="Hi")), answer])
    figures = world.find(QLabel, "answer-figures")
    assert "2.0 s" in figures.text()
    *_, time, moment = figures.toolTip().splitlines()
    assert time == "Time of work, without waiting for your answers"
    assert str(answer.created_at.year) in moment
    world.view.update_row(row_from_message(dataclasses.replace(answer, duration_seconds=None)))
    assert "Time of work" not in figures.toolTip()


@pytest.mark.parametrize("state", list(ToolState))
def test_every_state_of_a_call_has_its_words(world: ViewWorld, state: ToolState) -> None:
    world.show(conversation("q", "a"))
    item = ToolItem(call_id="c", name="files__read", arguments="{}", state=state)
    row = RowState(message_id="m1", role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=(item,))
    world.view.update_row(row)
    card, header = world.find(ToolCard, "tool-card"), world.find(FoldHeader, "tool-card-header")
    assert card.property("state") == state.value
    words = header.accessibleName().split(": ")[1]
    assert words != ", closed"
    others = set()
    for other in ToolState:
        changed = dataclasses.replace(row, items=(dataclasses.replace(item, state=other),))
        world.view.update_row(changed)
        others.add(world.find(FoldHeader, "tool-card-header").accessibleName())
    assert len(others) == len(ToolState)


def test_reasoning_is_folded_and_opens(world: ViewWorld) -> None:
    parts = (ThinkingPart(text="First *this*.\n\nThen that."), TextPart(text="The answer."))
    world.show([message(0, Role.USER, TextPart(text="q")), message(1, Role.ASSISTANT, *parts)])
    texts = lambda: [t.toPlainText() for t in world.rows()[-1].findChildren(RichTextWidget)]  # noqa: E731
    assert texts() == ["The answer."]
    QTest.keyClick(world.find(FoldHeader, "thinking-header"), Qt.Key.Key_Space)
    world.settle()
    assert sorted(texts()) == ["First this.\nThen that.", "The answer."]
    click(world.find(FoldHeader, "thinking-header"))
    world.settle()
    assert texts() == ["The answer."]


def test_a_failed_answer_says_why_and_can_be_tried_again(world: ViewWorld) -> None:
    error = ErrorPart(code="model.unreachable", params={"url": "http://x/v1", "detail": "refused\x1b[31m"})
    failed = message(1, Role.ASSISTANT, error, status=MessageStatus.FAILED)
    world.show([message(0, Role.USER, TextPart(text="q")), failed])
    assert world.find(QLabel, "error-title").text() == "The model cannot be reached"
    assert "refused<ESC>[31m" in world.find(QLabel, "error-detail").text()
    retried = QSignalSpy(world.view.retry_requested)
    click(world.find(QPushButton, "retry"))
    assert retried.count() == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (MessageStatus.STOPPED, "You stopped this answer."),
        (MessageStatus.INTERRUPTED, "This answer was interrupted when the program ended."),
    ],
)
def test_an_unfinished_answer_says_so(world: ViewWorld, status: MessageStatus, words: str) -> None:
    world.show([message(1, Role.ASSISTANT, TextPart(text="Half of"), status=status)])
    assert world.find(QLabel, "status-text").text() == words


def test_an_empty_thread_greets_with_examples(world: ViewWorld) -> None:
    world.view.show_empty(is_scripted=True)
    world.settle()
    chosen = QSignalSpy(world.view.example_requested)
    examples = world.all(QPushButton, "example-prompt")
    assert len(examples) == 4
    click(examples[1])
    assert chosen.at(0)[0] == examples[1].text()
    assert "script" in world.find(QLabel, "scripted-notice").text()
    world.view.show_empty(is_scripted=False)
    assert world.all(QLabel, "scripted-notice") == []
    world.show(conversation("q", "a"))
    assert world.all(QPushButton, "example-prompt") == []


# -- links and selection ----------------------------------------------------------------------------------------------


def click_link(world: ViewWorld, text: RichText, words: str) -> None:
    cursor = text.document().find(words)
    cursor.setPosition(cursor.selectionStart() + 1)
    QTest.mouseClick(text.viewport(), LEFT, NONE, text.cursorRect(cursor).center())


def test_a_link_asks_with_its_real_address_and_opens_nothing(world: ViewWorld) -> None:
    world.show(conversation("q", "Go to [bank.example](https://evil.example/x) now"))
    text = child(world.rows()[-1], RichTextWidget)
    activated = QSignalSpy(world.view.link_activated)
    click_link(world, text, "bank.example")
    assert list(activated.at(0)) == ["https://evil.example/x", "bank.example"]
    assert "evil" not in text.toHtml()


def drag(world: ViewWorld, start: QWidget, begin: QPoint, end_widget: QWidget, end: QPoint) -> None:
    """Press, move and release as one mouse: Qt sends all to the widget that was pressed."""
    QTest.mousePress(start, LEFT, NONE, begin)
    target = start.mapFromGlobal(end_widget.mapToGlobal(end))
    for point in (QPoint((begin.x() + target.x()) // 2, (begin.y() + target.y()) // 2), target):
        event = QMouseEvent(
            QEvent.Type.MouseMove, point.toPointF(), start.mapToGlobal(point).toPointF(), LEFT, LEFT, NONE
        )
        QApplication.sendEvent(start, event)
    QTest.mouseRelease(start, LEFT, NONE, target)


def test_text_is_selected_and_copied_across_blocks_and_messages(world: ViewWorld) -> None:
    world.show(conversation("The question", "First part\n\n```py\ncode = 1\n```\n\nLast part", "Another"))
    first, last = world.find(RichText, "user-text"), world.all(RichText, "user-text")[-1]
    drag(world, first.viewport(), QPoint(0, 2), last.viewport(), QPoint(last.width() - 1, last.height() - 2))
    assert world.view.selected_text() == "The question\n\nFirst part\ncode = 1\nLast part\n\nAnother"
    QTest.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == "The question\n\nFirst part\ncode = 1\nLast part\n\nAnother"
    QTest.mouseClick(last.viewport(), LEFT, NONE, QPoint(2, 2))
    assert world.view.selected_text() == ""


# -- look and language ------------------------------------------------------------------------------------------------


def test_a_new_theme_recolours_without_moving_anything(world: ViewWorld) -> None:
    messages = long_conversation()
    world.show(messages)
    world.view.scroll_to_message("m20")
    world.settle()
    place = world.view.reading_position()
    world.theme.set_theme(Theme.DARK)
    world.settle()
    assert world.view.reading_position() == place
    text = child(world.rows()[1], RichTextWidget)
    cursor = text.textCursor()
    cursor.setPosition(2)
    assert cursor.charFormat().foreground().color().name() == DARK.text


# -- hostile content --------------------------------------------------------------------------------------------------

HOSTILE = {
    "one line of five megabytes": "x" * 5_000_000,
    "a table of a hundred thousand rows": "|a|b|\n|-|-|\n" + "|1|2|\n" * 100_000,
    "ten thousand nested quotes": "> " * 10_000 + "deep",
    "ten thousand nested lists": "".join(" " * (2 * n) + "- x\n" for n in range(300)),
    "a megabyte of code": "```js\n" + "let x = 1;\n" * 100_000,
    "many brackets": "[" * 50_000,
    "combining marks": "a" + "\u0301" * 20_000,
    "odd characters": "\ufffe\uffff\x00\u202e\u2066 \U000e0041",
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_hostile_text_is_shown_in_bounded_pieces(world: ViewWorld, name: str) -> None:
    text = HOSTILE[name]
    world.show(conversation(text[:300_000], text, "after"))
    assert world.rows()[-1].accessibleName() == "You said: after"
    widgets = world.view.viewport().findChildren(QWidget)
    assert len(widgets) < 1_500
    for view in world.view.viewport().findChildren(QPlainTextEdit):
        assert max(len(line) for line in view.toPlainText().split("\n")) < 4_100


def test_a_text_that_is_too_long_is_offered_whole(world: ViewWorld) -> None:
    text = "A line of text.\n\n" * 20_000
    world.show(conversation("q", text))
    click(world.find(QPushButton, "show-all-text"))
    world.settle()
    (dialog,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.objectName() == "full-text"]
    view, onward = child(dialog, QPlainTextEdit, "full-text-view"), child(dialog, QPushButton, "full-text-next")
    pages = [view.toPlainText()]
    while onward.isEnabled():
        click(onward)
        pages.append(view.toPlainText())
    assert "".join(pages) == text
    assert max(map(len, pages)) <= PAGE_CHARACTERS
    assert child(dialog, QLabel, "full-text-place").text() == f"Part {len(pages)} of {len(pages)}"
    dialog.close()
    world.settle()


def test_content_cannot_load_anything(world: ViewWorld) -> None:
    world.show(
        conversation("q", "![x](file:///etc/hostname) <img src='file:///etc/hostname'> ![y](https://e.example/y.png)")
    )
    text = child(world.rows()[-1], RichTextWidget)
    assert text.loadResource(2, "file:///etc/hostname") is None
    assert re.findall(r'<img src="([^"]*)"', text.toHtml()) == ["icon:picture"], "the app's own"
    assert "[y] (e.example)" in text.toPlainText()


def test_figures_that_come_later_are_shown_whole(world: ViewWorld) -> None:
    answer = dataclasses.replace(message(1, Role.ASSISTANT, TextPart(text="Hello")), usage=Usage())
    world.show([message(0, Role.USER, TextPart(text="Hi")), answer])
    figures = world.find(QLabel, "answer-figures")
    before = figures.width()
    world.view.update_row(
        row_from_message(dataclasses.replace(answer, usage=Usage(output_tokens=123_456), duration_seconds=65.0))
    )
    world.settle()
    assert figures.width() > before
    assert figures.width() >= figures.sizeHint().width()
    copy = world.find(QToolButton, "copy-answer")
    assert copy.x() >= figures.geometry().right()


def test_an_answer_without_text_offers_no_copy(world: ViewWorld) -> None:
    failed = message(1, Role.ASSISTANT, ErrorPart(code="model.empty", params={}), status=MessageStatus.FAILED)
    world.show([message(0, Role.USER, TextPart(text="Hi")), failed])
    assert world.find(QLabel, "answer-figures").text()
    assert not world.all(QToolButton, "copy-answer")


def test_the_focus_stays_in_the_transcript_when_its_block_goes(world: ViewWorld) -> None:
    elsewhere = QPushButton("New chat", world.window)
    elsewhere.show()
    world.window.activateWindow()
    world.show(conversation("Hi", "A [link](https://example.com)"))
    text = world.find(RichTextWidget, "")
    text.setFocus()
    assert QApplication.focusWidget() is text
    world.view.update_row(streaming("```\ncode\n", message_id="m1"))
    world.settle()
    assert QApplication.focusWidget() is world.view


def test_a_click_on_a_card_draws_no_ring_and_a_key_does(world: ViewWorld) -> None:
    call = ToolCallPart(call_id="c", name="s__t", arguments="{}")
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text="done", duration_seconds=0.0)
    world.show([message(0, Role.USER, TextPart(text="Hi")), message(1, Role.ASSISTANT, call, result)])
    header = world.find(FoldHeader, "tool-card-header")
    world.window.activateWindow()
    quiet = header.grab().toImage()
    header.setFocus(Qt.FocusReason.MouseFocusReason)
    assert header.grab().toImage() == quiet
    header.clearFocus()
    header.setFocus(Qt.FocusReason.TabFocusReason)
    assert header.grab().toImage() != quiet


def test_a_tool_of_the_built_in_server_has_a_plain_name(world: ViewWorld) -> None:
    call = ToolCallPart(call_id="c", name="command__execute_command_local", arguments='{"command":"ls"}')
    other = ToolCallPart(call_id="d", name="files__execute_command_local", arguments="{}")
    world.show([message(0, Role.USER, TextPart(text="Hi")), message(1, Role.ASSISTANT, call, other)])
    first, second = world.all(FoldHeader, "tool-card-header")
    assert "Run a command (execute_command_local)" in first.accessibleName()
    assert "Run a command" not in second.accessibleName()


def test_headings_are_little_larger_than_the_text_and_shrink_stepwise(world: ViewWorld) -> None:
    world.show(conversation("Hi", "# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\nText"))
    sizes: list[float] = []
    for text in world.all(RichTextWidget, ""):
        block = text.document().begin()
        while block.isValid():
            sizes.append(block.begin().fragment().charFormat().font().pointSizeF())
            block = block.next()
    size = world.theme.ui_font().pointSizeF()
    assert sizes == [size + 5, size + 3, size + 1.5, size, size, size]


def test_a_thread_that_is_read_for_long_says_so(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interlude, "PATIENCE_MS", 20)
    world = ViewWorld(qapp)
    world.show(conversation("Before", "That is shown."))
    note = child(world.view, QFrame, "thread-loading")
    world.view.begin_loading()
    assert not note.isVisible(), "a moment needs no word"
    for _ in range(500):
        if not note.isVisible():
            QTest.qWait(10)
    assert note.isVisible()
    assert note.geometry() == world.view.viewport().rect(), "what was shown before is covered"
    assert [label.text() for label in note.findChildren(QLabel) if label.text()] == ["Opening the chat…"]
    world.view.begin_loading()
    world.show(conversation("After"))
    QTest.qWait(60)
    assert not note.isVisible(), "it does not come afterwards"
    world.close()


def test_a_countdown_says_what_is_waited_for_and_ends(world: ViewWorld, qtbot: QtBot) -> None:
    world.show([message(0, Role.USER, TextPart(text="Hi")), message(1, Role.ASSISTANT, status=MessageStatus.STREAMING)])
    row = row_from_message(message(1, Role.ASSISTANT, status=MessageStatus.STREAMING))
    world.view.update_row(dataclasses.replace(row, waiting=Waiting(code="rate_limited", seconds=0.4)))
    world.settle()
    status = child(world.view, QLabel, "status-text")
    assert "Trying again in 1" in status.text()
    qtbot.waitUntil(lambda: status.text() == "Too many requests for now. Trying again…")


def test_a_cut_off_answer_offers_to_go_on(world: ViewWorld) -> None:
    asked: list[bool] = []
    world.view.continue_requested.connect(lambda: asked.append(True))
    cut = message(1, Role.ASSISTANT, TextPart(text="Half of it"))
    world.show([message(0, Role.USER, TextPart(text="Hi")), dataclasses.replace(cut, reason="length")])
    button = child(world.view, QPushButton, "continue-answer")
    assert button.isVisible()
    click(button)
    assert asked == [True]


def test_remarks_and_sources_are_shown_and_a_source_asks_before_it_opens(world: ViewWorld) -> None:
    links: list[str] = []
    world.view.link_activated.connect(lambda url, _label: links.append(url))
    sources = (
        Source(url="https://a.example/page", title="Page & Co"),
        Source(url="javascript:alert(1)", title="Bad"),
    )
    answer = message(
        1,
        Role.ASSISTANT,
        RemarkPart(code="without_tools", params={"detail": "no tools here"}),
        TextPart(text="So it is."),
        SourcesPart(sources=sources),
    )
    world.show([message(0, Role.USER, TextPart(text="Hi")), answer])
    assert "no tools here" in child(world.view, QLabel, "remark-text").text()
    header = child(world.view, FoldHeader, "sources-header")
    assert header.accessibleName().startswith("2 sources")
    click(header)
    world.settle()
    good, bad = world.view.findChildren(QPushButton, "source")
    assert good.accessibleName() == "Page & Co – a.example"
    assert not bad.isEnabled()
    click(good)
    assert links == ["https://a.example/page"]


def test_the_figures_below_an_answer_say_what_was_used_and_what_it_cost(world: ViewWorld) -> None:
    usage = Usage(input_tokens=900, output_tokens=50, cached_input_tokens=600, thinking_tokens=20)
    answer = dataclasses.replace(
        message(1, Role.ASSISTANT, TextPart(text="Hello")), usage=usage, cost=Cost(amount=0.01234, currency="$")
    )
    world.show([message(0, Role.USER, TextPart(text="Hi")), answer])
    figures = world.find(QLabel, "answer-figures")
    assert "50 tokens · $0.0123" in figures.text()
    assert figures.toolTip().splitlines()[:4] == [
        "Read: 900 tokens",
        "of these 600 had been read before",
        "Written: 50 tokens",
        "of these 20 for reasoning",
    ]
