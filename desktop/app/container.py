"""Builds the core from concrete parts, without Qt: used by the window, the command line and tests alike."""

import asyncio
import dataclasses
import logging
import os
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.agent.chat_service import ChatService
from desktop.agent.plan_desk import NobodyToAsk, PlanDesk
from desktop.agent.server_sampling import ServerSampling
from desktop.agent.tool_tests import ToolTests
from desktop.app.after_turns import AfterTurns
from desktop.app.agent_loops import AgentLoops
from desktop.app.answer_models import AnswerModels
from desktop.app.log_setup import hide_in_log
from desktop.app.memory_parts import MemoryParts
from desktop.app.model_pool import ModelPool
from desktop.app.options import LaunchOptions
from desktop.app.servers_of_start import configured_servers, workspace_of
from desktop.app.session_parts import SessionParts
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.attachments import Attachments
from desktop.conversation.entities import USUAL_OPTIONS, ThreadOptions
from desktop.conversation.list_service import ListService
from desktop.conversation.result_files import ResultFiles
from desktop.conversation.service import ConversationService
from desktop.core.digests import sha256_of_json
from desktop.core.endpoint_book import EndpointBook
from desktop.core.endpoint_keys import key_of
from desktop.core.endpoint_list import Answering
from desktop.core.endpoints import EndpointDirectory
from desktop.core.errors import SettingsError, ThreadwellError
from desktop.core.imports import import_quietly
from desktop.core.language_model import LanguageModel
from desktop.core.model_facts import ModelFactsStore
from desktop.core.paths import DataPaths, default_data_folder
from desktop.core.process_tree import hide_from_start_environment
from desktop.core.secrets import SecretStore
from desktop.core.settings import EndpointSettings, SetAside, Settings, SettingsStore
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.mcp_client.launch import Launcher
from desktop.mcp_client.own_programs import OwnPrograms
from desktop.mcp_client.reach import Places
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.mcp_client.shell_sandbox import ShellSandbox
from desktop.mcp_client.sign_in_record import SignIns
from desktop.mcp_client.sign_outs import SignOuts
from desktop.providers.endpoint_check import Endpoints
from desktop.providers.factory import make_language_model
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.keyring_secrets import KeyringSecrets
from desktop.storage.model_facts_file import ModelFactsFile
from desktop.storage.store import Store, open_store
from desktop.tools.pins import ToolPins
from desktop.tools.ports import UserPrompts
from desktop.tools.sandbox import Sandbox
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.sign_in import SignInPages
from desktop.tools.timed_prompts import TimedPrompts

