"""Files with a message in the window: pasted, dropped, chosen, removed, sent, and shown in the transcript."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QPushButton, QWidget

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import AttachmentKind
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import FinishReason, StreamEnd, TextDelta, UserMessage
from desktop.core.settings import EndpointSettings
from desktop.ui.composer.attached_chip import AttachedChip
from desktop.ui.transcript.text_dialog import TextDialog
from tests.support.files_to_attach import GPS_WORDS, pdf_with, picture_bytes, with_exif, written
from tests.support.settings_world import set_appearance
from tests.support.system_opener import system_opener
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

ANSWER = [TextDelta(text="I see."), StreamEnd(reason=FinishReason.STOP)]


@asynccontextmanager
async def opened(
    app: QApplication, folder: Path, *, answers: int = 1, given: EndpointSettings | None = None
) -> AsyncGenerator[WindowWorld, None]:
    async with window_world(app, folder / "data", *([ANSWER] * answers), given=given) as world:
        yield world


def files_of(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    mime.setText("\n".join(QUrl.fromLocalFile(str(path)).toString() for path in paths))
    return mime


def paste(world: WindowWorld, mime: QMimeData) -> None:
    QApplication.clipboard().setMimeData(mime)
    QTest.keySequence(world.presenter.window.composer.edit, QKeySequence(QKeySequence.StandardKey.Paste))


def drop(target: QWidget, mime: QMimeData) -> bool:
    """Drag over the middle of a widget and let go, as the system tells it; returns whether it was taken."""
    middle = target.rect().center()
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(middle, actions, mime, buttons, keys)
    QApplication.sendEvent(target, entering)
    if not entering.isAccepted():
        return False
    dropping = QDropEvent(QPointF(middle), actions, mime, buttons, keys)
    QApplication.sendEvent(target, dropping)
    return dropping.isAccepted()


def chips(world: WindowWorld) -> list[AttachedChip]:
    return world.presenter.window.composer.findChildren(AttachedChip)


def hint(world: WindowWorld) -> str:
    found = world.presenter.window.composer.findChild(QLabel, "composerHint")
    assert isinstance(found, QLabel)
    return found.text()


def is_ready(world: WindowWorld, count: int) -> Callable[[], bool]:
    files = world.presenter.window.composer.files
    return lambda: len(files.names()) == count and not files.is_reading


def button(parent: QWidget, name: str) -> QAbstractButton:
    found = parent.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton)
    return found


async def send(world: WindowWorld) -> str:
    """Press Send and wait for the answer; returns the thread's id."""
    sent_before = len(world.model.requests)
    button(world.presenter.window, "sendButton").click()
    await until(lambda: len(world.model.requests) > sent_before)
    await until(lambda: world.presenter.thread_id is not None)
    thread_id = world.presenter.thread_id or ""
    await until(lambda: world.chat.run_of(thread_id) is None)
    return thread_id


