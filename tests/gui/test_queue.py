"""What is written while an answer runs, as a person sees it: rows above the message, by mouse and keys."""

import asyncio
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from desktop.agent.queue_state import Pause
from desktop.core.errors import ModelError
from desktop.ui.composer.queue_panel import QueuePanel
from desktop.ui.composer.queue_row import QueueRow
from tests.support.scripted_model import Step, said
from tests.support.settings_world import set_appearance
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
ENTER, ALT = Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier


def held(hold: asyncio.Event) -> Step:
    return [*said("begun")[:-1], hold, *said(" and done")]


def child(parent: QWidget, kind: type[W], name: str) -> W:
    found = parent.findChild(kind, name)
    assert found is not None, f"no {kind.__name__} {name}"
    return found


def click(widget: QWidget) -> None:
    assert widget.isVisible()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


class Person:
    """Somebody in front of the window."""

    def __init__(self, world: WindowWorld) -> None:
        self.world = world
        self.composer = world.presenter.window.composer

    @property
    def thread_id(self) -> str:
        return self.world.presenter.thread_id or ""

    @property
    def panel(self) -> QueuePanel:
        panel = self.world.presenter.features.queue.panel
        assert panel is not None, "nothing waited yet"
        return panel

    def rows(self) -> list[str]:
        """What waits, as it is shown."""
        panel = self.world.presenter.features.queue.panel
        return [] if panel is None or panel.isHidden() else [row.message.text for row in panel.rows]

    def row(self, place: int) -> QueueRow:
        return self.panel.rows[place]

    async def send(self, text: str) -> None:
        self.composer.edit.setFocus()
        self.composer.edit.insertPlainText(text)
        QTest.keyClick(self.composer.edit, ENTER)
        await until(lambda: self.composer.edit.toPlainText() == "")

    async def begin(self, *waiting: str) -> None:
        """Start an answer that is held, and let these wait."""
        await self.send("go")
        await until(lambda: self.thread_id and self.world.chat.runs_of(self.thread_id))
        for number, text in enumerate(waiting, start=1):
            await self.send(text)
            await until(lambda number=number: len(self.rows()) == number)

    async def said(self) -> list[str]:
        return [m.text for m in (await self.world.store.threads.path(self.thread_id))[::2]]

    async def all_is_sent(self) -> None:
        queue, chat = self.world.queue, self.world.chat
        await until(lambda: not queue.queue_of(self.thread_id).messages and not chat.runs_of(self.thread_id))


async def test_what_is_sent_meanwhile_waits_above_the_message_and_goes_in_order(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold), said("two"), said("three")) as world:
        person = Person(world)
        await person.begin()
        button = child(person.composer, QPushButton, "queueButton")
        assert not button.isVisible()
        person.composer.edit.insertPlainText("second")
        assert button.isVisible()
        assert button.accessibleName() == "Send after this answer"
        click(button)
        await until(lambda: person.rows() == ["second"])
        assert person.composer.edit.hasFocus()
        assert not button.isVisible()
        await person.send("third")
        await until(lambda: person.rows() == ["second", "third"])
        assert person.panel.words == "2 messages are sent when the answer is done."
        assert not child(person.panel, QPushButton, "queueGoOn").isVisible()
        hold.set()
        await person.all_is_sent()
        assert await person.said() == ["go", "second", "third"]
        await until(lambda: not person.rows())
        assert world.errors == []


async def test_a_message_that_waits_is_changed_in_its_place_and_not_sent_meanwhile(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold), said("two"), said("three")) as world:
        person = Person(world)
        await person.begin("secnod", "third")
        person.composer.edit.insertPlainText("half a thought")
        click(child(person.row(0), QPushButton, "queuedText"))
        edit = person.panel.editor.edit
        assert edit.isVisible()
        assert edit.hasFocus()
        assert edit.toPlainText() == "secnod"
        hold.set()
        await until(lambda: not world.chat.runs_of(person.thread_id))
        assert person.rows() == ["secnod", "third"]
        assert "until you have changed yours" in person.panel.words
        edit.selectAll()
        edit.insertPlainText("second")
        QTest.keyClick(edit, ENTER)
        await person.all_is_sent()
        assert await person.said() == ["go", "second", "third"]
        assert person.composer.edit.toPlainText() == "half a thought"
        assert not edit.isVisible()


