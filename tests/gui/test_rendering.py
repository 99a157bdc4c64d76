"""Formulas, footnotes, code and pictures of the web in the real window: shown, copied, saved, and loaded only on a click."""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QPushButton, QToolButton, QWidget

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import MessageStatus, Role, TextPart
from desktop.core.tasks import TaskSupervisor
from desktop.providers.remote_pictures import WebPictures
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.formula_process import FormulaProcess
from desktop.ui.interchange.html_format import markdown_parts
from desktop.ui.interchange.pdf_format import with_narrow_columns
from desktop.ui.markdown.parser import MAX_TABLE_ROWS
from desktop.ui.markdown.segments import TableSegment, split
from desktop.ui.reading_feature import ReadingFeature
from desktop.ui.state.row_blocks import TableBlock
from desktop.ui.state.transcript_state import RowState, TextItem
from desktop.ui.transcript.blocks.code_view import CodeView
from desktop.ui.transcript.blocks.formula_places import places
from desktop.ui.transcript.blocks.rich_text import RichText, TableWidget
from desktop.ui.transcript.text_dialog import TextDialog
from tests.support.files_to_attach import picture_bytes
from tests.support.picture_server import picture_server
from tests.support.transcript_world import ViewWorld, message
from tests.support.waiting import until

SOURCE = """First $x^2$ and 速度$v=\\frac{s}{t}$。It costs $5 and $10[^1].

$$
\\sum_{i=1}^n i
$$

| a | b |
|---|---|
| *one* | $y$ |

```python
print("a very long line of code", "that does not fit into the column", "of the transcript at all, not even nearly")
```

[^1]: The note.
"""


@asynccontextmanager
async def shown(app: QApplication, source: str) -> AsyncGenerator[tuple[ViewWorld, TaskSupervisor], None]:
    world, process = ViewWorld(app, height=900), FormulaProcess()
    errors: list[BaseException] = []
    tasks = TaskSupervisor(lambda _name, error: errors.append(error))
    world.view.context.formulas.set_drawer(process.draw, lambda work: tasks.spawn(work, name="draw"))
    world.show([message(1, Role.ASSISTANT, TextPart(text=source))])
    try:
        yield world, tasks
    finally:
        await process.close()
        await tasks.close()
        world.close()
    assert errors == []


def texts(world: ViewWorld) -> list[RichText]:
    return [text for text in world.view.viewport().findChildren(RichText) if text.isVisible()]


def pictures(world: ViewWorld) -> int:
    return sum(len(list(places(text.document()))) for text in texts(world))


