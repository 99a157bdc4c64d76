"""Ways through a chat in the real window, over a restart: changed, asked again, turned, branched, and purged."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from desktop.app.event_loop import QtLoop
from desktop.ui.header import Header
from desktop.ui.transcript.row import RowWidget
from tests.support.endpoint import Answer, LoopbackEndpoint, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.several_world import MODELS, SeveralWorld, several_world
from tests.support.waiting import until


def told(request: RecordedRequest) -> Answer:
    return [text(f"about {request.last_user_text}")]


async def press(world: SeveralWorld, name: str, words: str) -> None:
    """Press a button below a message as soon as it is in sight."""

    def in_sight() -> list[QToolButton]:
        rows = [row for row in world.window.transcript.viewport().findChildren(RowWidget) if not row.isHidden()]
        ending = [row for row in rows if row.accessibleName().endswith(words)]
        return [each for row in ending for each in row.findChildren(QToolButton, name) if each.isVisible()]

    await until(in_sight)
    (button,) = in_sight()
    button.click()


def places_of(words: bytes, folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and words in path.read_bytes()]


async def ask(world: SeveralWorld, words: str) -> None:
    world.send(words)
    await until(lambda: f"You said: {words}" in world.shown())
    await world.all_are_done()
    await until(lambda: world.shown()[-1] == f"Answer from alpha: about {words}")


async def test_ways_through_a_chat_are_there_after_a_restart_and_a_branch_outlives_its_origin(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    with LoopbackEndpoint(told, models=MODELS) as endpoint:
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            edit = world.window.composer.edit
            await ask(world, "tea")
            await press(world, "edit-question", "said: tea")
            await until(lambda: edit.toPlainText() == "tea")
            edit.selectAll()
            edit.insertPlainText("coffee")
            QTest.keyClick(edit, Qt.Key.Key_Return)
            await until(lambda: world.shown()[-1:] == ["Answer from alpha: about coffee"])
            await world.all_are_done()
            origin = world.thread_id
            await press(world, "branch-answer", "about coffee")
            await until(lambda: world.thread_id != origin and "You said: coffee" in world.shown())
            branch = world.thread_id
            await world.session.presenter.open_thread(origin)
            await until(lambda: "You said: coffee" in world.shown())
            QTest.keyClick(world.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
            await until(lambda: "You said: tea" in world.shown())
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            await world.session.presenter.open_thread(origin)
            await until(lambda: world.shown() and world.shown()[-1] == "Answer from alpha: about tea")
            assert "You said: coffee" not in world.shown(), "the way that was chosen last is shown"
            await world.session.container.chat.purge_thread(origin)
            await world.session.presenter.open_thread(branch)
            await until(lambda: world.shown() and world.shown()[-1] == "Answer from alpha: about coffee")
            assert [message.text for message in await world.path()] == ["coffee", "about coffee"]
            await until(lambda: not world.find(Header, "header").origin.isVisible())
            assert not places_of(b"about tea", tmp_path)
