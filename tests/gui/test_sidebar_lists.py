"""The sidebar as a person puts chats in order in it: folders, pins, the archive, many at once, and what was not read."""

import asyncio
import dataclasses
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from desktop.conversation.entities import Thread
from desktop.conversation.lists import ListKind
from desktop.ui.shortcuts import sequences
from desktop.ui.sidebar.thread_list_view import ThreadListView
from desktop.ui.sidebar.thread_roles import ThreadMark, ThreadRole
from tests.support.scripted_model import said
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

Modifier = Qt.KeyboardModifier


def rows(world: WindowWorld) -> list[str]:
    model = world.presenter.window.sidebar.model
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def chats(world: WindowWorld) -> ThreadListView:
    return world.presenter.window.sidebar.list


def middle_of(world: WindowWorld, thread_id: str) -> QPoint:
    view = chats(world)
    return view.visualRect(world.presenter.window.sidebar.model.index_of(thread_id)).center()


def middle_of_folder(world: WindowWorld, folder_id: str) -> QPoint:
    view = chats(world)
    return view.visualRect(world.presenter.window.sidebar.model.index_of_folder(folder_id)).center()


def click(world: WindowWorld, point: QPoint, modifier: Modifier = Modifier.NoModifier) -> None:
    QTest.mouseClick(chats(world).viewport(), Qt.MouseButton.LeftButton, modifier, point)


def drag(world: WindowWorld, start: QPoint, *way: QPoint, ends_with: Qt.Key | None = None) -> None:
    viewport = chats(world).viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Modifier.NoModifier, start)
    for point in (start + QPoint(0, 6), *way):
        _move(viewport, point)
    if ends_with is not None:
        QTest.keyClick(chats(world), ends_with)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Modifier.NoModifier, way[-1])


def _move(viewport: QWidget, point: QPoint) -> None:
    """``QTest.mouseMove`` says nothing of the button that is held."""
    where = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        where,
        QPointF(viewport.mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Modifier.NoModifier,
    )
    QApplication.sendEvent(viewport, event)


async def undo(world: WindowWorld) -> None:
    toast = world.presenter.window.toast
    await until(lambda: toast.can_act)
    chats(world).setFocus()
    QTest.keyClick(chats(world), Qt.Key.Key_Z, Modifier.ControlModifier)


async def titles(world: WindowWorld, kind: ListKind, folder_id: str = "") -> list[str]:
    page = await world.lists.page(kind, folder_id=folder_id)
    return [thread.title for thread in page.threads]


