"""The window's life after the first paint: the core is opened behind it, and everything ends in order at any moment."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication

from desktop.app.error_reporter import ErrorReporter
from desktop.app.options import WindowCommand
from desktop.app.start import FirstWindow
from desktop.core.errors import StorageError
from desktop.core.imports import import_quietly
from desktop.core.paths import DataPaths
from desktop.core.start_request import NOTHING, StartRequest
from desktop.core.tasks import TaskSupervisor
from desktop.storage.formula_process import FormulaProcess

if TYPE_CHECKING:
    from desktop.agent.run import Run
    from desktop.api.local_api import LocalApi
    from desktop.app.container import Container
    from desktop.app.raise_server import RaiseServer
    from desktop.ui.dialogs.dialog_prompts import DialogPrompts
    from desktop.ui.window_presenter import WindowPresenter

ARMING_DELAY_MS = 700
"""How long a dialog stands still before it can allow anything."""

BEHIND_THE_WINDOW = ("desktop.ui.transcript.view", "desktop.ui.dialogs.dialog_prompts", "desktop.ui.window_presenter")
"""What needs Qt, but not for the first paint."""

logger = logging.getLogger(__name__)


class WindowSession:
    """One open window and the core behind it. Tests and the smoke test start it on a loop of their own.

    The window is ``first``, which may be on the screen already, or made by ``open``. What stands below is there when
    ``open`` has returned.
    """

    container: "Container"
    api: "LocalApi"
    prompts: "DialogPrompts"
    presenter: "WindowPresenter"

    def __init__(
        self,
        app: QApplication,
        command: WindowCommand,
        reporter: ErrorReporter,
        *,
        first: FirstWindow | None = None,
        arming_delay_ms: int = ARMING_DELAY_MS,
        after_crash: bool = False,
    ) -> None:
        self._after_crash = after_crash
        self.wants_restart = False
        """The program is to start once more when this session has ended."""
        self._app = app
        self._command = command
        self._paths = DataPaths(command.launch.data_dir)
        self._reporter = reporter
        self._closing = asyncio.Event()
        self._arming_delay_ms = arming_delay_ms
        self._formulas = FormulaProcess()
        self._raise_server: RaiseServer | None = None
        self._is_ready = False
        self._expects_message = False
        self._first = first or FirstWindow(app, command)
        self._first.window.close_requested.connect(self.ask_to_close)
        if self._first.was_closed:
            self.ask_to_close()

    async def run(self) -> None:
        """Open, wait until the user closes the window, and end. Raises ``StorageError`` and ``SettingsError``."""
        with _signals(self.ask_to_close):
            await self.open()
            try:
                await self._closing.wait()
            finally:
                await self.close()

    def restart(self) -> None:
        """End the session, and have the program started again."""
        self.wants_restart = True
        self.ask_to_close()

    def ask_to_close(self) -> None:
        """End the session soon; harmless when it ends already."""
        self._closing.set()

    async def open(self) -> None:
        """Open the store behind the window and fill the window. When that fails, the window is gone.

        Servers and SDKs are left for later, see ``_get_ready``: whoever only reads does not pay for them.
        """
        try:
            await self._import_parts()
            await self._open_core()
        except BaseException:
            self._leave_window()
            raise
        self.presenter.work_expected.connect(self._get_ready)
        self._first.window.composer.text_edited.connect(self._expect_message)
        self.container.chat.run_started.connect(self._run_started)
        self.container.tasks.spawn(self.presenter.transcript.warm_up(), name="warm up the transcript")
        self.container.tasks.spawn(self._listen(), name="listen for a second start")
        self.container.tasks.spawn(self.container.memory.finish_forgetting(), name="finish forgetting")
        self.container.sessions.sharing.clear_soon()
        self._backup_work.start()
        self.container.tasks.spawn(self._start_api(), name="start the local API")
        self.container.endpoint_book.forget_left_over()
        self.container.server_secrets.forget_unused()
        if self._first.window.composer.text:  # a draft, or typed before all this was there
            self._expect_message()

    async def _start_api(self) -> None:
        await self.api.follow()
        if (error := self.api.status.error) is not None:
            self._reporter.report(error)

    async def _listen(self) -> None:
        """Let a second start raise the window. It is patient, so this can wait until the window is of use."""
        from desktop.app.raise_server import RaiseServer  # and with it Qt's network module

        self._raise_server = RaiseServer(self._paths.root, self._asked_by_second_start)

    def _asked_by_second_start(self, request: StartRequest) -> None:
        self._first.window.bring_to_front()
        self.presenter.features.opening.act(request)

    def _do_what_this_start_asks(self) -> None:
        """The chat that ``--thread`` names is open by now; one that a link names may be gone, which ends no start."""
        request = self._command.request
        if request.thread == self._command.launch.thread:
            request = replace(request, thread="")
        if request != NOTHING:
            self.presenter.features.opening.act(request)

    async def _import_parts(self) -> None:
        """Without holding up the window: what has nothing of Qt in a thread, the rest in small steps."""
        await asyncio.to_thread(import_quietly, "desktop.app.container")
        for name in BEHIND_THE_WINDOW:
            import_module(name)
            await asyncio.sleep(0)

    async def _open_core(self) -> None:
        from desktop.app.container import open_container
        from desktop.ui.dialogs.dialog_prompts import DialogPrompts

        first = self._first
        self.prompts = DialogPrompts(lambda: first.window, first.theme, self._arming_delay_ms)
        tasks = TaskSupervisor(self._reporter.report_task)
        self.container = await open_container(
            self._command.launch, self.prompts, tasks, settings=first.settings, pages=self.prompts
        )
        try:
            thread_id = await self._first_thread()
            self._present()
            if await self._is_first_start():
                self.presenter.models.show_first_start(first.translations.languages, first.translations.language)
            else:
                first.window.close_page()
            await self.presenter.open_thread(thread_id)
            first.window.early_requests.replay()
            self._do_what_this_start_asks()
        except BaseException:
            await self.container.close()
            raise

    def _present(self) -> None:
        from desktop.agent.removing import MessageRemoval
        from desktop.app.api_parts import make_local_api
        from desktop.app.backup_parts import BackupWork
        from desktop.app.interchange_parts import make_interchange
        from desktop.conversation.prompts.library import PromptLibrary
        from desktop.conversation.search_service import SearchService
        from desktop.mcp_client.server_content import McpContent
        from desktop.providers.remote_pictures import WebPictures
        from desktop.storage.file_reader import FileReaderProcess
        from desktop.ui.services import UiServices
        from desktop.ui.window_presenter import WindowPresenter

        container, first = self.container, self._first
        prompts = PromptLibrary(container.store.prompts)
        self._backup_work = BackupWork(container, prompts, after_crash=self._after_crash)
        self.api = make_local_api(container)
        services = UiServices(
            api=self.api,
            backups=self._backup_work.backups,
            restart=self.restart,
            conversations=container.conversations,
            lists=container.lists,
            chat=container.chat,
            plans=container.plan_desk,
            queue=container.queue,
            places=container.store.places,
            attachments=container.attachments,
            assistants=container.assistants,
            prompts=prompts,
            repository=container.store.threads,
            search=SearchService(container.store.search, container.store.lists.folders),
            titles=container.store.titles,
            gateway=container.gateway,
            pins=container.pins,
            tool_tests=container.tool_tests,
            sign_ins=container.gateway,
            servers=container.servers,
            grants=container.store.grants,
            ledger=container.store.ledger,
            taints=container.store.taints,
            workspace=container.workspace,
            sandbox=container.sandbox,
            formulas=self._formulas,
            pictures=WebPictures(FileReaderProcess()),
            interchange=partial(
                make_interchange, container.store, container.conversations, container.memory.service.indexing.wake
            ),
            settings=container.settings,
            data=container.store.data,
            endpoints=container.endpoints,
            tasks=container.tasks,
            secrets=container.secrets,
            server_secrets=container.server_secrets,
            programs=container.programs,
            endpoint_book=container.endpoint_book,
            facts=container.facts,
            listed_tools=lambda mode, thread_id: container.tools.listed(mode, thread_id=thread_id),
            content=McpContent(container.gateway),
            note_foreign_text=lambda chat, cause, detail: container.tools.note_foreign_text(chat, cause, detail),
            report_error=self._reporter.report,
            memory=container.memory.service,
            sessions=container.sessions.sharing,
            documents=container.memory.documents,
            requests=container.store.requests,
            removing=MessageRemoval(
                store=container.store.removals,
                chat=container.chat,
                conversations=container.conversations,
                repository=container.store.threads,
                memory=container.memory.service,
            ),
            summarizer=container.summarizer,
        )
        self.presenter = WindowPresenter(services, first.theme, first.translations, first.window, first.state_file)
        self.prompts.title_of = first.window.sidebar.model.title_of
        self.prompts.waiting_changed.connect(self.presenter.set_waiting)
        self.prompts.server_asks.connect(self.presenter.transcript.set_server_asks)
        self.presenter.models.model_changed.connect(self._warm_up_model)
        self.presenter.show()
        self._reporter.show_with(self.presenter.show_error)
        container.problem_found.connect(self._reporter.report)
        for notice in container.notices():
            self.presenter.show_error(notice)

    async def _is_first_start(self) -> bool:
        """Nobody was chosen to answer, and nobody has written anything yet."""
        if self.container.settings.settings.welcomed or self._command.launch.endpoint is not None:
            return False
        return await self.container.conversations.last_thread() is None

    def _get_ready(self) -> None:
        """Start the servers and import what the first answer will need, while its question is written."""
        if not self._is_ready:
            self._is_ready = True
            self.container.gateway.start()
            self.container.memory.start()
            self.container.memory_writer.start()
            self.container.sessions.sharing.warm_up()
            self._warm_up_model()

    def _expect_message(self) -> None:
        """Somebody writes, and not only looks at the servers or the settings."""
        self._backup_work.note_activity()
        self._get_ready()
        if not self._expects_message:
            self._expects_message = True
            self.container.tasks.spawn(self.container.memory.service.indexing.warm_up(), name="warm up memory")

    def _run_started(self, _run: "Run") -> None:
        self._get_ready()  # where nothing was written: a second try, an example

    def _warm_up_model(self) -> None:
        if self._is_ready:
            self.container.tasks.spawn(self.container.warm_up(), name="warm up the model")

    async def close(self) -> None:
        """Refuse open questions, keep drafts, stop everything, close the store; the window is gone afterwards."""
        self._closing.set()
        self._first.window.hide()
        self.prompts.close()
        try:
            await self.presenter.flush_drafts()
        except StorageError:
            logger.exception("the draft could not be kept")
        await self.api.close()
        await self.container.close()
        await self._formulas.close()
        self._leave_window()

    def _leave_window(self) -> None:
        if self._raise_server is not None:
            self._raise_server.close()
        self._first.discard()

    async def _first_thread(self) -> str | None:
        """The thread that the command line names; without one the app goes on where the user left it."""
        wanted = self._command.launch.thread
        if wanted == "new" or (not wanted and await self._has_new_chat_begun()):
            return None
        if wanted in ("", "last"):
            last = await self.container.conversations.last_thread()
            return last.id if last else None
        thread = await self.container.conversations.get_thread(wanted)
        if thread is None or thread.deleted_at is not None:
            raise StorageError("storage.thread_missing", thread_id=wanted)
        return thread.id

    async def _has_new_chat_begun(self) -> bool:
        """Something was written for a chat that does not exist yet: nobody should have to look for it."""
        conversations = self.container.conversations
        draft, options = await conversations.load_draft(""), await conversations.load_new_thread_options()
        files = await self.container.attachments.load_draft("")
        return bool(draft.strip() or files) or options.system_prompt is not None


@contextmanager
def _signals(ask_to_close: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM close the window in order; Python's handlers alone would wait for the next Qt event."""
    reader, writer = socket.socketpair()
    for end in (reader, writer):
        end.setblocking(False)
    old_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    old_handlers = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    def woken() -> None:
        numbers = reader.recv(64)
        if any(number in old_handlers for number in numbers):
            ask_to_close()

    notifier.activated.connect(woken)
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(old_fd)
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
        reader.close()
        writer.close()