def press(world: ViewWorld, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QApplication.sendEvent(world.view, QKeyEvent(QEvent.Type.KeyPress, key, modifiers))


async def test_formulas_become_pictures_and_are_copied_as_they_were_typed(qapp: QApplication, qloop: QtLoop) -> None:
    async with shown(qapp, SOURCE) as (world, _):
        await until(lambda: pictures(world) == 4)
        first = next(text for text in texts(world) if "First" in text.document().toPlainText())
        assert "$x^2$" in first.accessibleName()
        press(world, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        text = world.view.selected_text()
        assert "First $x^2$ and 速度$v=\\frac{s}{t}$。It costs $5 and $10" in text
        assert "\\sum_{i=1}^n i" in text
        world.view.context.actions.markdown_wanted.emit()
        markdown = QGuiApplication.clipboard().text()
        for part in ("$$\n\\sum_{i=1}^n i\n$$", "| *one* | $y$ |", "```python\nprint(", "[^1]: The note."):
            assert part in markdown


async def test_a_part_is_copied_with_its_marks(qapp: QApplication, qloop: QtLoop) -> None:
    async with shown(qapp, "Some **bold $x$** and `code` in [a link](https://example.org/a).") as (world, _):
        await until(lambda: pictures(world) == 1)
        text = texts(world)[0]
        cursor = text.textCursor()
        cursor.setPosition(2)
        cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
        text.setTextCursor(cursor)
        world.view.context.actions.markdown_wanted.emit()
        copied = QGuiApplication.clipboard().text()
        assert copied == "me **bold** $x$ and `code` in [a link](https://example.org/a)."


async def test_formulas_that_come_letter_by_letter_are_drawn_in_the_end(qapp: QApplication, qloop: QtLoop) -> None:
    async with shown(qapp, "Before.") as (world, _):
        text = ""
        for character in "So $a^2$ and\n\n$$\n\\frac{a}{b}\n$$\n\nfor $5 and $10.":
            text += character
            item = TextItem(text=text, is_open=True)
            world.view.update_row(
                RowState(message_id="m1", role=Role.ASSISTANT, status=MessageStatus.STREAMING, items=(item,))
            )
            await asyncio.sleep(0)
        await until(lambda: pictures(world) == 2)
        assert any("for $5 and $10." in each.document().toPlainText() for each in texts(world))


async def test_a_note_is_led_to_and_back(qapp: QApplication, qloop: QtLoop) -> None:
    source = "Word[^1].\n\n" + "Filler.\n\n" * 80 + "[^1]: The note.\n"
    async with shown(qapp, source) as (world, _):
        world.view.scroll_to_message("m1")
        world.settle()
        text = texts(world)[0]
        world.view.context.actions.place_requested.emit(text, "note-1")
        world.settle()
        note = next(each for each in texts(world) if "The note" in each.document().toPlainText())
        assert "The note" in note.textCursor().selectedText()
        assert note.mapTo(world.view, note.rect().topLeft()).y() < world.view.height()


async def test_long_lines_of_code_are_wrapped_and_that_is_remembered(qapp: QApplication, qloop: QtLoop) -> None:
    async with shown(qapp, SOURCE) as (world, _):
        code = world.find(CodeView, "code-text")
        before = code.height()
        chosen: list[bool] = []
        world.view.context.actions.wrapping_chosen.connect(chosen.append)
        world.find(QToolButton, "wrap-code").click()
        await until(lambda: code.height() > before or code.horizontalScrollBar().maximum() == 0)
        assert code.lineWrapMode() is CodeView.LineWrapMode.WidgetWidth
        assert chosen == [True]
        assert world.view.context.code_wrapping.is_usual


async def test_the_rows_that_are_not_drawn_stand_in_a_window(qapp: QApplication, qloop: QtLoop) -> None:
    rows = "".join(f"| {number} | row {number} |\n" for number in range(MAX_TABLE_ROWS + 50))
    async with shown(qapp, f"| n | words |\n|---|---|\n{rows}") as (world, _):
        world.view.scroll_to_end()
        world.settle()
        button = world.find(QPushButton, "show-all-rows")
        assert "51" in button.text(), "the head is one of the rows that are drawn"
        button.click()
        dialog = world.view.findChild(TextDialog)
        assert dialog is not None
        view = dialog.findChild(QPlainTextEdit, "full-text-view")
        assert view is not None
        assert view.toPlainText().endswith(f"| row {MAX_TABLE_ROWS + 49} |")
        dialog.close()


def test_a_table_is_not_a_pixel_too_wide_where_it_has_room(qapp: QApplication) -> None:
    world = ViewWorld(qapp, height=900)
    row = "| some words | and more words of it | 12.5 ms | **3.1** ms | a remark on everything that stands here |\n"
    (piece,) = split(f"| One | Two | Three | Four | Five |\n|---|---|---|---|---|\n{row}")
    assert isinstance(piece.segment, TableSegment)
    table = TableWidget(world.view.context, world.view.viewport())
    table.set_block(TableBlock(piece.segment))
    try:
        for width in range(480, 640):
            height = table.height_for(width)
            assert table.document().size().width() <= width
            assert height == math.ceil(table.document().size().height()), "no room for a bar"
    finally:
        table.deleteLater()
        world.close()


@pytest.mark.parametrize(("columns", "is_marked"), [(7, False), (8, True)])
def test_a_table_with_many_columns_is_printed_smaller(columns: int, is_marked: bool) -> None:
    source = "|" + " c |" * columns + "\n|" + "---|" * columns + "\n|" + " x |" * columns
    found, _ = markdown_parts(source, coloured=False)
    assert ('class="grid many"' in with_narrow_columns(found)) is is_marked


async def test_a_placeholder_of_a_picture_has_an_icon_that_is_not_copied(qapp: QApplication, qloop: QtLoop) -> None:
    async with shown(qapp, "![A cat](https://example.org/cat.png) ![](https://example.org/a/dog.png)") as (world, _):
        text = texts(world)[0]
        assert text.document().toHtml().count('src="icon:picture"') == 2
        icon = text.loadResource(2, "icon:picture")
        assert isinstance(icon, QImage)
        assert any(icon.pixelColor(x, icon.height() // 2).alpha() for x in range(icon.width()))
        press(world, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert world.view.selected_text() == "[A cat] (example.org) [dog.png] (example.org)"


async def test_a_text_that_went_before_it_could_be_measured_again_is_no_error(
    qapp: QApplication, qloop: QtLoop
) -> None:
    async with shown(qapp, "Words.") as (world, _):
        gone = QWidget(world.view.viewport())
        world.view.context.actions.height_changed.emit(gone)
        world.view.context.actions.height_changed.emit(texts(world)[0])
        shiboken6.delete(gone)
        world.settle()
        assert texts(world)[0].toPlainText() == "Words."


async def test_remote_pictures_are_placeholders_until_one_is_loaded(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    from tests.support.window_world import window_world

    async with picture_server() as server, window_world(qapp, tmp_path) as world:
        server.answers["/cat.png"] = (200, {}, picture_bytes("PNG"))
        address = server.address("/cat.png")
        services = world.presenter.features.reading
        _serve(services, WebPictures(FileReaderProcess(), allowed=lambda _: True, proxies={}))
        thread_id = await world.add_thread("Show")
        await world.store.threads.begin_turn(thread_id, "again", model="m")
        view = world.presenter.window.transcript
        shown_message = message(1, Role.ASSISTANT, TextPart(text=f"Look: ![A cat]({address})"))
        from desktop.ui.state.outlines import outline_of
        from desktop.ui.state.transcript_state import row_from_message

        view.set_thread([outline_of(shown_message)], [row_from_message(shown_message)])
        await until(lambda: any("A cat" in each.document().toPlainText() for each in view.findChildren(RichText)))
        text = next(each for each in view.findChildren(RichText) if "A cat" in each.document().toPlainText())
        assert "127.0.0.1" in text.document().toPlainText(), "the placeholder names the host"
        assert server.asked == []
        view.context.actions.remote_picture_requested.emit(address)
        await until(lambda: world.presenter.window.findChild(QPushButton, "confirm_yes") is not None)
        assert server.asked == [], "nothing is fetched before the answer"
        accept = world.presenter.window.findChild(QPushButton, "confirm_yes")
        assert accept is not None
        accept.click()
        await until(lambda: view.context.remote_images.get(address) is not None)
        assert '<img src="picture:' in text.document().toHtml()
        assert len(server.asked) == 1


def _serve(feature: ReadingFeature, pictures: WebPictures) -> None:
    import dataclasses

    feature._services = dataclasses.replace(feature._services, pictures=pictures)  # pyright: ignore[reportPrivateUsage]


async def test_code_is_saved_under_a_sensible_name(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    from tests.support.window_world import window_world

    async with window_world(qapp, tmp_path / "data") as world:
        actions = world.presenter.window.transcript.context.actions
        actions.code_save_requested.emit("print(1)", "python")
        await until(lambda: world.presenter.window.findChild(QFileDialog, "save-code-dialog") is not None)
        dialog = world.presenter.window.findChild(QFileDialog, "save-code-dialog")
        assert dialog is not None
        assert [Path(name).name for name in dialog.selectedFiles()] == ["code.py"]
        dialog.fileSelected.emit(str(tmp_path / "code.py"))
        dialog.reject()
        await until(lambda: (tmp_path / "code.py").exists() and (tmp_path / "code.py").read_text() == "print(1)\n")
