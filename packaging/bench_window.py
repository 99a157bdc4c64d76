"""A window with a transcript on a filled store, and the measurements that are made on it."""

import asyncio
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench_data import SteadyModel, summary
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.message_queue import MessageQueue
from desktop.agent.removing import MessageRemoval
from desktop.agent.run import Run
from desktop.agent.tool_tests import ToolTests
from desktop.app.memory_parts import MemoryParts
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.attachments import Attachments
from desktop.conversation.list_service import ListService
from desktop.conversation.prompts.library import PromptLibrary
from desktop.conversation.search_service import SearchService
from desktop.conversation.service import ConversationService
from desktop.core.endpoint_book import EndpointBook
from desktop.core.language_model import LanguageModel
from desktop.core.model_facts import FactsInMemory
from desktop.core.paths import DataPaths
from desktop.core.settings import SettingsStore, Theme
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.mcp_client.own_programs import OwnPrograms
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.mcp_client.server_content import McpContent
from desktop.providers.endpoint_check import Endpoints
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.keyring_secrets import KeyringSecrets
from desktop.storage.store import Store
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationRequest,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
)
from desktop.tools.pinned import ServerListing
from desktop.tools.pins import ToolPins
from desktop.tools.ports import ProgressListener
from desktop.tools.server_report import ServerReport
from desktop.tools.server_sampling import SamplingChoice, SamplingDecision, SamplingQuestion
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.service import ToolService
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.presenter import TranscriptPresenter
from desktop.ui.transcript.view import TranscriptView
from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, text


