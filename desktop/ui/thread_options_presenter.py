"""Connects the options of the open chat with its record: the mark in the header, the dialog, and what is saved."""

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QLocale, QObject, Signal

from desktop.conversation.entities import Thread, ThreadOptions
from desktop.core.errors import ThreadwellError
from desktop.core.session_settings import SessionUse
from desktop.ui.header import Header
from desktop.ui.memory.words import memory_use_chip
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices

if TYPE_CHECKING:
    from desktop.ui.dialogs.thread_options import ThreadOptionsDialog


class ThreadOptionsPresenter(QObject):
    """Knows the options of the chat that is open, and those of a chat that begins with its first message.

    ``changed`` comes when the open chat, or another one that is opened, has other options than the one before.
    ``dialog_opened`` carries the ``ThreadOptionsDialog``, to be given what else can be done in it.
    """

    changed = Signal()
    dialog_opened = Signal(object)

    def __init__(self, header: Header, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._header = header
        self._services = services
        self._worker = Worker(services)
        self._thread: Thread | None = None
        self._is_new = True
        self._of_new_chat = ThreadOptions()
        self._times_chosen = 0
        self._shown = ThreadOptions()
        self._saving: asyncio.Task[None] | None = None
        header.options_requested.connect(self.open)
        services.settings.changed.connect(lambda _: self._show())
        self._show()
        self._worker.start(self.of_new_chat(), "load options of a new chat")

    async def of_new_chat(self) -> ThreadOptions:
        """What a chat that does not exist yet begins with: it is on disk, until the chat began."""
        if self._saving is not None:  # what was chosen just now
            await asyncio.wait([self._saving])
        times = self._times_chosen
        loaded = await self._services.conversations.load_new_thread_options()
        if times == self._times_chosen:  # else that is known better than what was on disk before
            self._of_new_chat = loaded
            self._show()
        return self._of_new_chat

    @property
    def is_new(self) -> bool:
        """The open chat begins with its first message."""
        return self._is_new

    @property
    def options(self) -> ThreadOptions:
        """Those of the open chat."""
        if self._is_new:
            return self._of_new_chat
        return self._thread.options if self._thread is not None else ThreadOptions()

    def show_thread(self, thread: Thread | None, *, is_new: bool) -> None:
        """Show how the open chat is; ``is_new`` is one that does not exist yet, else None is one not loaded yet."""
        self._thread, self._is_new = thread, is_new
        self._show()

    def new_chat_began(self) -> None:
        """The options chosen for a new chat have become those of a thread."""
        self._choose(ThreadOptions())
        self._show()

    def _choose(self, options: ThreadOptions) -> None:
        self._of_new_chat = options
        self._times_chosen += 1

    def change(self, **changes: Any) -> None:
        """Change fields of the open chat's ``ThreadOptions``, in force for its next message."""
        options = dataclasses.replace(self.options, **changes)
        if options == self.options or (self._thread is None and not self._is_new):
            return
        conversations = self._services.conversations
        if self._thread is None:
            self._choose(options)
            saving = conversations.save_new_thread_options(options)
        else:
            self._thread = dataclasses.replace(self._thread, options=options)
            saving = conversations.set_options(self._thread.id, options)
        self._show()
        self._saving = self._worker.start(saving, "save chat options")

    def open(self) -> None:
        """Open the dialog for the chat that is open now."""
        if self._thread is None and not self._is_new:
            return
        from desktop.ui.dialogs.thread_options import ThreadOptionsDialog

        thread_id = self._thread.id if self._thread is not None else None
        window = self._header.window()
        settings = self._services.settings.settings
        dialog = ThreadOptionsDialog(window, self.options, settings.agent, settings.memory.use, settings.sessions.use)
        dialog.save_requested.connect(
            lambda options: self._worker.start(self._save(dialog, thread_id, options), "save chat options")
        )
        dialog.finished.connect(window.activateWindow)  # the focus goes back to where it was in it
        self.dialog_opened.emit(dialog)
        dialog.open()
        if thread_id is not None:
            self._worker.start(self._show_usage(dialog, thread_id), "count usage")

    def retranslate(self) -> None:
        self._show()

    async def _show_usage(self, dialog: "ThreadOptionsDialog", thread_id: str) -> None:
        totals = await self._services.repository.usage_totals(thread_id=thread_id)
        if shiboken6.isValid(dialog):
            dialog.show_usage(totals)

    async def _save(self, dialog: "ThreadOptionsDialog", thread_id: str | None, options: ThreadOptions) -> None:
        conversations = self._services.conversations
        try:
            if thread_id is None:
                await conversations.save_new_thread_options(options)
                self._choose(options)
                self._show()
            else:
                await conversations.set_options(thread_id, options)
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog) or not dialog.isVisible():  # left meanwhile
                raise
            dialog.show_failure(error)
        else:
            if shiboken6.isValid(dialog):
                dialog.accept()

    def _show(self) -> None:
        options = self.options
        own = [self.tr("its own instructions")] if options.system_prompt is not None else []
        if options.temperature is not None:
            number = QLocale().toString(options.temperature, "f", 2)
            own.append(self.tr("temperature %1").replace("%1", number))
        if options.assistant is not None:
            own.append(self.tr("an assistant"))
        memory, sessions = self._services.settings.settings.memory, self._services.settings.settings.sessions
        if options.session and not options.is_temporary and sessions.use is not SessionUse.OFF:
            own.append(self.tr("a shared session"))
        use = None if options.is_temporary or options.memory == memory.use else options.memory
        if use is not None:
            own.append(memory_use_chip(use))
        words = ""
        for each in own:
            words = self.tr("%1, %2").replace("%2", each).replace("%1", words) if words else each
        self._header.set_own_options(words)
        self._header.instructions.show_instructions(options.system_prompt)
        if memory.is_paused and not options.is_temporary:  # whatever the chat's own way is
            self._header.set_memory_use(self.tr("Memory paused"), is_paused=True)
        else:
            self._header.set_memory_use(memory_use_chip(use) if use is not None else "")
        if options != self._shown:
            self._shown = options
            self.changed.emit()
