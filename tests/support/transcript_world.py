"""A transcript on its own: a view in a small window, and the presenter on fakes of the store and the model."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.message_queue import MessageQueue
from desktop.agent.removing import MessageRemoval
from desktop.agent.tool_tests import ToolTests
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.attachments import Attachments
from desktop.conversation.entities import Message, MessageStatus, Part, Role, TextPart
from desktop.conversation.list_service import ListService
from desktop.conversation.prompts.library import PromptLibrary
from desktop.conversation.search_service import SearchService
from desktop.conversation.service import ConversationService
from desktop.core.endpoint_book import EndpointBook
from desktop.core.language_model import Usage
from desktop.core.model_facts import FactsInMemory
from desktop.core.settings import SettingsStore, Theme
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.tools.pins import ToolPins
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.service import ToolService
from desktop.ui.services import UiServices
from desktop.ui.state.outlines import outline_of
from desktop.ui.state.transcript_state import row_from_message
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.presenter import TranscriptPresenter
from desktop.ui.transcript.row import RowWidget
from desktop.ui.transcript.view import TranscriptView
from tests.support.document_service import NoDocuments, document_service
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.in_memory_assistants import InMemoryAssistants
from tests.support.in_memory_attachments import ReaderOnPaper
from tests.support.in_memory_lists import InMemoryThreadLists
from tests.support.in_memory_memory import InMemoryMemory
from tests.support.in_memory_pins import InMemoryPins
from tests.support.in_memory_prompts import InMemoryPrompts
from tests.support.in_memory_requests import InMemoryRequests
from tests.support.in_memory_search import InMemoryChatSearch
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.in_memory_threads import (
    InMemoryGrants,
    InMemoryJournal,
    InMemoryTaints,
    InMemoryThreadRepository,
    NoCalls,
)
from tests.support.memory_service import memory_service
from tests.support.no_titles import NoTitles
from tests.support.offers_on_paper import OffersOnPaper
from tests.support.programs_on_paper import ProgramsOnPaper
from tests.support.scripted_model import ScriptedModel, Step
from tests.support.window_world import DataOnPaper, NoQuestions, ServersOnPaper

W = TypeVar("W", bound=QWidget)
MOMENT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def message(number: int, role: Role, *parts: Part, status: MessageStatus = MessageStatus.COMPLETE) -> Message:
    """A stored message with the id ``m<number>``."""
    return Message(
        id=f"m{number}",
        thread_id="t",
        parent_id=None,
        role=role,
        status=status,
        parts=parts,
        created_at=MOMENT,
        updated_at=MOMENT,
        model="model-x" if role is Role.ASSISTANT else "",
        usage=Usage(output_tokens=12) if role is Role.ASSISTANT else Usage(),
    )


def conversation(*texts: str) -> list[Message]:
    """Messages of these texts, the user's first, then in turn."""
    return [message(n, Role.ASSISTANT if n % 2 else Role.USER, TextPart(text=text)) for n, text in enumerate(texts)]


def child(parent: QWidget, kind: type[W], name: str = "") -> W:
    """The first child of this kind and name, which must be there."""
    found = parent.findChild(kind, name)
    assert found is not None, f"no {kind.__name__} {name}"
    return found


class ViewWorld:
    """A shown view; ``show`` gives it a thread with every message loaded."""

    def __init__(self, app: QApplication, *, width: int = 900, height: int = 600, theme: Theme = Theme.LIGHT) -> None:
        self.app = app
        self.theme = ThemeManager(app, theme, "en")
        self.window = QMainWindow()
        self.view = TranscriptView(self.theme)
        self.window.setCentralWidget(self.view)
        self.window.resize(width, height)
        self.window.show()
        self.settle()

    def show(self, messages: Sequence[Message]) -> None:
        self.view.set_thread([outline_of(m) for m in messages], [row_from_message(m) for m in messages])
        self.settle()

    def settle(self) -> None:
        """Let Qt do what it has put off: layouts, timers that are due, deletions."""
        for _ in range(4):
            self.app.processEvents()
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def rows(self) -> list[RowWidget]:
        """The live messages, from top to bottom."""
        rows = [row for row in self.view.viewport().findChildren(RowWidget) if not row.isHidden()]
        return sorted(rows, key=lambda row: row.y())

    def find(self, kind: type[W], name: str) -> W:
        """The first visible widget of this kind and name, from the top."""
        found = self.all(kind, name)
        assert found, f"no {kind.__name__} {name}"
        return found[0]

    def all(self, kind: type[W], name: str) -> list[W]:
        found = [w for w in self.view.viewport().findChildren(kind, name) if w.isVisible()]
        return sorted(found, key=lambda w: w.mapTo(self.view.viewport(), w.rect().topLeft()).y())

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        self.theme.deleteLater()
        self.settle()


