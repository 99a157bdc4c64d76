"""What the eye notices: one focus ring, nothing that jumps aside or hangs off the screen, round corners, equal heights."""

import dataclasses
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QTextBrowser, QWidget

from desktop.conversation.entities import ThreadOptions
from desktop.core.endpoints import ProviderPreset
from desktop.core.settings import AgentSettings, AppearanceSettings, EndpointSettings, SettingsStore, Theme
from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
from desktop.ui.endpoints.preset_grid import PresetGrid
from desktop.ui.popup import Popup
from desktop.ui.screen_room import limit_least_size, room_on_screen
from desktop.ui.search_field import SearchField
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
BORDER = 4
PRESET = ProviderPreset(id="a", name="A", base_url="https://a.example/v1", key_page="https://a.example/", models=("m",))


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeManager]:
    yield ThemeManager(qapp, Theme.LIGHT, "en")
    qapp.setStyleSheet("")


def inside(image: QImage) -> QImage:
    return image.copy(image.rect().adjusted(BORDER, BORDER, -BORDER, -BORDER))


@pytest.mark.parametrize("role", ["", "primary", "danger", "link", "presetCard", "segment", "titleButton", "picker"])
async def test_a_focused_button_has_one_ring_at_its_edge(
    qloop: object, theme: ThemeManager, role: str, until: Until
) -> None:
    window = QWidget()
    button, other = QPushButton(window), QPushButton(window)
    button.setProperty("role", role)
    button.setGeometry(10, 10, 160, 60)
    other.setGeometry(10, 90, 160, 60)
    window.show()
    window.activateWindow()
    await until(window.isActiveWindow)
    other.setFocus()
    without = button.grab().toImage()
    QTest.keyClick(other, Qt.Key.Key_Tab)
    assert button.hasFocus()
    ringed = button.grab().toImage()
    assert ringed != without
    assert inside(ringed) == inside(without)
    window.close()


@pytest.mark.parametrize("place", [QRect(0, 40, 400, 300), QRect(380, 500, 420, 300)])
async def test_the_options_of_a_chat_open_whole_on_the_screen_and_stay_there(
    qloop: object, theme: ThemeManager, place: QRect, until: Until
) -> None:
    parent = QWidget()
    parent.setGeometry(place)
    parent.show()
    dialog = ThreadOptionsDialog(parent, ThreadOptions(), AgentSettings())
    dialog.open()
    layout = dialog.layout()
    assert layout is not None
    screen, room = dialog.screen().availableGeometry(), room_on_screen(dialog)
    assert screen.contains(dialog.geometry())
    assert dialog.height() >= layout.totalHeightForWidth(dialog.width())
    switch = dialog.findChild(QCheckBox, "threadTemperature-switch")
    assert switch is not None
    dialog.resize(dialog.width() - 120, dialog.height())
    dialog.move(dialog.x(), room.bottom() - dialog.height())
    before = dialog.height()
    switch.setChecked(True)
    area = dialog.area
    assert area is not None
    await until(lambda: dialog.height() > before and not area.verticalScrollBar().maximum())
    assert screen.contains(dialog.geometry())
    dialog.close()
    parent.close()


def test_no_window_must_be_larger_than_its_screen(qapp: QApplication) -> None:
    window = QWidget()
    limit_least_size(window, QSize(10_000, 300))
    assert window.minimumSize() == QSize(room_on_screen(window).width(), 300)


def test_the_corners_of_what_pops_up_can_be_seen_through(theme: ThemeManager) -> None:
    parent = QWidget()
    popup = Popup(parent)
    popup.setObjectName("modelPicker")
    popup.resize(200, 120)
    popup.show()
    image = popup.grab().toImage()
    assert image.pixelColor(0, 0).alpha() == 0
    assert image.pixelColor(100, 60) == QColor(theme.tokens.panel)
    assert image.pixelColor(100, 0) == QColor(theme.tokens.line)
    popup.close()


@pytest.mark.parametrize("size", [10.0, 16.0])
def test_the_glass_of_a_search_field_grows_with_its_text_and_covers_none_of_it(
    theme: ThemeManager, size: float
) -> None:
    field = SearchField("search", theme)
    theme.set_appearance(AppearanceSettings(theme=Theme.LIGHT, font_size=size))
    field.resize(220, field.sizeHint().height())
    field.show()
    (glass,) = [w for w in field.findChildren(QWidget) if w.metaObject().className() == "IconLabel"]
    assert glass.width() == theme.px(16)
    assert glass.geometry().right() < field.cursorRect().left()
    assert abs(glass.geometry().center().y() - field.rect().center().y()) <= 1
    assert field.rect().contains(glass.geometry())
    field.close()


def test_the_cards_of_all_providers_have_one_height(theme: ThemeManager, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"a": "OpenAI", "b": "通义千问（阿里云百炼）", "c": "Zhipu", "d": "硅基流动"}
    monkeypatch.setattr("desktop.ui.endpoints.preset_grid.preset_name", lambda preset: names[preset.id])
    presets = [dataclasses.replace(PRESET, id=key) for key in names]
    grid = PresetGrid(presets)
    grid.resize(420, 300)
    grid.show()
    cards = grid.findChildren(QPushButton)
    assert len({card.sizeHint().height() for card in cards}) == 2, "Chinese is higher than Latin text"
    assert {card.height() for card in cards} == {max(card.sizeHint().height() for card in cards)}
    grid.close()


async def test_no_button_moves_when_a_test_of_a_model_ends(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    own = EndpointSettings(id="own", name="Own", base_url="http://127.0.0.1:1/v1", model="m")
    store.update(dataclasses.replace(store.settings, endpoints=(own,), welcomed=True))
    async with window_world(qapp, tmp_path, directory=DirectoryOnPaper()) as world:
        world.presenter.open_settings("models")
        window = world.presenter.settings_window
        assert window is not None
        row = window.findChild(QWidget, "endpoint-own")
        assert row is not None
        button = row.findChild(QPushButton, "endpointTest")
        assert button is not None
        edit = row.findChild(QPushButton, "endpointEdit")
        assert edit is not None
        before, height = edit.mapTo(row, QPoint(0, 0)).y(), row.height()
        button.click()
        await until(lambda: row.height() > height and button.isVisible())
        assert edit.mapTo(row, QPoint(0, 0)).y() == before


async def test_no_text_moves_aside_when_the_scroll_bar_is_needed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        view = world.presenter.window.transcript

        def text_left() -> int:
            shown = [text for text in view.findChildren(QTextBrowser) if text.isVisible() and text.width() > 300]
            return shown[0].mapTo(view, QPoint(0, 0)).x()

        lefts = list[int]()
        for text in ("One paragraph that is long enough for a line.", "A line.\n\n" * 80):
            await world.presenter.open_thread(await world.add_thread(text, title=text[:8]))
            await until(lambda: any(w.width() > 300 for w in view.findChildren(QTextBrowser)))
            lefts.append(text_left())
        assert view.verticalScrollBar().maximum() > 0
        assert lefts[0] == lefts[1]
        column = view.viewport().geometry()
        assert column.left() == view.width() - 1 - column.right(), "in the middle, over the message field"