if TYPE_CHECKING:
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
        servers: ConfiguredServers,
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        secrets: SecretStore,
        decider: str,
        pages: SignInPages | None = None,
    ) -> None:
        self._options = options
        self._decider = decider
        self._servers_part = _servers_part(settings.settings)
        self._problems = servers.problems(settings.settings)
        self.problem_found = Signal[ThreadwellError]()
        """Something that the user should hear of came up after the start."""
        self.settings = settings
        self.servers = servers
        self.store = store
        self.tasks = tasks
        self.facts: ModelFactsStore = ModelFactsFile(DataPaths(options.data_dir).model_facts)
        self.endpoints: EndpointDirectory = Endpoints(facts=self.facts)
        self.secrets = secrets
        given = [server.sign_in for server in servers.given if server.sign_in]
        self.server_secrets = ServerSecrets(settings, secrets, tasks, held=given)
        self.endpoint_book = EndpointBook(settings, secrets, tasks, given=options.endpoint)
        self._models = ModelPool(self._make_model)
        self._answer_models = AnswerModels(self._models.get, self.endpoints, self.facts, store.requests, tasks)
        self._prompts = TimedPrompts(prompts)
        self.server_sampling = ServerSampling(
            prompts=self._prompts, journal=store.journal, repository=store.threads, decider=decider
        )
        self.programs = OwnPrograms(DataPaths(options.data_dir).programs, environment=os.environ, tasks=tasks)
        places = Places(settings)
        self.gateway = McpGateway(
            configs=servers.configs(settings.settings),
            prompts=self._prompts,
            tasks=tasks,
            launcher=Launcher(secrets=secrets, paths=self.programs.paths),
            sign_ins=SignIns(self.server_secrets, secrets, on_secret=hide_in_log),
            pages=pages,
            places=places,
            workspace_of=self._workspace_of,
            model=self.server_sampling,
        )
        self.pins = ToolPins(self.gateway, store.pins, tasks)
        """Which tools wait for the user because their server changed them."""
        self.sandbox: Sandbox = ShellSandbox([options.data_dir])
        """Whether commands can be held apart from the rest of the machine."""
        paths, is_cold = DataPaths(options.data_dir), decider == "headless" and not options.stays
        self.memory = MemoryParts(store, paths, tasks, settings, secrets, is_cold=is_cold)
        self.sessions = SessionParts(store, options.data_dir, tasks, settings, secrets, self._prompts, is_cold=is_cold)
        self.conversations = ConversationService(store.threads)
        self.lists = ListService(store.lists, self.conversations)
        reader = FileReaderProcess()
        self.attachments = Attachments(store.attachments, reader)
        self.assistants = AssistantLibrary(store.assistants)
        self.plan_desk = PlanDesk(self._prompts.waiting)
        self.loops = AgentLoops(
            settings=settings,
            store=store,
            tasks=tasks,
            facts=self.facts,
            endpoints=self.endpoints,
            models=self._answer_models,
            prompts=self._prompts,
            sampling=self.server_sampling,
            attachments=self.attachments,
            recaller=self.sessions.recaller(self.memory.recaller),
            library=self.assistants,
            tools=lambda: self.tools,
            answering=self._answering,
            require_key=self.require_key,
            plans=NobodyToAsk() if decider == "headless" else self.plan_desk,
        )
        self.tool_tests = ToolTests(store.threads, lambda: self.tools, partial(self.loops.lend, USUAL_OPTIONS))
        self.result_files = ResultFiles(store.attachments, reader)
        self.chat = ChatService(
            conversations=self.conversations,
            repository=store.threads,
            loop=self.loops.make,
            tasks=tasks,
            answering=self._answering,
            begin_with=self.with_present_model,
            # Where the program ends with the answer a title would come too late.
            titles_wanted=lambda: not is_cold and settings.settings.agent.name_chats,
            beside=self._answer_models.beside,
        )
        after = AfterTurns(
            chat=self.chat,
            conversations=self.conversations,
            store=store,
            memory=self.memory.service,
            models=self._answer_models,
            answering=self._answering,
            settings=settings,
            tasks=tasks,
            is_shell=is_cold,
        )
        self.summarizer, self.memory_writer, self.queue = after.summarizer, after.memory_writer, after.queue
        self.sessions.connect(self.chat, self.conversations)
        self.sessions.sharing.failed.connect(self.problem_found.emit)
        self.chat.failed.connect(self.problem_found.emit)
        self.server_secrets.failed.connect(self.problem_found.emit)
        self.sign_outs = SignOuts(tasks, places)
        self.server_secrets.signed_out.connect(self.sign_outs.tell)
        self.sign_outs.failed.connect(self.problem_found.emit)
        settings.changed.connect(self._follow_settings)
        settings.kept_aside.connect(self._settings_kept_aside)

    @property
    def endpoint(self) -> EndpointSettings:
        """The endpoint that answers."""
        return self.endpoint_book.endpoint

    def workspace(self) -> str:
        """The folder in which commands run."""
        return str(workspace_of(self.settings.settings))

    async def _workspace_of(self, thread_id: str) -> str:
        """The folder in which commands of this chat run."""
        thread = await self.store.threads.get_thread(thread_id) if thread_id else None
        return (thread.options.workspace if thread is not None else None) or self.workspace()

    def notices(self) -> list[ThreadwellError]:
        """What the user should hear about the start: what was set aside or left out."""
        found: list[ThreadwellError] = [*self.store.notices, *self._problems]
        if (aside := self.settings.set_aside) is not None:
            found.insert(0, _about(aside))
        return found

    def model(self, options: ThreadOptions = USUAL_OPTIONS) -> LanguageModel:
        """Return the model that answers in a thread with these options. Raises ``ModelError`` for an unusable one."""
        return self._models.get(self._answering(options).endpoint)

    async def require_key(self, options: ThreadOptions = USUAL_OPTIONS) -> None:
        """See to it that the key of the endpoint is there. Raises ``ModelError`` (``model.key_…``) when it is not."""
        await key_of(self._answering(options).endpoint, environ=os.environ, secrets=self.secrets)

    def _answering(self, options: ThreadOptions) -> Answering:
        if self._decider == "headless" and self._options.endpoint is not None:  # nobody could choose another one
            beside = options.model if options.model in self._options.models_beside and not options.endpoint_id else None
            return Answering(endpoint=dataclasses.replace(self.endpoint, model=beside or self.endpoint.model))
        return self.endpoint_book.answering(endpoint_id=options.endpoint_id, model=options.model)

    def _make_model(self, endpoint: EndpointSettings) -> LanguageModel:
        model = make_language_model(endpoint, environ=os.environ, secrets=self.secrets, facts=self.facts)
        if endpoint.key_env:  # a server or a command could read it there
            hide_from_start_environment(endpoint.key_env)
            hide_in_log(os.environ[endpoint.key_env].strip())
        return model

    def with_present_model(self, options: ThreadOptions) -> ThreadOptions:
        """What a thread begins with: who answers it now stays, so that another choice for new ones does not take what
        was said here to somebody else. The demo model and the command line's endpoint leave it open."""
        endpoint = self._answering(options).endpoint
        if options.endpoint_id is not None or not endpoint.id:
            return options
        return dataclasses.replace(options, endpoint_id=endpoint.id, model=endpoint.model)

    @cached_property
    def tools(self) -> "ToolService":
        """What decides about calls and runs them."""
        from desktop.tools.service import ToolService

        return ToolService(
            gateway=self.gateway,
            prompts=self._prompts,
            journal=self.store.journal,
            grants=self.store.grants,
            taints=self.store.taints,
            trust=lambda server_id: self.servers.trust(self.settings.settings, server_id),
            chats=lambda server_id: self.servers.chats(self.settings.settings, server_id),
            workspace=self.workspace,
            sandbox=self.sandbox,
            decider=self._decider,
            results=self.result_files,
            pins=self.pins,
        )

    def _follow_settings(self, settings: Settings) -> None:
        """Let the servers be those of the settings, and say what is left out, once."""
        if (needed := _servers_part(settings)) == self._servers_part:
            return  # nearly every change is one of the look
        self._servers_part = needed
        self.gateway.reconfigure(self.servers.configs(settings))
        known = [problem.params for problem in self._problems]
        self._problems = self.servers.problems(settings)
        for problem in self._problems:
            if problem.params not in known:
                self.problem_found.emit(problem)

    def _settings_kept_aside(self, aside: SetAside) -> None:
        self.problem_found.emit(_about(aside))

    async def warm_up(self) -> None:
        """Import what the first answer needs, beside the running loop."""
        await asyncio.to_thread(import_quietly, "desktop.agent.loop")
        if not self.endpoint.is_demo:
            from desktop.providers.openai_client import load_sdk

            await asyncio.to_thread(load_sdk)

    async def close(self) -> None:
        """Stop runs, servers, connections and the store, in this order; each also when an earlier one failed."""
        steps = [
            self.queue.close,
            self.chat.close,
            self.summarizer.close,
            self.memory_writer.close,
            self.sessions.close,
            self.conversations.purge_temporary,
            self.memory.close,
            self.gateway.close,
            self._models.close,
            self.tasks.close,
            self.endpoint_book.close,
            self.secrets.close,
            self.store.close,
        ]
        for step in steps:
            try:
                await step()
            except (ThreadwellError, OSError, RuntimeError):
                logger.exception("closing failed at %s", step.__qualname__)


