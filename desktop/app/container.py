"""Builds the core from concrete parts, without Qt: used by the window, the command line and tests alike."""

import asyncio
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.app.options import LaunchOptions
from desktop.conversation.service import ConversationService
from desktop.core.errors import SettingsError, ThreadwellError
from desktop.core.language_model import LanguageModel
from desktop.core.paths import DataPaths, default_workspace
from desktop.core.process_tree import hide_from_start_environment
from desktop.core.settings import EndpointSettings, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.bundled import bundled_command_server
from desktop.mcp_client.config import MAX_SERVERS, parse_mcp_config, parse_mcp_servers
from desktop.mcp_client.gateway import McpGateway
from desktop.providers.factory import make_language_model
from desktop.storage.store import Store, open_store
from desktop.tools.entities import ServerConfig
from desktop.tools.ports import UserPrompts
from desktop.tools.service import ToolService

logger = logging.getLogger(__name__)


class Container:
    """The core of a running Threadwell: one data folder, one model, one set of servers.

    Make it with ``open_container``; ``close`` ends everything that it started.
    """

    def __init__(
        self,
        *,
        options: LaunchOptions,
        settings: SettingsStore,
        store: Store,
        servers: tuple[ServerConfig, ...],
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        decider: str,
        problems: Sequence[ThreadwellError] = (),
    ) -> None:
        self._options = options
        self._problems = problems
        self.settings = settings
        self.store = store
        self.tasks = tasks
        self._model: LanguageModel | None = None
        self._model_of: EndpointSettings | None = None
        self._retired_models: list[LanguageModel] = []
        self.gateway = McpGateway(configs=servers, prompts=prompts, tasks=tasks)
        self.tools = ToolService(
            gateway=self.gateway,
            prompts=prompts,
            journal=store.journal,
            grants=store.grants,
            workspace=lambda: str(workspace_of(settings.settings)),
            decider=decider,
        )
        self.conversations = ConversationService(store.threads)
        self.chat = ChatService(
            conversations=self.conversations, repository=store.threads, loop=self._agent_loop, tasks=tasks
        )

    @property
    def endpoint(self) -> EndpointSettings:
        """The endpoint in use: the command line's, else the settings'."""
        return self._options.endpoint or self.settings.settings.endpoint

    def notices(self) -> list[ThreadwellError]:
        """What the user should hear about the start: what was set aside or left out."""
        found: list[ThreadwellError] = [*self.store.notices, *self._problems]
        if (aside := self.settings.set_aside) is not None:
            code = f"settings.{aside.reason}"
            found.insert(0, SettingsError(code, kept_as=str(aside.kept_as), detail=aside.detail))
        return found

    def model_label(self) -> str:
        """Return the model's name for people; never fails, also when the endpoint cannot be used."""
        try:
            return self.model().name
        except ThreadwellError:
            return self.endpoint.model

    def model(self) -> LanguageModel:
        """Return the model in use, made anew after the endpoint changed. Raises ``ModelError`` for an unusable one."""
        endpoint = self.endpoint
        if self._model is None or self._model_of != endpoint:
            model = make_language_model(endpoint, environ=os.environ)
            if endpoint.key_env:  # a server or a command could read it there
                hide_from_start_environment(endpoint.key_env)
            if self._model is not None:
                self._retired_models.append(self._model)  # an answer may still stream from it
            self._model, self._model_of = model, endpoint
        return self._model

    def _agent_loop(self) -> AgentLoop:
        return AgentLoop(
            model=self.model(),
            repository=self.store.threads,
            tools=self.tools,
            system_prompt=lambda: self.settings.settings.agent.system_prompt,
            step_limit=self.settings.settings.agent.step_limit,
        )

    async def warm_up(self) -> None:
        """Import what the first request to the endpoint needs, beside the running loop."""
        if not self.endpoint.is_demo:
            from desktop.providers.openai_client import load_sdk

            await asyncio.to_thread(load_sdk)

    async def close(self) -> None:
        """Stop runs, servers, connections and the store, in this order; each also when an earlier one failed."""
        steps = [self.chat.close, self.gateway.close, self._close_models, self.tasks.close, self.store.close]
        for step in steps:
            try:
                await step()
            except (ThreadwellError, OSError, RuntimeError):
                logger.exception("closing failed at %s", step.__qualname__)

    async def _close_models(self) -> None:
        for model in (*self._retired_models, *([self._model] if self._model else [])):
            await model.close()


def workspace_of(settings: Settings) -> Path:
    """Return the folder in which commands run."""
    if not settings.agent.workspace:
        return default_workspace()
    # Unlike ``Path.expanduser`` this one keeps what it cannot expand. A relative folder lies in the home folder,
    # wherever the program was started.
    return Path.home() / os.path.expanduser(settings.agent.workspace)


async def open_container(
    options: LaunchOptions,
    prompts: UserPrompts,
    tasks: TaskSupervisor,
    *,
    settings: SettingsStore | None = None,
    decider: str = "user",
) -> Container:
    """Open the data folder and build the core; servers are not started yet (``gateway.start``).

    ``decider`` is the journal's word for who answers ``prompts``: ``user`` or ``headless``.

    Raises ``StorageError`` when the folder cannot be used and ``SettingsError`` for an unusable ``--mcp-config``.
    What a previous process left unfinished is repaired here, and the Trash's expired threads are purged.
    """
    paths = DataPaths(options.data_dir)
    settings = settings or SettingsStore(paths.settings)
    servers, problems = configured_servers(options, settings.settings, paths.settings)
    store = await open_store(paths)
    try:
        await store.threads.recover()
        container = Container(
            options=options,
            settings=settings,
            store=store,
            servers=servers,
            prompts=prompts,
            tasks=tasks,
            decider=decider,
            problems=problems,
        )
        await container.conversations.purge_expired()
    except BaseException:
        await store.close()
        raise
    return container


def configured_servers(
    options: LaunchOptions, settings: Settings, settings_path: Path
) -> tuple[tuple[ServerConfig, ...], list[SettingsError]]:
    """Return the bundled command server, the settings' servers and those of ``--mcp-config``, and what was left out.

    A later server of the same name replaces an earlier one. An unusable entry of the settings file is left out and
    said, so that it keeps neither the app nor the other servers from starting. Raises ``SettingsError`` for an
    unusable ``--mcp-config``, which was given for just this start.
    """
    usable: dict[str, Any] = {}
    problems: list[SettingsError] = []
    for name, entry in settings.mcp_servers.items():
        if len(usable) == MAX_SERVERS:
            detail = f"It lists more than {MAX_SERVERS} servers; those from “{name}” on are left out."
            problems.append(SettingsError("settings.mcp_config", path=str(settings_path), detail=detail))
            break
        try:
            parse_mcp_servers({name: entry}, source=str(settings_path), environment=os.environ)
        except SettingsError as error:
            problems.append(SettingsError("settings.mcp_entry", **error.params))
        else:
            usable[name] = entry
    servers = [
        bundled_command_server(workspace_of(settings)),
        *parse_mcp_servers(usable, source=str(settings_path), environment=os.environ),
    ]
    if options.mcp_config is not None:
        servers.extend(_servers_of_file(options.mcp_config))
    return tuple({server.id: server for server in servers}.values()), problems


def _servers_of_file(path: Path) -> tuple[ServerConfig, ...]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise SettingsError("settings.mcp_config", path=str(path), detail=f"{error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise SettingsError("settings.mcp_config", path=str(path), detail="It is not UTF-8 text.") from error
    return parse_mcp_config(text, source=str(path), environment=os.environ)
