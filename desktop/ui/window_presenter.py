"""Brings the window to life: which thread is open, and what the parts of the window and the services do together."""

import dataclasses

from PySide6.QtCore import QObject, Signal

from desktop.agent.events import ErrorEvent
from desktop.agent.run import Run
from desktop.conversation.entities import Role, Thread
from desktop.core.errors import StorageError
from desktop.core.settings import Settings, Theme
from desktop.tools.entities import ServerStatus
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.error_words import words_of_exception
from desktop.ui.links import LinkOpener
from desktop.ui.main_window import MainWindow
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.sidebar.sidebar_presenter import SidebarPresenter
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.presenter import TranscriptPresenter
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.translations import Translations
from desktop.ui.window_state import WindowStateFile


class WindowPresenter(QObject):
    """The window as the app shell sees it. Everything returns at once; work goes through the task supervisor.

    The window may have been shown, and written into, before.
    """

    close_requested = Signal()

    def __init__(
        self,
        services: UiServices,
        theme: ThemeManager,
        translations: Translations,
        window: MainWindow,
        state_file: WindowStateFile,
    ) -> None:
        super().__init__()
        self._services = services
        self._theme = theme
        self._translations = translations
        self._state_file = state_file
        self._worker = Worker(services)
        self._thread_id: str | None = None
        self._last_deleted_open: str | None = None
        self._model_failed = False
        view = TranscriptView(theme)
        self.transcript = TranscriptPresenter(view, services)
        self.window = window
        window.set_transcript(view)
        self._links = LinkOpener(theme, self.window)
        self.sidebar = SidebarPresenter(self.window.sidebar, self.window.toast, services, self)
        self.composer = ComposerPresenter(self.window.composer, services, self)
        self._connect_window()
        self._connect_services()
        # Theme and language were given to us by the shell: an option of this start may differ from the settings.
        self._appearance = services.settings.settings.appearance
        self._tick_appearance()
        self._show_model()
        self._show_servers()

    # -- what the app shell calls

    @property
    def thread_id(self) -> str | None:
        """The thread that is open; None in a new chat."""
        return self._thread_id

    def show(self) -> None:
        """Show the window as a new chat and load the list of threads."""
        self.window.show()
        self.window.composer.focus_text()
        self._worker.start(self.sidebar.load(), "load threads")

    async def open_thread(self, thread_id: str | None, message_id: str = "") -> None:
        """Open a thread, or with None a new chat; ``message_id`` is brought into view."""
        self._switch(thread_id)
        await self._open(thread_id, message_id)

    def raise_window(self) -> None:
        self.window.bring_to_front()

    def show_error(self, error: BaseException) -> None:
        """Show an error as a notice; the same one once while it stands there."""
        words = words_of_exception(error)
        self.show_notice(words.title, words.detail)

    def show_notice(self, title: str, detail: str, *, is_error: bool = True) -> None:
        self.window.notices.show_notice(title, detail, is_error=is_error)

    def set_waiting(self, thread_id: str, waiting: bool) -> None:
        """Mark in the sidebar that a thread waits for an answer in a dialog."""
        self.sidebar.set_waiting(thread_id, waiting)

    async def flush_drafts(self) -> None:
        """Write what the composer holds to disk, and the window's place; for the end of the program."""
        self._state_file.save(self.window.state())
        await self.composer.flush()

    # -- connections

    def _connect_window(self) -> None:
        window = self.window
        window.close_requested.connect(self.close_requested)
        window.undo_requested.connect(window.toast.act)
        window.activated.connect(window.sidebar.model.regroup)
        window.sidebar.new_chat_requested.connect(self._new_chat)
        window.header.new_chat_requested.connect(self._new_chat)
        window.header.rename_requested.connect(self._rename)
        window.sidebar.footer.theme_chosen.connect(self._choose_theme)
        window.sidebar.footer.language_chosen.connect(self._choose_language)
        self.sidebar.open_requested.connect(self._open_chosen)
        self.sidebar.restored.connect(self._restored)
        self.composer.thread_started.connect(self._thread_started)
        view = window.transcript
        view.example_requested.connect(self.composer.put_text)
        view.retry_requested.connect(self._retry)
        view.link_activated.connect(self._links.ask)
        self._translations.changed.connect(self._language_changed)

    def _connect_services(self) -> None:
        services = self._services
        services.conversations.thread_changed.connect(self._thread_changed)
        services.conversations.thread_removed.connect(self._thread_removed)
        services.chat.run_ended.connect(self._run_ended)
        services.gateway.status_changed.connect(self._server_changed)
        services.settings.changed.connect(self._show_settings)

    # -- threads

    def _go_to(self, thread_id: str | None, message_id: str = "") -> None:
        self._switch(thread_id)
        self._worker.start(self._open(thread_id, message_id), "open thread")

    def _switch(self, thread_id: str | None) -> None:
        """Everything that needs no waiting."""
        if self._thread_id is not None:
            self.sidebar.forget_failure(self._thread_id)  # its notice was on the screen
        self._thread_id = thread_id
        self.composer.switch(thread_id)
        if thread_id is not None:
            self.sidebar.forget_failure(thread_id)
        self.window.sidebar.select_thread(thread_id)
        self._show_title(self.window.sidebar.model.get(thread_id) if thread_id else None)

    async def _open(self, thread_id: str | None, message_id: str) -> None:
        if thread_id is not None:
            thread = await self.sidebar.ensure_loaded(thread_id)
            if thread_id != self._thread_id:
                return
            if thread is None:
                self._report_missing(thread_id)
                return
            self.window.sidebar.select_thread(thread_id)
            self._show_title(thread)
        await self.transcript.open_thread(thread_id, message_id=message_id or None)

    def _report_missing(self, thread_id: str) -> None:
        self._go_to(None)
        self._services.report_error(StorageError("storage.thread_missing", thread_id=thread_id))

    def _open_chosen(self, thread_id: str, message_id: str) -> None:
        if thread_id != self._thread_id or message_id:
            self._go_to(thread_id, message_id)

    def _new_chat(self) -> None:
        self.window.sidebar.show_main_page()
        self._go_to(None)
        self.window.composer.focus_text()

    def _thread_started(self, thread_id: str) -> None:
        if self._thread_id is None:
            self._thread_id = thread_id
            self.window.sidebar.select_thread(thread_id)
            self._show_title(self.window.sidebar.model.get(thread_id))
            self._worker.start(self._open(thread_id, ""), "open thread")

    def _thread_changed(self, thread: Thread) -> None:
        if thread.id == self._thread_id:
            self._show_title(thread)

    def _thread_removed(self, thread_id: str) -> None:
        if thread_id == self._thread_id:
            self._last_deleted_open = thread_id
            self._go_to(None)

    def _restored(self, thread_ids: list[str]) -> None:
        """Undo brings back what was on the screen, unless the user has gone elsewhere."""
        if self._last_deleted_open in thread_ids and self._thread_id is None:
            self._go_to(self._last_deleted_open)
        self._last_deleted_open = None

    def _rename(self, title: str) -> None:
        if self._thread_id is not None:
            self.sidebar.rename(self._thread_id, title)

    def _show_title(self, thread: Thread | None) -> None:
        self.window.header.set_title(thread.title if thread else "", has_thread=thread is not None)

    def _retry(self) -> None:
        if self._thread_id is not None:
            self._worker.start(self._send_again(self._thread_id), "send again")

    async def _send_again(self, thread_id: str) -> None:
        """Send the newest message of the user once more; the failed answer stays in the record."""
        path = await self._services.repository.path(thread_id, last=2)
        for message in reversed(path):
            if message.role is Role.USER:
                await self._services.chat.send(thread_id, message.text)
                return

    # -- model, servers, settings

    def _run_ended(self, run: Run) -> None:
        failed = isinstance(run.terminal, ErrorEvent) and run.terminal.code.startswith("model.")
        if failed != self._model_failed:
            self._model_failed = failed
            self._show_model()

    def _server_changed(self, status: ServerStatus) -> None:
        self._show_servers()

    def _show_servers(self) -> None:
        self.window.header.set_statuses(self._services.gateway.statuses())

    def _show_model(self) -> None:
        scripted = self._services.model_is_scripted()
        label = self.tr("Demo model") if scripted else self._services.model_label()
        self.window.header.set_model(label, scripted=scripted)
        self.window.sidebar.footer.set_model(label, failed=self._model_failed)

    def _show_settings(self, settings: Settings) -> None:
        if settings.appearance != self._appearance:
            self._appearance = settings.appearance
            self._translations.set_language(self._appearance.language)
            self._theme.set_theme(self._appearance.theme)
        self._tick_appearance()
        self._show_model()

    def _tick_appearance(self) -> None:
        self.window.sidebar.footer.set_appearance(self._appearance.theme, self._appearance.language)

    def _choose_theme(self, theme: Theme) -> None:
        self._change_appearance(theme=theme)

    def _choose_language(self, language: str) -> None:
        self._change_appearance(language=language)

    def _change_appearance(self, **changes: object) -> None:
        store = self._services.settings
        appearance = dataclasses.replace(store.settings.appearance, **changes)
        try:
            store.update(dataclasses.replace(store.settings, appearance=appearance))
        except OSError as error:
            self.show_error(
                StorageError("storage.unwritable", path=str(error.filename or ""), detail=error.strerror or "")
            )
            self._tick_appearance()

    def _language_changed(self) -> None:
        self._theme.set_language(self._translations.language)
        self._show_model()
