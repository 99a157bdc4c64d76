"""The services that the window's presenters are given; made by the app shell."""

from collections.abc import Callable
from dataclasses import dataclass

from desktop.agent.chat_service import ChatService
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.tools.ports import ToolGateway


@dataclass(frozen=True, kw_only=True)
class UiServices:
    """Everything that presenters may call. Widgets get none of it."""

    conversations: ConversationService
    chat: ChatService
    repository: ThreadRepository
    """For reading only: outline and messages of the transcript."""
    gateway: ToolGateway
    settings: SettingsStore
    tasks: TaskSupervisor
    model_label: Callable[[], str]
    """What the header shows, for example ``qwen3-8b`` or ``Demo model``; read again after settings changed."""
    model_is_scripted: Callable[[], bool]
    report_error: Callable[[BaseException], None]
    """Shows an error once as a notice: user-facing ones with their text, others as an unexpected failure."""
