"""What a start asks of a window that is open: chats, files, archives and pages; what is not there is said."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QDialog

from desktop.conversation.entities import AttachmentPart
from desktop.core.errors import StorageError
from desktop.core.start_request import StartRequest
from desktop.ui.help.help_window import HelpWindow
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]


async def test_a_chat_a_page_and_files_are_opened(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        presenter, opening = world.presenter, world.presenter.features.opening
        chat = (await world.store.threads.create_thread(title="A chat")).id
        letter = tmp_path / "我的 信.txt"
        letter.write_text("Dear neighbours", "utf-8")
        opening.act(StartRequest(thread=chat, files=(str(letter),), page="guide"))
        await until(lambda: presenter.thread_id == chat)
        await until(lambda: any(tmp_path.glob("attachments/*/*")))
        await until(lambda: presenter.composer.key == chat)
        kept: Sequence[AttachmentPart] = ()
        for _ in range(500):
            if kept := await world.store.attachments.load_draft(chat):  # it is beside the message of that chat
                break
            await asyncio.sleep(0.02)
        assert [file.name for file in kept] == [letter.name]
        assert presenter.window.findChildren(HelpWindow)
        assert not await world.store.threads.path(chat)  # nothing is sent
        opening.act(StartRequest(thread="new"))
        await until(lambda: presenter.thread_id is None)
        opening.act(StartRequest(thread="last"))
        opening.act(StartRequest())
        assert world.errors == []


async def test_a_chat_that_is_gone_is_said_and_the_window_stays(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        before = world.presenter.thread_id
        gone = (await world.store.threads.create_thread(title="Gone")).id
        await world.conversations.delete(gone)
        for missing in ("nowhere", gone):
            world.presenter.features.opening.act(StartRequest(thread=missing))
        await until(lambda: len(world.errors) == 2)
        assert all(isinstance(e, StorageError) and e.code == "storage.thread_missing" for e in world.errors)
        assert world.presenter.thread_id == before


async def test_archives_with_chats_are_taken_in_instead_of_sent(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        taken: list[list[Path]] = []
        world.presenter.window.sidebar.import_requested.connect(taken.append)
        archive = tmp_path / "chats.ZIP"
        archive.write_bytes(b"PK")
        world.presenter.features.opening.act(StartRequest(files=(str(archive),)))
        await until(lambda: taken == [[archive]])
        await until(lambda: not any(tmp_path.glob("attachments/*/*")))
        for dialog in world.presenter.window.findChildren(QDialog):
            dialog.reject()