async def test_a_change_is_given_up_with_escape_and_an_input_method_never_saves(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold)) as world:
        person = Person(world)
        await person.begin("second")
        click(child(person.row(0), QToolButton, "queuedEdit"))
        edit = person.panel.editor.edit
        QApplication.sendEvent(edit, QInputMethodEvent("にほん", []))
        QTest.keyClick(edit, ENTER)
        assert edit.isVisible(), "Enter belongs to the input method"
        QTest.keyClick(edit, Qt.Key.Key_Escape)
        edit.insertPlainText(" more")
        await asyncio.sleep(0.07)  # after which an Enter is the user's again
        QTest.keyClick(edit, Qt.Key.Key_Escape)
        await until(lambda: not edit.isVisible())
        assert person.rows() == ["second"]
        assert person.composer.edit.hasFocus()
        assert world.chat.runs_of(person.thread_id), "Escape in the editor stops no answer"
        await world.chat.stop(person.thread_id)


async def test_what_is_being_changed_is_there_again_on_return_and_is_not_sent_behind_the_back(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold), said("two")) as world:
        person = Person(world)
        await person.begin("second")
        first = person.thread_id
        click(child(person.row(0), QToolButton, "queuedEdit"))
        person.panel.editor.edit.insertPlainText(" and more")
        other = await world.add_thread("elsewhere")
        await world.presenter.open_thread(other)
        assert person.rows() == []
        hold.set()
        await until(lambda: not world.chat.runs_of(first))
        await world.presenter.open_thread(first)
        await until(lambda: person.panel.editor.isVisible())
        assert person.panel.editor.edit.toPlainText() == "second and more"
        QTest.keyClick(person.panel.editor.edit, ENTER)
        await person.all_is_sent()
        assert await person.said() == ["go", "second and more"]


async def test_removing_can_be_undone_and_the_keys_move_and_remove(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold)) as world:
        person = Person(world)
        await person.begin("a", "b", "c")
        click(child(person.row(1), QToolButton, "queuedRemove"))
        await until(lambda: person.rows() == ["a", "c"])
        await until(lambda: world.presenter.window.toast.can_act)
        QTest.keyClick(person.composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: person.rows() == ["a", "b", "c"])
        assert [m.text for m in await world.store.queue.of_thread(person.thread_id)] == ["a", "b", "c"]
        person.row(2).focus_text()
        QTest.keyClick(child(person.row(2), QPushButton, "queuedText"), Qt.Key.Key_Up, ALT)
        await until(lambda: person.rows() == ["a", "c", "b"])
        text = child(person.row(1), QPushButton, "queuedText")
        await until(text.hasFocus)
        QTest.keyClick(text, Qt.Key.Key_Delete)
        await until(lambda: person.rows() == ["a", "b"])
        assert child(person.row(1), QPushButton, "queuedText").hasFocus(), "the focus goes to the next row"
        click(child(person.row(1), QToolButton, "queuedUp"))
        await until(lambda: person.rows() == ["b", "a"])
        toast = world.presenter.window.toast
        toast.dismiss()

        async def on_disk() -> int:
            rows = await world.store.database.read(
                lambda c: c.execute("SELECT count(*) FROM queued_messages").fetchone()
            )
            return rows[0]

        while await on_disk() != 2:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)
        await world.chat.stop(person.thread_id)


async def test_send_now_stops_the_answer(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold), said("urgent"), said("a")) as world:
        person = Person(world)
        await person.begin("a", "urgent")
        now = child(person.row(1), QToolButton, "queuedNow")
        assert now.toolTip() == "Stop the answer and send this now"
        click(now)
        await person.all_is_sent()
        assert await person.said() == ["go", "urgent", "a"]


