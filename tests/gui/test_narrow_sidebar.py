"""The sidebar in a narrow window: opened by hand it lies over the chat, whole at any size of text, until one is done with it."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop.ui.shortcuts import sequences
from tests.support.settings_world import set_appearance
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
K = Qt.Key


async def narrow(world: WindowWorld, until: Until, *, font_size: float = 10.0) -> None:
    set_appearance(world, font_size=font_size)
    world.presenter.window.resize(700, 700)
    await until(lambda: not world.presenter.window.sidebar.isVisible())


def toggle(world: WindowWorld) -> None:
    QTest.keySequence(world.presenter.window, sequences("toggle_sidebar")[0])


@pytest.mark.parametrize("font_size", [10.0, 24.0])
async def test_opened_by_hand_it_lies_over_the_chat_and_neither_is_cut(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, font_size: float
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.presenter.open_thread(await world.add_thread("a question", title="A title that is long " * 3))
        window = world.presenter.window
        await narrow(world, until, font_size=font_size)
        await until(lambda: window.right_side.width() == window.width())
        beside = window.right_side.geometry()
        toggle(world)
        sidebar = window.sidebar
        assert sidebar.isVisible()
        assert sidebar.mapTo(window, QPoint()) == QPoint(0, 0)
        assert sidebar.minimumSizeHint().width() <= sidebar.width() < 700
        assert window.right_side.geometry() == beside, "the chat behind it keeps its width"
        assert beside.width() == 700
        header = window.header
        assert header.minimumSizeHint().width() <= header.width()
        assert [each for each in (sidebar, header) if cut_in(each)] == []
        toggle(world)
        await until(lambda: not sidebar.isVisible())
        window.resize(1300, 700)
        await until(sidebar.isVisible)
        splitter = window.findChild(QSplitter, "mainSplitter")
        assert splitter is not None
        assert [splitter.widget(0), splitter.widget(1)] == [sidebar, window.right_side]
        assert sidebar.geometry().right() < window.right_side.geometry().left() + 1


def cut_in(area: QWidget) -> list[str]:
    """What is seen and reaches beyond the right edge."""
    names: list[str] = []
    for each in area.findChildren(QWidget):
        is_scrolled = any(
            isinstance(parent, QWidget) and parent.objectName() == "qt_scrollarea_viewport"
            for parent in _parents(each, area)
        )
        if each.isVisible() and not is_scrolled and each.mapTo(area, each.rect().topRight()).x() >= area.width():
            names.append(each.objectName() or type(each).__name__)
    return names


def _parents(widget: QWidget, area: QWidget) -> list[QWidget]:
    found: list[QWidget] = []
    while (parent := widget.parentWidget()) is not None and parent is not area:
        found.append(parent)
        widget = parent
    return found


async def test_it_goes_with_a_chat_with_escape_and_with_a_click_beside_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = [await world.add_thread(f"question {n}", title=f"Title {n}") for n in range(3)]
        window, view = world.presenter.window, world.presenter.window.sidebar.list
        await narrow(world, until)

        async def opened() -> None:
            toggle(world)
            await until(lambda: window.sidebar.isAncestorOf(QApplication.focusWidget() or window))

        async def closed() -> None:
            await until(lambda: not window.sidebar.isVisible())
            await until(window.composer.edit.hasFocus)

        await opened()
        place = view.visualRect(view.threads.index_of(ids[1])).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await closed()
        await until(lambda: world.presenter.thread_id == ids[1])
        await opened()
        QTest.keyClick(view, K.Key_Down)
        await until(lambda: world.presenter.thread_id == ids[0])
        assert window.sidebar.isVisible(), "the keys go through the list"
        QTest.keyClick(view, K.Key_Escape)
        await closed()
        await opened()
        drawer = window.findChild(QWidget, "sidebarDrawer")
        assert drawer is not None
        QTest.mouseClick(drawer, Qt.MouseButton.LeftButton, pos=QPoint(690, 350))
        await closed()
        await opened()
        QTest.keyClick(view, K.Key_F2)
        assert window.sidebar.isVisible(), "a title is changed in place"
        QTest.keyClick(QApplication.focusWidget() or view, K.Key_Escape)
        await until(view.hasFocus)
        QTest.keySequence(window, sequences("new_chat")[0])
        await closed()
        assert world.presenter.thread_id is None
        assert world.errors == []


async def test_where_the_header_has_no_room_for_the_model_the_list_of_models_opens_below_the_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.presenter.open_thread(await world.add_thread("a question", title="A title that is long " * 3))
        window = world.presenter.window
        await narrow(world, until, font_size=24.0)
        await until(window.header.model_button.isHidden)
        world.presenter.window.header.model_requested.emit()
        below = window.composer.model_bar.model_button
        await until(lambda: below.property("open") is True)
        QTest.keyClick(QApplication.activePopupWidget() or window, K.Key_Escape)
        set_appearance(world, font_size=10.0)
        window.resize(1240, 860)
        await until(lambda: not window.header.model_button.isHidden())
