"""A real window on a real store: what GUI tests need to act as a user and to look at the services behind."""

import dataclasses
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.message_queue import MessageQueue
from desktop.agent.plan_desk import PlanDesk
from desktop.agent.removing import MessageRemoval
from desktop.agent.request_recorder import RequestRecorder
from desktop.agent.session_sharing import SessionSharing
from desktop.agent.tool_tests import ToolTests
from desktop.api.local_api import LocalApi
from desktop.api.services import ApiServices
from desktop.app.backup_merging import Library
from desktop.app.backups import Backups
from desktop.app.interchange_parts import make_interchange
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.attachments import Attachments
from desktop.conversation.entities import MessageStatus, TextPart, ThreadOptions
from desktop.conversation.list_service import ListService
from desktop.conversation.prompts.library import PromptLibrary
from desktop.conversation.search_service import SearchService
from desktop.conversation.service import ConversationService
from desktop.core.data_usage import DataUsage
from desktop.core.endpoint_book import EndpointBook
from desktop.core.endpoints import EndpointDirectory
from desktop.core.language_model import Usage
from desktop.core.model_facts import FactsInMemory
from desktop.core.paths import DataPaths, resources_folder
from desktop.core.secrets import SecretStore
from desktop.core.settings import EndpointSettings, SettingsStore, Theme
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.memory.ports import Embedder
from desktop.memory.service import MemoryService
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.store import Store, open_store
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    ElicitationAnswer,
    ElicitationRequest,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
)
from desktop.tools.pinned import ServerListing
from desktop.tools.pins import ToolPins
from desktop.tools.ports import ProgressListener
from desktop.tools.sandbox import NoSandbox, Sandbox
from desktop.tools.server_content import ServerContent
from desktop.tools.server_report import ServerReport
from desktop.tools.server_sampling import SamplingDecision, SamplingQuestion
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.service import ToolService
from desktop.ui.main_window import MainWindow
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations
from desktop.ui.window_presenter import WindowPresenter
from desktop.ui.window_state import WindowStateFile
from tests.support.document_service import document_service
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.in_memory_sessions import InMemorySessions
from tests.support.memory_service import memory_service
from tests.support.offers_on_paper import OffersOnPaper
from tests.support.programs_on_paper import ProgramsOnPaper
from tests.support.scripted_model import ScriptedModel, Step


class ServersOnPaper:
    """Implements ``ToolGateway`` for a window whose servers only have states; a call would be a mistake."""

    def __init__(self, *statuses: ServerStatus) -> None:
        self.status_changed = Signal[ServerStatus]()
        self.servers_changed: Signal[[]] = Signal()
        self.restarted: list[str] = []
        """What was asked to be started again."""
        self.asked: list[tuple[str, str]] = []
        """What was asked about signing in: what, and the server."""
        self.listed: dict[str, tuple[ToolDescriptor, ...]] = {}
        """What the servers list, by their ids. Whoever waits for servers gets none of it."""
        self._statuses = {status.server_id: status for status in statuses}

    def set_status(self, status: ServerStatus) -> None:
        self._statuses[status.server_id] = status
        self.status_changed.emit(status)

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        return ()

    def statuses(self) -> tuple[ServerStatus, ...]:
        return tuple(self._statuses.values())

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        return self.listed.get(server_id, ())

    def listing_of(self, server_id: str) -> ServerListing | None:
        return None

    def report(self, server_id: str) -> ServerReport | None:
        return None

    def sign_in(self, server_id: str) -> None:
        self.asked.append(("sign in", server_id))

    def cancel_sign_in(self, server_id: str) -> None:
        self.asked.append(("cancel", server_id))

    def sign_out(self, server_id: str) -> None:
        self.asked.append(("sign out", server_id))

    def restart(self, server_id: str) -> None:
        self.restarted.append(server_id)

    def accept_place(self, server_id: str) -> None:
        self.asked.append(("accept place", server_id))

    async def call(
        self, intent: CallIntent, *, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> ToolOutcome:
        raise AssertionError("no server of this test can be called")


class DataOnPaper:
    """Implements ``DataFolder`` for a presenter that has no folder on disk."""

    root = Path("nowhere")
    logs = root / "logs"
    engine = "paper"

    async def usage(self) -> DataUsage:
        return DataUsage(
            database_bytes=0, log_bytes=0, reserve_bytes=0, total_bytes=0, threads=0, messages=0, trashed=0
        )


class NoQuestions:
    """Implements ``UserPrompts`` for tests in which nothing is asked."""

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        raise AssertionError("nothing is asked in this test")

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        raise AssertionError("nothing is asked in this test")

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        raise AssertionError("nothing is asked in this test")


@dataclass
class WindowWorld:
    """The open window with everything behind it. ``errors`` are those that were reported."""

    presenter: WindowPresenter
    api: LocalApi
    store: Store
    conversations: ConversationService
    lists: ListService
    chat: ChatService
    queue: MessageQueue
    settings: SettingsStore
    book: EndpointBook
    theme: ThemeManager
    gateway: ServersOnPaper
    memory: MemoryService
    sessions: InMemorySessions
    model: ScriptedModel
    secrets: SecretStore
    backups: Backups
    library: Library
    programs: ProgramsOnPaper
    facts: FactsInMemory
    data_dir: Path
    errors: list[BaseException] = field(default_factory=list[BaseException])

    async def add_thread(self, text: str, *, title: str = "") -> str:
        """Store a thread with one question and its answer; returns its id."""
        thread = await self.store.threads.create_thread()
        turn = await self.store.threads.begin_turn(thread.id, text, model="scripted")
        await self.store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=f"Answer to: {text}")],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=1, output_tokens=1),
            duration_seconds=0.1,
        )
        await self.conversations.suggest_title(thread.id, title or text)
        return thread.id


