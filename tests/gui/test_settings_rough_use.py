"""The settings when things end, change or fail at an awkward moment."""

import dataclasses
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QToolButton, QWidget

from desktop.core.licences import PackageLicence
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.providers.endpoint_check import Endpoints
from tests.support.local_server import LocalServer, running
from tests.support.settings_world import open_settings
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
W = TypeVar("W", bound=QWidget)


def find(parent: QWidget, kind: type[W], name: str) -> W:
    widget = parent.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


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
        endpoint = EndpointSettings(id="slow", name="Slow", base_url=f"http://127.0.0.1:{silent.port}/v1", model="m")
        store = SettingsStore(tmp_path / "settings.json")
        store.update(dataclasses.replace(store.settings, endpoints=(endpoint,), endpoint_id="slow", welcomed=True))
        async with window_world(qapp, tmp_path, directory=Endpoints(ports={silent.port: "Ollama"})) as world:
            world.presenter.open_settings("models")
            window = open_settings(world)
            for _ in range(2):
                row = window if dialog == "addEndpoint" else find(window, QWidget, "endpoint-slow")
                click(find(row, QPushButton, dialog))
                opened = next(d for d in window.findChildren(QDialog) if d.isVisible())
                asked = len(silent.requests)
                if dialog == "endpointEdit":
                    click(find(opened, QPushButton, "testEndpoint"))
                    click(find(opened, QToolButton, "refreshModels"))
                await until(lambda: len(silent.requests) > asked + (dialog == "endpointEdit"))
                opened.reject()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                await until(lambda: not [d for d in window.findChildren(QDialog)])
        assert world.errors == []
