"""The progress of a running call on its card: how far, in the server's words, and nothing of it once it is done."""

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop.agent.events import AgentEvent, ToolCallEvent, ToolProgressEvent, ToolResultEvent
from desktop.conversation.entities import MessageStatus, ResultStatus, Role, TextPart
from desktop.tools.entities import CallState
from desktop.ui.state.outlines import outline_of
from desktop.ui.state.transcript_state import RowState, apply_event, row_from_message
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from tests.support.transcript_world import ViewWorld, message

HEAD: dict[str, Any] = {"thread_id": "t", "message_id": "m1", "seq": 0}
CALL = ToolCallEvent(
    **HEAD,
    call_id="c",
    name="files__copy",
    arguments='{"to":"b"}',
    state=CallState.RUNNING,
    server="files",
    tool="copy",
)


def progress(done: float, total: float | None = None, said: str = "") -> ToolProgressEvent:
    return ToolProgressEvent(**HEAD, call_id="c", done=done, total=total, message=said)


class Card:
    """An answer with one running call; ``after`` shows one more event and returns the card's line."""

    def __init__(self, app: QApplication) -> None:
        self.world = ViewWorld(app)
        asked = message(0, Role.USER, TextPart(text="q"))
        answer = message(1, Role.ASSISTANT, status=MessageStatus.STREAMING)
        self.row: RowState = row_from_message(answer)
        self.world.view.set_thread([outline_of(asked), outline_of(answer)], [row_from_message(asked), self.row])
        self.after(CALL)

    def after(self, event: AgentEvent) -> FoldHeader:
        self.row = apply_event(self.row, event)
        self.world.view.update_row(self.row)
        self.world.settle()
        return self.world.find(FoldHeader, "tool-card-header")


@pytest.fixture
def card(qapp: QApplication) -> Any:
    card = Card(qapp)
    yield card
    card.world.close()


def test_the_card_says_how_far_a_call_is(card: Card) -> None:
    header = card.after(progress(1, 4, "copying a.txt"))
    assert header.accessibleName() == "Tool copy of files: Running… 25 %, closed"
    assert header._text.hint.startswith("copying a.txt · files")
    header = card.after(progress(9, 4))
    assert "100 %" in header.accessibleName()
    assert header._text.hint.startswith("files")


def test_without_a_total_only_the_servers_words_are_shown(card: Card) -> None:
    header = card.after(progress(17, None, "17 files\u202e"))
    assert header.accessibleName() == "Tool copy of files: Running…, closed"
    assert header._text.hint.startswith("17 files<U+202E>")


def test_a_call_that_is_done_shows_no_progress_any_more(card: Card) -> None:
    card.after(progress(1, 4, "copying"))
    header = card.after(ToolResultEvent(**HEAD, call_id="c", status=ResultStatus.OK, text="ok", duration_seconds=0.1))
    assert header.accessibleName() == "Tool copy of files: Done · 0.1 s, closed"
    assert "copying" not in header._text.hint
    header = card.after(progress(3, 4, "too late"))
    assert "too late" not in header._text.hint
