"""The help in the window: the guide in both languages, its search and pictures, what is new, and the report for a bug."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QPushButton

from desktop import __version__
from desktop.ui.help.feature import is_newer
from desktop.ui.help.help_window import HelpWindow
from desktop.ui.help.pages import help_folder, parts_of, picture_file, read_parts
from desktop.ui.help.report_dialog import ReportDialog
from desktop.ui.links import LinkDialog
from desktop.ui.window_state import WindowState, WindowStateFile
from tests.support.settings_world import set_appearance
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
LANGUAGES = ("en", "zh_CN")
MOST_BYTES = 2_000_000


def opened(world: WindowWorld, page: str) -> HelpWindow:
    return next(w for w in world.presenter.window.findChildren(HelpWindow) if w.page == page and w.isVisible())


def listed(window: HelpWindow) -> list[str]:
    items = [window.list.item(row) for row in range(window.list.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_the_guide_says_the_same_things_in_each_language() -> None:
    parts = {language: read_parts("guide", language) for language in LANGUAGES}
    shape = [[re.findall(r"!\[[^]]*\]\((\w+)\)", part.text) for part in parts[language]] for language in LANGUAGES]
    assert shape[0] == shape[1]
    assert len(parts["en"]) > 8
    assert parts["en"] != parts["zh_CN"]


def test_each_picture_of_the_guide_is_there_and_no_other_one() -> None:
    named = set(re.findall(r"!\[[^]]*\]\((\w+)\)", (help_folder() / "guide_en.md").read_text("utf-8")))
    wanted = {
        f"{name}_{theme}_{language}.png" for name in named for theme in ("light", "dark") for language in LANGUAGES
    }
    files = list((help_folder() / "pictures").iterdir())
    assert {file.name for file in files} == wanted
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
    assert not any(QImage(str(file)).isNull() for file in files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_new_tells_of_this_version_first(language: str) -> None:
    assert read_parts("news", language)[0].title == __version__


@pytest.mark.parametrize("name", ["", "../chat", "chat/../../x", "/etc/passwd", "nothing"])
def test_only_pictures_of_the_help_are_found(name: str) -> None:
    assert picture_file(name, "light", "en") is None


def test_parts_begin_with_headings() -> None:
    assert [(part.title, part.text) for part in parts_of("before\n## A\none\n### not\n## B ##x\n\ntwo\n")] == [
        ("A", "one\n### not"),
        ("B ##x", "two"),
    ]


async def test_the_guide_is_read_searched_and_follows_the_language(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        window.sidebar.footer.help_requested.emit("guide")
        guide = opened(world, "guide")
        assert listed(guide)[:2] == ["First steps", "Models"]
        assert "Try it without a model" in guide.view.toPlainText()
        guide.resize(guide.width() + 40, guide.height() - 200)
        await asyncio.sleep(0.1)
        assert guide.view.verticalScrollBar().maximum() > 0
        assert guide.view.verticalScrollBar().value() == 0
        before = len(listed(guide))
        QTest.keyClicks(guide.search, "trash")
        assert 0 < len(listed(guide)) < before
        assert "Trash" in guide.view.toPlainText()
        assert guide.view.extraSelections()
        QTest.keyClicks(guide.search, "zzz")
        assert listed(guide) == []
        guide.search.clear()
        assert len(listed(guide)) == before
        set_appearance(world, language="zh_CN")
        await until(lambda: "入门" in listed(guide))
        window.keys.act("guide")
        assert len([w for w in window.findChildren(HelpWindow) if w.isVisible()]) == 1
        QTest.keyClick(guide, Qt.Key.Key_Escape)
        assert not guide.isVisible()


async def test_the_guide_loads_its_pictures_and_nothing_else(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.features.help.show_page("guide")
        view = opened(world, "guide").view
        kind = QTextDocument.ResourceType.ImageResource.value
        image = view.loadResource(kind, QUrl("picture:chat"))
        assert isinstance(image, QImage)
        assert image.width() <= view.width() * view.devicePixelRatioF()
        (tmp_path / "x.png").write_bytes((help_folder() / "pictures" / "chat_light_en.png").read_bytes())
        for address in (f"file://{tmp_path}/x.png", "http://127.0.0.1/x.png", "picture:../pictures/chat_light_en"):
            assert view.loadResource(kind, QUrl(address)) is None
        view.link_followed.emit("https://example.org/", "x")  # as every link: asked before it is opened
        dialog = opened(world, "guide").findChild(LinkDialog)
        assert dialog is not None
        dialog.reject()


async def test_after_an_update_it_is_said_once_what_is_new(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    WindowStateFile(tmp_path / "window.json").save(WindowState(seen_version="0.0.9"))
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        assert window.toast.can_act
        assert WindowStateFile(tmp_path / "window.json").load().seen_version == __version__
        window.toast.act()
        assert "0.1.0" in listed(opened(world, "news"))
    async with window_world(qapp, tmp_path) as world:
        assert not world.presenter.window.toast.can_act


@pytest.mark.parametrize("seen", ["", __version__, "99.0", "odd"])
async def test_nothing_is_said_at_a_first_start_or_after_going_back(
    qapp: QApplication, qloop: object, tmp_path: Path, seen: str
) -> None:
    WindowStateFile(tmp_path / "window.json").save(WindowState(seen_version=seen))
    async with window_world(qapp, tmp_path) as world:
        assert not world.presenter.window.toast.can_act
    assert WindowStateFile(tmp_path / "window.json").load().seen_version == __version__


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_newer("0.10.0", "0.9.9")
    assert not is_newer("0.9.9", "0.10.0")
    assert not is_newer("1.0", "1.0")
    assert not is_newer("1.0", "dev")


async def test_the_report_is_shown_before_it_is_copied_or_saved(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        logs = tmp_path / "logs"
        logs.mkdir(exist_ok=True)
        (logs / "threadwell.log").write_text(
            "2026-11-30 10:00:00,123 INFO desktop.x: it began\nmy own words\n", "utf-8"
        )
        world.presenter.window.keys.act("report_problem")
        world.presenter.window.keys.act("report_problem")  # who presses twice means one
        await until(lambda: bool(world.presenter.window.findChildren(ReportDialog)))
        (dialog,) = world.presenter.window.findChildren(ReportDialog)
        view = dialog.findChild(QPlainTextEdit, "problemReportText")
        assert view is not None
        assert view.toPlainText() == dialog.text
        assert "desktop.x: it began" in dialog.text
        assert "my own words" not in dialog.text
        button(dialog, "reportCopy").click()
        assert QGuiApplication.clipboard().text() == dialog.text
        button(dialog, "reportSave").click()
        chosen = next(w for w in dialog.findChildren(QDialog) if w.objectName() == "reportFile")
        chosen.fileSelected.emit(str(tmp_path / "r.txt"))  # type: ignore[attr-defined]
        await until((tmp_path / "r.txt").is_file)
        assert (tmp_path / "r.txt").read_text("utf-8") == dialog.text
        chosen.fileSelected.emit(str(tmp_path / "no" / "r.txt"))  # type: ignore[attr-defined]
        await until(lambda: (tmp_path / "no" / "r.txt").is_file() or bool(world.errors))
        chosen.reject()
        dialog.reject()


def button(dialog: QDialog, name: str) -> QPushButton:
    found = dialog.findChild(QPushButton, name)
    assert found is not None
    return found
