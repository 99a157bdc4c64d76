"""What somebody clicks in the settings stays under the mouse while it changes the look of the whole window."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QDoubleSpinBox,
    QPushButton,
    QStyle,
    QStyleOptionSpinBox,
    QWidget,
)

from desktop.core.settings import Density
from desktop.ui.settings.window import SettingsWindow
from tests.support.settings_world import open_settings
from tests.support.settings_world import set_appearance as change
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
SMALL, USUAL, WIDE = (680, 480), (920, 660), (1300, 900)
CLICKS = 4


async def opened(world: WindowWorld, until: Until, size: tuple[int, int], page: str = "appearance") -> SettingsWindow:
    world.presenter.open_settings(page)
    window = open_settings(world)
    await until(window.isActiveWindow)
    window.resize(*size)
    laid_out()
    return window


def laid_out() -> None:
    """Let every layout do what it put off."""
    for _ in range(12):
        QApplication.processEvents()


def find(window: QWidget, kind: type[W], name: str) -> W:
    widget = window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def area(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def arrow(box: QAbstractSpinBox, part: QStyle.SubControl) -> QRect:
    """Where an arrow of the field is on the screen."""
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    inside = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
    return QRect(box.mapToGlobal(inside.topLeft()), inside.size())


def is_at(place: QRect, mouse: QPoint) -> bool:
    """Whether the mouse is still in the middle, but for rounding."""
    return (place.center() - mouse).manhattanLength() <= 3


def point_at(window: SettingsWindow, control: QWidget, place: Callable[[], QRect]) -> QPoint:
    """Scroll to the control and put the mouse there; returns where that is on the screen."""
    window.page("appearance").ensureWidgetVisible(control, 0, 60)
    laid_out()
    QCursor.setPos(place().center())
    return place().center()


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_the_arrow_of_the_text_size_can_be_clicked_again_and_again(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, size: tuple[int, int]
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, size)
        box = find(window, QDoubleSpinBox, "fontSize")
        for part, step in ((QStyle.SubControl.SC_SpinBoxUp, 0.5), (QStyle.SubControl.SC_SpinBoxDown, -0.5)):
            mouse = point_at(window, box, lambda part=part: arrow(box, part))
            for _ in range(CLICKS):
                wanted = box.value() + step
                QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.mapFromGlobal(mouse))
                window.writer.flush()
                assert world.theme.appearance.font_size == wanted
                laid_out()
                await until(lambda part=part, mouse=mouse: is_at(arrow(box, part), mouse))


async def test_the_code_size_stays_under_the_mouse_though_the_sample_above_it_grows(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, USUAL)
        box, sample = find(window, QDoubleSpinBox, "codeFontSize"), find(window, QWidget, "lookSample")
        mouse = point_at(window, box, lambda: area(box))
        before = sample.height()
        box.setValue(20.0)
        window.writer.flush()
        await until(lambda: sample.height() > before + 5)
        await until(lambda: is_at(area(box), mouse))


@pytest.mark.parametrize("size", [SMALL, USUAL])
async def test_the_chosen_spacing_stays_under_the_mouse(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, size: tuple[int, int]
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, size)
        for density in (Density.COMPACT, Density.COMFORTABLE):
            button = find(window, QPushButton, f"density-{density}")
            mouse = point_at(window, button, lambda button=button: area(button))
            QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=button.mapFromGlobal(mouse))
            assert world.theme.appearance.density is density
            laid_out()
            await until(lambda button=button, mouse=mouse: area(button).contains(mouse))


async def test_the_width_of_the_chats_moves_nothing_in_the_settings(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, USUAL)
        box = find(window, QAbstractSpinBox, "textWidth")
        before = area(box)
        change(world, text_width=1200)
        laid_out()
        assert area(box) == before


async def test_who_uses_the_keyboard_keeps_the_control_where_it_is(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, USUAL)
        QCursor.setPos(window.mapToGlobal(QPoint(5, 5)))
        box = find(window, QDoubleSpinBox, "fontSize")
        box.setFocus()
        window.page("appearance").ensureWidgetVisible(box, 0, 60)
        laid_out()
        middle = area(box).center().y()
        for _ in range(CLICKS):
            QTest.keyClick(box, Qt.Key.Key_Up)
            window.writer.flush()
            laid_out()
            await until(lambda: abs(area(box).center().y() - middle) <= 1)


async def test_room_that_a_steady_control_needed_goes_again_out_of_sight(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        change(world, font_size=16.0)
        window = await opened(world, until, USUAL)
        page = window.page("appearance")
        box = find(window, QDoubleSpinBox, "fontSize")
        canvas = page.widget()
        assert canvas is not None
        heading = page.findChild(QWidget, "settingsContent")
        assert heading is not None
        beginning = heading.y()
        mouse = point_at(window, box, lambda: area(box))
        box.setFocus()
        change(world, font_size=8.0)
        laid_out()
        assert area(box).contains(mouse)
        assert heading.y() > beginning, "the page ends above its begin: it needs room there"
        bar = page.verticalScrollBar()
        box.clearFocus()
        QCursor.setPos(window.mapToGlobal(QPoint(5, 5)))
        laid_out()
        assert area(box).contains(mouse), "nothing jumps when the mouse goes"
        bar.setValue(bar.maximum())
        laid_out()
        bar.setValue(0)
        await until(lambda: heading.y() == beginning)


async def test_the_wheel_moves_the_page_also_while_a_control_is_held(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, SMALL)
        page = window.page("appearance")
        box = find(window, QDoubleSpinBox, "fontSize")
        box.setFocus()
        point_at(window, box, lambda: area(box))
        change(world, font_size=12.0)
        laid_out()
        bar = page.verticalScrollBar()
        bar.triggerAction(bar.SliderAction.SliderToMaximum)
        laid_out()
        assert bar.value() == bar.maximum()
        box.parentWidget().setMinimumHeight(200)  # type: ignore[union-attr]
        laid_out()
        assert bar.value() >= bar.maximum() - 200, "what is laid out later does not bring the page back"
