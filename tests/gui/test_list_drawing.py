"""The list of chats draws no more than what changed, and never less: what is on the screen is what is there."""

import dataclasses
import random
from collections.abc import Generator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from desktop.conversation.entities import Thread
from desktop.conversation.lists import Folder
from desktop.core.settings import AppearanceSettings
from desktop.ui.sidebar.chats_page import ChatsPage
from desktop.ui.theme.theme_manager import ThemeManager

NOW = datetime.now(UTC)


def threads(count: int) -> list[Thread]:
    return [
        Thread(
            id=f"{number:026d}",
            title=f"chat {number}",
            title_by_user=False,
            tip=None,
            created_at=NOW,
            updated_at=NOW - timedelta(hours=7 * number),
        )
        for number in range(count)
    ]


def folders(count: int, open_ones: set[int]) -> list[Folder]:
    return [Folder(id=f"f{n}", name=f"Folder {n}", position=n, chats=3, is_open=n in open_ones) for n in range(count)]


def on_screen(page: ChatsPage) -> QImage:
    """What was drawn last, without asking for it anew."""
    return page.screen().grabWindow(page.winId()).toImage()


@pytest.fixture
def page(qapp: QApplication) -> Generator[ChatsPage, None, None]:
    page = ChatsPage(ThemeManager(qapp, AppearanceSettings(), "en"))
    page.resize(272, 500)
    page.show()
    page.set_folders(folders(3, {1}))
    page.append(threads(400), complete=True)
    yield page
    page.hide()
    page.deleteLater()


@pytest.mark.parametrize("seed", range(3))
def test_what_is_seen_is_what_is_there_whatever_comes_goes_and_moves(
    qapp: QApplication, page: ChatsPage, seed: int
) -> None:
    dice, there = random.Random(seed), {thread.id: thread for thread in threads(400)}
    bar = page.list.verticalScrollBar()
    for step in range(60):
        thread = dice.choice(list(there.values()))
        match dice.randrange(8):
            case 0:
                bar.setValue(dice.choice((0, bar.maximum(), dice.randrange(bar.maximum() + 1))))
            case 1:
                page.remove(thread.id)
                del there[thread.id]
            case 2:
                page.set_folders(folders(dice.randrange(2, 5), {dice.randrange(4), dice.randrange(4)}))
            case 3:
                page.select(thread.id)
            case _:
                changed = dataclasses.replace(
                    thread,
                    title=f"changed {step}",
                    updated_at=NOW + timedelta(minutes=step) if dice.random() < 0.5 else thread.updated_at,
                    folder_id=dice.choice((None, None, "f0", "f1", "f2")),
                    pinned_at=NOW + timedelta(minutes=step) if dice.random() < 0.2 else None,
                )
                there[thread.id] = changed
                page.put(changed)
        for _ in range(2):
            qapp.processEvents()
        seen = on_screen(page)
        page.list.viewport().update()
        qapp.processEvents()
        assert seen == on_screen(page), f"step {step}"


def test_what_is_out_of_sight_is_not_drawn(
    qapp: QApplication, page: ChatsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        qapp.processEvents()
    drawn: list[int] = []
    monkeypatch.setattr(type(page.list), "_paint_rows", lambda _view, _painter, area: drawn.append(area.height()))
    page.append(threads(600)[400:], complete=True)
    page.remove(threads(600)[500].id)
    for _ in range(3):
        qapp.processEvents()
    assert not drawn


def test_a_long_list_is_selected_and_asked_for_by_parts(qapp: QApplication, page: ChatsPage) -> None:
    page.list.selectAll()
    assert page.model.rowCount() > 400, "headings and folders are among the rows"
    assert page.list.selected_ids() == [thread.id for thread in threads(400)]
