"""Export and import as a person does them: from the sidebar and the settings, with progress, Stop and a report."""

import asyncio
import json
import zipfile
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFileDialog,
    QLabel,
    QListView,
    QPushButton,
    QRadioButton,
    QTextBrowser,
    QWidget,
)

from desktop.conversation.entities import MessageStatus
from desktop.conversation.lists import ListKind, PageKey, ThreadPage
from desktop.core.language_model import DEMO_MODEL_NAME, Usage
from desktop.ui.interchange.export_dialog import FORMATS, ExportDialog
from desktop.ui.interchange.import_dialog import ChatImportDialog
from desktop.ui.interchange.words import ExportWording
from desktop.ui.sidebar.import_drop import ImportDrop
from tests.support.app_language import app_language
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import click
from tests.support.exchanged_chats import take_in
from tests.support.foreign_chats import chatgpt_chat, chatgpt_export, claude_chat
from tests.support.settings_world import set_appearance
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)


def find(parent: QWidget, kind: type[W], name: str) -> W:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def dialog(kind: type[W]) -> W | None:
    return next((w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()), None)


async def shown(kind: type[W]) -> W:
    await until(lambda: dialog(kind) is not None)
    found = dialog(kind)
    assert found is not None
    return found


async def export_to(path: Path, asked: ExportDialog, name: str) -> None:
    """Choose a format and a place, and wait until it is written."""
    find(asked, QRadioButton, f"export-{name}").click()
    click(find(asked, QPushButton, "exportGo"))
    picker = await shown(QFileDialog)
    picker.fileSelected.emit(str(path))
    picker.reject()
    await until(lambda: "exported to" in find(asked, QLabel, "exportState").text())
    click(find(asked, QPushButton, "exportGo"))
    await until(lambda: dialog(ExportDialog) is None)


def choose_in_menu(world: WindowWorld, ids: list[str]) -> None:
    menu = world.presenter.window.sidebar.list.context_menu(ids)
    action = menu.findChild(QAction, "exportChats")
    assert action is not None
    action.trigger()
    menu.close()


async def click_in_settings(world: WindowWorld, name: str) -> None:
    world.presenter.open_settings("data")
    settings = world.presenter.settings_window
    assert settings is not None
    await until(lambda: settings.findChild(QPushButton, name) is not None)
    click(find(settings, QPushButton, name))