async def test_after_a_stop_it_pauses_and_says_so_and_goes_on_or_is_discarded(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    failure = ModelError("model.unreachable", url="http://127.0.0.1:9/v1", detail="refused")
    async with window_world(qapp, tmp_path, held(hold), [failure]) as world:
        person = Person(world)
        await person.begin("a", "b", "c")
        QTest.keyClick(person.composer.edit, Qt.Key.Key_Escape)
        await until(lambda: person.panel.words == "You stopped the answer. 3 messages wait.")
        go_on = child(person.panel, QPushButton, "queueGoOn")
        assert go_on.text() == "Go on"
        click(go_on)
        await until(lambda: person.panel.words == "The answer failed. 2 messages wait.")
        click(child(person.panel, QPushButton, "queueDiscard"))
        await until(lambda: not person.rows())
        assert await person.said() == ["go", "a"]
        await until(lambda: world.presenter.window.toast.can_act)
        world.presenter.window.toast.act()
        await until(lambda: person.rows() == ["b", "c"])
        assert world.queue.queue_of(person.thread_id).pause is Pause.FAILED


async def test_after_a_restart_it_waits_for_a_click(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold)) as world:
        person = Person(world)
        await person.begin("a", "b")
        thread_id = person.thread_id
    async with window_world(qapp, tmp_path, said("a"), said("b")) as world:
        person = Person(world)
        await world.presenter.open_thread(thread_id)
        await until(lambda: person.rows() == ["a", "b"])
        assert person.panel.words == "2 messages were not sent yet."
        send = child(person.panel, QPushButton, "queueGoOn")
        assert send.text() == "Send"
        assert not world.model.requests
        click(send)
        await person.all_is_sent()
        assert await person.said() == ["go", "a", "b"]


async def test_the_queue_of_a_hidden_chat_goes_on_there_and_is_shown_nowhere_else(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold), said("a"), said("b")) as world:
        person = Person(world)
        await person.begin("a", "b")
        thread_id = person.thread_id
        await world.presenter.open_thread(None)
        assert person.rows() == []
        person.composer.edit.insertPlainText("a draft for something new")
        hold.set()
        await until(lambda: not world.queue.queue_of(thread_id).messages and not world.chat.runs_of(thread_id))
        assert person.composer.edit.toPlainText() == "a draft for something new"
        assert [m.text for m in await world.store.threads.path(thread_id)][::2] == ["go", "a", "b"]
        assert world.presenter.thread_id is None


async def test_a_key_is_held_back_in_the_editor_too(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold)) as world:
        person = Person(world)
        await person.begin("second")
        click(child(person.row(0), QToolButton, "queuedEdit"))
        edit = person.panel.editor.edit
        edit.insertPlainText(" sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2)
        QTest.keyClick(edit, ENTER)
        assert edit.isVisible()
        await asyncio.sleep(0.8)  # until what stands there is written down
        (stored,) = await world.store.queue.of_thread(person.thread_id)
        assert "a1B2c3D4" not in stored.text
        await world.chat.stop(person.thread_id)


async def test_every_control_has_a_name_and_is_reached_by_tab(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold)) as world:
        person = Person(world)
        await person.begin("a", "b")
        await world.chat.stop(person.thread_id)
        await until(lambda: child(person.panel, QPushButton, "queueGoOn").isVisible())
        click(child(person.row(0), QToolButton, "queuedEdit"))
        stops = [stop for stop in person.composer.focus_stops() if stop.isVisible()]
        inside = [stop for stop in stops if person.panel.isAncestorOf(stop)]
        assert len(inside) == 2 + 4 + 5 + 3
        assert all(stop.accessibleName() for stop in inside)
        set_appearance(world, language="zh_CN")
        assert all(stop.accessibleName() for stop in inside)
