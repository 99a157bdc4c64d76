"""Documents in the whole app: added at the message or in the settings, and what belongs to a question is in the request."""

import asyncio
import dataclasses
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from desktop.app.event_loop import QtLoop
from desktop.core.memory_settings import MemoryUse
from desktop.core.settings import Settings
from desktop.memory.documents import DocumentState
from desktop.memory.recall import RecallRules
from desktop.tools.taint import TaintCause
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog
from desktop.ui.memory.receipts import ReceiptDialog
from desktop.ui.settings.window import SettingsWindow
from desktop.ui.toast import Toast
from tests.support.document_files import docx_of, pdf_of
from tests.support.endpoint import Answer, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.several_world import SeveralWorld, several_world
from tests.support.stores import opened
from tests.support.waiting import until


def answer(request: RecordedRequest) -> Answer:
    return [text(f"That is {len(request.messages)}.")]


@asynccontextmanager
async def patient_world(app: QApplication, folder: Path) -> AsyncGenerator[SeveralWorld, None]:
    """The app, where recall may take as long as a busy machine needs."""
    async with several_world(app, folder / "data", answer) as world:
        memory = world.session.container.memory
        memory.service._recall._rules = RecallRules(deadline_seconds=30)  # pyright: ignore[reportPrivateUsage]
        memory.recaller._deadline_seconds = 60  # pyright: ignore[reportPrivateUsage]
        yield world


def files_in(folder: Path) -> Path:
    """A folder of a user, with a document of each of two kinds."""
    place = folder / "Lease"
    place.mkdir()
    filler = "Nothing of interest stands on this page. " * 20
    (place / "contract.pdf").write_bytes(pdf_of([filler, f"The deposit is three monthly rents. {filler}", filler]))
    (place / "notes.docx").write_bytes(
        docx_of([("berschrift1", "Handover"), ("", "The janitor has the spare keys of the cellar.")])
    )
    return place


async def all_is_read(world: SeveralWorld) -> None:
    """Everything that was added was read, and is found by its meaning too."""
    documents, seen = world.session.container.memory.documents, False
    deadline = asyncio.get_running_loop().time() + 30
    while not seen and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.05)
        summaries = await documents.summaries()
        seen = bool(summaries) and all(one.files and not one.count(DocumentState.WAITING) for one in summaries)
    assert seen
    await world.session.container.memory.service.indexing.catch_up()


async def ask(world: SeveralWorld, words: str, *, new_chat: bool = False) -> RecordedRequest:
    if new_chat:
        await world.session.presenter.open_thread(None)
    world.send(words)
    chat = world.session.container.chat
    await until(lambda: any(c.last_user_text.endswith(words) for c in world.endpoint.chats))
    await until(lambda: world.thread_id and not chat.runs_of(world.thread_id))
    return next(c for c in reversed(world.endpoint.chats) if c.last_user_text.endswith(words))


