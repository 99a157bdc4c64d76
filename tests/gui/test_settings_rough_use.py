"""The settings when things end, change or fail at an awkward moment."""

import asyncio
import dataclasses
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QToolTip,
    QWidget,
)

from desktop.core.licences import PackageLicence
from desktop.core.settings import AgentSettings, EndpointSettings, Settings, SettingsStore
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.providers.endpoint_check import Endpoints
from desktop.ui.endpoints.check_result import CheckResult
from desktop.ui.endpoints.endpoint_form import EndpointForm
from desktop.ui.plain_label import PlainLabel
from desktop.ui.settings.about_page import AboutPage
from desktop.ui.text_field import TextField
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.local_server import LocalServer, chat_stream, model_list, running
from tests.support.settings_world import open_settings
from tests.support.small_disks import fill_up, make_room, mounted
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
W = TypeVar("W", bound=QWidget)


def find(parent: QWidget, kind: type[W], name: str) -> W:
    widget = parent.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def slow_endpoint(server: LocalServer) -> EndpointSettings:
    return EndpointSettings(id="slow", name="Slow", base_url=f"http://127.0.0.1:{server.port}/v1", model="m")


def keep(folder: Path, endpoint: EndpointSettings) -> None:
    """Have the settings hold this endpoint, which answers."""
    SettingsStore(folder / "settings.json").update(
        Settings(endpoints=(endpoint,), endpoint_id=endpoint.id, welcomed=True)
    )


def full_disk(_path: Path, _text: str) -> None:
    raise OSError(28, "No space left on device")


