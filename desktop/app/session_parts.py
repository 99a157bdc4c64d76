"""Builds the sharing of sessions: the memory server as a process of the app's own, and who reads and writes there."""

from pathlib import Path

from desktop.agent.chat_service import ChatService
from desktop.agent.recaller import Recaller
from desktop.agent.session_sharing import DEADLINE_SECONDS, SessionSharing, SharingRecaller
from desktop.app.log_setup import hide_in_log
from desktop.conversation.service import ConversationService
from desktop.core.secrets import SecretStore
from desktop.core.session_settings import SessionSettings
from desktop.core.settings import Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.session_server import SessionServer
from desktop.storage.store import Store
from desktop.tools.ports import UserPrompts

_COLD_SECONDS = 20.0


class SessionParts:
    """Sharing as the settings want it, and as they change. Nothing is started before it is needed."""

    def __init__(
        self,
        store: Store,
        data_folder: Path,
        tasks: TaskSupervisor,
        settings: SettingsStore,
        secrets: SecretStore,
        prompts: UserPrompts,
        *,
        is_cold: bool = False,
    ) -> None:
        """``is_cold``: each answer is a program's first, so that it may wait longer for the server."""
        self._settings = settings
        self._before: SessionSettings = settings.settings.sessions
        self._server = SessionServer(data_folder, prompts=prompts, tasks=tasks, secrets=secrets, on_secret=hide_in_log)
        self.sharing = SessionSharing(
            self._server,
            ledger=store.sessions,
            repository=store.threads,
            taints=store.taints,
            settings=lambda: settings.settings.sessions,
            tasks=tasks,
            deadline_seconds=_COLD_SECONDS if is_cold else DEADLINE_SECONDS,
        )
        settings.changed.connect(self._follow)

    def recaller(self, recaller: Recaller) -> Recaller:
        """Return who tells answers what was said in the session, too."""
        return SharingRecaller(recaller, self.sharing)

    def connect(self, chat: ChatService, conversations: ConversationService) -> None:
        """Follow what is said and what is removed."""
        chat.run_ended.connect(self.sharing.turn_ended)
        conversations.thread_removed.connect(self.sharing.something_removed)
        conversations.thread_changed.connect(self.sharing.something_removed)
        conversations.trash_emptied.connect(self.sharing.something_removed)

    async def close(self) -> None:
        """End what runs."""
        await self.sharing.close()
        await self._server.close()

    def _follow(self, settings: Settings) -> None:
        if settings.sessions != self._before:
            self._before = settings.sessions
            self.sharing.settings_changed()
