"""Text that streams: what is appended to a document is what drawing the whole again would make, and when it is shown."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.conversation.entities import Role
from desktop.core.settings import Theme
from desktop.ui.markdown.html_growth import added_text
from desktop.ui.markdown.markdown_stream import MarkdownStream
from desktop.ui.markdown.segments import RichSegment
from desktop.ui.state.transcript_state import RowState, row_from_message
from desktop.ui.transcript import coalescer
from desktop.ui.transcript.blocks.rich_text import RichText
from desktop.ui.transcript.coalescer import Coalescer
from tests.support.transcript_world import ViewWorld, message

WIDTH = 400
_PIECES = st.sampled_from(
    [
        "word", " and", " more words,", "  two", "中文", "\u3000", "\xa0x", "\n", "\n\n", "  \n", "# ", "- ", "1. ", "> ",
        "    ", "**", "*", "`", "~~", "[a](https://e.org/", ")", " https://example.org/x", "?a=1&b=2", "&lt;", "&", "<b>",
        "\\", "- [ ] ", "```\n", "|a|b|\n|-|-|\n", "|", "\u202e", "🙂", ".", "!",
    ]
)  # fmt: skip


@pytest.fixture
def world(qapp: QApplication) -> Iterator[ViewWorld]:
    world = ViewWorld(qapp, theme=Theme.LIGHT)
    yield world
    world.close()


def text_of(world: ViewWorld) -> RichText:
    return RichText(world.view.context, world.view)


def test_growing_is_the_same_as_drawing_anew(world: ViewWorld) -> None:
    @given(st.lists(_PIECES, max_size=25))
    @example(
        ["Words", " and", " more words,", " https://example.org/x", "?a=1&b=2", " end", "\n", "soft", "  two", "."]
    )
    @example(["- ", "word", " and", "\n", "- ", "word", "**", " and", "**", ".", "\n\n", "> ", "word", " more words,"])
    def check(pieces: list[str]) -> None:
        stream, grown, source = MarkdownStream(), list[RichText](), ""
        for piece in pieces:
            source += piece
            texts = [s for s in stream.update(source, is_open=True) if isinstance(s, RichSegment)]
            for index, segment in enumerate(texts):
                if index == len(grown):
                    grown.append(text_of(world))
                drawn_anew = shown(text_of(world), segment)
                assert looks(shown(grown[index], segment)) == looks(drawn_anew), source
                drawn_anew.deleteLater()
        for text in grown:
            text.deleteLater()
        world.settle()

    check()


def shown(text: RichText, segment: RichSegment) -> RichText:
    text.show_html(segment.html, segment.links)
    return text


def looks(text: RichText) -> tuple[object, ...]:
    return text.height_for(WIDTH), text.document().toHtml(), text.accessibleName(), text.focusPolicy()


@pytest.mark.parametrize(
    ("old", "new", "added"),
    [
        ("<p>One</p>", "<p>One and two</p>", " and two"),
        ("<p>One</p>", "<p>One\ntwo &amp; three</p>", " two & three"),
        ("<ol><li>a</li><li>b</li></ol>", "<ol><li>a</li><li>bc</li></ol>", "c"),
        ("<p>One</p>", "<p>One <b>two</b></p>", None),
        ("<p>One</p>", "<p>One</p><p>two</p>", None),
        ("<p>One *two</p>", "<p>One <i>two</i></p>", None),
        ("<p>One</p>", "<p>Two</p>", None),
        ("<table><tr><td>a</td></tr></table>", "<table><tr><td>ab</td></tr></table>", None),
        ("", "One", None),
    ],
)
def test_what_was_added(old: str, new: str, added: str | None) -> None:
    assert added_text(old, new) == added


def test_appending_keeps_what_is_selected(world: ViewWorld) -> None:
    text = text_of(world)
    text.show_html("<p>One two</p>", ())
    cursor = QTextCursor(text.document())
    cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    text.show_html("<p>One two three</p>", ())
    assert text.textCursor().selectedText() == "One"
    text.deleteLater()


# -- when it is shown -------------------------------------------------------------------------------------------------

ROW = row_from_message(message(1, Role.ASSISTANT))


def test_what_comes_after_a_pause_is_shown_at_once_and_then_only_the_newest(qapp: QApplication, qtbot: QtBot) -> None:
    shown_rows: list[RowState] = []
    parent = QObject()
    gather = Coalescer(shown_rows.append, parent)
    first, second, third = (message(number, Role.ASSISTANT) for number in range(3))
    gather.put(row_from_message(first))
    assert [row.message_id for row in shown_rows] == ["m0"]
    assert gather.wait_seconds > 0
    gather.put(row_from_message(second))
    gather.put(row_from_message(third))
    assert len(shown_rows) == 1, "the next one waits"
    qtbot.waitUntil(lambda: len(shown_rows) == 2)
    assert shown_rows[-1].message_id == "m2"


def test_dear_updates_are_rarer(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(coalescer.time, "perf_counter", lambda: now)

    def take(seconds: float) -> float:
        """The pause after some updates that take so long."""

        def show(_row: RowState) -> None:
            nonlocal now
            now += seconds

        parent = QObject()
        gather = Coalescer(show, parent)
        for _ in range(20):
            gather.put(ROW)
            gather.flush()
        return gather.wait_seconds

    cheap, dear = take(0.001), take(0.1)
    assert cheap < 0.033, "a chunk is seen within 33 ms"
    assert dear > 0.3, "and input never waits behind updates"
