"""Connects the options of the open chat with its record: the mark in the header, the dialog, and what is saved."""

from PySide6.QtCore import QLocale, QObject

from desktop.conversation.entities import Thread, ThreadOptions
from desktop.ui.header import Header
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices


class ThreadOptionsPresenter(QObject):
    """Knows the options of the chat that is open, and those of a chat that begins with its first message."""

    def __init__(self, header: Header, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._header = header
        self._services = services
        self._worker = Worker(services)
        self._thread: Thread | None = None
        self._is_new = True
        self._of_new_chat = ThreadOptions()
        header.options_requested.connect(self.open)
        self._show()

    @property
    def of_new_chat(self) -> ThreadOptions:
        """What a chat that does not exist yet begins with; kept until it began."""
        return self._of_new_chat

    @property
    def _options(self) -> ThreadOptions:
        if self._is_new:
            return self._of_new_chat
        return self._thread.options if self._thread is not None else ThreadOptions()

    def show_thread(self, thread: Thread | None, *, is_new: bool) -> None:
        """Show how the open chat is; ``is_new`` is one that does not exist yet, else None is one not loaded yet."""
        self._thread, self._is_new = thread, is_new
        self._show()

    def new_chat_began(self) -> None:
        """The options chosen for a new chat have become those of a thread."""
        self._of_new_chat = ThreadOptions()
        self._show()

    def open(self) -> None:
        """Open the dialog for the chat that is open now."""
        if self._thread is None and not self._is_new:
            return
        from desktop.ui.dialogs.thread_options import ThreadOptionsDialog

        thread_id = self._thread.id if self._thread is not None else None
        window = self._header.window()
        dialog = ThreadOptionsDialog(window, self._options, self._services.settings.settings.agent)
        dialog.saved.connect(lambda options: self._save(thread_id, options))
        dialog.finished.connect(window.activateWindow)  # the focus goes back to where it was in it
        dialog.open()

    def retranslate(self) -> None:
        self._show()

    def _save(self, thread_id: str | None, options: ThreadOptions) -> None:
        if thread_id is None:
            self._of_new_chat = options
            self._show()
        else:
            self._worker.start(self._services.conversations.set_options(thread_id, options), "save chat options")

    def _show(self) -> None:
        options = self._options
        own = self.tr("its own instructions") if options.system_prompt is not None else ""
        if options.temperature is not None:
            number = QLocale().toString(options.temperature, "f", 2)
            temperature = self.tr("temperature %1").replace("%1", number)
            own = self.tr("%1, %2").replace("%2", temperature).replace("%1", own) if own else temperature
        self._header.set_own_options(own)
