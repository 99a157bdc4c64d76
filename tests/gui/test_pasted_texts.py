"""Long pasted texts in the whole window: kept with the draft of their thread, sent, shown folded, removed and brought back."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit

from desktop.ui.composer.message_edit import MessageEdit
from desktop.ui.state.pasted_text import Composed, joined, split
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
LOG = "\n".join(f"line {number} of the log" for number in range(1_234))


def paste(world: WindowWorld, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    edit = world.presenter.window.composer.edit
    assert isinstance(edit, MessageEdit)
    edit.insertFromMimeData(data)


def press(world: WindowWorld, name: str) -> None:
    found = world.presenter.window.findChildren(QAbstractButton, name)
    QTest.mouseClick(next(button for button in found if button.isVisible()), Qt.MouseButton.LeftButton)


def has(world: WindowWorld, name: str) -> bool:
    return any(button.isVisible() for button in world.presenter.window.findChildren(QAbstractButton, name))


async def test_a_folded_paste_belongs_to_the_draft_of_its_thread_also_after_a_restart(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread = await world.add_thread("one")
        composer = world.presenter.window.composer
        paste(world, LOG)
        composer.edit.insertPlainText("in the new chat")
        await world.presenter.open_thread(thread)
        assert composer.content == Composed("")
        paste(world, LOG + "\n")
        await world.presenter.open_thread(None)
        await until(lambda: composer.content == Composed("in the new chat", (LOG,)))
    async with window_world(qapp, tmp_path) as world:
        composer = world.presenter.window.composer
        await until(lambda: composer.content == Composed("in the new chat", (LOG,)))
        await world.presenter.open_thread(thread)
        await until(lambda: composer.content == Composed("", (LOG + "\n",)))


async def test_what_is_sent_reaches_the_model_whole_and_stands_folded_in_the_transcript(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    words = "Sum this up\n" + "and this\n" * 60
    async with window_world(qapp, tmp_path, said("Done.")) as world:
        window = world.presenter.window
        paste(world, LOG)
        window.composer.edit.insertPlainText(words)
        QTest.keyClick(window.composer.edit, Qt.Key.Key_Return)
        await until(lambda: world.presenter.thread_id is not None and window.composer.content == Composed(""))
        await until(lambda: world.model.finished and has(world, "copy-answer"))
        (thread,) = await world.conversations.list_threads()
        assert thread.title == "Sum this up"
        sent = (await world.store.threads.path(thread.id))[0].text
        assert split(sent) == Composed(words.rstrip("\n"), (LOG,)) or split(sent) == Composed(words, (LOG,))
        window.transcript.scroll_to_message((await world.store.threads.path(thread.id))[0].id)
        await until(lambda: has(world, "pasted-text") and has(world, "bubble-fold"))
        press(world, "bubble-fold")
        await until(lambda: not has(world, "bubble-fold"))  # it is at the end of the long text, out of sight now
        window.transcript.scroll_to_end()
        await until(lambda: has(world, "bubble-fold"))
        folds = [b for b in window.findChildren(QAbstractButton, "bubble-fold") if b.isVisible()]
        assert [fold.text() for fold in folds] == ["Show less"]
        press(world, "bubble-fold")
        window.transcript.scroll_to_message((await world.store.threads.path(thread.id))[0].id)
        press(world, "pasted-text")
        dialog = next(w for w in qapp.topLevelWidgets() if w.objectName() == "full-text")
        shown = dialog.findChild(QPlainTextEdit, "full-text-view")
        assert shown is not None
        assert shown.toPlainText() == LOG
        dialog.close()


async def test_a_removed_paste_comes_back_to_the_message_it_was_taken_from(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        composer = world.presenter.window.composer
        for is_elsewhere in (False, True):
            composer.set_content(Composed(""))
            paste(world, LOG)
            press(world, "pastedRemove")
            assert composer.content == Composed("")
            if is_elsewhere:
                thread = await world.add_thread("another")
                await world.presenter.open_thread(thread)
            press(world, "toastAction")
            assert (composer.content == Composed("", (LOG,))) is not is_elsewhere
        await until(lambda: world.presenter.composer._drafts.in_memory("") is not None)
        await world.presenter.composer.flush()
        assert await world.conversations.load_draft("") == joined(Composed("", (LOG,)))
