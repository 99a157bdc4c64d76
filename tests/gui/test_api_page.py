"""The settings page Local API: the switch starts a real server on Qt's own loop, and says how it is."""

import dataclasses
import socket
from pathlib import Path

import httpx
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton

from desktop.core.api_settings import API_TOKEN, ApiSettings
from desktop.core.local_api import ApiState, ApiStatus
from desktop.core.settings import Theme
from desktop.ui.settings.api_page import ApiPage
from desktop.ui.settings.controls import CalmSpinBox
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import click
from tests.support.scripted_model import said
from tests.support.settings_world import open_settings, set_appearance
from tests.support.transcript_world import child as find
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def set_port(world: WindowWorld, port: int) -> None:
    settings = world.settings.settings
    world.settings.update(dataclasses.replace(settings, api=dataclasses.replace(settings.api, port=port)))


def status(world: WindowWorld) -> ApiStatus:
    return world.api.status


async def opened(world: WindowWorld) -> ApiPage:
    world.presenter.open_settings("api")
    await until(lambda: open_settings(world).isVisible())
    page = open_settings(world).page("api")
    assert isinstance(page, ApiPage)
    await until(page.isVisible)
    return page


def words(page: ApiPage) -> str:
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


async def test_a_program_chats_through_the_window_s_own_loop_while_the_switch_is_on(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path, said("from the window")) as world:
        set_port(world, free_port())
        page = await opened(world)
        assert "Nothing listens" in words(page)
        assert not find(page, QPushButton, "copyApiToken").isEnabled()
        click(find(page, QCheckBox, "apiEnabled"))
        await until(lambda: status(world).state is ApiState.ON)
        token = await world.secrets.get(API_TOKEN)
        field = find(page, QLineEdit, "apiToken")
        assert (field.text(), field.echoMode()) == (token, QLineEdit.EchoMode.Password)
        click(find(page, QPushButton, "showApiToken"))
        assert field.echoMode() is QLineEdit.EchoMode.Normal
        click(find(page, QPushButton, "copyApiToken"))
        assert QGuiApplication.clipboard().text() == token
        address = find(page, QLineEdit, "apiAddress").text()
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, trust_env=False) as client:
            thread = (await client.post(f"{address}/threads")).json()["id"]
            answer = await client.post(f"{address}/threads/{thread}/messages", json={"text": "hello"})
            assert "event: done" in answer.text
            assert world.presenter.window.sidebar.model.title_of(thread) == "hello"
            click(find(page, QPushButton, "renewApiToken"))
            await until(lambda: field.text() != token)
            assert (await client.get(f"{address}/threads")).status_code == 401
        click(find(page, QCheckBox, "apiEnabled"))
        await until(lambda: status(world).state is ApiState.OFF)
        assert address not in find(page, QLineEdit, "apiAddress").text()


async def test_a_port_that_is_taken_is_said_and_another_one_is_taken_at_once(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with window_world(qapp, tmp_path) as world:
            port = int(taken.getsockname()[1])
            set_port(world, port)
            page = await opened(world)
            click(find(page, QCheckBox, "apiEnabled"))
            again = find(page, QPushButton, "apiTryAgain")
            await until(again.isVisible)
            assert f"Port {port} is in use" in words(page)
            other = free_port()
            box = find(page, CalmSpinBox, "apiPort")
            box.lineEdit().setText(str(other))
            assert status(world).port == port, "not at each key"
            box.interpretText()
            await until(lambda: status(world) == ApiStatus(state=ApiState.ON, port=other))
            assert world.settings.settings.api == ApiSettings(enabled=True, port=other)
            assert not again.isVisible()
            taken.close()
            set_port(world, port)
            await until(lambda: status(world) == ApiStatus(state=ApiState.ON, port=port))


async def test_nothing_of_the_page_is_cut_off(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_port(world, free_port())
        page = await opened(world)
        click(find(page, QCheckBox, "apiEnabled"))
        await until(lambda: status(world).state is ApiState.ON)
        for size, language in ((9, "zh_CN"), (20, "en"), (20, "zh_CN")):
            set_appearance(world, font_size=size, language=language, theme=Theme.DARK)
            open_settings(world).resize(620, 560)
            await until(lambda: clipped_texts(page) == [])
