"""Single messages and results leave a chat: by the menu and by the Delete key, with Undo, and for good when that is over."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from desktop.conversation.entities import MessageStatus, Part, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.conversation.removals import REMOVED_RESULT, Removed
from desktop.core.language_model import TextDelta, Usage
from desktop.ui.memory.receipts import ReceiptDialog
from desktop.ui.transcript.blocks.tool_card import ToolCard
from desktop.ui.transcript.row import RowWidget
from tests.support.scripted_model import said
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

K = Qt.Key
SENTINEL = "quincunxsentinel"


async def chat(world: WindowWorld, *rounds: tuple[str, Sequence[Part]]) -> str:
    threads = world.store.threads
    thread = await threads.create_thread(title="A chat")
    for question, parts in rounds:
        turn = await threads.begin_turn(thread.id, question, model="m")
        await threads.finish_turn(
            turn.turn_id,
            parts=parts,
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(output_tokens=1),
            duration_seconds=1.0,
        )
    await world.presenter.open_thread(thread.id)
    await until(lambda: world.presenter.transcript.is_loaded and shown(world))
    await activate(world)
    return thread.id


async def activate(world: WindowWorld) -> None:
    """Give the window the keyboard, which a menu may have had, and the messages the focus."""
    window = world.presenter.window
    window.activateWindow()
    await until(window.isActiveWindow)
    window.transcript.setFocus()


def talk(count: int) -> list[tuple[str, Sequence[Part]]]:
    return [(f"Question {n}", [TextPart(text=f"Reply {n}")]) for n in range(count)]


def rows(world: WindowWorld) -> list[RowWidget]:
    found = world.presenter.window.transcript.viewport().findChildren(RowWidget)
    return sorted((row for row in found if not row.isHidden()), key=lambda row: row.y())


def shown(world: WindowWorld) -> list[str]:
    return [row.accessibleName().rpartition(": ")[2] for row in rows(world)]


def menu_at(world: WindowWorld, widget: QWidget) -> QMenu:
    view = world.presenter.window.transcript
    at = widget.mapToGlobal(QPoint(widget.width() // 2, min(20, widget.height() // 2)))
    place = view.viewport().mapFromGlobal(at)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, at))
    menus = [menu for menu in view.findChildren(QMenu, "transcript-menu") if menu.isVisible()]
    return menus[-1]


def choose(menu: QMenu, words: str) -> None:
    action = next(each for each in menu.actions() if each.text() == words)
    assert action.isEnabled()
    action.trigger()
    menu.close()


def offered(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if action.text().startswith(("Delete", "Remove"))]


def toast(world: WindowWorld) -> str:
    label = world.presenter.window.toast.findChild(QLabel, "toastText")
    assert isinstance(label, QLabel)
    return label.text() if world.presenter.window.toast.isVisible() else ""


def is_on_disk(world: WindowWorld, words: str) -> bool:
    files = [path for path in world.data_dir.rglob("*") if path.is_file()]
    return any(words.encode() in path.read_bytes() for path in files)


async def test_a_message_goes_comes_back_with_undo_and_is_gone_when_that_is_over(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await chat(world, *talk(2), (f"Question {SENTINEL}", [TextPart(text="Reply 2")]))
        everything = shown(world)
        choose(menu_at(world, rows(world)[4]), "Delete this message")
        await until(lambda: toast(world) == "Message deleted")
        await until(lambda: shown(world) == [each for each in everything if SENTINEL not in each])
        await activate(world)
        QTest.keyClick(world.presenter.window.transcript, K.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: shown(world) == everything)
        choose(menu_at(world, rows(world)[5]), "Delete this answer")
        await until(lambda: shown(world) == everything[:5])
        choose(menu_at(world, rows(world)[4]), "Delete this message")
        await until(lambda: shown(world) == everything[:4])
        assert is_on_disk(world, SENTINEL), "it can still be taken back"
        world.presenter.window.toast.dismiss()
        await until(lambda: toast(world).endswith("gone for good"))
        await until(lambda: not is_on_disk(world, SENTINEL))
        world.presenter.window.toast.act()
        (receipt,) = world.presenter.window.findChildren(ReceiptDialog)
        assert {name: count for name, count, _ in receipt.lines()}["messages"] in (1, 2)
        receipt.accept()
        assert shown(world) == everything[:4]
        assert world.errors == []


async def test_a_result_is_removed_by_the_menu_of_its_card(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    call = ToolCallPart(call_id="1", name="files__read", arguments='{"path": "a.txt"}')
    result = ToolResultPart(call_id="1", status=ResultStatus.OK, text=f"It says {SENTINEL}")
    async with window_world(qapp, tmp_path) as world:
        thread_id = await chat(world, ("Read it", [call, result, TextPart(text="Done.", step=1)]))

        def card() -> ToolCard:
            found = world.presenter.window.transcript.viewport().findChildren(ToolCard)
            return next(each for each in found if each.isVisible())

        choose(menu_at(world, card()), "Remove this result")
        await until(lambda: toast(world) == "Result removed" and not card().call_with_result)
        menu = menu_at(world, card())
        assert [action.text() for action in offered(menu)] == ["Delete this answer"]
        menu.close()
        world.presenter.window.toast.act()
        await until(lambda: bool(card().call_with_result))
        await activate(world)
        card().findChildren(QWidget, "tool-card-header")[0].setFocus()
        QTest.keyClick(card().findChildren(QWidget, "tool-card-header")[0], K.Key_Delete)
        await until(lambda: toast(world) == "Result removed")
        world.presenter.window.toast.dismiss()
        await until(lambda: not is_on_disk(world, SENTINEL))
        answer = (await world.store.threads.path(thread_id))[1]
        assert [part.text for part in answer.parts if isinstance(part, ToolResultPart)] == [REMOVED_RESULT]


async def test_what_is_being_written_is_stopped_before_it_goes(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    step = [TextDelta(text="I begin "), hold, *said("and end.")]
    async with window_world(qapp, tmp_path, step) as world:
        thread_id = await chat(world, *talk(1))
        run = await world.chat.send(thread_id, "Go on")
        await until(lambda: shown(world)[-1].startswith("I begin"))
        choose(menu_at(world, rows(world)[-1]), "Delete this answer")
        await until(lambda: shown(world)[-1] == "Go on")
        assert run.terminal is not None
        assert not world.chat.runs_of(thread_id)
        assert world.model.open_streams == 0
        assert [message.text for message in await world.store.threads.path(thread_id)][-1] == "Go on"
        assert world.errors == []


async def test_the_end_of_the_window_erases_what_was_removed(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        await chat(world, *talk(1), (f"Question {SENTINEL}", [TextPart(text="Reply 1")]))
        choose(menu_at(world, rows(world)[2]), "Delete this message")
        await until(lambda: toast(world) == "Message deleted")
        await world.presenter.flush_drafts()
        assert not is_on_disk(world, SENTINEL)


async def test_the_last_messages_go_and_the_chat_greets_and_goes_on(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path, said("Anew.")) as world:
        thread_id = await chat(world, *talk(1))
        for _ in range(2):
            before = len(shown(world))
            QTest.keyClick(world.presenter.window.transcript, K.Key_Delete)
            await until(lambda b=before: len(shown(world)) < b)
        assert world.presenter.window.transcript.message_count == 0
        run = await world.chat.send(thread_id, "Hello again")
        await run.wait_over()
        await until(lambda: shown(world) == ["Hello again", "Anew."])
        assert world.errors == []


async def test_with_the_focus_on_the_whole_chat_the_message_of_which_most_is_in_sight_goes(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        tall = [TextPart(text="\n\n".join(f"Line {n}" for n in range(14)))]
        thread_id = await chat(world, *talk(2), ("The long one", tall), *talk(1))
        path = await world.store.threads.path(thread_id)
        view = world.presenter.window.transcript
        for place in (
            5,
            7,
            0,
        ):  # the long answer, then what is left, at the end of which nothing is longer than another
            if place == 5:
                view.scroll_to_message(path[5].id)
                await until(lambda: (at := view.position_of(path[5].id)) is not None and at.y < 80)
            assert QApplication.focusWidget() is view
            before = [message.id for message in await world.store.threads.path(thread_id)]
            QTest.keyClick(view, K.Key_A, Qt.KeyboardModifier.ControlModifier)
            meant = view.selected_text()
            QTest.keyClick(view, K.Key_Delete)
            await until(lambda b=before: view.message_count == len(b) - 1)
            assert toast(world) == "Message deleted"
            after = [message.id for message in await world.store.threads.path(thread_id)]
            (gone,) = set(before) - set(after)
            words = next(message.text for message in path if message.id == gone)
            assert words.replace("\n\n", "\n") == meant.strip().replace("\n\n", "\n"), "what Ctrl+A selects"
            if place == 5:
                assert gone == path[5].id
            await activate(world)
        assert world.errors == []


async def test_the_place_that_is_read_stays_when_something_above_goes(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await chat(world, *talk(60))
        path = await world.store.threads.path(thread_id)
        view = world.presenter.window.transcript
        await until(lambda: view.message_count == 120)
        view.scroll_to_message(path[60].id)
        await until(lambda: view.position_of(path[62].id) is not None)
        await asyncio.sleep(0.05)
        before = view.reading_position()
        assert before is not None
        await world.presenter.features.removing.remove(Removed(path[10].id))
        await until(lambda: view.message_count == 119)
        await until(lambda: view.reading_position() == before)
