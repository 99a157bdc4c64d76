"""Each setting of the appearance changes the window at once, and no text is cut off by any of them."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from desktop.core.settings import Accent, Density, Theme
from desktop.ui.transcript.blocks.spinner import StateIcon
from desktop.ui.transcript.row import RowWidget
from tests.support.clipping import clipped_texts
from tests.support.settings_world import open_settings
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
ANSWER = "中文 with `code`:\n\n```python\nprint(1)\n```\n\nEnd."


@asynccontextmanager
async def opened(qapp: QApplication, data_dir: Path, until: Until) -> AsyncGenerator[WindowWorld, None]:
    """The window with a thread open that shows the blocks which most threads have."""
    async with window_world(qapp, data_dir) as world:
        thread_id = await world.add_thread(ANSWER, title="A title")
        await world.presenter.open_thread(thread_id)
        await until(lambda: bool(found(world, QPlainTextEdit, "code-text")))
        yield world


def found(world: WindowWorld, kind: type[W], name: str) -> list[W]:
    return [w for w in world.presenter.window.findChildren(kind, name) if w.isVisible()]


def change(world: WindowWorld, **values: object) -> None:
    settings = world.settings.settings
    appearance = dataclasses.replace(settings.appearance, **values)
    world.settings.update(dataclasses.replace(settings, appearance=appearance))


async def test_the_font_size_is_the_size_of_everything(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, until) as world:
        window = world.presenter.window

        def measured() -> dict[str, float]:
            sidebar = window.sidebar
            prose = found(world, QTextBrowser, "user-text")[0]
            return {
                "header": window.header.height(),
                "button": sidebar.new_chat.sizeHint().height(),
                "icon": sidebar.new_chat.iconSize().width(),
                "sidebar": sidebar.minimumWidth(),
                "row": sidebar.list.sizeHintForRow(1),
                "prose": prose.document().defaultFont().pointSizeF(),
                "message": prose.height(),
                "author": found(world, QLabel, "answer-author")[0].font().pointSizeF(),
                "code's header": found(world, QFrame, "code-block")[0].height(),
            }

        before = measured()
        change(world, font_size=16.0)
        await until(lambda: window.header.height() == 83)
        await until(lambda: found(world, QLabel, "answer-author")[0].font().pointSizeF() > before["author"])
        assert {
            name: round(value / before[name], 1) for name, value in measured().items() if name != "code's header"
        } == {name: pytest.approx(1.6, abs=0.35) for name in before if name != "code's header"}
        code = found(world, QPlainTextEdit, "code-text")[0]
        assert code.font().pointSizeF() == 9.5, "code has a size of its own"
        change(world, font_size=10.0)
        await until(lambda: measured() == before)


async def test_code_has_its_own_size(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path, until) as world:
        prose = found(world, QTextBrowser, "user-text")[0]
        height = prose.height()
        change(world, code_font_size=15.0)
        await until(lambda: found(world, QPlainTextEdit, "code-text")[0].font().pointSizeF() == 15.0)
        assert prose.height() == height


async def test_compact_takes_less_room(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path, until) as world:
        sidebar = world.presenter.window.sidebar

        def measured() -> list[int]:
            prose = found(world, QTextBrowser, "user-text")[0]
            below = found(world, QFrame, "code-block")[0].mapToGlobal(QPoint(0, 0)).y()
            top = prose.mapToGlobal(QPoint(0, 0)).y()
            parent = prose.parentWidget()
            assert parent is not None
            return [
                sidebar.list.sizeHintForRow(1),
                sidebar.new_chat.sizeHint().height(),
                sidebar.search.sizeHint().height(),
                parent.height(),
                below - top,
            ]

        before = measured()
        change(world, density=Density.COMPACT)
        await until(lambda: all(now < then for now, then in zip(measured(), before, strict=True)))


async def test_the_width_of_text_is_that_of_transcript_and_composer(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, until) as world:
        world.presenter.window.resize(1400, 800)

        def left(name: str) -> int:
            return found(world, QFrame, name)[0].mapToGlobal(QPoint(0, 0)).x()

        for width in (600, 900):
            change(world, text_width=width)
            await until(lambda width=width: found(world, QFrame, "code-block")[0].width() == width)
            await until(lambda width=width: found(world, QFrame, "composer")[0].width() == width + 40)
            await until(lambda: abs(left("code-block") - left("composer") - 26) <= 10)  # one stands above the other


async def test_theme_and_accent_change_what_is_painted(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, until) as world:
        button = world.presenter.window.sidebar.new_chat

        def painted() -> str:
            return QColor(button.grab().toImage().pixelColor(button.width() // 2, 3)).name()

        for theme in (Theme.LIGHT, Theme.DARK):
            for accent in (Accent.TEAL, Accent.ROSE):
                change(world, theme=theme, accent=accent)
                assert world.theme.tokens.name == theme.value
                assert painted() == world.theme.tokens.accent
        transcript = world.presenter.window.transcript
        assert transcript.grab().toImage().pixelColor(3, 3).name() == world.theme.tokens.window
        row = found(world, RowWidget, "message-assistant")[0]
        assert row.grab().toImage().pixelColor(2, row.height() - 3).name() == world.theme.tokens.window


class Restyled(QLabel):
    """Counts how often it is styled anew, deep inside of other widgets."""

    times = 0

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.times += 1


async def test_a_change_of_the_look_styles_each_widget_only_as_often_as_it_must(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        probe = Restyled("x")
        around: QWidget = probe
        for _ in range(12):
            outer = QWidget()
            QVBoxLayout(outer).addWidget(around)
            around = outer
        around.show()
        for changes in ({"theme": Theme.DARK}, {"font_size": 12.0}, {"accent": Accent.GREEN}):
            probe.times = 0
            change(world, **changes)
            assert 1 <= probe.times <= 2, f"{probe.times} times for {changes}"
        probe.times = 0
        change(world, text_width=900, reduce_motion=True)
        assert probe.times == 0, "the style sheet says nothing of these"
        around.close()


async def test_a_page_of_the_settings_that_is_not_seen_is_laid_out_when_it_is(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("assistant")
        window = open_settings(world)
        unseen = window.page("assistant")
        await until(lambda: (content := unseen.widget()) is not None and content.height() > 100)
        before = unseen.widget()
        assert before is not None
        height = before.height()
        window.open_page("language")
        change(world, font_size=16.0)
        assert before.height() == height, "nobody sees it"
        window.open_page("assistant")
        await until(lambda: before.height() > height * 1.2)
        rows = [row for section in unseen.sections for row in section.rows]
        await until(lambda: all(row.height() >= row.minimumSizeHint().height() for row in rows if row.isVisible()))
        assert before.height() >= rows[-1].mapTo(before, rows[-1].rect().bottomLeft()).y()


async def test_less_motion_stops_what_turns(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with opened(qapp, tmp_path, until) as world:
        icon = StateIcon(world.theme, 16, world.presenter.window)
        icon.resize(16, 16)
        icon.show_icon("loader-circle")
        icon.show()
        assert icon.is_turning
        change(world, reduce_motion=True)
        assert not icon.is_turning
        first = icon.grab().toImage()
        QTest.qWait(90)  # longer than a step of the rotation
        assert icon.grab().toImage() == first
        world.presenter.window.toast.present("Moved", "Undo", lambda: None)
        assert world.presenter.window.toast.graphicsEffect() is None
        world.presenter.window.toast.dismiss()
        change(world, reduce_motion=False)
        assert icon.is_turning
        icon.deleteLater()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_no_text_is_cut_off(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, language: str
) -> None:
    async with opened(qapp, tmp_path, until) as world:
        window = world.presenter.window
        change(world, language=language)
        for font_size in (10.0, 16.0, 20.0):
            change(world, font_size=font_size)
            for size in ((700, 600), (1240, 860)):
                window.resize(*size)
                for _ in range(3):
                    qapp.processEvents()
                assert clipped_texts(window) == [], f"{font_size} pt, {size}"


async def test_an_empty_thread_leaves_out_what_has_no_room(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        window.resize(1240, 860)
        await until(lambda: len(found(world, QPushButton, "example-prompt")) == 4)
        window.resize(700, 400)
        qapp.processEvents()
        assert 0 < len(found(world, QPushButton, "example-prompt")) < 4
        change(world, font_size=16.0)
        await until(lambda: clipped_texts(window) == [])
        assert found(world, QLabel, "greeting-title")
        change(world, font_size=10.0)
        window.resize(1240, 860)
        await until(lambda: len(found(world, QPushButton, "example-prompt")) == 4)


async def test_the_sidebar_folds_where_its_text_leaves_no_room(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        window.resize(820, 600)
        qapp.processEvents()
        assert window.sidebar.isVisible()
        change(world, font_size=16.0)
        assert not window.sidebar.isVisible()
        change(world, font_size=10.0)
        assert window.sidebar.isVisible()


async def test_the_sidebar_gives_back_what_larger_text_needed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        qapp.processEvents()
        before = window.sidebar.width()
        change(world, font_size=16.0)
        await until(lambda: window.sidebar.width() > before)
        change(world, font_size=10.0)
        await until(lambda: window.sidebar.width() == before)


def test_the_checker_finds_what_is_cut_off(qapp: QApplication) -> None:
    box = QWidget()
    box.resize(300, 200)
    for text, width, height in (("fits well", 150, 40), ("a text that is too wide", 40, 40), ("too low", 150, 6)):
        label = QLabel(text, box)
        label.setGeometry(0, 0, width, height)
    button = QPushButton("outside", box)
    button.setGeometry(250, 10, 120, 40)
    elided = QLabel("a text that is…", box)
    elided.setGeometry(0, 80, 30, 40)
    elided.full_text = "a text that is cut on purpose"  # type: ignore[attr-defined]
    wrapped = QLabel("many words that need more than the one line that there is", box)
    wrapped.setWordWrap(True)
    wrapped.setGeometry(0, 120, 100, 20)
    box.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    box.show()
    problems = clipped_texts(box)
    assert len(problems) == 4
    for words in ("too wide", "too low", "outside", "many words"):
        assert any(words in problem for problem in problems), words
    box.close()
