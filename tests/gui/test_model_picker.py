"""The list of models above the chat: chosen by mouse and by keys, in force for the next message, stored."""

import dataclasses
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QPushButton, QWidget

from desktop.core.errors import ModelError
from desktop.core.settings import EndpointSettings, SettingsStore
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
LOCAL = EndpointSettings(
    id="local", name="Ollama", base_url="http://127.0.0.1:11434/v1", model="qwen3:8b", models=("qwen3:8b", "llama3.2")
)
MANY = EndpointSettings(
    id="many", name="Router", base_url="https://router.example/v1", model="m0", models=tuple(f"m{n}" for n in range(20))
)


def prepared(folder: Path, *endpoints: EndpointSettings, active: str = "") -> Path:
    store = SettingsStore(folder / "settings.json")
    store.update(dataclasses.replace(store.settings, endpoints=endpoints, endpoint_id=active, welcomed=True))
    return folder


def find(world: WindowWorld, kind: type[W], name: str) -> W:
    widget = world.presenter.window.findChild(kind, name)
    assert widget is not None, name
    return widget


def open_picker(world: WindowWorld) -> QListWidget:
    button = find(world, QPushButton, "modelButton")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, button.rect().center())
    return find(world, QListWidget, "modelList")


def texts(models: QListWidget) -> list[str]:
    return [models.item(row).text() for row in range(models.count())]


async def test_a_click_chooses_a_model_at_once_and_for_good(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        models = open_picker(world)
        assert texts(models) == ["Ollama", "qwen3:8b", "llama3.2", "Built in", "Demo model (answers from a script)"]
        assert models.currentItem().text().startswith("Demo model")
        assert not find(world, QLineEdit, "modelSearch").isVisible()
        heading, wanted = models.item(0), models.item(2)
        for item in (heading, wanted):
            place = models.visualItemRect(item).center()
            QTest.mouseClick(models.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
            assert models.isVisible() is (item is heading)
        assert world.settings.settings.endpoint == dataclasses.replace(LOCAL, model="llama3.2")
        assert find(world, QPushButton, "modelButton").accessibleName() == "Model: llama3.2 · Ollama"
        assert world.presenter.window.sidebar.footer.findChild(QWidget, "modelStatus").full_text == "llama3.2 · Ollama"  # type: ignore[union-attr]
        assert not find(world, QWidget, "demoChip").isVisible()


async def test_many_models_are_searched_and_chosen_by_keys(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL, MANY, active="local")) as world:
        models = open_picker(world)
        search = find(world, QLineEdit, "modelSearch")
        assert search.isVisible()
        QTest.keyClicks(search, "router m1")
        assert texts(models) == ["Router", "m1", *(f"m1{n}" for n in range(10))]
        QTest.keyClick(search, Qt.Key.Key_Down)
        QTest.keyClick(models, Qt.Key.Key_Down)
        QTest.keyClick(models, Qt.Key.Key_Return)
        assert not models.isVisible()
        assert (world.settings.settings.endpoint_id, world.settings.settings.endpoint.model) == ("many", "m10")
        models = open_picker(world)
        QTest.keyClicks(search, "nothing like it")
        assert not models.isVisible()
        assert find(world, QWidget, "noModelFound").isVisible()
        QTest.keyClick(search, Qt.Key.Key_Return)
        assert world.settings.settings.endpoint.model == "m10"


async def test_the_command_lines_model_gives_way_and_can_be_taken_again(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    given = EndpointSettings(base_url="http://127.0.0.1:9/v1", model="given")
    async with window_world(qapp, prepared(tmp_path, LOCAL, active="local"), given=given) as world:
        label = find(world, QPushButton, "modelButton")
        assert label.accessibleName() == "Model: given"
        models = open_picker(world)
        assert texts(models)[:3] == ["Set on the command line", "given", "Ollama"]
        models.setCurrentRow(3)
        QTest.keyClick(models, Qt.Key.Key_Return)
        assert label.accessibleName() == "Model: qwen3:8b · Ollama"
        models = open_picker(world)
        models.setCurrentRow(1)
        QTest.keyClick(models, Qt.Key.Key_Return)
        assert label.accessibleName() == "Model: given"
        assert world.settings.settings.endpoint_id == "local", "what the command line gave is not stored"


async def test_the_way_to_the_settings(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        open_picker(world)
        QTest.mouseClick(find(world, QPushButton, "modelSettings"), Qt.MouseButton.LeftButton)
        window = world.presenter.settings_window
        assert window is not None
        assert window.isVisible()
        assert window.page_key == "models"


async def test_an_answer_that_failed_for_its_key_leads_to_the_settings(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    refused = ModelError("model.unauthorized", url="https://h/v1", status=401, detail="No.")
    async with window_world(qapp, prepared(tmp_path, LOCAL, active="local"), [refused]) as world:
        edit = find(world, QWidget, "messageEdit")
        QTest.keyClicks(edit, "hello")
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await until(lambda: world.presenter.window.findChild(QPushButton, "error-open_models") is not None)
        button = find(world, QPushButton, "error-open_models")
        await until(button.isVisible)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        window = world.presenter.settings_window
        assert window is not None
        assert window.page_key == "models"


async def test_the_empty_chat_follows_the_choice(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, LOCAL)) as world:
        notice = find(world, QWidget, "scripted-notice")
        await until(notice.isVisible)
        world.presenter.models._book.choose("local")
        assert not notice.isVisible()