def drop(world: SeveralWorld, folder: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    world.window.drop_area.dropEvent(QDropEvent(QPointF(5, 5), actions, data, buttons, Qt.KeyboardModifier.NoModifier))


async def test_a_dropped_folder_answers_in_its_chat_alone_also_without_memory(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        drop(world, files_in(tmp_path))
        await all_is_read(world)
        await until(lambda: world.is_seen("knowledgeLine"))
        assert "Knowledge: Lease" in world.find(QLabel, "knowledgeWords").text()
        request = await ask(world, "How high is the deposit for the rent?")
        block, _, typed = request.last_user_text.rpartition("</documents>\n\n")
        assert typed == "How high is the deposit for the rent?"
        (line,) = [one for one in block.splitlines() if "three monthly rents" in one]
        assert '"source": "contract.pdf", "place": "page' in line
        assert world.thread_id is not None
        taint = await world.session.container.store.taints.of(world.thread_id)
        assert taint is not None
        assert taint.cause is TaintCause.DOCUMENT
        world.session.container.settings.update(with_memory(world.session.container.settings.settings, MemoryUse.OFF))
        request = await ask(world, "Who has the spare keys of the cellar?")
        assert '"source": "notes.docx", "place": "Handover"' in request.last_user_text
        request = await ask(world, "How high is the deposit?", new_chat=True)
        assert request.last_user_text == "How high is the deposit?"
        await until(lambda: not world.is_seen("knowledgeLine"))


async def test_what_changed_on_the_disk_is_read_while_the_next_question_is_written(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        note = tmp_path / "Lease" / "recipe.md"
        note.parent.mkdir()
        note.write_text("# Stew\n\nThe tomato stew cooks for ninety minutes.\n", "utf-8")
        drop(world, note.parent)
        await all_is_read(world)
        assert "ninety minutes" in (await ask(world, "How long does the tomato stew cook?")).last_user_text
        documents = world.session.container.memory.documents
        documents._next_look = 0.0  # pyright: ignore[reportPrivateUsage]
        note.write_text("# Stew\n\nThe tomato stew cooks for two hours.\n", "utf-8")
        (before,) = await documents.summaries()
        world.window.composer.edit.insertPlainText("How")
        async with asyncio.timeout(20):
            while (await documents.summaries())[0] == before:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.02)
        await all_is_read(world)
        world.window.composer.edit.clear()
        request = await ask(world, "How long does the stew cook now?")
        assert "two hours" in request.last_user_text
        assert "ninety minutes" not in request.last_user_text.partition("</documents>")[0]


def with_memory(settings: Settings, use: MemoryUse) -> Settings:
    return dataclasses.replace(settings, memory=dataclasses.replace(settings.memory, use=use))


async def test_documents_for_all_chats_are_added_followed_and_removed_in_the_settings(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        place = files_in(tmp_path)
        world.window.composer.knowledge.list_requested.emit()
        await until(lambda: world.session.presenter.settings_window is not None)
        settings = world.session.presenter.settings_window
        assert settings is not None
        (add,) = settings.findChildren(QPushButton, "addDocumentFolder")
        add.click()
        (dialog,) = settings.findChildren(ReturningFileDialog, "documents-dialog")
        dialog.filesSelected.emit([str(place)])
        dialog.reject()
        await all_is_read(world)

        def states() -> list[str]:
            return [one.text() for one in settings.findChildren(QLabel, "documentState") if one.isVisible()]

        await until(lambda: any("Files ready: 2" in one for one in states()))
        request = await ask(world, "How high is the deposit for the rent?", new_chat=True)
        assert "three monthly rents" in request.last_user_text
        (place / "contract.pdf").unlink()
        (read,) = [one for one in settings.findChildren(QPushButton) if one.objectName().startswith("readDocument-")]
        read.click()
        await until(lambda: any("gone: 1" in one for one in states()))
        remove = [one for one in settings.findChildren(QPushButton) if one.objectName().startswith("removeDocument-")]
        remove[0].click()
        await until(lambda: not states())
        request = await ask(world, "Who has the spare keys of the cellar?", new_chat=True)
        assert request.last_user_text == "Who has the spare keys of the cellar?"
        settings.toast.act()
        await until(lambda: bool(states()))
        request = await ask(world, "Who has the spare keys of the cellar?", new_chat=True)
        assert "notes.docx" in request.last_user_text


async def add_for_all(world: SeveralWorld, place: Path) -> SettingsWindow:
    """Add a folder in the settings, as a person does."""
    world.session.presenter.open_settings("documents")
    settings = world.session.presenter.settings_window
    assert settings is not None
    (add,) = settings.findChildren(QPushButton, "addDocumentFolder")
    add.click()
    (dialog,) = settings.findChildren(ReturningFileDialog, "documents-dialog")
    dialog.filesSelected.emit([str(place)])
    dialog.reject()
    await all_is_read(world)
    return settings


async def remove(settings: SettingsWindow) -> None:
    def buttons() -> list[QPushButton]:
        return [one for one in settings.findChildren(QPushButton) if one.objectName().startswith("removeDocument-")]

    await until(buttons)
    buttons()[0].click()
    await until(lambda: settings.toast.can_act)


def offered(toast: Toast) -> str:
    """What can be done about what the message at the lower edge says."""
    (action,) = toast.findChildren(QPushButton, "toastAction")
    return action.text() if toast.can_act else ""


async def rows_left(world: SeveralWorld) -> int:
    def count(connection: sqlite3.Connection) -> int:
        tables = ("document_roots", "documents", "document_pieces", "piece_vectors")
        return sum(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)

    return await world.session.container.store.database.read(count)


async def test_when_undo_is_over_documents_are_gone_for_good_and_the_receipt_counts_what_went(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        settings = await add_for_all(world, files_in(tmp_path))
        request = await ask(world, "How high is the deposit for the rent?")
        assert "three monthly rents" in request.last_user_text
        await remove(settings)
        assert offered(settings.toast) == "Undo"
        assert await rows_left(world), "until nobody can want it back"
        settings.toast.dismiss()
        await until(lambda: offered(settings.toast) == "Show receipt")
        assert await rows_left(world) == 0
        settings.toast.act()
        (receipt,) = settings.findChildren(ReceiptDialog)
        counts = {name: count for name, count, _ in receipt.lines()}
        assert counts.keys() == {"documents", "words", "vectors", "requests"}
        assert counts["documents"] == 2
        assert counts["words"] == counts["vectors"] >= 3
        assert counts["requests"] >= 1
        receipt.accept()
        assert (tmp_path / "Lease" / "contract.pdf").exists(), "the files themselves stay"


async def test_who_closes_the_settings_or_the_program_ends_the_time_of_undo(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        settings = await add_for_all(world, files_in(tmp_path))
        await remove(settings)
        settings.close()
        await until(lambda: offered(world.window.toast) == "Show receipt")
        assert await rows_left(world) == 0
        other = tmp_path / "other"
        other.mkdir()
        (other / "secret.md").write_text("# Vaults\n\nThe combination is qwzxplmk.")
        settings = await add_for_all(world, other)
        await remove(settings)
    left = b"".join(file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file())
    assert b"qwzxplmk" not in left
    async with opened(tmp_path / "data") as store:
        roots = await store.database.read(lambda c: c.execute("SELECT count(*) FROM document_roots").fetchone())
        assert roots == (0,)
        assert not await store.passages.owes_erasing()


async def test_the_menu_below_the_message_offers_files_and_folders(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        menu = world.find(QToolButton, "knowledgeButton").menu()
        assert [action.text() for action in menu.actions() if action.text()] == [
            "Add files as knowledge…",
            "Add a folder as knowledge…",
            "Show all documents",
        ]
        menu.actions()[0].trigger()
        (dialog,) = world.window.findChildren(ReturningFileDialog, "knowledge-dialog")
        dialog.filesSelected.emit([str(files_in(tmp_path) / "notes.docx")])
        dialog.reject()
        await all_is_read(world)
        await until(lambda: "notes.docx" in world.window.composer.knowledge.words)
        request = await ask(world, "Who has the spare keys of the cellar?")
        assert "janitor" in request.last_user_text