async def test_one_chat_is_exported_in_every_format(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        thread_id = await world.add_thread("What is 天气 in <b>Hangzhou</b>?", title="Weather / 天气")
        for name, ending in zip(FORMATS, ("md", "html", "pdf", "json"), strict=True):
            choose_in_menu(world, [thread_id])
            await export_to(tmp_path / f"out.{ending}", await shown(ExportDialog), name)
        assert "# Weather / 天气\n" in (tmp_path / "out.md").read_text("utf-8")
        page = (tmp_path / "out.html").read_text("utf-8")
        assert "What is 天气 in &lt;b&gt;Hangzhou&lt;/b&gt;?" in page
        assert "<script" not in page
        assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")
        assert json.loads((tmp_path / "out.json").read_text("utf-8"))["chat"]["id"] == thread_id
        assert world.errors == []


async def test_an_export_names_the_demo_and_the_versions_of_a_message_as_the_window_does(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        threads = world.store.threads
        thread = await threads.create_thread()
        turn = await threads.begin_turn(thread.id, "first", model=DEMO_MODEL_NAME)
        await threads.finish_turn(
            turn.turn_id,
            parts=[],
            status=MessageStatus.STOPPED,
            reason="stopped",
            usage=Usage(),
            duration_seconds=0.0,
        )
        await threads.begin_turn(thread.id, "edited", model=DEMO_MODEL_NAME, instead_of=turn.user_message.id)
        choose_in_menu(world, [thread.id])
        await export_to(tmp_path / "out.md", await shown(ExportDialog), "markdown")
        text = (tmp_path / "out.md").read_text("utf-8")
        assert "version 2 of 2" in text
        assert "answer 2 of 2" not in text
        assert "## Demo model · " in text
    with app_language(qapp, "zh_CN"):
        assert ExportWording().words().demo == "演示模型"


async def test_several_chats_and_all_of_them_become_an_archive(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        ids = [await world.add_thread(f"question {number}", title="Same title") for number in range(3)]
        await world.chat.delete_thread(ids[0])
        view = world.presenter.window.sidebar.list
        await until(lambda: world.presenter.window.sidebar.model.thread_count == 2)
        for thread_id in ids[1:]:
            index = world.presenter.window.sidebar.model.index_of(thread_id)
            view.selectionModel().select(index, QItemSelectionModel.SelectionFlag.Select)
        choose_in_menu(world, view.selected_ids())
        await export_to(tmp_path / "two.zip", await shown(ExportDialog), "markdown")
        assert sorted(zipfile.ZipFile(tmp_path / "two.zip").namelist()) == ["Same title (2).md", "Same title.md"]
        await click_in_settings(world, "exportAllChats")
        asked = await shown(ExportDialog)
        find(asked, QCheckBox, "exportTrash").click()
        await export_to(tmp_path / "all", asked, "json")
        assert len(zipfile.ZipFile(tmp_path / "all.zip").namelist()) == 3


def shown_text(world: WindowWorld) -> str:
    """All that the transcript shows."""
    browsers = world.presenter.window.transcript.findChildren(QTextBrowser)
    return "\n".join(each.toPlainText() for each in browsers if each.isVisible())


async def import_file(world: WindowWorld, path: Path) -> ChatImportDialog:
    world.presenter.window.sidebar.import_requested.emit([path])
    asked = await shown(ChatImportDialog)
    click(find(asked, QPushButton, "chatImportGo"))
    await until(lambda: not asked.is_running)
    return asked


def summary(asked: ChatImportDialog) -> str:
    return find(asked, QLabel, "chatImportSummary").accessibleName()


async def test_an_import_asks_tells_and_leads_to_its_chats(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    source = tmp_path / "export.zip"
    source.write_bytes(chatgpt_export(chatgpt_chat()))
    async with window_world(qapp, tmp_path / "data") as world:
        await world.add_thread("hello", title="Mine")
        window = world.presenter.window
        window.sidebar.import_requested.emit([source])
        asked = await shown(ChatImportDialog)
        assert await world.conversations.list_threads(limit=9) == (await world.conversations.list_threads(limit=1))
        click(find(asked, QPushButton, "chatImportGo"))
        await until(lambda: not asked.is_running)
        assert summary(asked).startswith("export.zip: 1 chat")
        await until(lambda: window.sidebar.model.thread_count == 2)
        view = find(asked, QListView, "chatImportList")
        assert view.model().index(0, 0).data() == "5 messages · A pixel 像素"
        view.activated.emit(view.model().index(0, 0))
        await until(lambda: world.presenter.thread_id is not None)
        await until(lambda: dialog(ChatImportDialog) is None)
        again = await import_file(world, source)
        assert summary(again) == "export.zip: 0 chats imported · 1 here already"
        again.reject()
        source.write_bytes(chatgpt_export(chatgpt_chat(longer=True)))
        grown = await import_file(world, source)
        assert summary(grown) == "export.zip: 0 chats imported · 1 brought up to date"
        grown.reject()
        await until(lambda: "Of course" in shown_text(world))


async def test_the_open_chat_shows_what_an_import_of_the_settings_added_to_it(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    source = tmp_path / "export.zip"
    source.write_bytes(chatgpt_export(chatgpt_chat()))
    async with window_world(qapp, tmp_path / "data") as world:
        asked = await import_file(world, source)
        view = find(asked, QListView, "chatImportList")
        view.activated.emit(view.model().index(0, 0))
        await until(lambda: "Welcome" in shown_text(world))
        source.write_bytes(chatgpt_export(chatgpt_chat(longer=True)))
        await click_in_settings(world, "importChats")
        picker = await shown(QFileDialog)
        picker.fileSelected.emit(str(source))
        picker.reject()
        coming = await shown(ChatImportDialog)
        click(find(coming, QPushButton, "chatImportGo"))
        await until(lambda: not coming.is_running)
        coming.reject()
        await until(lambda: "Of course" in shown_text(world))


async def test_the_list_shows_what_came_while_it_was_read_again(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        listed, gate, is_asked = world.lists.page, asyncio.Event(), asyncio.Event()

        async def slow(
            kind: ListKind, *, folder_id: str = "", limit: int = 200, after: PageKey | None = None
        ) -> ThreadPage:
            page = await listed(kind, folder_id=folder_id, limit=limit, after=after)
            is_asked.set()
            await gate.wait()
            return page

        monkeypatch.setattr(world.lists, "page", slow)
        world.conversations.many_changed.emit(frozenset())
        await is_asked.wait()
        await take_in(world.store, chatgpt_export(chatgpt_chat()))
        world.conversations.many_changed.emit(frozenset())
        gate.set()
        await until(lambda: world.presenter.window.sidebar.model.thread_count == 1)


async def test_after_a_failure_only_the_folder_with_the_file_is_shown(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("desktop.ui.interchange.presenter.open_folder", lambda folder: opened.append(folder))
    async with window_world(qapp, tmp_path / "data") as world:
        choose_in_menu(world, [await world.add_thread("hello", title="Mine")])
        asked = await shown(ExportDialog)
        for folder in (tmp_path / "missing", tmp_path):
            click(find(asked, QPushButton, "exportGo"))
            picker = await shown(QFileDialog)
            picker.fileSelected.emit(str(folder / "out.md"))
            picker.reject()
            await until(lambda: not asked.is_writing and bool(find(asked, QLabel, "exportState").text()))
        await until(lambda: find(asked, QPushButton, "exportFolder").isVisible())
        click(find(asked, QPushButton, "exportFolder"))
        assert opened == [tmp_path]
        asked.reject()


async def test_a_file_that_holds_no_chats_is_refused_in_words(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    source = tmp_path / "list.json"
    source.write_text('{"a": 1}', "utf-8")
    async with window_world(qapp, tmp_path / "data") as world:
        asked = await import_file(world, source)
        assert summary(asked).startswith("There are no chats in “list.json”")
        assert world.errors == []
        asked.reject()


async def test_an_import_can_be_stopped_and_says_what_stays(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    source = tmp_path / "export.json"
    chats = [{**claude_chat(), "uuid": f"c-{number}", "name": f"Chat {number}"} for number in range(400)]
    source.write_text(json.dumps(chats), "utf-8")
    async with window_world(qapp, tmp_path / "data") as world:
        world.presenter.window.sidebar.import_requested.emit([source])
        asked = await shown(ChatImportDialog)
        click(find(asked, QPushButton, "chatImportGo"))
        await until(lambda: "imported" in summary(asked))
        click(find(asked, QPushButton, "chatImportCancel"))
        await until(lambda: not asked.is_running)
        count = find(asked, QListView, "chatImportList").model().rowCount()
        assert 0 < count < 400
        threads = await world.conversations.list_threads(limit=1_000)
        assert len(threads) == count
        for thread in threads[:20]:
            assert len(await world.store.threads.outline(thread.id)) == 2
        asked.reject()
        await until(lambda: world.presenter.window.sidebar.model.thread_count == min(count, 200))


async def test_files_with_chats_are_dropped_on_the_sidebar(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    source, picture = tmp_path / "export.zip", tmp_path / "picture.png"
    source.write_bytes(chatgpt_export(chatgpt_chat()))
    picture.write_bytes(b"x")
    async with window_world(qapp, tmp_path / "data") as world:
        sidebar = world.presenter.window.sidebar
        drop = find(sidebar, ImportDrop, "importDrop")

        def hold(path: Path) -> bool:
            data = QMimeData()
            data.setUrls([QUrl.fromLocalFile(str(path))])
            buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
            enter = QDragEnterEvent(QPoint(50, 200), Qt.DropAction.CopyAction, data, buttons, keys)
            enter.setAccepted(False)
            QApplication.sendEvent(sidebar, enter)
            is_taken = drop.isVisible()
            if is_taken:
                event = QDropEvent(QPointF(50, 200), Qt.DropAction.CopyAction, data, buttons, keys)
                QApplication.sendEvent(sidebar, event)
            return is_taken

        assert not hold(picture)  # the window attaches it
        assert hold(source)
        assert not drop.isVisible()
        asked = await shown(ChatImportDialog)
        asked.reject()


async def test_nothing_is_cut_off(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    source = tmp_path / f"{'a very long name of a file ' * 4}.zip"
    source.write_bytes(chatgpt_export(chatgpt_chat()))
    async with window_world(qapp, tmp_path / "data") as world:
        world.presenter.window.resize(700, 500)
        set_appearance(world, font_size=16.0)
        thread_id = await world.add_thread("hello", title="A very long title of a chat that " * 6)
        choose_in_menu(world, [thread_id])
        asked = await shown(ExportDialog)
        await until(lambda: clipped_texts(asked) == [])
        asked.show_progress(1, 20)
        await until(lambda: clipped_texts(asked) == [])
        asked.show_problem("“a.zip” was not saved", "The system says: No space left on device. Choose another folder.")
        await until(lambda: clipped_texts(asked) == [])
        asked.show_written(source, 12)
        await until(lambda: clipped_texts(asked) == [])
        asked.reject()
        world.presenter.window.sidebar.import_requested.emit([source])
        coming = await shown(ChatImportDialog)
        await until(lambda: clipped_texts(coming) == [])
        click(find(coming, QPushButton, "chatImportGo"))
        await until(lambda: not coming.is_running)
        await until(lambda: clipped_texts(coming) == [])
        coming.reject()