async def test_a_pasted_picture_reaches_the_model_without_its_place(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    path = written(tmp_path / "tower.jpg", with_exif(picture_bytes("JPEG"), orientation=6))
    async with opened(qapp, tmp_path) as world:
        paste(world, files_of(path))
        await until(is_ready(world, 1))
        QTest.keyClicks(world.presenter.window.composer.edit, "Where is this?")
        await send(world)
        (request,) = world.model.requests
        (message,) = [m for m in request.messages if isinstance(m, UserMessage)]
        (image,) = message.images
        assert message.text == "Where is this?"
        assert (image.name, image.media_type) == ("tower.jpg", "image/jpeg")
        assert GPS_WORDS not in image.data
        assert QImage.fromData(image.data).height() == 60
        assert world.presenter.window.composer.files.is_empty
        assert world.errors == []


async def test_a_picture_without_a_file_can_be_pasted(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as world:
        mime = QMimeData()
        mime.setImageData(QImage.fromData(picture_bytes("PNG")))
        paste(world, mime)
        await until(is_ready(world, 1))
        await send(world)
        (message,) = [m for m in world.model.requests[0].messages if isinstance(m, UserMessage)]
        assert [image.name for image in message.images] == ["Pasted picture"]
        assert message.text == ""


async def test_a_picture_of_a_whole_screen_that_is_pasted_is_packed(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    picture = QImage(1920, 1080, QImage.Format.Format_RGB32)
    picture.fill(0xFFEEDDCC)
    async with opened(qapp, tmp_path) as world:
        mime = QMimeData()
        mime.setImageData(picture)
        paste(world, mime)
        await until(is_ready(world, 1))
        (original,) = (tmp_path / "data" / "attachments").glob("*/original.png")
        assert original.stat().st_size < 100_000


@pytest.mark.parametrize("target", ["window", "edit"])
async def test_files_are_dropped_anywhere_on_the_window(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, target: str
) -> None:
    text = written(tmp_path / "notes.md", "# 笔记\n丰收".encode())
    pdf = written(tmp_path / "report.pdf", pdf_with("Seventeen bushels"))
    async with opened(qapp, tmp_path) as world:
        window = world.presenter.window
        over: QWidget = window if target == "window" else window.composer.edit.viewport()
        assert drop(over, files_of(text, pdf))
        await until(is_ready(world, 2))
        assert window.composer.text == ""
        await send(world)
        (message,) = [m for m in world.model.requests[0].messages if isinstance(m, UserMessage)]
        assert "notes.md" in message.text
        assert "丰收" in message.text
        assert "report.pdf" in message.text
        assert "Seventeen bushels" in message.text


async def test_the_drop_area_is_seen_and_takes_what_is_dropped(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    path = written(tmp_path / "a.txt", b"words")
    async with opened(qapp, tmp_path) as world:
        window = world.presenter.window
        mime = files_of(path)
        event = QDragEnterEvent(
            QPoint(300, 300),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(window, event)
        assert window.drop_area.isVisible()
        assert drop(window.drop_area, mime)
        assert not window.drop_area.isVisible()
        await until(is_ready(world, 1))


async def test_the_drop_area_goes_when_the_files_are_taken_elsewhere(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    path = written(tmp_path / "a.txt", b"words")
    mime = files_of(path)
    async with opened(qapp, tmp_path) as world:
        window = world.presenter.window
        for part in (window, window.composer.edit.viewport(), window.drop_area):
            for step in [part] if part is window.drop_area else [part, window.drop_area]:
                entering = QDragEnterEvent(
                    QPoint(5, 5),
                    Qt.DropAction.CopyAction,
                    mime,
                    Qt.MouseButton.LeftButton,
                    Qt.KeyboardModifier.NoModifier,
                )
                window.drop_area.begin()
                QApplication.sendEvent(step, entering)
                assert window.drop_area.isVisible()
                QApplication.sendEvent(step, QDragLeaveEvent())
                await until(lambda: not window.drop_area.isVisible())


async def test_a_key_in_an_attached_file_is_held_back(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / ".env", b"OPENAI_API_KEY=sk-proj-aB3dE6gH9jK2mN5pQ8sT1vW4_x-aB3dE6gH9jK2mN5pQ8sT1vW4")
    async with opened(qapp, tmp_path) as world:
        paste(world, files_of(path))
        await until(is_ready(world, 1))
        button(world.presenter.window, "sendButton").click()
        warning = world.presenter.window.findChild(QWidget, "keyWarning")
        assert isinstance(warning, QWidget)
        assert warning.isVisible()
        assert world.model.requests == []


async def test_nothing_is_taken_where_nothing_can_be_written(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", b"words")
    async with window_world(qapp, tmp_path / "data", welcomed=False) as world:  # the page of the first start
        assert not drop(world.presenter.window, files_of(path))
        assert world.presenter.window.composer.files.is_empty


async def test_text_that_is_dragged_is_not_taken_for_files(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with opened(qapp, tmp_path) as world:
        mime = QMimeData()
        mime.setText("words")
        assert not drop(world.presenter.window, mime)
        assert not world.presenter.window.drop_area.isVisible()


async def test_files_are_chosen_in_the_dialog(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", b"words")
    async with opened(qapp, tmp_path) as world:
        button(world.presenter.window, "attachButton").click()
        dialog = world.presenter.window.findChild(QFileDialog, "attach-dialog")
        assert isinstance(dialog, QFileDialog)
        assert dialog.fileMode() is QFileDialog.FileMode.ExistingFiles
        dialog.filesSelected.emit([str(path)])
        dialog.close()
        await until(is_ready(world, 1))


async def test_the_dialog_of_files_has_no_english_words_in_chinese(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with opened(qapp, tmp_path) as world:
        set_appearance(world, language="zh_CN")
        button(world.presenter.window, "attachButton").click()
        dialog = world.presenter.window.findChild(QFileDialog, "attach-dialog")
        assert isinstance(dialog, QFileDialog)
        words = [label.text() for label in dialog.findChildren(QLabel) if label.text()]
        assert words
        assert [text for text in words if text.isascii()] == []
        dialog.close()


async def test_sending_waits_until_a_file_is_read(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / "a.pdf", pdf_with("words"))
    async with opened(qapp, tmp_path) as world:
        composer = world.presenter.window.composer
        composer.set_text("What is it?")
        paste(world, files_of(path))
        assert chips(world)[0].is_reading
        assert not composer.button.isEnabled()
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
        assert "being read" in hint(world)
        await until(is_ready(world, 1))
        assert composer.button.isEnabled()
        assert world.model.requests == []


async def test_a_file_that_cannot_be_taken_says_why(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / "program.exe", b"MZ\0\1\2\3")
    async with opened(qapp, tmp_path) as world:
        paste(world, files_of(path))
        await until(lambda: "program.exe" in hint(world))
        assert "holds no text" in hint(world)
        assert world.presenter.window.composer.files.is_empty
        assert world.errors == []
        assert list((tmp_path / "data" / "attachments").glob("*")) == []


async def test_more_files_than_go_together_are_refused(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", b"words")
    async with opened(qapp, tmp_path) as world:
        paste(world, files_of(*[path] * 21))
        await until(is_ready(world, 20))
        assert "At most 20 files" in hint(world)


async def test_a_removed_file_is_deleted(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", b"words")
    async with opened(qapp, tmp_path) as world:
        paste(world, files_of(path))
        await until(is_ready(world, 1))
        kept = tmp_path / "data" / "attachments"
        assert len(list(kept.iterdir())) == 1
        button(chips(world)[0], "attachedRemove").click()
        await until(lambda: not list(kept.iterdir()))
        assert world.presenter.window.composer.files.is_empty
        assert path.exists(), "the user's own file stays"


async def test_each_chat_has_its_files_also_after_a_restart(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    path, picture = written(tmp_path / "a.txt", b"words"), written(tmp_path / "b.png", picture_bytes("PNG"))
    async with opened(qapp, tmp_path) as world:
        thread_id = await world.add_thread("Earlier")
        paste(world, files_of(path))
        await until(is_ready(world, 1))
        await world.presenter.open_thread(thread_id)
        await until(is_ready(world, 0))
        paste(world, files_of(picture))
        await until(is_ready(world, 1))
        await world.presenter.open_thread(None)
        await until(is_ready(world, 1))
        assert "a.txt" in world.presenter.window.composer.files.names()[0]
    async with opened(qapp, tmp_path) as world:
        await until(is_ready(world, 1))
        assert "a.txt" in world.presenter.window.composer.files.names()[0]
        await world.presenter.open_thread(thread_id)
        await until(lambda: any("b.png" in name for name in world.presenter.window.composer.files.names()))
        await send(world)
        (message,) = [m for m in world.model.requests[0].messages if isinstance(m, UserMessage)][-1:]
        assert [image.name for image in message.images] == ["b.png"]


async def test_a_model_that_cannot_see_is_told_at_once(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    blind = EndpointSettings(
        base_url="http://127.0.0.1:9/v1",
        model="blind-7b",
        model_options={"blind-7b": ModelOptions(sees_images=False)},
    )
    text, picture = written(tmp_path / "a.txt", b"words"), written(tmp_path / "b.png", picture_bytes("PNG"))
    async with opened(qapp, tmp_path, given=blind) as world:
        paste(world, files_of(picture, text))
        await until(is_ready(world, 2))
        notes = [chip.note for chip in chips(world)]
        assert notes[0] == "This model cannot see images"
        assert "cannot see" not in notes[1]


async def test_the_transcript_shows_pictures_and_files(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    given = picture_bytes("PNG")
    text, picture = written(tmp_path / "a.txt", b"the words"), written(tmp_path / "b.png", given)
    with system_opener("file") as viewer:
        async with opened(qapp, tmp_path) as world:
            paste(world, files_of(picture, text))
            await until(is_ready(world, 2))
            await send(world)
            view = world.presenter.window.transcript
            await until(lambda: view.findChild(QAbstractButton, "attached-image") is not None)
            tile = button(view, "attached-image")
            assert "b.png" in tile.accessibleName()
            await until(lambda: not tile._picture.isNull())  # type: ignore[attr-defined]
            tile.click()
            (path,) = viewer.files
            assert path.read_bytes() == given, "the picture as it was given"
            line = view.findChild(QPushButton, "attached-file")
            assert isinstance(line, QPushButton)
            line.click()
            dialog = view.findChild(TextDialog)
            assert isinstance(dialog, TextDialog)
            assert dialog.windowTitle() == "a.txt"
            dialog.close()


async def test_a_second_try_sends_the_files_again(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    picture = written(tmp_path / "b.png", picture_bytes("PNG"))
    async with opened(qapp, tmp_path, answers=2) as world:
        paste(world, files_of(picture))
        await until(is_ready(world, 1))
        thread_id = await send(world)
        world.presenter.window.transcript.retry_requested.emit()
        await until(lambda: len(world.model.requests) == 2)
        await until(lambda: world.chat.run_of(thread_id) is None)
        messages = [m for m in world.model.requests[1].messages if isinstance(m, UserMessage)]
        assert [len(message.images) for message in messages] == [1]
        path = await world.store.threads.path(thread_id)
        assert [m.attachments[0].kind for m in path if m.attachments] == [AttachmentKind.IMAGE]


async def test_a_purged_chat_leaves_no_file(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    picture = written(tmp_path / "b.png", picture_bytes("PNG"))
    async with opened(qapp, tmp_path) as world:
        paste(world, files_of(picture))
        await until(is_ready(world, 1))
        thread_id = await send(world)
        kept = tmp_path / "data" / "attachments"
        assert len(list(kept.iterdir())) == 1
        await world.chat.delete_thread(thread_id)
        assert len(list(kept.iterdir())) == 1
        await world.chat.purge_thread(thread_id)
        assert list(kept.iterdir()) == []
