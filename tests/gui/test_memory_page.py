"""The memory page as a person uses it: found, read, changed, forgotten with Undo and receipt, brought in and taken out."""

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QToolButton,
    QWidget,
)

from desktop.core.errors import StorageError
from desktop.core.memory_settings import MemoryUse
from desktop.core.paths import DataPaths
from desktop.core.receipt import Receipt
from desktop.core.settings import Theme
from desktop.memory.entities import Author, MemoryItem, MemoryKind, MemorySource, MemoryStatus
from desktop.storage.store import open_store
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.memory.edit_dialog import MOST_CHARACTERS, MemoryEditDialog
from desktop.ui.memory.import_dialog import MemoryImportDialog
from desktop.ui.memory.list_model import MemoryRole
from desktop.ui.memory.page import LEAST_LIST, MemoryPage
from desktop.ui.memory.receipts import ReceiptDialog
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import click
from tests.support.memory_items import is_forgotten, item
from tests.support.settings_world import set_appearance
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)


def find(parent: QWidget, kind: type[W], name: str) -> W:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def texts(page: MemoryPage) -> list[str]:
    return [page.model.index(row).data() for row in range(page.model.rowCount())]


def details(page: MemoryPage, row: int) -> str:
    return page.model.index(row).data(MemoryRole.DETAILS)


def choose(page: MemoryPage, *rows: int) -> None:
    page.list.clearSelection()
    for row in rows:
        page.list.selectionModel().setCurrentIndex(page.model.index(row), QItemSelectionModel.SelectionFlag.Select)


def dialog(kind: type[W]) -> W | None:
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, kind) and widget.isVisible():
            return widget
    return None


async def shown(kind: type[W]) -> W:
    await until(lambda: dialog(kind) is not None)
    found = dialog(kind)
    assert found is not None
    return found


async def opened(world: WindowWorld, count: int | None = None) -> MemoryPage:
    """Open the page with its button; ``count`` rows are waited for."""
    window = world.presenter.window
    click(find(window, QToolButton, "memoryButton"))
    await until(lambda: window.findChild(MemoryPage, "memoryPage") is not None)
    page = find(window, MemoryPage, "memoryPage")
    await until(page.isVisible)
    if count is not None:
        await until(lambda: page.model.rowCount() == count)
    return page


async def remember(world: WindowWorld, *items: MemoryItem) -> None:
    for one in items:
        await world.store.memory.add(one)


async def all_texts(world: WindowWorld) -> list[str]:
    return [one.text for one in await world.store.memory.search(statuses=tuple(MemoryStatus))]


async def said(world: WindowWorld, text: str, quote: str, **fields: object) -> MemoryItem:
    """An item from the first message of a new chat that says ``quote``."""
    thread_id = await world.add_thread(quote, title="The chat")
    message = (await world.store.threads.path(thread_id))[0]
    return item(text, source=MemorySource(thread_id=thread_id, message_id=message.id, quote=quote), **fields)


async def test_items_are_listed_pinned_first_with_where_they_come_from(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, item("First"), item("Pinned", is_pinned=True, kind=MemoryKind.WISH))
        await remember(
            world, await said(world, "Has a cat", "my cat is called Momo", used_count=2, last_used_at=datetime.now(UTC))
        )
        page = await opened(world, 3)
        assert texts(page) == ["Pinned", "Has a cat", "First"]
        assert details(page, 1).startswith("Fact · From “The chat” · ")
        assert details(page, 1).endswith("used 2 times, last today")
        assert details(page, 2).startswith("Fact · Written by you · ")
        choose(page, 1)
        assert find(page, QLabel, "memoryDetailQuote").text() == "You said: “my cat is called Momo”"
        click(find(page, QPushButton, "memory-open"))
        await until(lambda: world.presenter.thread_id is not None)
        assert not world.presenter.memory.is_open
        assert world.presenter.window.composer.isVisible()


