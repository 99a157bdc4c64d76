"""The model of one chat and how much it thinks: chosen where the message is written, kept with the chat."""

import dataclasses
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.conversation.entities import ThreadOptions
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.endpoints import Ability, EndpointCheck, Finding, FoundServer
from desktop.core.language_model import ThinkingEffort
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.ui.endpoints.endpoint_dialog import EditEndpointDialog
from desktop.ui.model_button import ModelButton
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
HOME = EndpointSettings(
    id="home", name="Ollama", base_url="http://127.0.0.1:11434/v1", model="qwen3:8b", models=("qwen3:8b", "llama3.2")
)
CLOUD = EndpointSettings(
    id="cloud", name="Cloud", base_url="https://cloud.example/v1", model="large", models=("large", "huge")
)


def prepared(folder: Path, *endpoints: EndpointSettings, active: str = "home") -> Path:
    store = SettingsStore(folder / "settings.json")
    store.update(dataclasses.replace(store.settings, endpoints=endpoints, endpoint_id=active, welcomed=True))
    return folder


def part(parent: QWidget, kind: type[W], name: str) -> W:
    widget = parent.findChild(kind, name)
    assert widget is not None, name
    return widget


def find(world: WindowWorld, kind: type[W], name: str) -> W:
    return part(world.presenter.window, kind, name)


def pick(world: WindowWorld, text: str, *, button: str = "composerModel", for_new_chats: bool | None = None) -> None:
    QTest.mouseClick(find(world, QPushButton, button), Qt.MouseButton.LeftButton)
    if for_new_chats is not None:
        find(world, QCheckBox, "modelForNewChats").setChecked(for_new_chats)
    models = find(world, QListWidget, "modelList")
    (item,) = models.findItems(text, Qt.MatchFlag.MatchExactly)
    models.setCurrentItem(item)
    QTest.keyClick(models, Qt.Key.Key_Return)


def shown(world: WindowWorld) -> tuple[str, str]:
    """What header and composer say of the model."""
    header = find(world, QPushButton, "modelButton").accessibleName()
    composer = find(world, QPushButton, "composerModel").accessibleName()
    assert header == composer
    return header, find(world, ModelButton, "composerModel").full_text


def usual(world: WindowWorld) -> tuple[str, str]:
    settings = world.settings.settings
    return settings.endpoint_id, settings.endpoint.model


async def options_of(world: WindowWorld, thread_id: str) -> ThreadOptions:
    thread = await world.conversations.get_thread(thread_id)
    assert thread is not None
    return thread.options


async def test_a_choice_in_a_chat_is_that_chat_s_alone(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, HOME, CLOUD)) as world:
        here, there = await world.add_thread("here"), await world.add_thread("there")
        await world.presenter.open_thread(here)
        QTest.mouseClick(find(world, QPushButton, "composerModel"), Qt.MouseButton.LeftButton)
        assert not find(world, QCheckBox, "modelForNewChats").isChecked()
        QTest.keyClick(find(world, QListWidget, "modelList"), Qt.Key.Key_Escape)
        find(world, QWidget, "modelPicker").close()
        pick(world, "huge")
        assert shown(world) == ("Model: huge · Cloud", "huge")
        assert usual(world) == ("home", "qwen3:8b")
        await world.presenter.open_thread(there)
        assert shown(world) == ("Model: qwen3:8b · Ollama", "qwen3:8b")
        await world.presenter.open_thread(here)
        await until(lambda: shown(world) == ("Model: huge · Cloud", "huge"))
        await until(lambda: world.presenter.options._saving is None or world.presenter.options._saving.done())
        assert await options_of(world, here) == ThreadOptions(endpoint_id="cloud", model="huge")
        assert await options_of(world, there) == ThreadOptions()

        pick(world, "llama3.2", button="modelButton", for_new_chats=True)
        assert usual(world) == ("home", "llama3.2")
        assert shown(world)[1] == "llama3.2"


async def test_in_a_new_chat_the_choice_is_for_new_chats_unless_the_user_says_no(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, HOME, CLOUD)) as world:
        pick(world, "huge")
        assert usual(world) == ("cloud", "huge")
        pick(world, "llama3.2", for_new_chats=False)
        assert usual(world) == ("cloud", "huge")
        assert shown(world)[1] == "llama3.2"
        chosen = await world.presenter.options.of_new_chat()
        assert (chosen.endpoint_id, chosen.model) == ("home", "llama3.2")
        pick(world, "large", for_new_chats=True)
        assert shown(world)[1] == "large"
        assert await world.presenter.options.of_new_chat() == ThreadOptions()


