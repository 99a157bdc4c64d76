"""The services that the window's presenters are given; made by the app shell."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.agent.chat_service import ChatService
from desktop.agent.message_queue import MessageQueue
from desktop.agent.plan_desk import PlanDesk
from desktop.agent.removing import MessageRemoval
from desktop.agent.session_sharing import SessionSharing
from desktop.agent.summarizing import Summarizer
from desktop.agent.tool_tests import ToolTests
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.attachments import Attachments
from desktop.conversation.formulas import FormulaDrawer
from desktop.conversation.list_service import ListService
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.prompts.library import PromptLibrary
from desktop.conversation.queued import ReadingPlaces
from desktop.conversation.remote_pictures import RemotePictures
from desktop.conversation.request_records import RequestRecords
from desktop.conversation.search_service import SearchService
from desktop.conversation.service import ConversationService
from desktop.conversation.title_search import TitleSearch
from desktop.core.data_usage import DataFolder
from desktop.core.endpoint_book import EndpointBook
from desktop.core.endpoints import EndpointDirectory
from desktop.core.local_api import LocalApiSwitch, NoLocalApi
from desktop.core.model_facts import ModelFactsStore
from desktop.core.permission_mode import PermissionMode
from desktop.core.secrets import SecretStore
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.document_service import DocumentService
from desktop.memory.service import MemoryService
from desktop.tools.entities import ToolDescriptor
from desktop.tools.pins import ToolPins
from desktop.tools.ports import GrantRepository, ServerBook, TaintRepository, ToolGateway, ToolLedger
from desktop.tools.programs import Programs
from desktop.tools.sandbox import NoSandbox, Sandbox
from desktop.tools.server_content import ServerContent
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.sign_in import ServerSignIns
from desktop.tools.taint import TaintCause

if TYPE_CHECKING:
    from desktop.conversation.interchange.service import Interchange
    from desktop.core.backups import LibraryBackups


@dataclass(frozen=True, kw_only=True)
class UiServices:
    """Everything that presenters may call. Widgets get none of it."""

    conversations: ConversationService
    lists: ListService
    """In which list each chat stands: pinned, in a folder, archived."""
    chat: ChatService
    queue: MessageQueue
    """Messages that wait until an answer has ended."""
    places: ReadingPlaces
    """Where each chat is read."""
    removing: MessageRemoval
    """Takes single messages and results out of chats."""
    attachments: Attachments
    assistants: AssistantLibrary
    """Instructions, models and tools under one name, for chats to use."""
    prompts: PromptLibrary
    """Texts with gaps that the user keeps, to be put into messages."""
    repository: ThreadRepository
    """For reading only: outline and messages of the transcript."""
    search: SearchService
    """Looks through all chats."""
    titles: TitleSearch
    """Threads by their titles."""
    gateway: ToolGateway
    pins: ToolPins
    """Which tools wait for the user because their server changed them."""
    sign_ins: ServerSignIns
    """Signing in at the servers, and out again."""
    tool_tests: ToolTests
    """Calls a tool once for the user to see what it does."""
    servers: ServerBook
    """Which servers are written down, and what of that can be used."""
    grants: GrantRepository
    ledger: ToolLedger
    """Every call and every decision."""
    taints: TaintRepository
    """Which chats hold text that somebody else wrote: for reading only."""
    workspace: Callable[[], str]
    """The folder in which commands run."""
    plans: PlanDesk = field(default_factory=PlanDesk)
    """Where plans wait for the user."""
    api: LocalApiSwitch = field(default_factory=NoLocalApi)
    """Lets other programs chat here."""
    formulas: FormulaDrawer | None = None
    """Draws the formulas of answers; without it they are shown as they were written."""
    pictures: RemotePictures | None = None
    """Fetches pictures that answers name; without it they can only be opened in the browser."""
    sandbox: Sandbox = field(default_factory=NoSandbox)
    """Whether commands can be held apart from the rest of the machine."""
    memory: MemoryService
    """What is remembered, and what is recalled of it."""
    sessions: SessionSharing | None = None
    """Turns that chats share with other windows and programs; None where none are shared."""
    documents: DocumentService
    """Files as knowledge."""
    requests: RequestRecords
    """What was sent to models: for reading only."""
    summarizer: Summarizer | None = None
    """Summaries of the earlier parts of chats; None where none are made."""
    interchange: "Callable[[], Interchange] | None" = None
    """Chats as files, out and in; made when it is asked for first. None where there is none."""
    backups: "LibraryBackups | None" = None
    """Backups of the whole library; None where there are none."""
    restart: Callable[[], None] | None = None
    """Ends the program and starts it again; None where nothing can do that."""
    settings: SettingsStore
    data: DataFolder
    tasks: TaskSupervisor
    secrets: SecretStore
    server_secrets: ServerSecrets
    """The secrets of tool servers: kept, and forgotten with them."""
    programs: Programs
    """What tool servers are started with: where it was found, and Node, which can be fetched."""
    endpoint_book: EndpointBook
    """Which endpoint answers, and every change of endpoints."""
    endpoints: EndpointDirectory
    """Known providers, servers on this machine, and what an endpoint has to offer."""
    facts: ModelFactsStore
    """What was learned about models: for reading only."""
    listed_tools: Callable[[PermissionMode, str], Sequence[ToolDescriptor]]
    """The tools that servers have listed by now and that a chat in this mode, with this id, is offered."""
    content: ServerContent
    """The prompts and resources of the servers."""
    note_foreign_text: Callable[[str, TaintCause, str], Awaitable[None]]
    """Remembers that a chat holds what somebody else wrote. Raises ``StorageError``."""
    report_error: Callable[[BaseException], None]
    """Shows an error once as a notice: user-facing ones with their text, others as an unexpected failure."""

    def backup_places(self) -> Sequence[str]:
        """Return where backups lie that may still hold what was removed since."""
        return self.backups.places if self.backups is not None else ()
