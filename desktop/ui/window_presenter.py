"""Brings the window to life: which thread is open, and what the parts of the window and the services do together."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.agent.run import Run
from desktop.conversation.entities import Thread
from desktop.core.errors import StorageError
from desktop.ui.answers_presenter import AnswersPresenter
from desktop.ui.appearance_presenter import AppearancePresenter
from desktop.ui.branches.presenter import BranchesPresenter
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.composer.context_presenter import ContextPresenter
from desktop.ui.composer.mode_presenter import ModePresenter
from desktop.ui.composer.offer_presenter import OfferPresenter
from desktop.ui.controls import Words
from desktop.ui.foreign_text_presenter import ForeignTextPresenter
from desktop.ui.inspector.presenter import InspectorPresenter
from desktop.ui.interchange.opener import InterchangeOpener
from desktop.ui.kept_files import KeptFiles
from desktop.ui.key_notices import KeyNotices
from desktop.ui.links import LinkOpener
from desktop.ui.main_window import MainWindow
from desktop.ui.memory.presenter import MemoryPresenter
from desktop.ui.model_presenter import ModelPresenter
from desktop.ui.notice_actions import Action
from desktop.ui.notice_presenter import NoticePresenter
from desktop.ui.notices import NoticeArea
from desktop.ui.pin_notices import PinNotices
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.settings.opener import SettingsOpener
from desktop.ui.sidebar.sidebar_presenter import SidebarPresenter
from desktop.ui.sign_in_presenter import SignInPresenter
from desktop.ui.system_notices import SystemNotices
from desktop.ui.temporary_chats import TemporaryChats
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.thread_options_presenter import ThreadOptionsPresenter
from desktop.ui.transcript.presenter import TranscriptPresenter
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.translations import Translations
from desktop.ui.window_features import WindowFeatures
from desktop.ui.window_state import WindowStateFile

if TYPE_CHECKING:
    from desktop.ui.settings.window import SettingsWindow


class WindowPresenter(QObject):
    """The window as the app shell sees it. Everything returns at once; work goes through the task supervisor.

    The window may have been shown, and written into, before.

    ``work_expected`` comes when the user begins to write or looks at the servers: what an answer needs is wanted now.
    """

    close_requested = Signal()
    work_expected = Signal()

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
        view = TranscriptView(theme)
        self.transcript = TranscriptPresenter(view, services)
        self.window = window
        window.set_transcript(view)
        self._links = LinkOpener(theme, self.window)
        self._kept_files = KeptFiles(services, window.toast, window)
        self.inspector = InspectorPresenter(window, services, theme, lambda: self._thread_id, self)
        self.memory = MemoryPresenter(window, services, theme, lambda: self._thread_id, self)
        self.forgetting = self.memory.forgetting
        self.sidebar = SidebarPresenter(self.window.sidebar, self.window.toast, services, self)
        self.interchange = InterchangeOpener(window, services, theme)
        self.options = ThreadOptionsPresenter(self.window.header, services, self)
        self.composer = ComposerPresenter(window.composer, services, self, options_of_new_chat=self.options.of_new_chat)
        self.context = ContextPresenter(window.composer, self.composer, self.options, services, self)
        self.offers = OfferPresenter(window.composer, self.composer, services, theme, self)
        self.temporary = TemporaryChats(window, services, self)
        self.foreign_text = ForeignTextPresenter(window.header.foreign_text, services, self)
        self.modes = ModePresenter(window.composer, self.options, services, theme, self)
        self.notices = NoticePresenter(
            self.window.notices,
            services,
            open_settings=lambda page: self.open_settings(page),
            new_chat=self._new_chat,
            enter_key=lambda endpoint_id: self.models.enter_key(endpoint_id),
            parent=self,
        )
        title_of = window.sidebar.model.title_of
        self.system_notices = SystemNotices(self.window, services.settings, title_of, self._worker, self)
        self._settings = SettingsOpener(services, theme, translations, window, state_file.load())
        self._settings.current_thread = lambda: self._thread_id
        self._pin_notices = PinNotices(services, window.notices, self._show_tool_changes, self)
        self._key_notices = KeyNotices(services, self._area_in_sight, self)
        self._sign_ins = SignInPresenter(window.header, services, self._area_in_sight, self)
        self.models = ModelPresenter(window, services, theme, self._links.ask, self.open_settings, self.options, self)
        self.answers = AnswersPresenter(window, services, theme, self.transcript, self.models, self._connect_view, self)
        self.branches = BranchesPresenter(window, services, theme, self.composer, self)
        self._appearance = AppearancePresenter(window, theme, translations, services, self.show_error, self)
        self._connect_window()
        self._connect_services()
        self.features = WindowFeatures(self, services, theme, translations, state_file)
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
        self.notices.show_error(error)

    def show_notice(self, title: Words, detail: Words, *, is_error: bool = True) -> None:
        self.window.notices.show_notice(title, detail, is_error=is_error)

    def open_settings(self, page_key: str = "") -> None:
        """Open the settings window, with a page's key (see ``settings/catalogue.py``) at that page."""
        self.work_expected.emit()
        self._settings.open(page_key)

    def _show_tool_changes(self, server_id: str) -> None:
        from desktop.ui.settings.servers_page import ServersPage

        self.open_settings("servers")
        page = self.settings_window.page("servers") if self.settings_window is not None else None
        if isinstance(page, ServersPage):
            page.changes_of_wanted.emit(server_id)

    @property
    def settings_window(self) -> "SettingsWindow | None":
        """The settings window, once it was opened."""
        return self._settings.window

    def _area_in_sight(self) -> NoticeArea:
        settings = self.settings_window
        return settings.notices if settings is not None and settings.isVisible() else self.window.notices

    def set_waiting(self, thread_id: str, waiting: bool) -> None:
        """Mark in the sidebar that a thread waits for an answer in a dialog."""
        if not thread_id:
            return  # it belongs to none
        self.sidebar.set_waiting(thread_id, waiting)
        self.system_notices.set_waiting(thread_id, waiting)

    async def flush_drafts(self) -> None:
        """Write what the composer holds to disk, and the window's place; for the end of the program."""
        self._state_file.save(self._settings.remember_in(self.window.state()))
        self.models.close()
        self.sidebar.search.close()
        self.context.close()
        self.system_notices.close()
        await self.features.removing.finish()
        await self.memory.finish()  # before the offers to take something back are gone
        self._settings.finish()
        await self.composer.flush()
        await self.transcript.places.flush()

    # -- connections

    def _connect_window(self) -> None:
        window = self.window
        window.early_requests.end()
        window.close_requested.connect(self.close_requested)
        window.undo_requested.connect(window.toast.act)
        window.activated.connect(window.sidebar.model.regroup)
        window.activated.connect(self.system_notices.window_activated)
        self.inspector.place_wanted.connect(self._open_chosen)
        self.branches.place_wanted.connect(self._open_chosen)
        window.composer.key_use_requested.connect(lambda key: self.models.use_key(key))
        self.system_notices.chosen.connect(self._open_from_outside)
        self._settings.thread_requested.connect(self._open_from_outside)
        self._settings.memory_requested.connect(self.raise_window)
        self._settings.memory_requested.connect(self._open_memory)
        self._settings.receipt_left.connect(self.memory.receipts.offer)
        window.composer.text_edited.connect(self.work_expected)
        window.header.servers_shown.connect(self.work_expected)
        window.header.servers_managed.connect(lambda: self.open_settings("servers"))
        window.header.server_restart_requested.connect(self._services.gateway.restart)
        window.sidebar.new_chat_requested.connect(self._new_chat)
        window.header.new_chat_requested.connect(self._new_chat)
        window.sidebar.temporary_chat_requested.connect(self._new_temporary_chat)
        window.header.rename_requested.connect(self._rename)
        window.settings_requested.connect(self.open_settings)
        window.sidebar.footer.settings_requested.connect(self.open_settings)
        window.sidebar.footer.memory_requested.connect(self._open_memory)
        self.transcript.memories.edit_requested.connect(self.memory.edit)
        self.transcript.memories.undone.connect(lambda: window.toast.tell(lambda: self.tr("This is not remembered.")))
        self.memory.left.connect(self._show_chat)
        self.memory.message_wanted.connect(self._open_chosen)
        self.memory.recalled.choice_wanted.connect(self.options.open)
        self.memory.settings_wanted.connect(lambda: self.open_settings("memory"))
        window.sidebar.footer.shortcuts_requested.connect(window.show_shortcuts)
        window.sidebar.footer.about_requested.connect(lambda: self.open_settings("about"))
        self.sidebar.open_requested.connect(self._open_chosen)
        self.interchange.serve(window.sidebar)
        self.interchange.chat_wanted.connect(self._open_from_outside)
        self.sidebar.restored.connect(self._restored)
        self.sidebar.purged.connect(self.memory.receipts.show)
        self.composer.thread_started.connect(self._thread_started)
        self.composer.knowledge.list_requested.connect(lambda: self.open_settings("documents"))
        self.composer.thread_started.connect(self.options.new_chat_began)
        window.transcript.example_requested.connect(self.composer.put_text)
        self._connect_view(window.transcript)
        self.models.model_changed.connect(self.context.count_soon)
        self.models.language_chosen.connect(self._appearance.choose_language)
        self._translations.changed.connect(self._language_changed)

    def _connect_view(self, view: TranscriptView) -> None:
        """What every transcript of the window has, also those of answers side by side."""
        view.error_action_requested.connect(lambda action, params: self.notices.perform(Action(action), params))
        view.link_activated.connect(self._links.ask)
        self._kept_files.connect_view(view)
        self.inspector.connect_view(view)
        self.memory.recalled.connect_view(view)

    def _connect_services(self) -> None:
        services = self._services
        services.conversations.thread_changed.connect(self._thread_changed)
        services.conversations.thread_removed.connect(self._thread_removed)
        services.conversations.many_changed.connect(self._more_came)
        services.chat.run_ended.connect(self._run_ended)
        services.gateway.status_changed.connect(lambda _: self._show_servers())
        services.gateway.servers_changed.connect(self._show_servers)

    # -- threads

    def _go_to(self, thread_id: str | None, message_id: str = "") -> None:
        if thread_id != self._thread_id and self.temporary.must_ask:
            self._worker.start(self._go_when_agreed(thread_id, message_id), "leave a temporary chat")
        else:
            self._go_at_once(thread_id, message_id)

    async def _go_when_agreed(self, thread_id: str | None, message_id: str) -> None:
        if await self.temporary.may_leave():
            self._go_at_once(thread_id, message_id)
        else:
            self.window.sidebar.select_thread(self._thread_id)

    def _go_at_once(self, thread_id: str | None, message_id: str = "") -> None:
        self._switch(thread_id)
        self._worker.start(self._open(thread_id, message_id), "open thread")

    def _switch(self, thread_id: str | None) -> None:
        """Everything that needs no waiting."""
        if self._thread_id is not None:
            self.sidebar.forget_failure(self._thread_id)  # its notice was on the screen
        if thread_id != self._thread_id:
            self.temporary.left(self._thread_id)
        self._thread_id = thread_id
        self.memory.close()
        self.answers.leave()
        self.composer.switch(thread_id)
        self.foreign_text.show_thread(thread_id)
        self.sidebar.opened(thread_id)
        self.window.sidebar.select_thread(thread_id)
        self._show_title(self.window.sidebar.model.get(thread_id) if thread_id else None)

    async def _open(self, thread_id: str | None, message_id: str) -> None:
        thread = None if thread_id is None else await self.sidebar.ensure_loaded(thread_id)
        if thread_id != self._thread_id:
            return  # another one was opened meanwhile
        if thread_id is not None:
            if thread is None:
                self._report_missing(thread_id)
                return
            self.window.sidebar.select_thread(thread_id)
            self._show_title(thread)
        await self.transcript.open_thread(thread_id, message_id=message_id or None)

    def _open_from_outside(self, thread_id: str) -> None:
        """A notification of the system or a chat named in the settings was clicked."""
        self.raise_window()
        self._open_chosen(thread_id, "")

    def _report_missing(self, thread_id: str) -> None:
        self._go_at_once(None)
        self._services.report_error(StorageError("storage.thread_missing", thread_id=thread_id))

    def _open_chosen(self, thread_id: str, message_id: str) -> None:
        if thread_id != self._thread_id or message_id or self.memory.is_open:
            self._go_to(thread_id, message_id)

    def _open_memory(self) -> None:
        if self.models.is_first_start:
            return  # that page stands in its place, and nothing was said yet
        self.answers.leave()
        self.window.sidebar.select_thread(None)
        self.memory.open()

    def _show_chat(self) -> None:
        self._go_at_once(self._thread_id)
        self.window.composer.focus_text()

    def _new_chat(self) -> None:
        self.window.sidebar.show_main_page()
        self._go_to(None)
        self.window.composer.focus_text()

    def _new_temporary_chat(self) -> None:
        self.window.sidebar.show_main_page()
        if not self.temporary.is_empty_open:
            self._worker.start(self._begin_temporary_chat(), "begin a temporary chat")
        self.window.composer.focus_text()

    async def _begin_temporary_chat(self) -> None:
        if await self.temporary.may_leave():
            thread = await self._services.chat.begin_temporary()
            self._go_at_once(thread.id)
            self._show_title(thread)
            self.window.composer.focus_text()

    def _thread_started(self, thread_id: str) -> None:
        if self._thread_id is None:
            self._thread_id = thread_id
            self.foreign_text.show_thread(thread_id)
            self.sidebar.opened(thread_id, has_begun=True)
            self.window.sidebar.select_thread(thread_id)
            self._show_title(self.window.sidebar.model.get(thread_id))
            self._worker.start(self._open(thread_id, ""), "open thread")

    def _thread_changed(self, thread: Thread) -> None:
        if thread.id == self._thread_id:
            self._show_title(thread)

    def _thread_removed(self, thread_id: str) -> None:
        if thread_id == self._thread_id:
            self._last_deleted_open = thread_id
            self._go_at_once(None)

    def _more_came(self, thread_ids: frozenset[str]) -> None:
        """An import brought further messages."""
        if self._thread_id in thread_ids:
            self._go_at_once(self._thread_id)

    def _restored(self, thread_ids: list[str]) -> None:
        """Undo brings back what was on the screen, unless the user has gone elsewhere."""
        if self._last_deleted_open in thread_ids and self._thread_id is None:
            self._go_to(self._last_deleted_open)
        self._last_deleted_open = None

    def _rename(self, title: str) -> None:
        if self._thread_id is not None:
            self.sidebar.rename(self._thread_id, title)

    def _show_title(self, thread: Thread | None) -> None:
        title = self.temporary.show_thread(thread)
        self.window.header.set_title(title, has_thread=thread is not None)
        self.options.show_thread(thread, is_new=self._thread_id is None)
        self.branches.show_thread(thread)
        self.context.count_soon()

    # -- model, servers, settings

    def _run_ended(self, run: Run) -> None:
        goes_on = self._services.chat.runs_of(run.thread_id) or self._services.queue.goes_on_after(run)
        self.system_notices.run_ended(run, are_all=not goes_on)

    def _show_servers(self) -> None:
        self.window.header.set_statuses(self._services.gateway.statuses())

    def _language_changed(self) -> None:
        self._theme.set_language(self._translations.language)
        self.options.retranslate()
        self.models.show_language(self._translations.language)