@dataclass
class PresenterWorld:
    """A view with its presenter; ``chat`` plays the model's steps."""

    world: ViewWorld
    presenter: TranscriptPresenter
    repository: InMemoryThreadRepository
    chat: ChatService
    queue: MessageQueue
    tasks: TaskSupervisor
    gateway: ServersOnPaper
    errors: list[BaseException] = field(default_factory=list[BaseException])

    @property
    def view(self) -> TranscriptView:
        return self.world.view

    def shown(self) -> str:
        """Everything that screen readers are told of the live messages."""
        return "\n".join(row.accessibleName() for row in self.world.rows())

    async def add_thread(self, *texts: str) -> str:
        """Store a thread of these messages, the user's first, then in turn; returns its id."""
        thread = await self.repository.create_thread()
        for question, answer in zip(texts[::2], texts[1::2], strict=True):
            turn = await self.repository.begin_turn(thread.id, question, model="model-x")
            await self.repository.finish_turn(
                turn.turn_id,
                parts=[TextPart(text=answer)],
                status=MessageStatus.COMPLETE,
                reason="completed",
                usage=Usage(input_tokens=1, output_tokens=2),
                duration_seconds=0.5,
            )
        return thread.id


@asynccontextmanager
async def presenter_world(
    app: QApplication, settings: SettingsStore, *steps: Step, repository: InMemoryThreadRepository | None = None
) -> AsyncIterator[PresenterWorld]:
    """Everything is closed at the end, in the order of the app."""
    errors: list[BaseException] = []
    tasks = TaskSupervisor(lambda _name, error: errors.append(error))
    repository = repository or InMemoryThreadRepository()
    memory = InMemoryMemory(repository)
    remembered = memory_service(memory, memory, tasks)
    gateway, model = ServersOnPaper(), ScriptedModel(*steps)
    conversations = ConversationService(repository)
    tools = ToolService(
        gateway=gateway,
        prompts=NoQuestions(),
        journal=InMemoryJournal(),
        grants=InMemoryGrants(),
        taints=InMemoryTaints(),
        workspace=lambda: "",
        decider="user",
    )
    chat = ChatService(
        conversations=conversations,
        repository=repository,
        loop=lambda _options: AgentLoop(
            model=model, repository=repository, tools=tools, system_prompt=lambda: "", step_limit=5
        ),
        tasks=tasks,
    )
    queue = MessageQueue(
        chat=chat, conversations=conversations, repository=repository, store=repository.queue, tasks=tasks
    )
    world, secrets = ViewWorld(app), InMemorySecrets()
    presenter = TranscriptPresenter(
        world.view,
        UiServices(
            conversations=conversations,
            lists=ListService(InMemoryThreadLists(repository), conversations),
            chat=chat,
            queue=queue,
            places=repository.places,
            attachments=Attachments(repository.attachments, ReaderOnPaper()),
            assistants=AssistantLibrary(InMemoryAssistants(repository)),
            prompts=PromptLibrary(InMemoryPrompts()),
            repository=repository,
            search=SearchService(InMemoryChatSearch(repository), InMemoryThreadLists(repository).folders),
            titles=NoTitles(),
            gateway=gateway,
            pins=ToolPins(gateway, InMemoryPins(), tasks),
            tool_tests=ToolTests(repository, lambda: tools),
            sign_ins=gateway,
            servers=ConfiguredServers(source="", environment={}, workspace=lambda _settings: Path("nowhere")),
            grants=InMemoryGrants(),
            ledger=NoCalls(),
            taints=InMemoryTaints(),
            workspace=lambda: "",
            memory=remembered,
            documents=document_service(NoDocuments(), remembered.indexing, tasks),
            requests=InMemoryRequests(),
            removing=MessageRemoval(
                store=repository, chat=chat, conversations=conversations, repository=repository, memory=remembered
            ),
            settings=settings,
            data=DataOnPaper(),
            endpoints=DirectoryOnPaper(),
            tasks=tasks,
            secrets=secrets,
            server_secrets=ServerSecrets(settings, secrets, tasks),
            programs=ProgramsOnPaper(),
            endpoint_book=EndpointBook(settings, secrets, tasks),
            facts=FactsInMemory(),
            listed_tools=lambda _mode, _thread_id: (),
            content=OffersOnPaper(),
            note_foreign_text=tools.note_foreign_text,
            report_error=errors.append,
        ),
    )
    try:
        yield PresenterWorld(world, presenter, repository, chat, queue, tasks, gateway, errors)
    finally:
        await chat.close()
        await tasks.close()
        world.close()
        await asyncio.sleep(0)
    assert errors == []
