"""The page Models with many endpoints: rows are made when somebody comes near them, and each can be reached."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from desktop.core.settings import EndpointSettings
from desktop.ui.settings.endpoint_row import EndpointRow
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.window import SettingsWindow
from tests.support.settings_world import open_settings
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
COUNT = 60
ENDPOINTS = tuple(
    EndpointSettings(
        id=f"e{number}",
        name=f"Provider {number}",
        base_url=f"https://api{number}.example.com/v1",
        model=f"model-{number}",
        models=(f"other-{number}",),
    )
    for number in range(COUNT)
)


@asynccontextmanager
async def many_models(
    app: QApplication, folder: Path, count: int = COUNT
) -> AsyncGenerator[tuple[WindowWorld, SettingsWindow], None]:
    async with window_world(app, folder) as world:
        world.settings.update(dataclasses.replace(world.settings.settings, endpoints=ENDPOINTS[:count]))
        world.presenter.open_settings("language")
        yield world, open_settings(world)


def rows(page: SettingsPage) -> list[EndpointRow]:
    """The rows there are, from above."""
    made = [row for row in page.findChildren(EndpointRow) if row.isVisibleTo(page)]
    return sorted(made, key=lambda row: row.y())


def settle() -> None:
    for _ in range(12):
        QApplication.processEvents()


async def test_only_rows_near_the_eye_are_made_until_the_page_is_scrolled(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with many_models(qapp, tmp_path) as (_, window):
        window.open_page("models")
        page = window.page("models")
        settle()
        made = len(rows(page))
        assert 0 < made < COUNT // 2
        assert [row.state.id for row in rows(page)] == [endpoint.id for endpoint in ENDPOINTS[:made]]
        last = rows(page)[-1]
        assert last.mapTo(page.viewport(), QPoint(0, 0)).y() > page.viewport().height(), "the eye sees no end"
        bar = page.verticalScrollBar()
        length = bar.maximum()
        bar.setValue(bar.maximum())
        await until(lambda: len(rows(page)) == COUNT + 1)
        settle()
        assert abs(bar.maximum() - length) < length // 10, "the bar told how long the page is"
        assert rows(page)[-1].state.id == "", "the demo model is the last one"


async def test_a_page_that_nobody_sees_makes_no_rows_and_the_search_only_those_that_it_needs(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with many_models(qapp, tmp_path) as (_, window):
        page = window.page("models")
        assert rows(page) == []
        search = window.findChild(QLineEdit, "settingsSearch")
        assert search is not None
        search.setText("zebra")
        assert rows(page) == []
        for query, place in (("provider 40", 40), ("other-50", 50), ("API55.example", 55)):
            search.setText(query)
            settle()
            marked = [row for row in rows(page) if row.property("marked")]
            assert [row.state.id for row in marked] == [f"e{place}"]
            await until(lambda marked=marked: not marked[0].visibleRegion().isEmpty())
        QTest.keyClick(search, Qt.Key.Key_Return)
        focused = window.focusWidget()
        assert focused is not None
        assert rows(page)[55].isAncestorOf(focused)


async def test_tab_goes_through_all_rows(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    count = 24
    async with many_models(qapp, tmp_path, count) as (_, window):
        await until(window.isActiveWindow)
        window.resize(window.minimumSize())
        window.open_page("models")
        page = window.page("models")
        settle()
        assert len(rows(page)) < count
        first = rows(page)[0].findChild(QPushButton, "endpointTest")
        assert first is not None
        first.setFocus()
        passed = []
        for _ in range(count * 6):
            focused: QWidget | None = window.focusWidget()
            assert focused is not None
            if focused.objectName() == "endpointTest":
                passed.append(focused)
            if focused.objectName() == "addEndpoint":
                break
            QTest.keyClick(focused, Qt.Key.Key_Tab)
            QApplication.processEvents()
        assert len(passed) == count
        tops = [button.mapTo(page, QPoint(0, 0)).y() for button in passed]
        assert tops == sorted(tops)


async def test_a_screen_reader_finds_every_row(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with many_models(qapp, tmp_path) as (_, window):
        QAccessible.setActive(True)
        try:
            window.open_page("models")
            await until(lambda: len(rows(window.page("models"))) == COUNT + 1)
        finally:
            QAccessible.setActive(False)


async def test_a_change_of_one_endpoint_leaves_the_unmade_rows_alone(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with many_models(qapp, tmp_path) as (world, window):
        window.open_page("models")
        page = window.page("models")
        settle()
        made = len(rows(page))
        world.book.remove(["e1"])
        settle()
        assert len(rows(page)) == made
        assert "e1" not in [row.state.id for row in rows(page)]
        world.book.restore(["e1"])
        settle()
        assert rows(page)[1].state.id == "e1"