def _about(aside: SetAside) -> SettingsError:
    return SettingsError(f"settings.{aside.reason}", kept_as=str(aside.kept_as), detail=aside.detail)


def _servers_part(settings: Settings) -> tuple[object, ...]:
    """Return what the servers are made from; any other change of the settings leaves them as they are."""
    return settings.mcp_servers, settings.confirmed_servers, settings.bundled_servers_off, settings.agent.workspace


async def open_container(
    options: LaunchOptions,
    prompts: UserPrompts,
    tasks: TaskSupervisor,
    *,
    settings: SettingsStore | None = None,
    secrets: SecretStore | None = None,
    pages: SignInPages | None = None,
    decider: str = "user",
) -> Container:
    """Open the data folder and build the core; servers are not started yet (``gateway.start``).

    ``secrets`` is the system's keychain when None. ``decider`` is the journal's word for who answers ``prompts``:
    ``user`` or ``headless``. Without ``pages`` nobody can sign in at a server.

    Raises ``StorageError`` when the folder cannot be used and ``SettingsError`` for an unusable ``--mcp-config``.
    What a previous process left unfinished is repaired here, and the Trash's expired threads are purged.
    """
    paths = DataPaths(options.data_dir)
    settings = settings or SettingsStore(paths.settings)
    servers = configured_servers(options, paths.settings, given_is_agreed=decider == "headless")
    store = await open_store(paths)
    try:
        await store.threads.recover()
        await store.documents.purge()  # those that were removed before the last end
        container = Container(
            options=options,
            settings=settings,
            store=store,
            servers=servers,
            prompts=prompts,
            tasks=tasks,
            secrets=secrets or KeyringSecrets(service=keychain_service(options.data_dir), on_secret=hide_in_log),
            decider=decider,
            pages=pages,
        )
        await container.assistants.load()
        await container.conversations.purge_expired()
        await container.attachments.sweep()
    except BaseException:
        await store.close()
        raise
    return container


def keychain_service(data_dir: Path) -> str:
    """Return the name under which the keychain shows the keys of this data folder.

    Any folder but the usual one has a name of its own: ids of endpoints are only unique within a folder, and a key
    must never reach the endpoint of another one.
    """
    folder = data_dir.resolve()
    if folder == default_data_folder().resolve():
        return "Threadwell"
    return f"Threadwell {sha256_of_json(str(folder))[:12]}"
