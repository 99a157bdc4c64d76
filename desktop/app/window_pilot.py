"""Drives the real window as a person would: types, clicks, answers dialogs, and looks at what is stored and shown."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from desktop.agent.events import TerminalEvent
from desktop.app.window import WindowSession

W = TypeVar("W", bound=QWidget)


class PilotError(Exception):
    """The window did not come to the state that was waited for."""


class WindowPilot:
    """Finds controls by their object names, sends them real events, and waits for states, never for times."""

    def __init__(self, session: WindowSession, *, patience_seconds: float = 30.0) -> None:
        self._session = session
        self._patience = patience_seconds

    @property
    def window(self) -> QWidget:
        return self._session.presenter.window

    def find(self, kind: type[W], name: str, parent: QWidget | None = None) -> W:
        """Return the widget called ``name``; raises ``PilotError`` when there is none."""
        widget = (parent or self.window).findChild(kind, name)
        if widget is None:
            raise PilotError(f"there is no {kind.__name__} called {name}")
        return widget

    async def until(self, reached: Callable[[], bool], what: str) -> None:
        """Wait until ``reached`` holds. Raises ``PilotError`` naming ``what`` when patience ends."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience
        while not reached():
            if loop.time() > end:
                raise PilotError(f"not reached: {what}")
            await asyncio.sleep(0.01)

    def click(self, widget: QWidget) -> None:
        """Press and release the left button in the middle of ``widget``."""
        QTest.mouseClick(
            widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(widget.rect().center())
        )

    async def send(self, text: str) -> None:
        """Type into the composer and press Enter; returns when the text is stored and the composer empty."""
        from PySide6.QtWidgets import QPlainTextEdit

        edit = self.find(QPlainTextEdit, "messageEdit")
        await self.until(lambda: self.running_thread() is None, "the thread is free")
        edit.setFocus()
        edit.insertPlainText(text)  # as an input method commits it: key events cannot carry every script
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await self.until(lambda: edit.toPlainText() == "", "the composer is empty")

    def running_thread(self) -> str | None:
        """The id of the open thread while it answers."""
        thread_id = self._session.presenter.thread_id
        return thread_id if thread_id and self._session.container.chat.runs_of(thread_id) else None

    async def answer_ends(self) -> TerminalEvent | None:
        """Wait until the open thread has answered; None when it had ended before."""
        thread_id = self._session.presenter.thread_id
        run = self._session.container.chat.run_of(thread_id) if thread_id else None
        terminal = await asyncio.wait_for(run.wait(), self._patience) if run else None
        await self.until(lambda: self.running_thread() is None, "the answer has ended")
        return terminal

    def dialog(self, name: str) -> QDialog | None:
        """The visible dialog called ``name``, if any."""
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) and widget.objectName() == name and widget.isVisible():
                return widget
        return None

    async def dialog_appears(self, name: str) -> QDialog:
        await self.until(lambda: self.dialog(name) is not None, f"the dialog {name}")
        dialog = self.dialog(name)
        assert dialog is not None
        return dialog

    async def press(self, dialog: QDialog, button_name: str) -> None:
        """Wait until the button may be pressed, click it, and wait until the dialog is gone."""
        button = self.find(QPushButton, button_name, dialog)
        await self.until(button.isEnabled, f"{button_name} is enabled")
        self.click(button)
        await self.until(lambda: self.dialog(dialog.objectName()) is not dialog, "the dialog is gone")

    def picture(self, folder: Path | None, name: str, widget: QWidget | None = None) -> None:
        """Save a picture of the window, or of ``widget``, as ``name``.png."""
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (widget or self.window).grab().save(str(folder / f"{name}.png"))
