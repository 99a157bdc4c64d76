"""What the API is given of the core."""

from collections.abc import Callable
from dataclasses import dataclass

from desktop.agent.chat_service import ChatService
from desktop.agent.message_queue import MessageQueue
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor


@dataclass(frozen=True, kw_only=True)
class ApiServices:
    chat: ChatService
    queue: MessageQueue
    conversations: ConversationService
    repository: ThreadRepository
    settings: SettingsStore
    tasks: TaskSupervisor
    assistants: AssistantLibrary | None = None
    """Who can be named for a new thread; None where there is nobody."""
    begin_with: Callable[[ThreadOptions], ThreadOptions] = lambda options: options
    """Returns what a new thread keeps: who answers it now stays."""
