"""What a growing or scrolled transcript paints: only what is new, and the same pixels as if it painted everything."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.conversation.entities import MessageStatus, Role
from desktop.core.settings import Theme
from desktop.ui.state.transcript_state import RowState, TextItem
from desktop.ui.transcript.blocks.rich_text import RichTextWidget
from tests.support.transcript_world import ViewWorld, conversation

ANSWER = (
    "**Some** words that go on until they fill more than one line of the window, and then a little further.\n\n"
    "```python\n" + "".join(f"value = {n}\n" for n in range(12)) + "```\n\n"
    "| a | b |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n\n" + "1. a step of the plan\n" * 6
)


class Painted(QObject):
    """Adds up how much of a widget was painted, in parts of its area."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent) and isinstance(watched, QWidget):
            self.times += event.rect().height() * event.rect().width() / (watched.height() * watched.width())
        return False


@pytest.fixture(params=[Theme.LIGHT, Theme.DARK])
def world(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[ViewWorld]:
    made = ViewWorld(qapp, theme=request.param)
    yield made
    made.close()


def growing(world: ViewWorld, answer: str = ANSWER) -> Iterator[None]:
    """An answer that grows by a few characters at a time, behind earlier messages."""
    world.show(conversation(*(f"Message {n} " + "with words " * 30 for n in range(9)), "Go"))
    row = RowState(message_id="answer", role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=())
    world.view.append_rows([row])
    for length in range(40, len(answer), 23):
        item = TextItem(text=answer[:length], is_open=True)
        world.view.update_row(
            RowState(message_id="answer", role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=(item,))
        )
        world.settle()
        yield


def shown(world: ViewWorld) -> QImage:
    """What has come to the screen."""
    return world.window.screen().grabWindow(world.window.winId()).toImage()


def painted_anew(world: ViewWorld) -> QImage:
    for widget in (world.window, *world.window.findChildren(QWidget)):
        widget.update()
    world.settle()
    return shown(world)


def top_of(world: ViewWorld, widget: QWidget) -> int:
    return widget.mapTo(world.view, widget.rect().topLeft()).y()


def test_a_growing_answer_hardly_paints_what_stands_above_it(world: ViewWorld) -> None:
    updates = growing(world, "words upon words " * 80)
    for _ in range(10):
        next(updates)
    places = {text: top_of(world, text) for text in world.all(RichTextWidget, "")}
    above = next(text for text, top in places.items() if top > 150)
    painted = Painted(above)
    for _ in range(20):
        next(updates)
    assert 0 < top_of(world, above) < places[above], "it has moved and can still be seen"
    assert painted.times < 1, "twenty updates, and less than one painting"


def test_what_is_copied_is_what_painting_would_make(world: ViewWorld) -> None:
    for number, _ in enumerate(growing(world)):
        if number % 6 == 0:
            assert shown(world) == painted_anew(world), f"after update {number}"


@pytest.mark.parametrize("key", [Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Home])
def test_scrolling_by_keys_leaves_no_trace(world: ViewWorld, key: Qt.Key) -> None:
    for _ in growing(world):
        pass
    world.window.activateWindow()
    world.view.setFocus(Qt.FocusReason.TabFocusReason)  # with its frame around it
    for _ in range(3):
        QTest.keyClick(world.view, key)
        world.settle()
        assert shown(world) == painted_anew(world)
