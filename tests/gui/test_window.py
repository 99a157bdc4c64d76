"""The window as a person uses it: threads, search, delete and undo, Trash, drafts, sending, notices, theme."""

import asyncio
import dataclasses
import errno
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QItemSelectionModel, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QToolButton,
    QWidget,
)

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.errors import ModelError
from desktop.core.language_model import Usage
from desktop.core.settings import Theme
from desktop.storage.store import Store
from desktop.tools.entities import ServerState, ServerStatus
from desktop.ui.screen_room import placed_within
from desktop.ui.shortcuts import sequences
from desktop.ui.sidebar import list_loader
from desktop.ui.sidebar.result_model import HitRole
from desktop.ui.sidebar.thread_roles import ThreadMark, ThreadRole
from desktop.ui.theme.tokens import DARK, LIGHT
from desktop.ui.transcript.row import RowWidget
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]


def find(world: WindowWorld, kind: type[W], name: str) -> W:
    widget = world.presenter.window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def click_row(world: WindowWorld, thread_id: str, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    sidebar = world.presenter.window.sidebar
    rect = sidebar.list.visualRect(sidebar.model.index_of(thread_id))
    QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, keys, rect.center())


def listed(world: WindowWorld) -> list[str]:
    model = world.presenter.window.sidebar.model
    indexes = [model.index(number) for number in range(model.rowCount())]
    return [str(index.data()) for index in indexes if not index.data(ThreadRole.IS_HEADING)]


def edit_of(world: WindowWorld) -> QPlainTextEdit:
    return find(world, QPlainTextEdit, "messageEdit")


async def type_and_send(world: WindowWorld, text: str) -> None:
    edit = edit_of(world)
    edit.setFocus()
    edit.insertPlainText(text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def top_dialog(name: str) -> QDialog | None:
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.objectName() == name]
    return next((dialog for dialog in dialogs if dialog.isVisible()), None)


async def test_the_first_start_says_that_there_are_no_chats(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: find(world, QLabel, "threadsEmpty").isVisible())
        assert not find(world, QListView, "threadList").isVisible()
        assert not find(world, QPushButton, "sendButton").isEnabled()
        await until(edit_of(world).hasFocus)
        assert world.presenter.window.windowTitle() == "Threadwell"


async def test_a_first_message_makes_a_thread_that_is_open_and_listed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("你好，我在。")) as world:
        await type_and_send(world, "你好 Threadwell")
        await until(lambda: listed(world) == ["你好 Threadwell"])
        await until(lambda: world.presenter.thread_id is not None)
        thread_id = world.presenter.thread_id
        assert thread_id is not None
        await until(lambda: world.chat.run_of(thread_id) is None)
        path = await world.store.threads.path(thread_id)
        assert [message.text for message in path] == ["你好 Threadwell", "你好，我在。"]
        assert edit_of(world).toPlainText() == ""
        assert world.presenter.window.sidebar.list.selected_ids() == [thread_id]
        assert find(world, QPushButton, "threadTitle").text() == "你好 Threadwell"
        assert await world.conversations.load_draft("") == ""


async def test_a_click_opens_a_thread_and_new_chat_leaves_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        first = await world.add_thread("first question")
        await world.add_thread("second question")
        await until(lambda: len(listed(world)) == 2)
        click_row(world, first)
        assert world.presenter.thread_id == first
        assert find(world, QPushButton, "threadTitle").text() == "first question"
        click(find(world, QPushButton, "newChatButton"))
        assert world.presenter.thread_id is None
        assert world.presenter.window.sidebar.list.selected_ids() == []
        assert edit_of(world).hasFocus()