async def test_how_much_it_thinks_is_switched_in_the_middle_of_a_chat(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    directory = DirectoryOnPaper()
    directory.levels = {"qwen3:8b": (ThinkingEffort.OFF, ThinkingEffort.HIGH), "large": tuple(ThinkingEffort)}
    home = dataclasses.replace(HOME, model_options={"qwen3:8b": ModelOptions(thinking=ThinkingEffort.OFF)})
    async with window_world(qapp, prepared(tmp_path, home, CLOUD), directory=directory) as world:
        thread_id = await world.add_thread("hello")
        await world.presenter.open_thread(thread_id)
        button = find(world, QPushButton, "thinkingButton")
        assert button.isVisible()
        assert button.accessibleName() == "Thinking: off"  # as the model's options say

        def choose(name: str) -> list[str]:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            menu = find(world, QWidget, "thinkingMenu")
            texts = [action.text() for action in menu.actions()]
            action = menu.findChild(QAction, f"thinking-{name}")
            assert action is not None
            action.trigger()
            menu.close()
            return texts

        assert choose("high") == ["As in the settings (off)", "Off", "On"]
        assert button.accessibleName() == "Thinking: on"
        await until(lambda: world.presenter.options._saving is not None and world.presenter.options._saving.done())
        assert (await options_of(world, thread_id)).thinking is ThinkingEffort.HIGH
        pick(world, "large")
        assert button.accessibleName() == "Thinking: high"
        assert choose("usual") == ["As the model likes", "Off", "Low", "Medium", "High"]
        assert button.accessibleName() == "Thinking"
        pick(world, "huge")
        assert not button.isVisible(), "it cannot think"


async def test_a_chat_whose_model_is_gone_says_who_answers_for_as_long_as_that_is_so(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, HOME, CLOUD)) as world:
        thread_id = await world.add_thread("hello")
        await world.presenter.open_thread(thread_id)
        pick(world, "huge")
        notices = find(world, QWidget, "noticeArea")
        assert not notices.isVisible()
        world.book.remove(["cloud"])
        assert notices.isVisible()
        assert "qwen3:8b · Ollama answers instead" in part(notices, QWidget, "noticeDetail").text()  # type: ignore[attr-defined]
        assert shown(world) == ("Model: qwen3:8b · Ollama", "qwen3:8b")
        world.book.restore(["cloud"])
        assert not notices.isVisible()
        assert shown(world)[1] == "huge"
        world.book.remove(["cloud"])
        QTest.mouseClick(part(notices, QPushButton, "noticeAction-0"), Qt.MouseButton.LeftButton)
        assert find(world, QWidget, "modelPicker").isVisible()
        find(world, QWidget, "modelPicker").close()
        pick(world, "llama3.2")
        assert not notices.isVisible()


async def test_the_command_line_s_model_is_taken_again_in_a_chat_with_a_choice_of_its_own(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    given = EndpointSettings(base_url="http://127.0.0.1:9/v1", model="given")
    async with window_world(qapp, prepared(tmp_path, HOME), given=given) as world:
        await world.presenter.open_thread(await world.add_thread("hello"))
        pick(world, "llama3.2")
        assert shown(world)[1] == "llama3.2"
        pick(world, "given")
        assert shown(world)[1] == "given"


def dialog_for(world: WindowWorld, endpoint_id: str) -> EditEndpointDialog:
    endpoint = world.book.find(endpoint_id)
    assert endpoint is not None
    dialog = EditEndpointDialog(
        world.presenter._services, world.theme, world.presenter.window, endpoint, key_missing=False
    )
    dialog.open()
    return dialog


async def test_what_a_click_unfolds_is_brought_into_view(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, HOME, CLOUD)) as world:
        dialog = dialog_for(world, "cloud")
        dialog.resize(dialog.width(), 420)
        for fold, control in (("endpointAdvanced", "endpointHeaders"), ("endpointModelOptions", "modelContext")):
            part(dialog, QToolButton, fold).click()
            field = part(dialog, QWidget, control)
            await until(lambda field=field: field.visibleRegion().boundingRect() == field.rect())
        dialog.close()


