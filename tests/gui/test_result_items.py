"""What a tool returned beside its text, in its card: seen, opened, saved, and never more than a click allows."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QPlainTextEdit, QPushButton, QWidget

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import MessageStatus, ResultStatus, Role, TextPart, ToolCallPart, ToolResultPart
from desktop.core.language_model import Usage
from desktop.core.settings import AppearanceSettings
from desktop.core.tool_content import ItemKind, ItemProblem, ResultItem, mark_of
from desktop.storage.store import Store
from desktop.ui.controls import ElidedButton, ElidedLabel
from desktop.ui.links import LinkDialog, open_kept_file
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from desktop.ui.transcript.blocks.result_items import MOST_SHOWN, ResultItems
from desktop.ui.transcript.text_dialog import PAGE_CHARACTERS, TextDialog
from tests.support.clipping import clipped_texts
from tests.support.files_to_attach import picture_bytes
from tests.support.marked_language import marked_language
from tests.support.system_opener import system_opener
from tests.support.transcript_world import ViewWorld, message
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

LARGE = "line of a large result\n" * 900_000  # 20 MB


async def kept(store: Store) -> tuple[ResultItem, ...]:
    """One of each kind, with their files in the store."""
    picture = picture_bytes("png")
    add = store.attachments.add
    return (
        ResultItem(
            kind=ItemKind.IMAGE,
            media_type="image/png",
            attachment_id=await add(picture, suffix=".png", sent=picture, thumbnail=picture),
            file_name="image-1.png",
            size=len(picture),
            width=60,
            height=40,
            sent_type="image/png",
        ),
        ResultItem(
            kind=ItemKind.AUDIO, attachment_id=await add(b"RIFF", suffix=".wav"), file_name="audio-1.wav", size=4
        ),
        ResultItem(kind=ItemKind.FILE, attachment_id=await add(b"MZ", suffix=".bin"), file_name="run me.bin", size=2),
        ResultItem(kind=ItemKind.LINK, name="more", uri="https://example.invalid/" + "long/" * 40),
        ResultItem(kind=ItemKind.DATA, text='{"a": [1, 2]}', problem=ItemProblem.SCHEMA, detail="a: no"),
        ResultItem(
            kind=ItemKind.WHOLE,
            attachment_id=await add(LARGE.encode(), suffix=".txt"),
            file_name="result.txt",
            size=len(LARGE),
            length=len(LARGE),
        ),
    )


@asynccontextmanager
async def opened(app: QApplication, folder: Path) -> AsyncGenerator[tuple[WindowWorld, ResultItems], None]:
    """A window with a chat whose only card is open."""
    thread_id = ""

    async def prepare(store: Store) -> None:
        nonlocal thread_id
        items = await kept(store)
        thread_id = (await store.threads.create_thread(title="Tools")).id
        turn = await store.threads.begin_turn(thread_id, "Draw", model="m")
        call = ToolCallPart(call_id="c", name="draw__chart", arguments="{}")
        text = "\n".join(filter(None, ("Here:", *map(mark_of, items))))
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[call, ToolResultPart(call_id="c", status=ResultStatus.OK, text=text, items=items)],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(),
            duration_seconds=1.0,
        )

    async with window_world(app, folder / "data", prepare=prepare) as world:
        await world.presenter.transcript.open_thread(thread_id)
        view = world.presenter.window.transcript
        await until(lambda: bool(view.findChildren(FoldHeader, "tool-card-header")))
        view.findChildren(FoldHeader, "tool-card-header")[0].click()
        await until(lambda: bool(view.findChildren(ResultItems)))
        yield world, view.findChildren(ResultItems)[0]


def buttons(parent: QWidget, name: str) -> Sequence[QAbstractButton]:
    return parent.findChildren(QAbstractButton, name)


async def test_each_item_offers_what_can_be_done_with_it(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as (_, items):
        names = [button.accessibleName() for button in items.focus_widgets() if isinstance(button, QAbstractButton)]
        assert [name for name in names if name.startswith(("Open", "Show", "Save"))] == [
            "Open: Image 1",
            "Save as…: Image 1",
            "Open: Sound 1",
            "Save as…: Sound 1",
            "Save as…: File 1",
            "Show: Structured data",
            "Show: The whole result",
            "Save as…: The whole result",
        ]
        (tile,) = buttons(items, "attached-image")
        await until(lambda: not tile._picture.isNull())  # type: ignore[attr-defined]
        words = " ".join(label.text() for label in items.findChildren(QLabel))
        assert "Sent by “draw”." in words
        assert "It does not fit what the tool itself promises: a: no" in words


def first_ink(widget: QWidget) -> int:
    """The first column of the widget with anything of its text, counted from the left edge of its row."""
    image = widget.grab().toImage()
    ground = image.pixel(image.width() - 1, image.height() // 2)
    middle = range(image.height() // 4, image.height() * 3 // 4)  # not its frame
    inked = next(x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in middle))
    return widget.x() + round(inked / image.devicePixelRatio())


async def test_the_text_of_a_link_stands_below_the_others(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as (_, items):
        (link,) = items.findChildren(ElidedButton, "result-link")
        row = link.parentWidget()
        assert isinstance(row, QWidget)
        icon = next(label for label in row.findChildren(QLabel) if not label.pixmap().isNull())
        names = [
            label
            for other in items.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
            for label in other.findChildren(ElidedLabel)
            if label.isVisible() and not other.findChildren(ElidedButton)
        ]
        assert len(names) >= 4
        link.set_full_text("File")
        for label in names:
            label.set_full_text("File")
            assert abs(first_ink(link) - first_ink(label)) <= 1
        assert link.x() >= icon.pixmap().deviceIndependentSize().width(), "its frame must not lie over the icon"


async def test_only_what_no_system_runs_is_opened(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    with system_opener("file") as system:
        async with opened(qapp, tmp_path) as (_, items):
            for button in buttons(items, "result-open"):
                button.click()
    assert [path.suffix for path in system.files] == [".png", ".wav"]


@pytest.mark.parametrize("name", ["a.bin", "a.txt", "a.html", "a.svg", "a.exe", "a.desktop", "a", "a.png.exe"])
def test_everything_else_stays_closed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert not open_kept_file(tmp_path / name)
    (tmp_path / "link.png").symlink_to(tmp_path / name)
    assert not open_kept_file(tmp_path / "link.png")
    assert not open_kept_file(tmp_path / "missing.png")


async def test_a_file_is_saved_where_the_user_says(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as (world, items):
        buttons(items, "result-save")[2].click()
        dialog = world.presenter.window.findChild(QFileDialog, "save-result-dialog")
        assert isinstance(dialog, QFileDialog)
        assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
        assert [Path(name).name for name in dialog.selectedFiles()] == ["run me.bin"]
        target = tmp_path / "kept.bin"
        dialog.fileSelected.emit(str(target))
        dialog.close()
        await until(target.exists)
        await until(lambda: world.presenter.window.toast.isVisible())
        assert target.read_bytes() == b"MZ"
        assert world.errors == []


@pytest.mark.allowed_log("file.not_saved")
async def test_a_file_that_cannot_be_saved_is_said(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as (world, items):
        buttons(items, "result-save")[0].click()
        dialog = world.presenter.window.findChild(QFileDialog, "save-result-dialog")
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "missing" / "a.png"))
        dialog.close()
        await until(lambda: bool(world.errors))
        assert [getattr(error, "code", "") for error in world.errors] == ["file.not_saved"]
        world.errors.clear()


async def test_a_link_is_shown_whole_and_asked_about(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as (world, items):
        (link,) = buttons(items, "result-link")
        link.click()
        dialog = world.presenter.window.findChild(LinkDialog)
        assert dialog is not None
        shown = dialog.findChild(QPlainTextEdit, "link-address")
        assert shown is not None
        assert shown.toPlainText() == "https://example.invalid/" + "long/" * 40
        dialog.reject()


async def test_20_megabytes_open_page_by_page(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as (world, items):
        data, whole = buttons(items, "result-show")
        whole.click()
        await until(lambda: bool(world.presenter.window.findChildren(TextDialog)))
        (dialog,) = world.presenter.window.findChildren(TextDialog)
        view = dialog.findChild(QPlainTextEdit, "full-text-view")
        onward = dialog.findChild(QPushButton, "full-text-next")
        assert view is not None
        assert onward is not None
        assert len(view.toPlainText()) <= PAGE_CHARACTERS
        onward.click()
        assert view.toPlainText().startswith("line of a large result\n")
        place = dialog.findChild(QLabel, "full-text-place")
        assert place is not None
        assert place.text() == "Part 2 of 208"
        dialog.close()
        await until(lambda: not world.presenter.window.findChildren(TextDialog))
        data.click()
        await until(lambda: bool(world.presenter.window.findChildren(TextDialog)))
        (dialog,) = world.presenter.window.findChildren(TextDialog)
        view = dialog.findChild(QPlainTextEdit, "full-text-view")
        assert view is not None
        assert view.toPlainText() == '{\n  "a": [\n    1,\n    2\n  ]\n}'
        dialog.close()


HOSTILE = ResultItem(
    kind=ItemKind.LINK,
    name="\u202eelif\x00<b>x</b>",
    uri="file:///etc/passwd?" + "a" * 3_000,
    description="<img src=http://x>",
    audience=("user", "\u202eassistant"),
    priority=1.0,
)


@pytest.fixture
def world(qapp: QApplication) -> Iterator[ViewWorld]:
    made = ViewWorld(qapp, width=520)
    yield made
    made.close()


def test_hostile_words_are_plain_bounded_and_not_cut(world: ViewWorld) -> None:
    items = (HOSTILE, ResultItem(kind=ItemKind.IMAGE, problem=ItemProblem.NOT_BASE64, media_type="image/png"))
    show(world, *items * (MOST_SHOWN // 2 + 5))
    area = world.find(ResultItems, "result-items")
    texts = [label.text() for label in area.findChildren(QLabel)]
    assert all("\u202e" not in text and "\x00" not in text for text in texts)
    assert any("<U+202E>" in text for text in texts)
    assert len(area.findChildren(QAbstractButton, "result-link")) == MOST_SHOWN // 2
    assert world.find(QLabel, "result-rest").text() == "… and 10 more"
    assert clipped_texts(area) == []


def test_the_lines_of_items_are_in_the_language_and_alone_they_are_left_out(
    qapp: QApplication, world: ViewWorld
) -> None:
    image = ResultItem(kind=ItemKind.IMAGE, media_type="image/png", problem=ItemProblem.NOT_BASE64)
    with marked_language(qapp):
        show(world, image, text=f"before\n{mark_of(image)}")
        shown = world.view.viewport().findChildren(QPlainTextEdit)[1].toPlainText()
        assert shown == "before\n[«Image 1]"
        show(world, image, text=mark_of(image))
        assert len(world.view.viewport().findChildren(QPlainTextEdit)) == 1  # the arguments


def show(world: ViewWorld, *items: ResultItem, text: str = "Here:") -> None:
    call = ToolCallPart(call_id="c", name="draw__chart", arguments="{}")
    result = ToolResultPart(call_id="c", status=ResultStatus.ERROR, text=text, items=items)
    world.show([message(0, Role.USER, TextPart(text="q")), message(1, Role.ASSISTANT, call, result)])
    world.find(FoldHeader, "tool-card-header").click()
    world.settle()


def test_a_text_that_is_open_follows_the_language(qapp: QApplication) -> None:
    window = QWidget()
    text = "x" * (2 * PAGE_CHARACTERS)
    dialog = TextDialog(
        text,
        ThemeManager(qapp, AppearanceSettings(), "en"),
        lambda: QCoreApplication.translate("any", "Pasted text"),
        window,
    )
    with marked_language(qapp):
        qapp.processEvents()
        assert dialog.windowTitle() == "«Pasted text"
        texts = [button.text() for button in dialog.findChildren(QPushButton) if button.text()]
        assert texts == ["«Back", "«Next", "«Close"]
        place = dialog.findChild(QLabel, "full-text-place")
        assert place is not None
        assert place.text() == "«Part 1 of 2"
        named = [
            widget.accessibleName() for widget in (dialog, *dialog.findChildren(QWidget)) if widget.accessibleName()
        ]
        assert [name for name in named if not name.startswith("«")] == []
        assert len(named) >= 6
    dialog.deleteLater()