class NoTools:
    """A gateway without servers."""

    def __init__(self) -> None:
        self.status_changed = Signal[ServerStatus]()
        self.servers_changed: Signal[[]] = Signal()

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        return ()

    def statuses(self) -> tuple[ServerStatus, ...]:
        return ()

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        return ()

    def listing_of(self, server_id: str) -> ServerListing | None:
        return None

    def report(self, server_id: str) -> ServerReport | None:
        return None

    def restart(self, server_id: str) -> None:
        raise AssertionError("there are no servers")

    def accept_place(self, server_id: str) -> None:
        raise AssertionError("there are no servers")

    def sign_in(self, server_id: str) -> None:
        raise AssertionError("there are no servers")

    cancel_sign_in = sign_out = sign_in

    async def call(
        self, intent: CallIntent, *, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> ToolOutcome:
        raise AssertionError("there are no tools")


class RefuseAll:
    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return ApprovalAnswer(choice=Choice.REFUSE)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        return ElicitationAnswer(action=ElicitationAction.CANCEL)

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        return SamplingDecision(choice=SamplingChoice.REFUSE)


class PaintedWindow(QMainWindow):
    """Tells ``painted`` when it has drawn what was due."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: Callable[[], None] | None = None

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.UpdateRequest and self.painted is not None:
            self.painted()
        return done


class Bench:
    """A window with a transcript on a store, and the measurements."""

    def __init__(self, app: QApplication, store: Store, folder: Path) -> None:
        self.app = app
        self.store = store
        self.tasks = TaskSupervisor()
        conversations = ConversationService(store.threads)
        self.model: LanguageModel = SteadyModel(0)
        gateway = NoTools()
        tools = ToolService(
            gateway=gateway,
            prompts=RefuseAll(),
            journal=store.journal,
            grants=store.grants,
            taints=store.taints,
            workspace=lambda: str(folder),
            decider="headless",
        )
        self.chat = ChatService(
            conversations=conversations,
            repository=store.threads,
            loop=lambda _options: AgentLoop(
                model=self.model, repository=store.threads, tools=tools, system_prompt=lambda: "", step_limit=5
            ),
            tasks=self.tasks,
        )
        self.theme = ThemeManager(app, Theme.LIGHT, "en")
        self.window = PaintedWindow()
        self.view = TranscriptView(self.theme)
        self.window.setCentralWidget(self.view)
        self.window.resize(956, 860)
        settings, secrets = SettingsStore(folder / "settings.json"), KeyringSecrets(service="threadwell-bench")
        memory = MemoryParts(store, DataPaths(folder), self.tasks, settings, secrets)
        self.presenter = TranscriptPresenter(
            self.view,
            UiServices(
                conversations=conversations,
                lists=ListService(store.lists, conversations),
                chat=self.chat,
                queue=MessageQueue(
                    chat=self.chat,
                    conversations=conversations,
                    repository=store.threads,
                    store=store.queue,
                    tasks=self.tasks,
                ),
                places=store.places,
                attachments=Attachments(store.attachments, FileReaderProcess()),
                assistants=AssistantLibrary(store.assistants),
                prompts=PromptLibrary(store.prompts),
                repository=store.threads,
                titles=store.titles,
                memory=memory.service,
                documents=memory.documents,
                requests=store.requests,
                removing=MessageRemoval(
                    store=store.removals,
                    chat=self.chat,
                    conversations=conversations,
                    repository=store.threads,
                    memory=memory.service,
                ),
                search=SearchService(store.search, store.lists.folders),
                gateway=gateway,
                pins=ToolPins(gateway, store.pins, self.tasks),
                tool_tests=ToolTests(store.threads, lambda: tools),
                sign_ins=gateway,
                servers=ConfiguredServers(source="", environment={}, workspace=lambda _settings: folder),
                grants=store.grants,
                ledger=store.ledger,
                taints=store.taints,
                content=McpContent(McpGateway((), prompts=RefuseAll(), tasks=self.tasks)),
                note_foreign_text=tools.note_foreign_text,
                workspace=lambda: str(folder),
                settings=settings,
                data=store.data,
                endpoints=Endpoints(),
                facts=FactsInMemory(),
                listed_tools=lambda mode, thread_id: tools.listed(mode, thread_id=thread_id),
                tasks=self.tasks,
                secrets=secrets,
                server_secrets=ServerSecrets(settings, secrets, self.tasks),
                programs=OwnPrograms(folder / "programs", environment={}, tasks=self.tasks),
                endpoint_book=EndpointBook(settings, secrets, self.tasks),
                report_error=self._raise,
            ),
        )
        self._painted = (0.0, 0.0)
        self.presenter.opened.connect(self._paint)
        self.flush_ms: list[float] = []
        self.presenter.coalescer.flushed.connect(self.flush_ms.append)

    @staticmethod
    def _raise(error: BaseException) -> None:
        raise error

    async def open_ms(self, thread_id: str) -> tuple[float, float]:
        """From asking for the thread until it is painted: wall time, and processor time of the GUI thread."""
        begin, cpu = time.perf_counter(), time.thread_time()
        self._painted = (0.0, 0.0)
        await self.presenter.open_thread(thread_id)
        return (self._painted[0] - begin) * 1000, (self._painted[1] - cpu) * 1000

    def _paint(self) -> None:
        self.view.viewport().repaint()
        self._painted = (time.perf_counter(), time.thread_time())

    async def opening(self, short: str, long: str, count: int) -> dict[str, Any]:
        """Open the two threads in turn."""
        times: dict[str, list[tuple[float, float]]] = {short: [], long: []}
        first, _ = await self.open_ms(long)
        await self.settle()
        for _ in range(count):
            for thread_id in (short, long):
                times[thread_id].append(await self.open_ms(thread_id))
                await self.settle()
        return {
            "open_10k_first_ms": round(first, 1),
            "open_10k_ms": summary([wall for wall, _ in times[long]]),
            "open_10_ms": summary([wall for wall, _ in times[short]]),
            "open_10k_cpu_ms": summary([cpu for _, cpu in times[long]]),
            "open_10_cpu_ms": summary([cpu for _, cpu in times[short]]),
            "open_ratio_cpu": round(
                statistics.median(cpu for _, cpu in times[long]) / statistics.median(cpu for _, cpu in times[short]), 2
            ),
        }

    async def send_with(self, model: LanguageModel, thread_id: str) -> Run:
        """Have ``model`` answer from now on, and ask it something."""
        self.model = model
        return await self.chat.send(thread_id, "Go")

    async def text_of(self, message_id: str) -> str:
        (answer,) = await self.store.threads.messages([message_id])
        return answer.text

    async def scrolling(self, thread_id: str, steps: int = 300) -> dict[str, Any]:
        """Scroll up by the wheel's step, then jump about; each with its repaint."""
        await self.open_ms(thread_id)
        await self.settle()
        bar = self.view.verticalScrollBar()
        step_ms: list[float] = []
        jump_ms: list[float] = []
        for _ in range(steps):
            step_ms.append(self._move_to(bar.value() - 120))
            await asyncio.sleep(0)
        for number in range(60):
            begin = time.thread_time()
            self._move_to(bar.maximum() * ((number * 37) % 100) // 100)
            await self.settle(0.04)  # the messages there are read and drawn
            jump_ms.append((time.thread_time() - begin) * 1000)
        return {"scroll_step_cpu_ms": summary(step_ms), "scroll_jump_cpu_ms": summary(jump_ms)}

    def _move_to(self, value: int) -> float:
        begin = time.thread_time()
        self.view.verticalScrollBar().setValue(value)
        self.view.viewport().repaint()
        return (time.thread_time() - begin) * 1000

    async def sending(self, short: str, long: str, count: int) -> dict[str, Any]:
        """From ``send`` until the endpoint has read the request, over real HTTP, in both threads, each while shown."""
        arrived: list[float] = []

        def answer(_request: RecordedRequest) -> list[Step]:
            arrived.append(time.perf_counter())
            return [text("Yes.")]

        times: dict[str, list[float]] = {short: [], long: []}
        steady = self.model
        with LoopbackEndpoint(answer) as endpoint:
            self.model = OpenAILanguageModel(base_url=endpoint.base_url, model="bench")
            for number in range(count + 1):
                for thread_id in (short, long):
                    await self.open_ms(thread_id)
                    await self.settle()
                    arrived.clear()
                    begin = time.perf_counter()
                    run = await self.chat.send(thread_id, "Is it so?")
                    await run.wait()
                    await self.settle(0.05)
                    if number:  # the first builds the client
                        times[thread_id].append((arrived[0] - begin) * 1000)
            await self.model.close()
        self.model = steady
        return {"send_10k_ms": summary(times[long]), "send_10_ms": summary(times[short])}

    async def searching(self, words: list[str]) -> dict[str, Any]:
        """From asking until the hits are there; the sidebar draws only the rows in view."""
        times: list[float] = []
        for word in words:
            begin = time.perf_counter()
            await self.store.threads.search(word)
            times.append((time.perf_counter() - begin) * 1000)
        return {"search_ms": summary(times)}

    async def settle(self, seconds: float = 0.15) -> None:
        """Let work in the background end, so that the next figure is of one thing only."""
        await asyncio.sleep(seconds)
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    async def close(self) -> None:
        self.window.close()
        await self.chat.close()
        await self.tasks.close()