async def test_after_a_click_on_a_chat_typing_is_a_message_and_keys_stay_in_the_list(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        first, second = await world.add_thread("first question"), await world.add_thread("second question")
        await until(lambda: len(listed(world)) == 2)
        threads = world.presenter.window.sidebar.list
        threads.setFocus()
        click_row(world, first)
        assert edit_of(world).hasFocus()
        threads.setFocus()
        QTest.keyClick(threads, Qt.Key.Key_Up)
        await until(lambda: world.presenter.thread_id == second)
        assert threads.hasFocus()
        click_row(world, first, Qt.KeyboardModifier.ControlModifier)
        assert len(threads.selected_ids()) == 2
        assert threads.hasFocus(), "several are chosen to do something with them"


async def test_deleting_several_and_undo_by_key(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two, three = [await world.add_thread(text) for text in ("one", "two", "three")]
        await until(lambda: len(listed(world)) == 3)
        click_row(world, one)
        click_row(world, two, Qt.KeyboardModifier.ControlModifier)
        assert world.presenter.thread_id == one
        QTest.keyClick(world.presenter.window.sidebar.list, Qt.Key.Key_Delete)
        await until(lambda: listed(world) == ["three"])
        assert world.presenter.thread_id is None, "the open thread was deleted: a new chat is shown"
        toast = world.presenter.window.toast
        await until(toast.isVisible)
        await until(lambda: find(world, QToolButton, "trashButton").text() == "2")
        world.presenter.window.sidebar.list.setFocus()
        QTest.keyClick(world.presenter.window.sidebar.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: sorted(listed(world)) == ["one", "three", "two"])
        await until(lambda: world.presenter.thread_id == one)
        assert not toast.isVisible()
        assert (await world.conversations.list_trash()) == ()
        assert three in {t.id for t in await world.conversations.list_threads()}


async def test_deleting_does_not_open_the_neighbour(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = [await world.add_thread(text) for text in ("one", "two", "three")]
        await until(lambda: len(listed(world)) == 3)
        click_row(world, ids[1])
        QTest.keyClick(world.presenter.window.sidebar.list, Qt.Key.Key_Delete)
        await until(lambda: len(listed(world)) == 2)
        assert world.presenter.thread_id is None
        assert world.presenter.window.sidebar.list.selected_ids() == []


async def test_after_the_only_chat_was_deleted_the_next_key_begins_a_new_one(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        only = await world.add_thread("one")
        await until(lambda: len(listed(world)) == 1)
        click_row(world, only)
        sidebar = world.presenter.window.sidebar
        sidebar.list.setFocus()
        QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
        await until(lambda: listed(world) == [])
        assert sidebar.new_chat.hasFocus()


async def test_deleting_the_running_thread_stops_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, [hold, *said("never")]) as world:
        await type_and_send(world, "long task")
        await until(lambda: world.presenter.thread_id is not None)
        thread_id = world.presenter.thread_id or ""
        sidebar = world.presenter.window.sidebar
        assert sidebar.model.mark(thread_id) is ThreadMark.RUNNING
        sidebar.list.setFocus()
        QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
        await until(lambda: listed(world) == [])
        assert world.chat.run_of(thread_id) is None
        assert [t.id for t in await world.conversations.list_trash()] == [thread_id]


async def test_trash_restores_and_deletes_for_good_after_a_question(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        keep, gone = await world.add_thread("keep me"), await world.add_thread("secret words")
        for thread_id in (keep, gone):
            await world.chat.delete_thread(thread_id)
        await until(lambda: listed(world) == [])
        click(find(world, QToolButton, "trashButton"))
        sidebar = world.presenter.window.sidebar
        await until(lambda: sidebar.is_trash_shown and sidebar.trash.model.rowCount() == 2)
        view = find(world, QListView, "trashList")
        restore, purge = find(world, QPushButton, "restoreButton"), find(world, QPushButton, "purgeButton")
        assert not restore.isEnabled()
        assert not purge.isEnabled()

        def choose(thread_id: str) -> None:
            view.selectionModel().setCurrentIndex(
                sidebar.trash.model.index_of(thread_id), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

        choose(keep)
        click(restore)
        await until(lambda: listed(world) == ["keep me"])
        choose(gone)
        click(purge)
        await until(lambda: top_dialog("confirmDialog") is not None)
        dialog = top_dialog("confirmDialog")
        assert dialog is not None
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await until(lambda: top_dialog("confirmDialog") is None)
        assert await world.conversations.get_thread(gone) is not None
        choose(gone)
        QTest.keyClick(view, Qt.Key.Key_Delete)
        await until(lambda: top_dialog("confirmDialog") is not None)
        dialog = top_dialog("confirmDialog")
        assert dialog is not None
        confirm = dialog.findChild(QPushButton, "confirm_yes")
        assert confirm is not None
        click(confirm)
        await until(lambda: find(world, QLabel, "trashEmpty").isVisible())
        assert await world.conversations.get_thread(gone) is None
        assert find(world, QToolButton, "trashButton").text() == ""


async def test_rename_in_the_list_and_in_the_header(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("old name")
        await until(lambda: listed(world) == ["old name"])
        click_row(world, thread_id)
        world.presenter.window.sidebar.list.setFocus()
        QTest.keyClick(world.presenter.window.sidebar.list, Qt.Key.Key_F2)
        editor = find(world, QLineEdit, "threadTitleEdit")
        editor.setText("名字 in the list")
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await until(lambda: find(world, QPushButton, "threadTitle").text() == "名字 in the list")
        click(find(world, QPushButton, "threadTitle"))
        header_edit = find(world, QLineEdit, "headerTitleEdit")
        assert header_edit.isVisible()
        header_edit.setText("given up")
        QTest.keyClick(header_edit, Qt.Key.Key_Escape)
        assert not header_edit.isVisible()
        click(find(world, QPushButton, "threadTitle"))
        header_edit.setText("in the header")
        QTest.keyClick(header_edit, Qt.Key.Key_Return)
        await until(lambda: listed(world) == ["in the header"])
        thread = await world.conversations.get_thread(thread_id)
        assert thread is not None
        assert thread.title_by_user


async def test_search_finds_chinese_and_opens_the_thread_by_keys(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.add_thread("something else")
        wanted = await world.add_thread("去京都旅行", title="Trip")
        await until(lambda: len(listed(world)) == 2)
        await until(world.presenter.window.isActiveWindow)
        QTest.keySequence(world.presenter.window, sequences("search")[0])
        search = find(world, QLineEdit, "searchEdit")
        assert search.hasFocus()
        search.setText("旅")
        results = find(world, QListView, "searchResults")
        await until(results.isVisible)
        model = results.model()
        assert model.index(0, 0).data() == "Trip"
        assert model.index(1, 0).data(HitRole.MESSAGE_ID)
        text, marks = str(model.index(1, 0).data()), model.index(1, 0).data(HitRole.HIGHLIGHTS)
        assert {text[start:end] for start, end in marks} == {"旅"}
        QTest.keyClick(search, Qt.Key.Key_Down)
        assert results.hasFocus()
        QTest.keyClick(results, Qt.Key.Key_Up)
        assert search.hasFocus()
        QTest.keyClick(search, Qt.Key.Key_Return)
        assert world.presenter.thread_id == wanted
        search.setText("nowhere to be found")
        await until(lambda: find(world, QLabel, "noMatches").isVisible())
        QTest.keyClick(search, Qt.Key.Key_Escape)
        await until(lambda: find(world, QListView, "threadList").isVisible())
        assert search.text() == ""


async def test_enter_in_the_search_box_waits_for_what_was_typed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        wanted = await world.add_thread("needle in a haystack")
        await until(lambda: len(listed(world)) == 1)
        search = find(world, QLineEdit, "searchEdit")
        search.setText("needle")
        QTest.keyClick(search, Qt.Key.Key_Return)  # before the search has begun
        await until(lambda: world.presenter.thread_id == wanted)


async def test_drafts_are_kept_per_thread_and_over_a_restart(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        await world.presenter.open_thread(one)
        edit_of(world).insertPlainText("草稿 one")
        await world.presenter.open_thread(two)
        assert edit_of(world).toPlainText() == ""
        edit_of(world).insertPlainText("draft two")
        await world.presenter.open_thread(one)
        await until(lambda: edit_of(world).toPlainText() == "草稿 one")
        await world.presenter.open_thread(None)
        edit_of(world).insertPlainText("a new idea")
    async with window_world(qapp, tmp_path) as world:
        await world.presenter.open_thread(two)
        await until(lambda: edit_of(world).toPlainText() == "draft two")
        await world.presenter.open_thread(None)
        await until(lambda: edit_of(world).toPlainText() == "a new idea")


async def test_while_it_answers_what_is_sent_waits_and_escape_stops(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, [*said("begun")[:-1], hold], said("second")) as world:
        await type_and_send(world, "go")
        button = find(world, QPushButton, "sendButton")
        await until(lambda: button.accessibleName() == "Stop")
        await until(lambda: world.model.requests)
        thread_id = world.presenter.thread_id or ""
        await type_and_send(world, "next question")
        await until(lambda: edit_of(world).toPlainText() == "")
        QTest.keyClick(edit_of(world), Qt.Key.Key_Escape)
        await until(lambda: world.chat.run_of(thread_id) is None)
        await until(lambda: button.accessibleName() == "Send")
        assert find(world, QLabel, "composerHint").text() == ""
        click(find(world, QPushButton, "queueGoOn"))
        await until(lambda: len(world.model.requests) == 2)
        await until(lambda: world.chat.run_of(thread_id) is None)
        texts = [message.text for message in await world.store.threads.path(thread_id)]
        assert "begun".startswith(texts.pop(1))
        assert texts == ["go", "next question", "second"]


async def test_a_message_that_was_not_stored_stays_in_the_composer(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("soon gone")
        await world.presenter.open_thread(thread_id)
        await world.store.threads.delete_thread(thread_id)  # behind the window's back
        await type_and_send(world, "do not lose me")
        await until(lambda: world.presenter.window.notices.titles != [])
        assert edit_of(world).toPlainText() == "do not lose me"
        assert world.presenter.window.notices.titles == ["This chat no longer exists"]
        assert len(world.errors) == 1


async def test_a_failed_answer_marks_row_and_model_until_it_is_seen(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    failure = ModelError("model.unreachable", url="http://127.0.0.1:9/v1", detail="refused")
    async with window_world(qapp, tmp_path, [failure], said("better")) as world:
        await type_and_send(world, "hello")
        await until(lambda: world.presenter.thread_id is not None)
        thread_id = world.presenter.thread_id or ""
        sidebar = world.presenter.window.sidebar
        await until(lambda: sidebar.model.mark(thread_id) is ThreadMark.FAILED)
        assert "failed" in find(world, QLabel, "modelStatus").accessibleName()
        await world.presenter.open_thread(None)
        # Its notice was on the screen.
        await until(lambda: sidebar.model.mark(thread_id) is ThreadMark.NONE)
        await world.presenter.open_thread(thread_id)
        world.presenter.window.transcript.retry_requested.emit()
        await until(lambda: "ready" in find(world, QLabel, "modelStatus").accessibleName())
        path = await world.store.threads.path(thread_id)
        assert [message.text for message in path] == ["hello", "better"]
        answers = await world.store.threads.answers(path[-1].id)
        assert [answer.text for answer in answers] == ["", "better"], "the one that failed stays in the record"


async def test_a_thread_that_waits_for_the_user_is_marked(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("needs an answer")
        await until(lambda: len(listed(world)) == 1)
        model = world.presenter.window.sidebar.model
        world.presenter.set_waiting(thread_id, True)
        assert model.mark(thread_id) is ThreadMark.WAITING
        world.presenter.set_waiting(thread_id, False)
        assert model.mark(thread_id) is ThreadMark.NONE


async def test_an_error_is_shown_once_and_can_be_closed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        for _ in range(3):
            world.presenter.show_error(ModelError("model.key_missing", variable="MY_KEY"))
        assert world.presenter.window.notices.titles == ["The key is missing"]
        assert "MY_KEY" in find(world, QLabel, "noticeDetail").text()
        world.presenter.show_error(ValueError("<b>odd</b>"))
        assert find(world, QLabel, "noticeDetail").textFormat() is Qt.TextFormat.PlainText
        while (close := world.presenter.window.findChild(QToolButton, "noticeClose")) and close.isVisible():
            click(close)
            await asyncio.sleep(0)
        assert world.presenter.window.notices.titles == []
        assert not world.presenter.window.notices.isVisible()


async def test_theme_and_language_are_chosen_in_the_menu_and_stored(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        footer = world.presenter.window.sidebar.footer
        footer.theme_chosen.emit(Theme.DARK)
        assert world.theme.tokens is DARK
        footer.theme_chosen.emit(Theme.LIGHT)
        assert world.theme.tokens is LIGHT
        assert world.settings.settings.appearance.theme is Theme.LIGHT
        assert '"light"' in (tmp_path / "settings.json").read_text()


async def test_a_theme_given_for_this_start_holds_until_another_is_chosen(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, theme=Theme.DARK) as world:
        assert world.theme.tokens is DARK
        settings = world.settings.settings
        world.settings.update(dataclasses.replace(settings, agent=dataclasses.replace(settings.agent, step_limit=7)))
        assert world.theme.tokens is DARK
        world.presenter.window.sidebar.footer.theme_chosen.emit(Theme.LIGHT)
        assert world.theme.tokens is LIGHT


async def test_settings_that_cannot_be_saved_are_told_and_not_taken(
    qapp: QApplication, qloop: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_full_disk(**_: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(tmp_path / "settings.json"))

    async with window_world(qapp, tmp_path) as world:
        footer = world.presenter.window.sidebar.footer
        with monkeypatch.context() as full:
            full.setattr("tempfile.mkstemp", on_full_disk)
            footer.theme_chosen.emit(Theme.DARK)
        assert world.presenter.window.notices.titles == ["The disk is full"]
        assert world.theme.tokens is LIGHT
        chosen = [action.objectName() for action in footer.findChildren(QAction) if action.isChecked()]
        assert "choose-dark" not in chosen


async def test_a_hit_opens_the_thread_at_its_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async def long_thread(store: Store) -> None:
        thread = await store.threads.create_thread(title="long")
        for number in range(8):
            text = ("needle " if number == 1 else "") + "many words in a row " * 60
            turn = await store.threads.begin_turn(thread.id, text, model="scripted")
            await store.threads.finish_turn(
                turn.turn_id,
                parts=[TextPart(text="answer " * 300)],
                status=MessageStatus.COMPLETE,
                reason="completed",
                usage=Usage(input_tokens=None, output_tokens=None),
                duration_seconds=0,
            )

    async with window_world(qapp, tmp_path, prepare=long_thread) as world:
        search = find(world, QLineEdit, "searchEdit")
        search.setText("needle")
        results = find(world, QListView, "searchResults")
        await until(lambda: results.isVisible() and results.model().rowCount() == 2)
        QTest.mouseClick(
            results.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            results.visualRect(results.model().index(1, 0)).center(),
        )

        viewport = world.presenter.window.transcript.viewport()

        def tops() -> list[int]:
            return [row.y() for row in viewport.findChildren(RowWidget) if "needle" in row.accessibleName()]

        await until(lambda: any(0 <= top < viewport.height() for top in tops()))


async def test_text_sent_from_a_thread_that_was_left_does_not_touch_the_next_one(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("done")) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        await world.presenter.open_thread(two)
        edit_of(world).insertPlainText("draft of two")
        await world.presenter.open_thread(one)
        await type_and_send(world, "question in one")
        await world.presenter.open_thread(two)  # before the store has answered
        await until(lambda: edit_of(world).toPlainText() == "draft of two")
        row = world.presenter.window.sidebar.model.get
        await until(lambda: (thread := row(one)) is not None and thread.snippet == "done")
        assert edit_of(world).toPlainText() == "draft of two"
        await world.presenter.open_thread(one)
        assert edit_of(world).toPlainText() == ""
        assert [m.text for m in await world.store.threads.path(one)][-2:] == ["question in one", "done"]


async def test_servers_are_counted_and_listed_with_what_went_wrong(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    ready = ServerStatus(server_id="command", state=ServerState.READY, tool_count=5)
    async with window_world(qapp, tmp_path, statuses=(ready,)) as world:
        button = find(world, QToolButton, "serversButton")
        assert button.text() == "1"
        world.gateway.set_status(
            ServerStatus(server_id="files", state=ServerState.FAILED, detail="<i>no such file</i>")
        )
        assert button.text() == "1/2"
        assert "1 failed" in button.accessibleName()
        click(button)
        detail = find(world, QLabel, "serverDetail")
        assert detail.isVisible()
        assert detail.text() == "<i>no such file</i>"
        assert detail.textFormat() is Qt.TextFormat.PlainText
        detail.window().close()


async def test_the_sidebar_folds_in_a_narrow_window_and_its_width_is_remembered(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        window.resize(780, 700)
        await until(window.sidebar.isVisible)
        window.resize(700, 600)
        await until(lambda: not window.sidebar.isVisible())
        click(find(world, QToolButton, "sidebarToggle"))
        assert window.sidebar.isVisible()
        window.resize(780, 700)
        await until(window.sidebar.isVisible)
        find(world, QSplitter, "mainSplitter").moveSplitter(340, 1)
        width = window.sidebar.width()
        assert width == 340
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        assert (window.width(), window.height()) == (780, 700)
        await until(lambda: window.sidebar.width() == width)
        await until(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
        assert not window.sidebar.isVisible()
    async with window_world(qapp, tmp_path) as world:
        assert not world.presenter.window.sidebar.isVisible()


MANY = 245


async def test_more_threads_than_a_page_are_loaded_while_scrolling(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_loader, "PAGE", 20)
    async with window_world(qapp, tmp_path, prepare=_many_threads) as world:
        sidebar = world.presenter.window.sidebar
        await until(lambda: sidebar.model.thread_count >= 20)
        assert sidebar.model.thread_count < MANY, "no more than what may soon be in sight"
        while not sidebar.model.is_complete:
            before = sidebar.model.thread_count
            sidebar.list.scrollToBottom()
            await until(lambda before=before: sidebar.model.thread_count > before)
        assert len(set(listed(world))) == MANY


async def _many_threads(store: Store) -> None:
    for number in range(MANY):
        await store.threads.create_thread(title=f"thread {number}")


async def test_closing_is_announced_and_nothing_is_lost(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    closed: list[str] = []
    async with window_world(qapp, tmp_path) as world:
        world.presenter.close_requested.connect(lambda: closed.append("closed"))
        edit_of(world).insertPlainText("half a thought")
        world.presenter.window.close()
        assert closed == ["closed"]
    async with window_world(qapp, tmp_path) as world:
        await world.presenter.open_thread(None)
        await until(lambda: edit_of(world).toPlainText() == "half a thought")


def nameless(window: QWidget) -> list[str]:
    kinds = (QPushButton, QToolButton, QLineEdit, QPlainTextEdit, QListView)
    internal = ("qt_", "ScrollLeftButton", "ScrollRightButton")
    found = [w for kind in kinds for w in window.findChildren(kind) if not w.objectName().startswith(internal)]
    # the button inside a line edit that clears it belongs to Qt
    return [
        f"{type(w).__name__} {w.objectName()!r}"
        for w in found
        if not isinstance(w.parentWidget(), QLineEdit) and not (w.accessibleName() and w.objectName())
    ]


async def test_every_control_has_a_name_for_people_and_one_for_tests(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.show_notice("Title", "detail")
        assert nameless(world.presenter.window.sidebar) == []
        assert nameless(world.presenter.window.header) == []
        assert nameless(world.presenter.window.composer) == []
        assert nameless(world.presenter.window.notices) == []


def test_a_window_from_a_larger_screen_comes_into_this_one() -> None:
    room = QRect(0, 32, 1024, 668)
    assert placed_within(QRect(80, 90, 1240, 860), room) == room
    assert placed_within(QRect(900, 600, 300, 200), room) == QRect(724, 500, 300, 200)
    assert placed_within(QRect(-50, 0, 300, 200), room) == QRect(0, 32, 300, 200)
    assert placed_within(QRect(100, 100, 300, 200), room) == QRect(100, 100, 300, 200)
    assert placed_within(QRect(0, 0, 300, 200), room, centred=True).center() == room.center()


async def test_the_tab_key_goes_from_the_header_through_the_transcript_to_the_composer(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        names: list[str] = []
        widget: QWidget | None = window.nextInFocusChain()
        while widget is not None and widget is not window:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                names.append(widget.objectName())
            widget = widget.nextInFocusChain()
        parts = ["newChatButton", "searchEdit", "sidebarToggle", "serversButton", "transcript", "messageEdit"]
        assert [name for name in names if name in parts] == parts


async def test_a_click_in_the_list_needs_no_ring_and_a_key_brings_it(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread = await world.store.threads.create_thread(title="Plans")
        await world.presenter.open_thread(thread.id)
        rows = world.presenter.window.sidebar.list
        click_row(world, thread.id)
        assert not rows.shows_focus
        QTest.keyClick(rows, Qt.Key.Key_Up)
        assert rows.shows_focus
