"""Prompts after ``/`` and resources after ``@``: found while typing, filled in, and put into the message, never sent."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton

from desktop.mcp_client.server_content import McpContent
from desktop.tools.entities import ServerConfig, Transport
from desktop.tools.server_content import ContentArgument, ContentFile, ServerContent, ServerPrompt, ServerResource
from desktop.tools.taint import TaintCause
from desktop.ui.composer.offer_popup import OfferPopup
from desktop.ui.dialogs.argument_form import ArgumentForm
from desktop.ui.state.offer_rows import OfferKind, OfferSearch, search_at
from tests.support.mcp_world import mcp_world
from tests.support.offers_on_paper import OffersOnPaper
from tests.support.offers_on_paper import said as prompt_of
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
OFFERING = Path(__file__).parents[1] / "support/offering_server.py"
SUM = ServerPrompt(server_id="notes", name="sum", title="Sum up", description="In three sentences.")
TRIP = ServerPrompt(
    server_id="travel",
    name="trip",
    title="Plan a trip",
    arguments=(ContentArgument(name="city", required=True), ContentArgument(name="days")),
)
DIARY = ServerResource(server_id="notes", address="notes://diary.txt", name="diary.txt", title="Diary")
BINARY = ServerResource(server_id="notes", address="notes://a.bin", name="a.bin")


def on_paper() -> OffersOnPaper:
    return OffersOnPaper(
        {SUM: prompt_of("Sum this up."), TRIP: prompt_of("Plan it.", "How fast?", "Slowly.")},
        {DIARY: (ContentFile(name="diary.txt", data=b"Milk."),), BINARY: (ContentFile(name="a.bin", data=bytes(256)),)},
        ("Berlin", "Bern", "Paris"),
    )


@asynccontextmanager
async def opened(
    app: QApplication, folder: Path, content: ServerContent, *steps: Any
) -> AsyncGenerator[WindowWorld, None]:
    async with window_world(app, folder, *steps, content=content) as world:
        world.presenter.window.show()
        world.presenter.window.activateWindow()
        world.presenter.window.composer.edit.setFocus()
        await asyncio.sleep(0)
        yield world


def popup(world: WindowWorld) -> OfferPopup | None:
    shown = world.presenter.offers.popup
    return shown if shown is not None and shown.isVisible() else None


def titles(world: WindowWorld) -> list[str]:
    shown = popup(world)
    if shown is None:
        return []
    rows = [shown.list.item(i).data(Qt.ItemDataRole.UserRole) for i in range(shown.list.count())]
    return [row.title for row in rows]


def typed(world: WindowWorld, text: str) -> None:
    QTest.keyClicks(world.presenter.window.composer.edit, text)


def press(world: WindowWorld, key: Qt.Key) -> None:
    QTest.keyClick(world.presenter.window.composer.edit, key)


async def test_a_prompt_is_found_by_typing_and_put_into_the_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    content = on_paper()
    async with opened(qapp, tmp_path, content) as world:
        composer = world.presenter.window.composer
        sent: list[str] = []
        composer.send_requested.connect(sent.append)
        assert content.listed == 0  # nobody was asked before
        typed(world, "/")
        await until(lambda: titles(world) == ["Sum up", "Plan a trip"])
        shown = popup(world)
        assert shown is not None
        press(world, Qt.Key.Key_Down)
        assert shown.list.currentRow() == 1
        press(world, Qt.Key.Key_Down)
        assert shown.list.currentRow() == 0
        typed(world, "sum")
        assert titles(world) == ["Sum up"]
        press(world, Qt.Key.Key_Return)
        await until(lambda: composer.text == "Sum this up.")
        assert popup(world) is None
        assert sent == []
        composer.edit.undo()
        assert "Sum this up." not in composer.text


async def test_arguments_are_asked_for_with_what_the_server_proposes(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    content = on_paper()
    async with opened(qapp, tmp_path, content, said("Fine.")) as world:
        composer = world.presenter.window.composer
        typed(world, "/trip")
        await until(lambda: titles(world) == ["Plan a trip"])
        press(world, Qt.Key.Key_Tab)
        form = world.presenter.window.findChild(ArgumentForm)
        assert form is not None
        assert composer.text == ""
        done = form.findChild(QPushButton, "argumentsDone")
        city = form.findChild(QLineEdit, "argument-city")
        assert done is not None
        assert city is not None
        assert not done.isEnabled()
        QTest.keyClicks(city, "Be")
        model = city.completer().model()
        await until(lambda: [model.index(i, 0).data() for i in range(model.rowCount())] == ["Berlin", "Bern"])
        form.show_proposals("city", "Be", ())
        QTest.mouseClick(done, Qt.MouseButton.LeftButton)
        await until(lambda: composer.text == "User: Plan it.\n\nAssistant: How fast?\n\nUser: Slowly.")
        assert content.asked == [("trip", {"city": "Be", "days": ""})]
        press(world, Qt.Key.Key_Return)
        await until(lambda: world.presenter.composer.key != "")
        key = world.presenter.composer.key
        taint = None
        for _ in range(200):
            if (taint := await world.store.taints.of(key)) is not None:
                break
            await asyncio.sleep(0.01)
        assert taint is not None
        assert (taint.cause, taint.detail) == (TaintCause.TOOL_OUTPUT, "travel trip")


async def test_a_resource_becomes_a_file_of_the_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    content = on_paper()
    async with opened(qapp, tmp_path, content, said("Read.")) as world:
        composer = world.presenter.window.composer
        typed(world, "See @dia")
        await until(lambda: titles(world) == ["Diary"])
        assert content.asked == []  # read only when it is chosen
        press(world, Qt.Key.Key_Return)
        await until(lambda: not composer.files.is_reading and not composer.files.is_empty)
        assert composer.text == "See "
        assert composer.files.texts() == ["Milk."]
        hint = composer.findChild(QLabel, "composerHint")
        assert hint is not None
        assert "notes://diary.txt" in hint.text()
        typed(world, "@a.bin")
        await until(lambda: titles(world) == ["a.bin"])
        press(world, Qt.Key.Key_Return)
        await until(lambda: "a.bin" in hint.text() and not composer.files.is_reading and "notes" not in hint.text())
        assert composer.files.texts() == ["Milk."]
        press(world, Qt.Key.Key_Return)
        await until(lambda: world.presenter.composer.key != "")
        key = world.presenter.composer.key
        for _ in range(200):
            if await world.store.taints.of(key) is not None:
                break
            await asyncio.sleep(0.01)
        taint = await world.store.taints.of(key)
        assert taint is not None
        assert (taint.cause, taint.detail) == (TaintCause.ATTACHMENT, "diary.txt")


async def test_the_keys_of_an_input_method_are_its_own(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, on_paper()) as world:
        composer = world.presenter.window.composer
        sent: list[str] = []
        composer.send_requested.connect(sent.append)
        typed(world, "/")
        await until(lambda: len(titles(world)) == 2)
        QApplication.sendEvent(composer.edit, QInputMethodEvent("fan yi", []))
        press(world, Qt.Key.Key_Return)
        assert composer.text == "/"
        assert sent == []
        commit = QInputMethodEvent("", [])
        commit.setCommitString("翻译")
        QApplication.sendEvent(composer.edit, commit)
        assert composer.text == "/翻译"
        await until(lambda: not composer.edit.is_composing())
        assert titles(world) == []


async def test_escape_gives_up_and_a_message_that_begins_with_a_slash_can_be_sent(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path, on_paper(), said("Fine.")) as world:
        sent: list[str] = []
        world.presenter.window.composer.send_requested.connect(sent.append)
        typed(world, "/s")
        await until(lambda: titles(world) == ["Sum up"])
        press(world, Qt.Key.Key_Escape)
        typed(world, "u")
        assert popup(world) is None
        typed(world, " bin")
        press(world, Qt.Key.Key_Return)
        assert sent == ["/su bin"]


async def test_what_fails_is_said_and_the_list_stays_above_the_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    empty = ServerPrompt(server_id="bad", name="x\u202e", title="<b>Refuses</b>", description="y " * 500)
    content = OffersOnPaper(
        {empty: prompt_of(), **{ServerPrompt(server_id="many", name=f"p{i}"): prompt_of("t") for i in range(40)}}
    )
    async with opened(qapp, tmp_path, content) as world:
        world.presenter.window.resize(900, 600)
        typed(world, "/")
        await until(lambda: len(titles(world)) == 41)
        shown = popup(world)
        assert shown is not None
        area = QRect(shown.mapTo(world.presenter.window, shown.rect().topLeft()), shown.size())
        frame = world.presenter.window.composer.frame
        assert world.presenter.window.rect().contains(area)
        assert area.bottom() < frame.mapTo(world.presenter.window, frame.rect().topLeft()).y()
        press(world, Qt.Key.Key_Return)
        await until(lambda: bool(world.errors))
        assert "It refuses." in str(world.errors.pop())
        assert world.presenter.window.composer.text == ""


async def test_a_real_server_from_the_list_to_the_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    config = ServerConfig(id="offering", transport=Transport.STDIO, command=sys.executable, args=(str(OFFERING),))
    async with mcp_world([config]) as servers:
        await servers.gateway.tools()
        async with opened(qapp, tmp_path, McpContent(servers.gateway)) as world:
            composer = world.presenter.window.composer
            typed(world, "/house")
            await until(lambda: titles(world) == ["Compare with the house style"])
            press(world, Qt.Key.Key_Return)
            await until(lambda: composer.text == "Compare my text with these.")
            await until(lambda: len(composer.files.names()) == 2 and not composer.files.is_reading)
            assert composer.files.texts() == ["# Style\nShort words."]
            typed(world, " @today")
            await until(lambda: titles(world) == ["Notes of today"])
            press(world, Qt.Key.Key_Return)
            await until(lambda: len(composer.files.texts()) == 2)


SEARCHES = {
    "slash": ("/", 1, OfferSearch(OfferKind.PROMPT, 0, 1, "")),
    "slash and words": ("/sum", 4, OfferSearch(OfferKind.PROMPT, 0, 4, "sum")),
    "a path": ("/usr/bin ls", 11, None),
    "no beginning": ("a /b", 4, None),
    "mail": ("me@home", 7, None),
    "at": ("see @di", 7, OfferSearch(OfferKind.RESOURCE, 4, 7, "di")),
    "at after Chinese": ("看@日记", 4, OfferSearch(OfferKind.RESOURCE, 1, 4, "日记")),
    "full width": ("＠x", 2, OfferSearch(OfferKind.RESOURCE, 0, 2, "x")),
    "an address in it": ("@notes://a", 10, OfferSearch(OfferKind.RESOURCE, 0, 10, "notes://a")),
    "before the cursor": ("@a b", 4, None),
    "too long": ("@" + "x" * 200, 201, None),
}


@pytest.mark.parametrize("case", SEARCHES)
def test_what_is_asked_for(case: str) -> None:
    line, cursor, expected = SEARCHES[case]
    assert search_at(line, cursor, is_first_line=True) == expected