async def test_a_chat_is_dragged_into_a_folder_and_out_again(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        folder = await world.lists.create_folder("Work")
        assert folder is not None
        await until(lambda: rows(world) == ["Work", "Today", "two", "one"])
        click(world, middle_of(world, two))
        await until(lambda: world.presenter.thread_id == two)
        drag(world, middle_of(world, one), middle_of_folder(world, folder.id))
        await until(lambda: rows(world) == ["Work", "one", "Today", "two"])
        assert world.presenter.thread_id == two, "what is only dragged is not opened"
        assert chats(world).selected_ids() == [two]
        await undo(world)
        await until(lambda: rows(world) == ["Work", "Today", "two", "one"])
        drag(world, middle_of(world, one), middle_of_folder(world, folder.id))
        await until(lambda: rows(world) == ["Work", "one", "Today", "two"])
        drag(world, middle_of(world, one), middle_of(world, two))
        await until(lambda: rows(world) == ["Work", "Today", "two", "one"])
        assert await titles(world, ListKind.FOLDER, folder.id) == []


async def test_escape_and_the_way_out_end_a_drag(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await world.add_thread("one")
        folder = await world.lists.create_folder("Work")
        assert folder is not None
        await until(lambda: rows(world) == ["Work", "Today", "one"])
        drag(world, middle_of(world, one), middle_of_folder(world, folder.id), ends_with=Qt.Key.Key_Escape)
        drag(world, middle_of(world, one), QPoint(-40, 10))
        for _ in range(3):
            await world.lists.folders()
        assert await titles(world, ListKind.OTHERS) == ["one"]
        assert world.presenter.thread_id is None


async def test_several_are_dragged_at_once_and_pinned_by_it(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two, three = [await world.add_thread(text) for text in ("one", "two", "three")]
        await world.lists.pin([three])
        await until(lambda: rows(world) == ["Pinned", "three", "Today", "two", "one"])
        click(world, middle_of(world, one), Modifier.ControlModifier)
        click(world, middle_of(world, two), Modifier.ControlModifier)
        drag(world, middle_of(world, one), middle_of(world, three))
        await until(lambda: rows(world) == ["Pinned", "two", "one", "three"])
        await undo(world)
        await until(lambda: rows(world) == ["Pinned", "three", "Today", "two", "one"])


async def test_folders_are_put_into_another_order_by_dragging(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("one")
        work, home = [await world.lists.create_folder(name) for name in ("Work", "Home")]
        assert work is not None
        assert home is not None
        await until(lambda: rows(world) == ["Work", "Home", "Today", "one"])
        drag(world, middle_of_folder(world, home.id), middle_of_folder(world, work.id) - QPoint(0, 6))
        await until(lambda: rows(world)[:2] == ["Home", "Work"])


async def test_keys_select_pin_archive_and_delete_many_with_one_undo(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = [await world.add_thread(text) for text in ("one", "two", "three")]
        view = chats(world)
        usual = ["Today", "three", "two", "one"]
        await until(lambda: rows(world) == usual)
        click(world, middle_of(world, ids[2]))
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Down, Modifier.ShiftModifier)
        QTest.keyClick(view, Qt.Key.Key_Down, Modifier.ShiftModifier)
        assert view.selected_ids() == ids[::-1]
        QTest.keyClick(view, Qt.Key.Key_D, Modifier.ControlModifier)
        await until(lambda: rows(world) == ["Pinned", "three", "two", "one"])
        assert view.selected_ids() == ids[::-1], "what is selected stays so"
        await undo(world)
        await until(lambda: rows(world) == usual)
        QTest.keyClick(view, Qt.Key.Key_E, Modifier.ControlModifier)
        await until(lambda: rows(world) == [])
        await until(lambda: world.presenter.thread_id is None)  # the open one was put away: a new chat is shown
        await undo(world)
        await until(lambda: rows(world) == usual)
        await until(lambda: world.presenter.thread_id == ids[2])
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_A, Modifier.ControlModifier)
        QTest.keyClick(view, Qt.Key.Key_Delete)
        await until(lambda: rows(world) == [])
        assert await titles(world, ListKind.TRASH) == ["one", "two", "three"]
        await undo(world)
        await until(lambda: rows(world) == usual)


async def test_the_menu_moves_and_makes_a_folder_that_is_named_in_place(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        view = chats(world)
        await until(lambda: len(rows(world)) == 3)
        menu = view.context_menu([one, two])
        moving = menu.findChild(QMenu, "moveMenu")
        assert moving is not None
        next(a for a in moving.actions() if a.objectName() == "moveToNewFolder").trigger()
        await until(lambda: rows(world) == ["New folder", "two", "one"])
        editor = view.findChild(QLineEdit, "threadTitleEdit")
        assert editor is not None
        QTest.keyClicks(editor, "Work & play")
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await until(lambda: rows(world) == ["Work & play", "two", "one"])
        (folder,) = await world.lists.folders()
        menu = view.context_menu([one])
        moving = menu.findChild(QMenu, "moveMenu")
        assert moving is not None
        chosen = [action.text() for action in moving.actions() if action.isChecked()]
        assert chosen == ["Work && play"]
        next(a for a in moving.actions() if a.objectName() == "moveOut").trigger()
        await until(lambda: rows(world) == ["Work & play", "two", "Today", "one"])
        assert await titles(world, ListKind.FOLDER, folder.id) == ["two"]


async def test_the_key_opens_the_menu_of_folders_which_moves_and_leaves_nothing_behind(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await world.add_thread("one")
        folder = await world.lists.create_folder("Work")
        assert folder is not None
        view = chats(world)
        await until(lambda: "one" in rows(world))
        click(world, middle_of(world, one))
        await until(lambda: world.presenter.thread_id == one)
        view.setFocus()
        for ending in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
            QTest.keySequence(view, sequences("move_chat")[0])
            (menu,) = view.findChildren(QMenu)
            assert menu.objectName() == "moveMenu"
            assert menu.isVisible()
            menu.setActiveAction(menu.actions()[0])
            QTest.keyClick(menu, ending)
            await until(lambda: view.findChildren(QMenu) == [])
        await until(lambda: rows(world) == ["Work", "one"])


async def test_the_number_beside_a_folder_follows_what_goes_in_and_out(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        folder = await world.lists.create_folder("Work")
        assert folder is not None
        model = chats(world).threads

        def count() -> int:
            return model.index_of_folder(folder.id).data(ThreadRole.COUNT)

        await until(lambda: len(rows(world)) == 4)
        await world.lists.move([one, two], folder.id)
        await until(lambda: count() == 2)
        await world.lists.move([one], None)
        await until(lambda: count() == 1)
        before = await world.lists.move([two], None)
        await until(lambda: count() == 0)
        await world.lists.put_back(before)
        await until(lambda: count() == 1)
        await world.lists.archive([two])
        await until(lambda: count() == 0)


async def test_a_deleted_folder_leaves_its_chats_and_comes_back(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await world.add_thread("one")
        folder = await world.lists.create_folder("Work")
        assert folder is not None
        await world.lists.move([one], folder.id)
        await until(lambda: rows(world) == ["Work", "one"])
        click(world, middle_of(world, one))
        await until(lambda: world.presenter.thread_id == one)
        view = chats(world)
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert view.current_folder() == folder.id
        assert view.selected_ids() == [one], "the open chat stays marked while a folder has the focus"
        QTest.keyClick(view, Qt.Key.Key_Delete)
        await until(lambda: rows(world) == ["Today", "one"])
        assert view.selected_ids() == [one]
        await undo(world)
        await until(lambda: rows(world) == ["Work", "one"])
        assert view.selected_ids() == [one]


async def test_a_closed_folder_is_remembered_and_shows_what_goes_on_inside(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await world.add_thread("one")
        folder = await world.lists.create_folder("Work")
        assert folder is not None
        await world.lists.move([one], folder.id)
        await until(lambda: rows(world) == ["Work", "one"])
        click(world, middle_of_folder(world, folder.id))
        await until(lambda: rows(world) == ["Work"])
        model = world.presenter.window.sidebar.model
        world.presenter.set_waiting(one, True)
        assert model.index(0).data(ThreadRole.MARK) == ThreadMark.WAITING
        world.presenter.set_waiting(one, False)
        await world.lists.mark_unread([one])
        await until(lambda: model.index(0).data(ThreadRole.MARK) == ThreadMark.UNREAD)
        assert "not read yet" in model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: rows(world) == ["Work"])
        chats(world).setFocus()
        QTest.keyClick(chats(world), Qt.Key.Key_Right)
        await until(lambda: rows(world) == ["Work", "one"])


async def test_an_answer_that_nobody_saw_is_marked_also_after_a_restart(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, [hold, *said("done")]) as world:
        other = await world.add_thread("other")
        thread = await world.conversations.create_thread()
        await world.presenter.open_thread(thread.id)
        await world.chat.send(thread.id, "question")
        await world.presenter.open_thread(other)
        hold.set()
        model = world.presenter.window.sidebar.model
        await until(lambda: model.mark(thread.id) is ThreadMark.UNREAD)
    async with window_world(qapp, tmp_path, said("more")) as world:
        model = world.presenter.window.sidebar.model
        await until(lambda: model.mark(thread.id) is ThreadMark.UNREAD)
        assert "not read yet" in str(model.index_of(thread.id).data(Qt.ItemDataRole.AccessibleTextRole))
        await world.presenter.open_thread(thread.id)
        await until(lambda: model.mark(thread.id) is ThreadMark.NONE)
        await world.chat.send(thread.id, "again")
        await until(lambda: world.chat.run_of(thread.id) is None)
        (kept,) = await world.store.lists.threads([thread.id])
        assert not kept.is_unread, "it ended in sight"
        world.presenter.sidebar.arranging.mark_unread([thread.id])
        await until(lambda: model.mark(thread.id) is ThreadMark.UNREAD)


async def test_archived_chats_have_a_page_and_come_back(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        await until(lambda: len(rows(world)) == 3)
        world.presenter.sidebar.arranging.archive([one, two])
        await until(lambda: rows(world) == [])
        sidebar = world.presenter.window.sidebar
        button = sidebar.footer.findChild(QToolButton, "archiveButton")
        assert isinstance(button, QToolButton)
        button.click()
        await until(lambda: sidebar.is_archive_shown and sidebar.archive.model.rowCount() == 2)
        view = sidebar.archive.view
        rect = view.visualRect(sidebar.archive.model.index_of(one))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Modifier.NoModifier, rect.center())
        await until(lambda: world.presenter.thread_id == one)
        view.selectionModel().select(sidebar.archive.model.index_of(two), QItemSelectionModel.SelectionFlag.Select)
        back = sidebar.archive.findChild(QPushButton, "unarchiveButton")
        assert isinstance(back, QPushButton)
        back.click()
        await until(lambda: rows(world) == ["Today", "two", "one"])
        assert sidebar.archive.model.rowCount() == 0
        assert not back.isVisible(), "nothing is there to be brought back"
        assert chats(world).selected_ids() == [one], "the open chat is marked again"


async def test_when_the_last_chat_leaves_the_archive_the_focus_goes_to_the_way_back(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await world.add_thread("one")
        await until(lambda: len(rows(world)) == 2)
        world.presenter.sidebar.arranging.archive([one])
        sidebar = world.presenter.window.sidebar
        button = sidebar.footer.findChild(QToolButton, "archiveButton")
        assert isinstance(button, QToolButton)
        button.click()
        await until(lambda: sidebar.archive.model.rowCount() == 1)
        world.presenter.window.activateWindow()
        sidebar.archive.view.setFocus()
        await world.lists.unarchive([one])
        await until(lambda: sidebar.archive.model.rowCount() == 0)
        back = sidebar.archive.findChild(QToolButton, "archiveBackButton")
        assert back is not None
        assert back.hasFocus()


async def test_what_was_left_while_it_was_read_anew_stays_away(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        await until(lambda: len(rows(world)) == 3)
        sidebar = world.presenter.window.sidebar
        world.presenter.sidebar.arranging.archive([one])
        await until(lambda: rows(world) == ["Today", "two"])
        world.presenter.sidebar.arranging.toggle_archive()
        await until(lambda: sidebar.is_archive_shown)
        await world.lists.archive([two])
        sidebar.archive.back_requested.emit()
        for _ in range(3):  # what was asked for before this has come by then
            await world.lists.page(ListKind.ARCHIVE, limit=1)
            await asyncio.sleep(0)
        assert not sidebar.is_archive_shown
        world.presenter.sidebar.trash.toggle()
        await until(lambda: sidebar.is_trash_shown)
        reading = asyncio.ensure_future(world.presenter.sidebar.trash.refresh())
        await asyncio.sleep(0)
        sidebar.trash.back_requested.emit()
        await reading
        assert not sidebar.is_trash_shown


def many(count: int) -> list[Thread]:
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    return [
        Thread(
            id=f"{number:026d}",
            title=f"chat {number}",
            title_by_user=False,
            tip=None,
            created_at=moment,
            updated_at=moment.replace(year=2016 + number * 10 // count, day=1 + number % 28),
        )
        for number in range(count)
    ]


async def test_what_comes_above_does_not_move_what_is_read_and_selected(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        sidebar = world.presenter.window.sidebar
        threads = many(2_000)
        sidebar.chats.append(threads, complete=True)
        view = chats(world)
        chosen = threads[900]
        sidebar.select_thread(chosen.id)
        view.scrollTo(sidebar.model.index_of(chosen.id), ThreadListView.ScrollHint.PositionAtCenter)
        before = middle_of(world, chosen.id)
        assert 0 < before.y() < view.viewport().height()
        newest = datetime.now(UTC)
        for thread in (threads[3], threads[1_990], dataclasses.replace(threads[5], title="moved")):
            sidebar.chats.put(dataclasses.replace(thread, updated_at=newest))
        sidebar.chats.put(dataclasses.replace(threads[7], pinned_at=newest))
        assert middle_of(world, chosen.id) == before
        assert view.selected_ids() == [chosen.id]
        for index in view.rows_in_sight():
            rect = view.visualRect(sidebar.model.index(index))
            assert view.indexAt(rect.center()).row() == index
        view.verticalScrollBar().setValue(0)
        sidebar.chats.put(dataclasses.replace(threads[50], updated_at=newest, pinned_at=newest))
        assert view.verticalScrollBar().value() == 0, "at the top what is new comes into sight"


async def test_the_places_of_rows_are_those_of_a_list_that_is_measured(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        for name in ("a", "b"):
            await world.lists.create_folder(name)
        threads = many(300)
        sidebar = world.presenter.window.sidebar
        sidebar.chats.append(threads, complete=True)
        view, delegate = chats(world), chats(world).itemDelegate()
        heights = delegate.heights  # type: ignore[attr-defined]
        top = 0
        for row in range(sidebar.model.rowCount()):
            assert view.top_of(row) == top
            top += heights[sidebar.model.index(row).data(ThreadRole.KIND)]
        assert view.verticalScrollBar().maximum() == top - view.viewport().height()