async def test_headers_proxy_and_options_of_a_model_are_entered_and_kept(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, HOME, CLOUD)) as world:
        dialog = dialog_for(world, "cloud")
        assert not part(dialog, QWidget, "endpointHeaders").isVisible()
        part(dialog, QToolButton, "endpointAdvanced").click()
        part(dialog, QToolButton, "endpointModelOptions").click()
        headers, proxy = part(dialog, QPlainTextEdit, "endpointHeaders"), part(dialog, QComboBox, "endpointProxy")
        headers.setPlainText("X-Title: Threadwell\n\napi-key: {key}")
        proxy.setCurrentIndex(2)
        proxy.activated.emit(2)
        part(dialog, QLineEdit, "endpointProxyAddress").setText("http://127.0.0.1:7890/")
        part(dialog, QLineEdit, "modelContext").setText("128k")
        part(dialog, QLineEdit, "modelTemperature").setText("0,7")
        part(dialog, QComboBox, "modelThinking").setCurrentIndex(2)
        part(dialog, QComboBox, "modelImages").setCurrentIndex(1)
        part(dialog, QComboBox, "modelTools").setCurrentIndex(2)
        part(dialog, QLineEdit, "modelInputPrice").setText("0.25")
        assert part(dialog, QLineEdit, "modelCurrency").placeholderText() == "$", "what a price is in by itself"
        part(dialog, QPlainTextEdit, "modelBody").setPlainText('{"top_k": 40}')
        box = part(dialog, QComboBox, "endpointModel")
        box.setCurrentText("huge")  # each model has its own
        assert part(dialog, QLineEdit, "modelContext").text() == ""
        part(dialog, QLineEdit, "modelContext").setText("8192")
        box.setCurrentText("large")
        assert part(dialog, QLineEdit, "modelContext").text() == "128000"
        part(dialog, QPushButton, "submitEndpoint").click()
        await until(lambda: (kept := world.book.find("cloud")) is not None and bool(kept.headers))
        kept = world.book.find("cloud")
        assert kept is not None
        assert (kept.headers, kept.proxy) == (
            {"X-Title": "Threadwell", "api-key": "{key}"},
            "http://127.0.0.1:7890",
        )
        assert kept.model_options == {
            "large": ModelOptions(
                context_tokens=128_000,
                temperature=0.7,
                thinking=ThinkingEffort.LOW,
                sees_images=True,
                takes_tools=False,
                extra_body={"top_k": 40},
                input_price=0.25,
                currency="$",
            ),
            "huge": ModelOptions(context_tokens=8192),
        }
        again = dialog_for(world, "cloud")
        assert part(again, QPlainTextEdit, "endpointHeaders").isVisible(), "what is set stands open"
        assert part(again, QLineEdit, "modelContext").text() == "128000"
        assert part(again, QLineEdit, "modelCurrency").text() == "$"
        again.reject()


async def test_what_cannot_be_used_is_said_at_its_field_and_not_kept(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, prepared(tmp_path, HOME, CLOUD)) as world:
        dialog = dialog_for(world, "cloud")
        headers = part(dialog, QPlainTextEdit, "endpointHeaders")
        context, body = part(dialog, QLineEdit, "modelContext"), part(dialog, QPlainTextEdit, "modelBody")
        for field, wrong, hint in (
            (headers, "X-Api-Key: sk-abcdefghijklmnop1234", "{key}"),
            (headers, "Host: x", "Threadwell itself"),
            (headers, "no colon", "no colon"),
            (headers, "X-A: 1\nx-a: 2", "twice"),
            (body, "{top_k: 1}", "line 1"),
            (body, '{"model": "x"}', "model cannot be set"),
            (body, "[]", "object"),
        ):
            field.setPlainText(wrong)
            part(dialog, QPushButton, "submitEndpoint").click()
            assert hint in field.accessibleDescription(), wrong
            assert field.isVisible()
            field.setPlainText("")
        context.setText("lots")
        part(dialog, QPushButton, "submitEndpoint").click()
        assert context.accessibleDescription()
        assert world.book.find("cloud") == CLOUD
        dialog.reject()


@pytest.mark.parametrize(
    ("note", "words"), [("", "Reads 4,096 tokens"), ("as_set", "Reads 4,096 tokens, as you set it")]
)
async def test_a_test_shows_what_works_one_by_one(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, note: str, words: str
) -> None:
    directory = DirectoryOnPaper()
    works = dict.fromkeys(Ability, True) | {Ability.TOOLS: False, Ability.STREAMING: None}
    directory.answer = EndpointCheck(
        answer="Hello!",
        seconds=0.8,
        findings=(
            *(Finding(ability=ability, works=works[ability]) for ability in list(Ability)[:-1]),
            Finding(ability=Ability.CONTEXT, works=True, tokens=4096, note=note),
        ),
    )
    async with window_world(qapp, prepared(tmp_path, HOME), directory=directory) as world:
        dialog = dialog_for(world, "home")
        part(dialog, QPushButton, "testEndpoint").click()
        findings = part(dialog, QWidget, "findings")
        await until(findings.isVisible)
        texts = [part(findings, QWidget, f"finding-{ability}").text() for ability in Ability]  # type: ignore[attr-defined]
        assert texts == [
            "Reachable",
            "Key accepted",
            "Model answers",
            "Streaming: not known",
            "Takes no tools",
            words,
        ]
        assert "Takes no tools" in part(dialog, QWidget, "checkResult").accessibleName()
        dialog.reject()


async def test_a_local_server_takes_two_clicks_from_nothing(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    found = FoundServer(kind="Ollama", base_url=HOME.base_url, models=HOME.models)
    async with window_world(qapp, prepared(tmp_path, active=""), directory=DirectoryOnPaper(found)) as world:
        world.presenter.open_settings("models")
        window = world.presenter.settings_window
        assert window is not None
        await until(lambda: window.findChild(QPushButton, "addEndpoint") is not None)
        QTest.mouseClick(part(window, QPushButton, "addEndpoint"), Qt.MouseButton.LeftButton)  # one
        await until(lambda: (use := window.findChild(QPushButton, "useServer")) is not None and use.isVisible())
        QTest.mouseClick(part(window, QPushButton, "useServer"), Qt.MouseButton.LeftButton)  # two
        await until(lambda: usual(world)[1] == "qwen3:8b")
        assert world.settings.settings.endpoint.base_url == HOME.base_url