async def test_ways_in_and_out(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("hello")
        await world.presenter.open_thread(thread_id)
        window = world.presenter.window
        QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        await until(lambda: world.presenter.memory.is_open)
        page = world.presenter.memory.page
        assert page is not None
        assert page.search.hasFocus() or not window.isActiveWindow()
        assert not window.composer.isVisible()
        QTest.keyClick(page.search, Qt.Key.Key_Escape)
        await until(lambda: window.composer.isVisible())
        assert world.presenter.thread_id == thread_id
        action = find(window, QMenu, "mainMenu").findChild(QAction, "showMemory")
        assert action is not None
        action.trigger()
        await until(lambda: world.presenter.memory.is_open)
        # A click on the chat that is open leads back to it.
        window.sidebar.thread_selected.emit(thread_id)
        await until(lambda: not world.presenter.memory.is_open)
        assert window.composer.isVisible()


async def test_forgetting_can_be_taken_back_and_is_then_forgotten_with_a_receipt(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, item("Stays"), await said(world, "Has a cat", "my cat is called Momo"))
        page = await opened(world, 2)
        choose(page, 0)
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
        assert texts(page) == ["Stays"]
        assert "Has a cat" in await all_texts(world)  # a crash now forgets nothing
        QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert texts(page) == ["Has a cat", "Stays"]
        choose(page, 0)
        click(find(page, QPushButton, "memory-forget"))
        world.presenter.window.toast.dismiss()
        toast = world.presenter.window.toast
        await until(lambda: toast.can_act)  # the offer of the receipt
        assert await all_texts(world) == ["Stays"]
        assert await is_forgotten(world.store.memory, "Has a cat")
        toast.act()
        receipt = await shown(ReceiptDialog)
        assert {name: count for name, count, _ in receipt.lines()} == {"items": 1, "quotes": 1, "words": 1}
        stays = "Your messages that they came from stay in their chats"
        assert any(label.text().startswith(stays) for label in receipt.findChildren(QLabel))
        receipt.accept()
        await until(lambda: dialog(ReceiptDialog) is None)
        again = page.findChild(QAction, "memoryLastReceipt")
        assert again is not None
        assert again.isVisible()
        again.trigger()
        (await shown(ReceiptDialog)).accept()


async def test_several_are_forgotten_together_and_the_next_one_ends_the_first_offer(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, *(item(f"Item {number}") for number in range(5)))
        page = await opened(world, 5)
        receipts: list[Receipt] = []
        world.presenter.forgetting.forgotten.connect(receipts.append)
        choose(page, 0, 1)
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
        choose(page, 0)
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
        assert texts(page) == ["Item 1", "Item 0"]

        await until(lambda: bool(receipts))
        assert receipts[0].items == 2
        assert sorted(await all_texts(world)) == ["Item 0", "Item 1", "Item 2"]
        world.presenter.window.toast.act()
        assert texts(page) == ["Item 2", "Item 1", "Item 0"]


async def test_the_end_of_the_program_completes_what_was_forgotten(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, item("Stays"), item("Goes"))
        page = await opened(world, 2)
        choose(page, 0)
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
    store = await open_store(DataPaths(tmp_path))
    assert [one.text for one in await store.memory.search()] == ["Stays"]
    await store.close()


@asynccontextmanager
async def locked(world: WindowWorld) -> AsyncGenerator[None, None]:
    """A database that another program is writing to."""
    database = world.store.database
    await database.write(lambda connection: connection.execute("PRAGMA busy_timeout = 1"))
    with closing(sqlite3.connect(database.paths.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def test_what_cannot_be_forgotten_is_shown_again(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, item("Has a cat"))
        page = await opened(world, 1)
        choose(page, 0)
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
        assert texts(page) == []
        async with locked(world):
            world.presenter.window.toast.dismiss()
            await until(lambda: texts(page) == ["Has a cat"])
        assert [getattr(error, "code", "") for error in world.errors] == ["storage.failed"]
        assert await all_texts(world) == ["Has a cat"]


async def test_search_and_filters(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(
            world,
            item("Likes tea", kind=MemoryKind.PREFERENCE),
            item("Tea is drunk at five"),
            item("喜欢喝茶"),
            item("Lived in Halle", status=MemoryStatus.SUPERSEDED, valid_to=datetime(2026, 1, 5, tzinfo=UTC)),
            item("Waits", status=MemoryStatus.PENDING),
        )
        page = await opened(world, 3)
        QTest.keyClicks(page.search, "tea")
        await until(lambda: texts(page) == ["Tea is drunk at five", "Likes tea"])
        page.search.setText("喝茶")
        await until(lambda: texts(page) == ["喜欢喝茶"])
        page.search.setText("zzz")
        await until(lambda: find(page, QLabel, "memoryNothingTitle").text() == "No memory matches")
        click(find(page, QPushButton, "memoryNothingAct"))
        await until(lambda: len(texts(page)) == 3)
        kinds = find(page, ChoiceBox, "memoryKindFilter")
        kinds.setCurrentIndex(1 + list(MemoryKind).index(MemoryKind.PREFERENCE))
        await until(lambda: texts(page) == ["Likes tea"])
        kinds.setCurrentIndex(0)
        click(find(page, QPushButton, f"memoryStatus-{MemoryStatus.SUPERSEDED}"))
        await until(lambda: texts(page) == ["Lived in Halle"])
        assert "true until" in details(page, 0)
        click(find(page, QPushButton, f"memoryStatus-{MemoryStatus.PENDING}"))
        await until(lambda: texts(page) == ["Waits"])


async def test_what_was_loaded_stays_loaded(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, *(item(f"Item {number}") for number in range(210)))
        page = await opened(world, 200)
        page.list.scrollToBottom()
        await until(lambda: page.model.rowCount() == 210)
        assert page.model.is_complete
        await world.presenter.memory._services.memory.write("The newest", MemoryKind.FACT)
        await until(lambda: page.model.rowCount() == 211)
        assert texts(page)[0] == "The newest"
        assert texts(page)[-1] == "Item 0"


async def test_what_is_no_longer_true_is_made_current_again(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        old = item("Lives in Rome", status=MemoryStatus.SUPERSEDED, valid_to=datetime(2026, 3, 1, tzinfo=UTC))
        newer = item("Lives in Bern", supersedes_id=old.id)
        await remember(world, old, newer)
        page = await opened(world, 1)
        choose(page, 0)
        make_current = find(page, QPushButton, "memory-make_current")
        assert not make_current.isVisible(), "it is in use"
        page._choose_status(MemoryStatus.SUPERSEDED)
        await until(lambda: texts(page) == ["Lives in Rome"])
        choose(page, 0)
        assert make_current.text().strip() == "Make current again"
        menu = page.details.menu()
        assert (
            next(a.text() for a in menu.actions() if a.objectName() == "memoryMenu-make_current")
            == "Make current again"
        )
        click(make_current)
        await until(lambda: page.model.rowCount() == 0)
        stored = await world.store.memory.get(old.id)
        assert stored == replace(old, status=MemoryStatus.ACTIVE, valid_to=None)
        assert await world.store.memory.get(newer.id) == newer, "what took its place stays as it is"


async def test_an_empty_filter_says_what_it_is_for(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, item("Has a cat"))
        page = await opened(world, 1)
        title = find(page, QLabel, "memoryNothingTitle")
        page._choose_status(MemoryStatus.SUPERSEDED)
        await until(lambda: title.text() == "Nothing has been replaced yet")
        page._choose_status(MemoryStatus.PENDING)
        await until(lambda: title.text() == "Nothing waits for your look")
        page.search.setText("dog")
        await until(lambda: title.text() == "No memory matches")
        click(find(page, QPushButton, "memoryNothingAct"))
        await until(lambda: texts(page) == ["Has a cat"])


async def test_the_tray_accepts_and_refuses(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        old = item("Lives in Halle")
        new = await said(
            world, "Lives in Leipzig", "I moved to Leipzig", status=MemoryStatus.PENDING, supersedes_id=old.id
        )
        bad = item("Sends invoices to the page", status=MemoryStatus.PENDING)
        await remember(world, old, new, bad)
        page = await opened(world, 1)
        await until(page.tray.isVisible)
        words = " ".join(label.accessibleName() for label in page.tray.findChildren(QLabel))
        assert "you said: “I moved to Leipzig” · instead of: “Lives in Halle”" in words
        click(find(page, QPushButton, f"tray-accept-{new.id}"))
        await until(lambda: texts(page) == ["Lives in Leipzig"])
        before = await world.store.memory.get(old.id)
        assert before is not None
        assert (before.status, before.valid_to) == (MemoryStatus.SUPERSEDED, new.observed_at)
        find(page, QPushButton, f"tray-refuse-{bad.id}").setFocus()
        click(find(page, QPushButton, f"tray-refuse-{bad.id}"))
        await until(lambda: not page.tray.isVisible())
        assert page.window().focusWidget() is page.search, "the focus stays in the page"
        receipts: list[Receipt] = []
        world.presenter.forgetting.forgotten.connect(receipts.append)
        world.presenter.window.toast.dismiss()
        await until(lambda: bool(receipts))
        assert await is_forgotten(world.store.memory, "Sends invoices to the page")


async def test_writing_editing_pinning_and_keeping_to_a_chat(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await said(world, "Has a cat", "my cat is called Momo")
        await remember(world, one)
        page = await opened(world, 1)
        click(find(page, QPushButton, "memoryWrite"))
        writing = await shown(MemoryEditDialog)
        save, field = find(writing, QPushButton, "memorySave"), find(writing, QPlainTextEdit, "memoryText")
        assert not save.isEnabled()
        field.setPlainText("a" * (MOST_CHARACTERS + 1))
        assert find(writing, QLabel, "memoryProblem").isVisible()
        assert not save.isEnabled()
        field.setPlainText("Always answer\n briefly")
        click(find(writing, QPushButton, f"memoryKind-{MemoryKind.WISH}"))
        click(save)
        await until(lambda: texts(page) == ["Always answer briefly", "Has a cat"])
        written = (await world.store.memory.search("briefly"))[0]
        assert (written.kind, written.author) == (MemoryKind.WISH, Author.WRITTEN)
        choose(page, 1)
        QTest.keyClick(page.list, Qt.Key.Key_Return)
        editing = await shown(MemoryEditDialog)
        find(editing, QPlainTextEdit, "memoryText").setPlainText("Has two cats")
        find(editing, QCheckBox, "memoryOnlyHere").setChecked(True)
        click(find(editing, QPushButton, "memorySave"))
        await until(lambda: "Has two cats" in texts(page))
        edited = await world.store.memory.get(one.id)
        assert edited is not None
        assert one.source is not None
        assert (edited.author, edited.only_thread_id) == (Author.WRITTEN, one.source.thread_id)
        choose(page, 1)
        click(find(page, QPushButton, "memory-keep_here"))
        await until(lambda: "only in its chat" not in details(page, 1))
        choose(page, 1)
        click(find(page, QPushButton, "memory-pin"))
        await until(lambda: texts(page)[0] == "Has two cats")
        assert page.model.index(0).data(MemoryRole.IS_PINNED)


async def test_pausing_keeps_what_was_chosen(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        settings = world.settings.settings
        world.settings.update(replace(settings, memory=replace(settings.memory, use=MemoryUse.THIS_THREAD)))
        page = await opened(world)
        click(find(page, QPushButton, "memoryPause"))
        memory = world.settings.settings.memory
        assert (memory.use, memory.remembers, memory.is_paused) == (MemoryUse.OFF, False, True)
        assert find(page, QWidget, "memoryPaused").isVisible()
        click(find(page, QPushButton, "memoryPause"))
        memory = world.settings.settings.memory
        assert (memory.use, memory.remembers, memory.is_paused) == (MemoryUse.THIS_THREAD, True, False)
        assert not find(page, QWidget, "memoryPaused").isVisible()


async def test_nothing_and_failure_are_said(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        title = find(page, QLabel, "memoryNothingTitle")
        await until(lambda: title.text() == "Nothing is remembered yet")
        memory = world.presenter.memory._services.memory
        search = memory.search

        async def fail(*_args: object, **_fields: object) -> None:
            raise StorageError("storage.damaged", path="x", detail="a page")

        monkeypatch.setattr(memory, "search", fail)
        page.wanted_changed.emit()
        await until(lambda: title.text() == "The memories could not be read")
        monkeypatch.setattr(memory, "search", search)
        await remember(world, item("Has a cat"))
        click(find(page, QPushButton, "memoryNothingAct"))
        await until(lambda: texts(page) == ["Has a cat"])


async def test_export_and_import_bring_everything_back_but_what_was_forgotten(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await remember(world, item("Stays"), item("Goes"), item("Is lost"))
        page = await opened(world, 3)
        transfer = world.presenter.memory.transfer
        assert transfer is not None
        file = tmp_path / "memories.json"
        await transfer.write_file(file, "json")
        assert [one["text"] for one in json.loads(file.read_text())["memories"]] == ["Is lost", "Goes", "Stays"]
        assert world.presenter.window.toast.can_act
        ids = {one.text: one.id for one in await world.store.memory.search()}
        await world.store.memory.forget([ids["Goes"]])
        thrown = replace((await world.store.memory.search("lost"))[0], text="Changed since")
        await world.store.memory.update(thrown)
        transfer.look_at(file)
        importing = await shown(MemoryImportDialog)
        assert find(importing, QLabel, "memoryImportSummary").text() == (
            "memories.json: 1 new · 1 known already · 1 forgotten before"
        )
        assert sorted(await all_texts(world)) == ["Changed since", "Stays"]
        click(find(importing, QPushButton, "memoryImportAdd"))
        await until(lambda: dialog(MemoryImportDialog) is None)
        assert sorted(await all_texts(world)) == ["Changed since", "Is lost", "Stays"]
        await until(lambda: page.model.rowCount() == 3)
        await transfer.write_file(tmp_path / "memories.md", "md")
        assert "- Is lost" in (tmp_path / "memories.md").read_text("utf-8")


async def test_an_import_that_fails_stores_nothing_says_so_and_can_be_tried_again(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await opened(world)
        transfer = world.presenter.memory.transfer
        assert transfer is not None
        file = tmp_path / "memories.txt"
        file.write_bytes("喜欢喝茶\r\n住在上海\r\nFails\r\n".encode("gb18030"))
        transfer.look_at(file)
        importing = await shown(MemoryImportDialog)
        with pytest.MonkeyPatch.context() as patch:

            async def full(*_items: MemoryItem) -> None:
                raise StorageError("storage.full", path=str(tmp_path))

            patch.setattr(world.presenter.memory._services.memory._items, "add", full)
            click(find(importing, QPushButton, "memoryImportAdd"))
            problem = importing.findChild(QLabel, "memoryImportProblem")
            assert problem is not None
            await until(problem.isVisible)
        assert problem.text().startswith("Nothing was added. ")
        assert await all_texts(world) == []
        again = find(importing, QPushButton, "memoryImportAdd")
        assert again.text() == "Try again"
        click(again)
        await until(lambda: dialog(MemoryImportDialog) is None)
        assert sorted(await all_texts(world)) == ["Fails", "住在上海", "喜欢喝茶"]


async def test_what_is_remembered_already_is_not_written_again_and_said_so(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(world, item("Likes tea"))
        page = await opened(world, 1)
        page.write_requested.emit()
        writing = await shown(MemoryEditDialog)
        field = find(writing, QPlainTextEdit, "memoryText")
        field.setPlainText("likes tea.")
        click(find(writing, QPushButton, "memorySave"))
        problem = writing.findChild(QLabel, "memoryProblem")
        assert problem is not None
        await until(problem.isVisible)
        assert problem.text().startswith("Not saved yet. This is remembered already")
        field.setPlainText("Likes green tea")
        assert not problem.isVisible(), "it was said of another text"
        assert find(writing, QPushButton, "memorySave").text() == "Save"
        click(find(writing, QPushButton, "memorySave"))
        await until(lambda: sorted(texts(page)) == ["Likes green tea", "Likes tea"])


async def test_a_file_that_cannot_be_read_says_so(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        await opened(world)
        transfer = world.presenter.memory.transfer
        assert transfer is not None
        broken = tmp_path / "broken.json"
        broken.write_text("{")
        transfer.look_at(broken)
        importing = await shown(MemoryImportDialog)
        assert "damaged" in find(importing, QLabel, "memoryImportSummary").text()
        assert not find(importing, QPushButton, "memoryImportAdd").isVisible()
        importing.reject()
        transfer.look_at(tmp_path)  # a folder
        await until(lambda: len(world.errors) == 1)
        assert getattr(world.errors[0], "code", "") == "file.unreadable"


@pytest.mark.parametrize("forgets", [False, True], ids=["keep", "forget"])
async def test_deleting_a_chat_for_good_asks_about_its_memories_and_ends_with_a_receipt(
    qapp: QApplication, qloop: object, tmp_path: Path, forgets: bool
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one = await said(world, "Has a cat", "my cat is called Momo")
        assert one.source is not None
        await remember(world, one, item("Only here", only_thread_id=one.source.thread_id))
        await world.chat.delete_thread(one.source.thread_id)
        world.presenter.window.sidebar.trash.purge_requested.emit([one.source.thread_id])
        await until(lambda: dialog(QDialog) is not None)
        question = dialog(QDialog)
        assert question is not None
        assert find(question, QRadioButton, "purgeKeepsMemories").isChecked()
        if forgets:
            find(question, QRadioButton, "purgeForgetsMemories").setChecked(True)
        click(find(question, QPushButton, "confirm_yes"))
        receipt = await shown(ReceiptDialog)
        counts = {name: count for name, count, _ in receipt.lines()}
        assert (counts["chats"], counts["messages"], counts["items"]) == (1, 2, 2 if forgets else 1)
        assert counts["quotes"] == 1
        assert not any("stay in their chats" in label.text() for label in receipt.findChildren(QLabel))
        assert await all_texts(world) == ([] if forgets else ["Has a cat"])
        assert await is_forgotten(world.store.memory, "Has a cat") is forgets
        receipt.accept()


async def test_nothing_is_cut_off_in_a_small_window_with_large_letters(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await remember(
            world,
            await said(world, "A " + "very long text about nothing " * 12, "q " * 200),
            *(item(f"Waits {number}", status=MemoryStatus.PENDING) for number in range(4)),
        )
        window = world.presenter.window
        page = await opened(world, 1)
        for theme, language, size, font in (
            (Theme.DARK, "zh_CN", QSize(700, 640), 16),
            (Theme.LIGHT, "en", QSize(700, 400), 13),
            (Theme.LIGHT, "en", QSize(1200, 800), 13),
        ):
            window.resize(size)
            set_appearance(world, theme=theme, language=language, font_size=font)
            choose(page, 0)
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            await until(lambda: page.list.isVisible() and not clipped_texts(page))
            assert page.list.height() >= LEAST_LIST
            assert window.rect().contains(page.mapTo(window, QPoint(page.width() - 1, page.height() - 1)))
        click(find(page, QPushButton, "memoryWrite"))
        writing = await shown(MemoryEditDialog)
        assert clipped_texts(writing) == []
        writing.reject()
        world.presenter.memory.receipts.show(Receipt(chats=3, messages=40_000, items=1, waits=True))
        receipt = await shown(ReceiptDialog)
        assert clipped_texts(receipt) == []
        receipt.accept()
        server = "http://a-rather-long-name-of-a-server.example:8000"
        world.presenter.memory.receipts.show(Receipt(items=1, server=server))
        receipt = await shown(ReceiptDialog)
        told = " ".join(label.text().replace("\u200b", "") for label in receipt.findChildren(QLabel))
        assert f"The Chroma server at {server} could not be reached" in told
        assert "at the next start" not in told
        assert clipped_texts(receipt) == []
        receipt.accept()


async def test_ten_thousand_items_do_not_stall(
    qapp: QApplication, qloop: object, tmp_path: Path, long_run: bool
) -> None:
    count = 10_000 if long_run else 230
    start = datetime(2026, 1, 1, tzinfo=UTC)
    made = [item(f"Item {number}", observed_at=start + timedelta(minutes=number)) for number in range(count)]

    async with window_world(qapp, tmp_path) as world:
        await remember(world, *made)
        page = await opened(world, 200)
        while not page.model.is_complete:
            rows = page.model.rowCount()
            page.list.scrollToBottom()
            await until(lambda rows=rows: page.model.rowCount() > rows or page.model.is_complete)
        assert page.model.rowCount() == count
        line = find(page, QLineEdit, "memorySearch")
        line.setText("Item 77")
        await until(lambda: page.model.rowCount() < 200)
        assert texts(page)[-1] == "Item 77"


async def test_a_long_receipt_scrolls_where_the_screen_is_low(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_appearance(world, theme=Theme.LIGHT, language="en", font_size=24)
        everything = Receipt(
            chats=3,
            messages=40,
            items=2,
            quotes=2,
            words=58,
            vectors=29,
            stale_summaries=1,
            files=3,
            calls=4,
            requests=5,
            waits=True,
        )
        world.presenter.memory.receipts.show(everything)
        receipt = await shown(ReceiptDialog)
        assert receipt.height() <= receipt.screen().availableGeometry().height()
        assert find(receipt, QPushButton, "receiptClose").isVisible()
        assert clipped_texts(receipt) == []
        rows = [label for label in receipt.findChildren(QLabel) if label.objectName().startswith("receipt_")]
        ends = [label.geometry().bottom() for label in rows]
        assert all(label.geometry().top() > end for label, end in zip(rows[1:], ends, strict=False)), (
            "none lies on another"
        )
        receipt.accept()


async def test_an_empty_page_is_whole_with_the_largest_letters(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.window.resize(1280, 900)
        page = await opened(world)
        await until(lambda: find(page, QLabel, "memoryNothingTitle").text() == "Nothing is remembered yet")
        set_appearance(world, theme=Theme.LIGHT, language="en", font_size=24)
        await until(lambda: not clipped_texts(page))
