"""The services that the window's presenters are given; made by the app shell."""

from collections.abc import Callable
from dataclasses import dataclass

from desktop.agent.chat_service import ChatService
from desktop.conversation.attachments import Attachments
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.core.data_usage import DataFolder
from desktop.core.endpoint_book import EndpointBook
from desktop.core.endpoints import EndpointDirectory
from desktop.core.model_facts import ModelFactsStore
from desktop.core.secrets import SecretStore
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.tools.ports import GrantRepository, ServerBook, ToolGateway


@dataclass(frozen=True, kw_only=True)
class UiServices:
    """Everything that presenters may call. Widgets get none of it."""

    conversations: ConversationService
    chat: ChatService
    attachments: Attachments
    repository: ThreadRepository
    """For reading only: outline and messages of the transcript."""
    gateway: ToolGateway
    servers: ServerBook
    """Which servers are written down, and what of that can be used."""
    grants: GrantRepository
    workspace: Callable[[], str]
    """The folder in which commands run."""
    settings: SettingsStore
    data: DataFolder
    tasks: TaskSupervisor
    secrets: SecretStore
    endpoint_book: EndpointBook
    """Which endpoint answers, and every change of endpoints."""
    endpoints: EndpointDirectory
    """Known providers, servers on this machine, and what an endpoint has to offer."""
    facts: ModelFactsStore
    """What was learned about models: for reading only."""
    report_error: Callable[[BaseException], None]
    """Shows an error once as a notice: user-facing ones with their text, others as an unexpected failure."""
