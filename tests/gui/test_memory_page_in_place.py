"""The memory page keeps its place while what it shows changes: rows in sight, what is chosen, and the focus."""

from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from desktop.memory.entities import MemoryItem, MemoryKind, Passage, PassageKind, Recall, Recalled
from desktop.ui.memory.list_model import MemoryRole
from desktop.ui.memory.page import MemoryPage
from tests.support.memory_items import item
from tests.support.transcript_world import child
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world


async def opened(world: WindowWorld, *items: MemoryItem) -> MemoryPage:
    for one in items:
        await world.store.memory.add(one)
    child(world.presenter.window, QToolButton, "memoryButton").click()
    await until(lambda: (page := world.presenter.memory.page) is not None and page.model.rowCount() == len(items))
    page = world.presenter.memory.page
    assert page is not None
    await until(page.list.isVisible)
    return page


def texts(page: MemoryPage) -> list[str]:
    return [page.model.index(row).data() for row in range(page.model.rowCount())]


def choose(page: MemoryPage, row: int) -> QPersistentModelIndex:
    """Choose a row and bring it to the middle."""
    index = page.model.index(row)
    page.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    page.list.scrollTo(index, page.list.ScrollHint.PositionAtCenter)
    return QPersistentModelIndex(index)


async def test_what_is_read_and_chosen_stays_where_it_is(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world, *(item(f"Item {number}") for number in range(80)))
        chosen = choose(page, 40)
        place, top = page.list.visualRect(chosen).top(), page.list.verticalScrollBar().value()
        assert top > 0
        await world.memory.write("The newest", MemoryKind.FACT)
        await until(lambda: page.model.rowCount() == 81)
        assert page.model.index(0).data() == "The newest"
        assert chosen.row() == 41
        assert page.list.visualRect(chosen).top() == place, "nothing moved under the eyes of who reads"
        assert page.list.selected_ids() == [chosen.data(MemoryRole.ID)]
        assert page.details.isVisible()


async def test_at_the_top_what_is_new_is_seen(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world, *(item(f"Item {number}") for number in range(40)))
        await world.memory.write("The newest", MemoryKind.FACT)
        await until(lambda: page.model.rowCount() == 41)
        assert page.list.indexAt(page.list.viewport().rect().topLeft()).data() == "The newest"


async def test_who_pins_with_the_keyboard_stays_at_the_button(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world, item("First"), item("Second"))
        choose(page, 1)
        pin = child(page, QPushButton, "memory-pin")
        pin.setFocus()
        QTest.keyClick(pin, Qt.Key.Key_Space)
        await until(lambda: texts(page) == ["First", "Second"])
        await until(lambda: pin.text().strip() == "Unpin")
        assert page.window().focusWidget() is pin
        assert page.model.item_at(page.list.currentIndex()) == (await world.memory.search("First"))[0]
        assert "every answer is told of it" in child(page, QLabel, "memoryDetailFacts").text()


async def test_what_was_found_by_its_meaning_stays_in_sight(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window_world(qapp, tmp_path) as world:
        near = item("Keeps bees")
        page = await opened(world, item("Likes honey"), near)
        passage = Passage(kind=PassageKind.FACT, id=near.id, text=near.text, at=near.observed_at)

        async def recall(*_: object) -> Recall:
            return Recall(facts=(Recalled(passage=passage, score=0.5, words=0.0, meaning=2.5),))

        monkeypatch.setattr(world.memory, "recall", recall)
        page.search.setText("honey")
        await until(lambda: texts(page) == ["Likes honey", "Keeps bees"])
        shown: list[list[str]] = []
        for signal in (page.model.rowsInserted, page.model.rowsRemoved, page.model.modelReset):
            signal.connect(lambda: shown.append(texts(page)))
        await world.memory.write("Sells honey", MemoryKind.FACT)
        await until(lambda: "Sells honey" in texts(page))
        assert texts(page)[-1] == "Keeps bees"
        assert all("Keeps bees" in rows for rows in shown)