@asynccontextmanager
async def window_world(
    app: QApplication,
    data_dir: Path,
    *steps: Step,
    statuses: tuple[ServerStatus, ...] = (),
    theme: Theme | None = None,
    prepare: Callable[[Store], Awaitable[None]] | None = None,
    given: EndpointSettings | None = None,
    welcomed: bool = True,
    secrets: SecretStore | None = None,
    directory: EndpointDirectory | None = None,
    programs: ProgramsOnPaper | None = None,
    content: ServerContent | None = None,
    sandbox: Sandbox | None = None,
    embedder: Embedder | None = None,
) -> AsyncGenerator[WindowWorld, None]:
    """Open a window on ``data_dir``; its model plays ``steps``. Everything is closed at the end."""
    paths = DataPaths(data_dir)
    store = await open_store(paths)
    if prepare is not None:
        await prepare(store)
    settings = SettingsStore(paths.settings)
    if welcomed and not settings.settings.welcomed:
        settings.update(dataclasses.replace(settings.settings, welcomed=True))
    appearance, locale = settings.settings.appearance, QLocale()
    translations = Translations(app, appearance.language, resources_folder() / "translations")
    manager = ThemeManager(app, dataclasses.replace(appearance, theme=theme or appearance.theme), translations.language)
    errors: list[BaseException] = []
    tasks = TaskSupervisor(lambda _name, error: errors.append(error))
    gateway = ServersOnPaper(*statuses)
    model = ScriptedModel(*steps)
    conversations = ConversationService(store.threads)
    lists = ListService(store.lists, conversations)
    attachments = Attachments(store.attachments, FileReaderProcess())
    tools = ToolService(
        gateway=gateway,
        prompts=NoQuestions(),
        journal=store.journal,
        grants=store.grants,
        taints=store.taints,
        workspace=lambda: str(data_dir),
        decider="user",
    )

    plans = PlanDesk()

    def agent_loop(_options: ThreadOptions) -> AgentLoop:
        return AgentLoop(
            model=model,
            repository=store.threads,
            tools=tools,
            system_prompt=lambda: "",
            step_limit=5,
            images=attachments.images_for,
            recorder=RequestRecorder(store.requests, tasks),
            plans=plans,
        )

    chat = ChatService(conversations=conversations, repository=store.threads, loop=agent_loop, tasks=tasks)
    sessions = InMemorySessions()
    sharing = SessionSharing(
        sessions,
        ledger=store.sessions,
        repository=store.threads,
        taints=store.taints,
        settings=lambda: settings.settings.sessions,
        tasks=tasks,
    )
    chat.run_ended.connect(sharing.turn_ended)
    queue = MessageQueue(
        chat=chat, conversations=conversations, repository=store.threads, store=store.queue, tasks=tasks
    )

    keys = secrets or InMemorySecrets()
    programs = programs or ProgramsOnPaper()
    book = EndpointBook(settings, keys, tasks, given=given)

    def report(error: BaseException) -> None:
        errors.append(error)
        presenter.show_error(error)

    api = LocalApi(
        ApiServices(
            chat=chat,
            queue=queue,
            conversations=conversations,
            repository=store.threads,
            settings=settings,
            tasks=tasks,
        ),
        keys,
    )
    facts = FactsInMemory()
    memory = memory_service(store.memory, store.passages, tasks, embedder=embedder)
    prompts, assistants = PromptLibrary(store.prompts), AssistantLibrary(store.assistants)
    await assistants.load()
    documents = document_service(store.documents, memory.indexing, tasks, data_dir)
    library = Library(
        store=store,
        conversations=conversations,
        lists=lists,
        prompts=prompts,
        assistants=assistants,
        memory=memory,
        documents=documents,
    )
    backups = Backups(library=library, settings=settings, secrets=keys)
    state_file = WindowStateFile(data_dir / "window.json")
    presenter = WindowPresenter(
        UiServices(
            api=api,
            conversations=conversations,
            lists=lists,
            chat=chat,
            plans=plans,
            queue=queue,
            places=store.places,
            attachments=attachments,
            assistants=assistants,
            prompts=prompts,
            repository=store.threads,
            search=SearchService(store.search, store.lists.folders),
            titles=store.titles,
            gateway=gateway,
            pins=ToolPins(gateway, store.pins, tasks),
            tool_tests=ToolTests(store.threads, lambda: tools),
            sign_ins=gateway,
            servers=ConfiguredServers(
                source=str(paths.settings), environment=os.environ, workspace=lambda _settings: data_dir
            ),
            grants=store.grants,
            ledger=store.ledger,
            taints=store.taints,
            workspace=lambda: str(data_dir),
            interchange=partial(make_interchange, store, conversations),
            memory=memory,
            sessions=sharing,
            documents=documents,
            requests=store.requests,
            removing=MessageRemoval(
                store=store.removals,
                chat=chat,
                conversations=conversations,
                repository=store.threads,
                memory=memory,
            ),
            settings=settings,
            backups=backups,
            data=store.data,
            endpoints=directory or DirectoryOnPaper(),
            tasks=tasks,
            secrets=keys,
            server_secrets=ServerSecrets(settings, keys, tasks),
            programs=programs,
            endpoint_book=book,
            facts=facts,
            listed_tools=lambda mode, thread_id: tools.listed(mode, thread_id=thread_id),
            content=content or OffersOnPaper(),
            sandbox=sandbox or NoSandbox(),
            note_foreign_text=tools.note_foreign_text,
            report_error=report,
        ),
        manager,
        translations,
        MainWindow(manager, state_file.load()),
        state_file,
    )
    if not settings.settings.welcomed:
        presenter.models.show_first_start(translations.languages, translations.language)
    presenter.show()
    await presenter.open_thread(None)
    try:
        yield WindowWorld(
            presenter=presenter,
            api=api,
            store=store,
            conversations=conversations,
            lists=lists,
            chat=chat,
            queue=queue,
            settings=settings,
            book=book,
            theme=manager,
            gateway=gateway,
            memory=memory,
            sessions=sessions,
            model=model,
            secrets=keys,
            backups=backups,
            library=library,
            programs=programs,
            facts=facts,
            data_dir=data_dir,
            errors=errors,
        )
    finally:
        presenter.window.hide()
        await api.close()
        await queue.close()
        await chat.close()
        await presenter.flush_drafts()
        await documents.close()
        await memory.indexing.close()
        await tasks.close()
        await book.close()
        await store.close()
        for thing in (presenter.window, presenter, manager, translations):
            thing.deleteLater()
        QLocale.setDefault(locale)  # the next test writes dates and numbers as if there had been none before
