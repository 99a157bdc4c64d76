"""A program for kill tests: the app's own window, started as the app starts it, used by a person without end: ``FOLDER SEED``.

It says on stdout what is about to be done and what is done for certain, a line of JSON each.
"""

import asyncio
import random
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from desktop.app import window
from desktop.app.backups import Backups
from desktop.app.main import main
from desktop.app.window_pilot import WindowPilot
from desktop.conversation.entities import Message, Role
from desktop.conversation.removals import Removed
from tests.support.chat_writer import say, text_of


class UsedSession(window.WindowSession):
    """The session of the app, with somebody who uses it as soon as it is open."""

    @property
    def backups(self) -> Backups:
        return self._backup_work.backups

    async def open(self) -> None:
        await super().open()
        say("ready", after_crash=self._after_crash)
        self.container.tasks.spawn(Person(self).work(), name="use the window")


class Person:
    def __init__(self, session: UsedSession) -> None:
        self._session, self._pilot = session, WindowPilot(session)
        self._chance, self._number = random.Random(int(sys.argv[2])), 1_000 * int(sys.argv[2])
        self._store = session.container.store

    async def work(self) -> None:
        queue = self._session.container.queue
        while True:
            for _ in range(self._chance.randint(1, 3)):
                await self._write()
            if thread_id := self._session.presenter.thread_id:
                queue.go_on(thread_id)  # it pauses after a kill, and where what was removed had stopped an answer
                await self._pilot.until(lambda key=thread_id: len(queue.queue_of(key).messages) < 20, "there is room")
            match self._chance.choice(("remove", "remove", "purge", "back up", "new", "wait")):
                case "remove":
                    await self._remove()
                case "purge":
                    await self._purge()
                case "back up":
                    await self._back_up()
                case "new":
                    self._session.presenter.window.sidebar.new_chat_requested.emit()
                    await self._pilot.until(lambda: self._session.presenter.thread_id is None, "a new chat")
                case _:
                    await asyncio.sleep(self._chance.random() / 2)

    async def _write(self) -> None:
        """Write and send; what is sent while an answer runs waits."""
        self._number += 1
        text = f"Hello {text_of(self._number)}"  # a greeting is not repeated by the demo model
        edit = self._pilot.find(QPlainTextEdit, "messageEdit")
        edit.setFocus()
        edit.insertPlainText(text)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await self._pilot.until(lambda: edit.toPlainText() == "", "the field is empty")
        say("message", text=text)

    async def _questions(self, thread_id: str) -> list[Message]:
        return [message for message in await self._store.threads.path(thread_id) if message.role is Role.USER]

    async def _remove(self) -> None:
        """Delete a message of the open chat; what was deleted before cannot be brought back any more then."""
        thread_id = self._session.presenter.thread_id
        questions = await self._questions(thread_id) if thread_id else []
        if not questions:
            return
        chosen = self._chance.choice(questions)
        say("asked", text=chosen.text)
        await self._session.presenter.features.removing.remove(Removed(chosen.id))
        say("hidden", text=chosen.text)

    async def _purge(self) -> None:
        threads = await self._store.threads.list_threads(limit=100)
        if len(threads) < 2:
            return
        chosen = self._chance.choice(threads).id
        waiting = [message.text for message in await self._store.queue.of_thread(chosen)]
        texts = [message.text for message in await self._questions(chosen)] + waiting
        for text in texts:
            say("asked", text=text)
        container = self._session.container
        await container.chat.delete_thread(chosen)
        receipt = await container.chat.purge_thread(chosen)
        await container.memory.service.follow_removal(receipt)
        for text in texts:
            say("gone", text=text)

    async def _back_up(self) -> None:
        done = await self._session.backups.back_up(lambda _progress: None)
        say("backup", name=done.name)


if __name__ == "__main__":
    window.WindowSession = UsedSession
    sys.exit(main(["--data-dir", str(Path(sys.argv[1])), "--demo"]))
