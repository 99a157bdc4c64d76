"""The questions are as large as what they say where the screen has room: nothing scrolls by half a line."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
)

from desktop.app.event_loop import QtLoop
from desktop.core.backup_settings import BackupSettings
from desktop.core.settings import AppearanceSettings, EndpointSettings, Theme
from desktop.tools.entities import ApprovalRequest, Finding
from desktop.ui.backup.web_dialog import WebDialog
from desktop.ui.dialogs.approval_dialog import ApprovalDialog
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.interchange.export_dialog import ExportDialog
from desktop.ui.interchange.import_dialog import ChatImportDialog
from desktop.ui.screen_room import room_on_screen
from tests.support.app_language import app_language
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import DialogWorld, approval, dialog_world, tool
from tests.support.settings_world import open_settings, set_appearance
from tests.support.waiting import until
from tests.support.window_world import window_world

REQUESTS: dict[str, ApprovalRequest] = {
    "a command": approval({"command": "ls -la"}, title="旅行计划"),
    "a tool": approval(
        {"path": "/home/mei/笔记.txt", "text": "你好\nline two"},
        of=tool(description="Writes a file.\nOverwrites what is there."),
        findings=(Finding(code="destructive_name", detail="write_file"),),
    ),
}


@pytest.fixture
def world(qapp: QApplication, qloop: QtLoop) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


@pytest.fixture(params=["en", "zh_CN"])
def language(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[str]:
    with app_language(qapp, request.param) as language:
        yield language


@pytest.mark.parametrize("font_size", [10.0, 12.0])
@pytest.mark.parametrize("kind", list(REQUESTS))
async def test_an_approval_is_as_high_as_what_it_says(
    world: DialogWorld, language: str, kind: str, font_size: float
) -> None:
    world.theme.set_language(language)
    world.theme.set_appearance(
        AppearanceSettings(theme=Theme.LIGHT, font_size=font_size, code_font_size=font_size - 0.5)
    )
    dialog = ApprovalDialog(world.window, world.theme, REQUESTS[kind], 0)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    place = [button.mapTo(dialog, QPoint(0, 0)) for button in dialog.findChildren(QPushButton) if button.isVisible()]
    await until(lambda: dialog.armed and dialog.text.end_was_shown)
    QApplication.processEvents()
    assert dialog.height() < room_on_screen(dialog).height() - 40, "the screen has room for this one"
    for area in dialog.findChildren(QAbstractScrollArea):
        assert area.verticalScrollBar().maximum() == 0, area.objectName()
    assert clipped_texts(dialog) == []
    after = [button.mapTo(dialog, QPoint(0, 0)) for button in dialog.findChildren(QPushButton) if button.isVisible()]
    assert after == place, "the hint took another height"
    dialog.take_back()


@asynccontextmanager
async def settings_dialog(
    app: QApplication, folder: Path, language: str, page: str, button: str, name: str
) -> AsyncGenerator[QDialog, None]:
    """The dialog ``name`` of the settings, opened by a button of a page."""
    local = EndpointSettings(id="local", name="Ollama", base_url="http://127.0.0.1:11434/v1", model="qwen3:8b")
    async with window_world(app, folder) as world:
        world.settings.update(dataclasses.replace(world.settings.settings, endpoints=(local,)))
        set_appearance(world, language=language)
        world.presenter.open_settings(page)
        window = open_settings(world)
        await until(window.isActiveWindow)
        opener = window.page(page).findChild(QPushButton, button)
        assert opener is not None
        opener.click()
        await until(lambda: any(each.isVisible() for each in window.findChildren(QDialog, name)))
        (dialog,) = window.findChildren(QDialog, name)
        for _ in range(5):
            QApplication.processEvents()
        yield dialog
        dialog.reject()


@pytest.mark.parametrize("shown_in", ["en", "zh_CN"])
@pytest.mark.parametrize(
    ("page", "button", "name", "area"),
    [
        ("models", "endpointEdit", "editEndpointDialog", "endpointScroll"),
        ("servers", "addServer", "serverForm", "serverFormScroll"),
    ],
)
async def test_a_form_of_the_settings_is_as_high_as_its_fields(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, shown_in: str, page: str, button: str, name: str, area: str
) -> None:
    async with settings_dialog(qapp, tmp_path, shown_in, page, button, name) as dialog:
        form = dialog.findChild(QScrollArea, area)
        assert form is not None
        assert form.verticalScrollBar().maximum() == 0
        assert clipped_texts(dialog) == []


async def test_the_buttons_of_a_model_stand_below_what_scrolls(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with settings_dialog(qapp, tmp_path, "en", "models", "endpointEdit", "editEndpointDialog") as dialog:
        dialog.resize(dialog.width(), dialog.minimumHeight())  # as on a low screen
        await until(lambda: dialog.height() == dialog.minimumHeight())
        QApplication.processEvents()
        area = dialog.findChild(QScrollArea, "endpointScroll")
        assert area is not None
        assert area.verticalScrollBar().maximum() > 0
        for name in ("testEndpoint", "submitEndpoint", "endpointDialogCancel"):
            button = dialog.findChild(QPushButton, name)
            assert button is not None
            assert not area.isAncestorOf(button)
            whole = button.rect().translated(button.mapTo(dialog, QPoint(0, 0)))
            assert dialog.rect().contains(whole), name
            assert button.visibleRegion().boundingRect() == button.rect(), name


async def test_the_lines_of_a_licence_are_not_broken_once_more(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with settings_dialog(qapp, tmp_path, "en", "about", "ownLicence", "licenceDialog") as dialog:
        view = dialog.findChild(QPlainTextEdit, "licenceText")
        assert view is not None
        block = view.document().firstBlock()
        while block.isValid():
            assert block.layout().lineCount() <= 1, block.text()
            block = block.next()


DIALOGS: dict[str, Callable[[DialogWorld], GrowingDialog]] = {
    "export": lambda world: ExportDialog(world.window, title="A parser that reads piece by piece", count=1),
    "import": lambda world: ChatImportDialog(world.window, world.theme, Path("chats-with-a-name-that-goes-on.zip")),
    "WebDAV": lambda world: WebDialog(world.window, world.theme, BackupSettings(web_address="http://nas.local/dav")),
}


@pytest.mark.parametrize("font_size", [10.0, 24.0])
@pytest.mark.parametrize("kind", list(DIALOGS))
async def test_a_dialog_is_as_high_as_what_it_says_and_cuts_nothing_off_where_the_text_is_large(
    world: DialogWorld, language: str, kind: str, font_size: float
) -> None:
    world.theme.set_language(language)
    world.theme.set_appearance(AppearanceSettings(theme=Theme.LIGHT, font_size=font_size))
    world.window.resize(640, 700)
    dialog = DIALOGS[kind](world)
    dialog.open()
    if isinstance(dialog, WebDialog | ExportDialog):
        dialog.show_problem("The disk is full", "Nothing was written. Free some space, then try again.")
    for _ in range(10):
        QApplication.processEvents()
    assert clipped_texts(dialog) == []
    most = room_on_screen(dialog).height()
    wanted = min(dialog.wanted_height(), most)
    assert dialog.height() == pytest.approx(wanted, abs=4), "no more room than is needed, and no less"
    dialog.close()