async def test_what_comes_in_while_the_program_ends_still_has_its_page(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, came = threading.Event(), threading.Event()

    def slow() -> list[PackageLicence]:
        may_go_on.wait(10)
        came.set()
        return [PackageLicence(name="Slow", version="1", licence="MIT")]

    monkeypatch.setattr("desktop.ui.settings.about_page.package_licences", slow)
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("about")
        window = open_settings(world)
        page = window.page("about")
        assert isinstance(page, AboutPage)
        await world.presenter.flush_drafts()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not window.isVisible()
        may_go_on.set()
        await until(came.is_set)
        await until(lambda: page.packages.topLevelItemCount() == 1)
        assert world.errors == []


@pytest.mark.parametrize("dialog", ["addEndpoint", "endpointEdit"])
async def test_a_dialog_that_is_closed_while_it_asks_leaves_nothing_behind(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, dialog: str
) -> None:
    silent = LocalServer(is_silent=True)
    async with running(silent):
        keep(tmp_path, slow_endpoint(silent))
        async with window_world(qapp, tmp_path, directory=Endpoints(ports={silent.port: "Ollama"})) as world:
            world.presenter.open_settings("models")
            window = open_settings(world)
            for _ in range(2):
                row = window if dialog == "addEndpoint" else find(window, QWidget, "endpoint-slow")
                click(find(row, QPushButton, dialog))
                opened = next(d for d in window.findChildren(QDialog) if d.isVisible())
                wanted = len(silent.requests) + (2 if dialog == "endpointEdit" else 1)
                if dialog == "endpointEdit":
                    click(find(opened, QPushButton, "testEndpoint"))
                    click(find(opened, QToolButton, "refreshModels"))
                await until(lambda wanted=wanted: len(silent.requests) >= wanted)
                opened.reject()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                await until(lambda: not window.findChildren(QDialog))
        assert world.errors == []


async def test_a_second_test_is_not_taken_for_the_cancelled_first_one(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    silent = LocalServer(is_silent=True)
    async with running(silent):
        keep(tmp_path, slow_endpoint(silent))
        async with window_world(qapp, tmp_path, directory=Endpoints()) as world:
            world.presenter.open_settings("models")
            row = find(open_settings(world), QWidget, "endpoint-slow")
            click(find(row, QPushButton, "endpointTest"))
            await until(lambda: len(silent.requests) == 1)
            click(find(row, QPushButton, "endpointCancel"))
            click(find(row, QPushButton, "endpointTest"))
            await until(lambda: len(silent.requests) == 2)
            assert find(row, QPushButton, "endpointCancel").isVisible()
            click(find(row, QPushButton, "endpointCancel"))
            await until(lambda: not [task for task in asyncio.all_tasks() if task.get_name() == "test an endpoint"])
            assert find(row, QPushButton, "endpointTest").isVisible()
            assert world.errors == []


async def test_a_test_on_a_full_disk_shows_its_result_and_what_was_not_written(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = LocalServer({"/v1/models": model_list("m", "n"), "/v1/chat/completions": chat_stream("Hello.")})
    async with running(server):
        keep(tmp_path, slow_endpoint(server))
        async with window_world(qapp, tmp_path, directory=Endpoints()) as world:
            world.presenter.open_settings("models")
            window = open_settings(world)
            row = find(window, QWidget, "endpoint-slow")
            monkeypatch.setattr("desktop.core.settings.write_atomically", full_disk)
            click(find(row, QPushButton, "endpointTest"))
            await until(lambda: "answered in" in find(row, QLabel, "endpointState").text())
            await until(lambda: bool(window.notices.titles))
            click(find(row, QPushButton, "endpointEdit"))
            dialog = window.findChild(QDialog, "editEndpointDialog")
            assert dialog is not None
            click(find(dialog, QPushButton, "testEndpoint"))
            await until(lambda: "answered in" in find(dialog, CheckResult, "checkResult").text)
            dialog.reject()
            assert world.errors == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "small-disk", "size=16m") as folder:
        yield folder


@pytest.mark.expected_log("the settings could not be written")
@pytest.mark.allowed_log("reserve file", "log could not be emptied", "place could not be saved")
async def test_what_was_typed_on_a_full_disk_stays_in_its_field_until_it_is_stored(
    qapp: QApplication, qloop: object, small_disk: Path, until: Until
) -> None:
    async with window_world(qapp, small_disk / "data") as world:
        world.presenter.open_settings("assistant")
        window = open_settings(world)
        prompt, folder = find(window, TextField, "systemPrompt"), find(window, QLineEdit, "workspace")
        workspace = str(small_disk / "work")
        fill_up(small_disk)
        prompt.insertPlainText("Answer in rhyme.")
        await until(lambda: window.findChild(QPushButton, "saveAgain") is not None)
        again = find(window, QPushButton, "saveAgain")
        assert again.accessibleName() == "Try again: Instructions for every chat"
        assert (again.isVisible(), prompt.toPlainText()) == (True, "Answer in rhyme.")
        assert window.notices.titles == ["The disk is full"]
        folder.setText(workspace)
        QTest.keyClick(folder, Qt.Key.Key_Return)
        steps = find(window, QSpinBox, "stepLimit")
        steps.setValue(7)
        await until(lambda: len(window.findChildren(QPushButton, "saveAgain")) == 3)
        assert (folder.text(), prompt.toPlainText()) == (workspace, "Answer in rhyme.")
        assert world.settings.settings.agent == AgentSettings()
        window.close()
        assert not window.isVisible(), "the user had been told before"
        world.presenter.open_settings("assistant")
        assert (folder.text(), prompt.toPlainText()) == (workspace, "Answer in rhyme.")
        make_room(small_disk)
        again.setFocus()
        QTest.keyClick(again, Qt.Key.Key_Space)
        stored = AgentSettings(system_prompt="Answer in rhyme.", workspace=workspace, step_limit=7)
        assert SettingsStore(world.data_dir / "settings.json").settings.agent == stored
        assert not any(button.isVisible() for button in window.findChildren(QPushButton, "saveAgain"))
        assert window.focusWidget() is prompt
        assert window.notices.titles == []


@pytest.mark.expected_log("the settings could not be written")
@pytest.mark.allowed_log("reserve file", "log could not be emptied", "place could not be saved")
async def test_the_settings_say_once_before_they_close_that_something_is_not_stored(
    qapp: QApplication, qloop: object, small_disk: Path, until: Until
) -> None:
    async with window_world(qapp, small_disk / "data") as world:
        world.presenter.open_settings("assistant")
        window = open_settings(world)
        prompt = find(window, TextField, "systemPrompt")
        fill_up(small_disk)
        prompt.insertPlainText("Answer in rhyme.")
        window.close()  # before it was tried
        assert window.isVisible()
        assert window.notices.titles == ["The disk is full"]
        window.close()
        assert not window.isVisible()
        make_room(small_disk)
    assert SettingsStore(small_disk / "data" / "settings.json").settings.agent.system_prompt == "Answer in rhyme."


@pytest.mark.expected_log("the settings could not be written")
async def test_what_a_form_could_not_save_is_said_in_the_form(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, EndpointSettings(id="slow", name="Slow", base_url="https://slow.example/v1", model="m"))
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("models")
        window = open_settings(world)
        monkeypatch.setattr("desktop.core.settings.write_atomically", full_disk)
        click(find(find(window, QWidget, "endpoint-slow"), QPushButton, "endpointEdit"))
        dialog = find(window, QDialog, "editEndpointDialog")
        find(dialog, QLineEdit, "endpointName").setText("Another name")
        click(find(dialog, QPushButton, "submitEndpoint"))
        assert "The disk is full" in find(dialog, CheckResult, "checkResult").text
        assert dialog.isVisible()
        dialog.reject()
        world.presenter.open_settings("servers")
        for text in ("{}", '{"a": {"command": "x"}, "b": {"command": "y"}}'):
            is_json = len(text) > 2
            click(find(window, QPushButton, "pasteServers" if is_json else "addServer"))
            form = next(d for d in window.findChildren(QDialog, "serverForm") if d.isVisible())
            find(form, TextField, "serverJson").setPlainText(text)
            find(form, QLineEdit, "serverName").setText("name")
            find(form, TextField, "serverCommand").setPlainText("program")
            find(form, QAbstractButton, "serverEnabled").setChecked(False)
            click(find(form, QPushButton, "serverSave"))
            said = lambda form=form: [w.text() for w in form.findChildren(QLabel) if w.isVisible()]  # noqa: E731
            await until(lambda said=said: any("The disk is full" in text for text in said()))
            form.reject()


async def test_saving_an_endpoint_does_not_undo_a_choice_made_meanwhile(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    keep(tmp_path, EndpointSettings(id="slow", name="Slow", base_url="https://slow.example/v1", model="m"))
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("models")
        window = open_settings(world)
        click(find(find(window, QWidget, "endpoint-slow"), QPushButton, "endpointEdit"))
        dialog = window.findChild(QDialog, "editEndpointDialog")
        assert dialog is not None
        world.settings.update(dataclasses.replace(world.settings.settings, endpoint_id=""))  # in the main window's list
        click(find(dialog, QPushButton, "submitEndpoint"))
        await until(lambda: not dialog.isVisible())
        assert world.settings.settings.endpoint.is_demo


async def test_a_key_or_an_address_that_is_too_long_is_refused_and_never_cut(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    directory = DirectoryOnPaper()
    async with window_world(qapp, tmp_path, directory=directory, welcomed=False) as world:
        page = world.presenter.window
        click(find(page, QPushButton, "customEndpoint"))
        form = find(page, EndpointForm, "endpointForm-custom")
        for address, key in (
            ("https://host.example/v1", "sk-" + "a1" * 5_000),
            ("https://h.example/" + "a" * 5_000, ""),
        ):
            find(form, QLineEdit, "endpointAddress").setText(address)
            edit = find(form, QLineEdit, "endpointKey")
            QGuiApplication.clipboard().setText(key)
            edit.clear()
            edit.paste()
            assert form.key_field.key == key
            find(form, QPushButton, "submitEndpoint").click()
            assert form.find_problem(needs_model=False) is (edit if key else find(form, QLineEdit, "endpointAddress"))
        assert directory.asked == []


async def test_what_is_typed_without_a_pause_is_written_now_and_then(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("assistant")
        prompt = find(open_settings(world), QPlainTextEdit, "systemPrompt")
        end = asyncio.get_running_loop().time() + 10
        while not SettingsStore(tmp_path / "settings.json").settings.agent.system_prompt:
            assert asyncio.get_running_loop().time() < end, "nothing of it is on disk"
            prompt.insertPlainText("word ")
            await asyncio.sleep(0.1)


async def test_of_two_quick_clicks_on_a_switch_the_second_one_counts(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    entry = {"command": "some-server", "disabled": True}
    store = SettingsStore(tmp_path / "settings.json")
    book = ConfiguredServers(source="", environment={}, workspace=lambda _settings: tmp_path)
    agreed = book.read("some", {"command": "some-server"}).fingerprint
    store.update(Settings(mcp_servers={"some": entry}, confirmed_servers=(agreed,), welcomed=True))
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("servers")
        switch = find(open_settings(world), QAbstractButton, "switch-some")
        for wanted in (True, False) * 10:
            switch.click()
            assert switch.isChecked() is wanted
        await asyncio.sleep(0.05)
        assert world.settings.settings.mcp_servers == {"some": entry}


async def test_a_paste_that_would_freeze_the_window_stays_out_and_says_so(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("assistant")
        prompt = find(open_settings(world), TextField, "systemPrompt")
        prompt.insertPlainText("short")
        for text in ("x" * 3_000_000, "line\n" * 1_000_000):
            QGuiApplication.clipboard().setText(text)
            began = time.perf_counter()
            prompt.paste()
            assert time.perf_counter() - began < 2
            assert prompt.toPlainText() == "short"
            await until(lambda: QToolTip.text().startswith("Not pasted"))
            QToolTip.hideText()
        QGuiApplication.clipboard().setText(" text\n" * 10_000)
        prompt.paste()
        assert len(prompt.toPlainText()) == 60_005


async def test_more_servers_than_can_be_used_are_not_taken_over(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("servers")
        window = open_settings(world)
        click(find(window, QPushButton, "pasteServers"))
        form = find(window, QDialog, "serverForm")
        text = json.dumps({"mcpServers": {f"server {number}": {"command": "x"} for number in range(101)}}, indent=1)
        find(form, TextField, "serverJson").setPlainText(text)
        click(find(form, QPushButton, "serverSave"))
        await until(lambda: any("101 servers" in label.text() for label in form.findChildren(QLabel)))
        assert world.settings.settings.mcp_servers == {}
        form.reject()


async def test_the_program_ends_from_the_settings_and_what_is_typed_is_kept(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        asked_to_close: list[bool] = []
        world.presenter.close_requested.connect(lambda: asked_to_close.append(True))
        world.presenter.open_settings("assistant")
        window = open_settings(world)
        await until(window.isActiveWindow)
        prompt = find(window, TextField, "systemPrompt")
        prompt.setFocus()
        QTest.keyClicks(prompt, "Be brief.")
        QTest.keyClick(prompt, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: bool(asked_to_close))
    assert SettingsStore(tmp_path / "settings.json").settings.agent.system_prompt == "Be brief."


async def test_an_open_licence_changes_its_language(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("about")
        window = open_settings(world)
        click(find(window, QPushButton, "ownLicence"))
        await until(lambda: window.findChild(QDialog, "licenceDialog") is not None)
        dialog = find(window, QDialog, "licenceDialog")
        before = dialog.windowTitle()
        appearance = dataclasses.replace(world.settings.settings.appearance, language="zh_CN")
        world.settings.update(dataclasses.replace(world.settings.settings, appearance=appearance))
        await until(lambda: dialog.windowTitle() != before)
        assert find(dialog, QPushButton, "licenceClose").text() == "关闭"
        dialog.reject()


def test_a_name_without_a_blank_wraps_and_reads_as_it_is(qapp: QApplication) -> None:
    name = "hf.co/some/" + "a_model_with_a_very_long_name_" * 5
    label = PlainLabel(name)
    assert label.text() == label.accessibleName() == name
    assert label.minimumSizeHint().width() < label.fontMetrics().horizontalAdvance(name) / 3
    label.setText("short")
    assert (label.text(), label.accessibleName()) == ("short", "")
